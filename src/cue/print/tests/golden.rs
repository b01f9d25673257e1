//! Whole sources and what is printed or told of them, as recorded: `tests/cue/library` and
//! `tests/cue/print`.

use crate::builtin::StandardLibrary;
use crate::eval::Evaluator;
use crate::eval::package::PackageSource;
use crate::eval::validate::Config;
use crate::eval::value::{Data, Val};
use crate::eval::vertex::VId;
use crate::print::{Profile, Report, ReportStyle, print_value, sort_reports, write_reports};
use crate::syntax::format::Style;
use crate::syntax::parser::{Options, parse_file};
use pravo_archive::Archive;
use std::path::Path;
use std::sync::Arc;

fn told(ev: &Evaluator, mut reports: Vec<Report>) -> String {
    sort_reports(&mut reports, &ev.sources);
    let style = ReportStyle {
        directory: Some("/dir"),
        group: None,
    };
    write_reports(&reports, &ev.sources, style)
}

/// The root of a source, or what is wrong with it.
pub(super) fn evaluated(text: &str) -> Result<(Evaluator, VId), String> {
    let mut ev = Evaluator::new(Arc::new(StandardLibrary));
    let file = ev.sources.add("/dir/t.cue", text).expect("a short source");
    let parsed = parse_file(&ev.sources, file, &mut ev.names, &Options::default());
    if !parsed.errors.is_empty() {
        let reports = parsed.errors.iter().map(Report::of_syntax).collect();
        return Err(told(&ev, reports));
    }
    let added = ev.add_package(PackageSource {
        id: "_".into(),
        files: vec![Arc::new(parsed.tree)],
        ..PackageSource::default()
    });
    let root = match added {
        Ok(package) => ev.root(package),
        Err(messages) => return Err(told(&ev, ev.message_reports(&messages))),
    };
    ev.finalize(root);
    Ok((ev, root))
}

/// What `eval` prints of a source, or the errors it tells.
pub(super) fn shown(text: &str) -> String {
    let (mut ev, root) = match evaluated(text) {
        Ok(root) => root,
        Err(told) => return told,
    };
    if ev.error_of_value(root).is_some() {
        let config = Config {
            all: true,
            required: true,
            ..Config::default()
        };
        let error = ev.validate(root, config);
        if error.is_some() {
            return told(&ev, ev.reports_of(root, error));
        }
    }
    let style = Style {
        simplify: false,
        spaces: true,
    };
    let value = Val::bare(Data::Vertex(root));
    match print_value(&mut ev, value, &Profile::eval("_"), style) {
        Ok(text) => text,
        Err(error) => told(&ev, ev.reports(error)),
    }
}

fn check(folder: &str, at_least: usize) {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/cue")
        .join(folder);
    let mut count = 0;
    let mut wrong = String::new();
    for file in std::fs::read_dir(&dir).expect("the folder is there") {
        let file = file.expect("the folder can be read").path();
        if file.extension().is_none_or(|e| e != "txtar") {
            continue;
        }
        for pair in Archive::read(&file).sections.chunks(2) {
            let [(name, source), (_, want)] = pair else {
                panic!("{} has an odd part", file.display());
            };
            count += 1;
            let got = shown(source);
            if got != *want {
                wrong += &format!("{} {name}\nwant\n{want}got\n{got}\n", file.display());
            }
        }
    }
    assert!(count >= at_least, "{count} cases are read");
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn functions_answer_as_recorded() {
    check("library", 50);
}

#[test]
fn values_are_printed_as_recorded() {
    check("print", 10);
}
