//! `encoding/openapi`: its configuration. Schemas are not converted.

use crate::builtin::call::Call;
use crate::builtin::host::{Failure, Outcome, Scalar};
use crate::builtin::kind::Kind;
use crate::builtin::registry::{ANY, Member, Package, schema_function};

pub(super) static PACKAGE: Package = Package {
    path: "encoding/openapi",
    members: MEMBERS,
    source: r#"{
	#Config: {
		version!:         "3.0.0"
		info?:            #Info
		selfContained:    bool | *false
		expandReferences: bool | *false
	}
	#Info: {
		title!:          string
		version!:        string
		summary?:        string
		description?:    string
		termsOfService?: string
		contact?:        #Contact
		license?:        #License
	}
	#Contact: {
		name?:  string
		url?:   string
		email?: string
	}
	#License: {
		name!: string
		url?:  string
	}
}"#,
};

static MEMBERS: &[Member] = &[schema_function(
    "MarshalSchema",
    &[ANY, ANY],
    Kind::STRING,
    marshal_schema,
)];

fn marshal_schema(c: &mut Call<'_>) -> Outcome {
    let config = c.concrete(0)?;
    let Some(version) = c.host.field(config, "version") else {
        let missing = "field not found: version";
        return Err(if c.host.kind(config).within(Kind::STRUCT) {
            Failure::Incomplete(missing.to_owned())
        } else {
            c.unfit(missing, config)
        });
    };
    if let Some(error) = c.host.error(version) {
        return Err(Failure::Error(error));
    }
    match c.host.scalar(version) {
        Some(Scalar::String(v)) if matches!(v.as_str(), "" | "3.0.0" | "3.1.0") => {
            Failure::fatal("encoding/openapi.MarshalSchema is not built in")
        }
        Some(Scalar::String(v)) => Failure::fatal(format!("unsupported version {v}")),
        _ => Err(c.misfit(version, Kind::STRING)),
    }
}
