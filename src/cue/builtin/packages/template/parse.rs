//! Tokens to templates.

use super::functions::is_function;
use super::lexer::{Tok, Token, line_of, tokens};
use super::value::{Value, Width};
use std::collections::HashMap;

/// An argument or a command's head.
#[derive(Clone, Debug)]
pub(super) struct Arg {
    pub(super) kind: ArgKind,
    pub(super) at: usize,
    /// As messages print it.
    pub(super) text: String,
}

#[derive(Clone, Debug)]
pub(super) enum ArgKind {
    Dot,
    Nil,
    Constant(Value),
    Field(Vec<String>),
    Variable(String, Vec<String>),
    Function(String),
    Pipe(Box<Pipe>),
    /// `(pipeline).field`.
    Chain(Box<Pipe>, Vec<String>),
}

/// Commands, each taking the result of the one before, and variables for the last.
#[derive(Clone, Debug)]
pub(super) struct Pipe {
    pub(super) at: usize,
    pub(super) assign: bool,
    pub(super) variables: Vec<String>,
    pub(super) commands: Vec<Vec<Arg>>,
}

#[derive(Clone, Debug)]
pub(super) enum Node {
    Text(String),
    Action(Pipe, String),
    If(Pipe, Vec<Node>, Vec<Node>),
    With(Pipe, Vec<Node>, Vec<Node>),
    Range(Pipe, Vec<Node>, Vec<Node>, String),
    Template {
        name: String,
        data: Option<Pipe>,
        at: usize,
        text: String,
    },
    Break,
    Continue,
}

/// The templates of a text by name; the text itself has the empty name.
pub(super) type Templates = HashMap<String, Vec<Node>>;

/// Reads a text, or says what is wrong.
pub(super) fn parse(text: &str) -> Result<Templates, String> {
    let (tokens, error) = tokens(text);
    let mut parser = Parser {
        text,
        tokens,
        pos: 0,
        error,
        templates: HashMap::new(),
        variables: vec!["$".to_owned()],
        loops: 0,
    };
    let (nodes, end) = parser.list(true)?;
    if let Some((at, word)) = end {
        return Err(parser.wrong(at, format!("unexpected {{{{{word}}}}}")));
    }
    if !nodes.is_empty() || !parser.templates.contains_key("") {
        parser.templates.insert(String::new(), nodes);
    }
    Ok(parser.templates)
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    pos: usize,
    error: Option<(usize, String)>,
    templates: Templates,
    variables: Vec<String>,
    loops: usize,
}

/// The end of a list: where, and the word.
type End = Option<(usize, String)>;

