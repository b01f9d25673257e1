//! Nodes to expressions of the language.

use super::node::{Bad, Kind, Node, NodeId, bad};
use super::scalar::{Number, Plain, number, resolve};
use crate::builtin::{base64_text, quote_go};
use crate::syntax::data::{DataBuilder, DataField};
use crate::syntax::names::Names;
use crate::syntax::source::{FileId, Sources};
use crate::syntax::tree::{ExprId, Tree};
use rustc_hash::FxHashMap;

/// How many nodes aliases may expand to.
const MAX_ALIAS_NODES: usize = 50_000;

const NO_MERGE: &str = "map merge requires map or sequence of maps as the value";

/// Fields by name in order, and where a name stands among them.
#[derive(Default)]
struct Fields {
    list: Vec<DataField>,
    index: FxHashMap<String, usize>,
}

/// Builds the tree of one document.
pub(super) struct Build<'a> {
    nodes: &'a [Node],
    text: &'a str,
    names: &'a mut Names,
    data: DataBuilder,
    /// Nodes made inside of aliases.
    copies: usize,
    /// Aliases that are being expanded.
    open: Vec<NodeId>,
    /// Aliases that are being merged.
    merging: Vec<NodeId>,
    /// Comments for the next field, and whether an empty line stands before them.
    docs: Vec<String>,
    apart: bool,
    /// The line of what was built last.
    last: usize,
}

impl<'a> Build<'a> {
    pub(super) fn new(
        nodes: &'a [Node],
        text: &'a str,
        sources: &Sources,
        names: &'a mut Names,
        file: FileId,
    ) -> Build<'a> {
        Build {
            nodes,
            text,
            names,
            data: DataBuilder::new(sources, file),
            copies: 0,
            open: Vec::new(),
            merging: Vec::new(),
            docs: Vec::new(),
            apart: false,
            last: 0,
        }
    }

    pub(super) fn document(mut self, root: NodeId, head: &str) -> Result<Tree, Bad> {
        self.docs.extend(comments(head));
        let root = self.value(root)?;
        Ok(self.data.finish(root))
    }

    /// What a text without documents is.
    pub(super) fn empty(mut self) -> Tree {
        let root = self.data.nothing(self.names, 0);
        self.data.finish(root)
    }

    fn value(&mut self, id: NodeId) -> Result<ExprId, Bad> {
        stacker::maybe_grow(64 << 10, 2 << 20, || self.value_inner(id))
    }

    fn value_inner(&mut self, id: NodeId) -> Result<ExprId, Bad> {
        let node = &self.nodes[id];
        if !self.open.is_empty() {
            self.copies += 1;
            if self.copies > MAX_ALIAS_NODES {
                let text = format!("aliases expand to more than {MAX_ALIAS_NODES} nodes");
                return bad(node.line, text);
            }
        }
        self.note_head(id);
        let value = self.content(id)?;
        // comments of a value that is no field are lost
        self.docs.clear();
        Ok(value)
    }

    /// The comments before a node go to the next field that begins.
    fn note_head(&mut self, id: NodeId) {
        let node = &self.nodes[id];
        let Some(found) = &node.comments else { return };
        let before = self.docs.len();
        self.docs.extend(comments(&found.head));
        if before == 0 {
            let count = self.docs.len();
            self.apart = self.last > 0 && node.line >= self.last + count + 2;
        }
    }

    fn content(&mut self, id: NodeId) -> Result<ExprId, Bad> {
        let node = &self.nodes[id];
        self.last = self.last.max(node.line);
        match &node.kind {
            Kind::Scalar { text, plain, tag } => self.scalar(text, *plain, tag, node),
            Kind::List(items) => {
                let mut ids = Vec::with_capacity(items.len());
                for item in items {
                    ids.push(self.value(*item)?);
                }
                Ok(self.data.list(&ids, node.at))
            }
            Kind::Map(fields) => {
                let mut out = Fields::default();
                self.fields(fields, &mut out, false)?;
                Ok(self.data.structure(&out.list, node.at))
            }
            Kind::Alias { name, target } => self.alias(id, name, *target),
        }
    }

    fn alias(&mut self, id: NodeId, name: &str, target: NodeId) -> Result<ExprId, Bad> {
        let node = &self.nodes[id];
        if self.open.contains(&id) {
            let text = format!("anchor {} value contains itself", quote_go(name));
            return bad(node.line, text);
        }
        self.open.push(id);
        let value = self.value(target);
        self.open.pop();
        value
    }

    /// Adds the fields of a mapping. Where fields are merged, a field that is there gets the new
    /// value at its old place.
    fn fields(
        &mut self,
        fields: &[(NodeId, NodeId)],
        out: &mut Fields,
        mut merging: bool,
    ) -> Result<(), Bad> {
        for (key, value) in fields {
            self.note_head(*key);
            if self.is_merge(*key) {
                merging = true;
                self.merge(*value, out)?;
                continue;
            }
            let (name, at) = self.key(*key)?;
            self.last = self.last.max(self.nodes[*key].line);
            if let Some(found) = &self.nodes[*key].comments {
                self.docs.extend(comments(&found.foot));
            }
            let (docs, apart) = (std::mem::take(&mut self.docs), self.apart);
            let value = self.value(*value)?;
            match out.index.get(&name).filter(|_| merging) {
                Some(i) => out.list[*i].value = value,
                None => {
                    let next = out.list.len();
                    out.index.entry(name.clone()).or_insert(next);
                    out.list.push(DataField {
                        name,
                        at,
                        value,
                        docs,
                        apart,
                    });
                }
            }
        }
        Ok(())
    }

    /// `<<`: the fields of other mappings, earlier ones over later ones.
    fn merge(&mut self, id: NodeId, out: &mut Fields) -> Result<(), Bad> {
        let nodes = self.nodes;
        let node = &nodes[id];
        match &node.kind {
            Kind::Map(fields) => {
                stacker::maybe_grow(64 << 10, 2 << 20, || self.fields(fields, out, true))
            }
            Kind::Alias { target, .. } => match &nodes[*target].kind {
                Kind::Map(fields) if !self.merging.contains(&id) => {
                    self.merging.push(id);
                    let r =
                        stacker::maybe_grow(64 << 10, 2 << 20, || self.fields(fields, out, true));
                    self.merging.pop();
                    r
                }
                Kind::Map(_) => bad(node.line, "anchor value contains itself"),
                _ => bad(node.line, NO_MERGE),
            },
            Kind::List(items) => {
                for item in items.iter().rev() {
                    stacker::maybe_grow(64 << 10, 2 << 20, || self.merge(*item, out))?;
                }
                Ok(())
            }
            Kind::Scalar { .. } => bad(node.line, NO_MERGE),
        }
    }

    fn is_merge(&self, id: NodeId) -> bool {
        match &self.nodes[id].kind {
            Kind::Scalar { text, plain, tag } if text == "<<" => {
                *plain && matches!(tag.as_str(), "" | "!") || tag == "!!merge"
            }
            _ => false,
        }
    }

    /// A key as the name of a field.
    fn key(&mut self, id: NodeId) -> Result<(String, usize), Bad> {
        let node = &self.nodes[id];
        let target = match node.kind {
            Kind::Alias { target, .. } => &self.nodes[target],
            _ => node,
        };
        let (text, plain, tag) = match &target.kind {
            Kind::Scalar { text, plain, tag } => (text, *plain, tag),
            Kind::List(_) => return bad(node.line, "invalid map key: !!seq"),
            Kind::Map(_) => return bad(node.line, "invalid map key: !!map"),
            Kind::Alias { .. } => return bad(node.line, "invalid map key: "),
        };
        let name = match meaning(text, plain, tag, target.line)? {
            Plain::Null => "null".to_owned(),
            Plain::Bool(value) => value.to_string(),
            Plain::Number(n) if n.negative => {
                return bad(node.line, format!("invalid label {text}"));
            }
            Plain::Number(n) => n.text,
            Plain::String => text.clone(),
            Plain::Bytes => {
                decoded(text, target.line)?;
                text.clone()
            }
        };
        Ok((name, node.at))
    }

    fn scalar(&mut self, text: &str, plain: bool, tag: &str, node: &Node) -> Result<ExprId, Bad> {
        let at = node.at.min(self.text.len());
        Ok(match meaning(text, plain, tag, node.line)? {
            Plain::Null => self.data.null(at),
            Plain::Bool(b) => self.data.bool(b, at),
            Plain::Number(n) => self.data.raw_number(n.kind, &n.text, n.negative, at),
            Plain::String => self.data.string(text, at),
            Plain::Bytes => {
                let bytes = decoded(text, node.line)?;
                self.data.bytes(&bytes, at)
            }
        })
    }
}

