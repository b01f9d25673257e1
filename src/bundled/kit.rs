//! KIT: what every bundled plugin is made of. A type is a [`Shape`] (its schema as data) and a
//! behaviour ([`Resource`], [`DataSource`], ...); a [`Plugin`] answers the calls of the protocol
//! by the rules that all types share: validation, defaults, unknown marks, replacements.

pub mod fault;
pub mod field;
pub mod kinds;
pub mod object;
pub mod plan;
pub mod plugin;
pub mod stored;
pub mod validate;

pub use fault::{Fault, Faults, Severity};
pub use field::{Change, Check, Field, Modifier, Presence, Shape};
pub use kinds::{Action, DataSource, Ephemeral, Function, FunctionError, Resource};
pub use object::Object;
pub use plan::Planned;
pub use plugin::{Applied, Plugin, ReadBack};
