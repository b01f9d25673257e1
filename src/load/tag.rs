//! `@if` and `@tag`: conditions of files, and values given to fields from outside.

use crate::problem::{Problem, Problems, fail};
use pravo_cue::eval::Evaluator;
use pravo_cue::eval::value::{Data, Val};
use pravo_cue::number::parse_literal;
use pravo_cue::syntax::names::Names;
use pravo_cue::syntax::parser::{Options, parse_expr};
use pravo_cue::syntax::source::Pos;
use pravo_cue::syntax::tree::{Constraint, Decl, DeclId, Decls, Expr, ExprId, Field, Op, Tree};
use std::collections::HashMap;

/// The arguments of `-t`, and which of them were used.
#[derive(Debug, Default)]
pub(crate) struct Tags {
    /// Names without value and whether a file asked for them.
    names: Vec<(String, bool)>,
    /// Values by name, and whether a field took them.
    values: Vec<(String, String, bool)>,
    variables: Option<HashMap<String, String>>,
}

impl Tags {
    pub(crate) fn new(tags: &[String], variables: Option<&[(String, String)]>) -> Tags {
        let mut out = Tags {
            variables: variables.map(|v| v.iter().cloned().collect()),
            ..Tags::default()
        };
        for tag in tags {
            match tag.split_once('=') {
                Some((name, value)) => out.values.push((name.to_owned(), value.to_owned(), false)),
                None => out.names.push((tag.clone(), false)),
            }
        }
        out
    }

    /// Whether a condition of a file holds; names of other modules are never set.
    pub(crate) fn holds(
        &mut self,
        ev: &mut Evaluator,
        pos: Pos,
        body: &str,
        own: bool,
    ) -> Result<bool, Problems> {
        let file = ev
            .sources
            .add("", body)
            .map_err(|e| vec![Problem::new(e.to_string())])?;
        let parsed = parse_expr(&ev.sources, file, &mut ev.names, &Options::default());
        if !parsed.errors.is_empty() {
            return Err(parsed.errors.into_iter().map(Problem::from).collect());
        }
        match parsed.tree.root {
            Some(root) => self.condition(&parsed.tree, &ev.names, root, own, 0),
            None => Err(vec![Problem::at(pos, "expected operand, found 'EOF'")]),
        }
    }

    fn condition(
        &mut self,
        tree: &Tree,
        names: &Names,
        x: ExprId,
        own: bool,
        depth: u32,
    ) -> Result<bool, Problems> {
        if depth > 1000 {
            return Err(vec![Problem::at(
                tree.pos(x),
                "build attribute nests too deeply",
            )]);
        }
        match tree.expr(x) {
            Expr::Ident(name) => Ok(own && self.is_set(names.get(name))),
            Expr::Paren(y, _) => self.condition(tree, names, y, own, depth + 1),
            Expr::Unary(Op::Not, y) => Ok(!self.condition(tree, names, y, own, depth + 1)?),
            Expr::Unary(op, _) => Err(bad_operator(tree, x, op)),
            Expr::Binary(op @ (Op::LogicAnd | Op::LogicOr), a, b, _) => {
                let left = self.condition(tree, names, a, own, depth + 1)?;
                let right = self.condition(tree, names, b, own, depth + 1)?;
                Ok(if op == Op::LogicAnd {
                    left && right
                } else {
                    left || right
                })
            }
            Expr::Binary(op, ..) => Err(bad_operator(tree, x, op)),
            other => {
                let text = format!("invalid type {} in build attribute", go_type(&other));
                Err(vec![Problem::at(tree.pos(x), text)])
            }
        }
    }

    fn is_set(&mut self, name: &str) -> bool {
        let mut found = false;
        for (n, used) in &mut self.names {
            if n == name {
                (*used, found) = (true, true);
            }
        }
        found
    }

