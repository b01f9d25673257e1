//! `struct`: validators on the number of fields.

use crate::builtin::call::Call;
use crate::builtin::host::{Failure, Outcome, StructShape};
use crate::builtin::kind::Kind;
use crate::builtin::registry::{INT, Member, Package, STRUCT, function};

pub(super) static PACKAGE: Package = Package {
    path: "struct",
    members: MEMBERS,
    source: "",
};

static MEMBERS: &[Member] = &[
    function("MinFields", &[STRUCT, INT], Kind::BOOL, min_fields),
    function("MaxFields", &[STRUCT, INT], Kind::BOOL, max_fields),
];

fn shape(c: &mut Call<'_>) -> Result<StructShape, Failure> {
    let handle = c.handle(0);
    match c.host.shape(handle) {
        Some(shape) => Ok(shape),
        None => match c.host.error(handle) {
            Some(error) => Err(Failure::Error(error)),
            None => Err(Failure::Incomplete(
                "non-concrete struct for argument 0".into(),
            )),
        },
    }
}

fn min_fields(c: &mut Call<'_>) -> Outcome {
    let (
        StructShape {
            fields,
            constraints,
            open,
        },
        n,
    ) = (shape(c)?, c.int(1)?);
    if fields as i64 >= n {
        return Ok(true.into());
    }
    let text = format!("len(fields) < MinFields({n}) ({fields} < {n})");
    let incomplete = open || (fields + constraints) as i64 >= n;
    let at = Vec::new();
    Err(Failure::Invalid {
        text,
        at,
        incomplete,
    })
}

fn max_fields(c: &mut Call<'_>) -> Outcome {
    let (StructShape { fields, .. }, n) = (shape(c)?, c.int(1)?);
    if fields as i64 <= n {
        return Ok(true.into());
    }
    Failure::invalid(format!("len(fields) > MaxFields({n}) ({fields} > {n})"))
}
