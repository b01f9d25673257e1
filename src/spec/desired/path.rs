//! The path of an attribute in messages: `web.triggers["zone"]`, `web.ingress[0].port`.

use std::fmt;

/// A path that grows and shrinks with the walk over a body.
pub(super) struct Path(String);

/// How long a path was.
#[derive(Clone, Copy)]
pub(super) struct Mark(usize);

impl Path {
    /// The path of the node itself.
    pub(super) fn new(name: &str) -> Self {
        Self(name.to_owned())
    }

    /// Appends an attribute or block.
    pub(super) fn attribute(&mut self, name: &str) -> Mark {
        let mark = Mark(self.0.len());
        self.0.push('.');
        pravo_state::address::push_label(&mut self.0, name);
        mark
    }

    /// Appends the key of a map.
    pub(super) fn key(&mut self, key: &str) -> Mark {
        let mark = Mark(self.0.len());
        let mut label = String::new();
        pravo_state::address::push_label(&mut label, key);
        if label.starts_with('"') {
            self.0.push_str(&format!("[{label}]"));
        } else {
            self.0.push_str(&format!("[\"{label}\"]"));
        }
        mark
    }

    /// Appends the index of a list.
    pub(super) fn index(&mut self, index: usize) -> Mark {
        let mark = Mark(self.0.len());
        self.0.push_str(&format!("[{index}]"));
        mark
    }

    /// Takes away what was appended since.
    pub(super) fn cut(&mut self, mark: Mark) {
        self.0.truncate(mark.0);
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
