//! Go's layouts: a reference time whose parts stand for those of the value.

use super::civil::{Moment, days_in, is_leap};
use crate::builtin::quote::quote_go;
use std::fmt;

/// A part of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    LongMonth,
    Month,
    NumMonth,
    ZeroMonth,
    LongWeekday,
    Weekday,
    Day,
    UnderDay,
    ZeroDay,
    UnderYearDay,
    ZeroYearDay,
    Hour,
    Hour12,
    ZeroHour12,
    Minute,
    ZeroMinute,
    Second,
    ZeroSecond,
    LongYear,
    Year,
    UpperPm,
    LowerPm,
    ZoneName,
    /// A numeric zone: `Z` for none, colons, how many fields.
    Zone {
        utc: bool,
        colon: bool,
        fields: u8,
    },
    /// Fraction digits after a point or comma; nines drop trailing zeros.
    Fraction {
        digits: usize,
        nines: bool,
    },
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];

/// Parts by their text; those that begin like another one stand before it.
const TEXTS: &[(&str, Part)] = &[
    ("January", Part::LongMonth),
    ("Jan", Part::Month),
    ("Monday", Part::LongWeekday),
    ("Mon", Part::Weekday),
    ("MST", Part::ZoneName),
    ("002", Part::ZeroYearDay),
    ("01", Part::ZeroMonth),
    ("02", Part::ZeroDay),
    ("03", Part::ZeroHour12),
    ("04", Part::ZeroMinute),
    ("05", Part::ZeroSecond),
    ("06", Part::Year),
    ("15", Part::Hour),
    ("2006", Part::LongYear),
    ("__2", Part::UnderYearDay),
    ("_2", Part::UnderDay),
    ("PM", Part::UpperPm),
    ("pm", Part::LowerPm),
    (
        "-07:00:00",
        Part::Zone {
            utc: false,
            colon: true,
            fields: 3,
        },
    ),
    (
        "-070000",
        Part::Zone {
            utc: false,
            colon: false,
            fields: 3,
        },
    ),
    (
        "-07:00",
        Part::Zone {
            utc: false,
            colon: true,
            fields: 2,
        },
    ),
    (
        "-0700",
        Part::Zone {
            utc: false,
            colon: false,
            fields: 2,
        },
    ),
    (
        "-07",
        Part::Zone {
            utc: false,
            colon: false,
            fields: 1,
        },
    ),
    (
        "Z07:00:00",
        Part::Zone {
            utc: true,
            colon: true,
            fields: 3,
        },
    ),
    (
        "Z070000",
        Part::Zone {
            utc: true,
            colon: false,
            fields: 3,
        },
    ),
    (
        "Z07:00",
        Part::Zone {
            utc: true,
            colon: true,
            fields: 2,
        },
    ),
    (
        "Z0700",
        Part::Zone {
            utc: true,
            colon: false,
            fields: 2,
        },
    ),
    (
        "Z07",
        Part::Zone {
            utc: true,
            colon: false,
            fields: 1,
        },
    ),
    ("1", Part::NumMonth),
    ("2", Part::Day),
    ("3", Part::Hour12),
    ("4", Part::Minute),
    ("5", Part::Second),
];

/// The part a text starts with, and its length.
fn part_at(text: &str) -> Option<(Part, usize)> {
    if text.starts_with(['.', ',']) {
        let digit = text[1..]
            .chars()
            .next()
            .filter(|c| matches!(c, '0' | '9'))?;
        let digits = text[1..].chars().take_while(|c| *c == digit).count();
        let ends = !text[1 + digits..].starts_with(|c: char| c.is_ascii_digit());
        let part = Part::Fraction {
            digits,
            nines: digit == '9',
        };
        return ends.then_some((part, digits + 1));
    }
    // `_2006` is an underscore and a year
    if text.starts_with("_2006") {
        return None;
    }
    let (word, part) = TEXTS.iter().find(|(word, _)| text.starts_with(word))?;
    let lower_follows = text[word.len()..].starts_with(|c: char| c.is_ascii_lowercase());
    if *word == "Jan" && lower_follows {
        return None;
    }
    Some((*part, word.len()))
}

