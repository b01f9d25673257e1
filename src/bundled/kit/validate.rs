//! Validation: whether a configuration, which may hold unknown values, fits a shape.

use super::{Check, Fault, Faults, Field, Object, Presence, Shape};
use pravo_state::Data;

/// Everything that is wrong with a configuration of the type of that name.
pub fn validate(name: &str, shape: &Shape, config: &Object) -> Faults {
    let mut faults = Faults::default();
    for field in &shape.fields {
        field_faults(field, config, &mut faults);
    }
    if let Some(advice) = shape.deprecated {
        faults.push(Fault::warning(format!("{name} is deprecated"), advice));
    }
    faults
}

/// The integers of an object that do not fit 64 bits or have a fraction.
pub fn misfits(shape: &Shape, object: &Object) -> Faults {
    let mut faults = Faults::default();
    for field in &shape.fields {
        if let Some(fault) = misfit(field, object.get(field.name)) {
            faults.push(fault);
        }
    }
    faults
}

fn field_faults(field: &Field, config: &Object, faults: &mut Faults) {
    let value = config.get(field.name);
    let name = field.name;
    if field.presence == Presence::Computed && !value.is_null() {
        faults.push(
            Fault::error(
                format!("`{name}` cannot be set"),
                "The provider decides its value. Remove it from the configuration.",
            )
            .on(name),
        );
    }
    if field.presence == Presence::Required && value.is_null() {
        faults.push(
            Fault::error(
                format!("`{name}` is missing"),
                "The configuration must set it to a value other than null.",
            )
            .on(name),
        );
    }
    if let Some(fault) = misfit(field, value) {
        faults.push(fault);
        return;
    }
    for check in &field.checks {
        if let Some(fault) = check_fault(check, name, value, config) {
            faults.push(fault.on(name));
        }
    }
    if let Some(advice) = field.deprecated
        && !value.is_null()
        && *value != Data::Unknown
    {
        faults.push(Fault::warning(format!("`{name}` is deprecated"), advice).on(name));
    }
}

fn misfit(field: &Field, value: &Data) -> Option<Fault> {
    let Data::Number(number) = value else {
        return None;
    };
    (field.whole && number.as_i64().is_none()).then(|| {
        Fault::error(
            format!("`{}` is not a whole number of 64 bits", field.name),
            format!("It is {number}."),
        )
        .on(field.name)
    })
}

fn check_fault(check: &Check, name: &str, value: &Data, config: &Object) -> Option<Fault> {
    if let Check::ExactlyOneOf(group) = check {
        return exactly_one(group, name, value, config);
    }
    if value.is_null() || *value == Data::Unknown {
        return None;
    }
    match check {
        Check::AtLeast(least) => {
            let number = config.integer(name)?;
            (number < *least).then(|| {
                Fault::error(
                    format!("`{name}` is too small"),
                    format!("It must be {least} or more, and is {number}."),
                )
            })
        }
        Check::AtLeastSumOf(parts) => at_least_sum(parts, name, config),
        Check::Rule(rule) => rule(value, config),
        Check::ExactlyOneOf(_) => None,
    }
}

fn exactly_one(group: &[&str], name: &str, value: &Data, config: &Object) -> Option<Fault> {
    if *value == Data::Unknown {
        return None;
    }
    let others = group.iter().filter(|other| **other != name);
    let mut set = usize::from(!value.is_null());
    for other in others {
        match config.get(other) {
            Data::Unknown => return None,
            Data::Null => {}
            _ => set += 1,
        }
    }
    let names: Vec<String> = group.iter().map(|n| format!("`{n}`")).collect();
    (set != 1).then(|| {
        let found = if set == 0 {
            "none".to_owned()
        } else {
            set.to_string()
        };
        Fault::error(
            format!("Exactly one of {} must be set", names.join(", ")),
            format!("The configuration sets {found} of them."),
        )
    })
}

fn at_least_sum(parts: &[&str], name: &str, config: &Object) -> Option<Fault> {
    let number = config.integer(name)?;
    let mut sum: i128 = 0;
    for part in parts {
        match config.get(part) {
            Data::Unknown => return None,
            _ => sum += i128::from(config.integer(part).unwrap_or(0)),
        }
    }
    (i128::from(number) < sum).then(|| {
        Fault::error(
            format!("`{name}` is too small"),
            format!(
                "It must be {sum} or more, the sum of {}, and is {number}.",
                parts.join(", ")
            ),
        )
    })
}

#[cfg(test)]
mod tests;
