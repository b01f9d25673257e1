//! Whole roots: archives in `tests/spec/roots`, each with files, a script and what it prints.
//!
//! A script's lines: `show` (what is declared), `desired ADDR`, `provider KEY`, `output NAME`,
//! `fill ADDR JSON`, `eval [EXPR]`, `all [EXPR]` (definitions too), `json [EXPR]`. Errors are
//! printed as the command line prints them.

use crate::generate::generate;
use crate::testing;
use crate::{LoadOptions, Mode, Showing, SpecErrors, Specification};
use pravo_state::{Address, Data, ProviderSchema, Schema};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder that is removed when the test ends.
struct Root(PathBuf);

impl Drop for Root {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const PROVIDERS: [&str; 4] = ["demo", "local", "null", "random"];

fn schemas() -> HashMap<String, ProviderSchema> {
    PROVIDERS.iter().map(|name| testing::schema(name)).collect()
}

fn write(root: &Path, path: &str, bytes: &[u8]) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

fn unpack(name: &str, files: &[(String, String)]) -> Root {
    let folder = format!("pravo-spec-{}-{name}", std::process::id());
    let root = Root(std::env::temp_dir().join(folder));
    let _ = fs::remove_dir_all(&root.0);
    let module = "module: \"pravo.local/estate\"\nlanguage: version: \"v0.17.0\"\n";
    write(&root.0, "cue.mod/module.cue", module.as_bytes());
    for (source, schema) in schemas() {
        for file in generate(&source, None, &schema).unwrap() {
            write(&root.0, &file.path, &file.bytes);
        }
    }
    for (path, text) in files.iter().filter(|(path, _)| path.ends_with(".cue")) {
        write(&root.0, path, text.as_bytes());
    }
    root
}

fn schema_of(spec: &Specification, address: &Address) -> Schema {
    let Some(node) = spec.node(address) else {
        return Schema::default();
    };
    let provider = schemas().remove(&node.source).unwrap();
    let types = match node.mode {
        Mode::Managed => provider.resources,
        Mode::Data => provider.data_sources,
    };
    types[&node.kind].clone()
}

fn show(spec: &Specification) -> String {
    let mut text = String::new();
    for provider in spec.providers() {
        let version = provider.version.as_deref().unwrap_or("-");
        let reads: Vec<&str> = spec
            .dependencies(&provider.address)
            .iter()
            .map(Address::as_str)
            .collect();
        let reads = if reads.is_empty() {
            String::new()
        } else {
            format!(" <- {}", reads.join(" "))
        };
        text += &format!(
            "provider {} {} {version}{reads}\n",
            provider.key, provider.source
        );
    }
    for node in spec.nodes() {
        let dependencies = spec.dependencies(&node.address).iter();
        let dependencies: Vec<&str> = dependencies.map(Address::as_str).collect();
        let refresh = node.refresh.as_ref().map_or("-", |age| age.as_str());
        text += &format!(
            "{} {} {} by {} {refresh} <- {}\n",
            node.mode.as_str(),
            node.address,
            node.kind,
            node.provider_key,
            dependencies.join(" ")
        );
    }
    for output in spec.outputs() {
        let dependencies = output.dependencies.iter();
        let dependencies: Vec<&str> = dependencies.map(Address::as_str).collect();
        let sensitive = if output.sensitive { " sensitive" } else { "" };
        text += &format!(
            "output {}{sensitive} <- {}\n",
            output.address,
            dependencies.join(" ")
        );
    }
    text
}

fn shown(data: Result<Data, SpecErrors>) -> String {
    match data {
        Ok(Data::Map(mut fields)) => {
            fields.retain(|_, value| {
                !value.is_null()
                    && *value != Data::List(vec![])
                    && *value != Data::Map(Default::default())
            });
            testing::json_of_data(&Data::Map(fields)).to_string() + "\n"
        }
        Ok(data) => testing::json_of_data(&data).to_string() + "\n",
        Err(errors) => format!("{errors}\n"),
    }
}

fn run(spec: &mut Specification, line: &str) -> String {
    let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
    let (name, argument) = rest.split_once(' ').unwrap_or((rest, ""));
    match command {
        "show" => show(spec),
        "desired" => {
            let address = Address::parse(name).unwrap();
            let schema = schema_of(spec, &address);
            shown(spec.desired(&address, &schema))
        }
        "fill" => {
            let address = Address::parse(name).unwrap();
            let schema = schema_of(spec, &address);
            let data = testing::data(&serde_json::from_str(argument).unwrap());
            match spec.fill(&address, &schema, &data) {
                Ok(()) => String::new(),
                Err(errors) => format!("{errors}\n"),
            }
        }
        "provider" => {
            let source = spec.provider(name).unwrap().source.clone();
            let schema = schemas().remove(&source).unwrap().provider;
            shown(spec.provider_config(name, &schema))
        }
        "output" => shown(spec.output(name).map(|output| output.value)),
        "eval" => evaluated(spec, rest, Showing::default()),
        "all" => evaluated(
            spec,
            rest,
            Showing {
                all: true,
                json: false,
            },
        ),
        "json" => evaluated(
            spec,
            rest,
            Showing {
                all: false,
                json: true,
            },
        ),
        other => panic!("command {other}"),
    }
}

/// What is filled into a node in a step of a walk: nothing known, or a number that tells steps
/// apart.
fn step_data(known: bool, step: usize) -> Data {
    let value = |text: String| match known {
        true => serde_json::Value::String(text),
        false => "<unknown>".into(),
    };
    let number = match known {
        true => serde_json::Value::from(step),
        false => "<unknown>".into(),
    };
    testing::data(&serde_json::json!({"id": value(format!("i{step}")), "result": number}))
}

fn load(root: &Root) -> Specification {
    let options = LoadOptions {
        root: root.0.clone(),
        ..LoadOptions::default()
    };
    Specification::load(&options).unwrap()
}

fn wants(spec: &mut Specification) -> Vec<String> {
    let addresses: Vec<Address> = spec.nodes().iter().map(|n| n.address.clone()).collect();
    let want = |address: &Address| {
        let schema = schema_of(spec, address);
        format!("{address}: {}", shown(spec.desired(address, &schema)))
    };
    addresses.iter().map(want).collect()
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(24))]

    /// Evaluating again what a fill changes gives what an evaluation from the start gives.
    #[test]
    fn filling_in_steps_equals_filling_at_once(
        steps in proptest::collection::vec((0usize..64, proptest::bool::ANY), 1..7),
        case in 0usize..1_000_000,
    ) {
        let archives = ["comprehensions", "page", "providers", "depends-on"];
        let name = archives[case % archives.len()];
        let files = testing::archive(&format!("roots/{name}.txtar"));
        let root = unpack(&format!("steps-{name}-{case}"), &files);
        let mut walked = load(&root);
        let mut last: HashMap<Address, Data> = HashMap::new();
        for (number, (node, known)) in steps.into_iter().enumerate() {
            let address = walked.nodes()[node % walked.nodes().len()].address.clone();
            let data = step_data(known, number);
            let schema = schema_of(&walked, &address);
            let filled = walked.fill(&address, &schema, &data);
            proptest::prop_assert!(filled.is_ok(), "{filled:?}");
            last.insert(address, data);
            wants(&mut walked);
        }
        let mut fresh = load(&root);
        for (address, data) in &last {
            let schema = schema_of(&fresh, address);
            fresh.fill(address, &schema, data).unwrap();
        }
        proptest::prop_assert_eq!(wants(&mut walked), wants(&mut fresh));
    }
}

