//! What holds for every configuration: what was made stays as it is.

use pravo_bundled::kit::plugin::validate_config;
use pravo_bundled::kit::{Object, Plugin};
use pravo_bundled::{Environment, plugin};
use pravo_state::Data;
use proptest::prelude::*;

/// Creates by a configuration, reads, plans the same configuration again and another one.
fn stays(plugin: &Plugin, name: &str, config: &Object, other: &Object) {
    let shape = plugin.resource_shape(name).unwrap();
    let config = Data::from(shape.complete(config));
    if validate_config(Some(shape), name, &config).has_error() {
        return;
    }
    let planned = plugin.plan(name, &Data::Null, &config, &config);
    if planned.faults.has_error() {
        return;
    }
    assert!(planned.requires_replace.is_empty());
    let made = plugin.apply(name, &Data::Null, &planned.state);
    if made.faults.has_error() {
        assert!(made.state.is_null());
        return;
    }
    let (Data::Map(plan), Data::Map(state)) = (&planned.state, &made.state) else {
        panic!("{name} is no object");
    };
    for (attribute, value) in plan {
        assert!(
            *value == Data::Unknown || *value == state[attribute],
            "{name}.{attribute}"
        );
    }
    let read = plugin.read(name, &made.state);
    assert_eq!(read.state, made.state);
    let again = plugin.plan(
        name,
        &made.state,
        &config,
        &proposed(plugin, name, &made.state, &config),
    );
    assert_eq!(
        (&again.state, again.requires_replace.len()),
        (&made.state, 0),
        "{name}"
    );
    let other = Data::from(shape.complete(other));
    let changed = plugin.plan(
        name,
        &made.state,
        &other,
        &proposed(plugin, name, &made.state, &other),
    );
    if changed.faults.is_empty() && changed.requires_replace.is_empty() {
        let updated = plugin.apply(name, &made.state, &changed.state);
        assert_eq!(updated.state, changed.state, "{name}");
    }
}

/// What a host proposes: the configuration with the prior values of computed attributes.
fn proposed(plugin: &Plugin, name: &str, prior: &Data, config: &Data) -> Data {
    let shape = plugin.resource_shape(name).unwrap();
    let mut proposed = Object::of(config).unwrap();
    for field in shape.fields.iter().filter(|field| field.is_computed()) {
        if proposed.get(field.name).is_null() {
            let kept = prior.get(field.name).cloned().unwrap_or_default();
            proposed.set(field.name, kept);
        }
    }
    proposed.into()
}

fn value() -> impl Strategy<Value = Data> {
    let text = || prop_oneof![Just(Data::Null), "[a-c]{1,2}".prop_map(Data::from)];
    prop_oneof![
        Just(Data::Null),
        (-2i64..12).prop_map(Data::from),
        any::<bool>().prop_map(Data::from),
        "[A-Za-z-]{1,4}".prop_map(Data::from),
        prop::collection::vec(text(), 0..4).prop_map(Data::List),
        prop::collection::btree_map("[k-m]", text(), 0..3).prop_map(Data::Map),
    ]
}

/// A configuration of a type: each value where its type takes it.
fn config(plugin: &Plugin, name: &str, values: &[Data]) -> Object {
    use pravo_state::Type;
    let fits = |kind: &Type, value: &Data| {
        matches!(
            (kind, value),
            (_, Data::Null)
                | (Type::Number, Data::Number(_))
                | (Type::Bool, Data::Bool(_))
                | (Type::String, Data::String(_))
                | (Type::List(_), Data::List(_))
                | (Type::Map(_), Data::Map(_))
        )
    };
    let shape = plugin.resource_shape(name).unwrap();
    let mut object = Object::default();
    let mut left = values
        .iter()
        .cycle()
        .take(values.len() * shape.fields.len());
    for field in &shape.fields {
        if field.presence != pravo_bundled::kit::Presence::Computed
            && let Some(value) = left.by_ref().find(|value| fits(&field.kind, value))
        {
            object.set(field.name, value.clone());
        }
    }
    object
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_was_made_stays(values in prop::collection::vec(value(), 4..40),
                           others in prop::collection::vec(value(), 4..40)) {
        for name in ["random", "null"] {
            let plugin = plugin(name, &Environment::default()).unwrap();
            for kind in plugin.schema().resources.keys().filter(|kind| *kind != "random_password") {
                let one = config(&plugin, kind, &values);
                stays(&plugin, kind, &one, &config(&plugin, kind, &others));
            }
        }
    }
}
