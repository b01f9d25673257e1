//! The state of one run of the value printer, and its entry points.

mod recent;

use recent::Recent;

use super::build::Build;
use super::deeper;
use super::imports::{Entry, sort_by_use};
use super::order::{Around, Orders};
use crate::eval::context::Evaluator;
use crate::eval::error::ErrId;
use crate::eval::label::Label;
use crate::eval::limit::PART_BYTES;
use crate::eval::program::XId;
use crate::eval::value::{Data, Val};
use crate::eval::vertex::VId;
use crate::syntax::format::{Node, Style, format};
use crate::syntax::simplify::simplify_labels;
use crate::syntax::source::{Pos, Rel};
use crate::syntax::tree::{Decl, DeclId, Expr, ExprId, Ident, Tree};
use rustc_hash::{FxHashMap, FxHashSet};

/// A part is about so many nodes and places in lists.
const NODES_A_PART: usize = 2;

/// What of a value is printed, and how.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Whether only defaults are printed where there are some.
    pub take_defaults: bool,
    /// Whether incomplete values are errors.
    pub is_final: bool,
    /// Whether optional fields are shown.
    pub optional: bool,
    /// Whether definitions are shown.
    pub definitions: bool,
    /// Whether hidden fields of the package are shown.
    pub hidden: bool,
    /// Whether attributes are shown.
    pub attributes: bool,
    /// Whether doc comments are shown.
    pub docs: bool,
    /// Whether errors are printed as values.
    pub errors: bool,
    /// The id of the package whose hidden fields are shown; `_` if it has none.
    pub package: String,
    /// A package clause to print, or nothing.
    pub clause: Option<String>,
    /// Whether the value is printed as its source, so that the text means the same.
    pub source: bool,
    /// Whether what is referred to in packages that are not of the standard library is written
    /// in its place.
    pub inline: bool,
    /// Whether what is referred to outside of the value comes with it, so that the text stands
    /// alone.
    pub contained: bool,
}

impl Profile {
    /// What `eval` prints without flags.
    pub fn eval(package: &str) -> Self {
        Self {
            take_defaults: true,
            is_final: false,
            optional: false,
            definitions: true,
            hidden: false,
            attributes: false,
            docs: false,
            errors: false,
            package: package.to_owned(),
            clause: None,
            source: false,
            inline: false,
            contained: true,
        }
    }

    /// What `def` prints.
    pub fn def(package: &str) -> Self {
        Self {
            take_defaults: false,
            optional: true,
            hidden: true,
            attributes: true,
            docs: true,
            source: true,
            ..Self::eval(package)
        }
    }

    /// What `export --out cue` prints.
    pub fn export(package: &str) -> Self {
        Self {
            is_final: true,
            definitions: false,
            docs: true,
            ..Self::eval(package)
        }
    }
}

/// The text of a value as a file of the language; a lone newline for an empty one.
///
/// # Errors
/// Values that are shared are written out where they are: what becomes too large has no text.
pub fn print_value(
    ev: &mut Evaluator,
    v: Val,
    profile: &Profile,
    style: Style,
) -> Result<String, ErrId> {
    let mut tree = value_tree(ev, v, profile)?;
    if style.simplify {
        simplify_labels(&mut tree, &mut ev.names);
    }
    let alone = match *tree.decl_list(tree.decls) {
        [only] => match tree.decl(only) {
            Decl::Embed(x) => Some(x),
            _ => None,
        },
        _ => None,
    };
    let mut text = match alone {
        Some(x) => {
            begin_at_once(&mut tree, x);
            format(&tree, &ev.names, Node::Expr(x), style) + "\n"
        }
        None => format(&tree, &ev.names, Node::File, style),
    };
    // These stand on a line of their own, even at the head of a file.
    let is_let = |d: &DeclId| matches!(tree.decl(*d), Decl::Let { .. });
    let own_line = match tree.decl_list(tree.decls) {
        [first, rest @ ..] => match tree.decl(*first) {
            Decl::Let { .. } | Decl::Comprehension(_) => true,
            Decl::Embed(_) => !rest.is_empty() && rest.iter().all(is_let),
            _ => false,
        },
        [] => false,
    };
    if text.starts_with('\n') && !own_line && !profile.source {
        text.remove(0);
    }
    Ok(if text.is_empty() {
        "\n".to_owned()
    } else {
        text
    })
}

