//! A reader of the subset of HCL 1 that CLI configurations are written in, and of its JSON form.
//! Quoted keys in a block body are valid there and not in HCL 2, whose parsers refuse the file.

use std::iter::Peekable;
use std::str::Chars;

/// How deep blocks may be nested.
const MAX_DEPTH: usize = 50;

/// A value of a configuration file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// Text in quotes, a number or a word.
    Text(String),
    /// A list in brackets.
    List(Vec<Value>),
    /// Entries in braces, in the order of writing; a key may occur twice. The labels of a block
    /// are part of its key, after a space.
    Body(Vec<(String, Value)>),
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    Quoted(String),
    Sign(char),
}

impl Value {
    /// The entries of a body, or of the bodies of a list.
    pub(crate) fn entries(&self) -> Vec<(&str, &Value)> {
        match self {
            Self::Text(_) => Vec::new(),
            Self::List(items) => items.iter().flat_map(Self::entries).collect(),
            Self::Body(entries) => entries.iter().map(|(key, v)| (key.as_str(), v)).collect(),
        }
    }

    /// The texts of a list, or a text alone.
    pub(crate) fn texts(&self) -> Vec<String> {
        match self {
            Self::Text(text) => vec![text.clone()],
            Self::List(items) => items.iter().flat_map(Self::texts).collect(),
            Self::Body(_) => Vec::new(),
        }
    }
}

/// Reads a configuration file into its entries.
///
/// # Errors
/// A sentence with the line.
pub(crate) fn read(text: &str) -> Result<Value, String> {
    let mut reader = Reader {
        characters: text
            .strip_prefix('\u{feff}')
            .unwrap_or(text)
            .chars()
            .peekable(),
        line: 1,
        next: None,
    };
    reader.advance()?;
    let braces = reader.skip('{')?;
    let entries = reader.entries(0)?;
    if braces && !reader.skip('}')? {
        return Err(reader.fail("expected }"));
    }
    match reader.next {
        None => Ok(Value::Body(entries)),
        Some(_) => Err(reader.fail("expected a name")),
    }
}

struct Reader<'a> {
    characters: Peekable<Chars<'a>>,
    line: usize,
    next: Option<Token>,
}

impl Reader<'_> {
    fn fail(&self, problem: &str) -> String {
        format!("line {}: {problem}", self.line)
    }

    /// Entries up to a closing brace or the end.
    fn entries(&mut self, depth: usize) -> Result<Vec<(String, Value)>, String> {
        let mut entries = Vec::new();
        loop {
            let mut key = match self.next.clone() {
                Some(Token::Word(key) | Token::Quoted(key)) => key,
                _ => return Ok(entries),
            };
            self.advance()?;
            while let Some(Token::Word(label) | Token::Quoted(label)) = self.next.clone() {
                key = format!("{key} {label}");
                self.advance()?;
            }
            let assigned = self.skip('=')? || self.skip(':')?;
            if !assigned && self.next != Some(Token::Sign('{')) {
                return Err(self.fail(&format!("expected = or {{ after {key}")));
            }
            entries.push((key, self.value(depth + 1)?));
            self.skip(',')?;
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value, String> {
        if depth > MAX_DEPTH {
            return Err(self.fail("nested too deep"));
        }
        if self.skip('{')? {
            let entries = self.entries(depth)?;
            if !self.skip('}')? {
                return Err(self.fail("expected }"));
            }
            return Ok(Value::Body(entries));
        }
        if self.skip('[')? {
            let mut items = Vec::new();
            while !self.skip(']')? {
                items.push(self.value(depth + 1)?);
                if !self.skip(',')? && self.next != Some(Token::Sign(']')) {
                    return Err(self.fail("expected , or ]"));
                }
            }
            return Ok(Value::List(items));
        }
        match self.next.clone() {
            Some(Token::Word(text) | Token::Quoted(text)) => {
                self.advance()?;
                Ok(Value::Text(text))
            }
            _ => Err(self.fail("expected a value")),
        }
    }

    /// Takes a sign if it is the next token.
    fn skip(&mut self, sign: char) -> Result<bool, String> {
        let there = self.next == Some(Token::Sign(sign));
        if there {
            self.advance()?;
        }
        Ok(there)
    }

    fn advance(&mut self) -> Result<(), String> {
        self.skip_space()?;
        self.next = match self.characters.next() {
            None => None,
            Some('"') => Some(Token::Quoted(self.quoted()?)),
            Some(sign @ ('{' | '}' | '[' | ']' | '=' | ':' | ',')) => Some(Token::Sign(sign)),
            Some(first) if is_word(first) => {
                let mut word = String::from(first);
                while let Some(next) = self.characters.next_if(|c| is_word(*c)) {
                    word.push(next);
                }
                Some(Token::Word(word))
            }
            Some('<') => return Err(self.fail("text in << is not supported")),
            Some(other) => return Err(self.fail(&format!("unexpected {other:?}"))),
        };
        Ok(())
    }

    fn skip_space(&mut self) -> Result<(), String> {
        loop {
            match self.characters.peek() {
                Some('\n') => self.line += 1,
                Some(c) if c.is_whitespace() => {}
                Some('#') => {
                    while self.characters.next_if(|c| *c != '\n').is_some() {}
                    continue;
                }
                Some('/') => {
                    self.comment()?;
                    continue;
                }
                _ => return Ok(()),
            }
            self.characters.next();
        }
    }

    fn comment(&mut self) -> Result<(), String> {
        self.characters.next();
        match self.characters.next() {
            Some('/') => {
                while self.characters.next_if(|c| *c != '\n').is_some() {}
                Ok(())
            }
            Some('*') => {
                let mut last = ' ';
                for c in self.characters.by_ref() {
                    if last == '*' && c == '/' {
                        return Ok(());
                    }
                    self.line += usize::from(c == '\n');
                    last = c;
                }
                Err(self.fail("a comment does not end"))
            }
            _ => Err(self.fail("unexpected '/'")),
        }
    }

    fn quoted(&mut self) -> Result<String, String> {
        let mut text = String::new();
        loop {
            match self.characters.next() {
                Some('"') => return Ok(text),
                Some('\\') => match self.characters.next() {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some(c @ ('"' | '\\' | '/')) => text.push(c),
                    Some('u') => text.push(self.code()?),
                    _ => return Err(self.fail("an escape is not known")),
                },
                None | Some('\n') => return Err(self.fail("a text does not end")),
                Some(c) => text.push(c),
            }
        }
    }

    fn code(&mut self) -> Result<char, String> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.characters.next().and_then(|c| c.to_digit(16));
            code = code * 16 + digit.ok_or_else(|| self.fail("an escape is not known"))?;
        }
        char::from_u32(code).ok_or_else(|| self.fail("an escape is not known"))
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+')
}
