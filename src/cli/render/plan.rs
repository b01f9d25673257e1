//! A plan as a person reads it: a block for each change, the outputs, the closing lines.

use super::diff::{Differ, Glyph, Line, Pair, Place, Shape};
use super::paint::Paint;
use super::text;
use pravo_plan::{Action, Change, Order, Plan, ReadKind};
use pravo_state::{Address, Step};

/// The text of a plan.
pub(crate) fn plan(plan: &Plan, paint: Paint) -> String {
    let mut out = String::new();
    if plan.shows_anything() {
        out.push_str("pravo will perform the following actions:\n\n");
        for change in &plan.changes {
            push_change(&mut out, change, plan.is_destroy(), paint);
        }
        push_outputs(&mut out, plan, paint);
        out.push_str(&plan.summary.plan_line());
    } else {
        out.push_str(&plan.summary.no_changes_sentence());
    }
    out.push('\n');
    out.push_str(&plan.summary.graph_line());
    out.push('\n');
    out
}

fn push_change(out: &mut String, change: &Change, destroy: bool, paint: Paint) {
    let Some(heading) = change.heading(destroy) else {
        return;
    };
    let first = match change.order {
        Order::CreateFirst => " (created first)",
        Order::DeleteFirst => "",
    };
    let heading = format!(
        "# {} ({}) {heading}{first}",
        change.address, change.type_name
    );
    out.push_str(&format!("  {}\n", paint.bold(&heading)));
    push_body(out, change, paint);
    out.push('\n');
}

fn push_body(out: &mut String, change: &Change, paint: Paint) {
    let glyph = paint.glyph(glyph(change));
    let labels = labels(&change.address);
    if change.deferred() {
        out.push_str(&format!("{glyph} {labels} (known after apply)\n"));
        return;
    }
    if change.read == Some(ReadKind::First) || change.action == Action::Forget {
        return;
    }
    let paths = change
        .requires_replace
        .iter()
        .map(ToString::to_string)
        .collect();
    let mut differ = Differ::new(paths);
    differ.hide_equal = change.action == Action::Read;
    let (before, after) = (change.before.as_ref(), change.after.as_ref());
    let pair = match change.action {
        Action::Create => Pair {
            before: None,
            after,
        },
        Action::Delete => Pair {
            before,
            after: None,
        },
        _ => Pair { before, after },
    };
    differ.fields(pair, Shape::Block(&change.schema), "", 1);
    out.push_str(&format!("{glyph} {labels} {{\n"));
    for line in differ.lines {
        push_line(out, &line, paint);
    }
    out.push_str("    }\n");
}

fn push_line(out: &mut String, line: &Line, paint: Paint) {
    let indent = "    ".repeat(line.depth);
    let text = format!(
        "{} {indent}{}",
        paint.glyph(line.glyph.columns()),
        line.text
    );
    out.push_str(text.trim_end());
    out.push('\n');
}

fn glyph(change: &Change) -> &'static str {
    match (change.action, change.order) {
        (Action::Create, _) => "  +",
        (Action::Update, _) => "  ~",
        (Action::Replace, Order::DeleteFirst) => "-/+",
        (Action::Replace, Order::CreateFirst) => "+/-",
        (Action::Delete, _) => "  -",
        (Action::Read, _) => " <=",
        (Action::Forget, _) => "  .",
        (Action::NoOp, _) => "   ",
    }
}

/// An address as nested labels: `ports: a:`, `servers[0]:`.
fn labels(address: &Address) -> String {
    let mut out = String::new();
    for step in address.steps() {
        match step {
            Step::Field(name) => {
                if !out.is_empty() {
                    out.push_str(": ");
                }
                out.push_str(&text::label(&name));
            }
            Step::Index(index) => out.push_str(&format!("[{index}]")),
        }
    }
    out.push(':');
    out
}

fn push_outputs(out: &mut String, plan: &Plan, paint: Paint) {
    if plan.outputs.is_empty() {
        return;
    }
    let width = plan
        .outputs
        .keys()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0)
        + 2;
    out.push_str("Changes to outputs:\n");
    let mut differ = Differ::new(std::collections::BTreeSet::new());
    for (name, change) in &plan.outputs {
        let head = format!("{:<width$}", format!("{name}:"));
        let pair = Pair {
            before: change.before.as_ref(),
            after: change.after.as_ref(),
        };
        if change.sensitive {
            let glyph = match pair.glyph() {
                Glyph::None => Glyph::Change,
                other => other,
            };
            differ.push(glyph, 0, format!("{head}(sensitive)"));
            continue;
        }
        let place = Place {
            shape: Shape::Plain,
            path: name,
            depth: 0,
            head: &head,
            tail: "",
        };
        differ.value(pair, place);
    }
    for line in &differ.lines {
        push_line(out, line, paint);
    }
    out.push('\n');
}
