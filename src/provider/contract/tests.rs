//! Plans and results, allowed and forbidden, in a notation of JSON: `"?"` is an unknown value.

use super::*;
use crate::Applied;
use pravo_state::{
    Attribute, AttributeKind, Block, Data, Diagnostic, NestedBlock, Nesting, Number, Type,
};
use serde_json::Value;

fn data(text: &str) -> Data {
    fn of(json: &Value) -> Data {
        match json {
            Value::Null => Data::Null,
            Value::Bool(inner) => Data::Bool(*inner),
            Value::Number(n) => Data::Number(Number::parse(&n.to_string()).unwrap()),
            Value::String(text) if text == "?" => Data::Unknown,
            Value::String(text) => Data::String(text.clone()),
            Value::Array(items) => Data::List(items.iter().map(of).collect()),
            Value::Object(entries) => {
                Data::Map(entries.iter().map(|(k, v)| (k.clone(), of(v))).collect())
            }
        }
    }
    of(&serde_json::from_str(text).unwrap())
}

fn attribute(name: &str, kind: AttributeKind, flags: &str) -> Attribute {
    Attribute {
        name: name.into(),
        kind,
        required: false,
        optional: flags.contains('o'),
        computed: flags.contains('c'),
        sensitive: false,
        write_only: flags.contains('w'),
        deprecated: false,
        description: String::new(),
    }
}

fn plain(name: &str, kind: Type, flags: &str) -> Attribute {
    attribute(name, AttributeKind::Value(kind), flags)
}

fn inner() -> Vec<Attribute> {
    vec![
        plain("id", Type::String, "c"),
        plain("x", Type::Number, "o"),
    ]
}

/// Attributes `o`ptional, `c`omputed, `b`oth, `w`rite-only, `any`, a `list`, a `set`, a `map`;
/// nested attributes and blocks `n_…` and `b_…` of each nesting, with a computed `id` and `x`.
fn block() -> Block {
    let text = || Box::new(Type::String);
    let mut attributes = vec![
        plain("o", Type::Number, "o"),
        plain("c", Type::String, "c"),
        plain("b", Type::String, "oc"),
        plain("w", Type::String, "ow"),
        plain("any", Type::Dynamic, "o"),
        plain("list", Type::List(text()), "o"),
        plain("set", Type::Set(text()), "o"),
        plain("map", Type::Map(text()), "o"),
    ];
    let mut blocks = Vec::new();
    for (name, nesting) in [
        ("single", Nesting::Single),
        ("list", Nesting::List),
        ("set", Nesting::Set),
        ("map", Nesting::Map),
    ] {
        let kind = AttributeKind::Nested(nesting, inner());
        attributes.push(attribute(&format!("n_{name}"), kind, "o"));
        blocks.push(NestedBlock {
            name: format!("b_{name}"),
            nesting,
            block: Block {
                attributes: inner(),
                ..Block::default()
            },
            min_items: 0,
            max_items: 0,
        });
    }
    Block {
        attributes,
        blocks,
        ..Block::default()
    }
}

fn full(text: &str) -> Data {
    crate::object::complete(&block(), data(text))
}

fn lines(violations: &[Violation]) -> String {
    let lines: Vec<String> = violations.iter().map(ToString::to_string).collect();
    lines.join("; ")
}

const DIFFERS: &str = "planned a value that differs from the configured one";
const UNSET: &str = "planned a value for an attribute that is not configured and not computed";

