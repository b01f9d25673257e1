//! YAML documents to trees.

mod scalar;

use crate::problem::Problem;
use pravo_cue::eval::Evaluator;
use pravo_cue::syntax::data::DataBuilder;
use pravo_cue::syntax::source::FileId;
use pravo_cue::syntax::tree::{ExprId, Tree};
use saphyr_parser::{Event, Parser, ScanError, Span};
use scalar::Plain;
use std::collections::HashMap;
use std::sync::Arc;

/// How many nodes aliases may expand to.
const MAX_ALIAS_NODES: usize = 50_000;
/// Deepest nesting of collections.
const MAX_DEPTH: usize = 10_000;

/// A node before it is built; aliases repeat it.
#[derive(Clone, Debug)]
enum Node {
    Scalar {
        text: String,
        plain: bool,
        tag: Option<String>,
        at: usize,
    },
    List {
        items: Vec<Arc<Node>>,
        at: usize,
    },
    Map {
        fields: Vec<(Arc<Node>, Arc<Node>)>,
        at: usize,
    },
}

/// Reads all documents of a text.
pub(crate) fn read(
    ev: &mut Evaluator,
    path: &str,
    file: FileId,
) -> Result<Vec<Arc<Tree>>, Vec<Problem>> {
    let text = ev.sources.get(file).text().clone();
    let fail = |line: usize, what: &str| {
        let place = if line == 0 {
            String::new()
        } else {
            format!(":{line}")
        };
        Err(vec![Problem::new(format!("{path}{place}: {what}"))])
    };
    if let Some(version) = text.strip_prefix("%YAML ")
        && !version.starts_with("1.1")
    {
        return fail(0, "found incompatible YAML document");
    }
    let mut reader = Reader::new(&text);
    let documents = match reader.documents() {
        Ok(documents) => documents,
        Err(e) => return fail(e.line, &e.text),
    };
    let mut out = Vec::new();
    for node in documents {
        let mut build = Build {
            source: text.clone(),
            data: DataBuilder::new(&ev.sources, file),
            nodes: 0,
        };
        match build.value(&node, 0) {
            Ok(root) => out.push(Arc::new(build.data.finish(root))),
            Err(e) => return fail(e.line + 1, &e.text),
        }
    }
    Ok(out)
}

#[derive(Debug)]
struct Bad {
    line: usize,
    text: String,
}

fn bad<T>(text: impl Into<String>) -> Result<T, Bad> {
    Err(Bad {
        line: 0,
        text: text.into(),
    })
}

struct Reader<'a> {
    parser: Parser<'a, saphyr_parser::StrInput<'a>>,
    text: &'a str,
    /// Byte offsets of characters, if they differ.
    offsets: Option<Vec<u32>>,
    anchors: HashMap<usize, Arc<Node>>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Reader<'a> {
        let offsets =
            (!text.is_ascii()).then(|| text.char_indices().map(|(i, _)| i as u32).collect());
        Reader {
            parser: Parser::new_from_str(text),
            text,
            offsets,
            anchors: HashMap::new(),
        }
    }

    fn at(&self, span: Span) -> usize {
        let index = span.start.index();
        match &self.offsets {
            None => index,
            Some(list) => list.get(index).map_or_else(
                || list.last().map_or(0, |l| *l as usize + 1),
                |offset| *offset as usize,
            ),
        }
    }

    fn next(&mut self) -> Result<(Event<'a>, Span), Bad> {
        match self.parser.next_event() {
            Some(Ok(event)) => Ok(event),
            Some(Err(e)) => Err(scan_error(&e, self.text)),
            None => Ok((Event::StreamEnd, Span::default())),
        }
    }

    fn documents(&mut self) -> Result<Vec<Arc<Node>>, Bad> {
        let mut out = Vec::new();
        loop {
            match self.next()? {
                (Event::StreamEnd, _) => break,
                (Event::DocumentStart(_), _) => {
                    self.anchors.clear();
                    let (event, span) = self.next()?;
                    out.push(self.node(event, span, 0)?);
                }
                _ => {}
            }
        }
        if out.is_empty() {
            out.push(Arc::new(Node::Scalar {
                text: String::new(),
                plain: true,
                tag: None,
                at: 0,
            }));
        }
        Ok(out)
    }

    fn node(&mut self, event: Event<'a>, span: Span, depth: usize) -> Result<Arc<Node>, Bad> {
        if depth > MAX_DEPTH {
            return bad("exceeded max depth of 10000");
        }
        stacker::maybe_grow(64 << 10, 2 << 20, || self.node_inner(event, span, depth))
    }

    fn node_inner(&mut self, event: Event<'a>, span: Span, depth: usize) -> Result<Arc<Node>, Bad> {
        let at = self.at(span);
        let (node, anchor) = match event {
            Event::Alias(id) => {
                return match self.anchors.get(&id) {
                    Some(node) => Ok(node.clone()),
                    None => bad("anchor value contains itself"),
                };
            }
            Event::Scalar(text, style, anchor, tag) => {
                let plain = style == saphyr_parser::ScalarStyle::Plain;
                let tag = tag.map(|t| tag_text(&t));
                (
                    Node::Scalar {
                        text: text.into_owned(),
                        plain,
                        tag,
                        at,
                    },
                    anchor,
                )
            }
            Event::SequenceStart(anchor, _) => {
                let mut items = Vec::new();
                loop {
                    let (event, span) = self.next()?;
                    if event == Event::SequenceEnd {
                        break;
                    }
                    items.push(self.node(event, span, depth + 1)?);
                }
                (Node::List { items, at }, anchor)
            }
            Event::MappingStart(anchor, _) => {
                let mut fields = Vec::new();
                loop {
                    let (event, span) = self.next()?;
                    if event == Event::MappingEnd {
                        break;
                    }
                    let key = self.node(event, span, depth + 1)?;
                    let (event, span) = self.next()?;
                    fields.push((key, self.node(event, span, depth + 1)?));
                }
                (Node::Map { fields, at }, anchor)
            }
            _ => return bad("did not find expected node content"),
        };
        let node = Arc::new(node);
        if anchor > 0 {
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
    }
}

