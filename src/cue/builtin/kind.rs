//! Kinds of values as sets, with the names that messages use.

use std::fmt;

/// A set of kinds of values. The empty set is the kind of an error.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
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
    /// A list.
    pub const LIST: Kind = Kind(1 << 7);
    /// A struct.
    pub const STRUCT: Kind = Kind(1 << 8);
    /// `int` and `float`.
    pub const NUMBER: Kind = Kind(Self::INT.0 | Self::FLOAT.0);
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
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:b}", self.0)
    }
}
