//! Regular expressions in the syntax of RE2 as Go reads it, with Go's error texts.

mod class;
mod escape;
mod parse;

#[cfg(test)]
mod tests;

use regex_automata::meta::{Config, Regex};
use regex_automata::util::captures::Captures;
use regex_automata::util::syntax;
use std::fmt;

/// Memory a compiled expression may take, in bytes.
const SIZE_LIMIT: usize = 256 << 20;

/// Why a text is no regular expression, in the words of Go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegexpError {
    /// What is wrong.
    pub what: &'static str,
    /// The part of the expression that is.
    pub fragment: String,
}

impl fmt::Display for RegexpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "error parsing regexp: {}: `{}`",
            self.what, self.fragment
        )
    }
}

impl std::error::Error for RegexpError {}

/// A compiled regular expression. Matching prefers the leftmost, then the first alternative.
#[derive(Clone, Debug)]
pub struct Regexp {
    regex: Regex,
    /// Names of the groups, the whole match first; groups without name have an empty one.
    names: Vec<String>,
}

impl Regexp {
    /// Compiles an expression. The error is a fault of its syntax or its size.
    pub fn new(source: &str) -> Result<Self, RegexpError> {
        let parsed = parse::translate(source)?;
        let regex = Regex::builder()
            .syntax(syntax::Config::new().utf8(false).nest_limit(4000))
            .configure(
                Config::new()
                    .utf8_empty(true)
                    .nfa_size_limit(Some(SIZE_LIMIT))
                    .onepass_size_limit(Some(1 << 20)),
            )
            .build(&parsed.pattern)
            .map_err(|_| RegexpError {
                what: "expression too large",
                fragment: source.to_owned(),
            })?;
        Ok(Self {
            regex,
            names: parsed.names,
        })
    }

    /// Whether it matches somewhere.
    pub fn is_match(&self, text: &[u8]) -> bool {
        self.regex.is_match(text)
    }

    /// Names of all groups, the whole match (unnamed) first.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The first `limit` matches, each with the ranges of its groups; a group that took no part
    /// has none.
    pub fn matches(&self, text: &str, limit: usize) -> Vec<Vec<Option<(usize, usize)>>> {
        self.regex
            .captures_iter(text)
            .take(limit)
            .map(|captures| groups(&captures))
            .collect()
    }

    /// All matches replaced by what `f` appends for each.
    pub fn replace(
        &self,
        text: &str,
        mut f: impl FnMut(&[Option<(usize, usize)>], &mut String),
    ) -> String {
        let mut out = String::new();
        let mut end = 0;
        for found in self.matches(text, usize::MAX) {
            let Some((start, stop)) = found.first().copied().flatten() else {
                continue;
            };
            out.push_str(&text[end..start]);
            f(&found, &mut out);
            end = stop;
        }
        out.push_str(&text[end..]);
        out
    }
}

fn groups(captures: &Captures) -> Vec<Option<(usize, usize)>> {
    (0..captures.group_len())
        .map(|i| captures.get_group(i).map(|span| (span.start, span.end)))
        .collect()
}

/// The text with everything that has a meaning in expressions escaped.
pub fn quote_meta(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if r"\.+*?()|[]{}^$".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
