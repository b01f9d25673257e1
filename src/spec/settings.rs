//! `$settings`: where the state is and how old a record may be before it is read again.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// How old a record may be before a plan that looks at it reads it from its provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Age {
    /// Always too old.
    Always,
    /// Never too old.
    Never,
    /// Too old once its age is greater than so many seconds; the text as it was written.
    Every(u64, String),
}

impl Age {
    /// Reads `always`, `never` or a duration such as `1h30m`: numbers, each with a unit of `w`,
    /// `d`,
    /// `h`, `m` or `s`. A duration beyond 64 bits of seconds is the longest there is.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "always" => Some(Self::Always),
            "never" => Some(Self::Never),
            _ => Some(Self::Every(parse_duration(text)?, text.to_owned())),
        }
    }

    /// The text as it was written.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Always => "always",
            Self::Never => "never",
            Self::Every(_, text) => text,
        }
    }
}

/// Reads a duration: numbers, each with a unit of `w`, `d`, `h`, `m` or `s`, such as `15m` or
/// `1h30m`. The answer is in seconds; one beyond 64 bits is the longest there is. Nothing when the
/// text is no duration.
pub fn parse_duration(text: &str) -> Option<u64> {
    let mut total: u64 = 0;
    let mut number: Option<u64> = None;
    for character in text.chars() {
        if let Some(digit) = character.to_digit(10) {
            let so_far = number.unwrap_or(0).saturating_mul(10);
            number = Some(so_far.saturating_add(digit.into()));
            continue;
        }
        let unit = match character {
            'w' => 7 * 86_400,
            'd' => 86_400,
            'h' => 3_600,
            'm' => 60,
            's' => 1,
            _ => return None,
        };
        total = total.saturating_add(number.take()?.saturating_mul(unit));
    }
    (number.is_none() && !text.is_empty()).then_some(total)
}

/// Where the state is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StateLocation {
    /// A directory, relative to the root unless it is absolute.
    Local(PathBuf),
}

/// The settings of a root.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// `$settings.refresh`; always where it is not set.
    pub refresh: Age,
    /// `$settings.state`; the directory `pravo.state` where it is not set.
    pub state: StateLocation,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            refresh: Age::Always,
            state: StateLocation::Local("pravo.state".into()),
        }
    }
}

#[cfg(test)]
mod tests;
