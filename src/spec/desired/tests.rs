//! Bodies and the configuration objects they give: cases in `tests/spec/desired.txtar`.

use super::*;
use crate::testing;

fn answer(body: &str) -> String {
    let (_, schema) = testing::schema("demo");
    let position = Position {
        file: "./x.cue".into(),
        line: 3,
        column: 1,
    };
    let subject = Subject {
        name: "x",
        position: Some(&position),
        copy: false,
    };
    let body = testing::body(&serde_json::from_str(body).unwrap());
    match convert(&subject, &schema.resources["demo_thing"].block, &body) {
        Ok(Data::Map(mut data)) => {
            // What is null or empty in nearly every case would hide the rest.
            data.retain(|_, value| {
                !value.is_null()
                    && *value != Data::List(vec![])
                    && *value != Data::Map(BTreeMap::new())
            });
            testing::json_of_data(&Data::Map(data)).to_string() + "\n"
        }
        Ok(other) => panic!("{other:?}"),
        Err(errors) => format!("{errors}\n"),
    }
}

#[test]
fn bodies_become_configuration_objects() {
    let mut body = String::new();
    let mut cases = 0;
    for (name, text) in testing::archive("desired.txtar") {
        if name.ends_with("/want") {
            assert_eq!(answer(&body), text, "{name}");
            cases += 1;
        }
        body = text;
    }
    assert!(cases > 15);
}

#[test]
fn every_attribute_and_block_is_there() {
    let (_, schema) = testing::schema("random");
    let subject = Subject {
        name: "x",
        position: None,
        copy: false,
    };
    let block = &schema.resources["random_integer"].block;
    let body = testing::body(&serde_json::json!({"$kind": "resource", "min": 1, "max": 9}));
    let data = convert(&subject, block, &body).unwrap();
    let want = serde_json::json!(
        {"id": null, "keepers": null, "max": 9, "min": 1, "result": null, "seed": null}
    );
    assert_eq!(testing::json_of_data(&data), want);
}

#[test]
fn a_copy_may_hold_what_the_provider_computed() {
    let (_, schema) = testing::schema("random");
    let subject = Subject {
        name: "copy",
        position: None,
        copy: true,
    };
    let block = &schema.resources["random_integer"].block;
    let body = testing::body(&serde_json::json!({"min": 1, "max": 9, "result": 5}));
    let data = convert(&subject, block, &body).unwrap();
    assert_eq!(data.get("result"), Some(&Data::from(5)));
}
