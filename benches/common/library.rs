//! The language as a library: single questions on a large value, by counters and time.

use pravo_cue::builtin::StandardLibrary;
use pravo_cue::eval::Evaluator;
use pravo_cue::eval::label::Label;
use pravo_cue::eval::package::{PackageId, PackageSource};
use pravo_cue::eval::units::{UnitFill, Units};
use pravo_cue::eval::value::Val;
use pravo_cue::syntax::parser::{Options, parse_file};
use std::sync::Arc;
use std::time::Instant;

/// Loads an estate of `count` resources from a text, and prints what questions on it cost: one
/// path on the unevaluated value, the whole value, and filled values with all that reads them.
///
/// # Errors
/// What is wrong with the text.
pub fn questions(text: &str, count: usize) -> Result<(), String> {
    let (mut ev, package) = load(text)?;
    let root = ev.root(package);
    let zone = count / 20;
    let path = [format!("vm_{zone}_4"), "triggers".into(), "subnet".into()];
    let path = path.map(|name| ev.string_label(&name));
    asked("one path of it", &mut ev, |ev| {
        ev.eval_path(root, &path).is_ok()
    })?;
    asked("all of it", &mut ev, |ev| {
        ev.finalize(root);
        true
    })?;
    let mut units = Units::default();
    for (title, times) in [
        ("a filled value and its readers", 1),
        ("  the same, 1,000 times", 1000),
    ] {
        asked(title, &mut ev, |ev| {
            (0..times).all(|round| fill(ev, &mut units, (package, zone), round))
        })?;
    }
    Ok(())
}

fn load(text: &str) -> Result<(Evaluator, PackageId), String> {
    let mut ev = Evaluator::new(Arc::new(StandardLibrary));
    let file = ev
        .sources
        .add("estate.cue", text)
        .map_err(|e| format!("{e:?}"))?;
    let parsed = parse_file(&ev.sources, file, &mut ev.names, &Options::default());
    let source = PackageSource {
        id: ":estate".into(),
        files: vec![Arc::new(parsed.tree)],
        ..PackageSource::default()
    };
    let package = ev.add_package(source).map_err(|e| format!("{e:?}"))?;
    Ok((ev, package))
}

/// Fills the id of a network and asks again for everything that reads it, directly or not.
fn fill(
    ev: &mut Evaluator,
    units: &mut Units,
    (package, zone): (PackageId, usize),
    round: usize,
) -> bool {
    let root = ev.root(package);
    let mut names = vec![format!("net_{zone}")];
    names.extend((0..3).map(|s| format!("subnet_{zone}_{s}")));
    names.extend((0..6).map(|vm| format!("vm_{zone}_{vm}")));
    let labels: Vec<Label> = names.iter().map(|n| ev.string_label(n)).collect();
    let text: Val = ev.new_string(&format!("id {round}"));
    let value = ev.data_scalar(text);
    let below = vec![ev.string_label("id")];
    let mut fills = vec![UnitFill { below, value }];
    let reset = labels.iter().all(|label| {
        let own = std::mem::take(&mut fills);
        ev.reset_unit(units, root, &[*label], &own)
    });
    ev.recycle();
    for label in labels {
        if let Some(v) = ev.field(root, label) {
            ev.finalize(v);
        }
    }
    reset
}

fn asked(
    title: &str,
    ev: &mut Evaluator,
    ask: impl FnOnce(&mut Evaluator) -> bool,
) -> Result<(), String> {
    let (before, start) = (ev.counters(), Instant::now());
    let done = ask(ev);
    let seconds = start.elapsed().as_secs_f64();
    let after = ev.counters();
    println!(
        "{title:<34} {seconds:>9.6} s {:>9} evaluated {:>9} vertices more",
        after.begun - before.begun,
        after.vertices as i64 - before.vertices as i64
    );
    if done {
        Ok(())
    } else {
        Err(format!("{title}: not there"))
    }
}