/// Prior, configuration, plan, and what the plan breaks.
const PLANS: &[(&str, &str, &str, &str)] = &[
    ("null", "{}", r#"{"c":"?","b":"?"}"#, ""),
    ("null", r#"{"o":1}"#, r#"{"o":1.0,"c":"x","b":"y"}"#, ""),
    ("null", r#"{"o":1}"#, r#"{"o":2}"#, "o: DIFFERS"),
    ("null", r#"{"o":1}"#, r#"{"o":"?"}"#, "o: DIFFERS"),
    ("null", r#"{"o":1}"#, "{}", "o: DIFFERS"),
    ("null", "{}", r#"{"o":0}"#, "o: UNSET"),
    ("null", r#"{"o":"?"}"#, r#"{"o":"?"}"#, ""),
    (r#"{"o":1}"#, r#"{"o":2}"#, r#"{"o":1}"#, ""),
    (r#"{"o":1}"#, "{}", r#"{"o":1}"#, "o: UNSET"),
    (r#"{"b":"p"}"#, r#"{"b":"x"}"#, r#"{"b":"z"}"#, "b: DIFFERS"),
    ("null", r#"{"w":"s"}"#, "{}", ""),
    (
        "null",
        r#"{"w":"s"}"#,
        r#"{"w":"s"}"#,
        "w: has a value, although it is write-only",
    ),
    (
        "null",
        "{}",
        "null",
        "planned to be absent, but it is configured",
    ),
    (
        "{}",
        "null",
        "{}",
        "planned to exist, but it is not configured",
    ),
    ("null", r#"{"any":["a",1]}"#, r#"{"any":["a",1]}"#, ""),
    (
        "null",
        r#"{"set":["b","a","a"]}"#,
        r#"{"set":["a","b"]}"#,
        "",
    ),
    (
        "null",
        r#"{"list":["b","a"]}"#,
        r#"{"list":["a","b"]}"#,
        "list: DIFFERS",
    ),
    ("null", "{\"b\":\"e\u{301}\"}", "{\"b\":\"\u{e9}\"}", ""),
    (
        "null",
        r#"{"n_single":{"x":1}}"#,
        r#"{"n_single":{"x":1,"id":"?"}}"#,
        "",
    ),
    (
        "null",
        r#"{"n_single":{"x":1}}"#,
        r#"{"n_single":{"x":2}}"#,
        "n_single.x: DIFFERS",
    ),
    (
        "null",
        r#"{"n_single":{"x":1}}"#,
        r#"{"n_single":"?"}"#,
        "n_single: planned as unknown, but it is configured",
    ),
    (
        "null",
        r#"{"n_single":{}}"#,
        "{}",
        "n_single: planned to be absent, but it is configured",
    ),
    ("null", "{}", r#"{"n_list":[]}"#, "n_list: UNSET"),
    (
        "null",
        r#"{"n_list":[{"x":1}]}"#,
        r#"{"n_list":[{"x":1,"id":"i"}]}"#,
        "",
    ),
    (
        "null",
        r#"{"n_list":[{"x":1}]}"#,
        r#"{"n_list":[]}"#,
        "n_list: planned 0 elements, configured are 1",
    ),
    (
        "null",
        r#"{"n_map":{"a":{"x":1}}}"#,
        r#"{"n_map":{"a":{"x":2}}}"#,
        "n_map[\"a\"].x: DIFFERS",
    ),
    (
        "null",
        r#"{"n_map":{"a":{}}}"#,
        r#"{"n_map":{"b":{}}}"#,
        "n_map: planned other keys than the configured ones",
    ),
    (
        "null",
        r#"{"n_set":[{"x":1}]}"#,
        r#"{"n_set":[{"x":1,"id":"?"}]}"#,
        "",
    ),
    (
        "null",
        r#"{"n_set":[{"x":1}]}"#,
        r#"{"n_set":[{"x":1,"id":"a"},{"x":1,"id":"b"}]}"#,
        "n_set: planned 2 elements, configured are 1",
    ),
    (
        "null",
        r#"{"b_list":[{"x":1}]}"#,
        r#"{"b_list":[{"x":1,"id":"?"}]}"#,
        "",
    ),
    (
        "null",
        r#"{"b_list":[{"x":1}]}"#,
        r#"{"b_list":[{"x":2}]}"#,
        "b_list[0].x: DIFFERS",
    ),
    (
        "null",
        r#"{"b_list":[{"x":1}]}"#,
        r#"{"b_list":["?"]}"#,
        "b_list[0]: planned a block that is unknown as a whole",
    ),
    (
        "null",
        r#"{"b_list":[{"x":1}]}"#,
        r#"{"b_list":"?"}"#,
        "b_list: planned blocks that differ from the configured ones",
    ),
    ("null", r#"{"b_list":"?"}"#, r#"{"b_list":"?"}"#, ""),
    (
        "null",
        r#"{"b_list":"?"}"#,
        r#"{"b_list":[]}"#,
        "b_list: planned blocks that differ from the configured ones",
    ),
    (
        "null",
        r#"{"b_set":[{"x":1}]}"#,
        r#"{"b_set":[{"x":1,"id":"?"}]}"#,
        "",
    ),
    (
        "null",
        r#"{"b_map":{"a":{"x":1}}}"#,
        r#"{"b_map":{"a":{"x":1,"id":"i"}}}"#,
        "",
    ),
    (
        "null",
        r#"{"b_single":{"x":1}}"#,
        "{}",
        "b_single: planned to be absent, but it is configured",
    ),
];

#[test]
fn plans_keep_to_the_configuration() {
    for (prior, config, planned, expected) in PLANS {
        let broken = check_plan(&block(), &full(prior), &full(config), &full(planned));
        let expected = expected.replace("DIFFERS", DIFFERS).replace("UNSET", UNSET);
        assert_eq!(lines(&broken), expected, "{prior} {config} {planned}");
    }
}

/// Plan, result, and where the result differs.
const RESULTS: &[(&str, &str, &str)] = &[
    (r#"{"c":"?","o":1}"#, r#"{"c":"x","o":1.0}"#, ""),
    (r#"{"c":"?"}"#, "{}", ""),
    (r#"{"c":"?"}"#, r#"{"c":"?"}"#, ""),
    (
        r#"{"o":1}"#,
        r#"{"o":2}"#,
        "o: has another value than was planned",
    ),
    (
        r#"{"o":1}"#,
        r#"{"o":"?"}"#,
        "o: was known, but is now unknown",
    ),
    (r#"{"o":1}"#, "{}", "o: was present, but is now absent"),
    ("{}", r#"{"o":1}"#, "o: was absent, but is now present"),
    ("{}", "null", "was present, but is now absent"),
    ("null", "{}", "was absent, but is now present"),
    ("null", "null", ""),
    (r#"{"any":"?"}"#, r#"{"any":[1]}"#, ""),
    (
        r#"{"any":[1]}"#,
        r#"{"any":["1"]}"#,
        "any: has another type than was planned",
    ),
    (r#"{"any":["?",1]}"#, r#"{"any":["?",1]}"#, ""),
    (r#"{"list":["a","?"]}"#, r#"{"list":["a","b"]}"#, ""),
    (
        r#"{"list":["a"]}"#,
        r#"{"list":["a","b"]}"#,
        "list: has 2 elements, planned were 1",
    ),
    (r#"{"map":{"a":"?"}}"#, r#"{"map":{"a":"x"}}"#, ""),
    (
        r#"{"map":{"a":"?"}}"#,
        r#"{"map":{"b":"x"}}"#,
        "map: has other keys than were planned",
    ),
    (
        r#"{"map":{"a":"x"}}"#,
        r#"{"map":{"a":"y"}}"#,
        "map[\"a\"]: has another value than was planned",
    ),
    (r#"{"set":["a","?"]}"#, r#"{"set":["b","a"]}"#, ""),
    (
        r#"{"set":["a"]}"#,
        r#"{"set":["b"]}"#,
        "set: has other elements than were planned",
    ),
    (
        r#"{"set":["?"]}"#,
        r#"{"set":["b","c"]}"#,
        "set: has other elements than were planned",
    ),
    (
        r#"{"n_single":{"x":1,"id":"?"}}"#,
        r#"{"n_single":{"x":1,"id":"i"}}"#,
        "",
    ),
    (
        r#"{"n_list":[{"x":1}]}"#,
        r#"{"n_list":[{"x":2}]}"#,
        "n_list[0].x: has another value than was planned",
    ),
    (r#"{"b_single":"?"}"#, "{}", ""),
    (
        r#"{"b_single":{"x":1}}"#,
        r#"{"b_single":{"x":2}}"#,
        "b_single.x: has another value than was planned",
    ),
    (
        r#"{"b_list":[{"x":1}]}"#,
        r#"{"b_list":[]}"#,
        "b_list: has 0 elements, planned were 1",
    ),
    (
        r#"{"b_list":[{"id":"?","x":1}]}"#,
        r#"{"b_list":[{"id":"i","x":1}]}"#,
        "",
    ),
    (r#"{"b_list":"?"}"#, r#"{"b_list":[{"x":1}]}"#, ""),
    (
        r#"{"b_set":[{"id":"?","x":1}]}"#,
        r#"{"b_set":[{"id":"i","x":1}]}"#,
        "",
    ),
    (
        r#"{"b_set":[{"x":1}]}"#,
        r#"{"b_set":[{"x":2}]}"#,
        "b_set: has other elements than were planned",
    ),
    (
        r#"{"b_map":{"a":{"x":1}}}"#,
        r#"{"b_map":{"b":{"x":1}}}"#,
        "b_map: has other keys than were planned",
    ),
];

#[test]
fn results_keep_to_the_plan() {
    for (planned, actual, expected) in RESULTS {
        let broken = check_result(&block(), &full(planned), &full(actual));
        assert_eq!(lines(&broken), *expected, "{planned} {actual}");
    }
}

fn applied(state: Data, legacy: bool, failed: bool) -> Applied {
    Applied {
        state,
        private: vec![],
        identity: None,
        legacy,
        diagnostics: failed
            .then(|| Diagnostic::error("No"))
            .into_iter()
            .collect(),
    }
}

#[test]
fn answers_are_settled() {
    let differs = "o: has another value than was planned";
    for (planned, state, legacy, failed, errors, tolerated) in [
        (r#"{"o":1}"#, r#"{"o":1}"#, false, false, "", ""),
        (r#"{"o":1}"#, r#"{"o":2}"#, false, false, differs, ""),
        (r#"{"o":1}"#, r#"{"o":2}"#, true, false, "", differs),
        (r#"{"o":1}"#, r#"{"o":2}"#, false, true, "", ""),
        (
            "{}",
            "null",
            false,
            false,
            "the object was to exist, but does not",
            "",
        ),
        (
            "{}",
            "null",
            true,
            false,
            "the object was to exist, but does not",
            "",
        ),
        ("{}", "null", false, true, "", ""),
        (
            "null",
            "{}",
            false,
            false,
            "the object was to be deleted, but still exists",
            "",
        ),
        ("null", "null", false, false, "", ""),
        (
            "{}",
            r#"{"b_list":[{"id":"?"}]}"#,
            true,
            false,
            "b_list[0].id: is still unknown after the change",
            "",
        ),
        (
            "{}",
            r#"{"w":"s"}"#,
            false,
            false,
            "w: has a value, although it is write-only",
            "",
        ),
    ] {
        let answer = applied(full(state), legacy, failed);
        let settled = settle(&block(), &full(planned), &answer);
        assert_eq!(lines(&settled.errors), errors, "{planned} {state}");
        assert_eq!(lines(&settled.tolerated), tolerated, "{planned} {state}");
        assert!(settled.state.is_wholly_known());
        assert_eq!(write_only(&block(), &settled.state), []);
    }
}

#[test]
fn unknown_places_are_found() {
    let found = unknowns(
        &full(r#"{"set":["?"],"map":{"k":"?"},"n_list":[{"x":"?"}],"any":"?"}"#),
        &block().implied_type(),
    );
    let texts: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(texts, ["any", "map[\"k\"]", "n_list[0].x", "set"]);
}

#[test]
fn violations_show_no_values() {
    let secret = r#"{"b":"hunter2","map":{"k":"hunter2"}}"#;
    let other = r#"{"b":"hunter3","map":{"k":"hunter3"}}"#;
    let plan = check_plan(&block(), &Data::Null, &full(secret), &full(other));
    let result = check_result(&block(), &full(secret), &full(other));
    assert_eq!(plan.len() + result.len(), 4);
    assert!(!(lines(&plan) + &lines(&result)).contains("hunter"));
}
