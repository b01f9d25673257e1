//! The behaviours a type can have. Each has the least a type must say; the rest has an answer
//! that fits most types.

use super::{Fault, Faults, Object};
use pravo_state::Data;

/// A managed resource.
pub trait Resource: Send + Sync {
    /// Makes the object that was planned and says what it became; nothing in the answer is
    /// unknown.
    ///
    /// # Errors
    /// Why it could not be made.
    fn create(&self, planned: Object) -> Result<Object, Faults>;

    /// Looks the object up; nothing when it is gone.
    ///
    /// # Errors
    /// Why it could not be looked up.
    fn read(&self, state: Object) -> Result<Option<Object>, Faults> {
        Ok(Some(state))
    }

    /// Changes the object in place and says what it became.
    ///
    /// # Errors
    /// Why it could not be changed.
    fn update(&self, _prior: &Object, planned: Object) -> Result<Object, Faults> {
        Ok(planned)
    }

    /// Removes the object.
    ///
    /// # Errors
    /// Why it could not be removed.
    fn delete(&self, _prior: &Object) -> Result<(), Faults> {
        Ok(())
    }

    /// Takes over the object of that identifier.
    ///
    /// # Errors
    /// That the identifier is not one, or that the type cannot be taken over.
    fn import(&self, _id: &str) -> Result<Object, Faults> {
        Err(Fault::error(
            "This type of resource cannot be imported",
            "It has nothing outside the state that could be taken over. Create it anew instead.",
        )
        .into())
    }

    /// Brings a recorded object of an older version to the current one; nothing when that
    /// version is not known.
    ///
    /// # Errors
    /// Why the recorded object cannot be brought forward.
    fn upgrade(&self, _version: i64, _stored: Object) -> Result<Option<Object>, Faults> {
        Ok(None)
    }
}

/// A data source.
pub trait DataSource: Send + Sync {
    /// Reads what the configuration asks for.
    ///
    /// # Errors
    /// Why it could not be read.
    fn read(&self, config: Object) -> Result<Object, Faults>;
}

/// An ephemeral resource without renewal.
pub trait Ephemeral: Send + Sync {
    /// Makes the values that the configuration asks for.
    ///
    /// # Errors
    /// Why they could not be made.
    fn open(&self, config: Object) -> Result<Object, Faults>;
}

/// Why a function has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionError {
    /// One sentence.
    pub text: String,
    /// The argument it is about, counted from 0.
    pub argument: Option<i64>,
}

/// A function.
pub trait Function: Send + Sync {
    /// What it takes and answers.
    fn signature(&self) -> pravo_state::schema::Function;

    /// The answer for known, non-null arguments.
    ///
    /// # Errors
    /// Why there is none.
    fn call(&self, arguments: &[Data]) -> Result<Data, FunctionError>;
}

/// An action: something done on request that leaves no object behind.
pub trait Action: Send + Sync {
    /// Whether a configuration, which may hold unknown values, could be done.
    ///
    /// # Errors
    /// Why it could not.
    fn plan(&self, config: &Object) -> Result<(), Faults>;

    /// Does it, and answers what to show.
    ///
    /// # Errors
    /// Why it failed.
    fn invoke(&self, config: &Object) -> Result<String, Faults>;
}
