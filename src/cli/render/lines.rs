//! Lines of values that take more than one: whole values, equal ones, changed lists and texts.

use super::diff::{Differ, Glyph, Pair, Place, plain};
use super::text;
use pravo_state::Data;

/// How many lines an equal value may take before it is folded.
const FOLD_AFTER: usize = 8;
/// How many characters a line may have.
const WIDTH: usize = 100;
/// How many equal lines stand around a changed one.
const CONTEXT: usize = 3;

/// A list before and after.
pub(crate) struct Lists<'a> {
    /// The elements before.
    pub(crate) before: &'a [Data],
    /// The elements after.
    pub(crate) after: &'a [Data],
    /// Whether the elements have no order.
    pub(crate) set: bool,
}

/// A value that is folded to one word.
pub(crate) fn short(value: &Data) -> &'static str {
    match plain(value) {
        Data::List(_) => "[…]",
        Data::String(_) => "\"\"\"…\"\"\"",
        _ => "{…}",
    }
}

/// An equal value: shown without glyph, folded when it takes more than eight lines.
pub(crate) fn folded<'a>(differ: &mut Differ, value: &'a Data, place: Place<'_, 'a>) {
    let start = differ.lines.len();
    whole(differ, Glyph::None, value, place);
    if differ.lines.len() - start > FOLD_AFTER {
        differ.lines.truncate(start);
        let line = format!("{}{}{}", place.head, short(value), place.tail);
        differ.push(Glyph::None, place.depth, line);
    }
}

/// A value of which every line has the same glyph.
pub(crate) fn whole<'a>(differ: &mut Differ, glyph: Glyph, value: &'a Data, place: Place<'_, 'a>) {
    let Place {
        depth, head, tail, ..
    } = place;
    match value {
        Data::Dynamic(_, inner) => whole(differ, glyph, inner, place),
        Data::String(content) if text::is_block(content) => {
            differ.push(glyph, depth, format!("{head}\"\"\""));
            for line in content.split('\n') {
                differ.push(glyph, depth + 1, text::block_line(line));
            }
            let suffix = differ.suffix(place.path);
            differ.push(glyph, depth + 1, format!("\"\"\"{tail}{suffix}"));
        }
        Data::Map(entries) if !entries.is_empty() => {
            differ.push(glyph, depth, format!("{head}{{"));
            differ.fields(one_sided(glyph, value), place.shape, place.path, depth + 1);
            let suffix = differ.suffix(place.path);
            differ.push(Glyph::None, depth, format!("}}{tail}{suffix}"));
        }
        Data::List(items) if !items.is_empty() => whole_list(differ, glyph, items, place),
        other => {
            let shown = text::scalar(other).expect("structure with content is handled above");
            let suffix = differ.suffix(place.path);
            differ.push(glyph, depth, format!("{head}{shown}{tail}{suffix}"));
        }
    }
}

/// The pair that gives every line of a value the same glyph.
fn one_sided<'a>(glyph: Glyph, value: &'a Data) -> Pair<'a> {
    match glyph {
        Glyph::Remove => Pair {
            before: Some(value),
            after: None,
        },
        Glyph::None => Pair {
            before: Some(value),
            after: Some(value),
        },
        Glyph::Add | Glyph::Change => Pair {
            before: None,
            after: Some(value),
        },
    }
}

fn whole_list<'a>(differ: &mut Differ, glyph: Glyph, items: &'a [Data], place: Place<'_, 'a>) {
    let Place {
        depth, head, tail, ..
    } = place;
    let flat: Option<Vec<String>> = items.iter().map(text::scalar).collect();
    if let Some(flat) = flat {
        let line = format!("{head}[{}]{tail}", flat.join(", "));
        if 4 + 4 * depth + line.chars().count() <= WIDTH {
            let suffix = differ.suffix(place.path);
            return differ.push(glyph, depth, line + suffix);
        }
    }
    differ.push(glyph, depth, format!("{head}["));
    for (index, item) in items.iter().enumerate() {
        element(differ, one_sided(glyph, item), index, place);
    }
    let suffix = differ.suffix(place.path);
    differ.push(Glyph::None, depth, format!("]{tail}{suffix}"));
}

fn element<'a>(differ: &mut Differ, pair: Pair<'a>, index: usize, place: Place<'_, 'a>) {
    let path = format!("{}[{index}]", place.path);
    let shape = place.shape.element(index);
    let depth = place.depth + 1;
    differ.value(
        pair,
        Place {
            shape,
            path: &path,
            depth,
            head: "",
            tail: ",",
        },
    );
}

