//! Structural schemas: what all alternatives of a value have in common is written once, above them.

use super::schema::Map;
use super::view::{self, Made, Step};
use super::{BId, Done, Generator, format};
use crate::builtin::Data;
use crate::eval::kind::Kind;
use crate::eval::value::{Data as Of, Val};
use crate::eval::vertex::VId;
use crate::print::deeper;

impl Generator<'_> {
    /// Collects the fields and elements of a value, of all its alternatives and conjuncts.
    pub(super) fn collect(&mut self, b: BId, v: VId) -> Done<()> {
        if self.nodes.len() > 500 {
            return self.cyclic(v);
        }
        self.nodes.push(v);
        let result = deeper(|| self.collect_here(b, v));
        self.nodes.pop();
        result
    }

    fn collect_here(&mut self, b: BId, mut v: VId) -> Done<()> {
        self.describe(b, v);
        let format = format::of(self.ev, v)?;
        if format.is_empty() {
            v = view::eval(self.ev, v);
            let kind = view::kind(self.ev, v);
            self.at(b).kind = kind;
            let element = kind == Kind::LIST;
            if (element || kind == Kind::STRUCT)
                && let Some(t) = view::any(self.ev, v, element)?
            {
                self.is_acyclic(t)?;
                let items = match self.at(b).items {
                    Some(items) => items,
                    None => self.new_builder(None),
                };
                self.at(b).items = Some(items);
                self.collect(items, t)?;
            }
            if kind == Kind::STRUCT {
                self.collect_fields(b, v)?;
            }
        } else {
            self.at(b).format = format;
        }
        for known in self.at(b).values.clone() {
            let (a, b) = (Val::bare(Of::Vertex(known)), Val::bare(Of::Vertex(v)));
            if self.ev.equal(a, b, 0)? {
                return Ok(());
            }
        }
        self.at(b).values.push(v);
        Ok(())
    }

    fn collect_fields(&mut self, b: BId, v: VId) -> Done<()> {
        let (made, parts) = view::split(self.ev, v)?;
        if matches!(made, Made::And | Made::Or) {
            for part in parts {
                self.collect(b, part)?;
            }
        }
        for a in view::all_fields(self.ev, v, false) {
            let name = self.step_name(Step::Label(self.ev.label(a)));
            let below = match self.at(b).properties.get(&name) {
                Some(below) => *below,
                None => {
                    let below = self.new_builder(None);
                    self.at(b).properties.insert(name.clone(), below);
                    self.at(b).keys.push(name);
                    below
                }
            };
            self.ev.finalize_inner(a)?;
            self.collect(below, a)?;
        }
        Ok(())
    }

    /// The schema of what was collected.
    pub(super) fn core_schema(&mut self, b: BId) -> Done<Map> {
        let items = self.at(b).items;
        match self.at(b).kind {
            Kind::LIST => {
                if let Some(items) = items {
                    self.set_type(b, "array", "");
                    let schema = self.core_schema_at(items, Step::Any)?;
                    self.set_single(b, "items", Data::Struct(schema.0));
                }
            }
            Kind::STRUCT => {
                let mut properties = Map::default();
                for key in self.at(b).keys.clone() {
                    let below = self.at(b).properties[&key];
                    let step = Step::Label(self.ev.string_label(&key));
                    let schema = self.core_schema_at(below, step)?;
                    properties.put(&key, Data::Struct(schema.0));
                }
                if !properties.is_empty() || items.is_some() {
                    self.set_type(b, "object", "");
                }
                if !properties.is_empty() {
                    self.set_single(b, "properties", Data::Struct(properties.0));
                }
                if let Some(items) = items {
                    let schema = self.core_schema_at(items, Step::Any)?;
                    self.set_single(b, "additionalProperties", Data::Struct(schema.0));
                }
            }
            _ => {}
        }
        if let [one] = self.at(b).values.as_slice() {
            let one = *one;
            return self.fill(b, one);
        }
        Ok(self.finish(b))
    }

    fn core_schema_at(&mut self, b: BId, step: Step) -> Done<Map> {
        self.path.push(step);
        let schema = deeper(|| self.core_schema(b));
        self.path.pop();
        schema
    }
}