impl Parser<'_> {
    fn wrong(&self, at: usize, text: impl std::fmt::Display) -> String {
        format!("template: :{}: {text}", line_of(self.text, at))
    }

    fn peek(&mut self) -> Result<Token, String> {
        match self.tokens.get(self.pos) {
            Some(token) => Ok(token.clone()),
            None => match &self.error {
                Some((at, text)) => Err(self.wrong(*at, text)),
                None => Err(self.wrong(self.text.len(), "unexpected EOF")),
            },
        }
    }

    fn next(&mut self) -> Result<Token, String> {
        let token = self.peek()?;
        self.pos += 1;
        Ok(token)
    }

    fn peek_solid(&mut self) -> Result<Token, String> {
        while self.peek()?.tok == Tok::Space {
            self.pos += 1;
        }
        self.peek()
    }

    fn next_solid(&mut self) -> Result<Token, String> {
        self.peek_solid()?;
        self.next()
    }

    fn unexpected(&self, token: &Token, context: &str) -> String {
        let shown = match token.tok {
            Tok::Eof => "EOF".to_owned(),
            Tok::Keyword => format!("<{}>", token.text),
            _ if token.text.len() > 10 => {
                let short: String = token.text.chars().take(10).collect();
                format!("{}...", crate::builtin::quote_go(&short))
            }
            _ => crate::builtin::quote_go(&token.text),
        };
        self.wrong(token.at, format!("unexpected {shown} in {context}"))
    }

    fn expect(&mut self, tok: Tok, context: &str) -> Result<Token, String> {
        let token = self.next_solid()?;
        if token.tok == tok {
            Ok(token)
        } else {
            Err(self.unexpected(&token, context))
        }
    }

    /// Nodes up to `else`, `end` or the end of the text.
    fn list(&mut self, top: bool) -> Result<(Vec<Node>, End), String> {
        let mut nodes = Vec::new();
        loop {
            let token = self.next()?;
            match token.tok {
                Tok::Eof if top => return Ok((nodes, None)),
                Tok::Eof => return Err(self.wrong(token.at, "unexpected EOF")),
                Tok::Text => nodes.push(Node::Text(token.text)),
                _ => {
                    let word = self.peek_solid()?;
                    if word.tok == Tok::Keyword {
                        match word.text.as_str() {
                            "else" | "end" => {
                                self.next()?;
                                return Ok((nodes, Some((word.at, word.text))));
                            }
                            "define" if top => {
                                self.next()?;
                                self.define()?;
                                continue;
                            }
                            _ => {}
                        }
                    }
                    let node = crate::print::deeper(|| self.action())?;
                    nodes.extend(node);
                }
            }
        }
    }

    fn define(&mut self) -> Result<(), String> {
        let name = self.name("define clause")?;
        self.expect(Tok::Right, "define clause")?;
        let saved = std::mem::replace(&mut self.variables, vec!["$".to_owned()]);
        let (nodes, end) = self.list(false)?;
        self.variables = saved;
        match end {
            Some((_, word)) if word == "end" => {}
            Some((at, word)) => {
                return Err(self.wrong(at, format!("unexpected {{{{{word}}}}} in define clause")));
            }
            None => {}
        }
        self.expect(Tok::Right, "end")?;
        self.templates.insert(name, nodes);
        Ok(())
    }

    fn name(&mut self, context: &str) -> Result<String, String> {
        let token = self.next_solid()?;
        match token.tok {
            Tok::String | Tok::RawString => {
                unquoted(&token.text).ok_or_else(|| self.wrong(token.at, "invalid syntax"))
            }
            _ => Err(self.unexpected(&token, context)),
        }
    }

    fn action(&mut self) -> Result<Option<Node>, String> {
        let token = self.peek_solid()?;
        if token.tok != Tok::Keyword {
            let pipe = self.pipe("command", Tok::Right)?;
            let text = self.text[pipe.at..self.tokens[self.pos - 1].at]
                .trim_end()
                .to_owned();
            return Ok(Some(Node::Action(pipe, text)));
        }
        self.next()?;
        let scope = self.variables.len();
        let node = match token.text.as_str() {
            "if" | "with" | "range" => self.control(&token.text)?,
            "block" => {
                let name = self.name("block clause")?;
                let data = self.pipe("block clause", Tok::Right)?;
                let (nodes, _) = self.list(false)?;
                self.expect(Tok::Right, "end")?;
                self.templates.insert(name.clone(), nodes);
                let text = format!("{{{{template {}}}}}", crate::builtin::quote_go(&name));
                let at = token.at;
                Node::Template {
                    name,
                    data: Some(data),
                    at,
                    text,
                }
            }
            "template" => {
                let at = self.peek_solid()?.at;
                let name = self.name("template clause")?;
                let data = if self.peek_solid()?.tok == Tok::Right {
                    self.next()?;
                    None
                } else {
                    Some(self.pipe("template clause", Tok::Right)?)
                };
                let text = format!("{{{{template {}}}}}", crate::builtin::quote_go(&name));
                Node::Template {
                    name,
                    data,
                    at,
                    text,
                }
            }
            word @ ("break" | "continue") => {
                let after = self.next_solid()?;
                if after.tok != Tok::Right {
                    return Err(self.unexpected(&after, &format!("{{{{{word}}}}}")));
                }
                if self.loops == 0 {
                    return Err(
                        self.wrong(token.at, format!("{{{{{word}}}}} outside {{{{range}}}}"))
                    );
                }
                if word == "break" {
                    Node::Break
                } else {
                    Node::Continue
                }
            }
            _ => return Err(self.unexpected(&token, "command")),
        };
        self.variables.truncate(scope);
        Ok(Some(node))
    }

    fn control(&mut self, word: &str) -> Result<Node, String> {
        let scope = self.variables.len();
        let pipe = self.pipe(word, Tok::Right)?;
        let text = self.text[pipe.at..self.tokens[self.pos - 1].at]
            .trim_end()
            .to_owned();
        self.loops += usize::from(word == "range");
        let (then, end) = self.list(false)?;
        self.loops -= usize::from(word == "range");
        let mut other = Vec::new();
        if end.is_some_and(|(_, w)| w == "else") {
            let token = self.peek_solid()?;
            if token.tok == Tok::Keyword && token.text == word && matches!(word, "if" | "with") {
                self.next()?;
                let nested = crate::print::deeper(|| self.control(word))?;
                self.variables.truncate(scope);
                return Ok(built(word, pipe, then, vec![nested], text));
            }
            self.expect(Tok::Right, "else")?;
            let (nodes, end) = self.list(false)?;
            other = nodes;
            if let Some((at, w)) = end.filter(|(_, w)| w == "else") {
                return Err(self.wrong(at, format!("expected end; found {{{{{w}}}}}")));
            }
        }
        self.expect(Tok::Right, "end")?;
        self.variables.truncate(scope);
        Ok(built(word, pipe, then, other, text))
    }

    fn pipe(&mut self, context: &str, end: Tok) -> Result<Pipe, String> {
        let at = self.peek_solid()?.at;
        let (variables, assign) = self.declared(context)?;
        let mut commands = Vec::new();
        loop {
            let token = self.next_solid()?;
            if token.tok == end {
                if commands.is_empty() {
                    return Err(self.wrong(token.at, format!("missing value for {context}")));
                }
                for command in &commands[1..] {
                    let command: &Vec<Arg> = command;
                    if let ArgKind::Constant(_) | ArgKind::Dot | ArgKind::Nil = command[0].kind {
                        let place = commands.iter().position(|c| std::ptr::eq(c, command));
                        let text = format!(
                            "non executable command in pipeline stage {}",
                            place.unwrap_or(0) + 1
                        );
                        return Err(self.wrong(token.at, text));
                    }
                }
                if !assign {
                    self.variables.extend(variables.iter().cloned());
                }
                return Ok(Pipe {
                    at,
                    assign,
                    variables,
                    commands,
                });
            }
            match token.tok {
                Tok::Bool
                | Tok::Char
                | Tok::Dot
                | Tok::Field
                | Tok::Ident
                | Tok::Number
                | Tok::Nil
                | Tok::RawString
                | Tok::String
                | Tok::Variable
                | Tok::Open => {
                    self.pos -= 1;
                    let command = self.command()?;
                    commands.push(command);
                }
                _ => return Err(self.unexpected(&token, context)),
            }
        }
    }

    /// `$x :=`, `$x =`, `$i, $x :=`.
    fn declared(&mut self, context: &str) -> Result<(Vec<String>, bool), String> {
        let start = self.pos;
        let mut names = Vec::new();
        loop {
            let token = self.next_solid()?;
            if token.tok != Tok::Variable {
                break;
            }
            let after = self.next_solid()?;
            names.push(token.text);
            match after.tok {
                Tok::Declare => return Ok((names, false)),
                Tok::Assign => {
                    for name in &names {
                        if !self.variables.contains(name) {
                            let text =
                                format!("undefined variable {}", crate::builtin::quote_go(name));
                            return Err(self.wrong(token.at, text));
                        }
                    }
                    return Ok((names, true));
                }
                Tok::Comma if context == "range" && names.len() < 2 => {}
                Tok::Comma => {
                    return Err(self.wrong(token.at, format!("too many declarations in {context}")));
                }
                _ => break,
            }
        }
        self.pos = start;
        Ok((Vec::new(), false))
    }

    fn command(&mut self) -> Result<Vec<Arg>, String> {
        let mut args = Vec::new();
        loop {
            self.peek_solid()?;
            if let Some(arg) = self.operand()? {
                args.push(arg);
            }
            let token = self.next()?;
            match token.tok {
                Tok::Space => {}
                Tok::Right | Tok::Close => {
                    self.pos -= 1;
                    break;
                }
                Tok::Pipe => break,
                _ => return Err(self.unexpected(&token, "operand")),
            }
        }
        if args.is_empty() {
            let at = self.peek()?.at;
            return Err(self.wrong(at, "empty command"));
        }
        Ok(args)
    }

    fn operand(&mut self) -> Result<Option<Arg>, String> {
        let Some(mut arg) = self.term()? else {
            return Ok(None);
        };
        let next = self.peek()?;
        if next.tok != Tok::Field {
            return Ok(Some(arg));
        }
        let mut more = Vec::new();
        while self.peek()?.tok == Tok::Field {
            let token = self.next()?;
            arg.text.push_str(&token.text);
            more.push(token.text[1..].to_owned());
        }
        arg.at = next.at;
        arg.kind = match arg.kind {
            ArgKind::Field(mut path) => {
                path.extend(more);
                ArgKind::Field(path)
            }
            ArgKind::Variable(name, mut path) => {
                path.extend(more);
                ArgKind::Variable(name, path)
            }
            ArgKind::Pipe(pipe) => ArgKind::Chain(pipe, more),
            ArgKind::Dot => {
                let text = format!("unexpected . after term {}", crate::builtin::quote_go("."));
                return Err(self.wrong(next.at, text));
            }
            other => {
                let text = crate::builtin::quote_go(&arg.text);
                let _ = other;
                return Err(self.wrong(next.at, format!("unexpected . after term {text}")));
            }
        };
        Ok(Some(arg))
    }

    fn term(&mut self) -> Result<Option<Arg>, String> {
        let token = self.next_solid()?;
        let (at, text) = (token.at, token.text.clone());
        let kind = match token.tok {
            Tok::Ident => {
                if !is_function(&text) {
                    let name = crate::builtin::quote_go(&text);
                    return Err(self.wrong(at, format!("function {name} not defined")));
                }
                ArgKind::Function(text.clone())
            }
            Tok::Dot => ArgKind::Dot,
            Tok::Nil => ArgKind::Nil,
            Tok::Variable => {
                if !self.variables.contains(&text) {
                    let name = crate::builtin::quote_go(&text);
                    return Err(self.wrong(at, format!("undefined variable {name}")));
                }
                ArgKind::Variable(text.clone(), Vec::new())
            }
            Tok::Field => ArgKind::Field(vec![text[1..].to_owned()]),
            Tok::Bool => ArgKind::Constant(Value::Bool(text == "true")),
            Tok::Number | Tok::Char => match constant(&text) {
                Some(value) => ArgKind::Constant(value),
                None => {
                    let shown = crate::builtin::quote_go(&text);
                    return Err(self.wrong(at, format!("bad number syntax: {shown}")));
                }
            },
            Tok::String | Tok::RawString => match unquoted(&text) {
                Some(value) => ArgKind::Constant(Value::Str(value.into())),
                None => return Err(self.wrong(at, "invalid syntax")),
            },
            Tok::Open => {
                let pipe =
                    crate::print::deeper(|| self.pipe("parenthesized pipeline", Tok::Close))?;
                let end = self.tokens[self.pos - 1].at + 1;
                let text = self.text[at..end].to_owned();
                return Ok(Some(Arg {
                    kind: ArgKind::Pipe(Box::new(pipe)),
                    at,
                    text,
                }));
            }
            _ => {
                self.pos -= 1;
                return Ok(None);
            }
        };
        Ok(Some(Arg { kind, at, text }))
    }
}

