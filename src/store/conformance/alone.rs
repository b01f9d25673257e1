//! Rules that hold without anybody else.

use super::{Failure, Place, holds};
use crate::{Version, Written};

pub(super) async fn check(place: &Place) -> Result<(), Failure> {
    absent(place).await?;
    created(place).await?;
    replaced(place).await?;
    deleted(place).await?;
    listed(place).await?;
    whole(place).await
}

async fn absent(place: &Place) -> Result<(), Failure> {
    let version = Version::new("0123456789abcdef0123456789abcdef");
    let got = place.get("absent").await?;
    holds("an absent object reads as none", got.is_none(), &got)?;
    let written = place.replace("absent", b"x", &version).await?;
    holds(
        "an absent object can't be replaced",
        written == Written::Refused,
        &written,
    )?;
    let deleted = place.delete("absent", &version).await?;
    holds("an absent object can't be deleted", !deleted, deleted)?;
    let keys = place.list("").await?;
    holds("an empty folder lists nothing", keys.is_empty(), &keys)
}

async fn created(place: &Place) -> Result<(), Failure> {
    let version = place.made("created", b"one").await?;
    let again = place.create("created", b"two").await?;
    holds(
        "an object is made only where there is none",
        again == Written::Refused,
        &again,
    )?;
    let got = place.get("created").await?;
    let kept = got
        .as_ref()
        .is_some_and(|o| o.bytes == b"one" && o.version == version);
    holds("a refused create changes nothing", kept, &got)
}

async fn replaced(place: &Place) -> Result<(), Failure> {
    let first = place.made("replaced", b"one").await?;
    let Written::Done(second) = place.replace("replaced", b"two", &first).await? else {
        return holds(
            "an object of that version can be replaced",
            false,
            "it was refused",
        );
    };
    holds("other bytes are another version", first != second, &second)?;
    let stale = place.replace("replaced", b"three", &first).await?;
    holds(
        "an object of another version is not replaced",
        stale == Written::Refused,
        &stale,
    )?;
    let got = place.get("replaced").await?;
    let kept = got
        .as_ref()
        .is_some_and(|o| o.bytes == b"two" && o.version == second);
    holds("a refused replacement changes nothing", kept, &got)
}

async fn deleted(place: &Place) -> Result<(), Failure> {
    let first = place.made("deleted", b"one").await?;
    let Written::Done(second) = place.replace("deleted", b"two", &first).await? else {
        return holds(
            "an object of that version can be replaced",
            false,
            "it was refused",
        );
    };
    let stale = place.delete("deleted", &first).await?;
    holds("an object of another version is not deleted", !stale, stale)?;
    let got = place.get("deleted").await?;
    holds("a refused deletion changes nothing", got.is_some(), &got)?;
    let done = place.delete("deleted", &second).await?;
    let got = place.get("deleted").await?;
    holds(
        "an object of that version is deleted",
        done && got.is_none(),
        &got,
    )?;
    place.made("deleted", b"three").await.map(drop)
}

async fn listed(place: &Place) -> Result<(), Failure> {
    for name in ["l%005B0%005D.json", "l-b.json", "l-a.lock", "m"] {
        place.made(name, b"x").await?;
    }
    let keys = place.list("l").await?;
    let want: Vec<String> = ["l%005B0%005D.json", "l-a.lock", "l-b.json"]
        .iter()
        .map(|name| place.key(name))
        .collect();
    holds(
        "keys that start with a text are listed, sorted",
        keys == want,
        &keys,
    )?;
    let mixed = [want[1].clone(), place.key("none"), want[2].clone()];
    let objects = place.objects.get_many(&mixed).await?;
    let found: Vec<bool> = objects.iter().map(Option::is_some).collect();
    holds(
        "many objects are read in their order",
        found == [true, false, true],
        &found,
    )
}

async fn whole(place: &Place) -> Result<(), Failure> {
    for (name, length) in [("empty", 0), ("large", 1 << 20)] {
        let bytes: Vec<u8> = (0..length).map(|at: usize| at.to_le_bytes()[0]).collect();
        place.made(name, &bytes).await?;
        let got = place.get(name).await?;
        let kept = got.as_ref().is_some_and(|o| o.bytes == bytes);
        holds("an object holds the bytes that were written", kept, &got)?;
    }
    Ok(())
}
