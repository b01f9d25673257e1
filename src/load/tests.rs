//! Trees of files on disk, loaded and evaluated: values in compact form, or errors.
//!
//! Each case of `tests/cue/load.txtar` is a folder: its first path element. The section
//! `ARGUMENTS.want` below it holds what loading those arguments gives; `PRAVO_UPDATE=1` rewrites
//! these sections.

use crate::{Request, load};
use pravo_archive::Archive;
use pravo_cue::builtin::StandardLibrary;
use pravo_cue::eval::Evaluator;
use pravo_cue::eval::value::{Data, Val};
use pravo_cue::print::{Report, ReportStyle, write_reports};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn run(dir: &Path, line: &str) -> String {
    let mut ev = Evaluator::new(Arc::new(StandardLibrary));
    let (mut args, mut tags, mut no_registry) = (Vec::new(), Vec::new(), false);
    let mut words = line.split(' ').filter(|w| !w.is_empty());
    while let Some(word) = words.next() {
        match word {
            "-t" => tags.push(words.next().unwrap().to_owned()),
            "--no-registry" => no_registry = true,
            _ => args.push(word.to_owned()),
        }
    }
    let request = Request {
        dir: dir.to_path_buf(),
        args,
        tags,
        modules: Some(dir.join("cache")),
        no_registry,
        ..Request::default()
    };
    let text = |ev: &Evaluator, reports: &[Report]| {
        let dir = dir.to_string_lossy().into_owned();
        let style = ReportStyle {
            directory: Some(&dir),
            group: None,
        };
        write_reports(reports, &ev.sources, style).replace(&dir, "DIR")
    };
    let mut set = match load(&mut ev, &request) {
        Ok(set) => set,
        Err(reports) => return text(&ev, &reports),
    };
    let documents: Vec<_> = set.data.iter().flat_map(|d| d.documents.clone()).collect();
    let mut out = String::new();
    for i in 0..set.instances.len().max(1) {
        let instance = (!set.instances.is_empty()).then_some(i);
        match set.build_with(&mut ev, instance, &documents) {
            Err(e) => out.push_str(&text(&ev, &e.0)),
            Ok(package) => {
                let root = ev.root(package);
                ev.finalize(root);
                let id = ev.package_id(package).to_owned();
                let value = ev.expanded(Val::bare(Data::Vertex(root)));
                out.push_str(&format!("{id} = {value}\n"));
            }
        }
    }
    out
}

#[test]
fn packages_load_as_the_reference_loads_them() {
    let path = format!("{}/../../tests/cue/load.txtar", env!("CARGO_MANIFEST_DIR"));
    let mut archive = Archive::read(&path);
    let top = std::env::temp_dir().join(format!("pravo-load-{}", std::process::id()));
    let sections = archive.sections.iter();
    for (name, text) in sections.filter(|(n, _)| !n.ends_with(".want")) {
        let file: PathBuf = top.join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    let mut wrong = Vec::new();
    let sections = archive.sections.iter_mut();
    for (name, want) in sections.filter(|(n, _)| n.ends_with(".want")) {
        let (case, line) = name.trim_end_matches(".want").split_once('/').unwrap();
        let got = run(&top.join(case), line);
        if got != *want {
            wrong.push(format!("{name}:\n{got}"));
            *want = got;
        }
    }
    let _ = std::fs::remove_dir_all(&top);
    archive.settle(&wrong);
}
