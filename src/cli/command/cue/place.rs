//! Where the documents of data files are put: `-l`, `--list` and `--with-context`.

use super::flags::Flags;
use super::plan::{Item, Plan, expression, told};
use super::{Failed, World};
use pravo_cue::builtin::Data as Of;
use pravo_cue::eval::error::MsgId;
use pravo_cue::eval::kind::Code;
use pravo_cue::eval::value::{Data, Val};
use pravo_cue::eval::vertex::VId;
use pravo_cue::print::{DataStyle, Profile, Report, print_value, to_data};
use pravo_cue::syntax::format::{Node, Style, format};
use pravo_cue::syntax::literal::quote_string;
use pravo_cue::syntax::parser::{Options, parse_expr, parse_file};
use pravo_cue::syntax::tree::{Decl, Expr, ExprId, Tree};
use std::sync::Arc;

/// One label of the path of `-l`.
#[derive(Clone)]
pub(super) enum Label {
    /// As it is written.
    Fixed(String),
    /// To be evaluated in the document, with its text.
    Computed(String, Arc<Tree>),
}

/// Puts the documents of all data files where the flags say.
pub(super) fn place(plan: &mut Plan, flags: &Flags, world: &mut World<'_>) -> Result<(), Failed> {
    if flags.paths.is_empty() && !flags.list {
        return match flags.with_context {
            true => fail(
                world,
                "flag \"with-context\" must be used with at least one of flag \"path\", \"list\", or \
                 \"files\"",
            ),
            false => Ok(()),
        };
    }
    if flags.schema.is_some() {
        return fail(
            world,
            "cannot combine --schema flag with flag \"path\", \"list\", or \"files\"",
        );
    }
    let mut labels = Vec::new();
    for text in &flags.paths {
        labels.extend(read(plan, world, text)?);
    }
    if plan.set.data.is_empty() && !labels.is_empty() {
        plan.path = labels;
        return Ok(());
    }
    for i in 0..plan.set.data.len() {
        let name = plan.set.data[i].path.clone();
        let documents = std::mem::take(&mut plan.set.data[i].documents);
        let mut placed: Vec<(Vec<String>, Arc<Tree>)> = Vec::new();
        for (index, document) in documents.iter().enumerate() {
            let scope = if flags.with_context && !labels.is_empty() {
                let shown = shown(&name, &world.dir.to_string_lossy());
                context(plan, world, document, &shown, index, documents.len())?
            } else {
                document.clone()
            };
            if let Some(path) = resolve(plan, world, &labels, &scope, document)? {
                placed.push((path, document.clone()));
            }
        }
        plan.set.data[i].documents = if flags.list {
            lists(plan, world, placed)?
        } else {
            let nested = placed.into_iter().map(|(path, document)| {
                let mut tree = (*document).clone();
                tree.nest(&path);
                Arc::new(tree)
            });
            nested.collect()
        };
    }
    Ok(())
}

/// Puts a value at the path of `-l`, if it has no data files to go to.
pub(super) fn wrap(plan: &mut Plan, item: &mut Item, world: &mut World<'_>) -> Result<(), Failed> {
    if plan.path.is_empty() {
        return Ok(());
    }
    let mut path = Vec::with_capacity(plan.path.len());
    for label in plan.path.clone() {
        let (text, tree) = match label {
            Label::Fixed(name) => {
                path.push(name);
                continue;
            }
            Label::Computed(text, tree) => (text, tree),
        };
        let found = plan.ev.expression_within(item.package, item.value, tree);
        let literal = found.as_ref().is_ok_and(|v| is_literal(plan, *v));
        match named(plan, found) {
            Ok(_) if !literal => {
                return fail(world, &format!("expression is not a valid label: {text}"));
            }
            Ok(name) => path.push(name),
            Err(cause) => return fail(world, &format!("error evaluating label {text}: {cause}")),
        }
    }
    let value = Val::bare(Data::Vertex(item.value));
    let placed = path
        .into_iter()
        .rev()
        .fold(value, |value, name| plan.ev.struct_of(vec![(name, value)]));
    if let Data::Vertex(v) = placed.data {
        plan.ev.finalize(v);
        item.value = v;
    }
    Ok(())
}

