//! Tests of the evaluator: sources in, values in compact form out.

mod counters;
mod depth;
mod language;
mod laws;
mod limit;
mod need;
mod properties;
mod unsettled;

use std::collections::BTreeSet;
use std::sync::Arc;

use super::context::Evaluator;
use super::library::{Library, Matcher, Package};
use super::package::{PackageId, PackageSource};
use super::validate::Config;
use super::value::{Data, Val};
use crate::syntax::parser::{Options, parse_file};

/// No standard packages.
struct Bare;

impl Library for Bare {
    fn package(&self, _: &str) -> Option<&'static Package> {
        None
    }

    fn regexp(&self, pattern: &str) -> Result<Matcher, String> {
        let re = crate::regexp::Regexp::new(pattern).map_err(|e| e.to_string())?;
        Ok(Box::new(move |text| re.is_match(text)))
    }
}

fn load(files: &[&str]) -> (Evaluator, PackageId) {
    load_with(Arc::new(Bare), files)
}

fn load_with(library: Arc<dyn Library>, files: &[&str]) -> (Evaluator, PackageId) {
    let mut e = Evaluator::new(library);
    let mut source = PackageSource {
        id: ":p".into(),
        ..PackageSource::default()
    };
    for (i, text) in files.iter().enumerate() {
        let file = e.sources.add(format!("{i}.cue"), *text).unwrap();
        let parsed = parse_file(&e.sources, file, &mut e.names, &Options::default());
        assert!(parsed.errors.is_empty(), "{text}\n{:?}", parsed.errors);
        source.files.push(Arc::new(parsed.tree));
    }
    match e.add_package(source) {
        Ok(p) => (e, p),
        Err(list) => panic!(
            "{:?}",
            list.iter().map(|m| e.full_text(*m)).collect::<Vec<_>>()
        ),
    }
}

/// The whole value in compact form, or its errors, one a line.
fn eval(text: &str) -> String {
    let (mut e, p) = load(&[text]);
    e.eager_optional = true;
    let root = e.root(p);
    e.finalize(root);
    let required = e.error_of_value(root).is_some();
    let err = e.validate(
        root,
        Config {
            all: true,
            required,
            ..Config::default()
        },
    );
    if !err.is_some() {
        return e.expanded(Val::bare(Data::Vertex(root)));
    }
    let lines: BTreeSet<String> = e
        .error(err)
        .messages
        .iter()
        .map(|m| {
            let path: Vec<String> = (e.message_path(*m).iter())
                .map(|l| e.label_text(*l))
                .collect();
            let text = e.full_text(*m);
            if path.is_empty() {
                text
            } else {
                format!("{}: {text}", path.join("."))
            }
        })
        .collect();
    lines.into_iter().collect::<Vec<_>>().join("\n")
}
