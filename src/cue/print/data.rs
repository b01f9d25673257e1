//! Evaluated values to data for the encoders: concrete, defaults taken, fields in printed order.

use super::deeper;
use super::order::{Around, Orders};
use crate::builtin::{Data, quote_go};
use crate::eval::context::Evaluator;
use crate::eval::error::ErrId;
use crate::eval::kind::ArcType;
use crate::eval::limit::PART_BYTES;
use crate::eval::value::{Data as Of, Val};
use crate::eval::vertex::VId;
use crate::number::Number;
use crate::syntax::literal::unquote_string;

/// What the data is for.
#[derive(Clone, Copy, Debug, Default)]
pub struct DataStyle {
    /// Whether it is YAML: numbers that are list elements keep the text of their literal, fields
    /// have the tags of their attributes, and those of a chosen alternative are in its own order.
    pub literals: bool,
}

/// Why a value is no data.
#[derive(Clone, Debug, PartialEq)]
pub enum DataError {
    /// It, or something in it, is an error.
    Error(ErrId),
    /// It, or something in it, is not concrete.
    NotData(NotData),
}

/// A value that is no data.
#[derive(Clone, Debug, PartialEq)]
pub struct NotData {
    /// What is wrong with it.
    pub text: String,
    /// The value.
    pub value: Val,
    /// The vertex that holds it, or none.
    pub vertex: VId,
    /// Whether it may become data.
    pub incomplete: bool,
}

/// The data of a value that was evaluated.
///
/// Values that are shared are written out where they are: what becomes too large is no data.
pub fn to_data(ev: &Evaluator, v: Val, style: DataStyle) -> Result<Data, DataError> {
    let reader = &mut Reader {
        ev,
        style,
        orders: Orders::default(),
        depth: 0,
        left: ev.most_parts(),
    };
    reader.data(v)
}

struct Reader<'a> {
    ev: &'a Evaluator,
    style: DataStyle,
    orders: Orders,
    depth: usize,
    /// How many more parts the data may have.
    left: usize,
}

impl Reader<'_> {
    fn data(&mut self, v: Val) -> Result<Data, DataError> {
        let ev = self.ev;
        self.take(v, 1 + self.depth / PART_BYTES as usize)?;
        deeper(|| {
            let plain = ev.plain_default(v);
            match (plain.data, v.data) {
                (Of::Vertex(x), Of::Vertex(owner)) => {
                    // a disjunct knows its literals, but not how they were joined
                    let owner = ev.deref_non_disjunct(owner);
                    let chosen = matches!(ev.vx(owner).base.data, Of::Disj(_));
                    let joins = (!chosen || !self.style.literals).then_some(owner);
                    self.vertex(x, Around { literals: x, joins })
                }
                (Of::Vertex(x), _) => self.vertex(x, Around::own(x)),
                (_, Of::Vertex(owner)) => self.scalar(plain, owner),
                _ => self.scalar(plain, VId::NONE),
            }
        })
    }

    /// Takes so many parts of those that are left.
    fn take(&mut self, v: Val, parts: usize) -> Result<(), DataError> {
        let Some(left) = self.left.checked_sub(parts) else {
            let vertex = match v.data {
                Of::Vertex(v) => v,
                _ => VId::NONE,
            };
            return Err(DataError::NotData(NotData {
                text: format!("value of more than {} parts", self.ev.most_parts()),
                value: v,
                vertex,
                incomplete: false,
            }));
        };
        self.left = left;
        Ok(())
    }

    fn scalar(&mut self, v: Val, owner: VId) -> Result<Data, DataError> {
        let data = scalar(self.ev, v, owner)?;
        let length = match &data {
            Data::String(text) => text.len(),
            Data::Bytes(bytes) => bytes.len(),
            _ => 0,
        };
        self.take(Val::bare(Of::Vertex(owner)), length / PART_BYTES as usize)?;
        Ok(data)
    }

    fn vertex(&mut self, v: VId, around: Around) -> Result<Data, DataError> {
        self.depth += 1;
        let data = self.members(v, around);
        self.depth -= 1;
        data
    }

    fn members(&mut self, v: VId, around: Around) -> Result<Data, DataError> {
        let ev = self.ev;
        let v = ev.deref(v);
        let x = ev.vx(v);
        match x.base.data {
            Of::Struct => {
                let mut fields = Vec::with_capacity(x.arcs.len());
                for a in self.orders.printed_arcs(ev, v, around) {
                    let arc = ev.vx(a);
                    if arc.label.is_string() && arc.arc == ArcType::Member {
                        let name = ev.names.get(arc.label.name()).to_owned();
                        let mut value = self.data(Val::bare(Of::Vertex(a)))?;
                        if self.style.literals
                            && let Some(tag) = yaml_tag(ev, a)
                        {
                            value = Data::Tagged(tag.into(), Box::new(value));
                        }
                        fields.push((name, value));
                    }
                }
                Ok(Data::Struct(fields))
            }
            Of::List(_) => {
                let mut items = Vec::with_capacity(x.arcs.len());
                for a in ev.elements(v) {
                    let item = self.data(Val::bare(Of::Vertex(a)))?;
                    items.push(match (item, ev.basic_literal(a)) {
                        (Data::Number(n), Some((_, text))) if self.style.literals => {
                            Data::Literal(n, text.into())
                        }
                        (item, _) => item,
                    });
                }
                Ok(Data::List(items))
            }
            _ => self.scalar(ev.plain_default(x.base), v),
        }
    }
}

/// The tag that an attribute gives a field: `@yaml(,tag="!x")`.
fn yaml_tag(ev: &Evaluator, v: VId) -> Option<String> {
    let attributes = ev.attributes(v);
    let yaml = attributes.iter().find(|a| a.name() == "yaml")?;
    let mut quoted = false;
    let parts = yaml.body().split(|c| {
        quoted ^= c == '"';
        c == ',' && !quoted
    });
    let tag = parts.skip(1).find_map(|part| {
        let (key, value) = part.split_once('=')?;
        (key.trim() == "tag").then(|| value.trim())
    })?;
    let tag = unquote_string(tag).unwrap_or_else(|_| tag.to_owned());
    (!tag.is_empty()).then_some(tag)
}

fn scalar(ev: &Evaluator, v: Val, vertex: VId) -> Result<Data, DataError> {
    Ok(match v.data {
        Of::Null => Data::Null,
        Of::Bool(b) => Data::Bool(b),
        Of::Int(_) | Of::Num(_) => Data::Number(ev.number(v).unwrap_or_else(|| Number::int(0))),
        Of::Str(_) => Data::String(ev.str(v).unwrap_or_default().to_owned()),
        Of::Bytes(_) => Data::Bytes(ev.bytes_of(v).unwrap_or_default().to_vec()),
        Of::Err(e) => return Err(DataError::Error(e)),
        _ => {
            let text = quote_go(&ev.compact(v));
            let incomplete = !matches!(v.data, Of::Func(_));
            let text = if incomplete {
                format!("cannot convert incomplete value {text} to JSON")
            } else {
                format!("cannot convert value {text} of type *adt.Builtin to JSON")
            };
            return Err(DataError::NotData(NotData {
                text,
                value: v,
                vertex,
                incomplete,
            }));
        }
    })
}
