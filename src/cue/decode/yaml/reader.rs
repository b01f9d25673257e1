//! Tokens to documents.

use super::node::{Bad, Comments, Kind, Node, NodeId, bad};
use super::scan::{Mark, Scanner, Tok};
use rustc_hash::FxHashMap;
use std::mem::take;

/// The prefix of the standard tags, and how they are written in short.
const STANDARD: &str = "tag:yaml.org,2002:";

/// Reads documents one by one. The nodes of all of them stay: anchors hold on across documents.
pub(super) struct Reader<'a> {
    scanner: Scanner<'a>,
    pub(super) nodes: Vec<Node>,
    anchors: FxHashMap<String, NodeId>,
    tags: Vec<(String, String)>,
    /// Whether the next document needs no `---`.
    first: bool,
    /// A character that no document may hold.
    control: bool,
    /// The foot of the flow collection that just ended.
    flow_foot: String,
    /// The comments of a document apart from its value.
    pub(super) head: String,
}

/// A fault that the parser finds.
fn fault(context: Mark, problem: Mark, text: &str) -> Bad {
    Bad {
        line: if context.line > 0 {
            context.line
        } else {
            problem.line
        },
        text: text.to_owned(),
    }
}

fn is_allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{fffd}' | '\u{10000}'..)
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str) -> Reader<'a> {
        Reader {
            scanner: Scanner::new(text),
            nodes: Vec::new(),
            anchors: FxHashMap::default(),
            tags: Vec::new(),
            first: true,
            control: !text.chars().all(is_allowed),
            flow_foot: String::new(),
            head: String::new(),
        }
    }

    fn tok(&mut self) -> Result<&Tok, Bad> {
        Ok(&self.scanner.peek()?.tok)
    }

    fn start(&mut self) -> Result<Mark, Bad> {
        Ok(self.scanner.peek()?.start)
    }

    /// Skips a token; where it ended.
    fn skip(&mut self) -> Result<Mark, Bad> {
        Ok(self.scanner.next()?.end)
    }

    /// The root of the next document.
    pub(super) fn document(&mut self) -> Result<Option<NodeId>, Bad> {
        if self.control {
            return bad(0, "control characters are not allowed");
        }
        self.head.clear();
        let implicit = std::mem::replace(&mut self.first, false);
        if !implicit {
            while *self.tok()? == Tok::DocumentEnd {
                self.skip()?;
            }
        }
        if *self.tok()? == Tok::StreamEnd {
            return Ok(None);
        }
        let marked = matches!(
            self.tok()?,
            Tok::Version(..) | Tok::TagDirective { .. } | Tok::DocumentStart
        );
        self.directives()?;
        let root = if implicit && !marked {
            self.split_head();
            self.node(true, false)?
        } else {
            if *self.tok()? != Tok::DocumentStart {
                let text = "did not find expected <document start>";
                return Err(fault(Mark::default(), self.start()?, text));
            }
            self.skip()?;
            match self.tok()? {
                Tok::Version(..)
                | Tok::TagDirective { .. }
                | Tok::DocumentStart
                | Tok::DocumentEnd
                | Tok::StreamEnd => {
                    let at = self.start()?;
                    self.empty(at)
                }
                _ => self.node(true, false)?,
            }
        };
        if *self.tok()? == Tok::DocumentEnd {
            self.skip()?;
        }
        self.scanner.pending = Default::default();
        Ok(Some(root))
    }

    /// Comments above the last empty line before the first value are the document's.
    fn split_head(&mut self) {
        let head = &mut self.scanner.pending.head;
        if let Some(i) = head.rfind("\n\n").filter(|_| !head.ends_with('\n')) {
            self.head = head[..i].to_owned();
            *head = head[i + 2..].to_owned();
        } else if head.len() > 1 && head.ends_with('\n') {
            self.head = head[..head.len() - 1].to_owned();
            head.clear();
        }
    }

    fn directives(&mut self) -> Result<(), Bad> {
        self.tags.clear();
        let mut version = false;
        loop {
            let at = self.start()?;
            match self.tok()?.clone() {
                Tok::Version(major, minor) => {
                    if version {
                        let text = "found duplicate %YAML directive";
                        return Err(fault(Mark::default(), at, text));
                    }
                    if (major, minor) != (1, 1) {
                        let text = "found incompatible YAML document";
                        return Err(fault(Mark::default(), at, text));
                    }
                    version = true;
                }
                Tok::TagDirective { handle, prefix } => {
                    if self.tags.iter().any(|(h, _)| *h == handle) {
                        let text = "found duplicate %TAG directive";
                        return Err(fault(Mark::default(), at, text));
                    }
                    self.tags.push((handle, prefix));
                }
                _ => break,
            }
            self.skip()?;
        }
        for (handle, prefix) in [("!", "!"), ("!!", STANDARD)] {
            if !self.tags.iter().any(|(h, _)| h == handle) {
                self.tags.push((handle.to_owned(), prefix.to_owned()));
            }
        }
        Ok(())
    }

    fn add(&mut self, kind: Kind, at: Mark) -> NodeId {
        self.nodes.push(Node {
            kind,
            line: at.line + 1,
            at: at.line_start + at.column,
            comments: None,
        });
        self.nodes.len() - 1
    }

    /// Gives a node the comments that were found.
    fn comment(&mut self, id: NodeId) {
        let found = &mut self.scanner.pending;
        let (head, foot) = (take(&mut found.head), take(&mut found.foot));
        found.stem.clear();
        if !head.is_empty() || !foot.is_empty() {
            self.nodes[id].comments = Some(Box::new(Comments { head, foot }));
        }
    }

    /// The foot of a node, to be taken elsewhere.
    fn take_foot(&mut self, id: NodeId) -> String {
        let comments = self.nodes[id].comments.as_mut();
        comments.map_or_else(String::new, |c| take(&mut c.foot))
    }

    fn set_foot(&mut self, id: NodeId, foot: String) {
        if !foot.is_empty() {
            self.nodes[id].comments.get_or_insert_default().foot = foot;
        }
    }

    /// What ends a collection takes the comments before it: a foot is what counts.
    fn foot_at_end(&mut self) -> String {
        let found = &mut self.scanner.pending;
        found.head.clear();
        found.stem.clear();
        take(&mut found.foot)
    }

    /// The head of an element that is a collection is of all of it.
    fn split_stem(&mut self, length: usize) -> Result<(), Bad> {
        if length == 0 || !matches!(self.tok()?, Tok::BlockSequence | Tok::BlockMapping) {
            return Ok(());
        }
        let found = &mut self.scanner.pending;
        let rest = found.head.split_off(length);
        found.stem = std::mem::replace(&mut found.head, rest.get(1..).unwrap_or("").to_owned());
        Ok(())
    }

    /// A scalar that is not there.
    fn empty(&mut self, at: Mark) -> NodeId {
        let scalar = Kind::Scalar {
            text: String::new(),
            plain: true,
            tag: String::new(),
        };
        self.add(scalar, at)
    }

    fn node(&mut self, block: bool, indentless: bool) -> Result<NodeId, Bad> {
        stacker::maybe_grow(64 << 10, 2 << 20, || self.node_inner(block, indentless))
    }

    fn node_inner(&mut self, block: bool, indentless: bool) -> Result<NodeId, Bad> {
        let start = self.start()?;
        if let Tok::Alias(name) = self.tok()? {
            let name = name.clone();
            return match self.anchors.get(&name) {
                Some(target) => {
                    let target = *target;
                    let id = self.add(Kind::Alias { name, target }, start);
                    self.comment(id);
                    self.skip()?;
                    Ok(id)
                }
                None => bad(0, format!("unknown anchor '{name}' referenced")),
            };
        }
        let (mut anchor, mut tag) = (None, None);
        loop {
            let at = self.start()?;
            match self.tok()?.clone() {
                Tok::Anchor(name) if anchor.is_none() => anchor = Some(name),
                Tok::Tag { handle, suffix } if tag.is_none() => {
                    tag = Some(self.tag(&handle, &suffix, start, at)?);
                }
                _ => break,
            }
            self.skip()?;
        }
        let has_tag = tag.is_some();
        let tag = tag.unwrap_or_default();
        let id = self.nodes.len();
        let none = Kind::List(Vec::new());
        let kind = match self.tok()?.clone() {
            Tok::Scalar { text, plain } => {
                self.add(Kind::Scalar { text, plain, tag }, start);
                self.comment(id);
                self.skip()?;
                None
            }
            Tok::BlockEntry if indentless => Some(Tok::BlockEntry),
            t @ (Tok::FlowSequence | Tok::FlowMapping) => Some(t),
            t @ (Tok::BlockSequence | Tok::BlockMapping) if block => Some(t),
            _ if anchor.is_some() || has_tag => {
                let (text, plain) = (String::new(), true);
                self.add(Kind::Scalar { text, plain, tag }, start);
                None
            }
            _ => {
                let text = "did not find expected node content";
                return Err(fault(start, self.start()?, text));
            }
        };
        if let Some(tok) = &kind {
            self.add(none, start);
            match tok {
                Tok::FlowSequence | Tok::FlowMapping => self.comment(id),
                Tok::BlockSequence | Tok::BlockMapping => {
                    let head = take(&mut self.scanner.pending.stem);
                    if !head.is_empty() {
                        self.nodes[id].comments.get_or_insert_default().head = head;
                    }
                }
                _ => {}
            }
        }
        if let Some(name) = anchor {
            self.anchors.insert(name, id);
        }
        if let Some(tok) = kind {
            let flow = matches!(tok, Tok::FlowSequence | Tok::FlowMapping);
            self.nodes[id].kind = match tok {
                Tok::BlockEntry => Kind::List(self.indentless()?),
                Tok::BlockSequence => Kind::List(self.block_sequence()?),
                Tok::BlockMapping => Kind::Map(self.block_mapping()?),
                Tok::FlowSequence => Kind::List(self.flow_sequence()?),
                _ => Kind::Map(self.flow_mapping()?),
            };
            if flow {
                let foot = take(&mut self.flow_foot);
                self.set_foot(id, foot);
            }
        }
        Ok(id)
    }

    fn tag(&self, handle: &str, suffix: &str, start: Mark, at: Mark) -> Result<String, Bad> {
        let full = if handle.is_empty() {
            suffix.to_owned()
        } else {
            match self.tags.iter().find(|(h, _)| h == handle) {
                Some((_, prefix)) => format!("{prefix}{suffix}"),
                None => return Err(fault(start, at, "found undefined tag handle")),
            }
        };
        Ok(match full.strip_prefix(STANDARD) {
            Some(short) => format!("!!{short}"),
            None => full,
        })
    }

    fn block_sequence(&mut self) -> Result<Vec<NodeId>, Bad> {
        let began = self.start()?;
        self.skip()?;
        let mut items = Vec::new();
        loop {
            match self.tok()? {
                Tok::BlockEntry => {
                    let head = self.scanner.pending.head.len();
                    let end = self.skip()?;
                    self.split_stem(head)?;
                    items.push(match self.tok()? {
                        Tok::BlockEntry | Tok::BlockEnd => self.empty(end),
                        _ => self.node(true, false)?,
                    });
                }
                Tok::BlockEnd => {
                    self.skip()?;
                    return Ok(items);
                }
                _ => {
                    let text = "did not find expected '-' indicator";
                    return Err(fault(began, self.start()?, text));
                }
            }
        }
    }

    fn indentless(&mut self) -> Result<Vec<NodeId>, Bad> {
        let mut items = Vec::new();
        while *self.tok()? == Tok::BlockEntry {
            let head = self.scanner.pending.head.len();
            let end = self.skip()?;
            self.split_stem(head)?;
            items.push(match self.tok()? {
                Tok::BlockEntry | Tok::Key | Tok::Value | Tok::BlockEnd => self.empty(end),
                _ => self.node(true, false)?,
            });
        }
        Ok(items)
    }

    fn block_mapping(&mut self) -> Result<Vec<(NodeId, NodeId)>, Bad> {
        let began = self.start()?;
        self.skip()?;
        let mut fields: Vec<(NodeId, NodeId)> = Vec::new();
        loop {
            let key = match self.tok()? {
                Tok::Key => {
                    let end = self.skip()?;
                    self.block_part(end)?
                }
                Tok::BlockEnd => {
                    let foot = self.foot_at_end();
                    if let Some((key, _)) = fields.last() {
                        self.set_foot(*key, foot);
                    }
                    self.skip()?;
                    return Ok(fields);
                }
                _ => {
                    let text = "did not find expected key";
                    return Err(fault(began, self.start()?, text));
                }
            };
            // the foot of a key is what stands behind the field before it
            if let Some((before, _)) = fields.last() {
                let (before, foot) = (*before, self.take_foot(key));
                self.set_foot(before, foot);
            }
            let value = if *self.tok()? == Tok::Value {
                let end = self.skip()?;
                self.block_part(end)?
            } else {
                let at = self.start()?;
                self.empty(at)
            };
            self.foot_to_key(key, value);
            fields.push((key, value));
        }
    }

    /// The foot of a value is its key's, if that has none.
    fn foot_to_key(&mut self, key: NodeId, value: NodeId) {
        let has = self.nodes[key].comments.as_ref();
        if has.is_none_or(|c| c.foot.is_empty()) {
            let foot = self.take_foot(value);
            self.set_foot(key, foot);
        }
    }

    /// A key or value of a block mapping.
    fn block_part(&mut self, end: Mark) -> Result<NodeId, Bad> {
        match self.tok()? {
            Tok::Key | Tok::Value | Tok::BlockEnd => Ok(self.empty(end)),
            _ => self.node(true, true),
        }
    }

    fn flow_sequence(&mut self) -> Result<Vec<NodeId>, Bad> {
        let began = self.start()?;
        self.skip()?;
        let mut items = Vec::new();
        while *self.tok()? != Tok::FlowSequenceEnd {
            if !items.is_empty() {
                if *self.tok()? != Tok::FlowEntry {
                    let text = "did not find expected ',' or ']'";
                    return Err(fault(began, self.start()?, text));
                }
                self.skip()?;
            }
            match self.tok()? {
                Tok::Key => {
                    let at = self.start()?;
                    let end = self.skip()?;
                    let pair = self.flow_pair(end)?;
                    items.push(self.add(Kind::Map(vec![pair]), at));
                }
                Tok::FlowSequenceEnd => break,
                _ => items.push(self.node(false, false)?),
            }
        }
        self.flow_foot = self.foot_at_end();
        self.skip()?;
        Ok(items)
    }

    /// A mapping of one pair inside a sequence.
    fn flow_pair(&mut self, end: Mark) -> Result<(NodeId, NodeId), Bad> {
        let key = match self.tok()? {
            Tok::Value | Tok::FlowEntry | Tok::FlowSequenceEnd => self.empty(end),
            _ => self.node(false, false)?,
        };
        if *self.tok()? == Tok::Value {
            self.skip()?;
            if !matches!(self.tok()?, Tok::FlowEntry | Tok::FlowSequenceEnd) {
                return Ok((key, self.node(false, false)?));
            }
        }
        let at = self.start()?;
        Ok((key, self.empty(at)))
    }

    fn flow_mapping(&mut self) -> Result<Vec<(NodeId, NodeId)>, Bad> {
        let began = self.start()?;
        self.skip()?;
        let mut fields: Vec<(NodeId, NodeId)> = Vec::new();
        while *self.tok()? != Tok::FlowMappingEnd {
            if !fields.is_empty() {
                if *self.tok()? != Tok::FlowEntry {
                    let text = "did not find expected ',' or '}'";
                    return Err(fault(began, self.start()?, text));
                }
                self.skip()?;
            }
            match self.tok()? {
                Tok::Key => {
                    self.skip()?;
                    let key = match self.tok()? {
                        Tok::Value | Tok::FlowEntry | Tok::FlowMappingEnd => {
                            let at = self.start()?;
                            self.empty(at)
                        }
                        _ => self.node(false, false)?,
                    };
                    let value = self.flow_value()?;
                    self.foot_to_key(key, value);
                    fields.push((key, value));
                }
                Tok::FlowMappingEnd => break,
                _ => {
                    let key = self.node(false, false)?;
                    let at = self.start()?;
                    fields.push((key, self.empty(at)));
                }
            }
        }
        self.flow_foot = self.foot_at_end();
        self.skip()?;
        Ok(fields)
    }

    fn flow_value(&mut self) -> Result<NodeId, Bad> {
        if *self.tok()? == Tok::Value {
            self.skip()?;
            if !matches!(self.tok()?, Tok::FlowEntry | Tok::FlowMappingEnd) {
                return self.node(false, false);
            }
        }
        let at = self.start()?;
        Ok(self.empty(at))
    }
}
