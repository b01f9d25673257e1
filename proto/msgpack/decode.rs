//! From bytes to a value.

use crate::error::check_depth;
use crate::{ValueError, normal, number, types};
use pravo_state::{Data, Number, PathStep, Type};
use rmp::Marker;
use std::collections::BTreeMap;

/// Reads a value from msgpack. Text is composed, sets are sorted and lose equal elements; what is
/// known about an unknown value is dropped.
///
/// # Errors
/// When the bytes are no value of the type, or more than one value.
pub fn decode(bytes: &[u8], kind: &Type) -> Result<Data, ValueError> {
    let mut reader = Reader { rest: bytes };
    let value = reader.value(kind, 0)?;
    if !reader.rest.is_empty() {
        return Err(ValueError::new("bytes are left after the value"));
    }
    Ok(value)
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn value(&mut self, kind: &Type, depth: usize) -> Result<Data, ValueError> {
        check_depth(depth)?;
        let depth = depth + 1;
        let marker = self.marker()?;
        if let Some(length) = self.extension(marker)? {
            self.take(length)?;
            return Ok(Data::Unknown);
        }
        if marker == Marker::Null {
            return Ok(Data::Null);
        }
        match kind {
            Type::Dynamic => self.any(marker, depth),
            Type::Bool => match marker {
                Marker::True => Ok(Data::Bool(true)),
                Marker::False => Ok(Data::Bool(false)),
                _ => Err(expected(kind)),
            },
            Type::Number => self.number(marker).map(Data::Number),
            Type::String => match self.text(marker)? {
                Some(text) => Ok(Data::String(text)),
                None => Err(expected(kind)),
            },
            Type::List(inner) => {
                let length = self.array(marker)?.ok_or_else(|| expected(kind))?;
                self.items(length, |_| inner, depth).map(Data::List)
            }
            Type::Set(inner) => {
                let length = self.array(marker)?.ok_or_else(|| expected(kind))?;
                let mut items = self.items(length, |_| inner, depth)?;
                normal::sort_set(&mut items);
                Ok(Data::List(items))
            }
            Type::Tuple(kinds) => {
                let length = self.array(marker)?.ok_or_else(|| expected(kind))?;
                if length != kinds.len() {
                    return Err(ValueError::new(format!(
                        "found a tuple of {length}, expected one of {}",
                        kinds.len()
                    )));
                }
                self.items(length, |index| &kinds[index], depth)
                    .map(Data::List)
            }
            Type::Map(inner) => {
                let length = self.map(marker)?.ok_or_else(|| expected(kind))?;
                self.entries(length, inner, depth).map(Data::Map)
            }
            Type::Object(attributes, _) => {
                let length = self.map(marker)?.ok_or_else(|| expected(kind))?;
                self.object(length, attributes, depth).map(Data::Map)
            }
        }
    }

    /// A value of any type: its type, as JSON, and itself.
    fn any(&mut self, marker: Marker, depth: usize) -> Result<Data, ValueError> {
        let wrapped = || ValueError::new("expected a type and a value of it");
        if self.array(marker)? != Some(2) {
            return Err(wrapped());
        }
        let marker = self.marker()?;
        let length = self.text_length(marker)?.ok_or_else(wrapped)?;
        let own = types::from_bytes(self.take(length)?)?;
        let value = self.value(&own, depth)?;
        Ok(match own {
            Type::Dynamic => value,
            own => Data::Dynamic(Box::new(types::without_optional(&own)), Box::new(value)),
        })
    }

    fn items<'t>(
        &mut self,
        length: usize,
        kind: impl Fn(usize) -> &'t Type,
        depth: usize,
    ) -> Result<Vec<Data>, ValueError> {
        let mut items = Vec::with_capacity(length.min(self.rest.len()));
        for index in 0..length {
            let item = self.value(kind(index), depth);
            items.push(item.map_err(|e| e.inside(PathStep::Index(index)))?);
        }
        Ok(items)
    }

    fn entries(
        &mut self,
        length: usize,
        kind: &Type,
        depth: usize,
    ) -> Result<BTreeMap<String, Data>, ValueError> {
        let mut entries = BTreeMap::new();
        for _ in 0..length {
            let key = self.key()?;
            let value = self.value(kind, depth);
            let value = value.map_err(|e| e.inside(PathStep::Key(key.clone())))?;
            entries.insert(key, value);
        }
        Ok(entries)
    }

    fn object(
        &mut self,
        length: usize,
        attributes: &BTreeMap<String, Type>,
        depth: usize,
    ) -> Result<BTreeMap<String, Data>, ValueError> {
        let mut entries = BTreeMap::new();
        for _ in 0..length {
            let name = self.key()?;
            let kind = attributes.get(&name);
            let kind =
                kind.ok_or_else(|| ValueError::new(format!("the type has no attribute {name:?}")))?;
            let value = self.value(kind, depth);
            let value = value.map_err(|e| e.inside(PathStep::Attribute(name.clone())))?;
            entries.insert(name, value);
        }
        match attributes.keys().find(|name| !entries.contains_key(*name)) {
            Some(name) => Err(ValueError::new(format!(
                "the object lacks the attribute {name:?}"
            ))),
            None => Ok(entries),
        }
    }

    fn key(&mut self) -> Result<String, ValueError> {
        let marker = self.marker()?;
        self.text(marker)?
            .ok_or_else(|| ValueError::new("expected text for a name"))
    }

    fn number(&mut self, marker: Marker) -> Result<Number, ValueError> {
        let number = match marker {
            Marker::FixPos(value) => Number::from(u64::from(value)),
            Marker::FixNeg(value) => Number::from(i64::from(value)),
            Marker::U8 => Number::from(u64::from(u8::from_be_bytes(self.bytes()?))),
            Marker::U16 => Number::from(u64::from(u16::from_be_bytes(self.bytes()?))),
            Marker::U32 => Number::from(u64::from(u32::from_be_bytes(self.bytes()?))),
            Marker::U64 => Number::from(u64::from_be_bytes(self.bytes()?)),
            Marker::I8 => Number::from(i64::from(i8::from_be_bytes(self.bytes()?))),
            Marker::I16 => Number::from(i64::from(i16::from_be_bytes(self.bytes()?))),
            Marker::I32 => Number::from(i64::from(i32::from_be_bytes(self.bytes()?))),
            Marker::I64 => Number::from(i64::from_be_bytes(self.bytes()?)),
            Marker::F32 => return double(f64::from(f32::from_be_bytes(self.bytes()?))),
            Marker::F64 => return double(f64::from_be_bytes(self.bytes()?)),
            _ => {
                let text = self.text(marker)?.ok_or_else(|| expected(&Type::Number))?;
                return Number::parse(&text).ok_or_else(|| {
                    ValueError::new("expected a decimal number of at most 5000 digits")
                });
            }
        };
        Ok(number)
    }

    /// The text behind a marker; nothing when it is no text.
    fn text(&mut self, marker: Marker) -> Result<Option<String>, ValueError> {
        let Some(length) = self.text_length(marker)? else {
            return Ok(None);
        };
        let text = String::from_utf8_lossy(self.take(length)?);
        Ok(Some(normal::text(&text).into_owned()))
    }

    fn text_length(&mut self, marker: Marker) -> Result<Option<usize>, ValueError> {
        Ok(Some(match marker {
            Marker::FixStr(length) => usize::from(length),
            Marker::Str8 | Marker::Bin8 => usize::from(u8::from_be_bytes(self.bytes()?)),
            Marker::Str16 | Marker::Bin16 => usize::from(u16::from_be_bytes(self.bytes()?)),
            Marker::Str32 | Marker::Bin32 => u32::from_be_bytes(self.bytes()?) as usize,
            _ => return Ok(None),
        }))
    }

    fn array(&mut self, marker: Marker) -> Result<Option<usize>, ValueError> {
        Ok(Some(match marker {
            Marker::FixArray(length) => usize::from(length),
            Marker::Array16 => usize::from(u16::from_be_bytes(self.bytes()?)),
            Marker::Array32 => u32::from_be_bytes(self.bytes()?) as usize,
            _ => return Ok(None),
        }))
    }

    fn map(&mut self, marker: Marker) -> Result<Option<usize>, ValueError> {
        Ok(Some(match marker {
            Marker::FixMap(length) => usize::from(length),
            Marker::Map16 => usize::from(u16::from_be_bytes(self.bytes()?)),
            Marker::Map32 => u32::from_be_bytes(self.bytes()?) as usize,
            _ => return Ok(None),
        }))
    }

    /// The length of the code and body of an extension, which stands for an unknown value; nothing
    /// when the marker is none.
    fn extension(&mut self, marker: Marker) -> Result<Option<usize>, ValueError> {
        let body = match marker {
            Marker::FixExt1 => 1,
            Marker::FixExt2 => 2,
            Marker::FixExt4 => 4,
            Marker::FixExt8 => 8,
            Marker::FixExt16 => 16,
            Marker::Ext8 => usize::from(u8::from_be_bytes(self.bytes()?)),
            Marker::Ext16 => usize::from(u16::from_be_bytes(self.bytes()?)),
            Marker::Ext32 => u32::from_be_bytes(self.bytes()?) as usize,
            _ => return Ok(None),
        };
        Ok(Some(body.saturating_add(1)))
    }

    fn marker(&mut self) -> Result<Marker, ValueError> {
        let [byte] = self.bytes()?;
        Ok(Marker::from_u8(byte))
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], ValueError> {
        let mut out = [0; N];
        out.copy_from_slice(self.take(N)?);
        Ok(out)
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], ValueError> {
        let (taken, rest) = self
            .rest
            .split_at_checked(length)
            .ok_or_else(|| ValueError::new("the bytes end before the value does"))?;
        self.rest = rest;
        Ok(taken)
    }
}

fn double(value: f64) -> Result<Number, ValueError> {
    number::from_double(value).ok_or_else(|| ValueError::new("expected a finite number"))
}

fn expected(kind: &Type) -> ValueError {
    ValueError::new(format!("expected {}", types::name(kind)))
}
