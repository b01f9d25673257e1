//! LANGUAGE: the text of a specification to a value. No input or output, no async, no other room.
//!
//! An [`Evaluator`](eval::Evaluator) owns everything: sources and names, programs, values, errors.
//! Files are parsed ([`syntax::parser`]), make up a package ([`eval::package`]), and the value of a
//! package is evaluated as far as it is asked for ([`eval`]). Values and errors become text in
//! [`print`](mod@print); [`builtin`] holds the standard packages, [`decode`] reads YAML and TOML.
//! `openapi` describes definitions as documents of OpenAPI.
//!
//! ```
//! use pravo_cue::builtin::StandardLibrary;
//! use pravo_cue::eval::Evaluator;
//! use pravo_cue::eval::package::PackageSource;
//! use pravo_cue::eval::validate::Config;
//! use pravo_cue::eval::value::{Data, Val};
//! use pravo_cue::print::{Profile, print_value};
//! use pravo_cue::syntax::format::Style;
//! use pravo_cue::syntax::parser::{Options, parse_file};
//! use std::sync::Arc;
//!
//! let text = "#Port: >1024 & <65536\nport: #Port & 8080\nurl: \"http://localhost:\\(port)\"\n";
//! let mut ev = Evaluator::new(Arc::new(StandardLibrary));
//! let file = ev.sources.add("/web.cue", text).expect("a short text");
//! let parsed = parse_file(&ev.sources, file, &mut ev.names, &Options::default());
//! assert!(parsed.errors.is_empty());
//! let package = ev.add_package(PackageSource {
//!     id: "_".into(),
//!     files: vec![Arc::new(parsed.tree)],
//!     ..PackageSource::default()
//! });
//! let root = ev.root(package.expect("all names are known"));
//!
//! // One path, without the rest.
//! let url = ev.string_label("url");
//! let url = ev.eval_path(root, &[url]).expect("there is such a field");
//! assert!(ev.error_of_value(url).is_none());
//!
//! // Everything, its errors, and its text.
//! ev.finalize(root);
//! let error = ev.validate(root, Config { all: true, ..Config::default() });
//! assert!(ev.reports(error).is_empty());
//! let style = Style { simplify: false, spaces: true };
//! let printed = print_value(&mut ev, Val::bare(Data::Vertex(root)), &Profile::eval("_"), style);
//! let printed = printed.expect("a short value");
//! assert_eq!(printed, "#Port: >1024 & <65536\nport:  8080\nurl:   \"http://localhost:8080\"\n");
//! ```

pub mod builtin;
pub mod decode;
pub mod eval;
pub mod number;
mod openapi;
pub mod print;
pub mod regexp;
pub mod syntax;
