//! Large files in parts, which several threads print.
//!
//! Behind a field whose value is a block, the text that follows depends on little: a part begins
//! there in the state that the text before is expected to end in. Where it does not, the whole is
//! printed again by one thread; so it is where no thread can be had.

use super::space::{State, formfeed};
use super::{Formatter, Style};
use crate::syntax::names::Names;
use crate::syntax::tree::{Decl, DeclId, Decls, Expr, Tree};
use std::thread;

/// Files of fewer declarations are printed in one part.
const LARGE: usize = 1 << 12;

/// More parts than this gain nothing.
const MOST_PARTS: usize = 8;

/// How much text a declaration is expected to become, in bytes. Room for all of it is there before
/// it is printed: what a thread allocates for itself lies on small pages.
const DECLARATION: usize = 40;

/// Where a part begins and ends.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    /// The declarations that lead to the first one of the part, innermost first.
    from: Vec<DeclId>,
    /// The first one of the next part.
    until: Option<DeclId>,
    began: Option<State>,
    /// The text and the state at the end, once it is reached.
    pub(super) ended: Option<(String, State)>,
}

/// A file in as many parts as there are processors; nothing where that does not pay.
pub(super) fn format_parts(tree: &Tree, names: &Names, style: Style) -> Option<String> {
    if tree.decl_count() < LARGE {
        return None;
    }
    let parts = thread::available_parallelism().map_or(1, usize::from);
    in_parts(tree, names, style, parts.min(MOST_PARTS))
}

fn in_parts(tree: &Tree, names: &Names, style: Style, parts: usize) -> Option<String> {
    // Comments and members that move to the end do not stay where they are.
    if tree.has_comments() || style.simplify {
        return None;
    }
    let total = tree.decl_count();
    let mut seams: Vec<Vec<DeclId>> = (1..parts)
        .filter_map(|i| seam(tree, (total * i / parts) as u32))
        .collect();
    seams.dedup();
    if seams.is_empty() {
        return None;
    }
    let room = total * DECLARATION;
    let part = |i: usize| {
        let room = if i == 0 { room } else { room / parts };
        let mut f = Formatter::new(tree, names, style, room);
        f.part = Part {
            from: match i.checked_sub(1) {
                Some(i) => seams[i].iter().rev().copied().collect(),
                None => Vec::new(),
            },
            until: seams.get(i).and_then(|path| path.last().copied()),
            began: None,
            ended: None,
        };
        f
    };
    let printed = thread::scope(|scope| {
        let others = (1..=seams.len()).map(|i| {
            let f = part(i);
            let worker = thread::Builder::new().spawn_scoped(scope, || print(f));
            worker.ok()
        });
        let others: Vec<_> = others.collect::<Option<_>>()?;
        let mut printed = vec![print(part(0))?];
        for other in others {
            printed.push(other.join().ok().flatten()?);
        }
        Some(printed)
    })?;
    let fits = |pair: &[Printed]| pair[0].ended.is_some() && pair[0].ended == pair[1].began;
    if !printed.windows(2).all(fits) {
        return None;
    }
    let mut printed = printed.into_iter();
    let mut text = printed.next().map(|first| first.text)?;
    printed.for_each(|part| text.push_str(&part.text));
    Some(text)
}

/// The text of a part.
struct Printed {
    text: String,
    began: Option<State>,
    ended: Option<State>,
}

fn print(mut f: Formatter<'_>) -> Option<Printed> {
    let last = f.part.until.is_none();
    f.file();
    let began = f.part.began.take();
    match f.part.ended.take() {
        Some((text, state)) => Some(Printed {
            text,
            began,
            ended: Some(state),
        }),
        None if last => Some(Printed {
            text: f.finish(),
            began,
            ended: None,
        }),
        None => None,
    }
}

/// The declarations that lead to one that follows a block, outermost first: as close as there is
/// one to the first whose number is not below `at`. Members are numbered before what holds them.
fn seam(tree: &Tree, at: u32) -> Option<Vec<DeclId>> {
    let mut found = None;
    let mut path = Vec::new();
    let mut list = tree.decl_list(tree.decls);
    loop {
        let i = list.partition_point(|d| d.0 < at);
        let Some(next) = list.get(i) else {
            return found;
        };
        path.push(*next);
        if i > 0 && block(tree, list[i - 1]).is_some() {
            found = Some(path.clone());
        }
        let Some(members) = block(tree, *next) else {
            return found;
        };
        list = tree.decl_list(members);
    }
}

/// The members of a field that is printed as a block of several lines.
fn block(tree: &Tree, id: DeclId) -> Option<Decls> {
    let Decl::Field(f) = tree.decl(id) else {
        return None;
    };
    match tree.expr(f.value) {
        Expr::Struct { decls, braces, .. } => (braces && decls.0.len > 1).then_some(decls),
        _ => None,
    }
}

impl Formatter<'_> {
    /// The place in a list of declarations where the part goes on.
    pub(super) fn part_start(&mut self, list: &[DeclId]) -> usize {
        let Some(first) = self.part.from.pop() else {
            return 0;
        };
        let start = list.iter().position(|d| *d == first).unwrap_or_default();
        if self.part.from.is_empty() {
            let allowed = formfeed | self.separator(list, start.saturating_sub(1));
            let level = self.style.level();
            self.part.began = Some(self.out.restart(level, allowed));
        }
        start
    }

    /// Whether the part has ended, or ends in front of a declaration.
    pub(super) fn part_ends(&mut self, before: DeclId) -> bool {
        if self.part.until == Some(before) {
            let level = self.style.level();
            self.part.until = None;
            self.part.ended = Some(self.out.cut(level));
        }
        self.part.ended.is_some()
    }
}

#[cfg(test)]
mod tests;