/// Text before the next part, the part with its text, and the rest.
fn next_part(layout: &str) -> (&str, Option<(Part, &str)>, &str) {
    for (i, _) in layout.char_indices() {
        if let Some((part, length)) = part_at(&layout[i..]) {
            let end = i + length;
            return (&layout[..i], Some((part, &layout[i..end])), &layout[end..]);
        }
    }
    (layout, None, "")
}

/// The text of a time in a layout.
pub(super) fn format(m: &Moment, layout: &str) -> String {
    let mut out = String::new();
    let mut rest = layout;
    loop {
        let (prefix, part, after) = next_part(rest);
        out.push_str(prefix);
        let Some((part, text)) = part else {
            return out;
        };
        push(&mut out, m, part, text);
        rest = after;
    }
}

fn push(out: &mut String, m: &Moment, part: Part, text: &str) {
    let hour12 = if m.hour % 12 == 0 { 12 } else { m.hour % 12 };
    let short = |name: &str| name[..3].to_owned();
    let month = MONTHS[(m.month.clamp(1, 12) - 1) as usize];
    let shown = match part {
        Part::LongMonth => month.to_owned(),
        Part::Month => short(month),
        Part::NumMonth => m.month.to_string(),
        Part::ZeroMonth => format!("{:02}", m.month),
        Part::LongWeekday => DAYS[m.weekday()].to_owned(),
        Part::Weekday => short(DAYS[m.weekday()]),
        Part::Day => m.day.to_string(),
        Part::UnderDay => format!("{:2}", m.day),
        Part::ZeroDay => format!("{:02}", m.day),
        Part::UnderYearDay => format!("{:3}", m.day_of_year()),
        Part::ZeroYearDay => format!("{:03}", m.day_of_year()),
        Part::Hour => format!("{:02}", m.hour),
        Part::Hour12 => hour12.to_string(),
        Part::ZeroHour12 => format!("{hour12:02}"),
        Part::Minute => m.minute.to_string(),
        Part::ZeroMinute => format!("{:02}", m.minute),
        Part::Second => m.second.to_string(),
        Part::ZeroSecond => format!("{:02}", m.second),
        Part::LongYear if m.year < 0 => format!("-{:04}", -m.year),
        Part::LongYear => format!("{:04}", m.year),
        Part::Year => format!("{:02}", m.year.rem_euclid(100)),
        Part::UpperPm => if m.hour >= 12 { "PM" } else { "AM" }.to_owned(),
        Part::LowerPm => if m.hour >= 12 { "pm" } else { "am" }.to_owned(),
        Part::ZoneName if !m.zone.is_empty() => m.zone.clone(),
        Part::ZoneName => numeric_zone(m.offset, false, if m.offset % 3600 == 0 { 1 } else { 2 }),
        Part::Zone { utc: true, .. } if m.offset == 0 => "Z".to_owned(),
        Part::Zone { colon, fields, .. } => numeric_zone(m.offset, colon, fields),
        Part::Fraction { digits, nines } => {
            let all = format!("{:09}", m.nanosecond);
            let cut = all.get(..digits.min(9)).unwrap_or(&all);
            let cut = if nines {
                cut.trim_end_matches('0')
            } else {
                cut
            };
            if cut.is_empty() {
                String::new()
            } else {
                format!("{}{cut}", &text[..1])
            }
        }
    };
    out.push_str(&shown);
}

fn numeric_zone(offset: i64, colon: bool, fields: u8) -> String {
    let (sign, offset) = if offset < 0 {
        ('-', -offset)
    } else {
        ('+', offset)
    };
    let parts = [offset / 3600, offset / 60 % 60, offset % 60];
    let texts: Vec<String> = parts
        .iter()
        .take(fields.into())
        .map(|p| format!("{p:02}"))
        .collect();
    format!("{sign}{}", texts.join(if colon { ":" } else { "" }))
}

/// Why a text is no time of a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ParseError {
    layout: String,
    value: String,
    element: String,
    rest: String,
    message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = quote_go(&self.value);
        if self.message.is_empty() {
            return write!(
                f,
                "parsing time {value} as {}: cannot parse {} as {}",
                quote_go(&self.layout),
                quote_go(&self.rest),
                quote_go(&self.element)
            );
        }
        write!(f, "parsing time {value}{}", self.message)
    }
}

