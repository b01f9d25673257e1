//! Paths in the specification as the evaluator has them: regular fields, list elements, and also
//! the definitions and hidden fields that addresses never have.

use pravo_state::{Address, Step};

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Segment {
    /// A regular field, by its label without quotes.
    Field(String),
    /// A list element, counted from 0.
    Index(usize),
    /// A definition or hidden field, by its label with `#` or `_`.
    Private(String),
}

/// The address a path stands for; nothing when a step of it is no regular field or element.
pub(crate) fn address(path: &[Segment]) -> Option<Address> {
    let steps: Option<Vec<Step>> = path
        .iter()
        .map(|segment| match segment {
            Segment::Field(label) => Some(Step::Field(label.clone())),
            Segment::Index(index) => Some(Step::Index(*index)),
            Segment::Private(_) => None,
        })
        .collect();
    steps.map(|steps| Address::from_steps(&steps))
}

/// The path an address stands for.
pub(crate) fn path(address: &Address) -> Vec<Segment> {
    let steps = address.steps().into_iter();
    steps
        .map(|step| match step {
            Step::Field(label) => Segment::Field(label),
            Step::Index(index) => Segment::Index(index),
        })
        .collect()
}

/// The text of a path, as the specification names it.
pub(crate) fn text(path: &[Segment]) -> String {
    let mut text = String::new();
    for segment in path {
        match segment {
            Segment::Field(label) => {
                pravo_state::address::push_step(&mut text, &Step::Field(label.clone()));
            }
            Segment::Index(index) => {
                pravo_state::address::push_step(&mut text, &Step::Index(*index));
            }
            Segment::Private(label) => {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(label);
            }
        }
    }
    text
}
