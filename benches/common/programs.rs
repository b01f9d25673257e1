//! Programs for the language alone, each a folder of files: estates in two styles, and what is
//! hard for an evaluator.

use std::fmt::Write;
use std::fs;
use std::path::Path;

/// How an estate is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// One field for each resource.
    Explicit,
    /// Loops that make the resources.
    Loop,
}

/// The stand-in for a package that a provider's schema becomes.
const PROVIDER: &str = "package null_

#Provider: {
\t$kind:   \"provider\"
\t$source: \"registry.opentofu.org/hashicorp/null\"
\t$version?: string
\t#Resource: {
\t\tnull_resource: {
\t\t\t$kind:   \"resource\"
\t\t\t$type:   \"null_resource\"
\t\t\t$source: \"registry.opentofu.org/hashicorp/null\"
\t\t\t$depends_on?: [...]
\t\t\t$lifecycle?: {...}
\t\t\ttriggers?: {[string]: string | null}
\t\t\tid: string | null
\t\t}
\t}
}
";

fn module(dir: &Path) -> std::io::Result<()> {
    fs::create_dir_all(dir.join("cue.mod"))?;
    let text = "module: \"bench.example/bench\"\nlanguage: version: \"v0.17.0\"\n";
    fs::write(dir.join("cue.mod/module.cue"), text)
}

/// An estate of `count` resources in zones of ten: a network, three subnets that read it, six
/// machines that read a subnet.
///
/// # Errors
/// What the file system said.
pub fn estate(dir: &Path, count: usize, style: Style) -> std::io::Result<()> {
    module(dir)?;
    let package = dir.join("cue.mod/gen/pravo.dev/providers/hashicorp/null");
    fs::create_dir_all(&package)?;
    fs::write(package.join("null.cue"), PROVIDER)?;
    let zones = count / 10;
    let (list, body) = match style {
        Style::Explicit => ("", explicit(zones)),
        Style::Loop => ("\t\"list\"\n", looped(zones)),
    };
    let head = format!(
        "package estate\n\nimport (\n{list}\tnul \"pravo.dev/providers/hashicorp/null:null_\"\n)\n\n\
         $null: nul.#Provider\n\nall: *\"1\" | string @tag(all)\n\n"
    );
    fs::write(dir.join("main.cue"), head + &body)
}

const RESOURCE: &str = "$null.#Resource.null_resource";

/// An estate as one text that imports nothing: its fields, and what they are made from.
pub fn alone(count: usize) -> String {
    let provider = PROVIDER.replace("package null_", "package estate");
    let body = explicit(count / 10);
    format!("{provider}\n$null: #Provider\nall: \"1\"\n\n{body}")
}

fn explicit(zones: usize) -> String {
    let mut out = String::new();
    for zone in 0..zones {
        let cidr = format!("10.{}.{}.0/24", zone / 256, zone % 256);
        let _ = writeln!(
            out,
            "net_{zone}: {RESOURCE} & {{triggers: {{cidr: \"{cidr}\", all: all}}}}"
        );
        for s in 0..3 {
            let _ = writeln!(
                out,
                "subnet_{zone}_{s}: {RESOURCE} & {{triggers: {{network: net_{zone}.id, idx: \"{s}\"}}}}"
            );
        }
        for vm in 0..6 {
            let subnet = vm % 3;
            let _ = writeln!(
                out,
                "vm_{zone}_{vm}: {RESOURCE} & {{triggers: {{subnet: subnet_{zone}_{subnet}.id, name: \"vm-{zone}-{vm}\"}}}}"
            );
        }
    }
    out
}

