//! What a later value may be after an earlier one that was planned, and values that must not be.

use super::equal::{at, at_index, at_key, element, is_null, items, keys, part};
use super::{Report, Violation};
use pravo_proto::value::canonical;
use pravo_state::{
    Attribute, AttributeKind, AttributePath, Block, Data, NestedBlock, Nesting, Type,
};

/// Where an object differs from the planned one: what was known must be the same, what was unknown
/// may be anything. It compares a result with its plan, and a plan made again with the first one.
pub fn check_result(block: &Block, planned: &Data, actual: &Data) -> Vec<Violation> {
    let mut report = Report::default();
    let of = block.implied_type();
    match (canonical(planned, &of), canonical(actual, &of)) {
        (Ok(planned), Ok(actual)) => {
            report.result_block(&AttributePath::default(), block, &planned, &actual);
        }
        (planned, actual) => {
            for error in [planned.err(), actual.err()].into_iter().flatten() {
                report.add(&error.path(), error.problem);
            }
        }
    }
    report.0
}

impl Report {
    fn result_block(&mut self, path: &AttributePath, block: &Block, planned: &Data, actual: &Data) {
        if self.presence(path, planned, actual) || is_null(planned) || *planned == Data::Unknown {
            return;
        }
        for attribute in &block.attributes {
            let (name, of) = (&attribute.name, attribute.kind.implied_type());
            self.value(
                &at(path, name),
                &of,
                part(planned, name),
                part(actual, name),
            );
        }
        for nested in &block.blocks {
            let name = &nested.name;
            let (planned, actual) = (part(planned, name), part(actual, name));
            self.result_blocks(&at(path, name), nested, planned, actual);
        }
    }

    fn result_blocks(
        &mut self,
        path: &AttributePath,
        nested: &NestedBlock,
        planned: &Data,
        actual: &Data,
    ) {
        let open = |value: &Data| is_null(value) || *value == Data::Unknown;
        let block = &nested.block;
        match nested.nesting {
            Nesting::Single | Nesting::Group => {
                if *planned != Data::Unknown {
                    self.result_block(path, block, planned, actual);
                }
            }
            _ if open(planned) || open(actual) => {}
            Nesting::List => {
                if self.same_length(path, planned, actual) {
                    for (index, item) in items(planned).iter().enumerate() {
                        let (path, actual) = (at_index(path, index), element(actual, index));
                        self.result_block(&path, block, item, actual);
                    }
                }
            }
            Nesting::Map => {
                if self.same_keys(path, planned, actual) {
                    for key in keys(planned) {
                        let (planned, actual) = (part(planned, key), part(actual, key));
                        self.result_block(&at_key(path, key), block, planned, actual);
                    }
                }
            }
            Nesting::Set => self.set(path, planned, actual, |planned, actual| {
                let mut inner = Self::default();
                inner.result_block(&AttributePath::default(), block, planned, actual);
                inner.0.is_empty()
            }),
        }
    }

    fn value(&mut self, path: &AttributePath, of: &Type, planned: &Data, actual: &Data) {
        if *planned == Data::Unknown {
            return;
        }
        if let (Data::Dynamic(own, planned), Data::Dynamic(other, actual)) = (planned, actual) {
            return match own == other {
                true => self.value(path, own, planned, actual),
                false => self.add(path, "has another type than was planned"),
            };
        }
        if self.presence(path, planned, actual) || is_null(planned) {
            return;
        }
        if *actual == Data::Unknown {
            return self.add(path, "was known, but is now unknown");
        }
        match of {
            Type::List(inner) => {
                if self.same_length(path, planned, actual) {
                    self.each(path, planned, actual, |_| inner);
                }
            }
            Type::Tuple(kinds) => self.each(path, planned, actual, |index| &kinds[index]),
            Type::Set(inner) => self.set(path, planned, actual, |planned, actual| {
                let mut one = Self::default();
                one.value(&AttributePath::default(), inner, planned, actual);
                one.0.is_empty()
            }),
            Type::Map(inner) => {
                if self.same_keys(path, planned, actual) {
                    for key in keys(planned) {
                        let (planned, actual) = (part(planned, key), part(actual, key));
                        self.value(&at_key(path, key), inner, planned, actual);
                    }
                }
            }
            Type::Object(attributes, _) => {
                for (name, of) in attributes {
                    self.value(&at(path, name), of, part(planned, name), part(actual, name));
                }
            }
            Type::Bool | Type::Number | Type::String | Type::Dynamic => {
                if planned != actual {
                    self.add(path, "has another value than was planned");
                }
            }
        }
    }

    /// Reports a value that is there on one side only. Returns whether it did.
    fn presence(&mut self, path: &AttributePath, planned: &Data, actual: &Data) -> bool {
        let problem = match (is_null(planned), is_null(actual)) {
            (true, false) => "was absent, but is now present",
            (false, true) => "was present, but is now absent",
            _ => return false,
        };
        self.add(path, problem);
        true
    }

