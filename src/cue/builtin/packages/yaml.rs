//! `encoding/yaml`.

use crate::builtin::call::Call;
use crate::builtin::host::{Check, Data, Failure, Format, Outcome, Purpose};
use crate::builtin::kind::Kind;
use crate::builtin::registry::{ANY, BYTES, Member, Package, function, schema_function};
use crate::print::write_yaml;

pub(super) static PACKAGE: Package = Package {
    path: "encoding/yaml",
    members: MEMBERS,
    source: "",
};

static MEMBERS: &[Member] = &[
    function("Marshal", &[ANY], Kind::STRING, |c| {
        Ok(write_yaml(&c.valid_data(0, Purpose::Yaml)?).into())
    }),
    function("MarshalStream", &[ANY], Kind::STRING, marshal_stream),
    function("Unmarshal", &[BYTES], Kind::TOP, |c| {
        let text = c.text(0)?;
        let values = c.host.decode(Format::Yaml, "", &text)?;
        Ok(Data::Value(values[0]))
    }),
    function("UnmarshalStream", &[BYTES], Kind::TOP, |c| {
        let text = c.text(0)?;
        let values = c.host.decode(Format::YamlStream, "", &text)?;
        Ok(Data::values(values))
    }),
    schema_function("Validate", &[BYTES, ANY], Kind::BOOL, |c| {
        validate(c, "yaml.Validate", Check::Whole)
    }),
    schema_function("ValidatePartial", &[BYTES, ANY], Kind::BOOL, |c| {
        validate(c, "yaml.ValidatePartial", Check::Partial)
    }),
];

/// Holds every document against a schema.
fn validate(c: &mut Call<'_>, file: &str, check: Check) -> Outcome {
    let (text, schema) = (c.text(0)?, c.handle(1));
    for value in c.host.decode(Format::YamlStream, file, &text)? {
        c.host.validate_value(schema, value, check)?;
    }
    Ok(true.into())
}

fn marshal_stream(c: &mut Call<'_>) -> Outcome {
    let list = c.concrete(0)?;
    let Some(elements) = c.host.elements(list).map_err(Failure::Error)? else {
        return Err(c.misfit(list, Kind::LIST));
    };
    let mut documents = Vec::new();
    for item in elements.items {
        c.host.validate(item)?;
        documents.push(write_yaml(&c.host.data(item, Purpose::Yaml)?));
    }
    Ok(documents.join("---\n").into())
}
