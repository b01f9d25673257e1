//! Imports in the order in which a file first uses them.

use super::names::walk::each_name;
use crate::syntax::names::Names;
use crate::syntax::tree::{DeclId, Tree};

/// An import: a name, if it is not the one the path implies, and the path.
pub(super) type Entry = (Option<String>, String);

/// Puts imports into the order in which the declarations of a file use them.
pub(super) fn sort_by_use(tree: &Tree, names: &Names, decls: &[DeclId], list: &mut Vec<Entry>) {
    if list.len() < 2 {
        return;
    }
    let mut left = std::mem::take(list);
    each_name(tree, decls, |_, name, _| {
        let used = |e: &Entry| short_name(e) == names.get(name);
        if let Some(i) = left.iter().position(used) {
            list.push(left.remove(i));
        }
    });
    list.append(&mut left);
}

fn short_name((name, path): &Entry) -> &str {
    name.as_deref()
        .unwrap_or_else(|| path.rsplit(['/', ':']).next().unwrap_or(path))
}
