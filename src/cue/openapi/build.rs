//! Values to schemas: references, conjunctions, disjunctions.

use super::schema::Map;
use super::split::{Made, split};
use super::view::{self, Step};
use super::{BId, Done, External, Generator, Stop, format, subsume};
use crate::builtin::Data;
use crate::eval::kind::Kind;
use crate::eval::label::Label;
use crate::eval::vertex::VId;
use crate::print::deeper;
use crate::syntax::source::Pos;
use std::collections::HashSet;

/// Deeper schemas than this contain themselves.
const DEEPEST: usize = 500;

impl Generator<'_> {
    /// Whether a definition is not described.
    pub(super) fn is_internal(&self, label: Label) -> bool {
        label.is_definition() && self.ev.names.get(label.name()).ends_with("_value")
    }

    /// Ends with the error of a value, or a text of its own if it has none.
    pub(super) fn fail<T>(&mut self, v: VId, text: String) -> Done<T> {
        let e = view::error(self.ev, v);
        if e.is_some() {
            return Err(Stop::Error(e));
        }
        Err(Stop::Text(text, Pos::NONE))
    }

    /// Ends with the complaint that a value leads back to one that its schema is a part of.
    pub(super) fn cyclic<T>(&mut self, v: VId) -> Done<T> {
        let mut path = Vec::new();
        let mut at = v;
        while let Some(above) = self.ev.parent(at) {
            path.push(match self.ev.label(at) {
                Label::NONE => "[_]".to_owned(),
                label => self.ev.label_text(label),
            });
            at = above;
        }
        path.reverse();
        let path = path.join(".");
        let text = format!(
            "cycle in reference at {path}: cyclic structures not allowed when reference expansion is requested"
        );
        Err(Stop::Text(text, Pos::NONE))
    }

    /// The schema of a value at a step below the current path.
    pub(super) fn schema(&mut self, core: Option<BId>, step: Step, v: VId) -> Done<Map> {
        if self.path.len() > DEEPEST {
            return self.cyclic(v);
        }
        self.path.push(step);
        let result = deeper(|| self.schema_here(core, v));
        self.path.pop();
        result
    }

    fn schema_here(&mut self, core: Option<BId>, v: VId) -> Done<Map> {
        let b = if core.is_none() && self.expand {
            let b = self.new_builder(None);
            self.collect(b, v)?;
            self.core_schema(b)?;
            b
        } else {
            self.new_builder(core)
        };
        self.fill(b, v)
    }

    pub(super) fn describe(&mut self, b: BId, v: VId) {
        if self.ev.vx(v).is_disjunct() {
            return;
        }
        let docs = self.ev.doc_texts(v);
        if !docs.is_empty() {
            let text = docs.join("\n\n").trim().to_owned();
            self.set_single(b, "description", Data::String(text));
        }
    }

    pub(super) fn fill(&mut self, b: BId, v: VId) -> Done<Map> {
        if let Some(filled) = &self.at(b).filled {
            return Ok(filled.clone());
        }
        if !self.is_part(b) {
            let name = type_name(view::kind(self.ev, v).without(Kind::NULL));
            if !name.is_empty() {
                name.clone_into(&mut self.at(b).typ);
            }
        }
        self.at(b).format = format::of(self.ev, v)?;
        let deprecated = self.ev.attributes(v).iter().any(|a| {
            a.name() == "protobuf"
                && a.body()
                    .split(',')
                    .skip(1)
                    .any(|f| f.trim() == "deprecated")
        });
        self.at(b).deprecated = deprecated;
        let core = self.at(b).core;
        if core.is_none_or(|c| self.builders[c.0].values.len() > 1) {
            let is_reference = self.value(b, v, false)?;
            if is_reference {
                self.at(b).typ.clear();
            } else if !self.expand {
                self.describe(b, v);
            }
        }
        let mut schema = self.finish(b);
        let builder = self.at(b);
        if matches!(builder.typ.as_str(), "number" | "integer") {
            format::simplify(&mut schema, &builder.format);
        }
        schema.sort();
        self.at(b).filled = Some(schema.clone());
        Ok(schema)
    }

    /// Adds what a value demands; whether it is just a reference. The length of a list is a value
    /// too.
    pub(super) fn value(&mut self, b: BId, v: VId, length: bool) -> Done<bool> {
        if self.nodes.len() > DEEPEST {
            return self.cyclic(v);
        }
        self.nodes.push(v);
        let result = deeper(|| self.value_here(b, v, length));
        self.nodes.pop();
        result
    }

    fn value_here(&mut self, b: BId, v: VId, length: bool) -> Done<bool> {
        let (mut values, mut is_reference, mut has_reference) = (None, false, false);
        if self.expand || !self.at(b).format.is_empty() {
            values = Some(view::dereference(self.ev, v)?);
        } else {
            let mut names = HashSet::new();
            for mut part in self.parts(Made::And, v)? {
                if let Some((root, path)) = view::reference(self.ev, part)? {
                    let name = self.name_of(&path);
                    if !name.is_empty() {
                        if names.insert(name) {
                            self.add_reference(b, part, (root, path));
                            has_reference = true;
                        }
                        continue;
                    }
                    part = view::dereference(self.ev, part)?;
                }
                values = Some(match values {
                    None => part,
                    Some(known) => view::unify_accept(self.ev, known, part, v)?,
                });
            }
            is_reference = values.is_none() && names.len() == 1;
        }
        if let Some(values) = values {
            self.conjunction(b, values, length)?;
        }
        if !has_reference {
            self.default(b, v)?;
        }
        Ok(is_reference)
    }

    fn conjunction(&mut self, b: BId, mut values: VId, length: bool) -> Done<()> {
        if !view::kind(self.ev, values).meets(Kind::STRUCT) {
            values = view::eval(self.ev, values);
        }
        for part in self.parts(Made::And, values)? {
            if view::is_scalar(self.ev, part) {
                self.dispatch(b, part, length)?;
                if !self.is_part(b) {
                    let value = view::data(self.ev, part)?;
                    self.set(b, "enum", Data::List(vec![value]));
                }
                continue;
            }
            let mut alternatives = self.parts(Made::Or, part)?;
            for a in &mut alternatives {
                if view::reference(self.ev, *a)?.is_none() {
                    *a = view::eval(self.ev, *a);
                }
            }
            match alternatives.as_slice() {
                [] => {}
                [one] => {
                    if view::error(self.ev, *one).is_some() {
                        return self.fail(*one, String::new());
                    }
                    self.dispatch(b, *one, length)?;
                }
                many => self.disjunction(b, many, length)?,
            }
        }
        Ok(())
    }

    fn default(&mut self, b: BId, v: VId) -> Done<()> {
        let (d, is_default) = view::default(self.ev, v);
        if !is_default || !view::is_concrete(self.ev, d) || self.is_part(b) {
            return Ok(());
        }
        if self.ev.is_list(d) && self.ev.elements(d).next().is_none() {
            return Ok(());
        }
        let value = view::data(self.ev, d)?;
        self.set(b, "default", value);
        Ok(())
    }

    /// The parts of a value that are joined in one way, each once.
    pub(super) fn parts(&mut self, way: Made, v: VId) -> Done<Vec<VId>> {
        let mut out = Vec::new();
        self.push_parts(way, v, &mut out)?;
        Ok(out)
    }

    fn push_parts(&mut self, way: Made, v: VId, out: &mut Vec<VId>) -> Done<()> {
        let (made, parts) = split(self.ev, v)?;
        let mut distinct: Vec<VId> = Vec::with_capacity(parts.len());
        'parts: for part in parts {
            for known in &distinct {
                if subsume::equivalent(self.ev, part, *known)? {
                    continue 'parts;
                }
            }
            distinct.push(part);
        }
        match (made, distinct.as_slice()) {
            (Made::Whole, [one]) => out.push(*one),
            _ if made == way => {
                for part in distinct {
                    deeper(|| self.push_parts(way, part, out))?;
                }
            }
            _ => out.push(v),
        }
        Ok(())
    }

    fn disjunction(&mut self, b: BId, alternatives: &[VId], length: bool) -> Done<()> {
        let (mut schemas, mut literals, mut nullable) = (Vec::new(), Vec::new(), false);
        for a in alternatives {
            let (plain, _) = view::default(self.ev, *a);
            if view::kind(self.ev, plain) == Kind::NULL {
                nullable = true;
            } else if view::is_scalar(self.ev, *a) {
                literals.push(view::data(self.ev, *a)?);
            } else {
                schemas.push(*a);
            }
        }
        if nullable {
            self.set_single(b, "nullable", Data::Bool(true));
        }
        match (schemas.as_slice(), literals.is_empty()) {
            ([], _) | ([_], true) => {
                if let [one] = schemas.as_slice() {
                    self.value(b, *one, length)?;
                }
                if !literals.is_empty() && !self.is_part(b) {
                    self.set(b, "enum", Data::List(literals));
                }
                Ok(())
            }
            _ => self.one_of(b, &schemas, literals, length),
        }
    }

    fn one_of(
        &mut self,
        b: BId,
        alternatives: &[VId],
        literals: Vec<Data>,
        length: bool,
    ) -> Done<()> {
        let mut schemas = Vec::with_capacity(alternatives.len());
        for v in alternatives {
            let part = self.part_of(b);
            self.value(part, *v, length)?;
            let schema = self.finish(part);
            if schema.is_empty() && self.at(part).typ.is_empty() {
                return Ok(());
            }
            schemas.push(schema);
        }
        let mut all = Vec::new();
        if !literals.is_empty() {
            all.push(Data::Struct(Map::one("enum", Data::List(literals)).0));
        }
        for (i, v) in alternatives.iter().enumerate() {
            let mut covered = Vec::new();
            for (j, w) in alternatives.iter().enumerate() {
                if i != j && subsume::may_hold(self.ev, *v, *w)? {
                    covered.push(Data::Struct(schemas[j].0.clone()));
                }
            }
            all.push(Data::Struct(excluding(schemas[i].clone(), covered).0));
        }
        self.set(b, "oneOf", Data::List(all));
        Ok(())
    }

    fn add_reference(&mut self, b: BId, value: VId, (root, path): (VId, Vec<Step>)) {
        let name = self.name_of(&path);
        let target = format!("#/components/schemas/{name}");
        let part = self.part_of(b);
        let reference = Map::one("$ref", Data::String(target));
        self.at(part).all_of.push(reference);
        let schema = self.finish(part);
        self.at(b).all_of.push(schema);
        if root != self.inst {
            self.external.insert(name, External { path, value });
        }
    }
}

/// A schema that holds none of what others hold.
fn excluding(schema: Map, others: Vec<Data>) -> Map {
    if others.is_empty() {
        return schema;
    }
    let any = Map::one("anyOf", Data::List(others));
    let not = Map::one("not", Data::Struct(any.0));
    if schema.is_empty() {
        return not;
    }
    let both = vec![Data::Struct(schema.0), Data::Struct(not.0)];
    Map::one("allOf", Data::List(both))
}

/// The name of a type in a schema.
fn type_name(kind: Kind) -> &'static str {
    match kind {
        Kind::BOOL => "boolean",
        Kind::FLOAT | Kind::NUMBER => "number",
        Kind::INT => "integer",
        Kind::BYTES | Kind::STRING => "string",
        Kind::STRUCT => "object",
        Kind::LIST => "array",
        _ => "",
    }
}
