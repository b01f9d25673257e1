//! NULL: the plugin whose resource does nothing but remember its triggers.

use crate::keepers::keepers_field;
use crate::kit::{DataSource, Faults, Field, Object, Plugin, Presence, Resource, Shape};
use crate::secure;
use pravo_state::Data;

/// The release whose answers the plugin gives.
pub(crate) const VERSION: &str = "3.3.1";

/// The plugin.
pub(crate) fn plugin() -> Plugin {
    Plugin::new("null", VERSION)
        .resource("null_resource", resource_shape(), NullResource)
        .data_source("null_data_source", data_shape(), NullDataSource)
}

struct NullResource;

fn resource_shape() -> Shape {
    Shape::new(
        "A resource that does nothing and is replaced when its triggers change.",
        vec![
            keepers_field("triggers"),
            Field::text("id", Presence::Computed)
                .keep()
                .about("A random number in decimal."),
        ],
    )
}

impl Resource for NullResource {
    fn create(&self, planned: Object) -> Result<Object, Faults> {
        Ok(planned.with("id", secure::decimal()?))
    }
}

struct NullDataSource;

fn data_shape() -> Shape {
    Shape::new(
        "A data source that answers its inputs.",
        vec![
            Field::text_map("inputs", Presence::Optional).about("Copied to the outputs."),
            Field::text_map("outputs", Presence::Computed).about("The inputs."),
            Field::text("random", Presence::Computed)
                .about("A random number in decimal, new at each read."),
            Field::text("has_computed_default", Presence::OptionalComputed)
                .about("Is `default` unless it is set."),
            Field::text("id", Presence::Computed)
                .deprecated("It is always `static` and means nothing.")
                .about("Always `static`."),
        ],
    )
    .deprecated("Use a plain field of the configuration in its place.")
}

impl DataSource for NullDataSource {
    fn read(&self, config: Object) -> Result<Object, Faults> {
        let inputs = config.get("inputs").clone();
        let text = config.text("has_computed_default").unwrap_or("default");
        let text = Data::from(text);
        let random = secure::decimal()?;
        Ok(config
            .with("outputs", inputs)
            .with("random", random)
            .with("has_computed_default", text)
            .with("id", "static"))
    }
}
