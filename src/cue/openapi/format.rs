//! Formats of numbers and strings that stand for well-known types.

use super::schema::Map;
use super::view::{self, Made};
use crate::builtin::Data;
use crate::eval::context::Evaluator;
use crate::eval::kind::Kind;
use crate::eval::library::R;
use crate::eval::vertex::VId;
use crate::number::parse_decimal;
use std::cmp::Ordering;

/// The format of a value; nothing if it has none.
pub(super) fn of(ev: &mut Evaluator, v: VId) -> R<String> {
    let wanted = Kind(Kind::NUMBER.0 | Kind::STRING.0 | Kind::BYTES.0);
    if !view::kind(ev, v).meets(wanted) {
        return Ok(String::new());
    }
    let (made, parts) = view::split(ev, v)?;
    let text = match (made, parts.as_slice()) {
        (Made::Call, [f, argument]) => {
            let (f, argument) = (view::text(ev, *f), view::text(ev, *argument));
            format!("{f} ({argument})")
        }
        (Made::Call, [f, ..]) => view::text(ev, *f),
        _ => view::text(ev, v),
    };
    Ok(named(&text).to_owned())
}

fn named(text: &str) -> &'static str {
    match text {
        "int32" | ">=-2147483648 & <=2147483647 & int" => "int32",
        "int64" | ">=-9223372036854775808 & <=9223372036854775807 & int" => "int64",
        "float64"
        | ">=-1.797693134862315708145274237317043567981e+308 & <=1.797693134862315708145274237317043567981e+308" => {
            "double"
        }
        "float32"
        | ">=-340282346638528859811704183484516925440.0 & <=340282346638528859811704183484516925440.0" => {
            "float"
        }
        "bytes" => "binary",
        "time.Time()" | "time.Time" => "date-time",
        r#"time.Format ("2006-01-02")"# => "date",
        r#"time.Format ("2006-01-02T15:04:05.999999999Z07:00")"# => "date-time",
        _ => "",
    }
}

/// Takes out the bounds that a format implies.
pub(super) fn simplify(schema: &mut Map, format: &str) {
    let (lower, upper) = match format {
        "int32" => ("-2147483648", "2147483647"),
        "int64" => ("-9223372036854775808", "9223372036854775807"),
        "float" => (
            "-3.40282346638528859811704183484516925440e+38",
            "3.40282346638528859811704183484516925440e+38",
        ),
        "double" => (
            "-1.797693134862315708145274237317043567981e+308",
            "1.797693134862315708145274237317043567981e+308",
        ),
        _ => return,
    };
    schema.0.retain(|(key, value)| match key.as_str() {
        "minimum" => !is(value, lower),
        "maximum" => !is(value, upper),
        _ => true,
    });
}

fn is(value: &Data, limit: &str) -> bool {
    match (value, parse_decimal(limit)) {
        (Data::Number(n), Some(limit)) => n.value.order(&limit) == Ordering::Equal,
        _ => false,
    }
}
