//! Prints what a root declares, and how long a walk over its nodes takes: a tool for looking at
//! specifications by hand. `look ROOT [TAG…]`; with `PRAVO_LOOK=walk` in the environment every node
//! gets its known values in turn.
#![allow(clippy::print_stdout, reason = "an example prints")]
#![allow(
    clippy::disallowed_methods,
    reason = "an example reads its environment"
)]

use pravo_spec::generate::{read_schema, schema_path};
use pravo_spec::{LoadOptions, Mode, Specification};
use pravo_state::{Address, Data, Schema};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

fn main() {
    let mut args = std::env::args().skip(1);
    let root = PathBuf::from(args.next().expect("a root"));
    let started = Instant::now();
    let options = LoadOptions {
        root: root.clone(),
        tags: args.collect(),
        ..LoadOptions::default()
    };
    let mut spec = match Specification::load(&options) {
        Ok(spec) => spec,
        Err(errors) => return println!("{errors}"),
    };
    println!("loaded in {:?}: {:?}", started.elapsed(), spec.counts());
    if std::env::var("PRAVO_LOOK").is_ok_and(|what| what == "walk") {
        walk(&mut spec, &root);
        println!("walked in {:?}", started.elapsed());
    } else {
        show(&spec);
    }
}

fn show(spec: &Specification) {
    println!("{:?} {}", spec.settings(), spec.fingerprint());
    for provider in spec.providers() {
        println!("{provider:?}");
    }
    for node in spec.nodes().iter().take(30) {
        println!("{node:?} {:?}", spec.dependencies(&node.address));
    }
    for output in spec.outputs() {
        println!("{output:?}");
    }
}

/// Asks for what each node wants, and fills what it would then be, in order of dependencies.
fn walk(spec: &mut Specification, root: &Path) {
    let mut schemas: HashMap<(String, Mode), Schema> = HashMap::new();
    for provider in spec.providers() {
        let path = schema_path(&provider.source).expect("a source");
        let bytes = std::fs::read(root.join(path)).expect("a generated schema");
        let stored = read_schema(&bytes).expect("a schema");
        let managed = stored.schema.resources.into_iter();
        schemas.extend(managed.map(|(name, schema)| ((name, Mode::Managed), schema)));
        let data = stored.schema.data_sources.into_iter();
        schemas.extend(data.map(|(name, schema)| ((name, Mode::Data), schema)));
    }
    let nodes = spec.nodes().iter();
    let mut left: Vec<(Address, String, Mode)> = nodes
        .map(|n| (n.address.clone(), n.kind.clone(), n.mode))
        .collect();
    let mut done: HashSet<Address> = HashSet::new();
    while !left.is_empty() {
        let ready = |(address, ..): &(Address, String, Mode)| {
            spec.dependencies(address).iter().all(|d| done.contains(d))
        };
        let (now, later): (Vec<_>, Vec<_>) = left.into_iter().partition(ready);
        left = later;
        for (address, kind, mode) in now {
            let schema = &schemas[&(kind, mode)];
            let mut data = spec.desired(&address, schema).expect("a configuration");
            if let Data::Map(fields) = &mut data {
                fields.insert("id".into(), Data::String(format!("id of {address}")));
            }
            spec.fill(&address, schema, &data).expect("values that fit");
            done.insert(address);
        }
    }
}