/// Whether a value is written as a literal: what more it was made of could be no label.
fn is_literal(plan: &mut Plan, v: VId) -> bool {
    let value = Val::bare(Data::Vertex(v));
    let text = print_value(&mut plan.ev, value, &Profile::def("_"), Style::default());
    text.is_ok_and(|text| text.trim_start().starts_with(['"', '#', '\'']))
}

/// The text that the expression of a label comes to, or why it is none.
fn named(plan: &mut Plan, found: Result<VId, Vec<MsgId>>) -> Result<String, String> {
    let first = |reports: Vec<Report>| reports.first().map(told).unwrap_or_default();
    let v = match found {
        Ok(v) => v,
        Err(messages) => return Err(first(plan.ev.message_reports(&messages))),
    };
    plan.ev.finalize(v);
    let value = Val::bare(Data::Vertex(v));
    if let Ok(Of::String(name)) = to_data(&plan.ev, value, DataStyle::default()) {
        return Ok(name);
    }
    match plan.ev.error_of_value(v) {
        Some(e) if plan.ev.error_code(e) != Code::Incomplete => Err(first(plan.ev.reports(e))),
        _ => Err(plan.ev.compact(value)),
    }
}

fn fail<T>(world: &mut World<'_>, text: &str) -> Result<T, Failed> {
    world.tell(&format!("{text}\n"));
    Err(Failed)
}

/// The labels of one `-l`: an expression, or labels each with a colon.
fn read(plan: &mut Plan, world: &mut World<'_>, text: &str) -> Result<Vec<Label>, Failed> {
    let Ok(file) = plan.ev.sources.add("--path", text) else {
        return fail(world, "expression too large");
    };
    let options = Options::default();
    let parsed = parse_expr(&plan.ev.sources, file, &mut plan.ev.names, &options);
    if parsed.errors.is_empty() {
        return Ok(vec![Label::Computed(
            text.to_owned(),
            Arc::new(parsed.tree),
        )]);
    }
    let Ok(file) = plan.ev.sources.add("--path", format!("{text}_")) else {
        return fail(world, "expression too large");
    };
    let parsed = parse_file(&plan.ev.sources, file, &mut plan.ev.names, &options);
    let wrong = |world: &mut World<'_>, cause: &str| {
        let text = format!(
            "labels must be expressions (-l foo -l 'strings.ToLower(bar)') or full paths (-l \
             '\"foo\": \"\\(strings.ToLower(bar))\":) : {cause}"
        );
        fail(world, &text)
    };
    if let Some(e) = parsed.errors.first() {
        let message = Report::of_syntax(e).message;
        let cause = format!("parser error in path {text:?}: {message}");
        return wrong(world, &cause);
    }
    let tree = parsed.tree;
    let mut out = Vec::new();
    let mut decls = tree.decls;
    loop {
        let [only] = *tree.decl_list(decls) else {
            let cause = "path flag must be a space-separated sequence of labels";
            return wrong(world, cause);
        };
        let Decl::Field(f) = tree.decl(only) else {
            return wrong(world, "%q not a sequence of labels");
        };
        out.push(label(plan, world, &tree, f.label)?);
        match tree.expr(f.value) {
            Expr::Struct { decls: inner, .. } => decls = inner,
            _ => return Ok(out),
        }
    }
}

fn label(plan: &mut Plan, world: &mut World<'_>, tree: &Tree, x: ExprId) -> Result<Label, Failed> {
    let text = format(tree, &plan.ev.names, Node::Expr(x), Style::default());
    let fixed = match tree.expr(x) {
        Expr::Ident(_) => Some(text.clone()),
        Expr::Literal(..) => pravo_cue::syntax::literal::unquote_string(&text).ok(),
        _ => None,
    };
    match fixed {
        Some(name) => Ok(Label::Fixed(name)),
        None => {
            let tree = expression(&mut plan.ev, world, "--path", &text)?;
            Ok(Label::Computed(text, tree))
        }
    }
}