fn looped(zones: usize) -> String {
    format!(
        "zone: {{
\tfor i in list.Range(0, {zones}, 1) {{
\t\t\"z\\(i)\": {{
\t\t\tnet: {RESOURCE} & {{triggers: {{cidr: \"10.\\(div(i, 256)).\\(mod(i, 256)).0/24\", all: all}}}}
\t\t\tfor s in [0, 1, 2] {{
\t\t\t\t\"subnet\\(s)\": {RESOURCE} & {{triggers: {{network: net.id, idx: \"\\(s)\"}}}}
\t\t\t}}
\t\t\tfor v in [0, 1, 2, 3, 4, 5] {{
\t\t\t\t\"vm\\(v)\": {RESOURCE} & {{triggers: {{subnet: zone[\"z\\(i)\"][\"subnet\\(mod(v, 3))\"].id, name: \"vm-\\(i)-\\(v)\"}}}}
\t\t\t}}
\t\t}}
\t}}
}}
"
    )
}

/// A disjunction of two alternatives, each of which holds one more, `depth` levels deep; a chain
/// of instances decides every level.
///
/// # Errors
/// What the file system said.
pub fn disjunction(dir: &Path, depth: usize) -> std::io::Result<()> {
    module(dir)?;
    let mut out = String::from("package bench\n\n#L0: {kind: \"leaf\", value: int}\n");
    for level in 1..=depth {
        let below = level - 1;
        let _ = writeln!(
            out,
            "#L{level}: {{kind: \"a{level}\", size: *{level} | int, sub: #L{below}}} | {{kind: \"b{level}\", name: string, sub: #L{below}}}"
        );
    }
    for instance in 0..4 {
        let mut value = format!("{{kind: \"leaf\", value: {instance}}}");
        for level in 1..=depth {
            value = if (level + instance) % 2 == 0 {
                format!("{{kind: \"a{level}\", sub: {value}}}")
            } else {
                format!("{{kind: \"b{level}\", name: \"n\", sub: {value}}}")
            };
        }
        let _ = writeln!(out, "x{instance}: #L{depth} & {value}");
    }
    fs::write(dir.join("main.cue"), out)
}

/// A closed schema of forty fields, some of them nested or patterns, unified `count` times with
/// ten of them.
///
/// # Errors
/// What the file system said.
pub fn schema(dir: &Path, count: usize) -> std::io::Result<()> {
    module(dir)?;
    let mut out = String::from("package bench\n\n#Schema: {\n");
    for field in 0..40 {
        let text = match field % 4 {
            0 => "string",
            1 => "int & >=0",
            2 => "{on: *true | bool, tags: {[string]: string}}",
            _ => "string | null",
        };
        let mark = if field < 10 { "" } else { "?" };
        let _ = writeln!(out, "\tf{field}{mark}: {text}");
    }
    out.push_str("}\n");
    for i in 0..count {
        let _ = write!(out, "x{i}: #Schema & {{");
        for field in 0..10 {
            let value = match field % 4 {
                0 => format!("\"v{i}\""),
                1 => format!("{i}"),
                2 => format!("{{tags: n: \"{i}\"}}"),
                _ => "null".to_owned(),
            };
            let _ = write!(out, "f{field}: {value}, ");
        }
        out.push_str("}\n");
    }
    fs::write(dir.join("main.cue"), out)
}

/// One package of `count` files that all add to one struct and read the file before.
///
/// # Errors
/// What the file system said.
pub fn files(dir: &Path, count: usize) -> std::io::Result<()> {
    module(dir)?;
    for i in 0..count {
        let before = i.saturating_sub(1);
        let reads = if i == 0 {
            "0".to_owned()
        } else {
            format!("part_{before}.number + 1")
        };
        let text = format!(
            "package bench\n\npart_{i}: {{\n\tnumber: {reads}\n\tname: \"part {i}\"\n\ttags: [\"a\", \"b\", \"{i}\"]\n}}\nall: \"{i}\": part_{i}.name\nshared: limit: >={i}\n"
        );
        fs::write(dir.join(format!("part_{i:04}.cue")), text)?;
    }
    fs::write(
        dir.join("value.cue"),
        format!("package bench\n\nshared: limit: {count}\n"),
    )
}
