//! Random texts of `random_string` and `random_password`: their attributes and their making.

use super::count;
use crate::keepers::keepers_field;
use crate::kit::{Change, Check, Fault, Field, Modifier, Object, Presence};
use crate::secure::Draws;
use pravo_state::Data;

const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const NUMERIC: &str = "0123456789";
const SPECIAL: &str = "!@#$%&*()-_=+[]{}<>:?";

/// The attributes that say how many characters of a class there are at least.
const MINIMA: &[&str] = &["min_lower", "min_numeric", "min_special", "min_upper"];

/// The attributes that both types and the ephemeral resource have.
pub(super) fn common_fields() -> Vec<Field> {
    let mut fields = vec![
        Field::integer("length", Presence::Required)
            .check(Check::AtLeast(1))
            .check(Check::AtLeastSumOf(MINIMA))
            .replace()
            .about("How many characters it has."),
        switch("numeric")
            .about("Whether it may have digits; true unless set.")
            .check(Check::Rule(one_switch_on)),
        switch("lower").default(true).replace(),
        switch("upper").default(true).replace(),
        switch("special").default(true).replace(),
        Field::text("override_special", Presence::Optional)
            .modifier(Modifier::ReplaceIf(other_special))
            .about("The special characters to use in place of the usual ones."),
    ];
    fields.extend(MINIMA.iter().map(|name| {
        Field::integer(name, Presence::OptionalComputed)
            .default(0)
            .replace()
            .about("How many characters of that class it has at least; 0 unless set.")
    }));
    fields
}

/// The attributes of the managed types.
pub(super) fn managed_fields() -> Vec<Field> {
    let mut fields: Vec<Field> = common_fields()
        .into_iter()
        .map(|field| match field.name {
            "numeric" => field
                .modifier(Modifier::Compute(paired_with_number))
                .replace(),
            _ => field,
        })
        .collect();
    fields.extend([
        keepers_field("keepers"),
        switch("number")
            .about("The old name of `numeric`.")
            .deprecated("Use `numeric` in its place.")
            .check(Check::Rule(one_switch_on))
            .modifier(Modifier::Compute(paired_with_numeric))
            .replace(),
    ]);
    fields
}

fn switch(name: &'static str) -> Field {
    Field::flag(name, Presence::OptionalComputed)
        .about("Whether it may have characters of that class; true unless set.")
}

/// An empty text that is dropped changes nothing, and an unknown one is waited for.
fn other_special(change: &Change<'_>) -> bool {
    let dropped = change.prior.as_str() == Some("") && change.config.is_null();
    *change.config != Data::Unknown && !dropped
}

/// Complains when this switch and the three other ones are set to false.
fn one_switch_on(value: &Data, config: &Object) -> Option<Fault> {
    let off = |value: &Data| *value == Data::Bool(false);
    let all_off = off(value)
        && ["special", "upper", "lower"]
            .iter()
            .all(|name| off(config.get(name)));
    all_off.then(|| {
        Fault::error(
            "No class of characters is switched on",
            "Set one of `numeric`, `special`, `upper` and `lower` to true.",
        )
    })
}

fn paired_with_number(change: &Change<'_>) -> Result<Option<Data>, Fault> {
    paired(change.config, change.whole_config.get("number"))
}

fn paired_with_numeric(change: &Change<'_>) -> Result<Option<Data>, Fault> {
    paired(change.config, change.whole_config.get("numeric"))
}

/// Two names of one switch: each takes the other's value, and true when neither is set.
fn paired(own: &Data, other: &Data) -> Result<Option<Data>, Fault> {
    match (own, other) {
        (Data::Null, Data::Null) => Ok(Some(true.into())),
        (Data::Null, value) | (value, Data::Null) => Ok(Some(value.clone())),
        (Data::Bool(a), Data::Bool(b)) if a != b => Err(Fault::error(
            "`number` and `numeric` contradict each other",
            "They are two names of one switch. Remove `number`.",
        )),
        (value, _) => Ok(Some(value.clone())),
    }
}

struct Class {
    characters: Vec<char>,
    on: bool,
    least: i64,
}

/// Makes a random text by the attributes of a planned object.
///
/// # Errors
/// That no class is switched on or that a number makes no sense.
pub(super) fn make(planned: &Object) -> Result<String, Fault> {
    let length = count("length", planned.integer("length").unwrap_or(0))?;
    let classes = classes(planned);
    if classes.iter().all(|class| !class.on) {
        return Err(Fault::error(
            "No class of characters is switched on",
            "Set one of `numeric`, `special`, `upper` and `lower` to true.",
        ));
    }
    let mut draws = Draws::default();
    let mut text = Vec::new();
    for class in &classes {
        draw(
            &mut draws,
            &class.characters,
            count_least(class)?,
            &mut text,
        )?;
    }
    let Some(rest) = length.checked_sub(text.len()) else {
        return Err(Fault::error(
            "`length` is below the sum of the least numbers of its classes",
            format!("They sum up to {}, and `length` is {length}.", text.len()),
        ));
    };
    let all: Vec<char> = classes
        .iter()
        .filter(|class| class.on)
        .flat_map(|class| class.characters.iter().copied())
        .collect();
    draw(&mut draws, &all, rest, &mut text)?;
    draws.shuffle(&mut text)?;
    Ok(text.into_iter().collect())
}

fn count_least(class: &Class) -> Result<usize, Fault> {
    count("the least number of a class", class.least)
}

/// The four classes. Of two with the same characters the last one's least number counts alone.
fn classes(planned: &Object) -> Vec<Class> {
    let special = planned
        .text("override_special")
        .filter(|text| !text.is_empty())
        .unwrap_or(SPECIAL);
    let named = [
        ("numeric", "min_numeric", NUMERIC),
        ("lower", "min_lower", LOWER),
        ("upper", "min_upper", UPPER),
        ("special", "min_special", special),
    ];
    named
        .iter()
        .enumerate()
        .map(|(position, (switch, least, characters))| {
            let again = named[position + 1..].iter().any(|n| n.2 == *characters);
            Class {
                characters: characters.chars().collect(),
                on: planned.flag(switch).unwrap_or(true),
                least: if again {
                    0
                } else {
                    planned.integer(least).unwrap_or(0)
                },
            }
        })
        .collect()
}

fn draw(draws: &mut Draws, from: &[char], count: usize, text: &mut Vec<char>) -> Result<(), Fault> {
    for _ in 0..count {
        text.extend(draws.pick(from)?);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
