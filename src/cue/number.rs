//! Decimal numbers as the language computes with them: exact integers, 34 digits otherwise, half
//! up.

mod arith;
mod coefficient;
mod decimal;
mod float;
mod format;
mod functions;
mod integer;
mod parse;

#[cfg(test)]
mod tests;

pub use arith::{ArithmeticError, PRECISION};
pub use coefficient::Coefficient;
pub use decimal::{Decimal, Form};
pub use parse::{LiteralError, Multiplier, parse_decimal, parse_literal};

/// Which of the two disjoint number types a value has; `5` and `5.0` never unify.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NumberKind {
    /// `int`: written without fraction and exponent, or the result of operations on ints only.
    Int,
    /// `float`: everything else, and every result of `/`.
    Float,
}

/// A number value: its type and its decimal, which keeps the scale it was written with.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Number {
    /// The number type.
    pub kind: NumberKind,
    /// The decimal, never normalised (`1.50` keeps two fraction digits).
    pub value: Decimal,
}

impl Number {
    /// An integer.
    pub fn int(value: i64) -> Self {
        Self {
            kind: NumberKind::Int,
            value: Decimal::from_i64(value),
        }
    }

    /// A float with the shortest digits that read back as `value`.
    pub fn float(value: f64) -> Self {
        Self {
            kind: NumberKind::Float,
            value: Decimal::from_f64(value),
        }
    }

    /// A number of kind int from a decimal that is already known to be integral.
    pub fn from_int_decimal(value: Decimal) -> Self {
        Self {
            kind: NumberKind::Int,
            value,
        }
    }

    /// A decimal as library functions return it: an int if it is integral or
    /// infinite, else a float.
    pub fn from_result(value: Decimal) -> Self {
        if !value.is_finite() {
            return Self {
                kind: NumberKind::Int,
                value,
            };
        }
        match value.is_integral().then(|| value.to_integral()).flatten() {
            Some(whole) => Self {
                kind: NumberKind::Int,
                value: whole,
            },
            None => Self {
                kind: NumberKind::Float,
                value,
            },
        }
    }

    /// Whether the type is `int`.
    pub fn is_int(&self) -> bool {
        self.kind == NumberKind::Int
    }

    fn joined(&self, other: &Self) -> NumberKind {
        if self.is_int() && other.is_int() {
            NumberKind::Int
        } else {
            NumberKind::Float
        }
    }

    /// `a + b`. Fails on an exponent out of range.
    pub fn add(&self, other: &Self) -> Result<Self, ArithmeticError> {
        Ok(Self {
            kind: self.joined(other),
            value: self.value.add(&other.value)?,
        })
    }

    /// `a - b`. Fails on an exponent out of range.
    pub fn sub(&self, other: &Self) -> Result<Self, ArithmeticError> {
        Ok(Self {
            kind: self.joined(other),
            value: self.value.sub(&other.value)?,
        })
    }

    /// `a * b`. Fails on an exponent out of range.
    pub fn mul(&self, other: &Self) -> Result<Self, ArithmeticError> {
        Ok(Self {
            kind: self.joined(other),
            value: self.value.mul(&other.value)?,
        })
    }

    /// `a / b`, always a float. Fails on a zero divisor or an exponent out of range.
    pub fn quo(&self, other: &Self) -> Result<Self, ArithmeticError> {
        Ok(Self {
            kind: NumberKind::Float,
            value: self.value.quo_reduced(&other.value)?,
        })
    }

    /// The unary minus: exact; minus zero is zero.
    pub fn neg(&self) -> Self {
        Self {
            kind: self.kind,
            value: self.value.negated(),
        }
    }

    /// Euclidean division `div(a, b)`. `None` on a zero divisor.
    pub fn int_div(&self, other: &Self) -> Option<Self> {
        self.value.int_div(&other.value).map(Self::from_int_decimal)
    }

    /// Euclidean remainder `mod(a, b)`, never negative. `None` on a zero divisor.
    pub fn int_mod(&self, other: &Self) -> Option<Self> {
        self.value.int_mod(&other.value).map(Self::from_int_decimal)
    }

    /// Truncated division `quo(a, b)`. `None` on a zero divisor.
    pub fn int_quo(&self, other: &Self) -> Option<Self> {
        self.value.int_quo(&other.value).map(Self::from_int_decimal)
    }

    /// Truncated remainder `rem(a, b)`, with the sign of `a`. `None` on a zero divisor.
    pub fn int_rem(&self, other: &Self) -> Option<Self> {
        self.value.int_rem(&other.value).map(Self::from_int_decimal)
    }

    /// The text of the value as JSON, interpolation and messages show it (`1E+3`, `1.50`).
    pub fn text(&self) -> String {
        self.value.to_scientific()
    }

    /// The token of the value in a synthesised syntax tree: a float without point or exponent
    /// gets a
    /// trailing point (`1001.`), which the formatter completes to `1001.0` and YAML prints as it
    /// is.
    pub fn token(&self) -> String {
        let mut text = self.text();
        if self.kind == NumberKind::Float && !text.contains(['e', 'E', '.']) {
            text.push('.');
        }
        text
    }
}
