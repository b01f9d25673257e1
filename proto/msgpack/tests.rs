//! Known bytes, and values there and back.

use crate::{json, msgpack, normal, types};
use pravo_state::{Data, Number, Type};
use proptest::prelude::*;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().collect();
    let pair = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks(2).map(pair).collect()
}

fn kind(json: &str) -> Type {
    types::from_bytes(json.as_bytes()).unwrap()
}

/// Reads the notation of the tables below: JSON in which `"?"` is an unknown value. Objects and
/// arrays take no type from it.
fn data(text: &str) -> Data {
    fn of(json: &serde_json::Value) -> Data {
        match json {
            serde_json::Value::Null => Data::Null,
            serde_json::Value::Bool(inner) => Data::Bool(*inner),
            serde_json::Value::Number(n) => Data::Number(Number::parse(&n.to_string()).unwrap()),
            serde_json::Value::String(text) if text == "?" => Data::Unknown,
            serde_json::Value::String(text) => Data::String(text.clone()),
            serde_json::Value::Array(items) => Data::List(items.iter().map(of).collect()),
            serde_json::Value::Object(entries) => {
                Data::Map(entries.iter().map(|(k, v)| (k.clone(), of(v))).collect())
            }
        }
    }
    of(&serde_json::from_str(text).unwrap())
}

/// Value, type and bytes: what is written, and read back.
const VECTORS: &[(&str, &str, &str)] = &[
    ("0", "\"number\"", "00"),
    ("127", "\"number\"", "7f"),
    ("128", "\"number\"", "cc80"),
    ("255", "\"number\"", "ccff"),
    ("256", "\"number\"", "cd0100"),
    ("65536", "\"number\"", "ce00010000"),
    ("4294967296", "\"number\"", "cf0000000100000000"),
    ("-1", "\"number\"", "ff"),
    ("-32", "\"number\"", "e0"),
    ("-33", "\"number\"", "d0df"),
    ("-129", "\"number\"", "d1ff7f"),
    ("9223372036854775807", "\"number\"", "cf7fffffffffffffff"),
    ("-9223372036854775808", "\"number\"", "d38000000000000000"),
    (
        "9223372036854775808",
        "\"number\"",
        "b339323233333732303336383534373735383038",
    ),
    (
        "18446744073709551615",
        "\"number\"",
        "b43138343436373434303733373039353531363135",
    ),
    ("9007199254740993", "\"number\"", "cf0020000000000001"),
    ("0.5", "\"number\"", "cb3fe0000000000000"),
    ("1.50", "\"number\"", "cb3ff8000000000000"),
    ("0.1", "\"number\"", "a3302e31"),
    ("1e-7", "\"number\"", "a9302e30303030303031"),
    ("1.0", "\"number\"", "01"),
    ("-0", "\"number\"", "00"),
    ("\"hi\"", "\"string\"", "a26869"),
    ("\"\"", "\"string\"", "a0"),
    ("\"e\u{301}\"", "\"string\"", "a2c3a9"),
    ("\"\u{212b}\"", "\"string\"", "a2c385"),
    ("true", "\"bool\"", "c3"),
    ("null", "\"bool\"", "c0"),
    ("\"?\"", "\"string\"", "d40000"),
    ("[\"b\",\"a\"]", "[\"list\",\"string\"]", "92a162a161"),
    ("[]", "[\"list\",\"string\"]", "90"),
    ("null", "[\"list\",\"string\"]", "c0"),
    (
        "[\"b\",\"a\",\"a\",\"B\"]",
        "[\"set\",\"string\"]",
        "93a142a161a162",
    ),
    ("[10,9,-1]", "[\"set\",\"number\"]", "93ff090a"),
    (
        "[\"?\",null,\"z\",\"a\"]",
        "[\"set\",\"string\"]",
        "94a161a17ad40000c0",
    ),
    ("[\"?\",\"?\"]", "[\"set\",\"string\"]", "92d40000d40000"),
    (
        "{\"b\":\"1\",\"a\":\"2\",\"B\":null}",
        "[\"map\",\"string\"]",
        "83a142c0a161a132a162a131",
    ),
    (
        "{\"z\":\"1\",\"a\":2}",
        "[\"object\",{\"z\":\"string\",\"a\":\"number\"}]",
        "82a16102a17aa131",
    ),
    (
        "[\"a\",true]",
        "[\"tuple\",[\"string\",\"bool\"]]",
        "92a161c3",
    ),
    ("\"hi\"", "\"dynamic\"", "92c40822737472696e6722a26869"),
    ("5", "\"dynamic\"", "92c408226e756d6265722205"),
    ("null", "\"dynamic\"", "c0"),
    ("\"?\"", "\"dynamic\"", "d40000"),
    (
        "{\"k\":1}",
        "[\"map\",\"dynamic\"]",
        "81a16b92c408226e756d6265722201",
    ),
    ("[]", "\"dynamic\"", "92c40c5b227475706c65222c5b5d5d90"),
    ("{}", "\"dynamic\"", "92c40d5b226f626a656374222c7b7d5d80"),
];