/// Lets an expression that is printed alone begin without white space. A label that it begins with
/// has a place then, so that the short form `a: b: 1` is open to it.
fn begin_at_once(tree: &mut Tree, x: ExprId) {
    let mut x = x;
    loop {
        x = match tree.expr(x) {
            Expr::Binary(_, left, _, _) => left,
            Expr::Selector(y, _) | Expr::Index(y, ..) | Expr::Open(y, _) => y,
            Expr::Slice { x: y, .. } | Expr::Call { fun: y, .. } => y,
            Expr::Struct { decls, .. } if !tree.pos(x).is_valid() => {
                let Some(first) = tree.decl_list(decls).first().copied() else {
                    return;
                };
                match tree.decl(first) {
                    Decl::Field(mut f) => {
                        let label = tree.expr(f.label);
                        if !matches!(label, Expr::Alias(_)) {
                            // the node may serve other fields as well
                            tree.exprs.push(label);
                            tree.expr_pos.push(Pos::wish(Rel::NoSpace));
                            f.label = ExprId(tree.exprs.len() as u32 - 1);
                            tree.decl_nodes[first.0 as usize] = Decl::Field(f);
                        }
                        return;
                    }
                    Decl::Embed(y) => y,
                    _ => return,
                }
            }
            _ => return,
        };
    }
}

/// A value as the tree of a file.
///
/// # Errors
/// A value of too many parts.
pub fn value_tree(ev: &mut Evaluator, v: Val, profile: &Profile) -> Result<Tree, ErrId> {
    let mut printer = Printer::new(ev, profile);
    if let Data::Vertex(x) = v.data {
        printer.names.root = Some(x);
    }
    let (x, head) = match v.data {
        Data::Vertex(x) if profile.source => (printer.definition(x), printer.head(x)),
        _ => (printer.plain(v), printer.wanted_clause()),
    };
    if printer.is_full {
        return Err(printer.ev.over_limit());
    }
    Ok(printer.into_file(x, head))
}

/// A member of the struct that is being printed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Member {
    Decl(DeclId),
    /// A let, by its place in the list of the printer; it is printed if something refers to it.
    Let(usize),
}

/// A struct (or other value) that is being printed.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) node: VId,
    /// How many literals of the source the frame stands for.
    pub(super) up: u32,
    pub(super) members: Vec<Member>,
    /// The printed fields; what stands last counts.
    pub(super) fields: Vec<(Label, DeclId)>,
    /// Names that references use where the label is no identifier.
    pub(super) aliases: Vec<(Label, String)>,
    /// The pattern constraint or computed field whose value is being printed.
    pub(super) pattern: Option<DeclId>,
    /// Whether it is only the literal that the frame below it is of.
    pub(super) within: bool,
    /// Aliases of computed fields and patterns, which their labels get once something uses them.
    pub(super) dynamic: Vec<(String, DeclId)>,
}

/// A let that a literal around declares.
#[derive(Clone, Debug)]
pub(super) struct LetState {
    /// Its expression.
    pub(super) value: XId,
    /// Its printed name and value, once something refers to it.
    pub(super) printed: Option<(String, ExprId)>,
}

