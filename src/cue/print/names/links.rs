//! Names that would lead elsewhere where they are printed.
//!
//! A package that a field hides is imported by another name; a field that another declaration hides
//! gets an alias. The reference tells fields apart by their printed values: a name of a field that
//! shares the value of another one, is printed twice, or has an alias for its value, seems to lead
//! elsewhere, and gets a `let` of its own at the end of the file. The new names are drawn by lot.

use super::super::imports::Entry;
use super::super::printer::Printer;
use super::lots::Lots;
use super::walk::each_name;
use crate::eval::label::Label;
use crate::eval::value::Data;
use crate::eval::vertex::{EnvId, VId};
use crate::syntax::source::Rel;
use crate::syntax::tree::{Decl, DeclId, Expr, ExprId};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known of a vertex that may be printed as a field, or referred to.
#[derive(Default)]
struct Link {
    /// The value of the field, if it was printed before anything referred to it.
    printed: Option<ExprId>,
    /// What referred to it since it was printed last.
    waiting: Vec<ExprId>,
}

/// Which names lead where.
#[derive(Default)]
pub(in crate::print) struct Links {
    known: FxHashMap<VId, Link>,
    /// The values of the fields that names lead to.
    values: FxHashMap<ExprId, ExprId>,
    /// Names that lead to packages.
    pub(in crate::print) packages: FxHashMap<ExprId, Entry>,
}

impl Printer<'_> {
    /// Notes that a field is printed, with its value.
    pub(in crate::print) fn link_field(&mut self, v: VId, value: ExprId) {
        if v == VId::default() {
            return;
        }
        let Links { known, values, .. } = &mut self.links;
        match known.get_mut(&v) {
            Some(link) => values.extend(link.waiting.drain(..).map(|name| (name, value))),
            None => {
                let printed = Some(value);
                let waiting = Vec::new();
                known.insert(v, Link { printed, waiting });
            }
        }
    }

    /// Notes that a field of the literal that is being printed is printed there, with its value.
    pub(in crate::print) fn link_member(&mut self, label: Label, value: ExprId) {
        if let Some(field) = self.field_of(self.node(), label) {
            self.link_field(field, value);
        }
    }

    /// The vertex that a field of another one is or shares.
    fn field_of(&self, owner: VId, label: Label) -> Option<VId> {
        if owner == VId::default() {
            return None;
        }
        let arc = self.ev.arc_raw(owner, label)?;
        match self.ev.vx(arc).base.data {
            Data::Vertex(shared) => Some(shared),
            _ => Some(arc),
        }
    }

    /// Notes that a name leads to a field.
    pub(in crate::print) fn link_name(&mut self, env: EnvId, up: u32, label: Label, name: ExprId) {
        let frame = self.ev.env_up(env, up);
        let owner = self.ev.envs[frame.i()].vertex;
        if self.ev.vx(owner).dynamic() {
            return;
        }
        let Some(field) = self.field_of(owner, label) else {
            return;
        };
        let link = self.links.known.entry(field).or_default();
        match link.printed {
            Some(value) => _ = self.links.values.insert(name, value),
            None => link.waiting.push(name),
        }
    }

    /// Gives names that lead elsewhere new ones, and declares those of fields behind all others.
    pub(in crate::print) fn rename_astray(&mut self, decls: &mut Vec<DeclId>) {
        let Links {
            values, packages, ..
        } = std::mem::take(&mut self.links);
        if values.is_empty() && packages.is_empty() {
            return;
        }
        let (mut found, mut direct) = (Vec::new(), FxHashSet::default());
        each_name(&self.out.tree, decls, |x, name, scopes| {
            if let Some(entry) = packages.get(&x) {
                match scopes.find(name) {
                    Some(_) => found.push((x, name, Astray::Package(entry))),
                    None => _ = direct.insert(entry),
                }
            } else if let Some(value) = values.get(&x).copied()
                && scopes.find(name).is_some_and(|leads| leads != Some(value))
            {
                let hidden = scopes.find_field(name, value);
                found.push((x, name, hidden.map_or(Astray::Field, Astray::Hidden)));
            }
        });
        let mut lots = Lots::default();
        let mut packages: FxHashMap<&Entry, String> = FxHashMap::default();
        let mut fields: FxHashMap<DeclId, String> = FxHashMap::default();
        for (x, name, astray) in found {
            let base = self.ev.names.get(name).to_owned();
            let known = match astray {
                Astray::Package(entry) => packages.get(entry).cloned(),
                Astray::Hidden(field) => {
                    (fields.get(&field).cloned()).or_else(|| self.alias_of(field))
                }
                Astray::Field => None,
            };
            let is_new = known.is_none();
            let drawn = known.unwrap_or_else(|| lots.any(&base, |name| self.take_name(name)));
            self.out.tree.exprs[x.0 as usize] = Expr::Ident(self.ev.names.intern(&drawn));
            match astray {
                Astray::Package(entry) => _ = packages.insert(entry, drawn),
                Astray::Hidden(field) => {
                    if is_new {
                        self.out.alias_label(&mut self.ev.names, field, &drawn);
                    }
                    fields.insert(field, drawn);
                }
                Astray::Field => {
                    let value = self.ident(&base);
                    let names = &mut self.ev.names;
                    decls.push(self.out.let_clause(names, &drawn, value, Rel::NewSection));
                }
            }
        }
        self.imports
            .retain(|entry| direct.contains(entry) || !packages.contains_key(entry));
        for (entry, name) in packages {
            self.imports.push((Some(name), entry.1.clone()));
        }
    }

    /// The alias that the label of a printed field has already.
    fn alias_of(&self, field: DeclId) -> Option<String> {
        let Decl::Field(f) = self.out.tree.decl(field) else {
            return None;
        };
        match self.out.tree.expr(f.label) {
            Expr::Alias(a) => Some(self.ev.names.get(a.name).to_owned()),
            _ => None,
        }
    }
}

/// Why a name leads elsewhere.
#[derive(Clone, Copy)]
enum Astray<'a> {
    /// A field hides the package.
    Package(&'a Entry),
    /// Another declaration hides the field, which stands around it.
    Hidden(DeclId),
    /// The field is not where the name is looked up.
    Field,
}
