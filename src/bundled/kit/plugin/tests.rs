//! What a plugin answers to calls that make no sense.

use super::*;
use crate::kit::{Field, Presence};

struct Careless;

impl Resource for Careless {
    fn create(&self, planned: Object) -> Result<Object, Faults> {
        Ok(planned)
    }
}

fn plugin() -> Plugin {
    let shape = Shape::new("A type.", vec![Field::text("id", Presence::Computed)]).version(1);
    Plugin::new("test", "1.0.0").resource("test_thing", shape, Careless)
}

#[test]
fn unknown_types_are_refused() {
    let plugin = plugin();
    let null = Data::Null;
    assert!(plugin.plan("x", &null, &null, &null).faults.has_error());
    assert!(plugin.apply("x", &null, &null).faults.has_error());
    assert!(plugin.read("x", &null).faults.has_error());
    assert!(plugin.import("x", "id").faults.has_error());
    assert!(plugin.upgrade("x", 0, b"{}").is_err());
    assert!(plugin.read_data("x", &null).is_err());
    assert!(plugin.open("x", &null).is_err());
    assert!(plugin.plan_action("x", &null).is_err());
    assert!(plugin.invoke("x", &null).is_err());
    assert!(plugin.call("x", &[]).is_err());
    assert!(validate_config(plugin.resource_shape("x"), "x", &null).has_error());
}

#[test]
fn an_answer_with_unknowns_is_an_error() {
    let planned = Data::from(Object::default().with("id", Data::Unknown));
    let applied = plugin().apply("test_thing", &Data::Null, &planned);
    assert!(applied.faults.has_error());
    let nothing = plugin().apply("test_thing", &Data::Null, &Data::Null);
    assert_eq!(nothing, Applied::default());
}

#[test]
fn versions_of_records() {
    let plugin = plugin();
    assert!(plugin.upgrade("test_thing", 1, br#"{"id": "a"}"#).is_ok());
    for version in [-1, 0, 2] {
        let answer = plugin.upgrade("test_thing", version, br#"{"id": "a"}"#);
        assert!(answer.is_err(), "{version}");
    }
}

#[test]
fn functions_take_known_values_in_the_right_number() {
    let local = crate::local::plugin(None);
    assert!(local.call("direxists", &["/".into()]).is_ok());
    let argument = |arguments: &[Data]| local.call("direxists", arguments).unwrap_err().argument;
    assert_eq!(argument(&[]), None);
    assert_eq!(argument(&["/".into(), "/".into()]), None);
    assert_eq!(argument(&[Data::Null]), Some(0));
    assert_eq!(argument(&[Data::Unknown]), Some(0));
}
