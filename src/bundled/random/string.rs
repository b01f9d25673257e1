//! `random_string`: a random text that is no secret.

use super::{recipe, upgrade};
use crate::kit::{Faults, Field, Object, Presence, Resource, Shape};

/// The type's behaviour.
pub(super) struct Text;

/// The type's attributes.
pub(super) fn shape() -> Shape {
    let mut fields = recipe::managed_fields();
    fields.extend([
        Field::text("result", Presence::Computed)
            .keep()
            .about("The text."),
        Field::text("id", Presence::Computed)
            .keep()
            .about("The text."),
    ]);
    Shape::new(
        "A random text. Secrets belong into a `random_password`.",
        fields,
    )
    .version(2)
}

impl Resource for Text {
    fn create(&self, planned: Object) -> Result<Object, Faults> {
        let result = recipe::make(&planned)?;
        Ok(planned.with("result", result.as_str()).with("id", result))
    }

    fn import(&self, id: &str) -> Result<Object, Faults> {
        Ok(upgrade::imported(id).with("id", id))
    }

    fn upgrade(&self, version: i64, stored: Object) -> Result<Option<Object>, Faults> {
        Ok((version == 1).then(|| upgrade::completed(stored)))
    }
}
