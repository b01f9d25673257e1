//! `random_shuffle`: texts in a random order.

use super::count;
use super::go_rand::Source;
use crate::keepers::keepers_field;
use crate::kit::{Faults, Field, Object, Presence, Resource, Shape};
use crate::secure::Draws;
use pravo_state::Data;

/// The type's behaviour.
pub(super) struct Shuffle;

/// The type's attributes.
pub(super) fn shape() -> Shape {
    Shape::new(
        "Texts in a random order.",
        vec![
            keepers_field("keepers"),
            Field::texts("input", Presence::Required)
                .replace()
                .about("The texts."),
            Field::integer("result_count", Presence::Optional)
                .replace()
                .about("How many to answer; all of them unless set. More repeats them."),
            Field::text("seed", Presence::Optional)
                .replace()
                .about("The same seed and texts always give the same order."),
            Field::texts("result", Presence::Computed)
                .keep()
                .about("The texts in their order."),
            Field::text("id", Presence::Computed)
                .keep()
                .about("Always `-`."),
        ],
    )
}

impl Resource for Shuffle {
    fn create(&self, planned: Object) -> Result<Object, Faults> {
        let input = planned.list("input");
        let wanted = match planned.integer("result_count") {
            Some(number) => count("result_count", number)?,
            None => input.len(),
        };
        let mut source = match planned.text("seed").filter(|seed| !seed.is_empty()) {
            Some(seed) => Source::from_text(seed),
            None => Source::new(Draws::default().next()?.cast_signed()),
        };
        let mut result = Vec::new();
        while !input.is_empty() && result.len() < wanted {
            let round = source.permutation(input.len());
            let missing = wanted - result.len();
            result.extend(
                round
                    .iter()
                    .take(missing)
                    .map(|index| input[*index].clone()),
            );
        }
        Ok(planned.with("result", Data::List(result)).with("id", "-"))
    }
}

#[cfg(test)]
mod tests;
