//! The specification, or expressions over it, as a person reads them.

use super::Specification;
use super::mask::PRINTED_MASK;
use crate::SpecErrors;
use crate::view::evaluating;
use pravo_cue::builtin::StandardLibrary;
use pravo_cue::eval::Evaluator;
use pravo_cue::eval::error::ErrId;
use pravo_cue::eval::package::{PackageId, PackageSource};
use pravo_cue::eval::validate::Config;
use pravo_cue::eval::value::{Data, Val};
use pravo_cue::print::{
    DataError, DataStyle, JsonStyle, Profile, Report, print_value, to_data, write_json,
};
use pravo_cue::syntax::format::Style;
use pravo_cue::syntax::parser::{Options, Parsed, parse_expr, parse_file};
use std::sync::Arc;

/// How values are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Showing {
    /// Definitions, hidden fields and provider structs too.
    pub all: bool,
    /// As JSON, which has to be concrete.
    pub json: bool,
}

impl Specification {
    /// The texts of expressions over the specification, or of the whole of it when there are none,
    /// as CUE indented by tabs, or as JSON. Sensitive attributes are shown as `_ // (sensitive)`,
    /// but in JSON and where an expression leads to one they are shown as they are.
    ///
    /// # Errors
    /// An expression that cannot be read, a value that is an error, or one that is not concrete
    /// where JSON is wanted.
    pub fn show(
        &mut self,
        expressions: &[String],
        showing: Showing,
    ) -> Result<Vec<String>, SpecErrors> {
        self.settle()?;
        let shown = Shown {
            package: self.view.package,
            directory: self.view.directory().to_owned(),
            showing,
        };
        if expressions.is_empty() {
            let root = Val::bare(Data::Vertex(self.view.root()));
            let root = self.for_show(root, true, showing);
            return Ok(vec![shown.value(&mut self.view.ev, root)?]);
        }
        let mut texts = Vec::new();
        for text in expressions {
            let value = shown.expression(&mut self.view.ev, text)?;
            let value = self.for_show(value, false, showing);
            texts.push(shown.value(&mut self.view.ev, value)?);
        }
        Ok(texts)
    }
}

/// The text of an expression over fields that are given as JSON texts, by name, indented by tabs.
/// Standard packages can be used by their names.
///
/// # Errors
/// An expression that cannot be read, or whose value is an error.
pub fn query(fields: &[(&str, String)], expression: &str) -> Result<String, SpecErrors> {
    let mut ev = Evaluator::new(Arc::new(StandardLibrary));
    let text: String = fields
        .iter()
        .map(|(name, json)| format!("{name}: {}\n", json.trim_end()))
        .collect();
    let too_large = |_| SpecErrors::one("the state is too large for one query");
    let file = ev.sources.add("state", text).map_err(too_large)?;
    let parsed = parse_file(&ev.sources, file, &mut ev.names, &Options::default());
    let source = PackageSource {
        id: "_".to_owned(),
        files: vec![Arc::new(sound(&ev, parsed, "")?)],
        ..PackageSource::default()
    };
    let package = ev.add_package(source).map_err(|messages| {
        let reports = ev.message_reports(&messages);
        evaluating(&ev, reports, "")
    })?;
    let showing = Showing {
        all: true,
        json: false,
    };
    let shown = Shown {
        package,
        directory: String::new(),
        showing,
    };
    let value = shown.expression(&mut ev, expression)?;
    let error = match value.data {
        Data::Vertex(v) => ev.error_of_value(v),
        Data::Err(error) => Some(error),
        _ => None,
    };
    if let Some(error) = error {
        return Err(evaluating(&ev, ev.reports(error), ""));
    }
    shown.value(&mut ev, value)
}

/// What stands for values to be shown.
struct Shown {
    package: PackageId,
    directory: String,
    showing: Showing,
}

impl Shown {
    fn expression(&self, ev: &mut Evaluator, text: &str) -> Result<Val, SpecErrors> {
        let too_large = |_| SpecErrors::one("the expression is too large");
        let file = ev.sources.add("--expression", text).map_err(too_large)?;
        let parsed = parse_expr(&ev.sources, file, &mut ev.names, &Options::default());
        let tree = Arc::new(sound(ev, parsed, &self.directory)?);
        let v = ev.eval_in(self.package, tree).map_err(|messages| {
            let reports = ev.message_reports(&messages);
            evaluating(ev, reports, &self.directory)
        })?;
        let v = ev.selected(v);
        let config = Config {
            all: true,
            ..Config::default()
        };
        let error = ev.validate(v, config);
        if error != ErrId::default() {
            return Err(evaluating(ev, ev.reports(error), &self.directory));
        }
        Ok(Val::bare(Data::Vertex(v)))
    }

    fn value(&self, ev: &mut Evaluator, value: Val) -> Result<String, SpecErrors> {
        if self.showing.json {
            return self.json(ev, value);
        }
        let package = ev.package_id(self.package).to_owned();
        let profile = Profile {
            definitions: self.showing.all,
            hidden: self.showing.all,
            optional: self.showing.all,
            attributes: self.showing.all,
            ..Profile::eval(&package)
        };
        let text = print_value(ev, value, &profile, Style::default())
            .map_err(|error| evaluating(ev, ev.reports(error), &self.directory))?;
        Ok(text.replace(PRINTED_MASK, "_ // (sensitive)"))
    }

    fn json(&self, ev: &Evaluator, value: Val) -> Result<String, SpecErrors> {
        match to_data(ev, value, DataStyle::default()) {
            Ok(data) => {
                let style = JsonStyle {
                    indent: Some("  "),
                    escape_html: false,
                };
                Ok(write_json(&data, style) + "\n")
            }
            Err(DataError::Error(error)) => Err(evaluating(ev, ev.reports(error), &self.directory)),
            Err(DataError::NotData(e)) => Err(SpecErrors::with_detail("evaluating .:", e.text)),
        }
    }
}

/// A tree without errors of syntax.
fn sound(
    ev: &Evaluator,
    parsed: Parsed,
    directory: &str,
) -> Result<pravo_cue::syntax::tree::Tree, SpecErrors> {
    if parsed.errors.is_empty() {
        return Ok(parsed.tree);
    }
    Err(evaluating(
        ev,
        parsed.errors.iter().map(Report::of_syntax).collect(),
        directory,
    ))
}
