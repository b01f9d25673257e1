//! Documents before they are trees.

/// A node of a document by number.
pub(super) type NodeId = usize;

/// What a node is.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Scalar {
        text: String,
        /// Neither quoted nor a block.
        plain: bool,
        /// The tag as written, without the prefix of the standard ones.
        tag: String,
    },
    List(Vec<NodeId>),
    Map(Vec<(NodeId, NodeId)>),
    Alias {
        name: String,
        target: NodeId,
    },
}

/// A node with its place: line counted from one, byte offset.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) line: usize,
    pub(super) at: usize,
    /// The comments before and behind it.
    pub(super) comments: Option<Box<Comments>>,
}

/// Comments, each line with its mark.
#[derive(Clone, Debug, Default)]
pub(super) struct Comments {
    pub(super) head: String,
    pub(super) foot: String,
}

/// What is wrong, and the line; zero when it is not told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bad {
    pub(super) line: usize,
    pub(super) text: String,
}

pub(super) fn bad<T>(line: usize, text: impl Into<String>) -> Result<T, Bad> {
    Err(Bad {
        line,
        text: text.into(),
    })
}
