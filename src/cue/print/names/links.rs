//! Names that would lead elsewhere where they are printed.
//!
//! A package that a field hides is imported by another name. A name of a field that shares the
//! value of another one is taken for a name of that one by the reference: where both are printed it
//! seems to lead elsewhere, and gets a `let` of its own at the end of the file. The new names are
//! drawn by lot.

use super::super::imports::Entry;
use super::super::printer::Printer;
use super::lots::Lots;
use super::walk::each_name;
use crate::eval::label::Label;
use crate::eval::value::Data;
use crate::eval::vertex::{EnvId, VId};
use crate::syntax::source::Rel;
use crate::syntax::tree::{DeclId, Expr, ExprId};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known of a vertex that may be printed as a field, or referred to.
enum Link {
    /// It was printed before anything referred to it.
    Printed,
    /// What referred to it since it was printed last.
    Waiting(Vec<ExprId>),
}

/// Which names lead where.
#[derive(Default)]
pub(in crate::print) struct Links {
    known: FxHashMap<VId, Link>,
    /// Names that lead to fields that share what was printed.
    astray: FxHashSet<ExprId>,
    /// Names that lead to packages.
    pub(in crate::print) packages: FxHashMap<ExprId, Entry>,
}

impl Printer<'_> {
    /// Notes that a field is printed.
    pub(in crate::print) fn link_field(&mut self, v: VId) {
        if v == VId::default() {
            return;
        }
        match self.links.known.get_mut(&v) {
            None => _ = self.links.known.insert(v, Link::Printed),
            Some(Link::Printed) => {}
            Some(Link::Waiting(names)) => self.links.astray.extend(names.drain(..)),
        }
    }

    /// Notes that a name leads to a field.
    pub(in crate::print) fn link_name(&mut self, env: EnvId, up: u32, label: Label, name: ExprId) {
        let frame = self.ev.env_up(env, up);
        let owner = self.ev.envs[frame.i()].vertex;
        if owner == VId::default() || self.ev.vx(owner).dynamic {
            return;
        }
        let Some(arc) = self.ev.arc_raw(owner, label) else {
            return;
        };
        // A name that leads to the field itself is never astray, but counts as the first one.
        let (target, name) = match self.ev.vx(arc).base.data {
            Data::Vertex(shared) => (shared, Some(name)),
            _ => (arc, None),
        };
        let link = self.links.known.entry(target);
        match link.or_insert_with(|| Link::Waiting(Vec::new())) {
            Link::Printed => self.links.astray.extend(name),
            Link::Waiting(names) => names.extend(name),
        }
    }

    /// Gives names that lead elsewhere new ones, and declares those of fields behind all others.
    pub(in crate::print) fn rename_astray(&mut self, decls: &mut Vec<DeclId>) {
        let Links {
            astray, packages, ..
        } = std::mem::take(&mut self.links);
        if astray.is_empty() && packages.is_empty() {
            return;
        }
        let (mut found, mut direct) = (Vec::new(), FxHashSet::default());
        each_name(&self.out.tree, decls, |x, name, scopes| {
            match packages.get(&x) {
                Some(entry) if scopes.declare(name) => found.push((x, name, Some(entry))),
                Some(entry) => _ = direct.insert(entry),
                None if astray.contains(&x) => found.push((x, name, None)),
                None => {}
            }
        });
        let mut lots = Lots::default();
        let mut renamed: FxHashMap<&Entry, String> = FxHashMap::default();
        for (x, name, entry) in found {
            let base = self.ev.names.get(name).to_owned();
            let known = entry.and_then(|entry| renamed.get(entry).cloned());
            let drawn = known.unwrap_or_else(|| lots.any(&base, |name| self.take_name(name)));
            self.out.tree.exprs[x.0 as usize] = Expr::Ident(self.ev.names.intern(&drawn));
            match entry {
                Some(entry) => _ = renamed.insert(entry, drawn),
                None => {
                    let value = self.ident(&base);
                    let names = &mut self.ev.names;
                    decls.push(self.out.let_clause(names, &drawn, value, Rel::NewSection));
                }
            }
        }
        self.imports
            .retain(|entry| direct.contains(entry) || !renamed.contains_key(entry));
        for (entry, name) in renamed {
            self.imports.push((Some(name), entry.1.clone()));
        }
    }
}
