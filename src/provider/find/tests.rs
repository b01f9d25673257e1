//! Sources, versions, CLI configurations and the search itself, in folders made for it.

use super::*;

#[test]
fn sources_have_defaults_and_rules() {
    for (text, full) in [
        ("random", "registry.opentofu.org/hashicorp/random"),
        ("acme/thing", "registry.opentofu.org/acme/thing"),
        ("registry.terraform.io/A/B", "registry.terraform.io/a/b"),
        ("Example.com:443/a/b", "example.com/a/b"),
        ("example.com:8080/a/b-c", "example.com:8080/a/b-c"),
    ] {
        assert_eq!(Source::parse(text).unwrap().to_string(), full);
    }
    for text in [
        "",
        "a/b/c/d",
        "a_b",
        "-a",
        "a--b",
        "a.b/c",
        "x y/a/b",
        "terraform-provider-aws",
    ] {
        assert!(Source::parse(text).is_err(), "{text}");
    }
}

#[test]
fn patterns_know_both_registries() {
    let source = Source::parse("registry.terraform.io/acme/thing").unwrap();
    for pattern in [
        "acme/*",
        "*/*",
        "*/*/*",
        "registry.opentofu.org/acme/thing",
        "acme/thing",
    ] {
        assert!(source.matches(pattern), "{pattern}");
    }
    for pattern in ["acme", "other/*", "example.com/*/*", "acme/thin"] {
        assert!(!source.matches(pattern), "{pattern}");
    }
}

#[test]
fn versions_are_ordered_and_constrained() {
    let version = |text: &str| Version::parse(text).unwrap();
    let order = [
        "1.0.0-alpha",
        "1.0.0-alpha.1",
        "1.0.0-alpha.beta",
        "1.0.0-beta.2",
        "1.0.0-beta.11",
        "1.0.0",
        "1.0.1",
        "1.10.0",
    ];
    assert!(
        order
            .windows(2)
            .all(|pair| version(pair[0]) < version(pair[1]))
    );
    for text in ["v1.0", "1.2.3.4", "1.*", " 1", "", "1.0.0-"] {
        assert_eq!(Version::parse(text), None, "{text}");
    }
    for (constraint, yes, no) in [
        ("1.2", "1.2.0", "1.2.1"),
        ("~> 1.2.3", "1.2.9", "1.3.0"),
        ("~> 1.2", "1.9.0", "2.0.0"),
        ("~> 1", "1.9.0", "2.0.0"),
        ("> 1", "1.5.0", "1.0.0"),
        ("<= 1", "1.0.0", "1.0.1"),
        (">= 1, != 1.5", "1.6.0", "1.5.0"),
        ("1.0.0-beta1", "1.0.0-beta1", "1.0.0"),
        (">= 1.0.0-beta1", "1.0.0", "1.0.0-beta2"),
        ("", "9.9.9", "1.0.0-x"),
        ("1.0.0", "1.0.0", "1.0.0+build"),
    ] {
        let parsed = Constraint::parse(constraint).unwrap();
        assert!(parsed.allows(&version(yes)), "{constraint} {yes}");
        assert!(!parsed.allows(&version(no)), "{constraint} {no}");
    }
    for text in [
        "v1.0", "^1.0", "=> 1.0", ">=  1", "1 2", "1.2.3.4", ",", ">",
    ] {
        assert!(Constraint::parse(text).is_err(), "{text}");
    }
}

#[test]
fn configurations_are_read_in_both_forms() {
    let text = r#"
        # comment
        plugin_cache_dir = "x" // other
        credentials "example.com" { token = "secret" }
        provider_installation {
          dev_overrides { "registry.terraform.io/acme/thing" = "/over" }
          /* two
             lines */
          filesystem_mirror { path = "mirror" include = ["acme/*", "*/null"] exclude = ["acme/x"] }
          direct {}
        }"#;
    let json = r#"{"provider_installation": [
        {"dev_overrides": {"acme/thing": "/over"}},
        {"filesystem_mirror": {"path": "mirror", "include": ["acme/*"], "exclude": ["acme/x"]}},
        {"direct": {}}]}"#;
    for text in [text, json] {
        let config = config::understand(text, Path::new("/etc")).unwrap();
        assert_eq!(config.overrides[0].1, Path::new("/over"));
        assert_eq!(config.mirrors[0].path, Path::new("/etc/mirror"));
        assert!(config.mirrors[0].handles(&Source::parse("acme/y").unwrap()));
        assert!(!config.mirrors[0].handles(&Source::parse("acme/x").unwrap()));
        assert!(!config.mirrors[0].handles(&Source::parse("other/x").unwrap()));
        assert_eq!(config.unsupported, ["direct (registries)"]);
    }
}

