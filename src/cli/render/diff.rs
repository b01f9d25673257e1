//! The lines of one change: attributes before and after, with the glyph of each line.
//!
//! Columns 1 to 3 hold the glyph, right-aligned; content starts at column 5 and goes in by 4 for
//! each level.

use super::lines::{self, Lists};
use super::text;
use pravo_state::{AttributeKind, Block, Data, Nesting, Type};
use std::collections::BTreeSet;

/// What happens to the part of a value that a line stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Glyph {
    /// It stays.
    None,
    /// It appears.
    Add,
    /// It changes.
    Change,
    /// It goes.
    Remove,
}

impl Glyph {
    /// The three columns of the glyph.
    pub(crate) fn columns(self) -> &'static str {
        match self {
            Self::None => "   ",
            Self::Add => "  +",
            Self::Change => "  ~",
            Self::Remove => "  -",
        }
    }
}

/// One line of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// What happens to it.
    pub(crate) glyph: Glyph,
    /// How many levels it goes in.
    pub(crate) depth: usize,
    /// Its content.
    pub(crate) text: String,
}

/// What a schema says of the part of a value that is being rendered.
#[derive(Clone, Copy)]
pub(crate) enum Shape<'a> {
    /// Nothing.
    Plain,
    /// The attributes and blocks of a type.
    Block(&'a Block),
    /// An attribute of a type or of a nested object.
    Attribute(&'a pravo_state::Attribute),
    /// Nested attributes: one element of them.
    Nested(&'a [pravo_state::Attribute]),
    /// A nested block, as often as it occurs.
    Blocks(&'a pravo_state::NestedBlock),
    /// A value of a type.
    Typed(&'a Type),
}

impl<'a> Shape<'a> {
    fn sensitive(self) -> bool {
        matches!(self, Self::Attribute(attribute) if attribute.sensitive)
    }

    /// Whether the value or any part of it is sensitive.
    pub(crate) fn holds_sensitive(self) -> bool {
        let any = |attributes: &'a [pravo_state::Attribute]| {
            attributes
                .iter()
                .any(|a| Self::Attribute(a).holds_sensitive())
        };
        match self {
            Self::Attribute(attribute) if attribute.sensitive => true,
            Self::Attribute(attribute) => match &attribute.kind {
                AttributeKind::Nested(_, attributes) => any(attributes),
                AttributeKind::Value(_) => false,
            },
            Self::Nested(attributes) => any(attributes),
            Self::Block(block) => {
                any(&block.attributes)
                    || block
                        .blocks
                        .iter()
                        .any(|nested| Self::Blocks(nested).holds_sensitive())
            }
            Self::Blocks(nested) => Self::Block(&nested.block).holds_sensitive(),
            Self::Plain | Self::Typed(_) => false,
        }
    }

    fn write_only(self) -> bool {
        matches!(self, Self::Attribute(attribute) if attribute.write_only)
    }

    /// Whether the value is a set, whose elements have no place.
    fn is_set(self) -> bool {
        match self {
            Self::Attribute(attribute) => matches!(
                attribute.kind,
                AttributeKind::Value(Type::Set(_)) | AttributeKind::Nested(Nesting::Set, _)
            ),
            Self::Blocks(nested) => nested.nesting == Nesting::Set,
            Self::Typed(kind) => matches!(kind, Type::Set(_)),
            _ => false,
        }
    }

    /// The shape of the entry or attribute of that name.
    pub(crate) fn field(self, name: &str) -> Shape<'a> {
        match self {
            Self::Block(block) => block_field(block, name),
            Self::Nested(attributes) => attributes
                .iter()
                .find(|a| a.name == name)
                .map_or(Self::Plain, Self::Attribute),
            Self::Attribute(attribute) => match &attribute.kind {
                AttributeKind::Value(kind) => Self::Typed(kind).field(name),
                AttributeKind::Nested(Nesting::Map, attributes) => Self::Nested(attributes),
                AttributeKind::Nested(_, attributes) => Self::Nested(attributes).field(name),
            },
            Self::Blocks(nested) if nested.nesting == Nesting::Map => Self::Block(&nested.block),
            Self::Blocks(nested) => Self::Block(&nested.block).field(name),
            Self::Typed(Type::Map(inner)) => Self::Typed(inner),
            Self::Typed(Type::Object(attributes, _)) => {
                attributes.get(name).map_or(Self::Plain, Self::Typed)
            }
            Self::Typed(_) | Self::Plain => Self::Plain,
        }
    }

    /// The shape of an element of a list or set.
    pub(crate) fn element(self, index: usize) -> Shape<'a> {
        match self {
            Self::Attribute(attribute) => match &attribute.kind {
                AttributeKind::Value(kind) => Self::Typed(kind).element(index),
                AttributeKind::Nested(_, attributes) => Self::Nested(attributes),
            },
            Self::Blocks(nested) => Self::Block(&nested.block),
            Self::Typed(Type::List(inner) | Type::Set(inner)) => Self::Typed(inner),
            Self::Typed(Type::Tuple(kinds)) => kinds.get(index).map_or(Self::Plain, Self::Typed),
            _ => Self::Plain,
        }
    }
}

fn block_field<'a>(block: &'a Block, name: &str) -> Shape<'a> {
    if let Some(attribute) = block.attribute(name) {
        return Shape::Attribute(attribute);
    }
    block.nested(name).map_or(Shape::Plain, Shape::Blocks)
}

