//! What this room asks the evaluator: one package, its values by path, their places and references.

use crate::graph::{Graph, Reference, References};
use crate::{Position, SpecErrors};
use pravo_cue::eval::Evaluator;
use pravo_cue::eval::error::ErrId;
use pravo_cue::eval::kind::ArcType;
use pravo_cue::eval::label::{Label, LabelKind, text as label_text};
use pravo_cue::eval::package::PackageId;
use pravo_cue::eval::reference::Guards;
use pravo_cue::eval::validate::Config;
use pravo_cue::eval::value::{Data, Val};
use pravo_cue::eval::vertex::VId;
use pravo_cue::print::{Report, ReportStyle, position_text, write_reports};
use pravo_cue::syntax::source::Pos;
use pravo_state::address::push_step;
use pravo_state::{Address, Step};

/// A path in the specification, from the root of its package.
pub(crate) type Path = Vec<Label>;

/// What a value is, without what is below it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    Null,
    Bool(bool),
    Number(String),
    String(String),
    Struct(VId),
    List(VId),
    /// Bytes, functions: concrete, but nothing that leaves the language.
    Foreign(&'static str),
    /// Not concrete.
    Open,
    /// A fatal error.
    Error(ErrId),
}

/// The evaluated package of a root.
pub(crate) struct View {
    pub(crate) ev: Evaluator,
    pub(crate) package: PackageId,
    guards: Guards,
    builders: Vec<Label>,
    directory: String,
}

/// The definitions of a provider's package that nodes are built from.
const BUILDERS: [&str; 4] = ["#Resource", "#Data", "#Ephemeral", "#Function"];

/// Where generated packages lie, as positions name files.
const GENERATED: &str = "cue.mod/gen/";

impl View {
    /// A loaded package; `directory` is the absolute path of its root, which positions are
    /// relative to.
    pub(crate) fn new(mut ev: Evaluator, package: PackageId, directory: String) -> Self {
        let id = ev.package_id(package).to_owned();
        let builders = BUILDERS.iter().map(|name| ev.identifier_label(name, &id));
        let builders = builders.collect();
        let guards = Guards::new(&ev.program);
        Self {
            ev,
            package,
            guards,
            builders,
            directory,
        }
    }

    /// The vertex of the whole package.
    pub(crate) fn root(&self) -> VId {
        self.ev.root(self.package)
    }

    /// Evaluates everything; fatal errors are errors.
    pub(crate) fn evaluate(&mut self) -> Result<(), SpecErrors> {
        let root = self.root();
        self.ev.finalize(root);
        self.check(root)
    }

    /// Evaluates the value at a path and what it needs; fatal errors at it or below are errors.
    pub(crate) fn evaluate_path(&mut self, path: &[Label]) -> Result<(), SpecErrors> {
        let root = self.root();
        match self.ev.eval_path(root, path) {
            Ok(v) => self.check(v),
            Err(error) => Err(self.errors(error)),
        }
    }

    /// Evaluates what was reset since, wherever it lies; fatal errors are errors.
    pub(crate) fn evaluate_all(&mut self, graph: &Graph<Label>) -> Result<(), SpecErrors> {
        let root = self.root();
        self.ev.finalize(root);
        let mut stack = vec![(Path::new(), root)];
        while let Some((path, v)) = stack.pop() {
            if !graph.is_container(&path) {
                continue;
            }
            for arc in self.ev.arcs(v).to_vec() {
                self.ev.finalize(arc);
                let mut below = path.clone();
                below.push(self.ev.label(arc));
                stack.push((below, arc));
            }
        }
        self.check(root)
    }

    /// The folder that positions are relative to.
    pub(crate) fn directory(&self) -> &str {
        &self.directory
    }

    fn check(&mut self, v: VId) -> Result<(), SpecErrors> {
        let config = Config {
            all: true,
            ..Config::default()
        };
        let error = self.ev.validate(v, config);
        if error == ErrId::default() {
            return Ok(());
        }
        Err(self.errors(error))
    }

    /// An error of the evaluation in the words of the `cue` command.
    pub(crate) fn errors(&self, error: ErrId) -> SpecErrors {
        evaluating(&self.ev, self.ev.reports(error), &self.directory)
    }

    /// The vertex at a path.
    pub(crate) fn vertex(&self, path: &[Label]) -> Option<VId> {
        let mut v = self.root();
        for label in path {
            v = self.ev.field(v, *label)?;
        }
        Some(v)
    }