fn tag_text(tag: &saphyr_parser::Tag) -> String {
    if tag.handle == "tag:yaml.org,2002:" {
        format!("!!{}", tag.suffix)
    } else {
        format!("{}{}", tag.handle, tag.suffix)
    }
}

/// What the reader says, in the words of the reference implementation's reader where they differ.
/// That one counts lines from zero, and adds one only where its scanner found the fault.
fn scan_error(e: &ScanError, source: &str) -> Bad {
    let info = e.info();
    let text = info.rsplit(", ").next().unwrap_or(info);
    let line = e.marker().line().saturating_sub(1);
    let scanned = |line: usize| if line > 0 { line + 1 } else { 0 };
    let (text, line) = match text {
        "expected ',' or ']'" => ("did not find expected ',' or ']'", line),
        "expected ',' or '}'" => ("did not find expected ',' or '}'", line),
        "simple key expect ':'" => ("could not find expected ':'", line),
        t if t.contains("unexpected end of stream") => {
            let last = source.bytes().filter(|b| *b == b'\n').count();
            (t, scanned(if line == 0 { last } else { line }))
        }
        t if t.contains("unknown anchor") => {
            let rest = source.chars().skip(e.marker().index());
            let name: String = rest
                .skip_while(|c| *c == '*')
                .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
                .collect();
            return Bad {
                line: 0,
                text: format!("unknown anchor '{name}' referenced"),
            };
        }
        t if t.contains("tab") || t.starts_with("unexpected character") => {
            ("found character that cannot start any token", scanned(line))
        }
        t if t.starts_with("did not find") => (t, line),
        t => (t, scanned(line)),
    };
    Bad {
        line,
        text: text.to_owned(),
    }
}

struct Build {
    source: Arc<str>,
    data: DataBuilder,
    nodes: usize,
}

