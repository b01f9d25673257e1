//! The source of an expression on one line, for the few messages that show it.

use crate::syntax::names::{self, Names};
use crate::syntax::tree::{
    Clause, Constraint, Decl, DeclId, ElseKind, Expr, ExprId, Field, Text, Tree,
};

/// What is still to be written.
enum Part {
    Expr(ExprId),
    Decl(DeclId),
    Word(&'static str),
    Name(names::Name),
    Source(Text),
}

/// The text of an expression without white space around operators, with a blank behind commas.
pub(crate) fn text(tree: &Tree, x: ExprId, names: &Names) -> String {
    let mut out = String::new();
    let mut work = vec![Part::Expr(x)];
    while let Some(part) = work.pop() {
        let mark = work.len();
        match part {
            Part::Word(word) => out.push_str(word),
            Part::Name(name) => out.push_str(names.get(name)),
            Part::Source(text) => out.push_str(tree.text(text)),
            Part::Expr(x) => parts_of_expr(tree, x, &mut work),
            Part::Decl(d) => parts_of_decl(tree, d, &mut work),
        }
        work[mark..].reverse();
    }
    out
}

fn listed(parts: impl Iterator<Item = Part>, work: &mut Vec<Part>) {
    for (i, part) in parts.enumerate() {
        if i > 0 {
            work.push(Part::Word(", "));
        }
        work.push(part);
    }
}

fn parts_of_expr(tree: &Tree, x: ExprId, work: &mut Vec<Part>) {
    use Part::{Name, Source, Word};
    let of = Part::Expr;
    match tree.expr(x) {
        Expr::Bad => {}
        Expr::Bottom => work.push(Word("_|_")),
        Expr::Ident(name) => work.push(Name(name)),
        Expr::Literal(_, text) => work.push(Source(text)),
        Expr::Interpolation(list) => work.extend(tree.list(list).iter().copied().map(of)),
        Expr::Struct { decls, .. } => {
            work.push(Word("{"));
            listed(tree.decl_list(decls).iter().copied().map(Part::Decl), work);
            work.push(Word("}"));
        }
        Expr::List { items, .. } => {
            work.push(Word("["));
            listed(tree.list(items).iter().copied().map(of), work);
            work.push(Word("]"));
        }
        Expr::Ellipsis(kind) => {
            work.push(Word("..."));
            work.extend(kind.map(of));
        }
        Expr::Comprehension {
            clauses,
            body,
            orelse,
        } => {
            let clauses = tree.clause_list(clauses).map(|(_, clause)| clause);
            clauses.for_each(|clause| parts_of_clause(clause, work));
            work.push(of(body));
            if let Some(part) = tree.else_part(orelse) {
                let word = match part.kind {
                    ElseKind::Else => " else ",
                    _ => " otherwise ",
                };
                work.extend([Word(word), of(part.body)]);
            }
        }
        Expr::Alias(a) => work.extend([Name(a.name), Word("="), of(a.expr)]),
        Expr::Unary(op, y) => work.extend([Word(op.as_str()), of(y)]),
        Expr::Binary(op, a, b, _) => work.extend([of(a), Word(op.as_str()), of(b)]),
        Expr::Paren(y, _) => work.extend([Word("("), of(y), Word(")")]),
        Expr::Selector(y, sel) => work.extend([of(y), Word("."), of(sel)]),
        Expr::Index(y, i, _) => work.extend([of(y), Word("["), of(i), Word("]")]),
        Expr::Slice { x: y, ends, .. } => {
            let [lo, hi] = tree.ends(ends);
            work.extend([of(y), Word("[")]);
            work.extend(lo.map(of));
            work.push(Word(":"));
            work.extend(hi.map(of));
            work.push(Word("]"));
        }
        Expr::Call { fun, args, .. } => {
            work.extend([of(fun), Word("(")]);
            listed(tree.args(args).iter().copied().map(of), work);
            work.push(Word(")"));
        }
        Expr::Open(y, _) => work.extend([of(y), Word("...")]),
        Expr::Optional(y, _) => work.extend([of(y), Word("?")]),
    }
}

fn parts_of_clause(clause: Clause, work: &mut Vec<Part>) {
    use Part::{Expr, Name, Word};
    match clause {
        Clause::For {
            key, value, source, ..
        } => {
            work.push(Word("for "));
            if let Some(key) = key {
                work.extend([Name(key.name), Word(": ")]);
            }
            work.extend([Name(value.name), Word(" in "), Expr(source), Word(" ")]);
        }
        Clause::If { cond, .. } => work.extend([Word("if "), Expr(cond), Word(" ")]),
        Clause::Let { name, value, .. } => {
            let name = Name(name.name);
            work.extend([Word("let "), name, Word("="), Expr(value), Word(" ")]);
        }
        Clause::Try { binding, .. } => {
            work.push(Word("try"));
            if let Some((name, value)) = binding {
                work.extend([Word(" "), Name(name.name), Word(" = "), Expr(value)]);
            }
            work.push(Word(" "));
        }
    }
}

fn parts_of_decl(tree: &Tree, d: DeclId, work: &mut Vec<Part>) {
    use Part::{Expr, Name, Source, Word};
    match tree.decl(d) {
        Decl::Field(field) => parts_of_field(tree, field, work),
        Decl::Let { name, value, .. } => {
            work.extend([Word("let "), Name(name.name), Word("="), Expr(value)]);
        }
        Decl::Embed(x) | Decl::Comprehension(x) => work.push(Expr(x)),
        Decl::Ellipsis { .. } => work.push(Word("...")),
        Decl::Attribute(id) => work.push(Source(tree.attr(id).text)),
        Decl::Bad { .. } | Decl::Package { .. } | Decl::Import(_) => {}
    }
}

fn parts_of_field(tree: &Tree, field: Field, work: &mut Vec<Part>) {
    use Part::{Expr, Name, Source, Word};
    work.push(Expr(field.label));
    let extra = tree.extra(&field);
    if let Some(alias) = extra.alias {
        work.push(Word("~"));
        match alias.label {
            Some(label) => work.extend([
                Word("("),
                Name(label.name),
                Word(","),
                Name(alias.field.name),
                Word(")"),
            ]),
            None => work.push(Name(alias.field.name)),
        }
    }
    work.push(Word(match field.constraint {
        Constraint::None => ": ",
        Constraint::Optional => "?: ",
        Constraint::Required => "!: ",
    }));
    work.push(Expr(field.value));
    for (_, attribute) in tree.attr_list(extra.attrs) {
        work.extend([Word(" "), Source(attribute.text)]);
    }
}
