//! Go's syntax to the syntax of the engine: everything is checked here, and written out explicitly.

use super::RegexpError;
use super::class;
use super::escape::parse_escape;

/// A fault in an expression.
pub(super) type Failed = Box<RegexpError>;

pub(super) fn error(what: &'static str, fragment: &str) -> Failed {
    Box::new(RegexpError {
        what,
        fragment: fragment.to_owned(),
    })
}

/// Largest count of a repetition, and of the product of nested ones.
const MAX_REPEAT: u64 = 1000;

/// Deepest nesting.
const MAX_DEPTH: usize = 1000;

/// An expression for the engine.
pub(super) struct Translated {
    pub(super) pattern: String,
    pub(super) names: Vec<String>,
}

#[derive(Clone, Copy, Default)]
struct Flags {
    fold: bool,
    multi_line: bool,
    dot_newline: bool,
    lazy: bool,
}

/// What a written piece is, as far as repetitions ask.
#[derive(Clone)]
struct Piece {
    text: String,
    /// Product of the counts nested in it.
    count: u64,
    depth: usize,
}

/// An open group: what was read before it.
struct Group {
    open: String,
    flags: Flags,
    /// Alternatives that are complete.
    done: String,
    alternatives: usize,
    /// Pieces of the running alternative.
    pieces: Vec<Piece>,
    count: u64,
    depth: usize,
}

struct Parser<'a> {
    source: &'a str,
    flags: Flags,
    stack: Vec<Group>,
    names: Vec<String>,
}

pub(super) fn translate(source: &str) -> Result<Translated, RegexpError> {
    let mut parser = Parser {
        source,
        flags: Flags::default(),
        stack: Vec::new(),
        names: vec![String::new()],
    };
    parser.open(String::new());
    parser.run().map_err(|e| *e)?;
    if parser.stack.len() != 1 {
        return Err(*error("missing closing )", source));
    }
    let piece = parser.close();
    if piece.depth > MAX_DEPTH {
        return Err(*error("expression nests too deeply", source));
    }
    Ok(Translated {
        pattern: piece.text,
        names: parser.names,
    })
}

impl Flags {
    /// What `^`, `$` or `.` stands for.
    fn assertion(self, c: char) -> &'static str {
        match c {
            '^' if self.multi_line => "(?m:^)",
            '^' => r"\A",
            '$' if self.multi_line => "(?m:$)",
            '$' => r"\z",
            _ if self.dot_newline => "(?s:.)",
            _ => r"[^\n]",
        }
    }
}

impl<'a> Parser<'a> {
    fn open(&mut self, open: String) {
        self.stack.push(Group {
            open,
            flags: self.flags,
            done: String::new(),
            alternatives: 0,
            pieces: Vec::new(),
            count: 1,
            depth: 0,
        });
    }

    /// Ends the running alternative of the innermost group.
    fn alternative(&mut self) {
        if let Some(group) = self.stack.last_mut() {
            if group.alternatives > 0 {
                group.done.push('|');
            }
            for piece in group.pieces.drain(..) {
                group.done.push_str(&piece.text);
                group.count = group.count.max(piece.count);
                group.depth = group.depth.max(piece.depth);
            }
            group.alternatives += 1;
        }
    }

    fn close(&mut self) -> Piece {
        self.alternative();
        let Some(group) = self.stack.pop() else {
            return Piece {
                text: String::new(),
                count: 1,
                depth: 0,
            };
        };
        self.flags = group.flags;
        let text = if group.open.is_empty() {
            group.done
        } else {
            format!("{}{})", group.open, group.done)
        };
        Piece {
            text,
            count: group.count,
            depth: group.depth + 1,
        }
    }

    fn push(&mut self, text: impl Into<String>) {
        self.push_piece(Piece {
            text: text.into(),
            count: 1,
            depth: 1,
        });
    }

    fn push_piece(&mut self, piece: Piece) {
        if let Some(group) = self.stack.last_mut() {
            group.pieces.push(piece);
        }
    }

