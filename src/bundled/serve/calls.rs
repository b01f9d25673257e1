//! The calls of a host: from a request message to a response message.

use super::wire::{capabilities, data, data_of_type, diagnostics, sent};
use crate::kit::plugin::validate_config;
use crate::kit::{Fault, Faults, Plugin, Shape};
use pravo_proto::diagnostic::path_to_wire;
use pravo_proto::schema::write_function;
use pravo_proto::tfplugin6 as wire;
use pravo_state::Data;

/// Everything wrong with a configuration, as diagnostics.
pub(super) fn validate(
    shape: Option<&Shape>,
    name: &str,
    config: Option<&wire::DynamicValue>,
) -> Vec<wire::Diagnostic> {
    let Some(known) = shape else {
        return diagnostics(validate_config(None, name, &Data::Null));
    };
    diagnostics(match data(config, known) {
        Ok(config) => validate_config(shape, name, &config),
        Err(faults) => faults,
    })
}

/// `GetMetadata`. The field for actions has no agreed number in version 5 and stays empty.
pub(super) fn metadata(plugin: &Plugin) -> wire::get_metadata::Response {
    use wire::get_metadata::{
        DataSourceMetadata, EphemeralResourceMetadata, FunctionMetadata, ResourceMetadata,
    };
    let schema = plugin.schema();
    wire::get_metadata::Response {
        server_capabilities: Some(capabilities()),
        data_sources: (schema.data_sources.into_keys())
            .map(|type_name| DataSourceMetadata { type_name })
            .collect(),
        resources: (schema.resources.into_keys())
            .map(|type_name| ResourceMetadata { type_name })
            .collect(),
        functions: (schema.functions.into_keys())
            .map(|name| FunctionMetadata { name })
            .collect(),
        ephemeral_resources: (schema.ephemerals.into_keys())
            .map(|type_name| EphemeralResourceMetadata { type_name })
            .collect(),
        ..Default::default()
    }
}

/// `UpgradeResourceState`.
pub(super) fn upgrade(
    plugin: &Plugin,
    request: &wire::upgrade_resource_state::Request,
) -> wire::upgrade_resource_state::Response {
    let name = &request.type_name;
    let upgraded = || {
        let shape = known(plugin.resource_shape(name), name)?;
        let record = request.raw_state.as_ref().ok_or_else(|| {
            Fault::error(
                "The host sent no recorded state",
                "It must send it as JSON.",
            )
        })?;
        if record.json.is_empty() {
            return Err(Fault::error(
                "The recorded state is not JSON",
                "Its form is that of Terraform before 0.12. Upgrade it with 0.13 first.",
            )
            .into());
        }
        let state = plugin.upgrade(name, request.version, &record.json)?;
        sent(&state, &shape.object)
    };
    let (upgraded_state, faults) = split(upgraded());
    wire::upgrade_resource_state::Response {
        upgraded_state,
        diagnostics: diagnostics(faults),
    }
}

/// `ReadResource`. Private data only ever tells a read that follows an import; it ends here.
pub(super) fn read(
    plugin: &Plugin,
    request: wire::read_resource::Request,
) -> wire::read_resource::Response {
    let name = &request.type_name;
    let found = || {
        let shape = known(plugin.resource_shape(name), name)?;
        let state = data(request.current_state.as_ref(), shape)?;
        let read = plugin.read(name, &state);
        if read.faults.has_error() {
            return Err(read.faults);
        }
        sent(&read.state, &shape.object)
    };
    let (new_state, faults) = split(found());
    wire::read_resource::Response {
        new_state: new_state.or(request.current_state),
        diagnostics: diagnostics(faults),
        ..Default::default()
    }
}