impl Build {
    fn value(&mut self, node: &Arc<Node>, depth: usize) -> Result<ExprId, Bad> {
        self.nodes += 1;
        if self.nodes > MAX_ALIAS_NODES * 40 {
            return bad(format!(
                "aliases expand to more than {MAX_ALIAS_NODES} nodes"
            ));
        }
        stacker::maybe_grow(64 << 10, 2 << 20, || match &**node {
            Node::Scalar {
                text,
                plain,
                tag,
                at,
            } => self
                .scalar(text, *plain, tag.as_deref(), *at)
                .map_err(|e| self.placed(e, *at)),
            Node::List { items, at } => {
                let mut ids = Vec::with_capacity(items.len());
                for item in items {
                    ids.push(self.value(item, depth + 1)?);
                }
                Ok(self.data.list(&ids, *at))
            }
            Node::Map { fields, at } => {
                let mut out: Vec<(String, usize, ExprId)> = Vec::with_capacity(fields.len());
                let mut merged: Vec<(String, usize, ExprId)> = Vec::new();
                for (key, value) in fields {
                    if is_merge(key) {
                        self.merge(value, &mut merged, depth)?;
                        continue;
                    }
                    let (name, place) = key_text(key)?;
                    out.push((name, place, self.value(value, depth + 1)?));
                }
                merged.retain(|(n, ..)| !out.iter().any(|(m, ..)| m == n));
                merged.extend(out);
                Ok(self.data.structure(&merged, *at))
            }
        })
    }

    /// An error at the line of a node.
    fn placed(&self, e: Bad, at: usize) -> Bad {
        let before = &self.source.as_bytes()[..at.min(self.source.len())];
        Bad {
            line: before.iter().filter(|b| **b == b'\n').count(),
            text: e.text,
        }
    }

    /// `<<`: the fields of other mappings, earlier ones first.
    fn merge(
        &mut self,
        value: &Arc<Node>,
        out: &mut Vec<(String, usize, ExprId)>,
        depth: usize,
    ) -> Result<(), Bad> {
        match &**value {
            Node::Map { fields, .. } => {
                for (key, value) in fields {
                    if is_merge(key) {
                        self.merge(value, out, depth + 1)?;
                        continue;
                    }
                    let (name, place) = key_text(key)?;
                    if !out.iter().any(|(n, ..)| *n == name) {
                        let value = self.value(value, depth + 1)?;
                        out.push((name, place, value));
                    }
                }
                Ok(())
            }
            Node::List { items, .. } if depth < MAX_DEPTH => {
                for item in items {
                    if !matches!(**item, Node::Map { .. }) {
                        return bad("map merge requires map or sequence of maps as the value");
                    }
                    self.merge(item, out, depth + 1)?;
                }
                Ok(())
            }
            _ => bad("map merge requires map or sequence of maps as the value"),
        }
    }

    fn scalar(
        &mut self,
        text: &str,
        plain: bool,
        tag: Option<&str>,
        at: usize,
    ) -> Result<ExprId, Bad> {
        let resolved = match tag {
            None | Some("") if plain => scalar::resolve(text),
            None | Some("" | "!" | "!!str") => Plain::String,
            Some("!!binary") => {
                let joined: String = text.split_whitespace().collect();
                return match pravo_cue::builtin::base64_text::decode(&joined) {
                    Ok(bytes) => Ok(self.data.bytes(&bytes, at)),
                    Err(_) => bad("!!binary value contains invalid base64 data"),
                };
            }
            Some("!!null") => Plain::Null,
            Some("!!int" | "!!float" | "!!bool" | "!!timestamp") => match scalar::resolve(text) {
                Plain::String if tag == Some("!!timestamp") => Plain::String,
                Plain::String | Plain::Null => {
                    let tag = tag.unwrap_or("");
                    let cause = format!("illegal number start {text:?}");
                    return bad(format!("cannot decode {text:?} as {tag}: {cause}"));
                }
                other => other,
            },
            Some(tag) if tag.len() > 1 => {
                return bad(format!("cannot unmarshal tag {tag:?}"));
            }
            Some(_) => Plain::String,
        };
        Ok(match resolved {
            Plain::Null => self.data.null(at),
            Plain::Bool(b) => self.data.bool(b, at),
            Plain::Number(literal) => self.data.number(&literal, at),
            Plain::String => self.data.string(text, at),
        })
    }
}

fn is_merge(key: &Arc<Node>) -> bool {
    matches!(&**key, Node::Scalar { text, plain: true, .. } if text == "<<")
}

/// A key as the name of a field.
fn key_text(key: &Arc<Node>) -> Result<(String, usize), Bad> {
    match &**key {
        Node::Scalar {
            text,
            plain,
            tag,
            at,
        } => {
            let null = *plain && tag.is_none() && scalar::resolve(text) == Plain::Null;
            let text = if null {
                "null".to_owned()
            } else {
                text.clone()
            };
            Ok((text, *at))
        }
        Node::List { .. } => bad("invalid map key: !!seq"),
        Node::Map { .. } => bad("invalid map key: !!map"),
    }
}
