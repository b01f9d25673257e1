//! Kinds of values as sets, and operators as the evaluator sees them.

use std::fmt;

/// A set of kinds of values. The empty set is the kind of an error.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Kind(pub u16);

impl Kind {
    /// No kind: an error.
    pub const BOTTOM: Kind = Kind(0);
    /// `null`.
    pub const NULL: Kind = Kind(1);
    /// `bool`.
    pub const BOOL: Kind = Kind(1 << 1);
    /// `int`.
    pub const INT: Kind = Kind(1 << 2);
    /// `float`.
    pub const FLOAT: Kind = Kind(1 << 3);
    /// `string`.
    pub const STRING: Kind = Kind(1 << 4);
    /// `bytes`.
    pub const BYTES: Kind = Kind(1 << 5);
    /// A function.
    pub const FUNC: Kind = Kind(1 << 6);
    /// A list.
    pub const LIST: Kind = Kind(1 << 7);
    /// A struct.
    pub const STRUCT: Kind = Kind(1 << 8);
    /// `int` and `float`.
    pub const NUMBER: Kind = Kind(Self::INT.0 | Self::FLOAT.0);
    /// Structs and lists.
    pub const COMPOSITE: Kind = Kind(Self::LIST.0 | Self::STRUCT.0);
    /// Everything.
    pub const TOP: Kind = Kind((1 << 9) - 1);

    /// Whether both sets share a kind.
    pub fn meets(self, other: Kind) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether all kinds of this set are in the other.
    pub fn within(self, other: Kind) -> bool {
        self.0 & !other.0 == 0
    }

    /// This set without the kinds of the other.
    pub fn without(self, other: Kind) -> Kind {
        Kind(self.0 & !other.0)
    }

    /// Number of kinds.
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The names of the single kinds, `int` and `float` together as `number` at the end.
    pub fn names(self) -> Vec<&'static str> {
        const NAMES: [(Kind, &str); 9] = [
            (Kind::NULL, "null"),
            (Kind::BOOL, "bool"),
            (Kind::INT, "int"),
            (Kind::FLOAT, "float"),
            (Kind::STRING, "string"),
            (Kind::BYTES, "bytes"),
            (Kind::FUNC, "func"),
            (Kind::LIST, "list"),
            (Kind::STRUCT, "struct"),
        ];
        let number = Kind::NUMBER.within(self);
        let rest = if number {
            self.without(Kind::NUMBER)
        } else {
            self
        };
        let mut out: Vec<_> = NAMES
            .iter()
            .filter(|(k, _)| rest.meets(*k))
            .map(|(_, n)| *n)
            .collect();
        if number {
            out.push("number");
        }
        out
    }
}

impl std::ops::BitAnd for Kind {
    type Output = Kind;
    fn bitand(self, other: Kind) -> Kind {
        Kind(self.0 & other.0)
    }
}

impl std::ops::BitOr for Kind {
    type Output = Kind;
    fn bitor(self, other: Kind) -> Kind {
        Kind(self.0 | other.0)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Kind::BOTTOM => f.write_str("_|_"),
            Kind::TOP => f.write_str("_"),
            k => {
                let names = k.names();
                match names.as_slice() {
                    [one] => f.write_str(one),
                    _ => write!(f, "({})", names.join("|")),
                }
            }
        }
    }
}

/// How present a field is. The order is the order of presence: the smaller wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ArcType {
    /// A field with a value.
    Member,
    /// `a!: x` that nothing provided.
    Required,
    /// `a?: x` that nothing provided.
    Optional,
    /// A label that a comprehension may still add.
    Pending,
    /// A pending label that was never added.
    NotPresent,
}

impl ArcType {
    /// The mark printed after the label.
    pub fn suffix(self) -> &'static str {
        match self {
            ArcType::Member => "",
            ArcType::Required => "!",
            ArcType::Optional => "?",
            ArcType::Pending => "*",
            ArcType::NotPresent => "-",
        }
    }
}

/// Class of an error; the lower one wins where two meet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Code {
    /// A conflict of values.
    Eval,
    /// `error("...")`.
    User,
    /// The literal `_|_`.
    Literal,
    /// A structure that contains itself.
    Structural,
    /// Something is not known yet.
    Incomplete,
    /// A value needs itself.
    Cycle,
}

impl Code {
    /// Whether more information could still remove the error.
    pub fn is_incomplete(self) -> bool {
        self >= Code::Incomplete
    }
}
