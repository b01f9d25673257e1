//! `random_pet`: a name made of words.

use crate::keepers::keepers_field;
use crate::kit::{Fault, Faults, Field, Object, Presence, Resource, Shape};
use crate::secure::Draws;
use petname::Petnames;
use pravo_state::Data;

/// Animals that the released plugin knows and the word list does not have.
const MORE_NAMES: [&str; 3] = ["cockatoo", "peacock", "woodcock"];

/// The most words of a name.
const MAX_WORDS: i64 = 1 << 20;

/// The type's behaviour.
pub(super) struct Pet;

/// The type's attributes.
pub(super) fn shape() -> Shape {
    Shape::new(
        "A random name made of words, such as `proper-crane`.",
        vec![
            keepers_field("keepers"),
            Field::integer("length", Presence::OptionalComputed)
                .default(2)
                .replace()
                .about("How many words it has; 2 unless set."),
            Field::text("separator", Presence::OptionalComputed)
                .default("-")
                .replace()
                .about("What stands between the words; `-` unless set."),
            Field::text("prefix", Presence::Optional)
                .replace()
                .about("What stands before the words."),
            Field::text("id", Presence::Computed)
                .keep()
                .about("The name."),
        ],
    )
}

impl Resource for Pet {
    fn create(&self, planned: Object) -> Result<Object, Faults> {
        let length = planned.integer("length").unwrap_or(2);
        if length > MAX_WORDS {
            return Err(Fault::error(
                format!("`length` must be {MAX_WORDS} or less"),
                format!("It is {length}."),
            )
            .into());
        }
        let separator = planned.text("separator").unwrap_or("-");
        let mut id = name(length, separator)?;
        let prefix = planned.text("prefix").filter(|prefix| !prefix.is_empty());
        if let Some(prefix) = prefix {
            id = [prefix, separator, &id].concat();
        }
        let prefix = prefix.map_or(Data::Null, Data::from);
        Ok(planned.with("prefix", prefix).with("id", id))
    }
}

/// A name of that many words in lower case; one of two words when the number makes no sense.
fn name(length: i64, separator: &str) -> Result<String, Fault> {
    let lists = Petnames::small();
    let mut names = lists.nouns.to_vec();
    names.extend(MORE_NAMES);
    let mut draws = Draws::default();
    let mut words = Vec::new();
    for _ in 2..length {
        words.extend(draws.pick(&lists.adverbs)?);
    }
    if length != 1 {
        words.extend(draws.pick(&lists.adjectives)?);
    }
    words.extend(draws.pick(&names)?);
    let words: Vec<&str> = words.into_iter().copied().collect();
    Ok(words.join(separator).to_lowercase())
}

#[cfg(test)]
mod tests;