/// What was read so far.
struct Reading {
    year: i64,
    month: Option<u32>,
    day: Option<u32>,
    year_day: Option<u32>,
    hour: u32,
    minute: u32,
    second: u32,
    nanosecond: u32,
    pm: Option<bool>,
    offset: Option<i64>,
    zone: Option<String>,
}

/// Why a part was not read: its text is wrong, or its number is out of range.
enum Fault {
    Text,
    Range(&'static str),
}

/// Reads a time.
pub(super) fn parse(value: &str, layout: &str) -> Result<Moment, ParseError> {
    let fail = |element: &str, rest: &str, message: String| ParseError {
        layout: layout.to_owned(),
        value: value.to_owned(),
        element: element.to_owned(),
        rest: rest.to_owned(),
        message,
    };
    let mut r = Reading {
        year: 0,
        month: None,
        day: None,
        year_day: None,
        hour: 0,
        minute: 0,
        second: 0,
        nanosecond: 0,
        pm: None,
        offset: None,
        zone: None,
    };
    let (mut rest, mut pattern) = (value, layout);
    loop {
        let (prefix, part, after) = next_part(pattern);
        rest = match skip(rest, prefix) {
            Ok(rest) => rest,
            Err(rest) => return Err(fail(prefix, rest, String::new())),
        };
        let Some((part, element)) = part else {
            if !rest.is_empty() {
                let message = format!(": extra text: {}", quote_go(rest));
                return Err(fail("", rest, message));
            }
            break;
        };
        let hold = rest;
        let next = next_part(after).1.map(|(p, _)| p);
        match r.part(part, rest, next) {
            Ok(left) => rest = left,
            Err(Fault::Text) => return Err(fail(element, hold, String::new())),
            Err(Fault::Range(what)) => {
                return Err(fail(element, rest, format!(": {what} out of range")));
            }
        }
        pattern = after;
    }
    r.finish()
        .map_err(|what| fail("", value, format!(": {what} out of range")))
}

/// The value without the text of the layout; blanks match any number of blanks.
fn skip<'a>(value: &'a str, prefix: &str) -> Result<&'a str, &'a str> {
    let (mut value, mut prefix) = (value, prefix);
    while let Some(c) = prefix.chars().next() {
        if c == ' ' {
            if !value.is_empty() && !value.starts_with(' ') {
                return Err(value);
            }
            prefix = prefix.trim_start_matches(' ');
            value = value.trim_start_matches(' ');
            continue;
        }
        match value.strip_prefix(c) {
            Some(rest) => value = rest,
            None => return Err(value),
        }
        prefix = &prefix[c.len_utf8()..];
    }
    Ok(value)
}

/// One or two digits, or exactly two.
fn number(text: &str, fixed: bool) -> Result<(u32, &str), Fault> {
    let digit = |i: usize| text.as_bytes().get(i).filter(|b| b.is_ascii_digit());
    match (digit(0), digit(1)) {
        (Some(a), Some(b)) => Ok((u32::from(a - b'0') * 10 + u32::from(b - b'0'), &text[2..])),
        (Some(a), None) if !fixed => Ok((u32::from(a - b'0'), &text[1..])),
        _ => Err(Fault::Text),
    }
}

fn named<'a>(
    names: &[&str],
    length: Option<usize>,
    text: &'a str,
) -> Result<(usize, &'a str), Fault> {
    for (i, name) in names.iter().enumerate() {
        let name = length.map_or(*name, |l| &name[..l]);
        let head = text.get(..name.len());
        if head.is_some_and(|h| h.eq_ignore_ascii_case(name)) {
            return Ok((i, &text[name.len()..]));
        }
    }
    Err(Fault::Text)
}

