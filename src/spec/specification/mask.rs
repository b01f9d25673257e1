//! What is left out of a value, or masked in it, before a person sees it.

use super::{Showing, Specification};
use crate::view::{Path, Shape, View};
use pravo_cue::eval::altered::Instead;
use pravo_cue::eval::label::Label;
use pravo_cue::eval::value::{Data, Val};
use pravo_cue::eval::vertex::VId;
use pravo_state::{Attribute, AttributeKind, Block};

/// What stands in a value for something sensitive; no text of a specification is likely to be it.
const MASK: &str = "\u{1}sensitive\u{1}";

/// The same as the printer writes it.
pub(super) const PRINTED_MASK: &str = "\"\\u0001sensitive\\u0001\"";

impl Specification {
    /// A value without provider structs, if it is the whole one, and with masks over what is
    /// sensitive below it.
    pub(super) fn for_show(&mut self, value: Val, whole: bool, showing: Showing) -> Val {
        let Data::Vertex(v) = value.data else {
            return value;
        };
        let at = self.view.ev.path(self.view.ev.deref(v));
        let mut parts = Vec::new();
        let mut add = |path: Path, instead| {
            if path.len() > at.len() && path.starts_with(&at) {
                parts.push((path[at.len()..].to_vec(), instead));
            }
        };
        if whole && !showing.all {
            for path in &self.provider_paths {
                add(path.clone(), Instead::Nothing);
            }
        }
        let stands_there = self.view.vertex(&at).map(|at| self.view.ev.deref(at));
        if !showing.json && stands_there == Some(self.view.ev.deref(v)) {
            let mask = Instead::Value(self.view.ev.new_string(MASK));
            for path in self.sensitive_paths(&at) {
                add(path, mask);
            }
        }
        if parts.is_empty() {
            return value;
        }
        Val::bare(Data::Vertex(self.view.ev.altered(v, &parts)))
    }

    /// The paths of sensitive values at nodes below a path, or at the one it leads into.
    fn sensitive_paths(&mut self, at: &[Label]) -> Vec<Path> {
        let mut found = Vec::new();
        for number in 0..self.nodes.len() {
            let path = self.links[number].path.clone();
            if !path.starts_with(at) && !at.starts_with(&path) {
                continue;
            }
            let Some(block) = self.block_of(number) else {
                continue;
            };
            if let Some(v) = self.view.vertex(&path) {
                in_block(&mut self.view, &block, &path, v, &mut found);
            }
        }
        found
    }
}

fn in_block(view: &mut View, block: &Block, path: &[Label], v: VId, out: &mut Vec<Path>) {
    in_attributes(view, &block.attributes, path, v, out);
    for nested in &block.blocks {
        let element = |view: &mut View, path: &[_], v: VId, out: &mut Vec<Path>| {
            in_block(view, &nested.block, path, v, out);
        };
        in_elements(view, &nested.name, (path, v), &element, out);
    }
}

fn in_attributes(
    view: &mut View,
    attributes: &[Attribute],
    path: &[Label],
    v: VId,
    out: &mut Vec<Path>,
) {
    for attribute in attributes {
        if attribute.sensitive {
            let mut below = path.to_vec();
            below.push(view.ev.string_label(&attribute.name));
            if view
                .vertex(&below)
                .is_some_and(|v| view.shape(v) != Shape::Open)
            {
                out.push(below);
            }
        } else if let AttributeKind::Nested(_, inner) = &attribute.kind {
            let element = |view: &mut View, path: &[_], v: VId, out: &mut Vec<Path>| {
                in_attributes(view, inner, path, v, out);
            };
            in_elements(view, &attribute.name, (path, v), &element, out);
        }
    }
}

/// What is done at each object: where it is, its vertex, and where paths are collected.
type Element<'a> = dyn Fn(&mut View, &[Label], VId, &mut Vec<Path>) + 'a;

/// Goes to the objects below an attribute or block: the one, or those in the list or map.
fn in_elements(
    view: &mut View,
    name: &str,
    (path, v): (&[Label], VId),
    element: &Element<'_>,
    out: &mut Vec<Path>,
) {
    let Some(inner) = view.composite(v) else {
        return;
    };
    let Some(field) = view.named(inner, name) else {
        return;
    };
    let mut below = path.to_vec();
    below.push(view.ev.string_label(name));
    element(view, &below, field, out);
    for child in view.children(field) {
        let mut path = below.clone();
        path.push(view.ev.label(child));
        element(view, &path, child, out);
    }
}