    /// Values for the fields of a tree that have `@tag`.
    pub(crate) fn inject(
        &mut self,
        ev: &mut Evaluator,
        tree: &Tree,
        problems: &mut Problems,
    ) -> Vec<(DeclId, Val)> {
        let mut out = Vec::new();
        if !tree.source.contains("@tag(") {
            return out;
        }
        let mut finder = Finder {
            tree,
            found: Vec::new(),
            problems: Vec::new(),
        };
        finder.members(tree.decls, None);
        problems.append(&mut finder.problems);
        for tag in finder.found {
            match self.values_of(&tag) {
                Ok((texts, kind)) => {
                    for text in texts {
                        match value(ev, &tag, kind, &text) {
                            Ok(value) => out.push((tag.field, value)),
                            Err(mut e) => problems.append(&mut e),
                        }
                    }
                }
                Err(mut e) => problems.append(&mut e),
            }
        }
        out
    }

    /// The texts given for a tag, and what they are.
    fn values_of(&mut self, tag: &Tag) -> Result<(Vec<String>, Kind), Problems> {
        let mut found = Vec::new();
        for (name, value, used) in &mut self.values {
            if *name == tag.name {
                *used = true;
                found.push(value.clone());
            }
        }
        for (name, used) in &mut self.names {
            if tag.short.iter().any(|s| s == name) {
                *used = true;
                found.push(name.clone());
            }
        }
        if !found.is_empty() {
            return Ok((found, tag.kind));
        }
        let (Some(variable), Some(variables)) = (&tag.variable, &self.variables) else {
            return Ok((found, tag.kind));
        };
        // Random values are numbers, whatever the tag says.
        let kind = if variable == "rand" {
            Kind::Int
        } else {
            tag.kind
        };
        match variables.get(variable) {
            Some(value) => Ok((vec![value.clone()], kind)),
            None => fail(format!("tag variable '{variable}' not found")),
        }
    }

    /// Whether every `-t` was taken by something.
    pub(crate) fn check_used(&self, problems: &mut Problems) {
        if let Some((name, ..)) = self.values.iter().find(|v| !v.2) {
            problems.push(Problem::new(format!("no tag for \"{name}\"")));
        } else if let Some((name, _)) = self.names.iter().find(|n| !n.1) {
            problems.push(Problem::new(format!("tag \"{name}\" not used in any file")));
        }
    }
}

fn bad_operator(tree: &Tree, x: ExprId, op: Op) -> Problems {
    let text = format!("invalid operator {} in build attribute", op.as_str());
    vec![Problem::at(tree.pos(x), text)]
}

/// The name of the node's type in the reference implementation, which its message shows.
fn go_type(x: &Expr) -> &'static str {
    match x {
        Expr::Literal(..) => "*ast.BasicLit",
        Expr::Call { .. } => "*ast.CallExpr",
        Expr::Selector(..) => "*ast.SelectorExpr",
        Expr::Struct { .. } => "*ast.StructLit",
        Expr::List { .. } => "*ast.ListLit",
        Expr::Index(..) => "*ast.IndexExpr",
        Expr::Slice { .. } => "*ast.SliceExpr",
        Expr::Interpolation(_) => "*ast.Interpolation",
        Expr::Bottom => "*ast.BottomLit",
        _ => "*ast.BadExpr",
    }
}

/// An `@tag` of a field.
struct Tag {
    field: DeclId,
    name: String,
    kind: Kind,
    short: Vec<String>,
    variable: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    String,
    Int,
    Number,
    Bool,
}

/// Finds the tags of a file, and those that stand where none may.
struct Finder<'a> {
    tree: &'a Tree,
    found: Vec<Tag>,
    problems: Problems,
}

