//! From a body to the configuration object a provider takes (known, unknown or null throughout).

mod dynamic;
mod path;

use crate::body::{Body, Entry, Item, Open};
use crate::{Position, SpecErrors};
use path::Path;
use pravo_state::{Attribute, AttributeKind, Block, Data, Diagnostic, NestedBlock, Nesting, Type};
use std::collections::{BTreeMap, HashMap};

/// What is being converted.
pub(crate) struct Subject<'a> {
    /// Its path in the specification, with which messages begin.
    pub name: &'a str,
    /// Where it is declared.
    pub position: Option<&'a Position>,
    /// Whether it is a copy of another node: then it may hold what the provider computed for that
    /// one, and the provider itself refuses it.
    pub copy: bool,
}

/// Converts a body under the schema of its type: every attribute and block, absent ones as null or
/// empty. Fields that begin with `$` are not the provider's.
///
/// # Errors
/// Every place where the body does not fit: not concrete, missing, unknown to the schema, of
/// another type, set although only the provider sets it, too few or too many blocks.
pub(crate) fn convert(
    subject: &Subject<'_>,
    block: &Block,
    body: &Body,
) -> Result<Data, SpecErrors> {
    let mut conversion = Conversion {
        subject,
        path: Path::new(subject.name),
        missing: Vec::new(),
        errors: SpecErrors::default(),
    };
    let own: Vec<&Entry> = body
        .entries()
        .iter()
        .filter(|e| !e.label.starts_with('$'))
        .collect();
    let data = conversion.block(block, &own);
    conversion.finish(data)
}

/// The form of the errors about required fields: the place is the one of the subject, as no line
/// of the specification lacks more than that.
pub(crate) fn missing_fields(lines: Vec<String>) -> SpecErrors {
    SpecErrors::with_detail("evaluating .:", lines.join("\n"))
}

/// The lines about one required field that is missing.
pub(crate) fn missing_line(path: &str, position: Option<&Position>) -> String {
    match position {
        Some(position) => format!("{path}: field is required but not present:\n    {position}"),
        None => format!("{path}: field is required but not present"),
    }
}

struct Conversion<'a> {
    subject: &'a Subject<'a>,
    path: Path,
    missing: Vec<String>,
    errors: SpecErrors,
}

