//! Values given to paths from outside, and evaluating again what they change.

use super::context::Evaluator;
use super::kind::ArcType;
use super::label::Label;
use super::package::PackageId;
use super::program::{Decl, Expr, Run, SId, StructLit, XId};
use super::value::Val;
use super::vertex::{CloseInfo, Conjunct, EnvId, Item, VId, Vertex};
use crate::syntax::source::Pos;

/// A value at a path of a package.
#[derive(Clone, Debug)]
pub(crate) struct Fill {
    pub(crate) package: PackageId,
    pub(crate) path: Vec<Label>,
    pub(crate) value: XId,
}

impl Evaluator {
    /// Adds a value at a path of a package, as if one more file of the package said so; one that
    /// was filled in at the path before is replaced. The value is data: a scalar, or a struct or
    /// list made by [`Evaluator::data_struct`] and [`Evaluator::data_list`].
    pub fn fill(&mut self, package: PackageId, path: &[Label], value: XId) {
        self.fills
            .retain(|f| f.package != package || f.path != path);
        self.fills.push(Fill {
            package,
            path: path.to_vec(),
            value,
        });
        self.evaluate_again(package);
    }

    /// Takes back the value filled in at a path; false if there was none.
    pub fn clear_fill(&mut self, package: PackageId, path: &[Label]) -> bool {
        let before = self.fills.len();
        self.fills
            .retain(|f| f.package != package || f.path != path);
        let found = self.fills.len() != before;
        if found {
            self.evaluate_again(package);
        }
        found
    }

    /// An expression that is a scalar.
    pub fn data_scalar(&mut self, v: Val) -> XId {
        self.program.add_made(Expr::Val(v), Pos::NONE)
    }

    /// An expression that is a list of data.
    pub fn data_list(&mut self, items: &[XId]) -> XId {
        let run = Run {
            start: self.program.elems.len() as u32,
            len: items.len() as u32,
        };
        self.program
            .elems
            .extend(items.iter().map(|x| super::program::Elem::Expr(*x)));
        self.program.add_made(Expr::List(run), Pos::NONE)
    }

    /// An expression that is a struct of data.
    pub fn data_struct(&mut self, fields: &[(Label, XId)]) -> XId {
        let s = self.made_struct(fields, false);
        self.program.add_made(Expr::Struct(s), Pos::NONE)
    }

    /// A struct with these fields, of no text.
    pub(crate) fn made_struct(&mut self, fields: &[(Label, XId)], is_file: bool) -> SId {
        let decls: Vec<_> = fields
            .iter()
            .map(|(label, value)| {
                let decl = Decl::Field {
                    label: *label,
                    arc: ArcType::Member,
                    value: *value,
                };
                self.program.add_decl(decl, Pos::NONE, None)
            })
            .collect();
        let lit = StructLit {
            is_file,
            ..StructLit::of_fields(Run::default(), Pos::NONE)
        };
        self.program.add_struct(&decls, lit)
    }

    /// Starts a package anew from its files and fills. Nothing is evaluated before it is asked for.
    pub(crate) fn evaluate_again(&mut self, package: PackageId) {
        let old = self.root(package);
        let files: Vec<Conjunct> = self
            .vx(old)
            .conjuncts
            .iter()
            .copied()
            .filter(|c| !self.is_filled(c))
            .collect();
        let mut root = Vertex::new(VId::NONE, Label::NONE, ArcType::Member);
        root.conjuncts = files.into();
        for f in self.fills.clone() {
            if f.package == package {
                let x = f.path.iter().rev().fold(f.value, |value, label| {
                    let s = self.made_struct(&[(*label, value)], true);
                    self.program.add_made(Expr::Struct(s), Pos::NONE)
                });
                let (env, info) = (EnvId::NONE, CloseInfo::default());
                root.conjuncts.push(Conjunct {
                    item: Item::Expr(x),
                    env,
                    info,
                });
            }
        }
        let root = self.new_vertex(root);
        self.packages[package.0 as usize].root = root;
        self.lets.clear();
    }

    fn is_filled(&self, c: &Conjunct) -> bool {
        let x = self.conjunct_expr(c);
        match self.program.expr(x) {
            Expr::Struct(s) => {
                let lit = self.program.struct_lit(s);
                // Files have trees; what is made has none.
                lit.is_file
                    && self
                        .program
                        .struct_decls(s)
                        .iter()
                        .any(|d| self.program.decl_origin(*d).is_none())
            }
            _ => false,
        }
    }
}
