//! Calls of a provider's functions.

use super::answer::to_wire;
use crate::Client;
use crate::error::CallError;
use pravo_proto::tfplugin6 as wire;
use pravo_state::{Data, Function, Parameter};

impl Client {
    /// Calls a function. It needs no configured provider. The answer is unknown, without a call,
    /// when an argument is or holds an unknown value that the function does not take.
    ///
    /// # Errors
    /// The failure of the function among others; too many or too few arguments, and null where
    /// the function does not take it.
    pub async fn call_function(&self, name: &str, arguments: &[Data]) -> Result<Data, CallError> {
        let offer = self.schema().await?;
        let function = offer.schema.functions.get(name);
        let function = function.ok_or_else(|| CallError::NoType {
            plugin: self.0.plugin.clone(),
            word: "function",
            name: name.to_owned(),
        })?;
        let parameters = parameters(name, function, arguments.len())?;
        let mut sent = Vec::with_capacity(arguments.len());
        let mut unknown = false;
        for (index, (parameter, argument)) in parameters.iter().zip(arguments).enumerate() {
            if argument.is_null() && !parameter.allow_null {
                return Err(CallError::Function {
                    text: format!("the argument {} of {name} must not be null", parameter.name),
                    argument: Some(index),
                });
            }
            unknown |= !parameter.allow_unknown && !argument.is_wholly_known();
            sent.extend(to_wire("an argument", argument, &parameter.kind)?);
        }
        if unknown {
            return Ok(Data::Unknown);
        }
        let request = wire::call_function::Request {
            name: name.to_owned(),
            arguments: sent,
        };
        let answer: wire::call_function::Response = self.call("CallFunction", request).await?;
        if let Some(error) = answer.error {
            return Err(CallError::Function {
                text: error.text,
                argument: error
                    .function_argument
                    .and_then(|i| usize::try_from(i).ok()),
            });
        }
        self.read_value("a result", answer.result.as_ref(), &function.result)
    }
}

/// The parameter of each argument.
fn parameters<'a>(
    name: &str,
    function: &'a Function,
    count: usize,
) -> Result<Vec<&'a Parameter>, CallError> {
    let fixed = function.parameters.len();
    let fits = match function.variadic {
        Some(_) => count >= fixed,
        None => count == fixed,
    };
    if !fits {
        let least = if function.variadic.is_some() {
            "at least "
        } else {
            ""
        };
        return Err(CallError::Function {
            text: format!("{name} takes {least}{fixed} arguments, not {count}"),
            argument: None,
        });
    }
    let more = function.variadic.iter().cycle().take(count - fixed);
    Ok(function.parameters.iter().chain(more).collect())
}
