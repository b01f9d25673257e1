//! Between the messages of the protocol and what a plugin works with.

use crate::kit::{Fault, Faults, Plugin, Severity, Shape};
use pravo_proto::schema::{self, Capabilities, Offer};
use pravo_proto::tfplugin6::{self as wire, DynamicValue, diagnostic};
use pravo_proto::{diagnostic::path_to_wire, tfplugin5, value};
use pravo_state::{Data, ProviderSchema, Type};

/// What every bundled plugin can do besides the basic calls. None of them takes over objects of
/// other types; that they answer the call lets a host tell why.
pub(super) const CAPABILITIES: Capabilities = Capabilities {
    plan_destroy: true,
    schema_optional: true,
    move_state: true,
    generate_config: false,
};

/// The same as a message.
pub(super) fn capabilities() -> wire::ServerCapabilities {
    wire::ServerCapabilities {
        plan_destroy: CAPABILITIES.plan_destroy,
        get_provider_schema_optional: CAPABILITIES.schema_optional,
        move_resource_state: CAPABILITIES.move_state,
        generate_resource_config: CAPABILITIES.generate_config,
    }
}

/// A value of a message as data.
///
/// # Errors
/// That its bytes are no value of the type.
pub(super) fn data(sent: Option<&DynamicValue>, shape: &Shape) -> Result<Data, Faults> {
    data_of_type(sent, &shape.object)
}

/// The same for any type.
///
/// # Errors
/// That its bytes are no value of the type.
pub(super) fn data_of_type(sent: Option<&DynamicValue>, kind: &Type) -> Result<Data, Faults> {
    value::from_wire(sent, kind).map_err(|error| {
        Fault::error(
            "The host sent a value that does not fit the schema",
            format!("{error}."),
        )
        .into()
    })
}

/// Data as a value of a message.
///
/// # Errors
/// That it does not fit the type.
pub(super) fn sent(data: &Data, kind: &Type) -> Result<DynamicValue, Faults> {
    value::to_wire(data, kind).map_err(|error| {
        Fault::error(
            "The plugin's answer does not fit its schema",
            format!("This is a mistake of the plugin. {error}."),
        )
        .into()
    })
}

/// Faults as the diagnostics of a message, sorted.
pub(super) fn diagnostics(faults: Faults) -> Vec<wire::Diagnostic> {
    let one = |fault: Fault| wire::Diagnostic {
        severity: match fault.severity {
            Severity::Error => diagnostic::Severity::Error,
            Severity::Warning => diagnostic::Severity::Warning,
        }
        .into(),
        summary: fault.summary,
        detail: fault.detail,
        attribute: (!fault.path.0.is_empty()).then(|| path_to_wire(&fault.path)),
    };
    faults.into_sorted().into_iter().map(one).collect()
}

/// The answer to the question for the schema.
///
/// # Errors
/// That the schema cannot be told in this version of the protocol.
pub(super) fn schema(
    plugin: &Plugin,
) -> Result<tfplugin5::get_provider_schema::Response, schema::SchemaError> {
    let of_actions = plugin.actions().filter_map(|name| {
        let shape = plugin.action_shape(name)?;
        Some((name.to_owned(), shape.schema()))
    });
    let actions = answer(ProviderSchema {
        resources: of_actions.collect(),
        ..ProviderSchema::default()
    })?;
    let mut all = answer(plugin.schema())?;
    all.action_schemas = actions
        .resource_schemas
        .into_iter()
        .map(|(name, schema)| {
            let schema = Some(schema);
            (name, tfplugin5::ActionSchema { schema })
        })
        .collect();
    Ok(all)
}

fn answer(
    schema: ProviderSchema,
) -> Result<tfplugin5::get_provider_schema::Response, schema::SchemaError> {
    schema::to_v5(schema::write(&Offer {
        schema,
        meta: None,
        capabilities: CAPABILITIES,
    }))
}