/// Comments as the language writes them.
fn comments(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split('\n')
        .filter_map(|line| line.strip_prefix('#').map(|rest| format!("//{rest}")))
}

fn decoded(text: &str, line: usize) -> Result<Vec<u8>, Bad> {
    base64_text::decode(text).or_else(|_| bad(line, "!!binary value contains invalid base64 data"))
}

/// What a scalar means, by its tag or else its form.
fn meaning(text: &str, plain: bool, tag: &str, line: usize) -> Result<Plain, Bad> {
    let implicit = matches!(tag, "" | "!");
    let tag = match tag {
        "" | "!" if !plain => "!!str",
        "" | "!" if text == "<<" => "!!merge",
        "" | "!" => resolve(text),
        tag => tag,
    };
    let wrong = |text: &str, cause: String| {
        let text = quote_go(text);
        bad(line, format!("cannot decode {text} as {tag}: {cause}"))
    };
    Ok(match tag {
        "!!str" | "!!timestamp" => Plain::String,
        "!!binary" => Plain::Bytes,
        "!!null" => Plain::Null,
        "!!bool" => Plain::Bool(matches!(text, "true" | "True" | "TRUE")),
        "!!int" | "!!float" => match number(text, tag == "!!int", implicit) {
            Number::Is(n) => Plain::Number(n),
            Number::String => Plain::String,
            Number::Wrong(text, cause) => return wrong(&text, cause),
        },
        tag => return bad(line, format!("cannot unmarshal tag {}", quote_go(tag))),
    })
}
