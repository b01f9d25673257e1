//! Definitions to the document of OpenAPI that describes them.
//!
//! A generator walks over evaluated values and asks what they were made of ([`view`]): references
//! stay references, conjunctions and disjunctions become combinations of schemas ([`build`]),
//! bounds and validators become keywords ([`keyword`]). With expanded references the schemas are
//! structural: what all alternatives share is collected first ([`structural`]).

mod build;
mod document;
mod format;
mod keyword;
mod schema;
mod structural;
mod subsume;
mod view;

use crate::builtin::Data;
use crate::eval::context::Evaluator;
use crate::eval::error::ErrId;
use crate::eval::library::Yield;
use crate::eval::vertex::VId;
use crate::syntax::source::Pos;
use rustc_hash::FxHashMap;
use schema::{Builder, Map};
use view::Step;

/// What is wanted of a document.
#[derive(Debug)]
pub struct Request {
    /// The version of OpenAPI: `3.0.0` or `3.1.0`.
    pub version: String,
    /// Whether schemas stand in the place of references.
    pub expand: bool,
    /// The information about the document; taken from the schemas if there is none.
    pub info: Option<Vec<(String, Data)>>,
}

/// Why there is no document.
#[derive(Debug)]
pub(crate) enum Stop {
    /// A value is not there yet.
    Yield,
    /// Something is not known yet.
    Lacking(String),
    /// A fault of its own, and where it lies.
    Text(String, Pos),
    /// The error that a value is.
    Error(ErrId),
}

impl From<Yield> for Stop {
    fn from(_: Yield) -> Self {
        Self::Yield
    }
}

type Done<T> = Result<T, Stop>;

/// A definition that a reference leads to and that is not among those of the schema itself.
#[derive(Clone)]
struct External {
    path: Vec<Step>,
    value: VId,
}

/// A builder of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct BId(usize);

struct Generator<'a> {
    ev: &'a mut Evaluator,
    /// The value whose definitions are described.
    inst: VId,
    expand: bool,
    /// Whether an exclusive bound is a flag beside the bound, as it was before 3.1.
    exclusive_flag: bool,
    path: Vec<Step>,
    schemas: Map,
    external: FxHashMap<String, External>,
    builders: Vec<Builder>,
    /// The values whose schemas are being built.
    nodes: Vec<VId>,
}

/// The document that describes the definitions of a value.
pub(crate) fn document(ev: &mut Evaluator, schema: VId, request: Request) -> Done<Data> {
    let mut generator = Generator {
        ev,
        inst: schema,
        expand: request.expand,
        exclusive_flag: request.version == "3.0.0",
        path: Vec::new(),
        schemas: Map::default(),
        external: FxHashMap::default(),
        builders: Vec::new(),
        nodes: Vec::new(),
    };
    let schemas = generator.all()?;
    generator.compose(request, schemas)
}
