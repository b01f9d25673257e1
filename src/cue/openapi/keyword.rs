//! Structs, lists, numbers and strings to the keywords that describe them.

use super::schema::Map;
use super::view::{self, Made, Step};
use super::{BId, Done, Generator};
use crate::builtin::Data;
use crate::eval::kind::Kind;
use crate::eval::program::{Expr, Op};
use crate::eval::value::Data as Of;
use crate::eval::vertex::{EnvId, VId};

impl Generator<'_> {
    /// Adds the keywords of one value.
    pub(super) fn dispatch(&mut self, b: BId, v: VId, length: bool) -> Done<()> {
        if length {
            return self.length(b, v);
        }
        match view::kind(self.ev, v) {
            Kind::NULL => self.set_single(b, "nullable", Data::Bool(true)),
            Kind::BOOL => self.set_type(b, "boolean", ""),
            Kind::FLOAT | Kind::NUMBER => {
                self.set_type(b, "number", "");
                self.number(b, v)?;
            }
            Kind::INT => {
                self.set_type(b, "integer", "");
                self.number(b, v)?;
            }
            Kind::BYTES => {
                self.set_type(b, "string", "byte");
                self.text(b, v, "bytes")?;
            }
            Kind::STRING => {
                self.set_type(b, "string", "");
                self.text(b, v, "string")?;
            }
            Kind::STRUCT => {
                self.set_type(b, "object", "");
                self.object(b, v)?;
            }
            Kind::LIST => {
                self.set_type(b, "array", "");
                self.array(b, v)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn unsupported(&mut self, v: VId, made: Made, what: &str) -> Done<()> {
        let op = match made {
            Made::And => "&",
            Made::Or => "|",
            Made::Op(op) => op.as_str(),
            Made::Call => "()",
            Made::Reference => ".",
            Made::Whole | Made::Other => "",
        };
        self.fail(v, format!("unsupported op {op} for {what}"))
    }

    /// A keyword whose value is the argument of a validator.
    fn counted(&mut self, b: BId, key: &str, parts: &[VId]) -> Done<()> {
        match parts {
            [_, one] => {
                let value = self.integer(*one, 0)?;
                self.set(b, key, value);
                Ok(())
            }
            _ => {
                let function = parts[0];
                let name = view::text(self.ev, function);
                let given = parts.len() - 1;
                self.fail(
                    function,
                    format!("{name} must be used with {given} arguments"),
                )
            }
        }
    }

    fn integer(&mut self, v: VId, offset: i64) -> Done<Data> {
        match view::data(self.ev, v)? {
            Data::Number(n) if n.is_int() => match n.value.to_i64() {
                Some(i) => Ok(Data::from(i + offset)),
                None => self.fail(v, format!("could not retrieve int: {}", n.value)),
            },
            _ => {
                let text = view::text(self.ev, v);
                self.fail(
                    v,
                    format!("could not retrieve int: cannot use value {text} as int"),
                )
            }
        }
    }

    fn object(&mut self, b: BId, v: VId) -> Done<()> {
        let (made, parts) = view::split(self.ev, v)?;
        match made {
            Made::Whole => {}
            Made::Call => {
                return match view::function(self.ev, parts[0]).as_str() {
                    "struct.MinFields" => self.counted(b, "minProperties", &parts),
                    "struct.MaxFields" => self.counted(b, "maxProperties", &parts),
                    _ => Ok(()),
                };
            }
            _ => {
                let text = view::text(self.ev, v);
                return self.unsupported(v, made, &format!("object type ({text})"));
            }
        }
        let required: Vec<Data> = view::fields(self.ev, v, false)
            .into_iter()
            .map(|a| Data::String(self.step_name(Step::Label(self.ev.label(a)))))
            .collect();
        if !required.is_empty() {
            self.set(b, "required", Data::List(required));
        }
        self.properties(b, v)?;
        let has_items = self.core_of(b).is_some_and(|c| c.items.is_some());
        if let Some(t) = view::any(self.ev, v, false)?
            && !has_items
            && self.is_acyclic(t)?
        {
            let schema = self.schema(None, Step::Any, t)?;
            if !schema.is_empty() {
                self.set_single(b, "additionalProperties", Data::Struct(schema.0));
            }
        }
        Ok(())
    }

    fn core_of(&self, b: BId) -> Option<&super::schema::Builder> {
        let core = self.builders[b.0].core?;
        Some(&self.builders[core.0])
    }

    fn properties(&mut self, b: BId, v: VId) -> Done<()> {
        let mut known = match self.at(b).single.as_ref().and_then(|s| s.get("properties")) {
            Some(Data::Struct(fields)) => Map(fields.clone()),
            _ => Map::default(),
        };
        for a in view::all_fields(self.ev, v, true) {
            let label = self.ev.label(a);
            if self.is_internal(label) {
                continue;
            }
            let step = Step::Label(label);
            let name = self.step_name(step);
            let core = self
                .core_of(b)
                .and_then(|c| c.properties.get(&name))
                .copied();
            self.ev.finalize_inner(a)?;
            let schema = self.schema(core, step, a)?;
            if label.is_definition() {
                let mut path = self.path.clone();
                path.push(step);
                let name = self.name_of(&path);
                self.schemas.put(&name, Data::Struct(schema.0));
            } else if !self.is_part(b) || !schema.is_empty() {
                known.put(&name, Data::Struct(schema.0));
            }
        }
        if !known.is_empty() {
            self.set_single(b, "properties", Data::Struct(known.0));
        }
        Ok(())
    }

    fn array(&mut self, b: BId, v: VId) -> Done<()> {
        let (made, parts) = view::split(self.ev, v)?;
        match made {
            Made::Whole => {}
            Made::Call => {
                return match view::function(self.ev, parts[0]).as_str() {
                    "list.UniqueItems" => {
                        self.set(b, "uniqueItems", Data::Bool(true));
                        Ok(())
                    }
                    "list.MinItems" => self.counted(b, "minItems", &parts),
                    "list.MaxItems" => self.counted(b, "maxItems", &parts),
                    _ => Ok(()),
                };
            }
            _ => return self.unsupported(v, made, "array type"),
        }
        let list = self.ev.deref(v);
        let (elements_of, _) = view::default(self.ev, v);
        let elements: Vec<VId> = self.ev.elements(elements_of).collect();
        let mut items = Vec::with_capacity(elements.len());
        for a in elements {
            self.ev.finalize_inner(a)?;
            let step = Step::Label(self.ev.label(a));
            items.push(Data::Struct(self.schema(None, step, a)?.0));
        }
        let count = items.len();
        if count > 0 {
            self.set(b, "items", Data::List(items));
        }
        if self.ev.base(list).data != Of::List(true) {
            return Ok(());
        }
        if count > 0 {
            self.set(b, "minItems", Data::from(count));
        }
        if let Some(t) = view::any(self.ev, v, true)?
            && self.is_acyclic(t)?
        {
            let core = self.core_of(b).and_then(|c| c.items);
            let schema = self.schema(core, Step::Any, t)?;
            if count > 0 {
                self.set(b, "additionalItems", Data::Struct(schema.0));
            } else if !self.is_part(b) || !schema.is_empty() {
                self.set_single(b, "items", Data::Struct(schema.0));
            }
        }
        Ok(())
    }

    /// The length of a list.
    fn length(&mut self, b: BId, v: VId) -> Done<()> {
        let (made, parts) = view::split(self.ev, v)?;
        let (key, offset) = match made {
            Made::Whole => return Ok(()),
            Made::Op(Op::Less) => ("maxItems", -1),
            Made::Op(Op::LessEqual) => ("maxItems", 0),
            Made::Op(Op::Greater) => ("minItems", 1),
            Made::Op(Op::GreaterEqual) => ("minItems", 0),
            _ => return self.unsupported(v, made, "list capacity"),
        };
        let value = self.integer(parts[0], offset)?;
        self.set(b, key, value);
        Ok(())
    }

    fn number(&mut self, b: BId, v: VId) -> Done<()> {
        let (made, parts) = view::split(self.ev, v)?;
        let (key, exclusive) = match made {
            Made::Op(Op::Less) => ("maximum", "exclusiveMaximum"),
            Made::Op(Op::LessEqual) => ("maximum", ""),
            Made::Op(Op::Greater) => ("minimum", "exclusiveMinimum"),
            Made::Op(Op::GreaterEqual) => ("minimum", ""),
            Made::Op(Op::NotEqual) => {
                let value = view::data(self.ev, parts[0])?;
                let bound = |key| Data::Struct(Map::one(key, value.clone()).0);
                let both = vec![bound("minimum"), bound("maximum")];
                self.set_not(b, "allOf", Data::List(both));
                return Ok(());
            }
            Made::Call => {
                return match view::function(self.ev, parts[0]).as_str() {
                    "math.MultipleOf" => self.counted(b, "multipleOf", &parts),
                    _ => Ok(()),
                };
            }
            Made::Whole => return Ok(()),
            _ => return self.unsupported(v, made, "number"),
        };
        let value = view::data(self.ev, parts[0])?;
        if exclusive.is_empty() {
            self.set(b, key, value);
        } else if self.exclusive_flag {
            self.set(b, exclusive, Data::Bool(true));
            self.set(b, key, value);
        } else {
            self.set(b, exclusive, value);
        }
        Ok(())
    }

    /// A string or bytes.
    fn text(&mut self, b: BId, v: VId, what: &str) -> Done<()> {
        let (made, parts) = view::split(self.ev, v)?;
        match made {
            Made::Op(op @ (Op::Match | Op::NotMatch)) => {
                let pattern = match view::data(self.ev, parts[0])? {
                    Data::String(s) => s,
                    Data::Bytes(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                    _ => return self.fail(v, format!("regexp value must be of type {what}")),
                };
                if op == Op::Match {
                    self.set(b, "pattern", Data::String(pattern));
                } else {
                    self.set_not(b, "pattern", Data::String(pattern));
                }
                Ok(())
            }
            Made::Whole | Made::Reference => Ok(()),
            Made::Call if what == "string" => match view::function(self.ev, parts[0]).as_str() {
                "strings.MinRunes" => self.counted(b, "minLength", &parts),
                "strings.MaxRunes" => self.counted(b, "maxLength", &parts),
                _ => Ok(()),
            },
            _ => self.unsupported(v, made, &format!("{what} type")),
        }
    }

    /// Whether what a value refers to is none of those whose schemas are being built. Only asked
    /// where schemas stand in the place of references.
    pub(super) fn is_acyclic(&mut self, v: VId) -> Done<bool> {
        if !self.expand {
            return Ok(true);
        }
        for c in self.ev.vx(v).conjuncts.clone() {
            let x = self.ev.conjunct_expr(&c);
            if x.is_some() && self.leads_back(v, c.env, x)? {
                return self.cyclic(v);
            }
        }
        Ok(true)
    }

    fn leads_back(&mut self, base: VId, env: EnvId, x: crate::eval::program::XId) -> Done<bool> {
        if self.ev.is_reference(x) {
            let item = crate::eval::vertex::Item::Expr(x);
            let reference = view::remake(self.ev, base, env, item)?;
            let target = view::dereference(self.ev, reference)?;
            let target = self.ev.deref(target);
            return Ok(self.nodes.iter().any(|n| self.ev.deref(*n) == target));
        }
        let parts = match self.ev.program.expr(x) {
            Expr::Binary(_, a, b) => vec![a, b],
            Expr::Open(a) => vec![a],
            Expr::Disjunction(run, _) => {
                let list = self.ev.program.disjunct_list(run);
                list.iter().map(|(x, _)| *x).collect()
            }
            _ => Vec::new(),
        };
        for part in parts {
            if self.leads_back(base, env, part)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