pub(super) struct Printer<'a> {
    pub(super) ev: &'a mut Evaluator,
    pub(super) profile: &'a Profile,
    pub(super) out: Build,
    pub(super) stack: Vec<Frame>,
    /// All lets that were met, in order.
    pub(super) lets: Vec<LetState>,
    /// The let that a private label stands for now.
    pub(super) current_lets: FxHashMap<Label, usize>,
    /// Aliases of labels that keep them, each with its label.
    pub(super) aliases: FxHashSet<(String, Label)>,
    pub(super) names: super::names::Names,
    pub(super) imports: Vec<Entry>,
    /// Let clauses that follow the value.
    pub(super) tail: Vec<DeclId>,
    /// Disjuncts, and where their order is looked up.
    pub(super) around: FxHashMap<VId, Around>,
    pub(super) in_definition: u32,
    pub(super) in_expression: u32,
    pub(super) pivot: Option<super::pivot::Pivot>,
    pub(super) links: super::names::links::Links,
    /// Values of fields that are printed the same wherever they stand.
    pub(super) leaves: Recent<Data>,
    /// Bare labels.
    pub(super) bare_labels: Recent<Label>,
    pub(super) orders: Orders,
    /// Emptied lists of frames.
    spare_members: Vec<Vec<Member>>,
    spare_fields: Vec<Vec<(Label, DeclId)>>,
    /// Names of predeclared functions as they were printed.
    pub(super) predeclared: Vec<ExprId>,
    /// Bytes of the text that are not in the tree: what stands in it again, and what is before
    /// lines.
    pub(super) repeated: usize,
    /// Whether the value has more parts than may be written out: the rest of it is not.
    is_full: bool,
}

impl<'a> Printer<'a> {
    pub(super) fn new(ev: &'a mut Evaluator, profile: &'a Profile) -> Self {
        Self {
            ev,
            profile,
            out: Build::default(),
            stack: Vec::new(),
            lets: Vec::new(),
            current_lets: FxHashMap::default(),
            aliases: FxHashSet::default(),
            names: super::names::Names::default(),
            imports: Vec::new(),
            tail: Vec::new(),
            around: FxHashMap::default(),
            in_definition: 0,
            in_expression: 0,
            pivot: None,
            links: super::names::links::Links::default(),
            leaves: Recent::new(),
            bare_labels: Recent::new(),
            orders: Orders::default(),
            spare_members: Vec::new(),
            spare_fields: Vec::new(),
            predeclared: Vec::new(),
            repeated: 0,
            is_full: false,
        }
    }

    /// A value that is not printed as its source.
    fn plain(&mut self, v: Val) -> ExprId {
        if let Data::Vertex(x) = v.data {
            if self.ev.is_expression(x) && self.ev.is_value_alone(x) {
                let base = self.ev.base(x);
                return self.value(base, None);
            }
            self.start(x);
        }
        self.value(v, None)
    }

    /// Whether more was made than may be written out, now that `v` is to be.
    pub(super) fn has_no_room(&mut self, v: VId) -> bool {
        let tree = &self.out.tree;
        let nodes = tree.exprs.len() + tree.decl_nodes.len();
        let parts = (nodes + tree.expr_lists.len() + tree.decl_lists.len()) / NODES_A_PART;
        let texts = (tree.own.len() + self.repeated) / PART_BYTES as usize;
        if !self.is_full && parts + texts > self.ev.most_parts() {
            self.ev.too_many_parts(v);
            self.is_full = true;
        }
        self.is_full
    }

    pub(super) fn push(&mut self, node: VId, up: u32) {
        let members = self.spare_members.pop().unwrap_or_default();
        let fields = self.spare_fields.pop().unwrap_or_default();
        self.stack.push(Frame {
            node,
            up,
            members,
            fields,
            aliases: Vec::new(),
            pattern: None,
            within: false,
            dynamic: Vec::new(),
        });
    }

    /// Ends a frame: fields that references name by an alias get it.
    pub(super) fn pop(&mut self) -> Vec<Member> {
        let Some(mut frame) = self.stack.pop() else {
            return Vec::new();
        };
        for (label, alias) in &frame.aliases {
            let printed = frame.fields.iter().rev().find(|(l, _)| l == label);
            if let Some((_, field)) = printed {
                self.out.alias_label(&mut self.ev.names, *field, alias);
            }
        }
        frame.fields.clear();
        self.spare_fields.push(frame.fields);
        frame.members
    }

    /// Members as declarations; lets that nothing refers to vanish.
    pub(super) fn members(&mut self, mut members: Vec<Member>) -> Vec<DeclId> {
        let mut out = Vec::with_capacity(members.len());
        for member in members.drain(..) {
            match member {
                Member::Decl(d) => out.push(d),
                Member::Let(i) => {
                    if let Some((name, value)) = self.lets[i].printed.clone() {
                        out.push(
                            self.out
                                .let_clause(&mut self.ev.names, &name, value, Rel::None),
                        );
                    }
                }
            }
        }
        self.take_back(members);
        out
    }

