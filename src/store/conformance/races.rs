//! Rules that hold while others write.

use super::{Failure, Place, holds, wrong};
use crate::{Version, Written};
use tokio::task::JoinSet;

/// How many race.
const RACERS: usize = 12;

/// How often each of them adds one to a counter.
const STEPS: usize = 12;

pub(super) async fn check(place: &Place, rounds: usize) -> Result<(), Failure> {
    for round in 0..rounds {
        create(place, &format!("create-{round}")).await?;
        replace(place, &format!("replace-{round}")).await?;
        release_against_reclaim(place, &format!("reclaim-{round}")).await?;
    }
    count(place).await?;
    read_whole(place).await
}

/// Runs one piece of work for each racer at once, and counts those that won.
async fn winners<F>(work: impl Fn(usize) -> F) -> Result<usize, Failure>
where
    F: Future<Output = Result<bool, Failure>> + Send + 'static,
{
    let mut racers = JoinSet::new();
    for racer in 0..RACERS {
        racers.spawn(work(racer));
    }
    let mut won = 0;
    for ended in racers.join_all().await {
        won += usize::from(ended?);
    }
    Ok(won)
}

async fn create(place: &Place, name: &str) -> Result<(), Failure> {
    let won = winners(|racer| {
        let (place, name) = (place.clone(), name.to_owned());
        async move {
            let written = place.create(&name, racer.to_string().as_bytes()).await?;
            Ok(written != Written::Refused)
        }
    });
    let won = won.await?;
    holds("of those who make one object one does", won == 1, won)
}

async fn replace(place: &Place, name: &str) -> Result<(), Failure> {
    let version = place.made(name, b"old").await?;
    let won = winners(|racer| {
        let (place, name, version) = (place.clone(), name.to_owned(), version.clone());
        async move {
            let bytes = racer.to_string();
            let written = place.replace(&name, bytes.as_bytes(), &version).await?;
            Ok(written != Written::Refused)
        }
    });
    let won = won.await?;
    holds("of those who replace one version one does", won == 1, won)
}

/// Half delete what the others replace, as a holder and those who think it dead.
async fn release_against_reclaim(place: &Place, name: &str) -> Result<(), Failure> {
    let version = place.made(name, b"old").await?;
    let won = winners(|racer| {
        let (place, name, version) = (place.clone(), name.to_owned(), version.clone());
        async move {
            if racer % 2 == 0 {
                return place.delete(&name, &version).await;
            }
            let bytes = racer.to_string();
            let written = place.replace(&name, bytes.as_bytes(), &version).await?;
            Ok(written != Written::Refused)
        }
    });
    let won = won.await?;
    holds(
        "of those who release or reclaim one version one does",
        won == 1,
        won,
    )
}

async fn count(place: &Place) -> Result<(), Failure> {
    place.made("counter", b"0").await?;
    let won = winners(|_| {
        let place = place.clone();
        async move {
            for _ in 0..STEPS {
                add_one(&place).await?;
            }
            Ok(true)
        }
    });
    won.await?;
    let (counted, _) = read_count(place).await?;
    holds(
        "no compare-and-swap is lost",
        counted == RACERS * STEPS,
        counted,
    )
}

async fn add_one(place: &Place) -> Result<(), Failure> {
    loop {
        let (counted, version) = read_count(place).await?;
        let next = (counted + 1).to_string();
        if let Written::Done(_) = place.replace("counter", next.as_bytes(), &version).await? {
            return Ok(());
        }
    }
}

async fn read_count(place: &Place) -> Result<(usize, Version), Failure> {
    let rule = "an object is there while others replace it";
    let Some(object) = place.get("counter").await? else {
        return wrong(rule, "it was gone");
    };
    let counted = std::str::from_utf8(&object.bytes)
        .ok()
        .and_then(|text| text.parse().ok());
    match counted {
        Some(counted) => Ok((counted, object.version)),
        None => wrong(rule, format!("it held {} other bytes", object.bytes.len())),
    }
}

/// One writes texts of different lengths, each of one letter, while the others read.
async fn read_whole(place: &Place) -> Result<(), Failure> {
    let version = place.made("whole", b"a").await?;
    let won = winners(|racer| {
        let (place, version) = (place.clone(), version.clone());
        async move {
            if racer == 0 {
                return write_letters(&place, version).await;
            }
            for _ in 0..STEPS {
                let got = place.get("whole").await?;
                let bytes = got.map(|object| object.bytes).unwrap_or_default();
                let one = bytes
                    .first()
                    .is_some_and(|f| bytes.iter().all(|byte| byte == f));
                let want = bytes.first().map_or(0, |first| length_of(*first));
                holds(
                    "a reader sees old bytes or new ones",
                    one && bytes.len() == want,
                    want,
                )?;
            }
            Ok(true)
        }
    });
    won.await.map(drop)
}

async fn write_letters(place: &Place, mut version: Version) -> Result<bool, Failure> {
    for letter in b'b'..b'b' + 12 {
        let bytes = vec![letter; length_of(letter)];
        match place.replace("whole", &bytes, &version).await? {
            Written::Done(next) => version = next,
            Written::Refused => {
                return wrong(
                    "an object of that version can be replaced",
                    "it was refused",
                );
            }
        }
    }
    Ok(true)
}

fn length_of(letter: u8) -> usize {
    1 + usize::from(letter - b'a') * 10_000
}
