//! A schema while it is being built.

use super::view::Step;
use super::{BId, Generator};
use crate::builtin::Data;
use crate::eval::kind::Kind;
use crate::eval::vertex::VId;
use rustc_hash::FxHashMap;

/// Keywords or names with their values, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Map(pub(super) Vec<(String, Data)>);

impl Map {
    pub(super) fn one(key: &str, value: Data) -> Self {
        Self(vec![(key.to_owned(), value)])
    }

    pub(super) fn get(&self, key: &str) -> Option<&Data> {
        self.0.iter().find(|(k, _)| k == key).map(|(_, v)| v)
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Sets a value; a new key goes to the end.
    pub(super) fn put(&mut self, key: &str, value: Data) {
        match self.0.iter_mut().find(|(k, _)| k == key) {
            Some((_, old)) => *old = value,
            None => self.0.push((key.to_owned(), value)),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The order in which keywords are written: well-known ones first, then by name.
    pub(super) fn sort(&mut self) {
        const FIRST: [&str; 18] = [
            "description",
            "type",
            "format",
            "required",
            "properties",
            "minProperties",
            "maxProperties",
            "minimum",
            "exclusiveMinimum",
            "maximum",
            "exclusiveMaximum",
            "minItems",
            "maxItems",
            "minLength",
            "maxLength",
            "items",
            "enum",
            "default",
        ];
        let rank = |key: &str| {
            let found = FIRST.iter().position(|k| *k == key);
            found.unwrap_or(FIRST.len())
        };
        self.0
            .sort_by(|a, b| (rank(&a.0), &a.0).cmp(&(rank(&b.0), &b.0)));
    }
}

/// The state of one schema.
#[derive(Debug, Default)]
pub(super) struct Builder {
    pub(super) typ: String,
    pub(super) format: String,
    pub(super) deprecated: bool,
    /// Keywords that a schema has once.
    pub(super) single: Option<Map>,
    /// Groups of keywords that all hold.
    pub(super) all_of: Vec<Map>,
    /// The group that is being added to.
    current: Option<usize>,
    /// The schema this is a part of.
    pub(super) core: Option<BId>,
    /// The finished schema.
    pub(super) filled: Option<Map>,
    /// What was collected for a structural schema.
    pub(super) kind: Kind,
    pub(super) values: Vec<VId>,
    pub(super) keys: Vec<String>,
    pub(super) properties: FxHashMap<String, BId>,
    pub(super) items: Option<BId>,
}

impl Generator<'_> {
    pub(super) fn at(&mut self, b: BId) -> &mut Builder {
        &mut self.builders[b.0]
    }

    pub(super) fn new_builder(&mut self, core: Option<BId>) -> BId {
        self.builders.push(Builder {
            core,
            ..Builder::default()
        });
        BId(self.builders.len() - 1)
    }

    /// A builder of a part of a schema, such as an alternative.
    pub(super) fn part_of(&mut self, parent: BId) -> BId {
        let p = &self.builders[parent.0];
        let part = Builder {
            core: Some(p.core.unwrap_or(parent)),
            typ: p.typ.clone(),
            format: p.format.clone(),
            ..Builder::default()
        };
        self.builders.push(part);
        BId(self.builders.len() - 1)
    }

    pub(super) fn is_part(&self, b: BId) -> bool {
        self.builders[b.0].core.is_some()
    }

    pub(super) fn set_type(&mut self, b: BId, name: &str, format: &str) {
        let b = self.at(b);
        if b.typ.is_empty() {
            name.clone_into(&mut b.typ);
            if !format.is_empty() {
                format.clone_into(&mut b.format);
            }
        }
    }

    /// Sets a keyword that a schema has once.
    pub(super) fn set_single(&mut self, b: BId, key: &str, value: Data) {
        self.at(b)
            .single
            .get_or_insert_with(Map::default)
            .put(key, value);
    }

    /// Sets a keyword; a second value begins another group.
    pub(super) fn set(&mut self, b: BId, key: &str, value: Data) {
        let b = self.at(b);
        let group = match b.current {
            Some(i) if !b.all_of[i].has(key) => i,
            _ => {
                b.all_of.push(Map::default());
                b.all_of.len() - 1
            }
        };
        b.current = Some(group);
        b.all_of[group].put(key, value);
    }

    pub(super) fn set_not(&mut self, b: BId, key: &str, value: Data) {
        let not = Map::one("not", Data::Struct(Map::one(key, value).0));
        self.at(b).all_of.push(not);
    }

    /// The schema as it is now.
    pub(super) fn finish(&mut self, b: BId) -> Map {
        if let Some(filled) = &self.at(b).filled {
            return filled.clone();
        }
        let single = self.at(b).single.take();
        let alone = match self.at(b).all_of.as_slice() {
            [] => true,
            [one] => !one.has("$ref") || single.is_none(),
            _ => false,
        };
        let all_of = &self.at(b).all_of;
        let rest = if alone {
            all_of.first().cloned().unwrap_or_default()
        } else {
            let groups = all_of.iter().map(|m| Data::Struct(m.0.clone())).collect();
            Map::one("allOf", Data::List(groups))
        };
        let has_single = single.is_some();
        let mut schema = single.unwrap_or_default();
        schema.0.extend(rest.0);
        if self.at(b).deprecated {
            schema.put("deprecated", Data::Bool(true));
        }
        self.put_type(b, &mut schema);
        schema.sort();
        if has_single {
            self.at(b).single = Some(schema.clone());
        } else if let [one] = self.at(b).all_of.as_mut_slice() {
            *one = schema.clone();
        }
        schema
    }

    fn put_type(&self, b: BId, schema: &mut Map) {
        let b = &self.builders[b.0];
        let core = b.core.map(|c| &self.builders[c.0]);
        let other_type = core.is_none_or(|c| c.typ != b.typ && !self.expand);
        if !b.typ.is_empty() && other_type && !schema.has("type") {
            schema.put("type", Data::String(b.typ.clone()));
        }
        if !b.format.is_empty() && core.is_none_or(|c| c.format != b.format) {
            schema.put("format", Data::String(b.format.clone()));
        }
    }

    /// The name of the schema at a path.
    pub(super) fn name_of(&self, path: &[Step]) -> String {
        let names: Vec<String> = path.iter().map(|s| self.step_name(*s)).collect();
        names.join(".")
    }

    pub(super) fn step_name(&self, step: Step) -> String {
        match step {
            Step::Any => "*".to_owned(),
            Step::Label(l) if l.is_int() => l.index().to_string(),
            Step::Label(l) => {
                let name = self.ev.names.get(l.name());
                let name = name.split('\0').next().unwrap_or_default();
                let name = if l.is_definition() {
                    name.trim_start_matches('_').trim_start_matches('#')
                } else {
                    name
                };
                name.to_owned()
            }
        }
    }
}
