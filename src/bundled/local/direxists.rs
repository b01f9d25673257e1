//! The function `direxists`: whether there is a directory.

use crate::kit::{Function, FunctionError};
use pravo_state::schema::{Function as Signature, Parameter};
use pravo_state::{Data, Type};
use std::io::ErrorKind;

/// The function.
pub(super) struct DirExists;

impl Function for DirExists {
    fn signature(&self) -> Signature {
        Signature {
            parameters: vec![Parameter {
                name: "path".into(),
                kind: Type::String,
                allow_null: false,
                allow_unknown: false,
                description: "The path; the empty text is the working directory.".into(),
            }],
            variadic: None,
            result: Type::Bool,
            summary: "Whether there is a directory at a path.".into(),
        }
    }

    fn call(&self, arguments: &[Data]) -> Result<Data, FunctionError> {
        let path = arguments.first().and_then(Data::as_str).unwrap_or_default();
        let place = if path.is_empty() { "." } else { path };
        let refuse = |reason: String| FunctionError {
            text: format!("{path:?} is no directory: {reason}"),
            argument: Some(0),
        };
        match std::fs::metadata(place) {
            Ok(facts) if facts.is_dir() => Ok(true.into()),
            Ok(_) => Err(refuse("there is something else at that path".into())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false.into()),
            Err(error) => Err(refuse(error.to_string())),
        }
    }
}
