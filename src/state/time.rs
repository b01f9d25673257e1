//! Moments and spans of time, in the one text form that state, plans and flags use.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::time::Duration;

/// A moment in UTC, to the millisecond. Its text is RFC 3339 with `Z`, such as
/// `2026-01-01T00:00:00Z`; milliseconds are written only when they are not zero.
///
/// The clock is read in one place of the program; everything else takes `now` as a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Time(jiff::Timestamp);

impl Time {
    /// The moment that many milliseconds after the start of 1970; nothing when it is beyond the
    /// year 9999.
    pub fn from_unix_ms(milliseconds: i64) -> Option<Self> {
        jiff::Timestamp::from_millisecond(milliseconds)
            .ok()
            .map(Self)
    }

    /// Milliseconds since the start of 1970.
    pub fn unix_ms(self) -> i64 {
        self.0.as_millisecond()
    }

    /// Reads an RFC 3339 text with any offset; what is finer than milliseconds is cut off.
    ///
    /// # Errors
    /// The text, when it is no time.
    pub fn parse(text: &str) -> Result<Self, String> {
        let time: jiff::Timestamp = text.parse().map_err(|_| format!("{text:?} is no time"))?;
        Self::from_unix_ms(time.as_millisecond()).ok_or_else(|| format!("{text:?} is no time"))
    }

    /// How long before this moment the other one was; zero when it was not before.
    pub fn since(self, earlier: Self) -> Duration {
        let milliseconds = self.unix_ms().saturating_sub(earlier.unix_ms());
        Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0))
    }
}

impl std::ops::Add<Duration> for Time {
    type Output = Self;

    /// The moment that much later, at most the end of the year 9999.
    fn add(self, span: Duration) -> Self {
        Self(self.0.saturating_add(span).unwrap_or(jiff::Timestamp::MAX))
    }
}

impl From<std::time::SystemTime> for Time {
    fn from(time: std::time::SystemTime) -> Self {
        let milliseconds = match time.duration_since(std::time::UNIX_EPOCH) {
            Ok(span) => i64::try_from(span.as_millis()).unwrap_or(i64::MAX),
            Err(before) => -i64::try_from(before.duration().as_millis()).unwrap_or(i64::MAX),
        };
        let limit = jiff::Timestamp::MAX.as_millisecond();
        Self::from_unix_ms(milliseconds.clamp(-limit, limit)).unwrap_or(Self(jiff::Timestamp::MAX))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.unix_ms() % 1000 == 0 {
            write!(f, "{:.0}", self.0)
        } else {
            write!(f, "{:.3}", self.0)
        }
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

/// Units of a span, the largest first: letter and seconds.
const UNITS: [(char, u64); 5] = [
    ('w', 604_800),
    ('d', 86_400),
    ('h', 3600),
    ('m', 60),
    ('s', 1),
];

/// Reads a span such as `15m`, `1h`, `7d` or `1h30m`: whole numbers, each with one of `w`, `d`,
/// `h`, `m` and `s`.
///
/// # Errors
/// The text and the form wanted, also when the span does not fit 64 bits of seconds.
pub fn parse_span(text: &str) -> Result<Duration, String> {
    let wrong = || format!("{text:?} is no duration: want one such as \"15m\", \"1h\" or \"7d\"");
    let mut seconds: u64 = 0;
    let mut digits = String::new();
    for character in text.chars() {
        if character.is_ascii_digit() {
            digits.push(character);
            continue;
        }
        let unit = UNITS.iter().find(|(letter, _)| *letter == character);
        let (_, size) = unit.ok_or_else(wrong)?;
        let count: u64 = digits.parse().map_err(|_| wrong())?;
        let part = count.checked_mul(*size).ok_or_else(wrong)?;
        seconds = seconds.checked_add(part).ok_or_else(wrong)?;
        digits.clear();
    }
    if text.is_empty() || !digits.is_empty() {
        return Err(wrong());
    }
    Ok(Duration::from_secs(seconds))
}

/// A span as a person reads it, in one unit, cut off: `3s`, `4m`, `2h`, `5d`.
pub fn brief_span(span: Duration) -> String {
    let seconds = span.as_secs();
    let (letter, size) = UNITS[1..]
        .iter()
        .find(|(_, size)| seconds >= *size)
        .unwrap_or(&UNITS[4]);
    format!("{}{letter}", seconds / size)
}

#[cfg(test)]
mod tests;
