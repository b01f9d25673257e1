//! How the binary is linked.
#![expect(
    clippy::disallowed_methods,
    reason = "cargo talks to a build script through its environment"
)]

fn main() {
    println!("cargo::rerun-if-changed=src/build.rs");
    let target = |name: &str| std::env::var(format!("CARGO_CFG_TARGET_{name}")).ok();
    if target("OS").as_deref() != Some("linux") || target("ENV").as_deref() != Some("gnu") {
        return;
    }
    // At a fixed address, as programs in Go are: the loader has no addresses to write into the
    // tables of the program.
    println!("cargo::rustc-link-arg-bins=-no-pie");
    // What seldom runs lies by itself, so that less of the program is read into memory. The linker
    // that comes with Rust for this processor knows how.
    if target("ARCH").as_deref() == Some("x86_64") {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,keep-text-section-prefix");
    }
}
