//! Versions of plugins and the constraints on them.

use std::cmp::Ordering;
use std::fmt;

/// A version: three numbers and perhaps the name of a pre-release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    numbers: [u64; 3],
    /// The parts of a pre-release, `beta.1` as two.
    pre: Vec<String>,
    build: String,
}

impl Version {
    /// Reads `1.2.3`, `1.2.3-beta.1` or `1.2`; missing numbers are 0.
    pub fn parse(text: &str) -> Option<Self> {
        Some(parse(text)?.0)
    }
}

/// A version, and how many numbers were written.
fn parse(text: &str) -> Option<(Version, usize)> {
    let (rest, build) = text.split_once('+').unwrap_or((text, ""));
    let (numbers, pre) = match rest.split_once('-') {
        Some((numbers, pre)) => (numbers, pre.split('.').map(str::to_owned).collect()),
        None => (rest, Vec::new()),
    };
    let name = |part: &String| {
        !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let parts: Vec<&str> = numbers.split('.').collect();
    if parts.len() > 3 || !parts.iter().all(|part| digits(part)) || !pre.iter().all(name) {
        return None;
    }
    let mut numbers = [0; 3];
    for (slot, part) in numbers.iter_mut().zip(&parts) {
        *slot = part.parse().ok()?;
    }
    let build = build.to_owned();
    let version = Version {
        numbers,
        pre,
        build,
    };
    Some((version, parts.len()))
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.numbers;
        write!(f, "{major}.{minor}.{patch}")?;
        if !self.pre.is_empty() {
            write!(f, "-{}", self.pre.join("."))?;
        }
        if !self.build.is_empty() {
            write!(f, "+{}", self.build)?;
        }
        Ok(())
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        let released = |version: &Self| version.pre.is_empty();
        self.numbers
            .cmp(&other.numbers)
            .then_with(|| released(self).cmp(&released(other)))
            .then_with(|| compare_pre(&self.pre, &other.pre))
            .then_with(|| self.build.cmp(&other.build))
    }
}

fn compare_pre(a: &[String], b: &[String]) -> Ordering {
    for (a, b) in a.iter().zip(b) {
        let order = match (a.parse::<u64>(), b.parse::<u64>()) {
            (Ok(a), Ok(b)) => a.cmp(&b),
            (Ok(_), Err(_)) => Ordering::Less,
            (Err(_), Ok(_)) => Ordering::Greater,
            (Err(_), Err(_)) => a.cmp(b),
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    a.len().cmp(&b.len())
}

/// What the version of a plugin has to meet, such as `>= 3.1, < 4`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Constraint(Vec<Term>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    operator: Operator,
    version: Version,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Equal,
    NotEqual,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
    /// At least the version, below the next one of the number before the last written.
    Pessimistic(usize),
}

impl Constraint {
    /// Reads a constraint: terms between commas that must all hold. An empty text allows all.
    ///
    /// # Errors
    /// The term that is none.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        let term = |term: &str| {
            let term = term.trim();
            parse_term(term).ok_or_else(|| format!("{term:?} is no version constraint"))
        };
        text.split(',')
            .map(term)
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// Whether a version meets it. A pre-release does only where it is named itself.
    pub fn allows(&self, version: &Version) -> bool {
        let named = |term: &Term| term.operator == Operator::Equal && term.version == *version;
        (version.pre.is_empty() || self.0.iter().any(named))
            && self.0.iter().all(|term| term.allows(version))
    }
}

impl Term {
    fn allows(&self, version: &Version) -> bool {
        match self.operator {
            Operator::Equal => *version == self.version,
            Operator::NotEqual => *version != self.version,
            Operator::Greater => *version > self.version,
            Operator::GreaterOrEqual => *version >= self.version,
            Operator::Less => *version < self.version,
            Operator::LessOrEqual => *version <= self.version,
            Operator::Pessimistic(written) => {
                let fixed = written.saturating_sub(1).max(1);
                *version >= self.version
                    && version.numbers[..fixed] == self.version.numbers[..fixed]
            }
        }
    }
}

fn parse_term(text: &str) -> Option<Term> {
    let end = text.find(|c| !"=!<>~".contains(c))?;
    let (operator, rest) = text.split_at(end);
    let rest = rest.strip_prefix(' ').unwrap_or(rest);
    let (version, written) = parse(rest)?;
    let operator = match operator {
        "" | "=" => Operator::Equal,
        "!=" => Operator::NotEqual,
        ">" => Operator::Greater,
        ">=" => Operator::GreaterOrEqual,
        "<" => Operator::Less,
        "<=" => Operator::LessOrEqual,
        "~>" => Operator::Pessimistic(written),
        _ => return None,
    };
    Some(Term { operator, version })
}