/// A list that changed: one element a line.
pub(crate) fn changed_list<'a>(differ: &mut Differ, lists: Lists<'a>, place: Place<'_, 'a>) {
    differ.push(Glyph::Change, place.depth, format!("{}[", place.head));
    for (index, pair) in pairs(&lists) {
        element(differ, pair, index, place);
    }
    let suffix = differ.suffix(place.path);
    differ.push(Glyph::None, place.depth, format!("]{}{suffix}", place.tail));
}

/// The elements of a changed list, matched: by content in a set, by the longest common
/// subsequence in a list, where two structs at one place count as one that changed.
fn pairs<'a>(lists: &Lists<'a>) -> Vec<(usize, Pair<'a>)> {
    let removed = |item| Pair {
        before: Some(item),
        after: None,
    };
    let added = |item| Pair {
        before: None,
        after: Some(item),
    };
    if lists.set {
        let gone = lists
            .before
            .iter()
            .enumerate()
            .filter(|(_, item)| !lists.after.contains(item));
        let rest = lists.after.iter().enumerate().map(|(index, item)| {
            let kept = lists.before.contains(item);
            (
                index,
                if kept {
                    Pair {
                        before: Some(item),
                        after: Some(item),
                    }
                } else {
                    added(item)
                },
            )
        });
        return gone
            .map(|(index, item)| (index, removed(item)))
            .chain(rest)
            .collect();
    }
    let mut out = Vec::new();
    for op in steps(lists.before, lists.after) {
        match op {
            Op::Equal(new) => {
                let item = Some(&lists.after[new]);
                out.push((
                    new,
                    Pair {
                        before: item,
                        after: item,
                    },
                ));
            }
            Op::Remove(old) => out.push((old, removed(&lists.before[old]))),
            Op::Add(new) => {
                let item = &lists.after[new];
                match out.last_mut() {
                    Some((old, pair)) if *old == new && joins(*pair, item) => {
                        pair.after = Some(item);
                    }
                    _ => out.push((new, added(item))),
                }
            }
        }
    }
    out
}

fn joins(pair: Pair<'_>, item: &Data) -> bool {
    pair.after.is_none() && matches!((pair.before, item), (Some(Data::Map(_)), Data::Map(_)))
}

/// A text of several lines that changed: its lines, with three equal ones around each change.
pub(crate) fn changed_text<'a>(
    differ: &mut Differ,
    before: &str,
    after: &str,
    place: Place<'_, 'a>,
) {
    let old: Vec<&str> = before.split('\n').collect();
    let new: Vec<&str> = after.split('\n').collect();
    let ops = steps(&old, &new);
    let changed = |index: usize| !matches!(ops[index], Op::Equal(..));
    differ.push(Glyph::Change, place.depth, format!("{}\"\"\"", place.head));
    let mut hidden = false;
    for (index, op) in ops.iter().enumerate() {
        let near = index.saturating_sub(CONTEXT)..(index + CONTEXT + 1).min(ops.len());
        if !near.into_iter().any(changed) {
            if !hidden {
                differ.push(Glyph::None, place.depth + 1, "…".to_owned());
            }
            hidden = true;
            continue;
        }
        hidden = false;
        let (glyph, line) = match *op {
            Op::Equal(at) => (Glyph::None, new[at]),
            Op::Remove(at) => (Glyph::Remove, old[at]),
            Op::Add(at) => (Glyph::Add, new[at]),
        };
        differ.push(glyph, place.depth + 1, text::block_line(line));
    }
    let suffix = differ.suffix(place.path);
    differ.push(
        Glyph::None,
        place.depth + 1,
        format!("\"\"\"{}{suffix}", place.tail),
    );
}

/// One step from an old sequence to a new one, by index.
#[derive(Clone, Copy)]
enum Op {
    /// The element of the new sequence is in the old one too.
    Equal(usize),
    /// The element of the old sequence goes.
    Remove(usize),
    /// The element of the new sequence appears.
    Add(usize),
}

/// The steps along the longest common subsequence, removals first.
fn steps<T: Eq + std::hash::Hash + Ord>(old: &[T], new: &[T]) -> Vec<Op> {
    let mut steps = Vec::new();
    for op in similar::capture_diff_slices(similar::Algorithm::Myers, old, new) {
        if op.tag() == similar::DiffTag::Equal {
            steps.extend(op.new_range().map(Op::Equal));
        } else {
            steps.extend(op.old_range().map(Op::Remove));
            steps.extend(op.new_range().map(Op::Add));
        }
    }
    steps
}
