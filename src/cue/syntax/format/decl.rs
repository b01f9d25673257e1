//! Declarations to tokens.

use super::Formatter;
use super::place::{starts_line, unpositioned_or_starts_line};
use super::space::{
    blank, declcomma, formfeed, indent, newline, newsection, noblank, nooverride, unindent, vtab,
};
use crate::syntax::literal::{quote_string, unquote_string};
use crate::syntax::source::{Pos, Rel};
use crate::syntax::tree::{
    Constraint, Decl, DeclId, Decls, Expr, ExprId, Field, Import, LitKind, NodeId, PostfixAlias,
    Run,
};

impl Formatter<'_> {
    pub(super) fn file(&mut self) {
        self.before(Some(NodeId::File), false);
        let tree = self.tree;
        self.decl_list(tree.decl_list(tree.decls));
        self.after();
        self.out.end();
    }

    /// How many fields nest in each other, one member each; 0 for what is no such chain.
    fn depth(&self, id: DeclId) -> u32 {
        let mut depth = 0;
        let mut id = id;
        loop {
            let Decl::Field(f) = self.tree.decl(id) else {
                return depth;
            };
            depth += 1;
            match self.tree.expr(f.value) {
                Expr::Struct {
                    decls: Decls(Run { len: 1, .. }),
                    ..
                } => {
                    let Expr::Struct { decls, .. } = self.tree.expr(f.value) else {
                        return depth;
                    };
                    id = self.tree.decl_list(decls)[0];
                }
                Expr::Struct { .. } => return depth - 1,
                _ => return depth,
            }
        }
    }

    fn commented(&self, id: DeclId) -> bool {
        if !self.tree.has_comments() {
            return false;
        }
        let has = |n: NodeId| !self.tree.comments(n).is_empty();
        match self.tree.decl(id) {
            Decl::Field(f) => has(NodeId::Decl(id)) || has(NodeId::Expr(f.label)),
            Decl::Comprehension(e) => has(NodeId::Expr(e)),
            Decl::Attribute(a) => has(NodeId::Attr(a)),
            _ => has(NodeId::Decl(id)),
        }
    }

    fn is_definition(&self, f: &Field) -> bool {
        match self.tree.expr(f.label) {
            Expr::Ident(name) => {
                let text = self.names.get(name);
                text.starts_with('#') || text.starts_with("_#")
            }
            _ => false,
        }
    }

    /// A field whose name is neither a definition nor hidden.
    fn is_regular(&self, f: &Field) -> bool {
        let label = match self.tree.expr(f.label) {
            Expr::Alias(a) => a.expr,
            _ => f.label,
        };
        match self.tree.expr(label) {
            Expr::Ident(name) => !self.names.get(name).starts_with(['#', '_']),
            _ => true,
        }
    }

    pub(super) fn decl_list(&mut self, list: &[DeclId]) {
        self.before(None, false);
        let tree = self.tree;
        let start = self.part_start(list);
        let before = start.checked_sub(1);
        let mut depth = before.map_or(0, |i| self.depth(list[i]));
        let mut ellipsis = None;
        for (i, id) in list.iter().enumerate().skip(start) {
            if self.part_ends(*id) {
                break;
            }
            let next = self.depth(*id);
            if i > 0 {
                self.wish(declcomma);
                if self.current.parent_sep == newline && (depth == 0 || next != depth) {
                    let ff = self.formfeed();
                    self.wish(ff);
                }
                if self.commented(*id) {
                    let section = match tree.decl(list[i - 1]) {
                        Decl::Field(f) => self.is_definition(&f),
                        _ => true,
                    };
                    if section {
                        self.wish(newsection);
                    }
                }
            }
            if self.style.simplify && self.is_ellipsis(*id) {
                ellipsis = Some(*id);
                continue;
            }
            self.decl(*id);
            depth = next;
            let sep = self.separator(list, i);
            self.wish(sep);
        }
        if let Some(id) = ellipsis {
            self.before(Some(NodeId::Decl(id)), false);
            self.token(Pos::NONE, "...");
            self.after();
            let sep = self.current.parent_sep;
            self.wish(sep);
        }
        self.after();
    }

    /// What follows a member of a list.
    pub(super) fn separator(&self, list: &[DeclId], i: usize) -> u32 {
        let next = list.get(i + 1);
        if next.is_some_and(|next| self.is_block_field(*next)) {
            self.formfeed()
        } else {
            self.current.parent_sep
        }
    }

    /// `...`, or a pattern that says the same.
    fn is_ellipsis(&self, id: DeclId) -> bool {
        let name = |x: ExprId| match self.tree.expr(x) {
            Expr::Ident(name) => self.names.get(name),
            _ => "",
        };
        match self.tree.decl(id) {
            Decl::Ellipsis { .. } => true,
            Decl::Field(f) if name(f.value) == "_" => match self.tree.expr(f.label) {
                Expr::List { items, .. } => match *self.tree.list(items) {
                    [x] => matches!(name(x), "string" | "_"),
                    _ => false,
                },
                _ => false,
            },
            _ => false,
        }
    }

    /// A field whose value is a list, or a struct that is not the rest of a chain.
    fn is_block_field(&self, id: DeclId) -> bool {
        let Decl::Field(f) = self.tree.decl(id) else {
            return false;
        };
        match self.tree.expr(f.value) {
            Expr::Struct {
                decls: Decls(run),
                braces,
                ..
            } => (braces && self.tree.pos(f.value).is_valid()) || run.len != 1,
            Expr::List { .. } => true,
            _ => false,
        }
    }

    pub(super) fn decl(&mut self, id: DeclId) {
        let tree = self.tree;
        let decl = tree.decl(id);
        let node = match decl {
            Decl::Comprehension(e) => NodeId::Expr(e),
            Decl::Attribute(a) => NodeId::Attr(a),
            _ => NodeId::Decl(id),
        };
        self.before(Some(node), false);
        stacker::maybe_grow(96 << 10, 4 << 20, || self.decl_inner(id, decl));
        self.after();
    }

    fn decl_inner(&mut self, id: DeclId, decl: Decl) {
        let tree = self.tree;
        match decl {
            Decl::Bad { pos } => {
                self.token(pos, "*bad decl*");
                self.wish(declcomma);
            }
            Decl::Field(f) => self.field(&f, id),
            Decl::Let {
                let_pos,
                name,
                equal,
                value,
            } => {
                if unpositioned_or_starts_line(let_pos) {
                    self.wish(formfeed);
                }
                self.keyword(let_pos, "let");
                self.wish(blank | nooverride);
                self.bound(name, equal, value);
                self.wish(declcomma);
            }
            Decl::Embed(e) => {
                if unpositioned_or_starts_line(tree.pos(e)) {
                    self.wish(formfeed);
                }
                self.expr(e);
                self.wish(newline);
            }
            Decl::Ellipsis { pos } => self.token(pos, "..."),
            Decl::Comprehension(e) => {
                if unpositioned_or_starts_line(tree.pos(e)) {
                    self.wish(formfeed);
                }
                if let Expr::Comprehension {
                    clauses,
                    body,
                    orelse,
                } = tree.expr(e)
                {
                    self.comprehension(clauses, body, orelse);
                }
            }
            Decl::Attribute(a) => {
                let a = tree.attr(a);
                self.word(a.pos, tree.text(a.text));
            }
            Decl::Package { pos, name } => {
                self.token(pos, "package");
                let text = self.names.get(name.name);
                self.wish(blank);
                self.word(Pos::NONE, text);
                self.wish(newsection | nooverride);
            }
            Decl::Import(import) => self.import(&import),
        }
    }

    fn import(&mut self, import: &Import) {
        self.token(import.pos, "import");
        self.wish(blank);
        let tree = self.tree;
        let mut specs = tree.spec_list(import.specs);
        let (first, more) = (specs.next(), specs.next().is_some());
        let Some((id, _)) = first else {
            self.token(import.lparen, "(");
            self.token(import.rparen, ")");
            self.wish(newline);
            return;
        };
        let above = |id| {
            tree.comments(NodeId::Spec(id))
                .iter()
                .any(|c| c.position <= 1)
        };
        if !more && !import.lparen.is_valid() && !above(id) {
            self.specs(import);
        } else {
            self.token(import.lparen, "(");
            self.wish(newline | indent);
            self.specs(import);
            self.wish(unindent | newline);
            self.token(import.rparen, ")");
            self.wish(newline);
        }
        self.wish(newsection | nooverride);
    }

    fn specs(&mut self, import: &Import) {
        let tree = self.tree;
        self.before(None, false);
        for (i, (id, spec)) in tree.spec_list(import.specs).enumerate() {
            // The commas between them are not printed: what they separated needs a line of its own.
            let begins = |pos: Pos| match i > 0 && pos.rel() < Rel::Newline {
                true => Pos::wish(Rel::Newline),
                false => pos,
            };
            self.before(Some(NodeId::Spec(id)), false);
            match spec.name {
                Some(name) => {
                    let text = self.names.get(name.name);
                    self.before(None, false);
                    self.token(begins(name.pos), text);
                    self.after();
                    self.wish(blank);
                }
                None => self.skip(),
            }
            self.before(None, false);
            let pos = (spec.name).map_or_else(|| begins(spec.path_pos), |_| spec.path_pos);
            self.word(pos, tree.text(spec.path));
            self.after();
            self.wish(newline);
            self.after();
        }
        self.after();
    }

    /// The member of a value that prints in the short form `a: b: 1`.
    fn short_form(&self, f: &Field, id: DeclId) -> Option<DeclId> {
        let tree = self.tree;
        let simplify = self.style.simplify;
        let Expr::Struct { decls, braces, .. } = tree.expr(f.value) else {
            return None;
        };
        let [member] = *tree.decl_list(decls) else {
            return None;
        };
        if !(tree.pos(f.label).is_set() || simplify && self.is_regular(f)) {
            return None;
        }
        let lbrace = braces && tree.pos(f.value).is_valid();
        if (lbrace && (!simplify || self.commented(id))) || !tree.extra(f).attrs.0.is_empty() {
            return None;
        }
        let Decl::Field(inner) = tree.decl(member) else {
            return None;
        };
        let plain = tree.extra(&inner).attrs.0.is_empty() && !self.commented(member);
        plain.then_some(member)
    }

    fn field(&mut self, f: &Field, id: DeclId) {
        let tree = self.tree;
        self.label(f);
        self.wish(noblank | nooverride);
        self.token(f.colon, ":");
        self.visit_comments();
        if let Some(member) = self.short_form(f, id) {
            let on_new_line =
                starts_line(tree.decl_pos(member)) && !self.out.flat && !self.style.simplify;
            if on_new_line {
                self.wish(indent | formfeed);
                self.decl(member);
                self.out.pop_indent();
            } else {
                self.wish(blank | nooverride);
                self.decl(member);
            }
            return;
        }
        let block = self.ends_in_block(f.value);
        let gap = if block || self.out.brace_on_line {
            blank
        } else {
            vtab
        };
        self.wish(gap);
        if matches!(tree.expr(f.value), Expr::List { .. } | Expr::Struct { .. }) {
            self.expr(f.value);
        } else {
            self.wish(indent);
            self.expr(f.value);
            self.out.pop_indent();
        }
        let mut gap = gap;
        for (attr, a) in tree.attr_list(tree.extra(f).attrs) {
            self.before(Some(NodeId::Attr(attr)), false);
            self.wish(gap);
            self.word(a.pos, tree.text(a.text));
            self.after();
            gap = blank;
        }
        if block {
            self.wish(formfeed);
        }
    }

    fn label(&mut self, f: &Field) {
        let tree = self.tree;
        let id = f.label;
        self.before(Some(NodeId::Expr(id)), false);
        self.label_inner(id);
        self.after();
        if let Some(alias) = tree.extra(f).alias {
            self.postfix_alias(&alias);
        }
        match f.constraint {
            Constraint::None => {}
            Constraint::Optional => self.token(Pos::NONE, "?"),
            Constraint::Required => self.token(Pos::NONE, "!"),
        }
    }

    fn postfix_alias(&mut self, alias: &PostfixAlias) {
        self.token(alias.tilde, "~");
        self.wish(noblank);
        self.token(Pos::NONE, "(");
        self.wish(noblank);
        if let Some(label) = alias.label {
            self.name(label);
            self.token(Pos::NONE, ",");
            self.wish(noblank);
        }
        self.name(alias.field);
        self.token(Pos::NONE, ")");
        self.wish(noblank);
    }

    fn label_inner(&mut self, id: ExprId) {
        let tree = self.tree;
        let pos = tree.pos(id);
        match tree.expr(id) {
            Expr::Ident(name) => {
                let text = self.names.get(name);
                self.token(pos, text);
            }
            Expr::Literal(LitKind::String, text) => {
                let text = tree.text(text);
                let plain = text.starts_with("\"\"\"") || text.starts_with('#');
                match unquote_string(text) {
                    Ok(content) if plain => self.token(pos, &quote_string(&content)),
                    _ => self.token(pos, text),
                }
            }
            Expr::Literal(_, text) => self.token(pos, tree.text(text)),
            _ => self.raw(id, 0, 1),
        }
    }
}
