//! `random_integer`: a whole number between two others.

use super::bad_id;
use super::go_rand::Source;
use crate::keepers::keepers_field;
use crate::kit::{Fault, Faults, Field, Object, Presence, Resource, Shape};
use crate::secure::Draws;
use pravo_state::Data;

/// The type's behaviour.
pub(super) struct Integer;

/// The type's attributes.
pub(super) fn shape() -> Shape {
    Shape::new(
        "A random whole number from `min` to `max`.",
        vec![
            keepers_field("keepers"),
            Field::integer("min", Presence::Required)
                .replace()
                .about("The smallest number it can be."),
            Field::integer("max", Presence::Required)
                .replace()
                .about("The largest number it can be."),
            Field::text("seed", Presence::Optional)
                .replace()
                .about("The same seed and limits always give the same number."),
            Field::integer("result", Presence::Computed)
                .keep()
                .about("The number."),
            Field::text("id", Presence::Computed)
                .keep()
                .about("The number in decimal."),
        ],
    )
}

impl Resource for Integer {
    fn create(&self, planned: Object) -> Result<Object, Faults> {
        let min = planned.integer("min").unwrap_or(0);
        let max = planned.integer("max").unwrap_or(0);
        if max < min {
            return Err(Fault::error(
                "`max` is below `min`",
                format!("`max` is {max} and `min` is {min}. Swap them or change one."),
            )
            .into());
        }
        let span = max
            .checked_sub(min)
            .and_then(|distance| distance.checked_add(1))
            .ok_or_else(|| {
                Fault::error(
                    "`min` and `max` are too far apart",
                    format!("From {min} to {max} there are more numbers than 2^63 - 1."),
                )
            })?;
        let seed = planned.text("seed").filter(|seed| !seed.is_empty());
        let drawn = match seed {
            Some(seed) => Source::from_text(seed).below(span).unwrap_or(0),
            None => Draws::default().below(span.unsigned_abs())?.cast_signed(),
        };
        let seed = seed.map_or(Data::Null, Data::from);
        let result = min + drawn;
        Ok(planned
            .with("seed", seed)
            .with("result", result)
            .with("id", result.to_string()))
    }

    fn import(&self, id: &str) -> Result<Object, Faults> {
        let parts: Vec<&str> = id.split(',').collect();
        let (numbers, seed) = match parts.as_slice() {
            [result, min, max] => ([*result, *min, *max], Data::Null),
            [result, min, max, seed] => ([*result, *min, *max], Data::from(*seed)),
            _ => return Err(bad_id(id, "RESULT,MIN,MAX or RESULT,MIN,MAX,SEED").into()),
        };
        let mut faults = Faults::default();
        let mut object = Object::default().with("seed", seed).with("id", numbers[0]);
        for (name, text) in ["result", "min", "max"].into_iter().zip(numbers) {
            match text.parse::<i64>() {
                Ok(number) => object.set(name, number),
                Err(error) => faults.push(bad_id(
                    id,
                    &format!("made of whole numbers; {text:?} for `{name}` is none: {error}"),
                )),
            }
        }
        if faults.is_empty() {
            Ok(object)
        } else {
            Err(faults)
        }
    }
}

#[cfg(test)]
mod tests;
