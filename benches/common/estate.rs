//! One estate written twice: as a specification for pravo and as a configuration for the peer.
//!
//! Zones of ten `null_resource`s: one network, three subnets that read it, six machines that read
//! a subnet. The tag and variable `rev` changes the network of the middle zone.

use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Writes the estate of `count` resources below `dir`, as `pravo/` and `tf/`.
///
/// # Errors
/// What the file system said.
pub fn write(dir: &Path, count: usize) -> std::io::Result<()> {
    let zones = count / 10;
    for folder in ["pravo/cue.mod", "tf"] {
        fs::create_dir_all(dir.join(folder))?;
    }
    let module = "module: \"estate.example/estate\"\nlanguage: version: \"v0.17.0\"\n";
    fs::write(dir.join("pravo/cue.mod/module.cue"), module)?;
    fs::write(dir.join("pravo/main.cue"), cue(zones))?;
    fs::write(dir.join("tf/main.tf"), hcl(zones))
}

fn cue(zones: usize) -> String {
    let mut out = String::from(
        "package estate\n\nimport (\n\t\"pravo.dev/pravo\"\n\tnul \"pravo.dev/providers/hashicorp/null:null_\"\n)\n\n\
         $settings: pravo.#Settings & {refresh: \"24h\"}\n\n$null: nul.#Provider\n\nrevision: *\"1\" | string @tag(rev)\n",
    );
    let resource = "$null.#Resource.null_resource & {triggers:";
    for zone in 0..zones {
        let rev = if zone == zones / 2 {
            ", rev: revision"
        } else {
            ""
        };
        let cidr = format!("10.{}.{}.0/24", zone / 256, zone % 256);
        let _ = writeln!(out, "net_{zone}: {resource} {{cidr: \"{cidr}\"{rev}}}}}");
        for s in 0..3 {
            let triggers = format!("{{network: net_{zone}.id, idx: \"{s}\"}}");
            let _ = writeln!(out, "subnet_{zone}_{s}: {resource} {triggers}}}");
        }
        for vm in 0..6 {
            let subnet = vm % 3;
            let triggers =
                format!("{{subnet: subnet_{zone}_{subnet}.id, name: \"vm-{zone}-{vm}\"}}");
            let _ = writeln!(out, "vm_{zone}_{vm}: {resource} {triggers}}}");
        }
    }
    out
}

fn hcl(zones: usize) -> String {
    let mut out = String::from(
        "terraform {\n  required_providers {\n    null = { source = \"hashicorp/null\" }\n  }\n}\n\
         variable \"rev\" { default = \"1\" }\n",
    );
    for zone in 0..zones {
        let rev = if zone == zones / 2 {
            ", rev = var.rev"
        } else {
            ""
        };
        let cidr = format!("10.{}.{}.0/24", zone / 256, zone % 256);
        let triggers = format!("{{ cidr = \"{cidr}\"{rev} }}");
        let _ = writeln!(
            out,
            "resource \"null_resource\" \"net_{zone}\" {{\n  triggers = {triggers}\n}}"
        );
        for s in 0..3 {
            let triggers = format!("{{ network = null_resource.net_{zone}.id, idx = \"{s}\" }}");
            let name = format!("subnet_{zone}_{s}");
            let _ = writeln!(
                out,
                "resource \"null_resource\" \"{name}\" {{\n  triggers = {triggers}\n}}"
            );
        }
        for vm in 0..6 {
            let subnet = format!("null_resource.subnet_{zone}_{}.id", vm % 3);
            let triggers = format!("{{ subnet = {subnet}, name = \"vm-{zone}-{vm}\" }}");
            let name = format!("vm_{zone}_{vm}");
            let _ = writeln!(
                out,
                "resource \"null_resource\" \"{name}\" {{\n  triggers = {triggers}\n}}"
            );
        }
    }
    out
}