    fn literal(&mut self, code: u32) {
        let text = match char::from_u32(code) {
            // no text contains a surrogate
            None => "[a&&b]".to_owned(),
            Some(_) if self.flags.fold => format!(r"(?i:\x{{{code:x}}})"),
            Some(c) if c.is_ascii_alphanumeric() => c.to_string(),
            Some(_) => format!(r"\x{{{code:x}}}"),
        };
        self.push(text);
    }

    fn run(&mut self) -> Result<(), Failed> {
        let mut rest = self.source;
        // the repetition just read, if the piece before is one
        let mut repeated = "";
        while let Some(c) = rest.chars().next() {
            let mut repeat = "";
            rest = match c {
                '(' if rest.starts_with("(?") => self.extension(rest)?,
                '(' => {
                    self.names.push(String::new());
                    self.open("(".into());
                    &rest[1..]
                }
                '|' => {
                    self.alternative();
                    &rest[1..]
                }
                ')' => {
                    if self.stack.len() <= 1 {
                        return Err(error("unexpected )", self.source));
                    }
                    let piece = self.close();
                    self.push_piece(piece);
                    &rest[1..]
                }
                '^' | '$' | '.' => {
                    self.push(self.flags.assertion(c));
                    &rest[1..]
                }
                '[' => {
                    let (text, after) = class::bracket(rest, self.flags.fold)?;
                    self.push(text);
                    after
                }
                '*' | '+' | '?' => {
                    let after = self.repeat(&rest[..1], rest, &rest[1..], repeated, None)?;
                    repeat = rest;
                    after
                }
                '{' => match counts(rest) {
                    None => {
                        self.literal(u32::from('{'));
                        &rest[1..]
                    }
                    Some(counts) => {
                        let after = self.counted(rest, counts, repeated)?;
                        repeat = rest;
                        after
                    }
                },
                '\\' => self.escape(rest)?,
                c => {
                    self.literal(u32::from(c));
                    &rest[c.len_utf8()..]
                }
            };
            repeated = repeat;
        }
        Ok(())
    }

    /// Applies a repetition in braces.
    fn counted(
        &mut self,
        rest: &'a str,
        (min, max, after): (u64, Option<u64>, &'a str),
        repeated: &'a str,
    ) -> Result<&'a str, Failed> {
        let operator = &rest[..rest.len() - after.len()];
        if min > MAX_REPEAT || max.is_some_and(|m| m > MAX_REPEAT || m < min) {
            return Err(error("invalid repeat count", operator));
        }
        let highest = max.unwrap_or(min).max(min);
        self.repeat(operator, rest, after, repeated, Some(highest))
    }

