//! Comments on their way to nodes.

use super::Reader;
use crate::decode::yaml::node::{Bad, Comments, NodeId};
use crate::decode::yaml::scan::Tok;
use std::mem::take;

impl Reader<'_> {
    /// Gives a node the comments that were found.
    pub(super) fn comment(&mut self, id: NodeId) {
        let found = &mut self.scanner.pending;
        let (head, foot) = (take(&mut found.head), take(&mut found.foot));
        found.stem.clear();
        if !head.is_empty() || !foot.is_empty() {
            self.nodes[id].comments = Some(Box::new(Comments { head, foot }));
        }
    }

    /// The foot of a node, to be taken elsewhere.
    pub(super) fn take_foot(&mut self, id: NodeId) -> String {
        let comments = self.nodes[id].comments.as_mut();
        comments.map_or_else(String::new, |c| take(&mut c.foot))
    }

    pub(super) fn set_foot(&mut self, id: NodeId, foot: String) {
        if !foot.is_empty() {
            self.nodes[id].comments.get_or_insert_default().foot = foot;
        }
    }

    /// What ends a collection takes the comments before it: a foot is what counts.
    pub(super) fn foot_at_end(&mut self) -> String {
        let found = &mut self.scanner.pending;
        found.head.clear();
        found.stem.clear();
        take(&mut found.foot)
    }

    /// The head of an element that is a collection is of all of it.
    pub(super) fn split_stem(&mut self, length: usize) -> Result<(), Bad> {
        if length == 0 || !matches!(self.tok()?, Tok::BlockSequence | Tok::BlockMapping) {
            return Ok(());
        }
        let found = &mut self.scanner.pending;
        let rest = found.head.split_off(length);
        found.stem = std::mem::replace(&mut found.head, rest.get(1..).unwrap_or("").to_owned());
        Ok(())
    }

    /// The foot of a value is its key's, if that has none.
    pub(super) fn foot_to_key(&mut self, key: NodeId, value: NodeId) {
        let has = self.nodes[key].comments.as_ref();
        if has.is_none_or(|c| c.foot.is_empty()) {
            let foot = self.take_foot(value);
            self.set_foot(key, foot);
        }
    }

    /// Comments above the last empty line before the first value are the document's.
    pub(super) fn split_head(&mut self) {
        let head = &mut self.scanner.pending.head;
        if let Some(i) = head.rfind("\n\n").filter(|_| !head.ends_with('\n')) {
            self.head = head[..i].to_owned();
            *head = head[i + 2..].to_owned();
        } else if head.len() > 1 && head.ends_with('\n') {
            self.head = head[..head.len() - 1].to_owned();
            head.clear();
        }
    }
}
