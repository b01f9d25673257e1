//! Plans: from what was, what is configured and what the host proposes to what will be.

use super::validate::misfits;
use super::{Change, Faults, Field, Modifier, Object, Shape};
use pravo_state::{AttributePath, Data};

/// What a plan came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Planned {
    /// The state after the apply, with what is not known yet as unknown; null for a destroy.
    pub state: Data,
    /// The attributes that ask for a replacement, sorted, each once.
    pub requires_replace: Vec<AttributePath>,
    /// What is wrong.
    pub faults: Faults,
}

/// Plans a change of a type.
///
/// `prior` is null for a create. `proposed` is null for a destroy; else it is the configuration
/// with the prior values of the computed attributes that the configuration leaves out.
pub fn plan(shape: &Shape, prior: &Data, config: &Data, proposed: &Data) -> Planned {
    let Some(proposed) = Object::of(proposed) else {
        return Planned::default();
    };
    let config = Object::of(config).unwrap_or_default();
    let prior = Object::of(prior).map(|state| shape.complete(&state));
    let mut planned = shape.complete(&proposed);
    fill_defaults(shape, &config, &mut planned);
    if prior.as_ref() != Some(&planned) {
        mark_unknown(shape, &config, &mut planned);
    }
    let mut answer = Planned {
        faults: misfits(shape, &config),
        ..Planned::default()
    };
    for field in &shape.fields {
        modify(field, prior.as_ref(), &config, &mut planned, &mut answer);
    }
    answer.requires_replace.sort();
    answer.requires_replace.dedup();
    answer.state = planned.into();
    answer
}

/// Puts the default of each attribute that the configuration leaves out.
pub fn fill_defaults(shape: &Shape, config: &Object, planned: &mut Object) {
    for field in &shape.fields {
        if let Some(default) = &field.default
            && config.get(field.name).is_null()
        {
            planned.set(field.name, default.clone());
        }
    }
}

fn mark_unknown(shape: &Shape, config: &Object, planned: &mut Object) {
    for field in &shape.fields {
        if field.is_computed() && field.default.is_none() && config.get(field.name).is_null() {
            planned.set(field.name, Data::Unknown);
        }
    }
}

fn modify(
    field: &Field,
    prior: Option<&Object>,
    config: &Object,
    planned: &mut Object,
    answer: &mut Planned,
) {
    for modifier in &field.modifiers {
        let change = Change {
            config: config.get(field.name),
            prior: prior.map_or(&Data::Null, |p| p.get(field.name)),
            planned: planned.get(field.name),
            whole_config: config,
        };
        let differs = prior.is_some() && change.planned != change.prior;
        let mut value = None;
        let mut replace = false;
        match modifier {
            Modifier::Keep => {
                let open = *change.planned == Data::Unknown && *change.config != Data::Unknown;
                value = (prior.is_some() && open).then(|| change.prior.clone());
            }
            Modifier::Replace => replace = differs,
            Modifier::ReplaceIf(agrees) => replace = differs && agrees(&change),
            Modifier::Compute(compute) => match compute(&change) {
                Ok(computed) => value = computed,
                Err(fault) => answer.faults.push(fault),
            },
        }
        if replace {
            answer
                .requires_replace
                .push(AttributePath::attribute(field.name));
        }
        if let Some(value) = value {
            planned.set(field.name, value);
        }
    }
}

#[cfg(test)]
mod tests;