    /// Applies a repetition to the last piece. `before` starts with the operator, `after` follows
    /// it.
    fn repeat(
        &mut self,
        operator: &str,
        before: &'a str,
        after: &'a str,
        repeated: &'a str,
        count: Option<u64>,
    ) -> Result<&'a str, Failed> {
        let mut lazy = self.flags.lazy;
        let rest = match after.strip_prefix('?') {
            Some(rest) => {
                lazy = !lazy;
                rest
            }
            None => after,
        };
        if !repeated.is_empty() {
            let fragment = &repeated[..repeated.len() - rest.len()];
            return Err(error("invalid nested repetition operator", fragment));
        }
        let whole = &before[..before.len() - rest.len()];
        let Some(piece) = self.stack.last_mut().and_then(|g| g.pieces.pop()) else {
            return Err(error("missing argument to repetition operator", whole));
        };
        let product = piece.count * count.unwrap_or(1).max(1);
        if count.is_some_and(|c| c >= 2) && product > MAX_REPEAT {
            return Err(error("invalid repeat count", whole));
        }
        let mark = if lazy { "?" } else { "" };
        let text = format!("(?:{}){operator}{mark}", piece.text);
        self.push_piece(Piece {
            text,
            count: product,
            depth: piece.depth + 1,
        });
        Ok(rest)
    }

    fn escape(&mut self, text: &'a str) -> Result<&'a str, Failed> {
        let letter = text[1..].chars().next();
        let simple = match letter {
            Some('A') => Some(r"\A"),
            Some('b') => Some(r"(?-u:\b)"),
            Some('B') => Some(r"(?-u:\B)"),
            Some('z') => Some(r"\z"),
            Some('C') => return Err(error("invalid escape sequence", r"\C")),
            Some('Q') => return Ok(self.quoted(&text[2..])),
            Some(letter) => class::perl(letter),
            None => None,
        };
        if let Some(simple) = simple {
            self.push(simple);
            return Ok(&text[2..]);
        }
        if let Some((class, rest)) = class::unicode(text)? {
            self.push(if self.flags.fold {
                format!("(?i:{class})")
            } else {
                class
            });
            return Ok(rest);
        }
        let (code, rest) = parse_escape(text)?;
        self.literal(code);
        Ok(rest)
    }

    /// Text between `\Q` and `\E`.
    fn quoted(&mut self, text: &'a str) -> &'a str {
        let (literal, rest) = match text.find(r"\E") {
            Some(at) => (&text[..at], &text[at + 2..]),
            None => (text, ""),
        };
        for c in literal.chars() {
            self.literal(u32::from(c));
        }
        rest
    }

    /// `(?…`: a named group, or flags.
    fn extension(&mut self, text: &'a str) -> Result<&'a str, Failed> {
        let named = if text.len() > 4 && text.starts_with("(?P<") {
            Some(4)
        } else if text.len() > 3 && text.starts_with("(?<") {
            Some(3)
        } else {
            None
        };
        if let Some(start) = named {
            let Some(end) = text.find('>') else {
                return Err(error("invalid named capture", text));
            };
            let name = &text[start..end];
            let fine = |c: char| c == '_' || c.is_ascii_alphanumeric();
            if name.is_empty() || !name.chars().all(fine) {
                return Err(error("invalid named capture", &text[..=end]));
            }
            self.names.push(name.to_owned());
            self.open("(".into());
            return Ok(&text[end + 1..]);
        }
        let mut flags = self.flags;
        let (mut on, mut seen) = (true, false);
        for (at, c) in text[2..].char_indices() {
            let rest = &text[2 + at + c.len_utf8()..];
            match c {
                'i' => flags.fold = on,
                'm' => flags.multi_line = on,
                's' => flags.dot_newline = on,
                'U' => flags.lazy = on,
                '-' if on => {
                    on = false;
                    seen = false;
                    continue;
                }
                ':' | ')' if on || seen => {
                    if c == ':' {
                        self.open("(?:".into());
                    }
                    self.flags = flags;
                    return Ok(rest);
                }
                _ => {
                    let fragment = &text[..text.len() - rest.len()];
                    return Err(error("invalid or unsupported Perl syntax", fragment));
                }
            }
            seen = true;
        }
        Err(error("invalid or unsupported Perl syntax", text))
    }
}

/// `{n}`, `{n,}` or `{n,m}` at the start of a text; counts beyond the limit come as they are.
fn counts(text: &str) -> Option<(u64, Option<u64>, &str)> {
    let (min, rest) = count(&text[1..])?;
    if let Some(after) = rest.strip_prefix('}') {
        return Some((min, Some(min), after));
    }
    let rest = rest.strip_prefix(',')?;
    if let Some(after) = rest.strip_prefix('}') {
        return Some((min, None, after));
    }
    let (max, rest) = count(rest)?;
    Some((min, Some(max), rest.strip_prefix('}')?))
}

fn count(text: &str) -> Option<(u64, &str)> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let digits = &text[..end];
    if digits.is_empty() || (digits.len() > 1 && digits.starts_with('0')) {
        return None;
    }
    // what does not fit is beyond the limit anyway
    Some((digits.parse().unwrap_or(u64::MAX), &text[end..]))
}

/// The engine's text of an expression, for the messages of tests.
#[cfg(test)]
pub(super) fn pattern_of(source: &str) -> String {
    translate(source).map_or_else(|e| e.to_string(), |t| t.pattern)
}
