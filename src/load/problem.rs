//! What is wrong with what was to be loaded.

use pravo_cue::eval::kind::Code;
use pravo_cue::print::Report;
use pravo_cue::syntax::error::SyntaxError;
use pravo_cue::syntax::source::Pos;

/// A problem, with the place it was found at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The text as it prints, without place.
    pub text: String,
    /// Where, if there is a place.
    pub pos: Pos,
    /// Further places.
    pub more: Vec<Pos>,
    /// The packages being imported when it was found, outermost first, where a message names them.
    pub importers: Vec<String>,
}

impl Problem {
    /// A problem without place.
    pub fn new(text: impl Into<String>) -> Problem {
        Problem {
            text: text.into(),
            pos: Pos::NONE,
            more: Vec::new(),
            importers: Vec::new(),
        }
    }

    /// A problem at a place.
    pub fn at(pos: Pos, text: impl Into<String>) -> Problem {
        Problem {
            text: text.into(),
            pos,
            more: Vec::new(),
            importers: Vec::new(),
        }
    }

    /// The problem as other errors are reported.
    pub fn into_report(mut self) -> Report {
        let importers = self.importers.join(".");
        if !importers.is_empty() {
            self.text = format!("{importers}: {}", self.text);
        }
        Report {
            code: Code::Eval,
            path: Vec::new(),
            message: self.text,
            primary: self.pos,
            more: self.more,
        }
    }
}

impl From<SyntaxError> for Problem {
    fn from(e: SyntaxError) -> Problem {
        Problem::at(e.pos, e.text)
    }
}

/// A list of problems of which there is one at least.
pub(crate) type Problems = Vec<Problem>;

pub(crate) fn one<T>(problem: Problem) -> Result<T, Problems> {
    Err(vec![problem])
}

pub(crate) fn fail<T>(text: impl Into<String>) -> Result<T, Problems> {
    one(Problem::new(text))
}
