//! `encoding/yaml`, the writing side.

use crate::builtin::call::Call;
use crate::builtin::host::{Failure, Outcome};
use crate::builtin::kind::Kind;
use crate::builtin::registry::{ANY, Function, Package, function};
use crate::print::write_yaml;

const PATH: &str = "encoding/yaml";

pub(super) static PACKAGE: Package = Package {
    path: PATH,
    functions: FUNCTIONS,
    constants: &[],
    source: "",
};

static FUNCTIONS: &[Function] = &[
    function(PATH, "Marshal", &[ANY], Kind::STRING, |c| {
        Ok(write_yaml(&c.data(0)?).into())
    }),
    function(PATH, "MarshalStream", &[ANY], Kind::STRING, marshal_stream),
];

fn marshal_stream(c: &mut Call<'_>) -> Outcome {
    let list = c.concrete(0)?;
    let Some(elements) = c.host.elements(list).map_err(Failure::Error)? else {
        let (text, kind) = (c.host.text(list), c.host.kind(list));
        return Failure::fatal(format!("cannot use value {text} (type {kind}) as list"));
    };
    let mut documents = Vec::new();
    for item in elements.items {
        documents.push(write_yaml(&c.host.data(item)?));
    }
    Ok(documents.join("---\n").into())
}
