//! Whole commands on an estate, beside the peer in the same run: create, plan unchanged, plan of
//! one change.
//!
//! `cargo bench --bench plan [-- SIZE…]` (1,000 resources without sizes). The peer is `terraform`
//! or `tofu` on the path; both talk to the same plugin, the one that ships inside pravo. Without a
//! peer the figures stand alone.

#![allow(clippy::print_stdout, reason = "a bench prints its figures")]
#![allow(unreachable_pub, reason = "what benches share is theirs alone")]

mod common;

use common::estate;
use common::process::{Figure, exists, median, once, ran_one, row, sizes};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PRAVO: &str = env!("CARGO_BIN_EXE_pravo");
const RUNS: usize = 5;

fn main() {
    if ran_one() {
        return;
    }
    let sizes = sizes(&[1000]);
    let peer = ["terraform", "tofu"]
        .into_iter()
        .find(|program| exists(program));
    for size in sizes {
        println!(
            "\n{size} resources; pravo | {}",
            peer.unwrap_or("no peer on the path")
        );
        let dir = std::env::temp_dir().join(format!("pravo-bench-{}-{size}", std::process::id()));
        if let Err(error) = bench(&dir, size, peer) {
            println!("{error}");
        }
        let _ = fs::remove_dir_all(&dir);
    }
}

fn bench(dir: &Path, size: usize, peer: Option<&str>) -> Result<(), String> {
    let io = |error: std::io::Error| error.to_string();
    estate::write(dir, size).map_err(io)?;
    let plugins = dir.join("plugins");
    fs::create_dir_all(&plugins).map_err(io)?;
    std::os::unix::fs::symlink(PRAVO, plugins.join("terraform-provider-null")).map_err(io)?;
    let config = dir.join("cli.tfrc");
    let overrides = ["hashicorp/null", "registry.opentofu.org/hashicorp/null"]
        .map(|source| format!("    \"{source}\" = \"{}\"\n", plugins.display()))
        .concat();
    let text = format!(
        "provider_installation {{\n  dev_overrides {{\n{overrides}  }}\n  direct {{}}\n}}\n"
    );
    fs::write(&config, text).map_err(io)?;
    let ours = |words: &[&str]| command(PRAVO, &dir.join("pravo"), &config, words);
    let theirs = |words: &[&str]| peer.map(|peer| command(peer, &dir.join("tf"), &config, words));
    let single = |command: Option<Command>| command.map(|mut c| once(&mut c, &[0])).transpose();

    once(&mut ours(&["init"]), &[0])?;
    let created = once(&mut ours(&["apply", "-auto-approve"]), &[0])?;
    let peers = single(theirs(&["apply", "-auto-approve", "-no-color"]))?;
    row("create", created, peers);

    let plan =
        |words: &[&str]| -> Result<Figure, String> { median(RUNS, || Ok(()), || ours(words)) };
    let peer_plan = |words: &[&str]| -> Result<Option<Figure>, String> {
        theirs(words)
            .map(|_| median(RUNS, || Ok(()), || theirs(words).expect("there is a peer")))
            .transpose()
    };
    let unchanged = plan(&["plan"])?;
    let peers = peer_plan(&["plan", "-no-color"])?;
    row("plan, unchanged", unchanged, peers);
    let forget = || match fs::remove_dir_all(dir.join("pravo/cache")) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.to_string()),
        _ => Ok(()),
    };
    let evaluated = median(RUNS, forget, || ours(&["plan"]))?;
    row("  without a saved evaluation", evaluated, peers);
    row(
        "  beside the peer's -refresh=false",
        unchanged,
        peer_plan(&["plan", "-no-color", "-refresh=false"])?,
    );
    let changed = plan(&["plan", "-t", "rev=2"])?;
    row(
        "plan, one change",
        changed,
        peer_plan(&["plan", "-no-color", "-var", "rev=2"])?,
    );
    row(
        "  beside the peer's -refresh=false",
        changed,
        peer_plan(&["plan", "-no-color", "-var", "rev=2", "-refresh=false"])?,
    );
    Ok(())
}

fn command(program: &str, dir: &PathBuf, config: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(program);
    command
        .current_dir(dir)
        .args(words)
        .env("TF_CLI_CONFIG_FILE", config)
        .env("PRAVO_CACHE_DIR", dir.join("cache"));
    command
}