    /// Whether a value is built from a type that its provider does not have.
    pub(crate) fn lacks_type(&mut self, path: &[Label]) -> bool {
        self.references(path).iter().any(|reference| {
            let at = reference
                .path
                .iter()
                .position(|label| self.builders.contains(label));
            let types = at.and_then(|at| Some((at, self.vertex(&reference.path[..=at])?)));
            types.is_some_and(|(at, types)| {
                let wanted = reference.path.get(at + 1);
                wanted.is_some_and(|label| self.ev.field(self.ev.deref(types), *label).is_none())
            })
        })
    }

    /// The vertex of a field, by its name.
    pub(crate) fn named(&mut self, v: VId, name: &str) -> Option<VId> {
        let label = self.ev.string_label(name);
        let field = self.ev.field(v, label)?;
        (self.ev.arc_type(field) == ArcType::Member).then_some(field)
    }

    /// What the value of a vertex is, defaults taken.
    pub(crate) fn shape(&self, v: VId) -> Shape {
        let v = self.ev.deref(v);
        self.shape_of(v, self.ev.base(v))
    }

    fn shape_of(&self, v: VId, base: Val) -> Shape {
        match base.data {
            Data::Null => Shape::Null,
            Data::Bool(value) => Shape::Bool(value),
            Data::Int(_) | Data::Num(_) => match self.ev.number(base) {
                Some(number) => Shape::Number(number.value.to_string()),
                None => Shape::Open,
            },
            Data::Str(_) => Shape::String(self.ev.str(base).unwrap_or_default().to_owned()),
            Data::Bytes(_) => Shape::Foreign("bytes"),
            Data::Func(_) => Shape::Foreign("a function"),
            Data::Struct => Shape::Struct(v),
            Data::List(_) => Shape::List(v),
            Data::Vertex(inner) => self.shape(inner),
            Data::Disj(id) => {
                let choice = self.ev.disjunction(id);
                match (choice.defaults, choice.values.first()) {
                    (1, Some(first)) => self.shape_of(v, *first),
                    _ => Shape::Open,
                }
            }
            Data::Err(error) if !self.ev.error_code(error).is_incomplete() => Shape::Error(error),
            _ => Shape::Open,
        }
    }

    /// The error that keeps a value from being concrete, where it is one.
    pub(crate) fn incomplete(&self, v: VId) -> Option<SpecErrors> {
        let v = self.ev.deref(v);
        let error = self.ev.error_of_value(v)?;
        Some(self.errors(error))
    }

    /// The vertex with the fields or elements, of a struct or list; also of one that has an error,
    /// so that a cycle can be told from what the evaluation makes of it.
    pub(crate) fn composite(&self, v: VId) -> Option<VId> {
        match self.shape(v) {
            Shape::Struct(inner) | Shape::List(inner) => Some(inner),
            Shape::Error(_) => {
                let inner = self.ev.deref(v);
                (!self.ev.arcs(inner).is_empty()).then_some(inner)
            }
            _ => None,
        }
    }

    /// The regular fields of a struct or the elements of a list, in printed order.
    pub(crate) fn printed(&self, v: VId) -> Vec<VId> {
        let Some(v) = self.composite(v) else {
            return Vec::new();
        };
        self.present(self.ev.printed_arcs(v))
    }

    /// The same in the order in which they were made, which costs less.
    pub(crate) fn children(&self, v: VId) -> Vec<VId> {
        let Some(v) = self.composite(v) else {
            return Vec::new();
        };
        self.present(self.ev.arcs(v).to_vec())
    }

    fn present(&self, mut arcs: Vec<VId>) -> Vec<VId> {
        arcs.retain(|arc| {
            self.ev.label(*arc).is_regular() && self.ev.arc_type(*arc) == ArcType::Member
        });
        arcs
    }

    /// Where a value is declared: the first place outside of generated packages.
    pub(crate) fn position(&self, v: VId) -> Option<Position> {
        let positions = self.ev.positions(v);
        let mut places = positions.iter().filter_map(|pos| self.place(*pos));
        places.find(|place| !place.file.contains(GENERATED))
    }

