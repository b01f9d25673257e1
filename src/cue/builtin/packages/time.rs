//! `time`: times and durations as texts, in the layouts of Go.

use crate::builtin::call::Call;
use crate::builtin::host::{Data, Failure, Outcome};
use crate::builtin::kind::Kind;
use crate::builtin::quote::quote_go;
use crate::builtin::registry::{Function, INT, Package, STRING, function};

mod civil;
mod constants;
mod duration;
mod layout;

use civil::Moment;

const RFC3339_NANO: &str = "2006-01-02T15:04:05.999999999Z07:00";

pub(super) static PACKAGE: Package = Package {
    path: "time",
    functions: FUNCTIONS,
    constants: constants::ALL,
    source: "",
};

static FUNCTIONS: &[Function] = &[
    function("Duration", &[STRING], Kind::BOOL, |c| {
        duration::parse(&c.string(0)?)
            .map(|_| true.into())
            .or_else(Failure::fatal)
    }),
    function("FormatDuration", &[INT], Kind::STRING, |c| {
        Ok(duration::format(c.int(0)?).into())
    }),
    function("ParseDuration", &[STRING], Kind::INT, |c| {
        duration::parse(&c.string(0)?)
            .map(Data::from)
            .or_else(Failure::fatal)
    }),
    function("Time", &[STRING], Kind::BOOL, |c| {
        is_time(&c.string(0)?, RFC3339_NANO)
    }),
    function("Format", &[STRING, STRING], Kind::BOOL, |c| {
        let (value, layout) = (c.string(0)?, c.string(1)?);
        is_time(&value, &layout)
    }),
    function("FormatString", &[STRING, STRING], Kind::STRING, |c| {
        let (layout, value) = (c.string(0)?, c.string(1)?);
        Ok(layout::format(&moment(&value, RFC3339_NANO)?, &layout).into())
    }),
    function("Parse", &[STRING, STRING], Kind::STRING, |c| {
        let (layout, value) = (c.string(0)?, c.string(1)?);
        Ok(layout::format(&moment(&value, &layout)?.in_utc(), RFC3339_NANO).into())
    }),
    function("Unix", &[INT, INT], Kind::STRING, |c| {
        let (seconds, nanos) = (c.int(0)?, c.int(1)?);
        let seconds = seconds.wrapping_add(nanos.div_euclid(1_000_000_000));
        let moment = Moment::from_unix(seconds, nanos.rem_euclid(1_000_000_000) as u32);
        Ok(layout::format(&moment, RFC3339_NANO).into())
    }),
    function("ToUnix", &[STRING], Kind::INT, |c| {
        Ok(moment(&c.string(0)?, RFC3339_NANO)?.unix().into())
    }),
    function("ToUnixNano", &[STRING], Kind::INT, |c| {
        let moment = moment(&c.string(0)?, RFC3339_NANO)?;
        let nanos = moment.unix().wrapping_mul(1_000_000_000);
        Ok(nanos.wrapping_add(i64::from(moment.nanosecond)).into())
    }),
    function("Split", &[STRING], Kind::STRUCT, split),
];

fn moment(value: &str, layout: &str) -> Result<Moment, Failure> {
    layout::parse(value, layout).or_else(|e| Failure::fatal(e.to_string()))
}

fn is_time(value: &str, layout: &str) -> Outcome {
    match layout::parse(value, layout) {
        Ok(_) => Ok(true.into()),
        Err(_) => Failure::fatal(format!("invalid time {}", quote_go(value))),
    }
}

fn split(c: &mut Call<'_>) -> Outcome {
    let m = moment(&c.string(0)?, RFC3339_NANO)?;
    let field = |name: &str, value: i64| (name.to_owned(), Data::from(value));
    Ok(Data::Struct(vec![
        field("year", m.year),
        field("month", i64::from(m.month)),
        field("day", i64::from(m.day)),
        field("hour", i64::from(m.hour)),
        field("minute", i64::from(m.minute)),
        field("second", i64::from(m.second)),
        field("nanosecond", i64::from(m.nanosecond)),
    ]))
}
