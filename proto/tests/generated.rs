//! The committed code is what the `.proto` files beside it generate. `PRAVO_UPDATE=1` rewrites it.

use std::fs;
use std::path::{Path, PathBuf};

/// The generated files, by the package of their `.proto`.
const FILES: [&str; 4] = [
    "tfplugin6.rs",
    "tfplugin5.rs",
    "plugin.rs",
    "grpc.health.v1.rs",
];

/// The messages of version 5 that have the same bytes as those of version 6, and the name they
/// have there. Their Rust types are shared.
const SHARED: [(&str, &str); 31] = [
    ("DynamicValue", "DynamicValue"),
    ("RawState", "RawState"),
    ("AttributePath", "AttributePath"),
    ("Diagnostic", "Diagnostic"),
    ("FunctionError", "FunctionError"),
    ("StringKind", "StringKind"),
    ("ResourceIdentitySchema", "ResourceIdentitySchema"),
    ("ResourceIdentityData", "ResourceIdentityData"),
    ("Function", "Function"),
    ("ServerCapabilities", "ServerCapabilities"),
    ("ClientCapabilities", "ClientCapabilities"),
    ("Deferred", "Deferred"),
    ("GetMetadata", "GetMetadata"),
    ("GetResourceIdentitySchemas", "GetResourceIdentitySchemas"),
    ("Configure", "ConfigureProvider"),
    ("Stop", "StopProvider"),
    ("ValidateResourceTypeConfig", "ValidateResourceConfig"),
    ("UpgradeResourceState", "UpgradeResourceState"),
    ("UpgradeResourceIdentity", "UpgradeResourceIdentity"),
    ("ReadResource", "ReadResource"),
    ("PlanResourceChange", "PlanResourceChange"),
    ("ApplyResourceChange", "ApplyResourceChange"),
    ("ImportResourceState", "ImportResourceState"),
    ("MoveResourceState", "MoveResourceState"),
    ("GenerateResourceConfig", "GenerateResourceConfig"),
    ("ValidateDataSourceConfig", "ValidateDataResourceConfig"),
    ("ReadDataSource", "ReadDataSource"),
    ("OpenEphemeralResource", "OpenEphemeralResource"),
    ("RenewEphemeralResource", "RenewEphemeralResource"),
    ("CloseEphemeralResource", "CloseEphemeralResource"),
    ("CallFunction", "CallFunction"),
];

/// As [`SHARED`], for the messages that have one name in both.
const SHARED_MORE: [&str; 7] = [
    "ValidateEphemeralResourceConfig",
    "GetFunctions",
    "ValidateListResourceConfig",
    "ListResource",
    "ValidateActionConfig",
    "PlanAction",
    "InvokeAction",
];

fn generate(into: &Path) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources = ["tfplugin6.proto", "plugin.proto", "health.proto"];
    let newer = protox::compile(sources, [root]).expect("the definitions compile");
    let older = protox::compile(["tfplugin5.proto"], [root]).expect("version 5 compiles");
    let settings = || {
        tonic_prost_build::configure()
            .build_transport(false)
            .generate_default_stubs(true)
            .out_dir(into)
    };
    settings().compile_fds(newer).expect("code is generated");
    let same = SHARED_MORE.map(|name| (name, name));
    let settings = SHARED
        .iter()
        .chain(&same)
        .fold(settings(), |s, (name, there)| {
            s.extern_path(
                format!(".tfplugin5.{name}"),
                format!("crate::tfplugin6::{there}"),
            )
        });
    settings.compile_fds(older).expect("code is generated");
}

fn scratch() -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("generated");
    fs::create_dir_all(&path).expect("the target folder is writable");
    path
}

#[test]
fn committed_code_is_generated_from_the_definitions() {
    let scratch = scratch();
    generate(&scratch);
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("generated");
    for file in FILES {
        let fresh = fs::read_to_string(scratch.join(file)).unwrap();
        let path = committed.join(file);
        if std::env::vars().any(|(name, value)| name == "PRAVO_UPDATE" && value == "1") {
            fs::write(&path, &fresh).unwrap();
        }
        let old = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            old == fresh,
            "{} differs from its definition; run with PRAVO_UPDATE=1",
            path.display()
        );
    }
}