impl Conversion<'_> {
    fn finish(mut self, data: Data) -> Result<Data, SpecErrors> {
        if !self.missing.is_empty() {
            let mut errors = missing_fields(self.missing);
            errors.append(self.errors);
            self.errors = errors;
        }
        self.errors.into_result().map(|()| data)
    }

    fn fail(&mut self, what: &str, position: Option<&Position>) {
        let mut error = Diagnostic::error(format!("{}: {what}", self.path));
        if let Some(position) = position {
            error.detail = format!("    {position}");
        }
        self.errors.0.push(error);
    }

    fn block(&mut self, block: &Block, entries: &[&Entry]) -> Data {
        let mut found: HashMap<&str, &Entry> =
            entries.iter().map(|e| (e.label.as_str(), *e)).collect();
        let mut data = self.attributes(&block.attributes, &mut found);
        for nested in &block.blocks {
            let entry = found.remove(nested.name.as_str());
            let mark = self.path.attribute(&nested.name);
            data.insert(nested.name.clone(), self.nested(nested, entry));
            self.path.cut(mark);
        }
        self.strangers(entries, &found);
        Data::Map(data)
    }

    fn object(&mut self, attributes: &[Attribute], entries: &[Entry]) -> Data {
        let mut found = entries.iter().map(|e| (e.label.as_str(), e)).collect();
        let data = self.attributes(attributes, &mut found);
        let entries: Vec<&Entry> = entries.iter().collect();
        self.strangers(&entries, &found);
        Data::Map(data)
    }

    fn attributes(
        &mut self,
        attributes: &[Attribute],
        found: &mut HashMap<&str, &Entry>,
    ) -> BTreeMap<String, Data> {
        let mut data = BTreeMap::new();
        for attribute in attributes {
            let entry = found.remove(attribute.name.as_str());
            let mark = self.path.attribute(&attribute.name);
            data.insert(attribute.name.clone(), self.attribute(attribute, entry));
            self.path.cut(mark);
        }
        data
    }

    /// Fields that the schema does not know.
    fn strangers(&mut self, entries: &[&Entry], left: &HashMap<&str, &Entry>) {
        for entry in entries {
            if left.contains_key(entry.label.as_str()) {
                let mark = self.path.attribute(&entry.label);
                self.fail(
                    "the provider has no such attribute",
                    entry.position.as_ref(),
                );
                self.path.cut(mark);
            }
        }
    }

    fn attribute(&mut self, attribute: &Attribute, entry: Option<&Entry>) -> Data {
        let body = entry.and_then(|e| e.body.as_ref());
        let position = entry.and_then(|e| e.position.as_ref());
        let errors = self.errors.0.len();
        let data = match body {
            None => Data::Null,
            Some(body) => match &attribute.kind {
                AttributeKind::Value(kind) => self.value(kind, body, position),
                AttributeKind::Nested(nesting, inner) => {
                    let element = |s: &mut Self, entries: &[Entry]| s.object(inner, entries);
                    self.repeated(*nesting, body, position, &element)
                }
            },
        };
        if attribute.required && data.is_null() && self.errors.0.len() == errors {
            let line = missing_line(&self.path.to_string(), self.subject.position);
            self.missing.push(line);
        }
        let only_provider = attribute.computed && !attribute.optional && !attribute.required;
        if only_provider && !data.is_null() && !self.subject.copy {
            self.fail("only the provider sets this attribute; remove it", position);
        }
        data
    }

    /// A nested object or block, as often as its nesting says.
    fn repeated(
        &mut self,
        nesting: Nesting,
        body: &Body,
        position: Option<&Position>,
        element: &dyn Fn(&mut Self, &[Entry]) -> Data,
    ) -> Data {
        match (nesting, body) {
            (_, Body::Null) => Data::Null,
            (_, Body::Open(open)) => self.open(open),
            (Nesting::Single | Nesting::Group, Body::Struct(entries)) => element(self, entries),
            (Nesting::List | Nesting::Set, Body::List(items)) => {
                let items = self.items(items, |s, item| match &item.body {
                    Body::Struct(entries) => element(s, entries),
                    other => s.repeated(Nesting::Single, other, item.position.as_ref(), element),
                });
                collection(nesting == Nesting::Set, items)
            }
            (Nesting::Map, Body::Struct(entries)) => {
                Data::Map(self.entries(entries, |s, body, position| {
                    s.repeated(Nesting::Single, body, position, element)
                }))
            }
            (Nesting::List | Nesting::Set, other) => self.mismatch("list", other, position),
            (_, other) => self.mismatch("struct", other, position),
        }
    }

    fn nested(&mut self, nested: &NestedBlock, entry: Option<&Entry>) -> Data {
        let body = entry.and_then(|e| e.body.as_ref());
        let position = entry.and_then(|e| e.position.as_ref());
        let element = |s: &mut Self, entries: &[Entry]| {
            let entries: Vec<&Entry> = entries.iter().collect();
            s.block(&nested.block, &entries)
        };
        let data = match body {
            Some(body) => self.repeated(nested.nesting, body, position, &element),
            None => Data::Null,
        };
        let data = match (data, nested.nesting) {
            (Data::Null, Nesting::List | Nesting::Set) => Data::List(Vec::new()),
            (Data::Null, Nesting::Map) => Data::Map(BTreeMap::new()),
            (Data::Null, Nesting::Group) => element(self, &[]),
            (data, _) => data,
        };
        self.count(nested, &data, position);
        data
    }

    fn count(&mut self, nested: &NestedBlock, data: &Data, position: Option<&Position>) {
        let count = match data {
            Data::List(items) => items.len() as u64,
            Data::Map(entries) if nested.nesting == Nesting::Map => entries.len() as u64,
            Data::Null => 0,
            Data::Map(_) => 1,
            _ => return,
        };
        let position = position.or(self.subject.position);
        if count < nested.min_items {
            let least = nested.min_items;
            self.fail(
                &format!("want at least {}, found {count}", blocks(least)),
                position,
            );
        } else if nested.max_items > 0 && count > nested.max_items {
            let most = nested.max_items;
            self.fail(
                &format!("want at most {}, found {count}", blocks(most)),
                position,
            );
        }
    }

    fn value(&mut self, kind: &Type, body: &Body, position: Option<&Position>) -> Data {
        match (kind, body) {
            (_, Body::Null) => Data::Null,
            (_, Body::Open(open)) => self.open(open),
            (Type::Bool, Body::Bool(value)) => Data::Bool(*value),
            (Type::Number, Body::Number(value)) => Data::Number(value.clone()),
            (Type::String, Body::String(value)) => Data::String(value.clone()),
            (Type::Dynamic, body) => self.dynamic(body, position),
            (Type::List(inner) | Type::Set(inner), Body::List(items)) => {
                let items = self.items(items, |s, item| {
                    s.value(inner, &item.body, item.position.as_ref())
                });
                collection(matches!(kind, Type::Set(_)), items)
            }
            (Type::Map(inner), Body::Struct(entries)) => {
                Data::Map(self.entries(entries, |s, body, position| s.value(inner, body, position)))
            }
            (Type::Tuple(kinds), Body::List(items)) if kinds.len() == items.len() => {
                let mut kinds = kinds.iter();
                Data::List(self.items(items, |s, item| match kinds.next() {
                    Some(kind) => s.value(kind, &item.body, item.position.as_ref()),
                    None => Data::Null,
                }))
            }
            (Type::Object(kinds, _), Body::Struct(entries)) => self.plain_object(kinds, entries),
            (kind, other) => self.mismatch(&word(kind), other, position),
        }
    }

    fn plain_object(&mut self, kinds: &BTreeMap<String, Type>, entries: &[Entry]) -> Data {
        let mut left: HashMap<&str, &Entry> =
            entries.iter().map(|e| (e.label.as_str(), e)).collect();
        let mut data = BTreeMap::new();
        for (name, kind) in kinds {
            let mark = self.path.attribute(name);
            let value = match left.remove(name.as_str()) {
                Some(Entry {
                    body: Some(body),
                    position,
                    ..
                }) => self.value(kind, body, position.as_ref()),
                _ => Data::Null,
            };
            data.insert(name.clone(), value);
            self.path.cut(mark);
        }
        let entries: Vec<&Entry> = entries.iter().collect();
        self.strangers(&entries, &left);
        Data::Map(data)
    }

    fn dynamic(&mut self, body: &Body, position: Option<&Position>) -> Data {
        match dynamic::infer(body) {
            Ok(kind) => Data::Dynamic(
                Box::new(kind.clone()),
                Box::new(self.value(&kind, body, position)),
            ),
            Err(found) => {
                self.fail(
                    &format!("want a value a provider takes, found {found}"),
                    position,
                );
                Data::Null
            }
        }
    }

    fn items(
        &mut self,
        items: &[Item],
        mut convert: impl FnMut(&mut Self, &Item) -> Data,
    ) -> Vec<Data> {
        let mut data = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let mark = self.path.index(index);
            data.push(convert(self, item));
            self.path.cut(mark);
        }
        data
    }

    fn entries(
        &mut self,
        entries: &[Entry],
        mut convert: impl FnMut(&mut Self, &Body, Option<&Position>) -> Data,
    ) -> BTreeMap<String, Data> {
        let mut data = BTreeMap::new();
        for entry in entries {
            if let Some(body) = &entry.body {
                let mark = self.path.key(&entry.label);
                data.insert(
                    entry.label.clone(),
                    convert(self, body, entry.position.as_ref()),
                );
                self.path.cut(mark);
            }
        }
        data
    }

    fn open(&mut self, open: &Open) -> Data {
        match open {
            Open::Node => Data::Unknown,
            Open::Nothing | Open::Null => Data::Null,
            Open::Fails(errors) => {
                self.errors.append(errors.clone());
                Data::Null
            }
            Open::Depends { on, tag } => {
                let hint = if *tag { " (is a -t tag missing?)" } else { "" };
                self.fail(
                    &format!("value depends on {on}, which is not concrete{hint}"),
                    None,
                );
                Data::Null
            }
        }
    }

    fn mismatch(&mut self, wanted: &str, found: &Body, position: Option<&Position>) -> Data {
        self.fail(&format!("want {wanted}, found {}", found.kind()), position);
        Data::Null
    }
}

/// A list as it is; a set without what occurs twice, in the order of values.
fn collection(set: bool, mut items: Vec<Data>) -> Data {
    if set {
        items.sort();
        items.dedup_by(|a, b| a == b && a.is_wholly_known());
    }
    Data::List(items)
}

fn blocks(count: u64) -> String {
    if count == 1 {
        "1 block".into()
    } else {
        format!("{count} blocks")
    }
}

fn word(kind: &Type) -> String {
    match kind {
        Type::Bool => "bool".into(),
        Type::Number => "number".into(),
        Type::String => "string".into(),
        Type::Dynamic => "a value".into(),
        Type::List(_) | Type::Set(_) => "list".into(),
        Type::Tuple(items) => format!("a list of {}", items.len()),
        Type::Map(_) | Type::Object(..) => "struct".into(),
    }
}

#[cfg(test)]
mod tests;
