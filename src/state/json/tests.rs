//! Values as JSON: there, back, and what is refused.

use super::*;
use crate::{Data, Number, Type};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn number(text: &str) -> Data {
    Data::Number(Number::parse(text).unwrap())
}

fn object(fields: &[(&str, Type)]) -> Type {
    let fields = fields
        .iter()
        .map(|(name, kind)| ((*name).to_owned(), kind.clone()));
    Type::Object(fields.collect(), Vec::new())
}

fn map(entries: &[(&str, Data)]) -> Data {
    let entries = entries
        .iter()
        .map(|(name, data)| ((*name).to_owned(), data.clone()));
    Data::Map(entries.collect())
}

#[test]
fn numbers_keep_all_digits_and_no_exponent() {
    for (text, want) in [
        ("9223372036854775808", "9223372036854775808"),
        (
            "340282366920938463463374607431768211456",
            "340282366920938463463374607431768211456",
        ),
        ("0.1", "0.1"),
        ("3.0", "3"),
        ("1e3", "1000"),
        (
            "3.4028234663852886e+38",
            "340282346638528860000000000000000000000",
        ),
    ] {
        let data = from_json(&read(text), &Type::Number).unwrap();
        assert_eq!(to_json(&data, &Type::Number).unwrap().to_string(), want);
        assert_eq!(canonical(read(text)).to_string(), want);
    }
}

#[test]
fn reading_is_as_lenient_as_providers_expect() {
    for (text, kind, want) in [
        ("\"5\"", Type::Number, number("5")),
        ("5", Type::String, "5".into()),
        ("1.50", Type::String, "1.50".into()),
        ("true", Type::String, "true".into()),
        ("\"1\"", Type::Bool, true.into()),
        ("\"false\"", Type::Bool, false.into()),
        ("null", Type::List(Box::new(Type::Bool)), Data::Null),
    ] {
        assert_eq!(from_json(&read(text), &kind).unwrap(), want, "{text}");
    }
    let kind = object(&[("a", Type::Bool), ("b", Type::String)]);
    let want = map(&[("a", true.into()), ("b", Data::Null)]);
    assert_eq!(from_json(&json!({"a": true}), &kind).unwrap(), want);
}

#[test]
fn what_does_not_fit_is_refused_by_its_path() {
    let kind = object(&[("a", Type::List(Box::new(object(&[("b", Type::Number)]))))]);
    for (value, want) in [
        (json!({"a": [{"b": 1}, {"b": {}}]}), "a.1.b is not a number"),
        (json!({"a": {}}), "a is not a list"),
        (json!({"x": 1}), "x is not in the schema"),
        (json!([]), "the value is not an object"),
    ] {
        assert_eq!(from_json(&value, &kind).unwrap_err().to_string(), want);
    }
    assert!(from_json(&json!(1), &Type::Bool).is_err());
    assert!(from_json(&json!("x"), &Type::Number).is_err());
    let tuple = Type::Tuple(vec![Type::Bool]);
    assert!(from_json(&json!([true, true]), &tuple).is_err());
}

#[test]
fn unknown_values_have_no_kept_form() {
    let kind = object(&[("a", Type::String)]);
    let data = map(&[("a", Data::Unknown)]);
    assert_eq!(
        to_json(&data, &kind).unwrap_err().to_string(),
        "a is not known"
    );
    assert_eq!(to_plain(&data).unwrap_err().to_string(), "a is not known");
    assert_eq!(
        to_document(&data).unwrap(),
        json!({"a": {"$unknown": true}})
    );
}

#[test]
fn dynamic_values_stand_with_their_type() {
    let data = Data::Dynamic(Box::new(Type::Number), Box::new(number("5")));
    let value = json!({"value": 5, "type": "number"});
    assert_eq!(to_json(&data, &Type::Dynamic).unwrap(), value);
    assert_eq!(from_json(&value, &Type::Dynamic).unwrap(), data);
    let bare = map(&[("a", Data::List(vec![true.into(), Data::Null]))]);
    let value = to_json(&bare, &Type::Dynamic).unwrap();
    let want = json!({"value": {"a": [true, null]},
        "type": ["object", {"a": ["tuple", ["bool", "dynamic"]]}]});
    assert_eq!(value, want);
    assert_eq!(
        to_json(&from_json(&value, &Type::Dynamic).unwrap(), &Type::Dynamic).unwrap(),
        want
    );
    assert_eq!(from_json(&json!(null), &Type::Dynamic).unwrap(), Data::Null);
    assert!(from_json(&json!(5), &Type::Dynamic).is_err());
}

#[test]
fn sets_have_one_order() {
    let kind = Type::Set(Box::new(Type::Number));
    let set = |texts: &[&str]| Data::List(texts.iter().map(|text| number(text)).collect());
    let value = to_json(&set(&["10", "9", "-1", "9"]), &kind).unwrap();
    assert_eq!(value.to_string(), "[-1,9,10]");
    assert_eq!(to_json(&set(&["9", "-1", "10"]), &kind).unwrap(), value);
}

