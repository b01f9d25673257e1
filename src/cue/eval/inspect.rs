//! Looking at values.

use super::context::Evaluator;
use super::error::ErrId;
use super::kind::{ArcType, Code};
use super::label::Label;
use super::program::DId;
use super::value::{Data, Val};
use super::vertex::{Conjunct, Item, Pattern, RefId, Status, StructInfo, VId};
use crate::syntax::source::Pos;
use crate::syntax::tree;

/// An attribute of a field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attribute {
    /// The whole text, as `@pravo(sensitive)`.
    pub text: String,
    /// Where it stands.
    pub pos: Pos,
}

impl Attribute {
    /// The name, as `pravo`.
    pub fn name(&self) -> &str {
        let text = self.text.trim_start_matches('@');
        text.split('(').next().unwrap_or_default()
    }

    /// What is between the parentheses.
    pub fn body(&self) -> &str {
        let inner = self.text.split_once('(').map_or("", |(_, b)| b);
        inner.strip_suffix(')').unwrap_or(inner)
    }
}

impl Evaluator {
    /// The fields of a vertex as they are, in the order they were made. They may be shared or
    /// unresolved: see [`Evaluator::deref`].
    pub fn arcs(&self, v: VId) -> &[VId] {
        &self.v[self.deref(v).i()].arcs
    }

    /// The label of a vertex in its parent.
    pub fn label(&self, v: VId) -> Label {
        self.v[v.i()].label
    }

    /// Whether a field is there, required or optional.
    pub fn arc_type(&self, v: VId) -> ArcType {
        self.v[v.i()].arc
    }

    /// The parent of a vertex, if it has one.
    pub fn parent(&self, v: VId) -> Option<VId> {
        let p = self.v[v.i()].parent;
        p.is_some().then_some(p)
    }

    /// What is known of the value of a vertex itself, without fields: a scalar, a mark for struct
    /// or list, an error, a disjunction, or another vertex it shares.
    pub fn base(&self, v: VId) -> Val {
        self.v[v.i()].base
    }

    /// The conjuncts of a vertex: what was written for it, and in which frame.
    pub fn conjuncts(&self, v: VId) -> &[Conjunct] {
        &self.v[v.i()].conjuncts
    }

    /// The struct literals that contributed to a vertex.
    pub fn structs(&self, v: VId) -> &[StructInfo] {
        &self.v[v.i()].structs
    }

    /// The pattern constraints of a vertex.
    pub fn patterns(&self, v: VId) -> &[Pattern] {
        self.v[v.i()].patterns()
    }

    /// Whether a struct literal with `...` contributed.
    pub fn has_ellipsis(&self, v: VId) -> bool {
        self.v[v.i()].has_ellipsis()
    }

    /// Whether a vertex is a closed struct.
    pub fn is_closed(&self, v: VId) -> bool {
        self.is_closed_struct(v)
    }

    /// Whether a vertex points at another that holds its value.
    pub fn is_shared(&self, v: VId) -> bool {
        self.v[v.i()].is_shared()
    }

    /// Whether a list may have more elements.
    pub fn is_open_list(&self, v: VId) -> bool {
        self.v[self.deref(v).i()].base.data == Data::List(true)
    }

    /// The field of a label, whatever its type. The vertex must have been evaluated.
    pub fn field(&self, v: VId, label: Label) -> Option<VId> {
        self.arc_raw(self.deref(v), label)
    }

    /// The error a vertex is, if it is one. After an evaluation that reached a limit that is what
    /// every vertex is.
    pub fn error_of_value(&self, v: VId) -> Option<ErrId> {
        let over = self.over_limit();
        let e = if over.is_some() { over } else { self.bottom(v) };
        e.is_some().then_some(e)
    }

    /// The class of an error.
    pub fn error_code(&self, e: ErrId) -> Code {
        self.code(e)
    }

    /// Evaluates one path of a package, and no more than it needs: the vertex at the path, or the
    /// error of the step that fails. Errors elsewhere stay unseen.
    pub fn eval_path(&mut self, root: VId, path: &[Label]) -> Result<VId, ErrId> {
        let mut v = root;
        for label in path {
            let saved = self.reg;
            let flags = super::node::Flags::new(
                super::node::Cond::NEED_FIELD_SET,
                super::node::Mode::Finalize,
            );
            let found = self.need(v, Pos::NONE, *label, flags).unwrap_or(VId::NONE);
            let err = self.reg.errs;
            self.reg = saved;
            if !found.is_some() {
                return Err(err);
            }
            v = found;
        }
        self.finalize(v);
        Ok(v)
    }

    /// Whether a vertex was evaluated with everything below it.
    pub fn is_final(&self, v: VId) -> bool {
        self.v[self.deref(v).i()].status == Status::Finalized
    }

    /// Where the value of a field was written; nowhere for structs and lists.
    pub fn value_pos(&self, v: VId) -> Pos {
        let v = self.deref(v);
        self.pos_of(Val::bare(Data::Vertex(v)))
    }

    /// Where the values of a field were written, in the order its conjuncts arrived.
    pub fn positions(&self, v: VId) -> Vec<Pos> {
        let mut out = Vec::new();
        for c in &self.v[v.i()].conjuncts {
            let pos = match c.item {
                Item::Decl(d) => self.program.decl_pos(d),
                Item::Expr(x) => self.program.pos(x),
                Item::Val(w) => self.pos_of(w),
            };
            if pos.is_valid() && !out.contains(&pos) {
                out.push(pos);
            }
        }
        out
    }

    /// The attributes of a field across all its conjuncts, each text once, in order.
    pub fn attributes(&self, v: VId) -> Vec<Attribute> {
        let mut out: Vec<Attribute> = Vec::new();
        for c in &self.v[v.i()].conjuncts {
            if let Item::Decl(d) = c.item {
                for a in self.decl_attributes(d) {
                    if !out.iter().any(|b| b.text == a.text) {
                        out.push(a);
                    }
                }
            }
        }
        out
    }

    /// The attributes of one declaration of a field.
    pub fn decl_attributes(&self, d: DId) -> Vec<Attribute> {
        let Some((source, node)) = self.program.decl_origin(d) else {
            return Vec::new();
        };
        let tree::Decl::Field(f) = source.tree.decl(node) else {
            return Vec::new();
        };
        source
            .tree
            .attr_list(source.tree.extra(&f).attrs)
            .map(|(_, a)| Attribute {
                text: source.tree.text(a.text).to_owned(),
                pos: a.pos,
            })
            .collect()
    }

    /// The references through which a conjunct arrived, innermost first.
    pub fn history(&self, c: &Conjunct) -> Vec<super::vertex::RefNode> {
        let mut out = Vec::new();
        let mut id: RefId = c.info.refs;
        while let Some(r) = self.reference(id) {
            out.push(r);
            id = r.next;
        }
        out
    }

    /// From now on notes each time a result depended on something that was not settled: a bottom
    /// test or a dropped disjunct. Returns what was noted so far, and turns noting off with
    /// `false`.
    pub fn record_unsettled(&mut self, on: bool) -> Vec<super::context::Unsettled> {
        let old = self.unsettled.take();
        self.unsettled = on.then(Vec::new);
        old.unwrap_or_default()
    }
}