#[test]
fn known_values_have_known_bytes() {
    for (text, of, expected) in VECTORS {
        let of = kind(of);
        let encoded = msgpack::encode(&data(text), &of).unwrap();
        assert_eq!(hex(&encoded), *expected, "{text}");
        let back = msgpack::decode(&encoded, &of).unwrap();
        assert_eq!(msgpack::encode(&back, &of).unwrap(), encoded, "{text}");
    }
}

#[test]
fn a_tuple_of_any_type_is_wrapped_once() {
    let encoded = msgpack::encode(&data("[\"a\",1,null]"), &Type::Dynamic).unwrap();
    let inner = "[\"tuple\",[\"string\",\"number\",\"dynamic\"]]";
    let expected = [bytes("92c427"), inner.into(), bytes("93a16101c0")].concat();
    assert_eq!(encoded, expected);
}

#[test]
fn typed_nulls_and_unknowns_keep_their_type() {
    for (value, expected) in [
        (Data::Null, "92c40822737472696e6722c0"),
        (Data::Unknown, "92c40822737472696e6722d40000"),
    ] {
        let value = Data::Dynamic(Box::new(Type::String), Box::new(value));
        let encoded = msgpack::encode(&value, &Type::Dynamic).unwrap();
        assert_eq!(hex(&encoded), expected);
        assert_eq!(msgpack::decode(&encoded, &Type::Dynamic).unwrap(), value);
    }
}

#[test]
fn a_large_object_has_a_long_header() {
    let names = (0..20).map(|n| (format!("a{n:02}"), Type::Bool)).collect();
    let encoded = msgpack::encode(&data("{}"), &Type::Object(names, vec![])).unwrap();
    assert_eq!(hex(&encoded[..3]), "de0014");
}

#[test]
fn other_spellings_are_read() {
    for (hex, of, expected) in [
        ("c70000", "\"string\"", "\"?\""),
        ("c7000c", "\"string\"", "\"?\""),
        ("d40c80", "\"string\"", "\"?\""),
        ("c7030c8101c2", "\"bool\"", "\"?\""),
        ("c7090c8201c202a4616d692d", "[\"list\",\"string\"]", "\"?\""),
        ("a131", "\"number\"", "1"),
        ("c40161", "\"string\"", "\"a\""),
        ("ca3fc00000", "\"number\"", "1.5"),
        ("cb3fb999999999999a", "\"number\"", "0.1"),
        (
            "cb44b52d02c7e14af6",
            "\"number\"",
            "99999999999999991611392",
        ),
        ("cfffffffffffffffff", "\"number\"", "18446744073709551615"),
        ("92a161a161", "[\"set\",\"string\"]", "[\"a\"]"),
        (
            "82a16202a16101",
            "[\"map\",\"number\"]",
            "{\"a\":1,\"b\":2}",
        ),
        ("a361cc81", "\"string\"", "\"\u{e1}\""),
    ] {
        let read = msgpack::decode(&bytes(hex), &kind(of)).unwrap();
        assert_eq!(read, data(expected), "{hex}");
    }
    let read = msgpack::decode(&bytes("92a8226e756d6265722201"), &Type::Dynamic).unwrap();
    let expected = Data::Dynamic(Box::new(Type::Number), Box::new(data("1")));
    assert_eq!(read, expected);
}

