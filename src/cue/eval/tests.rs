//! Tests of the evaluator: sources in, values in compact form out.

mod basics;

use std::sync::Arc;

use super::context::Evaluator;
use super::library::{Library, Matcher, Package};
use super::package::PackageSource;
use super::validate::Config;
use super::vertex::VId;
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

fn load(files: &[&str]) -> (Evaluator, VId) {
    let mut e = Evaluator::new(Arc::new(Bare));
    let mut source = PackageSource { id: "_".into(), ..PackageSource::default() };
    for (i, text) in files.iter().enumerate() {
        let file = e.sources.add(format!("{i}.cue"), *text).unwrap();
        let parsed = parse_file(&e.sources, file, &mut e.names, &Options::default());
        assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
        source.files.push(Arc::new(parsed.tree));
    }
    let p = match e.add_package(source) {
        Ok(p) => p,
        Err(list) => panic!("{:?}", list.iter().map(|m| e.full_text(*m)).collect::<Vec<_>>()),
    };
    let root = e.root(p);
    (e, root)
}

/// The whole value in compact form, then its errors, one a line.
fn eval(text: &str) -> String {
    let (mut e, root) = load(&[text]);
    e.finalize(root);
    let mut out = e.compact(super::value::Val::bare(super::value::Data::Vertex(root)));
    let err = e.validate(root, Config { all: true, ..Config::default() });
    if err.is_some() {
        out = String::new();
        for m in e.error(err).messages.clone() {
            let path: Vec<String> = e.message(m).path.iter().map(|l| e.label_text(*l)).collect();
            out.push_str(&format!("{}: {}\n", path.join("."), e.full_text(m)));
        }
    }
    out
}