/// Where a value stands: what the schema says of it, its path in CUE's form, how far it goes in,
/// and what stands before it (`name: `) and behind it (a comma) on its line.
#[derive(Clone, Copy)]
pub(crate) struct Place<'p, 'a> {
    /// What the schema says of it.
    pub(crate) shape: Shape<'a>,
    /// Its path below the node.
    pub(crate) path: &'p str,
    /// How many levels it goes in.
    pub(crate) depth: usize,
    /// What stands before it.
    pub(crate) head: &'p str,
    /// What stands behind it.
    pub(crate) tail: &'p str,
}

/// Renders one value after another into lines.
pub(crate) struct Differ {
    /// The lines so far.
    pub(crate) lines: Vec<Line>,
    /// Paths that force a replacement, in CUE's form, that no line has named yet.
    pub(crate) replace: BTreeSet<String>,
    /// Whether equal fields of the object itself are left out.
    pub(crate) hide_equal: bool,
}

/// The value before and after; an absent side is a creation or a removal.
#[derive(Clone, Copy)]
pub(crate) struct Pair<'a> {
    /// What is there now.
    pub(crate) before: Option<&'a Data>,
    /// What will be there.
    pub(crate) after: Option<&'a Data>,
}

impl<'a> Pair<'a> {
    fn field(self, name: &str) -> Pair<'a> {
        Pair {
            before: self
                .before
                .map(|data| data.get(name).unwrap_or(&Data::Null)),
            after: self.after.map(|data| data.get(name).unwrap_or(&Data::Null)),
        }
    }

    fn is_null(self) -> bool {
        self.before.is_none_or(Data::is_null) && self.after.is_none_or(Data::is_null)
    }

    fn names(self) -> BTreeSet<&'a str> {
        let of = |data: Option<&'a Data>| match data.map(plain) {
            Some(Data::Map(entries)) => entries.keys().map(String::as_str).collect(),
            _ => BTreeSet::new(),
        };
        let mut names = of(self.before);
        names.extend(of(self.after));
        names
    }

    /// What the line of this pair shows in its glyph.
    pub(crate) fn glyph(self) -> Glyph {
        match (self.before, self.after) {
            (None, _) => Glyph::Add,
            (_, None) => Glyph::Remove,
            (Some(before), Some(after)) if before == after => Glyph::None,
            (Some(Data::Null), Some(_)) => Glyph::Add,
            (Some(_), Some(Data::Null)) => Glyph::Remove,
            _ => Glyph::Change,
        }
    }
}

/// The value behind a dynamic attribute.
pub(crate) fn plain(data: &Data) -> &Data {
    match data {
        Data::Dynamic(_, inner) => plain(inner),
        other => other,
    }
}

impl Differ {
    /// A differ without lines; `replace` names the paths that force a replacement.
    pub(crate) fn new(replace: BTreeSet<String>) -> Self {
        Self {
            lines: Vec::new(),
            replace,
            hide_equal: false,
        }
    }