    /// Takes back the list of a frame.
    pub(super) fn take_back(&mut self, mut members: Vec<Member>) {
        members.clear();
        self.spare_members.push(members);
    }

    pub(super) fn top(&mut self) -> Option<&mut Frame> {
        self.stack.last_mut()
    }

    pub(super) fn add(&mut self, member: Member) {
        if let Some(frame) = self.stack.last_mut() {
            frame.members.push(member);
        }
    }

    /// The vertex that is being printed.
    pub(super) fn node(&self) -> VId {
        self.stack.last().map_or(VId::default(), |f| f.node)
    }

    /// The frame of the literal so many levels up.
    pub(super) fn frame_at(&mut self, up: u32) -> Option<usize> {
        let mut up = up;
        for (i, frame) in self.stack.iter().enumerate().rev() {
            if up < frame.up {
                return Some(i);
            }
            up = up.saturating_sub(frame.up);
        }
        None
    }

    /// Whether a pattern is being printed so many levels up, or further up.
    pub(super) fn is_in_pattern(&self, up: u32) -> bool {
        let (mut up, mut within) = (i64::from(up), false);
        for frame in self.stack.iter().rev() {
            if frame.within {
                within = frame.pattern.is_some();
                continue;
            }
            let has_pattern = std::mem::take(&mut within) || frame.pattern.is_some();
            let frame_up = i64::from(frame.up);
            if up < frame_up && has_pattern {
                return true;
            }
            up -= frame_up;
        }
        false
    }

    /// Notes that a name stands for an imported package.
    pub(super) fn import(&mut self, name: ExprId, entry: Entry) {
        if !self.imports.contains(&entry) {
            self.imports.push(entry.clone());
        }
        self.links.packages.insert(name, entry);
    }

    /// The package clause that was asked for.
    fn wanted_clause(&mut self) -> Option<DeclId> {
        let name = self.profile.clause.as_ref()?;
        let name = self.ev.names.intern(name);
        let pos = Pos::NONE;
        let clause = self.out.decl(Decl::Package {
            pos,
            name: Ident { name, pos },
        });
        Some(clause)
    }

    pub(super) fn into_file(mut self, x: ExprId, clause: Option<DeclId>) -> Tree {
        let mut decls: Vec<DeclId> = clause.into_iter().collect();
        self.complete_pivot();
        let mut own = match self.out.tree.expr(x) {
            Expr::Struct { decls: own, .. } => self.out.tree.decl_list(own).to_vec(),
            _ => vec![self.out.embed(x)],
        };
        own.append(&mut self.tail);
        self.rename_astray(&mut own);
        if !self.imports.is_empty() && self.profile.contained {
            let mut imports = std::mem::take(&mut self.imports);
            sort_by_use(&self.out.tree, &self.ev.names, &own, &mut imports);
            decls.push(self.out.imports(&mut self.ev.names, &imports));
        }
        decls.append(&mut own);
        self.out.tree.decls = self.out.decls(&decls);
        self.uncover_predeclared();
        self.out.tree
    }

    /// Predeclared functions whose names fields or lets have as well get their long names.
    fn uncover_predeclared(&mut self) {
        if self.predeclared.is_empty() {
            return;
        }
        let tree = &self.out.tree;
        let names = &self.ev.names;
        let declared: FxHashSet<String> = (tree.decl_nodes.iter())
            .flat_map(|d| super::names::declared(tree, names, *d))
            .collect();
        for x in std::mem::take(&mut self.predeclared) {
            if let Expr::Ident(name) = self.out.tree.expr(x) {
                let name = self.ev.names.get(name);
                if declared.contains(name) {
                    let long = format!("__{name}");
                    let long = self.ev.names.intern(&long);
                    self.out.tree.exprs[x.0 as usize] = Expr::Ident(long);
                }
            }
        }
    }

    /// Prints with one more level of nesting.
    pub(super) fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        deeper(|| f(self))
    }
}