#[test]
fn depth_is_refused_before_it_hurts() {
    let mut data: Data = true.into();
    let mut kind = Type::Bool;
    for _ in 0..MAX_DEPTH {
        data = Data::List(vec![data]);
        kind = Type::List(Box::new(kind));
    }
    assert!(to_json(&data, &kind).is_err());
    assert!(to_plain(&data).is_err() && infer_type(&data).is_err());
    let text = format!("{}{}", "{\"a\":".repeat(5000), "1");
    assert!(Fields::parse(format!("{text}{}", "}".repeat(5000)).as_bytes()).is_err());
}

#[test]
fn types_have_the_form_of_the_protocol() {
    for text in [
        r#""string""#,
        r#"["list",["map","number"]]"#,
        r#"["object",{"a":"bool","b":["set","dynamic"]},["b"]]"#,
        r#"["tuple",[]]"#,
    ] {
        let kind = type_from_json(&read(text)).unwrap();
        assert_eq!(type_to_json(&kind).to_string(), text);
    }
    for text in [
        r#""text""#,
        "[]",
        r#"["list"]"#,
        r#"["object",{"a":1}]"#,
        "1",
        "null",
    ] {
        assert!(type_from_json(&read(text)).is_err(), "{text}");
    }
}

#[test]
fn the_canonical_text_sorts_keys_and_escapes_nothing_needless() {
    let value = canonical(read(
        r#"{"b": [1.0, {"z": 1, "a": 2}], "a": "<&>é\n", "c": {}, "d": []}"#,
    ));
    let want = "{\n  \"a\": \"<&>é\\n\",\n  \"b\": [\n    1,\n    {\n      \"a\": 2,\n      \
                \"z\": 1\n    }\n  ],\n  \"c\": {},\n  \"d\": []\n}\n";
    assert_eq!(pretty(&value), want);
}

#[test]
fn unknown_fields_are_what_nobody_took() {
    let mut fields =
        Fields::parse(br#"{"a": 1, "n\u0065w": {"y": 1.50}, "b": null, "a": 2}"#).unwrap();
    assert_eq!(fields.take::<u64>("a"), Ok(2));
    assert_eq!(fields.optional::<u64>("b"), Ok(None));
    assert_eq!(fields.optional::<u64>("c"), Ok(None));
    assert!(fields.take::<u64>("d").unwrap_err().contains("\"d\""));
    assert_eq!(
        Value::Object(fields.rest()).to_string(),
        r#"{"new":{"y":1.50}}"#
    );
}

#[test]
fn what_is_no_object_is_refused() {
    let texts: [&[u8]; 8] = [
        b"",
        b" \n",
        b"[]",
        b"{",
        b"null",
        b"{} x",
        b"\xff",
        b"\0\0\0\0",
    ];
    for text in texts {
        assert!(Fields::parse(text).is_err(), "{text:?}");
    }
}

/// A type and a value of it.
fn typed() -> impl Strategy<Value = (Type, Data)> {
    let scalar = prop_oneof![
        any::<bool>().prop_map(|b| (Type::Bool, Data::Bool(b))),
        "-?[1-9][0-9]{0,30}(\\.[0-9]{1,20})?".prop_map(|n| (Type::Number, number(&n))),
        ".{0,12}".prop_map(|s| (Type::String, Data::String(s))),
        Just((Type::String, Data::Null)),
    ];
    scalar.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| {
                let (kinds, items) = items.into_iter().unzip();
                (Type::Tuple(kinds), Data::List(items))
            }),
            prop::collection::btree_map(".{0,6}", inner.clone(), 0..4).prop_map(|entries| {
                let kinds = entries
                    .iter()
                    .map(|(k, (kind, _))| (k.clone(), kind.clone()));
                let kinds: BTreeMap<_, _> = kinds.collect();
                let data = entries.into_iter().map(|(k, (_, data))| (k, data));
                (Type::Object(kinds, Vec::new()), Data::Map(data.collect()))
            }),
            (inner.clone(), 0_usize..4).prop_map(|((kind, data), n)| {
                (Type::List(Box::new(kind)), Data::List(vec![data; n]))
            }),
            (inner.clone(), ".{0,6}").prop_map(|((kind, data), key)| {
                (Type::Map(Box::new(kind)), Data::Map([(key, data)].into()))
            }),
            inner.prop_map(|(kind, data)| match data {
                Data::Null => (Type::Dynamic, Data::Null),
                data => (Type::Dynamic, Data::Dynamic(Box::new(kind), Box::new(data))),
            }),
        ]
    })
}

proptest! {
    #[test]
    fn reads_back_what_it_writes((kind, data) in typed()) {
        let text = pretty(&to_json(&data, &kind).unwrap());
        prop_assert_eq!(&from_json(&read(&text), &kind).unwrap(), &data);
        let sorted = canonical(read(&text)).to_string();
        prop_assert_eq!(canonical(read(&sorted)).to_string(), sorted);
    }

    #[test]
    fn no_text_makes_it_panic(text in ".{0,60}", (kind, data) in typed()) {
        let _ = Fields::parse(text.as_bytes());
        let value = to_json(&data, &kind).unwrap();
        let _ = from_json(&value, &Type::List(Box::new(Type::Number)));
    }
}