fn built(word: &str, pipe: Pipe, then: Vec<Node>, other: Vec<Node>, text: String) -> Node {
    match word {
        "if" => Node::If(pipe, then, other),
        "with" => Node::With(pipe, then, other),
        _ => Node::Range(pipe, then, other, text),
    }
}

/// A number or character.
fn constant(text: &str) -> Option<Value> {
    if text.starts_with('\'') {
        let inner = format!("\"{}\"", &text[1..text.len() - 1].replace('"', "\\\""));
        let value = unquoted(&inner)?;
        let mut chars = value.chars();
        let c = chars.next()?;
        return chars
            .next()
            .is_none()
            .then(|| Value::Int(i64::from(u32::from(c)), Width::Word));
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let plain = digits.replace('_', "");
    let lower = plain.to_ascii_lowercase();
    let based = [("0x", 16), ("0o", 8), ("0b", 2)]
        .iter()
        .find_map(|(p, b)| Some((lower.strip_prefix(p)?, *b)));
    let int = match based {
        Some((digits, base)) => i64::from_str_radix(digits, base).ok(),
        None if lower.len() > 1 && lower.starts_with('0') && !lower.contains(['.', 'e']) => {
            i64::from_str_radix(&lower[1..], 8).ok()
        }
        None => lower.parse::<i64>().ok(),
    };
    if let Some(n) = int {
        return Some(Value::Int(if negative { -n } else { n }, Width::Word));
    }
    if !lower.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let value = crate::builtin::float_format::parse_float(&plain, 64)?;
    Some(Value::Float(if negative { -value } else { value }))
}

/// The content of a string of the reference's language.
fn unquoted(text: &str) -> Option<String> {
    if let Some(raw) = text.strip_prefix('`') {
        return Some(raw.strip_suffix('`')?.replace('\r', ""));
    }
    let mut out = Vec::new();
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.extend(c.to_string().into_bytes());
            continue;
        }
        let kind = chars.next()?;
        let mut number = |n: usize, base: u32, first: &str| {
            let digits: String = first.chars().chain(chars.by_ref().take(n)).collect();
            (digits.len() == n + first.len())
                .then(|| u32::from_str_radix(&digits, base).ok())
                .flatten()
        };
        match kind {
            'a' => out.push(7),
            'b' => out.push(8),
            'f' => out.push(12),
            'n' => out.push(b'\n'),
            'r' => out.push(b'\r'),
            't' => out.push(b'\t'),
            'v' => out.push(11),
            '\\' | '"' | '\'' => out.push(kind as u8),
            'x' => out.push(u8::try_from(number(2, 16, "")?).ok()?),
            '0'..='7' => out.push(u8::try_from(number(2, 8, &kind.to_string())?).ok()?),
            'u' => out.extend(char::from_u32(number(4, 16, "")?)?.to_string().into_bytes()),
            'U' => out.extend(char::from_u32(number(8, 16, "")?)?.to_string().into_bytes()),
            _ => return None,
        }
    }
    Some(String::from_utf8_lossy(&out).into_owned())
}