impl Finder<'_> {
    /// Looks at members; `within` says what they lie in where tags may not be.
    fn members(&mut self, decls: Decls, within: Option<&'static str>) {
        let tree = self.tree;
        for id in tree.decl_list(decls) {
            match tree.decl(*id) {
                Decl::Field(f) => self.field(*id, &f, within),
                Decl::Embed(x) | Decl::Comprehension(x) | Decl::Let { value: x, .. } => {
                    self.expr(x, within);
                }
                _ => {}
            }
        }
    }

    fn field(&mut self, id: DeclId, f: &Field, within: Option<&'static str>) {
        let tree = self.tree;
        let pattern = matches!(tree.expr(f.label), Expr::List { .. });
        let constraint = f.constraint != Constraint::None || pattern;
        let within = within.or(constraint.then_some("field constraint"));
        for (_, attr) in tree.attr_list(tree.extra(f).attrs) {
            let text = tree.text(attr.text);
            let Some(body) = text.strip_prefix("@tag(").and_then(|t| t.strip_suffix(')')) else {
                continue;
            };
            if let Some(place) = within {
                let text = format!("@tag not allowed within {place}");
                self.problems.push(Problem::at(attr.pos, text));
                continue;
            }
            match read_tag(id, attr.pos, body) {
                Ok(tag) => self.found.push(tag),
                Err(mut e) => self.problems.append(&mut e),
            }
        }
        self.expr(f.value, within);
    }

    fn expr(&mut self, x: ExprId, within: Option<&'static str>) {
        stacker::maybe_grow(64 << 10, 2 << 20, || match self.tree.expr(x) {
            Expr::Struct { decls, .. } => self.members(decls, within),
            Expr::List { items, .. } => {
                let tree = self.tree;
                for item in tree.list(items) {
                    self.expr(*item, within.or(Some("lists")));
                }
            }
            Expr::Comprehension { body, .. } => self.expr(body, within.or(Some("comprehension"))),
            Expr::Binary(_, a, b, _) => {
                self.expr(a, within);
                self.expr(b, within);
            }
            Expr::Unary(_, y) | Expr::Paren(y, _) => self.expr(y, within),
            Expr::Alias(a) => self.expr(a.expr, within),
            _ => {}
        });
    }
}

fn read_tag(field: DeclId, pos: Pos, body: &str) -> Result<Tag, Problems> {
    let mut tag = Tag {
        field,
        name: String::new(),
        kind: Kind::String,
        short: Vec::new(),
        variable: None,
    };
    for (i, part) in body.split(',').map(str::trim).enumerate() {
        match part.split_once('=') {
            None if i == 0 => part.clone_into(&mut tag.name),
            Some(("type", kind)) => {
                tag.kind = match kind.trim() {
                    "string" => Kind::String,
                    "int" => Kind::Int,
                    "number" => Kind::Number,
                    "bool" => Kind::Bool,
                    other => {
                        return Err(vec![Problem::at(pos, format!("invalid type \"{other}\""))]);
                    }
                };
            }
            Some(("short", list)) => {
                tag.short = list.trim().split('|').map(str::to_owned).collect();
                for name in &tag.short {
                    check_name(pos, name)?;
                }
            }
            Some(("var", name)) => tag.variable = Some(name.trim().to_owned()),
            Some(_) if i == 0 => part.clone_into(&mut tag.name),
            _ => {}
        }
    }
    check_name(pos, &tag.name)?;
    Ok(tag)
}

fn check_name(pos: Pos, name: &str) -> Result<(), Problems> {
    if pravo_cue::syntax::literal::is_identifier(name) {
        return Ok(());
    }
    Err(vec![Problem::at(
        pos,
        format!("invalid identifier \"{name}\""),
    )])
}

fn value(ev: &mut Evaluator, tag: &Tag, kind: Kind, text: &str) -> Result<Val, Problems> {
    let name = &tag.name;
    let bad = |text: String| vec![Problem::new(text)];
    match kind {
        Kind::String => Ok(ev.new_string(text)),
        Kind::Bool => match text.trim() {
            "1" | "t" | "T" | "TRUE" | "true" | "True" => Ok(Val::bare(Data::Bool(true))),
            "0" | "f" | "F" | "FALSE" | "false" | "False" => Ok(Val::bare(Data::Bool(false))),
            _ => Err(bad(format!(
                "invalid boolean \"{text}\" for injection tag \"{name}\""
            ))),
        },
        Kind::Int | Kind::Number => match parse_literal(text) {
            Err(cause) => Err(bad(format!(
                "invalid number for injection tag \"{name}\": {cause}"
            ))),
            Ok(number) if kind == Kind::Int && !number.is_int() => Err(bad(format!(
                "invalid int \"{text}\" for injection tag \"{name}\""
            ))),
            Ok(number) => Ok(ev.new_number(number, Pos::NONE)),
        },
    }
}