/// The path of a document; nothing for an empty one that no label fits.
fn resolve(
    plan: &mut Plan,
    world: &mut World<'_>,
    labels: &[Label],
    scope: &Arc<Tree>,
    document: &Tree,
) -> Result<Option<Vec<String>>, Failed> {
    let mut out = Vec::with_capacity(labels.len());
    for label in labels {
        let (text, tree) = match label {
            Label::Fixed(name) => {
                out.push(name.clone());
                continue;
            }
            Label::Computed(text, tree) => (text, tree),
        };
        let package = plan.built(std::slice::from_ref(scope), world, None)?;
        let found = plan.ev.expression_in(package, tree.clone());
        match named(plan, found) {
            Ok(name) => out.push(name),
            Err(_) if is_null(document) => return Ok(None),
            Err(cause) => return fail(world, &format!("error evaluating label {text}: {cause}")),
        }
    }
    Ok(Some(out))
}

fn is_null(tree: &Tree) -> bool {
    match *tree.decl_list(tree.decls) {
        [only] => match tree.decl(only) {
            Decl::Embed(x) => matches!(
                tree.expr(x),
                Expr::Literal(pravo_cue::syntax::tree::LitKind::Null, _)
            ),
            _ => false,
        },
        _ => false,
    }
}

/// What labels see with `--with-context`.
fn context(
    plan: &mut Plan,
    world: &mut World<'_>,
    document: &Tree,
    name: &str,
    index: usize,
    count: usize,
) -> Result<Arc<Tree>, Failed> {
    let text = format!(
        "data: {}\nfilename: {}\nindex: {index}\nrecordCount: {count}\n",
        value_text(plan, document),
        quote_string(name)
    );
    reparsed(plan, world, text)
}

/// The value of a document as an expression.
fn value_text(plan: &Plan, document: &Tree) -> String {
    let text = format(document, &plan.ev.names, Node::File, Style::default());
    match *document.decl_list(document.decls) {
        [only] if matches!(document.decl(only), Decl::Embed(_)) => text.trim().to_owned(),
        _ => format!("{{\n{text}}}"),
    }
}

fn reparsed(plan: &mut Plan, world: &mut World<'_>, text: String) -> Result<Arc<Tree>, Failed> {
    let Ok(file) = plan.ev.sources.add("", text) else {
        return fail(world, "data too large");
    };
    let options = Options::default();
    let parsed = parse_file(&plan.ev.sources, file, &mut plan.ev.names, &options);
    Ok(Arc::new(parsed.tree))
}

/// The documents of one file as lists, one for each path.
fn lists(
    plan: &mut Plan,
    world: &mut World<'_>,
    placed: Vec<(Vec<String>, Arc<Tree>)>,
) -> Result<Vec<Arc<Tree>>, Failed> {
    let mut groups: Vec<(Vec<String>, Vec<Arc<Tree>>)> = Vec::new();
    for (path, document) in placed {
        match groups.iter_mut().find(|g| g.0 == path) {
            Some(group) => group.1.push(document),
            None => groups.push((path, vec![document])),
        }
    }
    let mut out = Vec::new();
    for (path, documents) in groups {
        let mut tree = match documents.as_slice() {
            [one] => {
                let mut tree = (**one).clone();
                tree.enlist();
                tree
            }
            several => {
                let items: Vec<String> = several.iter().map(|d| value_text(plan, d)).collect();
                let text = format!("[\n{},\n]\n", items.join(",\n"));
                (*reparsed(plan, world, text)?).clone()
            }
        };
        tree.nest(&path);
        out.push(Arc::new(tree));
    }
    if out.is_empty() {
        out.push(reparsed(plan, world, "[]".to_owned())?);
    }
    Ok(out)
}

/// A file name relative to the working directory.
fn shown(name: &str, dir: &str) -> String {
    let below = name.strip_prefix(dir).and_then(|n| n.strip_prefix('/'));
    below.unwrap_or(name).to_owned()
}