    fn each<'t>(
        &mut self,
        path: &AttributePath,
        planned: &Data,
        actual: &Data,
        of: impl Fn(usize) -> &'t Type,
    ) {
        for (index, item) in items(planned).iter().enumerate() {
            self.value(
                &at_index(path, index),
                of(index),
                item,
                element(actual, index),
            );
        }
    }

    fn same_length(&mut self, path: &AttributePath, planned: &Data, actual: &Data) -> bool {
        let (wanted, found) = (items(planned).len(), items(actual).len());
        if wanted != found {
            self.add(path, format!("has {found} elements, planned were {wanted}"));
        }
        wanted == found
    }

    fn same_keys(&mut self, path: &AttributePath, planned: &Data, actual: &Data) -> bool {
        let same = keys(planned) == keys(actual);
        if !same {
            self.add(path, "has other keys than were planned");
        }
        same
    }

    /// Each element must have one on the other side that it may be.
    fn set(
        &mut self,
        path: &AttributePath,
        planned: &Data,
        actual: &Data,
        may_be: impl Fn(&Data, &Data) -> bool,
    ) {
        let (planned, actual) = (items(planned), items(actual));
        let all = planned.iter().all(|p| actual.iter().any(|a| may_be(p, a)))
            && actual.iter().all(|a| planned.iter().any(|p| may_be(p, a)));
        if !all || actual.len() > planned.len() {
            self.add(path, "has other elements than were planned");
        }
    }
}

/// The places of write-only attributes that hold a value. An answer of a plugin has none.
pub fn write_only(block: &Block, value: &Data) -> Vec<AttributePath> {
    let mut found = Vec::new();
    let mut value = value.clone();
    visit_block(
        &AttributePath::default(),
        block,
        &mut value,
        &mut |path, value| {
            if !is_null(value) {
                found.push(path.clone());
            }
        },
    );
    found
}

/// Makes write-only attributes null, as they are everywhere but in a configuration.
pub fn clear_write_only(block: &Block, value: &mut Data) {
    let root = AttributePath::default();
    visit_block(&root, block, value, &mut |_, value| *value = Data::Null);
}

pub(super) fn report_write_only(report: &mut Report, block: &Block, value: &Data) {
    for path in write_only(block, value) {
        report.add(&path, "has a value, although it is write-only");
    }
}

type Visitor<'a> = dyn FnMut(&AttributePath, &mut Data) + 'a;

/// Visits the values of write-only attributes.
fn visit_block(path: &AttributePath, block: &Block, value: &mut Data, visitor: &mut Visitor<'_>) {
    visit_attributes(path, &block.attributes, value, visitor);
    let Data::Map(entries) = value else { return };
    for nested in &block.blocks {
        if let Some(value) = entries.get_mut(&nested.name) {
            let path = at(path, &nested.name);
            visit_each(&path, nested.nesting, value, &mut |path, value| {
                visit_block(path, &nested.block, value, visitor);
            });
        }
    }
}

fn visit_attributes(
    path: &AttributePath,
    attributes: &[Attribute],
    value: &mut Data,
    visitor: &mut Visitor<'_>,
) {
    let Data::Map(entries) = value else { return };
    for attribute in attributes {
        let Some(value) = entries.get_mut(&attribute.name) else {
            continue;
        };
        let path = at(path, &attribute.name);
        if attribute.write_only {
            visitor(&path, value);
        } else if let AttributeKind::Nested(nesting, inner) = &attribute.kind {
            visit_each(&path, *nesting, value, &mut |path, value| {
                visit_attributes(path, inner, value, visitor);
            });
        }
    }
}

/// Visits the objects of a nested block or attribute. Those of a set all have the set's path.
fn visit_each(path: &AttributePath, nesting: Nesting, value: &mut Data, one: &mut Visitor<'_>) {
    match (nesting, value) {
        (Nesting::Single | Nesting::Group, value) => one(path, value),
        (Nesting::Set, Data::List(items)) => items.iter_mut().for_each(|item| one(path, item)),
        (Nesting::List, Data::List(items)) => {
            for (index, item) in items.iter_mut().enumerate() {
                one(&at_index(path, index), item);
            }
        }
        (Nesting::Map, Data::Map(entries)) => {
            for (key, item) in entries.iter_mut() {
                one(&at_key(path, key), item);
            }
        }
        _ => {}
    }
}

/// The places of a value that are unknown. Those inside a set have the set's path.
pub fn unknowns(value: &Data, of: &Type) -> Vec<AttributePath> {
    let mut found = Vec::new();
    find_unknowns(&AttributePath::default(), value, of, &mut found);
    found
}

fn find_unknowns(path: &AttributePath, value: &Data, of: &Type, found: &mut Vec<AttributePath>) {
    match (value, of) {
        (Data::Unknown, _) => found.push(path.clone()),
        (Data::Dynamic(own, inner), _) => find_unknowns(path, inner, own, found),
        (Data::List(items), Type::Set(_)) if !items.iter().all(Data::is_wholly_known) => {
            found.push(path.clone());
        }
        (Data::List(items), of) => {
            for (index, item) in items.iter().enumerate() {
                let of = match of {
                    Type::List(inner) => inner,
                    Type::Tuple(kinds) => kinds.get(index).unwrap_or(&Type::Dynamic),
                    _ => &Type::Dynamic,
                };
                find_unknowns(&at_index(path, index), item, of, found);
            }
        }
        (Data::Map(entries), Type::Object(attributes, _)) => {
            for (name, item) in entries {
                let of = attributes.get(name).unwrap_or(&Type::Dynamic);
                find_unknowns(&at(path, name), item, of, found);
            }
        }
        (Data::Map(entries), of) => {
            let of = match of {
                Type::Map(inner) => inner,
                _ => &Type::Dynamic,
            };
            for (key, item) in entries {
                find_unknowns(&at_key(path, key), item, of, found);
            }
        }
        _ => {}
    }
}
