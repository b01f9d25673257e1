//! Known values standing in the specification, and evaluating again only what reads them.
//!
//! A unit is what can be evaluated again alone: a node, a provider, or the largest plain value that
//! holds no nodes. A container of nodes is one too, for what decides which fields it has. When the
//! values of a node change, its unit is reset and every unit that reads it, directly or through
//! others; each is evaluated when somebody asks. Where that is not possible, because a struct that
//! holds nodes is shared or chosen, the whole package starts anew.

mod readers;

use crate::fill::Filling;
use crate::graph::Graph;
use crate::view::{Path, View};
use pravo_cue::eval::kind::{ArcType, Kind};
use pravo_cue::eval::label::Label;
use pravo_cue::eval::program::XId;
use pravo_cue::eval::units::{UnitFill, Units};
use pravo_cue::eval::value::{Data, Val};
use pravo_cue::number::{Number, parse_decimal};
use pravo_cue::syntax::source::Pos;
use readers::Readers;
use std::collections::{BTreeMap, BTreeSet};

/// What is filled, and what has to be evaluated again because of it.
#[derive(Default)]
pub(crate) struct Refill {
    units: Units,
    fills: BTreeMap<Path, XId>,
    pending: Vec<Path>,
    readers: Option<Readers>,
}

impl Refill {
    /// Puts values at the address of a node; nothing for a filling without any.
    pub(crate) fn set(&mut self, view: &mut View, path: &[Label], filling: &Filling) {
        let changed = match filling {
            Filling::Open => self.fills.remove(path).is_some(),
            _ => {
                let value = expression(view, filling);
                self.fills.insert(path.to_vec(), value);
                true
            }
        };
        if changed {
            self.pending.push(path.to_vec());
        }
    }

    /// Takes away what stands at the address of a node, to be given back with [`Refill::put`].
    pub(crate) fn take(&mut self, path: &[Label]) -> Option<XId> {
        let value = self.fills.remove(path)?;
        self.pending.push(path.to_vec());
        Some(value)
    }

    /// Gives back what [`Refill::take`] took.
    pub(crate) fn put(&mut self, path: &[Label], value: XId) {
        self.fills.insert(path.to_vec(), value);
        self.pending.push(path.to_vec());
    }

    /// Resets whatever reads what was filled or taken away since the last time.
    pub(crate) fn apply(&mut self, view: &mut View, graph: &Graph<Label>) {
        let pending = std::mem::take(&mut self.pending);
        if pending.is_empty() {
            return;
        }
        let readers = self
            .readers
            .get_or_insert_with(|| Readers::new(view, graph));
        let stale = readers.stale(view, &pending);
        let done = match stale {
            Some(stale) => self.reset(view, &stale),
            None => false,
        };
        if !done {
            let fills: Vec<UnitFill> = self.below(&[]);
            view.ev.restart(&mut self.units, view.package, &fills);
        }
    }

    fn reset(&mut self, view: &mut View, stale: &BTreeSet<Path>) -> bool {
        let root = view.root();
        let mut last: Option<&Path> = None;
        for path in stale {
            // A unit below one that is reset is made anew with it.
            if last.is_some_and(|last| path.starts_with(last)) {
                continue;
            }
            let fills = self.below(path);
            if !view.ev.reset_unit(&mut self.units, root, path, &fills) {
                return false;
            }
            last = Some(path);
        }
        view.ev.recycle();
        true
    }

    /// The fills at and below a path.
    fn below(&self, path: &[Label]) -> Vec<UnitFill> {
        let range = self.fills.range(path.to_vec()..);
        range
            .take_while(|(at, _)| at.starts_with(path))
            .map(|(at, value)| UnitFill {
                below: at[path.len()..].to_vec(),
                value: *value,
            })
            .collect()
    }
}

/// A filling as an expression of the evaluator.
fn expression(view: &mut View, filling: &Filling) -> XId {
    let scalar = |view: &mut View, data: Data| view.ev.data_scalar(Val::bare(data));
    match filling {
        Filling::Open => scalar(view, Data::Kind(Kind::TOP)),
        Filling::Null => scalar(view, Data::Null),
        Filling::Bool(value) => scalar(view, Data::Bool(*value)),
        Filling::Number(value) => {
            let value = parse_decimal(value.as_str()).expect("a canonical number is a decimal");
            let value = view.ev.new_number(Number::from_result(value), Pos::NONE);
            view.ev.data_scalar(value)
        }
        Filling::String(value) => {
            let value = view.ev.new_string(value);
            view.ev.data_scalar(value)
        }
        Filling::List(items) => {
            let items: Vec<XId> = items.iter().map(|item| expression(view, item)).collect();
            view.ev.data_list(&items)
        }
        Filling::Struct(fields) => {
            let fields: Vec<(Label, XId)> = fields
                .iter()
                .map(|(name, value)| (view.ev.string_label(name), expression(view, value)))
                .collect();
            view.ev.data_struct(&fields)
        }
    }
}
