//! Takes the body of a node out of the evaluator and says of each value why it is not concrete.

use crate::SpecErrors;
use crate::body::{Body, Entry, Item, Open};
use crate::graph::{Graph, Hit, References};
use crate::view::{Path, Shape, View};
use pravo_cue::eval::kind::ArcType;
use pravo_cue::eval::label::Label;
use pravo_cue::eval::vertex::VId;
use pravo_state::Number;

/// How deep a value may be nested. What providers take is far flatter; a limit keeps the recursion
/// over it bounded.
const MAX_DEPTH: usize = 256;

/// Takes bodies out of a specification.
pub(crate) struct Extract<'a> {
    pub view: &'a mut View,
    pub graph: &'a mut Graph<Label>,
    /// The node that is looked at: references to itself are none.
    pub this: Option<usize>,
    /// Whether all values of a node are known to its readers.
    pub known: &'a dyn Fn(usize) -> bool,
}

impl Extract<'_> {
    /// The body of a struct with `$kind`, without pravo's own fields.
    pub(crate) fn body(&mut self, path: &[Label], v: VId) -> Result<Body, SpecErrors> {
        let mut path = path.to_vec();
        match self.view.shape(v) {
            Shape::Struct(inner) => self.fields(&mut path, inner, true, 0),
            _ => self.value(&mut path, v, 0),
        }
    }

    /// The value at a path.
    pub(crate) fn value_at(&mut self, path: &[Label], v: VId) -> Result<Body, SpecErrors> {
        self.value(&mut path.to_vec(), v, 0)
    }

    fn value(&mut self, path: &mut Path, v: VId, depth: usize) -> Result<Body, SpecErrors> {
        if depth > MAX_DEPTH {
            return Ok(Body::Foreign("a value nested too deeply"));
        }
        Ok(match self.view.shape(v) {
            Shape::Null => Body::Null,
            Shape::Bool(value) => Body::Bool(value),
            Shape::Number(text) => match Number::parse(&text) {
                Some(number) => Body::Number(number),
                None => Body::Foreign("a number beyond what pravo writes out"),
            },
            Shape::String(text) => Body::String(text),
            Shape::Foreign(kind) => Body::Foreign(kind),
            Shape::Struct(inner) => self.fields(path, inner, false, depth)?,
            Shape::List(inner) => self.elements(path, inner, depth)?,
            Shape::Open => Body::Open(self.open(path, v)),
            Shape::Error(error) => return Err(self.view.errors(error)),
        })
    }

    fn fields(
        &mut self,
        path: &mut Path,
        v: VId,
        top: bool,
        depth: usize,
    ) -> Result<Body, SpecErrors> {
        let mut entries = Vec::new();
        for arc in self.view.ev.arcs(v).to_vec() {
            let label = self.view.ev.label(arc);
            let kind = self.view.ev.arc_type(arc);
            if !label.is_string() || !matches!(kind, ArcType::Member | ArcType::Required) {
                continue;
            }
            let text = self.view.label(label);
            if top && text.starts_with('$') {
                continue;
            }
            path.push(label);
            let body = match kind {
                ArcType::Member => Some(self.value(path, arc, depth + 1)?),
                _ => None,
            };
            path.pop();
            entries.push(Entry {
                label: text,
                body,
                position: self.view.position(arc),
            });
        }
        Ok(Body::Struct(entries))
    }

    fn elements(&mut self, path: &mut Path, v: VId, depth: usize) -> Result<Body, SpecErrors> {
        let mut items = Vec::new();
        for arc in self.view.ev.arcs(v).to_vec() {
            let label = self.view.ev.label(arc);
            if !label.is_int() || self.view.ev.arc_type(arc) != ArcType::Member {
                continue;
            }
            path.push(label);
            let body = self.value(path, arc, depth + 1)?;
            path.pop();
            items.push(Item {
                body,
                position: self.view.position(arc),
            });
        }
        Ok(Body::List(items))
    }

    /// Why the value at a path is not concrete.
    fn open(&mut self, path: &[Label], v: VId) -> Open {
        let (hits, _) = self.graph.reads(path, self.view);
        let others: Vec<_> = hits.iter().filter(|h| Some(h.node) != self.this).collect();
        if let Some(first) = others.first() {
            if !others.iter().all(|hit| (self.known)(hit.node)) {
                return Open::Node;
            }
            // All that it reads is known: what is left open is null there.
            return match self.direct(path) {
                true => Open::Null,
                false => Open::Depends {
                    on: self.name(first),
                    tag: false,
                },
            };
        }
        if let Some(open) = self.plain(path) {
            return open;
        }
        // A value that names itself says nothing; one that waits for another part of its own node
        // waits for ever.
        if let Some(hit) = hits.iter().find(|hit| !self.is_at(hit, path)) {
            let on = self.name(hit);
            return Open::Depends { on, tag: false };
        }
        match self.view.incomplete(v) {
            Some(errors) => Open::Fails(errors),
            None => Open::Nothing,
        }
    }

    fn is_at(&self, hit: &Hit<Label>, path: &[Label]) -> bool {
        let node = self.graph.node(hit.node);
        path.strip_prefix(node) == Some(&hit.rest[..])
    }

    fn name(&self, hit: &Hit<Label>) -> String {
        let mut path = self.graph.node(hit.node).to_vec();
        path.extend_from_slice(&hit.rest);
        self.view.text(&path)
    }

    /// Whether the value is nothing but a reference.
    fn direct(&mut self, path: &[Label]) -> bool {
        let references = self.view.references(path);
        references.len() == 1 && references[0].own
    }

    /// What plain field keeps the value from being concrete: the last on the way, one that takes
    /// its value from the command line before others. Definitions are types, not values.
    fn plain(&mut self, path: &[Label]) -> Option<Open> {
        let reads = self.graph.plain_reads(path, self.view);
        let mut found: Option<Open> = None;
        for plain in reads {
            if plain.iter().any(|label| label.is_definition()) {
                continue;
            }
            let Some(v) = self.view.vertex(&plain) else {
                continue;
            };
            if self.view.shape(v) != Shape::Open {
                continue;
            }
            let tag = self.view.has_tag(v);
            let tagged = matches!(&found, Some(Open::Depends { tag: true, .. }));
            if tag || !tagged {
                let on = self.view.text(&plain);
                found = Some(Open::Depends { on, tag });
            }
        }
        found
    }
}
