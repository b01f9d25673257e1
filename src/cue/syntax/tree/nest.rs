//! Trees put inside others: a document at a path, or as an element of a list.

use super::{
    Constraint, Decl, Decls, Expr, ExprId, Exprs, Field, ListCommas, LitKind, Run, Text, Tree,
};
use crate::syntax::literal::quote_string;
use crate::syntax::source::Pos;

impl Tree {
    /// The members of the file as one value: what it embeds if that is all, else a struct.
    fn whole(&mut self) -> ExprId {
        if let [only] = *self.decl_list(self.decls)
            && let Decl::Embed(x) = self.decl(only)
        {
            return x;
        }
        let first = self.decl_list(self.decls).first();
        let pos = first.map_or(Pos::NONE, |d| self.decl_pos(*d));
        let value = Expr::Struct {
            decls: self.decls,
            braces: true,
            rbrace: Pos::NONE,
        };
        self.push_expr(value, pos)
    }

    /// Makes the file hold its value below labels, the outermost first.
    pub fn nest(&mut self, labels: &[String]) {
        let mut value = self.whole();
        for label in labels.iter().rev() {
            let quoted = quote_string(label);
            let text = Text {
                start: (self.source.len() + self.own.len()) as u32,
                len: quoted.len() as u32,
            };
            self.own.push_str(&quoted);
            let label = self.push_expr(Expr::Literal(LitKind::String, text), Pos::NONE);
            let field = self.push_decl(Decl::Field(Field {
                label,
                constraint: Constraint::None,
                colon: Pos::NONE,
                value,
                extra: 0,
            }));
            let start = self.decl_lists.len() as u32;
            self.decl_lists.push(field);
            let decls = Decls(Run { start, len: 1 });
            value = self.push_expr(
                Expr::Struct {
                    decls,
                    braces: true,
                    rbrace: Pos::NONE,
                },
                Pos::NONE,
            );
        }
        self.become_file(value);
    }

    /// Makes the file a list whose only element is its value.
    pub fn enlist(&mut self) {
        let value = self.whole();
        let start = self.expr_lists.len() as u32;
        self.expr_lists.push(value);
        let list = self.push_expr(
            Expr::List {
                items: Exprs(Run { start, len: 1 }),
                commas: ListCommas::All,
                rbrack: Pos::NONE,
            },
            Pos::NONE,
        );
        self.become_file(list);
    }
}