#[test]
fn broken_configurations_name_the_line() {
    for (text, problem) in [
        ("a =\n\n", "line 3: expected a value"),
        ("a {", "line 1: expected }"),
        ("a", "line 1: expected = or { after a"),
        ("a = \"x", "line 1: a text does not end"),
        ("/* \n", "line 2: a comment does not end"),
        ("a = <<X\nX", "line 1: text in << is not supported"),
        (
            "provider_installation { disk {} }",
            "the installation method \"disk\" is not known",
        ),
        (
            "provider_installation { filesystem_mirror {} }",
            "filesystem_mirror: path is missing",
        ),
        (
            "provider_installation {}\nprovider_installation {}",
            "there are two provider_installation blocks",
        ),
        ("]", "line 1: expected a name"),
    ] {
        let error = config::understand(text, Path::new("/")).unwrap_err();
        assert_eq!(error, problem);
    }
    let deep = format!("a = {}", "[".repeat(100_000));
    assert!(config::understand(&deep, Path::new("/")).is_err());
}

/// A folder with a CLI configuration `rc` and a mirror `m` of two versions of one provider.
fn folder(config: &str) -> (tempfile::TempDir, Options) {
    let folder = tempfile::tempdir().unwrap();
    for version in ["1.0.0", "1.10.0", "2.0.0-rc1", "junk"] {
        let at = folder
            .path()
            .join("m/registry.terraform.io/acme/thing")
            .join(version);
        let at = at.join(platform());
        std::fs::create_dir_all(&at).unwrap();
        std::fs::write(at.join(format!("terraform-provider-thing_v{version}")), "").unwrap();
        std::fs::write(at.join("terraform-provider-thingy"), "").unwrap();
    }
    std::fs::write(folder.path().join("rc"), config).unwrap();
    let options = Options {
        config: ConfigPlaces {
            named: Some(folder.path().join("rc")),
            ..ConfigPlaces::default()
        },
        own_binary: "/bin/own".into(),
        bundled: vec![Bundled {
            name: "random".into(),
            version: "3.9.0".into(),
        }],
        reattach: None,
    };
    (folder, options)
}

const MIRROR: &str = "provider_installation { filesystem_mirror { path = \"m\" } }";

#[test]
fn a_mirror_gives_the_newest_version_that_fits() {
    let (folder, options) = folder(MIRROR);
    let found = find("acme/thing", "", &options).unwrap();
    assert_eq!(
        (found.version.as_str(), found.origin),
        ("1.10.0", Origin::Mirror)
    );
    assert!(found.path.starts_with(folder.path()));
    assert!(found.path.ends_with("terraform-provider-thing_v1.10.0"));
    assert_eq!(
        find("acme/thing", "~> 1.0.0", &options).unwrap().version,
        "1.0.0"
    );
    assert_eq!(
        find("acme/thing", "2.0.0-rc1", &options).unwrap().version,
        "2.0.0-rc1"
    );
    let error = find("acme/thing", ">= 3", &options)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("1.0.0") && error.contains("registries"),
        "{error}"
    );
}

#[test]
fn an_override_wins_and_must_hold_the_executable() {
    let (folder, options) =
        folder("provider_installation { dev_overrides { \"random\" = \"o\" } }");
    let error = find("hashicorp/random", "", &options).unwrap_err();
    assert!(matches!(error, FindError::Override { .. }), "{error}");
    std::fs::create_dir_all(folder.path().join("o")).unwrap();
    std::fs::write(folder.path().join("o/terraform-provider-random"), "").unwrap();
    let found = find("registry.terraform.io/hashicorp/random", "9.9", &options).unwrap();
    assert_eq!(
        (found.version.as_str(), found.origin),
        ("", Origin::DevOverrides)
    );
}

#[test]
fn bundled_plugins_come_last() {
    let (_folder, options) = folder(MIRROR);
    let found = find("random", ">= 3", &options).unwrap();
    assert_eq!(found.origin, Origin::Bundled);
    assert_eq!(found.path, Path::new("/bin/own"));
    assert_eq!(found.arguments, ["plugin", "serve", "random"]);
    for (source, constraint) in [
        ("random", "< 3"),
        ("acme/random", ""),
        ("example.com/hashicorp/random", ""),
    ] {
        assert!(matches!(
            find(source, constraint, &options),
            Err(FindError::Nowhere { .. })
        ));
    }
}

#[test]
fn a_missing_file_says_nothing_and_a_broken_one_is_named() {
    let (folder, mut options) = folder("{{");
    let error = find("random", "", &options).unwrap_err().to_string();
    assert!(error.contains("rc: line 1"), "{error}");
    options.config.named = Some(folder.path().join("none"));
    find("random", "", &options).unwrap();
    options.config.named = None;
    options.config.home = Some(folder.path().into());
    std::fs::write(folder.path().join(".terraformrc"), "{{").unwrap();
    find("random", "", &options).unwrap_err();
    std::fs::write(folder.path().join(".tofurc"), "").unwrap();
    find("random", "", &options).unwrap();
}

#[test]
fn attaching_is_refused_by_name() {
    let (_folder, mut options) = folder("");
    options.reattach = Some("{}".into());
    let error = find("random", "", &options).unwrap_err().to_string();
    assert!(error.starts_with("TF_REATTACH_PROVIDERS is set"), "{error}");
}