    /// The fields of a struct or map, one after another in the order of their names.
    pub(crate) fn fields<'a>(
        &mut self,
        pair: Pair<'a>,
        shape: Shape<'a>,
        path: &str,
        depth: usize,
    ) {
        let shown: Vec<_> = pair
            .names()
            .into_iter()
            .map(|name| (name, pair.field(name)))
            .filter(|(_, pair)| !pair.is_null())
            .filter(|(_, pair)| {
                !(self.hide_equal && path.is_empty() && pair.glyph() == Glyph::None)
            })
            .collect();
        let both = pair.before.is_some() && pair.after.is_some();
        let widest = |names: &mut dyn Iterator<Item = &str>| {
            names
                .map(|name| text::label(name).chars().count())
                .max()
                .unwrap_or(0)
        };
        let width = if both {
            widest(&mut pair.names().into_iter())
        } else {
            widest(&mut shown.iter().map(|(name, _)| *name))
        } + 2;
        let in_map = is_map(shape);
        for (name, pair) in shown {
            let head = format!("{:<width$}", format!("{}:", text::label(name)));
            let path = join(path, name, in_map);
            let shape = shape.field(name);
            self.value(
                pair,
                Place {
                    shape,
                    path: &path,
                    depth,
                    head: &head,
                    tail: "",
                },
            );
        }
    }

    /// One value at its place.
    pub(crate) fn value<'a>(&mut self, pair: Pair<'a>, place: Place<'_, 'a>) {
        if place.shape.sensitive() || place.shape.write_only() {
            return self.masked(pair, place);
        }
        let glyph = pair.glyph();
        if glyph == Glyph::None {
            let shown = pair.after.map(plain).unwrap_or(&Data::Null);
            return lines::folded(self, shown, place);
        }
        match (pair.before.map(plain), pair.after.map(plain)) {
            (Some(Data::Map(_)), Some(Data::Map(_))) => self.structure(pair, place),
            (Some(Data::List(before)), Some(Data::List(after))) => {
                let set = place.shape.is_set();
                lines::changed_list(self, Lists { before, after, set }, place);
            }
            (Some(Data::String(before)), Some(Data::String(after)))
                if text::is_block(before) || text::is_block(after) =>
            {
                lines::changed_text(self, before, after, place);
            }
            (None | Some(Data::Null), Some(after)) => lines::whole(self, Glyph::Add, after, place),
            (Some(before), None | Some(Data::Null)) => {
                lines::whole(self, Glyph::Remove, before, place);
            }
            (Some(before), Some(after)) => {
                let old = text::scalar(before).unwrap_or_else(|| lines::short(before).to_owned());
                let head = format!("{}{old} -> ", place.head);
                lines::whole(
                    self,
                    glyph,
                    after,
                    Place {
                        head: &head,
                        ..place
                    },
                );
            }
            (None, None) => {}
        }
    }

    fn masked<'a>(&mut self, pair: Pair<'a>, place: Place<'_, 'a>) {
        let word = if place.shape.write_only() {
            "(write-only)"
        } else {
            "(sensitive)"
        };
        let side = |data: &Data| match plain(data) {
            Data::Unknown => "(known after apply)",
            _ => word,
        };
        let glyph = pair.glyph();
        let shown = match (pair.before, pair.after) {
            (Some(before), Some(after)) if glyph == Glyph::Change => {
                format!("{} -> {}", side(before), side(after))
            }
            (Some(before), None | Some(Data::Null)) => side(before).to_owned(),
            (_, Some(after)) => side(after).to_owned(),
            (None, None) => return,
        };
        let suffix = self.suffix(place.path);
        self.push(
            glyph,
            place.depth,
            format!("{}{shown}{}{suffix}", place.head, place.tail),
        );
    }

    fn structure<'a>(&mut self, pair: Pair<'a>, place: Place<'_, 'a>) {
        self.push(pair.glyph(), place.depth, format!("{}{{", place.head));
        self.fields(pair, place.shape, place.path, place.depth + 1);
        let suffix = self.suffix(place.path);
        self.push(
            Glyph::None,
            place.depth,
            format!("}}{}{suffix}", place.tail),
        );
    }

    /// The words of a line whose path forces a replacement; each path is named once.
    pub(crate) fn suffix(&mut self, path: &str) -> &'static str {
        if self.replace.remove(path) {
            " # forces replacement"
        } else {
            ""
        }
    }

    /// Adds a line.
    pub(crate) fn push(&mut self, glyph: Glyph, depth: usize, text: String) {
        self.lines.push(Line { glyph, depth, text });
    }
}

/// Whether the names of a value are keys of the user's own.
pub(crate) fn is_map(shape: Shape<'_>) -> bool {
    match shape {
        Shape::Attribute(attribute) => matches!(
            attribute.kind,
            AttributeKind::Value(Type::Map(_)) | AttributeKind::Nested(Nesting::Map, _)
        ),
        Shape::Blocks(nested) => nested.nesting == Nesting::Map,
        Shape::Typed(kind) => matches!(kind, Type::Map(_)),
        _ => false,
    }
}

/// The path of a field: `path.name`, or `path["name"]` for the key of a map.
pub(crate) fn join(path: &str, name: &str, in_map: bool) -> String {
    match (path.is_empty(), in_map) {
        (true, _) => text::label(name),
        (false, true) => format!("{path}[{}]", text::quote(name)),
        (false, false) => format!("{path}.{}", text::label(name)),
    }
}

#[cfg(test)]
mod tests;