    /// A position as messages name it.
    pub(crate) fn place(&self, pos: Pos) -> Option<Position> {
        let location = self.ev.sources.locate(pos)?;
        let style = ReportStyle {
            directory: Some(&self.directory),
            ..ReportStyle::default()
        };
        let text = position_text(pos, &self.ev.sources, style);
        let file = text.rsplitn(3, ':').nth(2)?.to_owned();
        Some(Position {
            file,
            line: location.line as usize,
            column: location.column as usize,
        })
    }

    /// What everything at and below a path refers to, definitions and hidden fields too.
    pub(crate) fn all_references(&mut self, path: &[Label]) -> Vec<Path> {
        let root = self.root();
        let found = self.ev.all_references(&self.guards, root, path);
        found.into_iter().map(|r| r.path).collect()
    }

    /// What decides which fields the value at a path has, and whether it is shared.
    pub(crate) fn own_references(&mut self, path: &[Label]) -> Vec<Path> {
        let root = self.root();
        let found = self.ev.own_references(&self.guards, root, path);
        found.into_iter().map(|r| r.path).collect()
    }

    /// Whether a field takes its value from the command line.
    pub(crate) fn has_tag(&self, v: VId) -> bool {
        self.ev.attributes(v).iter().any(|a| a.name() == "tag")
    }

    /// The address a path stands for; nothing when a step is a definition or hidden.
    pub(crate) fn address(&self, path: &[Label]) -> Option<Address> {
        let step = |label: &Label| match label.kind() {
            LabelKind::String => Some(Step::Field(label_text(&self.ev.names, *label))),
            LabelKind::Int => Some(Step::Index(label.index())),
            _ => None,
        };
        let steps: Option<Vec<Step>> = path.iter().map(step).collect();
        steps.map(|steps| Address::from_steps(&steps))
    }

    /// The text of a label, without quotes.
    pub(crate) fn label(&self, label: Label) -> String {
        label_text(&self.ev.names, label)
    }

    /// The text of a path as the specification names it.
    pub(crate) fn text(&self, path: &[Label]) -> String {
        let mut text = String::new();
        for label in path {
            let name = label_text(&self.ev.names, *label);
            match label.kind() {
                LabelKind::Int => push_step(&mut text, &Step::Index(label.index())),
                LabelKind::String => push_step(&mut text, &Step::Field(name)),
                _ => {
                    if !text.is_empty() {
                        text.push('.');
                    }
                    text.push_str(&name);
                }
            }
        }
        text
    }
}

impl References<Label> for View {
    fn references(&mut self, path: &[Label]) -> Vec<Reference<Label>> {
        let root = self.root();
        let found = self.ev.references(&self.guards, root, path);
        let convert = |r: pravo_cue::eval::reference::Reference| Reference {
            path: r.path,
            position: r.pos,
            own: r.own,
        };
        found.into_iter().map(convert).collect()
    }

    fn builds(&self, step: &Label) -> bool {
        self.builders.contains(step)
    }
}

/// Errors of an evaluation, as they are printed.
pub(crate) fn evaluating(ev: &Evaluator, reports: Vec<Report>, directory: &str) -> SpecErrors {
    let reports = without_null_branches(ev, reports, directory);
    let style = ReportStyle {
        directory: Some(directory),
        ..ReportStyle::default()
    };
    let text = write_reports(&reports, &ev.sources, style);
    SpecErrors::with_detail("evaluating .:", text.trim_end_matches('\n'))
}

/// An attribute that may be null fails in two branches: only what is wrong with the other one
/// helps.
fn without_null_branches(ev: &Evaluator, reports: Vec<Report>, directory: &str) -> Vec<Report> {
    let style = ReportStyle {
        directory: Some(directory),
        ..ReportStyle::default()
    };
    let generated = |report: &Report| {
        let positions = report.positions(&ev.sources);
        let mut texts = positions
            .iter()
            .map(|p| position_text(*p, &ev.sources, style));
        texts.any(|text| text.contains(GENERATED))
    };
    let null = |report: &Report| {
        report.message.contains(" and null (mismatched types") && generated(report)
    };
    let nulls: Vec<Vec<String>> = reports
        .iter()
        .filter(|r| null(r))
        .map(|r| r.path.clone())
        .collect();
    reports
        .into_iter()
        .filter(|report| {
            let head = report.message == "2 errors in empty disjunction:";
            !nulls.contains(&report.path) || !(head || null(report))
        })
        .collect()
}
