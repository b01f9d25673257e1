//! Trees to text.
//!
//! The tree is printed as tokens with wished white space. A wish is resolved against the white
//! space each token had in its source, and the lines are then aligned in columns.

mod comments;
mod decl;
mod expr;
mod operators;
mod parts;
mod place;
mod space;
mod table;

use std::collections::HashMap;

use super::names::Names;
use super::tree::{CommentGroup, DeclId, ExprId, Tree};
use operators::Mix;
use space::{Space, blank, newline};
use table::Level;

/// How text is laid out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Collapse structs of one member, drop needless quotes of labels.
    pub simplify: bool,
    /// Indent by four spaces instead of a tab, also inside literals.
    pub spaces: bool,
}

impl Style {
    fn level(self) -> Level {
        if self.spaces {
            Level::Spaces
        } else {
            Level::Tab
        }
    }
}

/// What is printed.
#[derive(Clone, Copy, Debug)]
pub enum Node {
    /// All declarations of the tree, as a file.
    File,
    /// One expression.
    Expr(ExprId),
    /// One declaration.
    Decl(DeclId),
}

/// Prints a node. A file ends in a newline, other nodes do not.
pub fn format(tree: &Tree, names: &Names, node: Node, style: Style) -> String {
    if let Node::File = node
        && let Some(text) = parts::format_parts(tree, names, style)
    {
        return text;
    }
    let mut f = Formatter::new(tree, names, style, 0);
    match node {
        Node::File => f.file(),
        Node::Expr(e) => f.expr(e),
        Node::Decl(d) => f.decl(d),
    }
    f.finish()
}

/// What is being printed around the current token.
#[derive(Clone, Copy)]
struct Frame<'a> {
    /// Comments of the node that are not printed yet.
    comments: &'a [CommentGroup],
    /// How many tokens of the node are printed.
    pos: i32,
    /// What separates members of the node.
    node_sep: u32,
    /// What separates members of the node around it.
    parent_sep: u32,
}

struct Formatter<'a> {
    tree: &'a Tree,
    names: &'a Names,
    style: Style,
    out: Space,
    stack: Vec<Frame<'a>>,
    current: Frame<'a>,
    /// What operators a binary expression mixes.
    mixes: HashMap<ExprId, Mix>,
    /// What is printed of the file.
    part: parts::Part,
}

impl<'a> Formatter<'a> {
    /// Nothing is printed yet; there is room for so many bytes.
    fn new(tree: &'a Tree, names: &'a Names, style: Style, room: usize) -> Formatter<'a> {
        Formatter {
            tree,
            names,
            style,
            out: Space::new(style.level(), room),
            stack: Vec::new(),
            current: Frame {
                comments: &[],
                pos: 0,
                node_sep: newline,
                parent_sep: newline,
            },
            mixes: HashMap::new(),
            part: parts::Part::default(),
        }
    }

    fn finish(self) -> String {
        self.out.finish()
    }

    /// The strongest break that members here may have.
    fn formfeed(&self) -> u32 {
        if self.current.node_sep == blank {
            blank
        } else {
            space::formfeed
        }
    }
}
