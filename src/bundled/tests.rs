//! The list of plugins and the names a binary can have.

use super::*;

#[test]
fn every_name_has_a_version_and_a_plugin() {
    let environment = Environment::default();
    for name in names() {
        let plugin = plugin(name, &environment).unwrap();
        assert_eq!(
            (plugin.name(), Some(plugin.version())),
            (name, version(name))
        );
        let schema = plugin.schema();
        let prefix = format!("{name}_");
        let types = schema.resources.keys().chain(schema.data_sources.keys());
        assert!(types.into_iter().all(|kind| kind.starts_with(&prefix)));
    }
    assert!(plugin("aws", &environment).is_none());
    assert_eq!(version("aws"), None);
}

#[test]
fn names_of_programs() {
    for program in [
        "terraform-provider-random",
        "terraform-provider-random_v3.9.0_x5",
        "terraform-provider-random_v3.9.0",
    ] {
        assert_eq!(name_of_program(program), Some("random"), "{program}");
    }
    for program in [
        "pravo",
        "random",
        "terraform-provider-aws",
        "terraform-provider-",
        "",
    ] {
        assert_eq!(name_of_program(program), None, "{program}");
    }
}