/// `PlanResourceChange`.
pub(super) fn plan(
    plugin: &Plugin,
    request: &wire::plan_resource_change::Request,
) -> wire::plan_resource_change::Response {
    let name = &request.type_name;
    let planned = || {
        let shape = known(plugin.resource_shape(name), name)?;
        let prior = data(request.prior_state.as_ref(), shape)?;
        let config = data(request.config.as_ref(), shape)?;
        let proposed = data(request.proposed_new_state.as_ref(), shape)?;
        let planned = plugin.plan(name, &prior, &config, &proposed);
        let state = sent(&planned.state, &shape.object)?;
        Ok((state, planned))
    };
    match planned() {
        Ok((state, planned)) => wire::plan_resource_change::Response {
            planned_state: Some(state),
            requires_replace: planned.requires_replace.iter().map(path_to_wire).collect(),
            diagnostics: diagnostics(planned.faults),
            ..Default::default()
        },
        Err(faults) => wire::plan_resource_change::Response {
            diagnostics: diagnostics(faults),
            ..Default::default()
        },
    }
}

/// `ApplyResourceChange`. With an error the answer holds the state before.
pub(super) fn apply(
    plugin: &Plugin,
    request: wire::apply_resource_change::Request,
) -> wire::apply_resource_change::Response {
    let name = &request.type_name;
    let applied = || {
        let shape = known(plugin.resource_shape(name), name)?;
        let prior = data(request.prior_state.as_ref(), shape)?;
        let planned = data(request.planned_state.as_ref(), shape)?;
        let applied = plugin.apply(name, &prior, &planned);
        let state = sent(&applied.state, &shape.object)?;
        Ok((state, applied.faults))
    };
    let (new_state, faults) = match applied() {
        Ok((state, faults)) => (Some(state), faults),
        Err(faults) => (request.prior_state, faults),
    };
    wire::apply_resource_change::Response {
        new_state,
        diagnostics: diagnostics(faults),
        ..Default::default()
    }
}

/// `ImportResourceState`.
pub(super) fn import(
    plugin: &Plugin,
    request: wire::import_resource_state::Request,
) -> wire::import_resource_state::Response {
    let name = request.type_name;
    let imported = || {
        let shape = known(plugin.resource_shape(&name), &name)?;
        let found = plugin.import(&name, &request.id);
        if found.faults.has_error() {
            return Err(found.faults);
        }
        Ok((sent(&found.state, &shape.object)?, found.private))
    };
    match imported() {
        Ok((state, private)) => wire::import_resource_state::Response {
            imported_resources: vec![wire::import_resource_state::ImportedResource {
                type_name: name,
                state: Some(state),
                private,
                identity: None,
            }],
            ..Default::default()
        },
        Err(faults) => wire::import_resource_state::Response {
            diagnostics: diagnostics(faults),
            ..Default::default()
        },
    }
}

/// `MoveResourceState`: refused, as in the released plugins.
pub(super) fn move_state(
    request: &wire::move_resource_state::Request,
) -> wire::move_resource_state::Response {
    let fault = Fault::error(
        format!(
            "A {} cannot become a {}",
            request.source_type_name, request.target_type_name
        ),
        "No type of this plugin takes over objects of another type.",
    );
    wire::move_resource_state::Response {
        diagnostics: diagnostics(fault.into()),
        ..Default::default()
    }
}

/// `ReadDataSource`.
pub(super) fn read_data(
    plugin: &Plugin,
    request: &wire::read_data_source::Request,
) -> wire::read_data_source::Response {
    let name = &request.type_name;
    let found = || {
        let shape = known(plugin.data_shape(name), name)?;
        let config = data(request.config.as_ref(), shape)?;
        sent(&plugin.read_data(name, &config)?, &shape.object)
    };
    let (state, faults) = split(found());
    wire::read_data_source::Response {
        state,
        diagnostics: diagnostics(faults),
        ..Default::default()
    }
}

