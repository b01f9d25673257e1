//! One call: checked arguments, and their conversion to what the function works on.

use super::host::{Data, Elements, Failure, Handle, Host, Place, Purpose, Scalar};
use super::kind::Kind;
use super::registry::Function;
use crate::number::{Decimal, Number};
use num_bigint::BigInt;

/// Kinds of values with members.
const COMPOSITE: Kind = Kind(Kind::LIST.0 | Kind::STRUCT.0);

type Converted<T> = Result<T, Failure>;

/// The arguments of a running call.
pub struct Call<'a> {
    /// The evaluator.
    pub host: &'a mut dyn Host,
    /// The function.
    pub function: &'static Function,
    /// All arguments, also those that the caller left out.
    pub arguments: Vec<Handle>,
    /// Whether the function is used as a validator, the checked value being the first argument.
    pub validator: bool,
}

impl Call<'_> {
    /// The argument as the evaluator has it.
    pub fn handle(&self, i: usize) -> Handle {
        self.arguments.get(i).copied().unwrap_or(Handle(u64::MAX))
    }

    /// Fails if so many parts of a size are more than a result may have.
    pub fn room(&mut self, count: usize, size: usize) -> Converted<()> {
        let bytes = count.saturating_mul(size);
        if self.host.has_room(bytes) {
            return Ok(());
        }
        Err(Failure::Fatal(format!(
            "result of {bytes} bytes is too large"
        )))
    }

    /// The argument, which must be concrete.
    pub fn concrete(&mut self, i: usize) -> Converted<Handle> {
        let handle = self.handle(i);
        if let Some(error) = self.host.error(handle) {
            return Err(Failure::Error(error));
        }
        self.host.settle(handle);
        let concrete = self.host.kind(handle) == Kind::FUNC
            || self.host.scalar(handle).is_some()
            || (self.host.kind(handle).within(COMPOSITE)
                && (self.host.shape(handle).is_some()
                    || self
                        .host
                        .elements(handle)
                        .map_err(Failure::Error)?
                        .is_some()));
        if concrete {
            Ok(handle)
        } else {
            if self.host.kind(handle).within(COMPOSITE) {
                self.host.validate(handle)?;
            }
            Err(Failure::Incomplete(format!("non-concrete argument {i}")))
        }
    }

    /// The argument as data, after all errors in it were looked for.
    pub fn valid_data(&mut self, i: usize, purpose: Purpose) -> Converted<Data> {
        let handle = self.concrete(i)?;
        self.host.validate(handle)?;
        self.host.data(handle, purpose)
    }

    /// A failure for good that names where a value was written.
    pub fn unfit(&mut self, text: impl Into<String>, at: Handle) -> Failure {
        let error = self.host.fault(text.into(), Place::Value(at), false);
        Failure::Error(error)
    }

    /// A failure that more information could remove, and the value that lacks it.
    pub fn lacking(&mut self, text: impl Into<String>, at: Handle) -> Failure {
        let error = self.host.fault(text.into(), Place::Value(at), true);
        Failure::Error(error)
    }

    /// What is said of a value that is not of the kinds that are asked for.
    pub fn misfit(&mut self, value: Handle, kinds: Kind) -> Failure {
        let kind = self.host.kind(value);
        if kind.meets(kinds) {
            return self.lacking(format!("non-concrete value {kind}"), value);
        }
        let text = self.host.text(value);
        self.unfit(
            format!("cannot use value {text} (type {kind}) as {kinds}"),
            value,
        )
    }

    fn wrong_type(&mut self, i: usize, wanted: &str, cause: Option<String>) -> Failure {
        let handle = self.handle(i);
        if let Some(error) = self.host.error(handle) {
            return Failure::Error(error);
        }
        let (text, kind) = (self.host.text(handle), self.host.kind(handle));
        let cause = cause.map_or_else(String::new, |c| format!(": {c}"));
        let text = format!("cannot use {text} (type {kind}) as {wanted} in argument {i}{cause}");
        Failure::Error(self.host.placed_fault(text, Some(handle), false))
    }

    fn scalar(&mut self, i: usize, kinds: Kind, wanted: &str) -> Converted<Scalar> {
        let handle = self.handle(i);
        if let Some(error) = self.host.error(handle) {
            return Err(Failure::Error(error));
        }
        if let Some(scalar) = self.host.scalar(handle) {
            return Ok(scalar);
        }
        let kind = self.host.kind(handle);
        if kind.meets(kinds) {
            return Err(self.lacking(format!("non-concrete value {kind}"), handle));
        }
        let text = self.host.text(handle);
        let cause = format!("cannot use value {text} (type {kind}) as {kinds}");
        Err(self.wrong_type(i, wanted, Some(cause)))
    }

    /// A string.
    pub fn string(&mut self, i: usize) -> Converted<String> {
        match self.scalar(i, Kind::STRING, "string")? {
            Scalar::String(text) => Ok(text),
            _ => Err(self.wrong_type(i, "string", None)),
        }
    }

    /// Bytes, or the bytes of a string.
    pub fn bytes(&mut self, i: usize) -> Converted<Vec<u8>> {
        match self.scalar(i, Kind(Kind::STRING.0 | Kind::BYTES.0), "bytes")? {
            Scalar::String(text) => Ok(text.into_bytes()),
            Scalar::Bytes(bytes) => Ok(bytes),
            _ => Err(self.wrong_type(i, "bytes", None)),
        }
    }

    /// Bytes as a text, each run of invalid ones one replacement character.
    pub fn text(&mut self, i: usize) -> Converted<String> {
        Ok(String::from_utf8_lossy(&self.bytes(i)?).into_owned())
    }

    /// A bool.
    pub fn bool(&mut self, i: usize) -> Converted<bool> {
        match self.scalar(i, Kind::BOOL, "bool")? {
            Scalar::Bool(value) => Ok(value),
            _ => Err(self.wrong_type(i, "bool", None)),
        }
    }

    /// A number.
    pub fn number(&mut self, i: usize) -> Converted<Number> {
        match self.scalar(i, Kind::NUMBER, "Decimal")? {
            Scalar::Number(number) => Ok(number),
            _ => Err(self.wrong_type(i, "Decimal", None)),
        }
    }

    /// The decimal of a number.
    pub fn decimal(&mut self, i: usize) -> Converted<Decimal> {
        Ok(self.number(i)?.value)
    }

    /// A number as a 64-bit float; one that is too large fails.
    pub fn float(&mut self, i: usize) -> Converted<f64> {
        let number = match self.scalar(i, Kind::NUMBER, "float64")? {
            Scalar::Number(number) => number,
            _ => return Err(self.wrong_type(i, "float64", None)),
        };
        let value = number.value.to_f64();
        if value.is_infinite() && number.value.is_finite() {
            let way = if value > 0.0 {
                "value was rounded up"
            } else {
                "value was rounded down"
            };
            return Err(self.wrong_type(i, "float64", Some(way.to_owned())));
        }
        Ok(value)
    }

    fn integer(&mut self, i: usize, wanted: &str) -> Converted<BigInt> {
        match self.scalar(i, Kind::INT, wanted)? {
            Scalar::Number(number) if number.is_int() => match number.value.to_bigint() {
                Some(value) => Ok(value),
                None => Err(self.wrong_type(i, wanted, None)),
            },
            _ => Err(self.wrong_type(i, wanted, None)),
        }
    }

    /// An integer of any size.
    pub fn bigint(&mut self, i: usize) -> Converted<BigInt> {
        self.integer(i, "int")
    }

    fn sized(&mut self, i: usize, bits: u64, name: &str) -> Converted<i64> {
        let value = self.integer(i, name)?;
        match i64::try_from(&value) {
            Ok(small) if value.bits() <= bits => Ok(small),
            _ if value.bits() <= bits => Ok(nearest(&value)),
            _ => Err(self.overflow(&value, i, name)),
        }
    }

    fn overflow(&mut self, value: &BigInt, i: usize, name: &str) -> Failure {
        let text = format!("int {value} overflows {name} in argument {i}");
        Failure::Error(self.host.placed_fault(text, None, false))
    }

    /// An integer of 64 bits.
    pub fn int(&mut self, i: usize) -> Converted<i64> {
        self.sized(i, 64, "int64")
    }

    /// An integer of 32 bits.
    pub fn int32(&mut self, i: usize) -> Converted<i64> {
        self.sized(i, 32, "int32")
    }

    /// A code point; any integer of 32 bits.
    pub fn rune(&mut self, i: usize) -> Converted<i64> {
        self.sized(i, 32, "rune")
    }

    /// An integer that is not negative, of 64 bits.
    pub fn uint(&mut self, i: usize) -> Converted<u64> {
        let value = self.integer(i, "uint64")?;
        if value.sign() == num_bigint::Sign::Minus {
            return Err(self.wrong_type(i, "uint64", None));
        }
        match u64::try_from(&value) {
            Ok(small) => Ok(small),
            Err(_) => Err(self.overflow(&value, i, "uint64")),
        }
    }

    /// A list with its openness.
    pub fn elements(&mut self, i: usize) -> Converted<Elements> {
        let handle = self.handle(i);
        if let Some(elements) = self.host.elements(handle).map_err(Failure::Error)? {
            return Ok(elements);
        }
        if let Some(error) = self.host.error(handle) {
            return Err(Failure::Error(error));
        }
        if self.host.kind(handle).meets(Kind::LIST) {
            return Err(Failure::Incomplete(format!(
                "non-concrete list for argument {i}"
            )));
        }
        Err(self.wrong_type(i, "list", None))
    }

    /// The elements of a list.
    pub fn list(&mut self, i: usize) -> Converted<Vec<Handle>> {
        let handle = self.handle(i);
        if self.host.error(handle).is_none()
            && self
                .host
                .elements(handle)
                .map_err(Failure::Error)?
                .is_none()
        {
            let kind = self.host.kind(handle);
            if kind.meets(Kind::LIST) {
                return Err(self.lacking(format!("non-concrete value {kind}"), handle));
            }
        }
        Ok(self.elements(i)?.items)
    }

    fn typed_list<T>(
        &mut self,
        i: usize,
        kinds: Kind,
        name: &str,
        take: impl Fn(Scalar) -> Option<T>,
    ) -> Converted<Vec<T>> {
        let items = self.elements(i)?.items;
        let mut out = Vec::with_capacity(items.len());
        for (j, item) in items.into_iter().enumerate() {
            if let Some(error) = self.host.error(item) {
                if self.host.is_incomplete(error) {
                    return Err(Failure::Error(error));
                }
                continue;
            }
            if let Some(value) = self.host.scalar(item).and_then(&take) {
                out.push(value);
                continue;
            }
            let (text, kind) = (self.host.text(item), self.host.kind(item));
            let incomplete = kind.meets(kinds);
            let text = if incomplete {
                format!("non-concrete value {text} for element {j} of {name} list argument {i}")
            } else {
                format!(
                    "invalid list element {j} in argument {i} to call: cannot use value {text} ({kind}) as {name}"
                )
            };
            let error = self.host.placed_fault(text, Some(item), incomplete);
            return Err(Failure::Error(error));
        }
        Ok(out)
    }

    /// A list of strings.
    pub fn strings(&mut self, i: usize) -> Converted<Vec<String>> {
        self.typed_list(i, Kind::STRING, "string", |s| match s {
            Scalar::String(text) => Some(text),
            _ => None,
        })
    }

    /// A list of numbers.
    pub fn decimals(&mut self, i: usize) -> Converted<Vec<Decimal>> {
        self.typed_list(i, Kind::NUMBER, "number", |s| match s {
            Scalar::Number(number) => Some(number.value),
            _ => None,
        })
    }

    /// The argument as data, everything in it concrete.
    pub fn data(&mut self, i: usize) -> Converted<Data> {
        let handle = self.concrete(i)?;
        self.host.data(handle, Purpose::Json)
    }
}

/// The nearest integer of 64 bits to one that is beyond them.
fn nearest(value: &BigInt) -> i64 {
    if value.sign() == num_bigint::Sign::Minus {
        i64::MIN
    } else {
        i64::MAX
    }
}