#[test]
fn what_is_no_value_of_the_type_is_refused() {
    for (hex, of, expected) in [
        ("", "\"bool\"", "the bytes end"),
        (
            "81a16101",
            "[\"object\",{\"a\":\"number\",\"b\":\"number\"}]",
            "lacks",
        ),
        (
            "81a17a01",
            "[\"object\",{\"a\":\"number\"}]",
            "no attribute",
        ),
        ("c3", "\"number\"", "expected a number"),
        ("cb7ff0000000000000", "\"number\"", "finite"),
        ("93010203", "[\"tuple\",[\"number\"]]", "a tuple of 3"),
        ("c3c3", "\"bool\"", "left after"),
        ("91a178", "[\"list\",\"bool\"]", "[0]: expected a bool"),
        ("dd7fffffff", "[\"list\",\"bool\"]", "the bytes end"),
        ("c6ffffffff", "\"string\"", "the bytes end"),
        ("91c0", "\"dynamic\"", "a type and a value"),
    ] {
        let error = msgpack::decode(&bytes(hex), &kind(of))
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{hex}: {error}");
    }
}

#[test]
fn bottomless_values_are_refused() {
    let level = bytes("92c4155b227475706c65222c5b2264796e616d6963225d5d91");
    let deep = [level.repeat(10_000), vec![0xc0]].concat();
    let error = msgpack::decode(&deep, &Type::Dynamic).unwrap_err();
    assert!(error.problem.contains("levels deep"), "{error}");
    let mut value = Data::Null;
    for _ in 0..1000 {
        value = Data::List(vec![value]);
    }
    let error = msgpack::encode(&value, &Type::Dynamic).unwrap_err();
    assert!(error.problem.contains("levels deep"), "{error}");
}

#[test]
fn mismatches_name_the_place_and_not_the_value() {
    let of = kind("[\"object\",{\"a\":[\"map\",[\"list\",\"number\"]]}]");
    let value = data("{\"a\":{\"k\":[1,\"secret\"]}}");
    let error = msgpack::encode(&value, &of).unwrap_err();
    let text = "a[\"k\"][1]: found a string, expected a number";
    assert_eq!(error.to_string(), text);
    assert_eq!(json::to_json(&value, &of).unwrap_err(), error);
}

#[test]
fn json_is_read_leniently() {
    for (text, of, expected) in [
        ("\"5\"", "\"number\"", "5"),
        ("1.50", "\"string\"", "\"1.50\""),
        ("true", "\"string\"", "\"true\""),
        ("\"1\"", "\"bool\"", "true"),
        (
            "{\"b\":null}",
            "[\"object\",{\"a\":\"bool\",\"b\":\"bool\"}]",
            "{\"a\":null,\"b\":null}",
        ),
        (
            "123456789012345678901234567890",
            "\"number\"",
            "123456789012345678901234567890",
        ),
    ] {
        let read = json::from_bytes(text.as_bytes(), &kind(of)).unwrap();
        assert_eq!(read, data(expected), "{text}");
    }
    for (text, of) in [
        ("1", "\"bool\""),
        ("{\"x\":1}", "[\"object\",{}]"),
        ("{", "\"bool\""),
        ("5", "\"dynamic\""),
    ] {
        json::from_bytes(text.as_bytes(), &kind(of)).unwrap_err();
    }
}

#[test]
fn json_loses_what_a_type_does_not_have() {
    let of =
        kind("[\"object\",{\"a\":[\"list\",[\"object\",{\"b\":\"bool\"}]],\"d\":\"dynamic\"}]");
    let mut value: serde_json::Value = serde_json::from_str(
        r#"{"a":[{"b":true,"c":1}],"old":1,"d":{"value":{"x":1},"type":["object",{"x":"number"}]}}"#,
    )
    .unwrap();
    json::strip(&mut value, &of);
    assert_eq!(
        value.to_string(),
        r#"{"a":[{"b":true}],"d":{"value":{"x":1},"type":["object",{"x":"number"}]}}"#
    );
}

