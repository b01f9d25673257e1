//! `time`: times and durations as texts, in the layouts of Go.

use crate::builtin::call::Call;
use crate::builtin::host::{Data, Failure, Outcome};
use crate::builtin::kind::Kind;
use crate::builtin::quote::quote_go;
use crate::builtin::registry::{INT, Member, Package, STRING, constant, function};

mod civil;
mod duration;
mod layout;

use civil::Moment;

const RFC3339_NANO: &str = "2006-01-02T15:04:05.999999999Z07:00";

pub(super) static PACKAGE: Package = Package {
    path: "time",
    members: MEMBERS,
    source: "",
};

static MEMBERS: &[Member] = &[
    constant("Nanosecond", "1"),
    constant("Microsecond", "1000"),
    constant("Millisecond", "1000000"),
    constant("Second", "1000000000"),
    constant("Minute", "60000000000"),
    constant("Hour", "3600000000000"),
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
    constant("ANSIC", "\"Mon Jan _2 15:04:05 2006\""),
    constant("UnixDate", "\"Mon Jan _2 15:04:05 MST 2006\""),
    constant("RubyDate", "\"Mon Jan 02 15:04:05 -0700 2006\""),
    constant("RFC822", "\"02 Jan 06 15:04 MST\""),
    constant("RFC822Z", "\"02 Jan 06 15:04 -0700\""),
    constant("RFC850", "\"Monday, 02-Jan-06 15:04:05 MST\""),
    constant("RFC1123", "\"Mon, 02 Jan 2006 15:04:05 MST\""),
    constant("RFC1123Z", "\"Mon, 02 Jan 2006 15:04:05 -0700\""),
    constant("RFC3339", "\"2006-01-02T15:04:05Z07:00\""),
    constant("RFC3339Nano", "\"2006-01-02T15:04:05.999999999Z07:00\""),
    constant("RFC3339Date", "\"2006-01-02\""),
    constant("Kitchen", "\"3:04PM\""),
    constant("Kitchen24", "\"15:04\""),
    constant("January", "1"),
    constant("February", "2"),
    constant("March", "3"),
    constant("April", "4"),
    constant("May", "5"),
    constant("June", "6"),
    constant("July", "7"),
    constant("August", "8"),
    constant("September", "9"),
    constant("October", "10"),
    constant("November", "11"),
    constant("December", "12"),
    constant("Sunday", "0"),
    constant("Monday", "1"),
    constant("Tuesday", "2"),
    constant("Wednesday", "3"),
    constant("Thursday", "4"),
    constant("Friday", "5"),
    constant("Saturday", "6"),
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
