//! Prints what a root declares: a tool for looking at specifications by hand.
#![allow(clippy::print_stdout, reason = "an example prints")]

use pravo_spec::{LoadOptions, Specification};

fn main() {
    let mut args = std::env::args().skip(1);
    let root = std::path::PathBuf::from(args.next().expect("a root"));
    let started = std::time::Instant::now();
    let options = LoadOptions {
        root,
        tags: args.collect(),
        variables: None,
    };
    match Specification::load(&options) {
        Ok(spec) => {
            println!(
                "{:?} {:?} {}",
                spec.counts(),
                spec.settings(),
                spec.fingerprint()
            );
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
        Err(errors) => println!("{errors}"),
    }
    println!("{:?}", started.elapsed());
}
