//! `encoding/openapi`: its configuration, and the document of a value.

use crate::builtin::call::Call;
use crate::builtin::host::{Data, Failure, Handle, Outcome, Purpose, Scalar};
use crate::builtin::json_writer::{JsonStyle, write_json};
use crate::builtin::kind::Kind;
use crate::builtin::registry::{ANY, Member, Package, schema_function};
use crate::openapi::Request;

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
    let version = match c.host.scalar(version) {
        Some(Scalar::String(v)) if v.is_empty() => "3.0.0".to_owned(),
        Some(Scalar::String(v)) if matches!(v.as_str(), "3.0.0" | "3.1.0") => v,
        Some(Scalar::String(v)) => return Failure::fatal(format!("unsupported version {v}")),
        _ => return Err(c.misfit(version, Kind::STRING)),
    };
    let expand = c.host.field(config, "expandReferences");
    let expand = expand.and_then(|e| c.host.scalar(e)) == Some(Scalar::Bool(true));
    let info = info(c, config)?;
    let schema = c.handle(1);
    let request = Request {
        version,
        expand,
        info,
    };
    let document = c.host.openapi(schema, request)?;
    Ok(Data::String(write_json(&document, JsonStyle::default())))
}

/// The information about the document that the configuration holds.
fn info(c: &mut Call<'_>, config: Handle) -> Result<Option<Vec<(String, Data)>>, Failure> {
    let Some(info) = c.host.field(config, "info") else {
        return Ok(None);
    };
    let literal = match c.host.data(info, Purpose::Json)? {
        Data::Struct(fields) => return Ok(Some(fields)),
        Data::List(_) => "ListLit",
        Data::Number(n) if n.value.is_negative() => "UnaryExpr",
        _ => "BasicLit",
    };
    Failure::fatal(format!(
        "Info field supplied must marshal to a struct but got *ast.{literal}"
    ))
}