fn any_type() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![
        Just(Type::Bool),
        Just(Type::Number),
        Just(Type::String),
        Just(Type::Dynamic)
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|t| Type::List(Box::new(t))),
            inner
                .clone()
                .prop_filter("sets are of known types", |t| !t.has_dynamic())
                .prop_map(|t| Type::Set(Box::new(t))),
            inner.clone().prop_map(|t| Type::Map(Box::new(t))),
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Type::Tuple),
            proptest::collection::btree_map("[a-c]{1,2}", inner, 0..3)
                .prop_map(|attributes| Type::Object(attributes, vec![])),
        ]
    })
}

fn any_number() -> impl Strategy<Value = Number> {
    prop_oneof![
        any::<i64>().prop_map(Number::from),
        any::<u64>().prop_map(Number::from),
        "-?[0-9]{1,40}(\\.[0-9]{1,40})?".prop_map(|text| Number::parse(&text).unwrap()),
        any::<f64>().prop_filter_map("finite", Number::from_f64),
    ]
}

/// A value of a type, in its one form, possibly with nulls and unknown values.
fn value_of(kind: Type) -> BoxedStrategy<Data> {
    let list = |inner: Type| proptest::collection::vec(value_of(inner), 0..4).prop_map(Data::List);
    let value = match kind.clone() {
        Type::Bool => any::<bool>().prop_map(Data::Bool).boxed(),
        Type::Number => any_number().prop_map(Data::Number).boxed(),
        Type::String => "[\\PC\u{301}]{0,6}".prop_map(Data::String).boxed(),
        Type::Dynamic => prop_oneof![Just(Type::Bool), Just(Type::List(Box::new(Type::Number)))]
            .prop_flat_map(|own| {
                value_of(own.clone())
                    .prop_map(move |v| Data::Dynamic(Box::new(own.clone()), Box::new(v)))
            })
            .boxed(),
        Type::List(inner) | Type::Set(inner) => list(*inner).boxed(),
        Type::Map(inner) => proptest::collection::btree_map("[a-z]{0,3}", value_of(*inner), 0..4)
            .prop_map(Data::Map)
            .boxed(),
        Type::Tuple(kinds) => {
            let items: Vec<_> = kinds.into_iter().map(value_of).collect();
            items.prop_map(Data::List).boxed()
        }
        Type::Object(attributes, _) => {
            let (names, kinds): (Vec<_>, Vec<_>) = attributes.into_iter().unzip();
            let values: Vec<_> = kinds.into_iter().map(value_of).collect();
            values
                .prop_map(move |values| Data::Map(names.iter().cloned().zip(values).collect()))
                .boxed()
        }
    };
    prop_oneof![
        8 => value.prop_map(move |value| normal::value(value, &kind)),
        1 => Just(Data::Null),
        1 => Just(Data::Unknown),
    ]
    .boxed()
}

fn typed() -> impl Strategy<Value = (Type, Data)> {
    any_type().prop_flat_map(|kind| (Just(kind.clone()), value_of(kind)))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn values_come_back((kind, value) in typed()) {
        let encoded = msgpack::encode(&value, &kind).unwrap();
        prop_assert_eq!(&msgpack::decode(&encoded, &kind).unwrap(), &value);
    }

    #[test]
    fn known_values_come_back_from_json((kind, value) in typed()) {
        prop_assume!(value.is_wholly_known());
        let text = json::to_json(&value, &kind).unwrap().to_string();
        let back = json::from_bytes(text.as_bytes(), &kind).unwrap();
        let encoded = msgpack::encode(&back, &kind).unwrap();
        prop_assert_eq!(json::to_json(&back, &kind).unwrap().to_string(), text);
        prop_assert_eq!(msgpack::decode(&encoded, &kind).unwrap(), back);
    }

    #[test]
    fn types_come_back(kind in any_type()) {
        prop_assert_eq!(types::from_bytes(&types::to_bytes(&kind)).unwrap(), kind);
    }

    #[test]
    fn bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64), kind in any_type()) {
        let _ = msgpack::decode(&bytes, &kind);
        let _ = json::from_bytes(&bytes, &kind);
    }

    #[test]
    fn doubles_keep_their_value(double in any::<f64>()) {
        prop_assume!(double.is_finite());
        let mut bytes = vec![0xcb];
        bytes.extend(double.to_be_bytes());
        let Data::Number(number) = msgpack::decode(&bytes, &Type::Number).unwrap() else {
            panic!("a number");
        };
        prop_assert_eq!(number.as_f64(), double);
    }
}