fn evaluated(spec: &mut Specification, expression: &str, showing: Showing) -> String {
    for address in spec
        .nodes()
        .iter()
        .map(|n| n.address.clone())
        .collect::<Vec<_>>()
    {
        let schema = schema_of(spec, &address);
        spec.know(&address, &schema);
    }
    let expressions: Vec<String> = match expression {
        "" => Vec::new(),
        text => vec![text.to_owned()],
    };
    match spec.show(&expressions, showing) {
        Ok(texts) => texts.concat(),
        Err(errors) => format!("{errors}\n"),
    }
}

#[test]
fn a_query_sees_the_fields_it_is_given() {
    let resources =
        r#"{"a.b": {"type": "t", "attributes": {"n": 3, "s": "x"}}, "c": {"type": "u"}}"#;
    let fields = [
        ("resources", resources.to_owned()),
        ("edges", "[]".to_owned()),
    ];
    let answer = |text: &str| super::query(&fields, text).unwrap();
    assert_eq!(answer("resources.\"a.b\".attributes"), "n: 3\ns: \"x\"\n");
    assert_eq!(
        answer("[for a, r in resources if r.type == \"u\" {a}]"),
        "[\"c\"]\n"
    );
    assert_eq!(answer("strings.ToUpper(resources.c.type)"), "\"U\"\n");
    assert_eq!(answer("len(edges)"), "0\n");
    let wrong = super::query(&fields, "resources.d.type").unwrap_err();
    assert!(wrong.to_string().contains("undefined field"), "{wrong}");
    assert!(super::query(&fields, "1 +").is_err());
}

fn answer(name: &str, files: &[(String, String)]) -> String {
    let root = unpack(name, files);
    let script = &files.iter().find(|(path, _)| path == "script").unwrap().1;
    let (options, commands) = match script.strip_prefix("tags ") {
        Some(rest) => rest.split_once('\n').unwrap(),
        None => ("", script.as_str()),
    };
    let options = LoadOptions {
        root: root.0.clone(),
        tags: options.split_whitespace().map(str::to_owned).collect(),
        variables: None,
        modules: Some(root.0.join("cache")),
    };
    let mut spec = match Specification::load(&options) {
        Ok(spec) => spec,
        Err(errors) => return format!("{errors}\n"),
    };
    commands.lines().map(|line| run(&mut spec, line)).collect()
}

#[test]
fn roots_give_what_their_archives_say() {
    let folder = testing::folder().join("roots");
    let mut failed = Vec::new();
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert!(names.len() > 10);
    for name in names {
        let files = testing::archive(&format!("roots/{name}"));
        let want = &files.iter().find(|(path, _)| path == "want").unwrap().1;
        let answer = answer(&name, &files);
        if answer != *want {
            failed.push(format!("{name}: want\n{want}got\n{answer}"));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