/// `OpenEphemeralResource`.
pub(super) fn open(
    plugin: &Plugin,
    request: &wire::open_ephemeral_resource::Request,
) -> wire::open_ephemeral_resource::Response {
    let name = &request.type_name;
    let opened = || {
        let shape = known(plugin.ephemeral_shape(name), name)?;
        let config = data(request.config.as_ref(), shape)?;
        sent(&plugin.open(name, &config)?, &shape.object)
    };
    let (result, faults) = split(opened());
    wire::open_ephemeral_resource::Response {
        result,
        diagnostics: diagnostics(faults),
        ..Default::default()
    }
}

/// `GetFunctions`.
pub(super) fn functions(plugin: &Plugin) -> wire::get_functions::Response {
    wire::get_functions::Response {
        functions: (plugin.schema().functions.into_iter())
            .map(|(name, function)| (name, write_function(&function)))
            .collect(),
        ..Default::default()
    }
}

/// `CallFunction`.
pub(super) fn call(
    plugin: &Plugin,
    request: &wire::call_function::Request,
) -> wire::call_function::Response {
    let refuse = |text: String, function_argument| wire::call_function::Response {
        result: None,
        error: Some(wire::FunctionError {
            text,
            function_argument,
        }),
    };
    let name = &request.name;
    let Some(function) = plugin.function_named(name) else {
        return refuse(format!("this plugin has no function {name}"), None);
    };
    let signature = function.signature();
    let mut arguments = Vec::new();
    for (position, argument) in request.arguments.iter().enumerate() {
        let Some(parameter) = signature.parameters.get(position) else {
            return refuse(format!("{name} takes fewer arguments"), None);
        };
        match data_of_type(Some(argument), &parameter.kind) {
            Ok(argument) => arguments.push(argument),
            Err(faults) => return refuse(text(faults), i64::try_from(position).ok()),
        }
    }
    let result = match plugin.call(name, &arguments) {
        Ok(result) => result,
        Err(error) => return refuse(error.text, error.argument),
    };
    match sent(&result, &signature.result) {
        Ok(result) => wire::call_function::Response {
            result: Some(result),
            error: None,
        },
        Err(faults) => refuse(text(faults), None),
    }
}

/// `PlanAction`.
pub(super) fn plan_action(
    plugin: &Plugin,
    request: &wire::plan_action::Request,
) -> wire::plan_action::Response {
    let name = &request.action_type;
    let planned = || {
        let shape = known(plugin.action_shape(name), name)?;
        plugin.plan_action(name, &data(request.config.as_ref(), shape)?)
    };
    wire::plan_action::Response {
        diagnostics: diagnostics(planned().err().unwrap_or_default()),
        ..Default::default()
    }
}

/// `InvokeAction`: what is shown on the way, then the end.
pub(super) fn invoke(
    plugin: &Plugin,
    request: &wire::invoke_action::Request,
) -> Vec<wire::invoke_action::Event> {
    use wire::invoke_action::event::{Completed, Progress, Type};
    let name = &request.action_type;
    let invoked = || {
        let shape = known(plugin.action_shape(name), name)?;
        plugin.invoke(name, &data(request.config.as_ref(), shape)?)
    };
    let (message, faults) = split(invoked());
    let progress = message.map(|message| Type::Progress(Progress { message }));
    let completed = Type::Completed(Completed {
        diagnostics: diagnostics(faults),
    });
    let events = progress.into_iter().chain([completed]);
    events
        .map(|event| wire::invoke_action::Event {
            r#type: Some(event),
        })
        .collect()
}

fn known<'a>(shape: Option<&'a Shape>, name: &str) -> Result<&'a Shape, Faults> {
    shape.ok_or_else(|| validate_config(None, name, &Data::Null))
}

fn split<T>(answer: Result<T, Faults>) -> (Option<T>, Faults) {
    match answer {
        Ok(value) => (Some(value), Faults::default()),
        Err(faults) => (None, faults),
    }
}

fn text(faults: Faults) -> String {
    let texts = faults.into_sorted().into_iter();
    let texts: Vec<String> = texts
        .map(|fault| format!("{}: {}", fault.summary, fault.detail))
        .collect();
    texts.join(" ")
}
