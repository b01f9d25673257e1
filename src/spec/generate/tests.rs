//! Generated packages against the ones the real `cue` was seen to accept.

use super::*;
use crate::testing::schema;
use std::fs;
use std::path::PathBuf;

/// Each is `NAME.json`, a schema as the peers print it, beside `NAME.cue`, the package it gives.
const CASES: [&str; 9] = [
    "archive",
    "demo",
    "http",
    "kubernetes-functions",
    "local",
    "null",
    "random",
    "time",
    "tls",
];

fn folder() -> PathBuf {
    crate::testing::folder().join("generate")
}

fn generated(name: &str) -> Vec<GeneratedFile> {
    let (source, schema) = schema(name);
    generate(&source, Some("1.2.3"), &schema).unwrap()
}

#[test]
fn packages_are_the_golden_ones() {
    for name in CASES {
        let golden = fs::read_to_string(folder().join(name).with_extension("cue")).unwrap();
        let text = String::from_utf8(generated(name).swap_remove(0).bytes).unwrap();
        assert_eq!(text, golden, "{name}");
    }
}

#[test]
#[ignore = "writes the golden files anew; look at them with the real cue before committing"]
fn bless() {
    for name in CASES {
        let file = generated(name).swap_remove(0);
        fs::write(folder().join(name).with_extension("cue"), file.bytes).unwrap();
    }
}

#[test]
fn a_stored_schema_reads_back() {
    for name in CASES {
        let (source, schema) = schema(name);
        let file = generated(name).swap_remove(1);
        assert_eq!(file.path, schema_path(&source).unwrap());
        let stored = read_schema(&file.bytes).unwrap();
        assert_eq!(stored.source, source);
        assert_eq!(stored.version.as_deref(), Some("1.2.3"));
        assert_eq!(stored.schema, schema);
    }
}

#[test]
fn a_schema_of_a_newer_form_is_refused() {
    let error = read_schema(br#"{"format": 2, "schema": 7}"#).unwrap_err();
    assert!(error.contains("format 2"), "{error}");
    assert!(read_schema(b"{").unwrap_err().contains("pravo init"));
}

#[test]
fn import_paths_lead_to_sources_and_back() {
    for (source, path) in [
        (
            "registry.opentofu.org/hashicorp/null",
            "pravo.dev/providers/hashicorp/null",
        ),
        (
            "registry.example.com/acme/demo",
            "pravo.dev/providers/registry.example.com/acme/demo",
        ),
    ] {
        assert_eq!(import_path(source).as_deref(), Ok(path));
        assert_eq!(source_of_import(path).as_deref(), Some(source));
    }
    let qualified = "pravo.dev/providers/hashicorp/null:null_";
    let source = "registry.opentofu.org/hashicorp/null";
    assert_eq!(source_of_import(qualified).as_deref(), Some(source));
    for path in [
        "pravo.dev/pravo",
        "strings",
        "pravo.dev/providers/null",
        "pravo.dev/providers/../x/y",
    ] {
        assert_eq!(source_of_import(path), None, "{path}");
    }
    for source in ["null", "a/b", "h/../t", "h/n/", "h/n/t/x", "h:1/n/t"] {
        assert!(import_path(source).is_err(), "{source}");
    }
}

#[test]
fn package_clauses_are_usable_names() {
    for (kind, name) in [
        ("random", "random"),
        ("google-beta", "google_beta"),
        ("null", "null_"),
        ("time", "time"),
        ("in", "in_"),
        ("1password", "p1password"),
    ] {
        assert_eq!(package_name(kind), name);
    }
}
