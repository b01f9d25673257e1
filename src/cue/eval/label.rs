//! Labels of fields as numbers, and the texts behind them.

use crate::syntax::names::{Name, Names};

/// What a label is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum LabelKind {
    /// No label: the root, or the blank name.
    None,
    /// A regular field.
    String,
    /// An element of a list.
    Int,
    /// `#x`.
    Definition,
    /// `_x`, private to its package.
    Hidden,
    /// `_#x`, private to its package.
    HiddenDefinition,
    /// A `let`, unique per declaration.
    Let,
}

const KINDS: [LabelKind; 7] = [
    LabelKind::None,
    LabelKind::String,
    LabelKind::Int,
    LabelKind::Definition,
    LabelKind::Hidden,
    LabelKind::HiddenDefinition,
    LabelKind::Let,
];

const BITS: u32 = 28;

/// Largest index of a list element.
pub const MAX_INDEX: i64 = (1 << BITS) - 2;

/// A label: its kind and the number of its text, or the index of a list element.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Label(u32);

impl Label {
    /// No label.
    pub const NONE: Label = Label(0);

    fn new(kind: LabelKind, index: u32) -> Label {
        Label((kind as u32) << BITS | index & ((1 << BITS) - 1))
    }

    /// A number that no other label has.
    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    /// The label of a list element. The index is below [`MAX_INDEX`].
    pub fn index_of(index: usize) -> Label {
        Label::new(LabelKind::Int, index as u32)
    }

    /// The label of a regular field.
    pub fn string(name: Name) -> Label {
        Label::new(LabelKind::String, name.0)
    }

    /// The kind.
    pub fn kind(self) -> LabelKind {
        KINDS[(self.0 >> BITS) as usize % KINDS.len()]
    }

    /// Index of a list element, or number of the text.
    pub fn index(self) -> usize {
        (self.0 & ((1 << BITS) - 1)) as usize
    }

    /// The number of the text; meaningless for list elements.
    pub fn name(self) -> Name {
        Name(self.index() as u32)
    }

    /// Whether this is a string label.
    pub fn is_string(self) -> bool {
        self.kind() == LabelKind::String
    }

    /// Whether this is the label of a list element.
    pub fn is_int(self) -> bool {
        self.kind() == LabelKind::Int
    }

    /// Whether this is a string or list label.
    pub fn is_regular(self) -> bool {
        self.is_string() || self.is_int()
    }

    /// Whether this is `#x` or `_#x`.
    pub fn is_definition(self) -> bool {
        matches!(
            self.kind(),
            LabelKind::Definition | LabelKind::HiddenDefinition
        )
    }

    /// Whether this is `_x` or `_#x`.
    pub fn is_hidden(self) -> bool {
        matches!(self.kind(), LabelKind::Hidden | LabelKind::HiddenDefinition)
    }

    /// Whether this is the label of a `let`.
    pub fn is_let(self) -> bool {
        self.kind() == LabelKind::Let
    }

    /// Whether closedness never refuses the label.
    pub(crate) fn always_allowed(self) -> bool {
        !self.is_regular() && self != Label::NONE
    }
}

/// The label that an identifier declares. `package` is the id of the package for hidden names.
pub(crate) fn identifier(names: &mut Names, name: Name, package: &str) -> Label {
    if !matches!(names.first(name), b'_' | b'#') {
        return Label::string(name);
    }
    let text = names.get(name);
    let kind = if text == "_" {
        return Label::NONE;
    } else if text.starts_with("_#") {
        LabelKind::HiddenDefinition
    } else if text.starts_with('#') {
        return Label::new(LabelKind::Definition, name.0);
    } else {
        LabelKind::Hidden
    };
    let full = format!("{text}\0{package}");
    let name = names.intern(&full);
    Label::new(kind, name.0)
}

/// A label for a `let` that no other `let` has.
pub(crate) fn unique_let(names: &mut Names, name: Name, number: u32) -> Label {
    let full = format!("{}\0{number:X}", names.get(name));
    let name = names.intern(&full);
    Label::new(LabelKind::Let, name.0)
}

/// The text of a label without package, unquoted; for list elements the index.
pub fn text(names: &Names, label: Label) -> String {
    match label.kind() {
        LabelKind::None => "_".into(),
        LabelKind::Int => label.index().to_string(),
        LabelKind::String | LabelKind::Definition => names.get(label.name()).into(),
        _ => {
            let full = names.get(label.name());
            full.split('\0').next().unwrap_or_default().into()
        }
    }
}

/// What follows the name of a hidden label or a let: the id of the package, or a number.
pub fn suffix(names: &Names, label: Label) -> &str {
    match label.kind() {
        LabelKind::Hidden | LabelKind::HiddenDefinition | LabelKind::Let => names
            .get(label.name())
            .split_once('\0')
            .map_or("", |(_, s)| s),
        _ => "",
    }
}

/// A label that prints as a text is; for the paths of errors found while names are resolved.
pub(crate) fn verbatim(name: Name) -> Label {
    Label::new(LabelKind::Let, name.0)
}

/// The form of a text that labels are compared in: NFC.
pub(crate) fn normalised(text: &str) -> std::borrow::Cow<'_, str> {
    use unicode_normalization::UnicodeNormalization;
    if text.is_ascii() {
        text.into()
    } else {
        text.nfc().collect::<String>().into()
    }
}