impl Reading {
    fn part<'a>(
        &mut self,
        part: Part,
        text: &'a str,
        next: Option<Part>,
    ) -> Result<&'a str, Fault> {
        let in_range = |value: u32, range: std::ops::RangeInclusive<u32>, what| {
            if range.contains(&value) {
                Ok(value)
            } else {
                Err(Fault::Range(what))
            }
        };
        Ok(match part {
            Part::LongYear => {
                let head = text
                    .get(..4)
                    .filter(|t| t.bytes().all(|b| b.is_ascii_digit()));
                self.year = head.ok_or(Fault::Text)?.parse().map_err(|_| Fault::Text)?;
                &text[4..]
            }
            Part::Year => {
                let (value, rest) = number(text, true)?;
                self.year = i64::from(value) + if value >= 69 { 1900 } else { 2000 };
                rest
            }
            Part::LongMonth | Part::Month => {
                let length = (part == Part::Month).then_some(3);
                let (i, rest) = named(&MONTHS, length, text)?;
                self.month = Some(i as u32 + 1);
                rest
            }
            Part::NumMonth | Part::ZeroMonth => {
                let (value, rest) = number(text, part == Part::ZeroMonth)?;
                self.month = Some(in_range(value, 1..=12, "month")?);
                rest
            }
            Part::LongWeekday => named(&DAYS, None, text)?.1,
            Part::Weekday => named(&DAYS, Some(3), text)?.1,
            Part::Day | Part::UnderDay | Part::ZeroDay => {
                let text = if part == Part::UnderDay {
                    text.strip_prefix(' ').unwrap_or(text)
                } else {
                    text
                };
                let (value, rest) = number(text, part == Part::ZeroDay)?;
                self.day = Some(value);
                rest
            }
            Part::UnderYearDay | Part::ZeroYearDay => self.read_year_day(part, text)?,
            Part::Hour => {
                let (value, rest) = number(text, false)?;
                self.hour = in_range(value, 0..=23, "hour")?;
                rest
            }
            Part::Hour12 | Part::ZeroHour12 => {
                let (value, rest) = number(text, part == Part::ZeroHour12)?;
                self.hour = in_range(value, 0..=12, "hour")?;
                rest
            }
            Part::Minute | Part::ZeroMinute => {
                let (value, rest) = number(text, part == Part::ZeroMinute)?;
                self.minute = in_range(value, 0..=59, "minute")?;
                rest
            }
            Part::Second | Part::ZeroSecond => self.read_second(part, text, next)?,
            Part::UpperPm | Part::LowerPm => {
                let (am, pm) = if part == Part::UpperPm {
                    ("AM", "PM")
                } else {
                    ("am", "pm")
                };
                let head = text.get(..2).ok_or(Fault::Text)?;
                if head != am && head != pm {
                    return Err(Fault::Text);
                }
                self.pm = Some(head == pm);
                &text[2..]
            }
            Part::ZoneName => self.read_zone_name(text)?,
            Part::Zone { utc, colon, fields } => self.read_zone(text, utc, colon, fields)?,
            Part::Fraction { digits, nines } => self.read_fraction(text, digits, nines)?,
        })
    }

    fn read_year_day<'a>(&mut self, part: Part, text: &'a str) -> Result<&'a str, Fault> {
        let text = if part == Part::UnderYearDay {
            text.trim_start_matches(' ')
        } else {
            text
        };
        let length = text.bytes().take(3).take_while(u8::is_ascii_digit).count();
        if length == 0 || (part == Part::ZeroYearDay && length < 3) {
            return Err(Fault::Text);
        }
        self.year_day = text[..length].parse().ok();
        Ok(&text[length..])
    }

    /// A fraction may follow the seconds although the layout has none.
    fn read_second<'a>(
        &mut self,
        part: Part,
        text: &'a str,
        next: Option<Part>,
    ) -> Result<&'a str, Fault> {
        let (value, rest) = number(text, part == Part::ZeroSecond)?;
        if value > 59 {
            return Err(Fault::Range("second"));
        }
        self.second = value;
        let fraction = rest.starts_with(['.', ','])
            && rest[1..].starts_with(|c: char| c.is_ascii_digit())
            && !matches!(next, Some(Part::Fraction { .. }));
        if !fraction {
            return Ok(rest);
        }
        let length = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
        self.nanosecond = nanos(&rest[1..=length]);
        Ok(&rest[length + 1..])
    }

    fn read_fraction<'a>(
        &mut self,
        text: &'a str,
        digits: usize,
        nines: bool,
    ) -> Result<&'a str, Fault> {
        if nines {
            let starts =
                text.starts_with(['.', ',']) && text[1..].starts_with(|c: char| c.is_ascii_digit());
            if !starts {
                return Ok(text);
            }
            let length = text[1..].bytes().take_while(u8::is_ascii_digit).count();
            self.nanosecond = nanos(&text[1..=length]);
            return Ok(&text[length + 1..]);
        }
        let body = text.strip_prefix(['.', ',']).ok_or(Fault::Text)?;
        let part = body
            .get(..digits)
            .filter(|t| t.bytes().all(|b| b.is_ascii_digit()));
        self.nanosecond = nanos(part.ok_or(Fault::Text)?);
        Ok(&body[digits..])
    }

    fn read_zone<'a>(
        &mut self,
        text: &'a str,
        utc: bool,
        colon: bool,
        fields: u8,
    ) -> Result<&'a str, Fault> {
        if utc && let Some(rest) = text.strip_prefix('Z') {
            self.offset = Some(0);
            self.zone = Some("UTC".into());
            return Ok(rest);
        }
        let sign = match text.as_bytes().first() {
            Some(b'+') => 1,
            Some(b'-') => -1,
            _ => return Err(Fault::Text),
        };
        let mut rest = &text[1..];
        let mut values = [0u32; 3];
        for (i, value) in values.iter_mut().enumerate().take(fields.into()) {
            if i > 0 && colon {
                rest = rest.strip_prefix(':').ok_or(Fault::Text)?;
            }
            (*value, rest) = number(rest, true)?;
        }
        if values[0] > 24 {
            return Err(Fault::Range("time zone offset hour"));
        }
        if values[1] > 60 {
            return Err(Fault::Range("time zone offset minute"));
        }
        if values[2] > 60 {
            return Err(Fault::Range("time zone offset second"));
        }
        let seconds =
            i64::from(values[0]) * 3600 + i64::from(values[1]) * 60 + i64::from(values[2]);
        self.offset = Some(sign * seconds);
        Ok(rest)
    }

    fn read_zone_name<'a>(&mut self, text: &'a str) -> Result<&'a str, Fault> {
        if let Some(rest) = text.strip_prefix("UTC") {
            self.offset = Some(0);
            self.zone = Some("UTC".into());
            return Ok(rest);
        }
        if let Some(rest) = text.strip_prefix("GMT") {
            let length = rest.strip_prefix(['+', '-']).map_or(0, |d| {
                d.bytes().take(2).take_while(u8::is_ascii_digit).count() + 1
            });
            let hours: i64 = rest[..length].parse().unwrap_or(0);
            self.offset = Some(hours * 3600);
            self.zone = Some(text[..3 + length].to_owned());
            return Ok(&rest[length..]);
        }
        let letters = text.bytes().take_while(u8::is_ascii_uppercase).count();
        if !(3..=5).contains(&letters) {
            return Err(Fault::Text);
        }
        self.zone = Some(text[..letters].to_owned());
        Ok(&text[letters..])
    }

    fn finish(self) -> Result<Moment, &'static str> {
        let hour = match self.pm {
            Some(true) if self.hour < 12 => self.hour + 12,
            Some(false) if self.hour == 12 => 0,
            _ => self.hour,
        };
        let (mut month, mut day) = (self.month.unwrap_or(1), self.day.unwrap_or(1));
        if let Some(of_year) = self.year_day {
            if of_year < 1 || of_year > 365 + u32::from(is_leap(self.year)) {
                return Err("day-of-year");
            }
            if self.month.is_none() {
                (month, day) = (1, of_year);
                while day > days_in(month, self.year) {
                    day -= days_in(month, self.year);
                    month += 1;
                }
            }
        }
        if day < 1 || day > days_in(month, self.year) {
            return Err("day");
        }
        let offset = self.offset.unwrap_or(0);
        let zone = match (self.zone, offset) {
            (Some(zone), _) => zone,
            (None, 0) => "UTC".into(),
            (None, _) => String::new(),
        };
        Ok(Moment {
            year: self.year,
            month,
            day,
            hour,
            minute: self.minute,
            second: self.second,
            nanosecond: self.nanosecond,
            offset,
            zone,
        })
    }
}

/// Nanoseconds of fraction digits; those beyond the ninth count for nothing.
fn nanos(digits: &str) -> u32 {
    let mut out = 0;
    for i in 0..9 {
        out = out * 10 + digits.as_bytes().get(i).map_or(0, |b| u32::from(b - b'0'));
    }
    out
}
