//! What the arguments load, evaluated: instances, expressions of them, and errors of both.

use super::flags::{Flags, Word};
use super::place::{Label, place};
use super::{Failed, World};
use pravo_cue::builtin::StandardLibrary;
use pravo_cue::eval::Evaluator;
use pravo_cue::eval::error::ErrId;
use pravo_cue::eval::kind::Code;
use pravo_cue::eval::package::PackageId;
use pravo_cue::eval::validate::Config;
use pravo_cue::eval::value::{Data, Val};
use pravo_cue::eval::vertex::VId;
use pravo_cue::print::{Report, ReportStyle, sort_reports, write_reports};
use pravo_cue::regexp::Regexp;
use pravo_cue::syntax::format::{Node, Style, format};
use pravo_cue::syntax::parser::{Options, parse_expr};
use pravo_cue::syntax::tree::Tree;
use pravo_load::{Encoding, Request, Set};
use std::sync::Arc;

/// Everything a command works on.
pub(super) struct Plan {
    pub(super) ev: Evaluator,
    pub(super) set: Set,
    /// Expressions to be printed instead of the whole, with their texts.
    pub(super) expressions: Vec<(String, Arc<Tree>)>,
    /// The path that exported values are put at.
    pub(super) path: Vec<Label>,
    dir: String,
}

/// An instance as a value.
pub(super) struct Built {
    pub(super) package: PackageId,
    pub(super) import_path: String,
    /// The value, with data that was given beside it.
    pub(super) root: VId,
}

/// A value to be printed.
pub(super) struct Item {
    pub(super) package: PackageId,
    pub(super) value: VId,
    /// The import path of its package, for headers.
    pub(super) import_path: String,
    /// The expression it is the value of.
    pub(super) expression: Option<String>,
}

impl Plan {
    /// Loads what the arguments name; errors are told.
    pub(super) fn load(
        word: Word,
        flags: &Flags,
        world: &mut World<'_>,
        stdin: Encoding,
    ) -> Result<Plan, Failed> {
        let mut ev = Evaluator::new(Arc::new(StandardLibrary));
        ev.eager_optional = word == Word::Def || flags.shows_optional();
        let dir = world.dir.to_string_lossy().into_owned();
        let reads_stdin = flags.args.iter().any(|a| a == "-");
        let request = Request {
            dir: world.dir.clone(),
            args: flags.args.clone(),
            tags: flags.inject.clone(),
            variables: flags.inject_vars.then(world.variables),
            stdin: if reads_stdin {
                (world.stdin)()
            } else {
                Vec::new()
            },
            stdin_encoding: Some(stdin),
            package: flags.package.clone(),
            modules: crate::outside::module_cache_dir(),
            no_registry: crate::outside::has_no_registry(),
            data_needs_schema: word == Word::Vet && flags.schema.is_none(),
        };
        let mut expressions = Vec::new();
        for text in &flags.expressions {
            let tree = expression(&mut ev, world, "--expression", text)?;
            let node = tree.root.map_or(Node::File, Node::Expr);
            let shown = format(&tree, &ev.names, node, Style::default());
            expressions.push((shown, tree));
        }
        match pravo_load::load(&mut ev, &request) {
            Ok(set) => {
                let mut plan = Plan {
                    ev,
                    set,
                    expressions,
                    path: Vec::new(),
                    dir,
                };
                plan.check_flags(word, flags, world)?;
                place(&mut plan, flags, world)?;
                Ok(plan)
            }
            Err(reports) => {
                tell(&ev, world, &reports, false);
                Err(Failed)
            }
        }
    }

    /// Refuses flags that do not fit what was loaded. The pattern of `-n` chooses among the data
    /// files of a folder, which are not read.
    fn check_flags(&self, word: Word, flags: &Flags, world: &mut World<'_>) -> Result<(), Failed> {
        let instances = &self.set.instances;
        let mut text = None;
        if let Some(name) = flags.name.as_ref().filter(|n| !n.is_empty()) {
            if instances.iter().all(|i| i.is_files) {
                text = Some("use of -n/--name flag without a directory".to_owned());
            } else if let Err(e) = Regexp::new(name) {
                text = Some(e.to_string());
            }
        }
        if let (Word::Def, Some(given), Some(instance)) = (word, &flags.package, instances.first())
            && !instance.name.is_empty()
            && instance.name != *given
        {
            text = Some(format!(
                "\"package\" flag clashes with existing package name ({given} vs {})",
                instance.name
            ));
        }
        let Some(text) = text else { return Ok(()) };
        world.tell(&format!("{text}\n"));
        Err(Failed)
    }

    /// Hands all instances to the evaluator, and, unless errors are to be ignored, looks for fatal
    /// errors in those that are packages.
    pub(super) fn build(
        &mut self,
        flags: &Flags,
        world: &mut World<'_>,
    ) -> Result<Vec<Built>, Failed> {
        let mut out = Vec::new();
        let documents = self.documents();
        for i in 0..self.set.instances.len().max(1) {
            let instance = (!self.set.instances.is_empty()).then_some(i);
            let package = self.built(&documents, world, instance)?;
            let path = instance
                .map_or("", |i| &self.set.instances[i].import_path)
                .to_owned();
            let mut root = self.ev.root(package);
            if !documents.is_empty() && instance.is_some() && self.expressions.is_empty() {
                root = self.checked(flags, world, &documents, instance)?;
            }
            out.push(Built {
                package,
                import_path: path,
                root,
            });
        }
        if flags.ignore {
            return Ok(out);
        }
        for (i, built) in out.iter_mut().enumerate() {
            let is_package = self.set.instances.get(i).is_some_and(|i| !i.is_files);
            if is_package || self.expressions.is_empty() || !self.path.is_empty() {
                self.ev.finalize(built.root);
            } else {
                let trees: Vec<_> = self.expressions.iter().map(|(_, t)| t.clone()).collect();
                built.root = self.ev.finalize_for(built.package, &trees);
            }
            if !is_package {
                continue;
            }
            if let Some(e) = self.fatal(built.root) {
                self.tell_error(world, built.root, e, false);
                return Err(Failed);
            }
        }
        Ok(out)
    }

    /// All data together, valid by itself, and then as the instance wants it.
    fn checked(
        &mut self,
        flags: &Flags,
        world: &mut World<'_>,
        documents: &[Arc<Tree>],
        instance: Option<usize>,
    ) -> Result<VId, Failed> {
        let data = self.built(documents, world, None)?;
        let data = self.ev.root(data);
        self.ev.finalize(data);
        if !flags.ignore
            && let Some(e) = self.fatal(data)
        {
            self.tell_error(world, data, e, false);
            return Err(Failed);
        }
        let package = self.built(&[], world, instance)?;
        let root = self.ev.root(package);
        Ok(self.both(data, root))
    }

    /// A value that is both of two.
    fn both(&mut self, data: VId, schema: VId) -> VId {
        let (a, b) = (
            Val::bare(Data::Vertex(data)),
            Val::bare(Data::Vertex(schema)),
        );
        let v = self.ev.unify_values(a, b).unwrap_or(data);
        self.ev.finalize(v);
        v
    }

    /// Each document of the data files together with what it is checked against: the expression of
    /// `-d`, or the whole package.
    pub(super) fn checked_documents(
        &mut self,
        flags: &Flags,
        world: &mut World<'_>,
    ) -> Result<Vec<Item>, Failed> {
        let instance = (!self.set.instances.is_empty()).then_some(0);
        let mut out = Vec::new();
        let schema = match &flags.schema {
            None => None,
            Some(text) => {
                let tree = expression(&mut self.ev, world, "--schema", text)?;
                let package = self.built(&[], world, instance)?;
                match self.ev.expression_in(package, tree) {
                    Ok(v) => Some(v),
                    Err(messages) => {
                        let reports = self.ev.message_reports(&messages);
                        self.tell(world, &reports, false);
                        return Err(Failed);
                    }
                }
            }
        };
        let schema = match (schema, instance) {
            (None, Some(_)) => {
                let package = self.built(&[], world, instance)?;
                Some(self.ev.root(package))
            }
            (schema, _) => schema,
        };
        for document in self.documents() {
            let package = self.built(&[document], world, None)?;
            let root = self.ev.root(package);
            let value = match schema {
                None => root,
                Some(schema) => self.both(root, schema),
            };
            self.ev.finalize(value);
            let built = Built {
                package,
                import_path: String::new(),
                root: value,
            };
            let (items, done) = self.items(&built, false, world);
            out.extend(items);
            done?;
        }
        Ok(out)
    }

    pub(super) fn built(
        &mut self,
        documents: &[Arc<Tree>],
        world: &mut World<'_>,
        instance: Option<usize>,
    ) -> Result<PackageId, Failed> {
        match self.set.build_with(&mut self.ev, instance, documents) {
            Ok(package) => Ok(package),
            Err(e) => {
                self.tell(world, &e.0, false);
                Err(Failed)
            }
        }
    }

    /// The documents of all data files.
    pub(super) fn documents(&self) -> Vec<Arc<Tree>> {
        self.set
            .data
            .iter()
            .flat_map(|d| d.documents.iter().cloned())
            .collect()
    }

    /// The values of a package: its root, or the expressions that were asked for. An expression
    /// that cannot be read ends them and is told, with the package if there are several.
    pub(super) fn items(
        &mut self,
        built: &Built,
        several: bool,
        world: &mut World<'_>,
    ) -> (Vec<Item>, Result<(), Failed>) {
        let package = built.package;
        let item = |value, expression| Item {
            package,
            value,
            import_path: built.import_path.clone(),
            expression,
        };
        if self.expressions.is_empty() {
            self.ev.finalize(built.root);
            return (vec![item(built.root, None)], Ok(()));
        }
        let mut out = Vec::new();
        for (text, tree) in self.expressions.clone() {
            match self.ev.expression_within(package, built.root, tree) {
                Ok(value) => {
                    self.ev.finalize(value);
                    out.push(item(value, Some(text)));
                }
                Err(messages) => {
                    if several {
                        world.tell(&format!("// {}\n", built.import_path));
                    }
                    let reports = self.ev.message_reports(&messages);
                    self.tell(world, &reports, false);
                    return (out, Err(Failed));
                }
            }
        }
        (out, Ok(()))
    }

    /// A fatal error of a value.
    pub(super) fn fatal(&mut self, v: VId) -> Option<ErrId> {
        self.validate(
            v,
            Config {
                all: true,
                ..Config::default()
            },
        )
    }

    /// An error of a value that is one itself, and does not share that of another one. What is
    /// wrong in a required field counts as missing.
    pub(super) fn broken(&mut self, v: VId) -> Option<ErrId> {
        if self.ev.is_shared(v) {
            return None;
        }
        self.ev.error_of_value(v)?;
        let config = Config {
            all: true,
            required: true,
            ..Config::default()
        };
        let e = self.ev.validate(v, config);
        (e != ErrId::default()).then_some(e)
    }

    /// An error of a value, or that it is not concrete.
    pub(super) fn not_concrete(&mut self, v: VId) -> Option<ErrId> {
        let config = Config {
            all: true,
            concrete: true,
            required: true,
            ..Config::default()
        };
        self.validate(v, config)
    }

    fn validate(&mut self, v: VId, config: Config) -> Option<ErrId> {
        let e = self.ev.validate(v, config);
        if e != ErrId::default() {
            return Some(e);
        }
        // a value on its own stands for what is wrong beneath the error of a struct
        self.ev
            .arcs(v)
            .is_empty()
            .then(|| self.ev.error_of_value(v))
            .flatten()
            .filter(|e| !matches!(self.ev.error_code(*e), Code::Incomplete | Code::Cycle))
    }

    /// Tells an error; `own` if the numbers in it are written as people write them.
    /// What has no path of its own gets that of the value.
    pub(super) fn tell_error(&self, world: &mut World<'_>, v: VId, e: ErrId, own: bool) {
        let reports = self.ev.reports_of(v, e);
        self.tell(world, &reports, own);
    }

    pub(super) fn tell(&self, world: &mut World<'_>, reports: &[Report], own: bool) {
        debug_assert_eq!(self.dir, world.dir.to_string_lossy());
        tell(&self.ev, world, reports, own);
    }
}

/// Parses an expression given as a flag; errors are told.
pub(super) fn expression(
    ev: &mut Evaluator,
    world: &mut World<'_>,
    name: &str,
    text: &str,
) -> Result<Arc<Tree>, Failed> {
    let Ok(file) = ev.sources.add(name, text) else {
        world.tell("expression too large\n");
        return Err(Failed);
    };
    let parsed = parse_expr(&ev.sources, file, &mut ev.names, &Options::default());
    if parsed.errors.is_empty() {
        return Ok(Arc::new(parsed.tree));
    }
    let mut reports: Vec<Report> = parsed.errors.iter().map(Report::of_syntax).collect();
    sort_reports(&mut reports, &ev.sources);
    tell(ev, world, &reports, false);
    Err(Failed)
}

/// An error on one line, with its path.
pub(super) fn told(report: &Report) -> String {
    if report.path.is_empty() {
        return report.message.clone();
    }
    format!("{}: {}", report.path.join("."), report.message)
}

fn tell(ev: &Evaluator, world: &mut World<'_>, reports: &[Report], own: bool) {
    let dir = world.dir.to_string_lossy().into_owned();
    let group = if own {
        group_mark(&world.language)
    } else {
        None
    };
    let style = ReportStyle {
        directory: Some(&dir),
        group,
    };
    let text = write_reports(reports, &ev.sources, style);
    world.tell(&text);
}

/// What stands between groups of three digits in a language.
fn group_mark(language: &str) -> Option<char> {
    let language = language.split(['_', '.', '@']).next().unwrap_or("");
    Some(match language {
        "de" | "es" | "it" | "nl" | "pt" | "da" | "id" | "tr" | "el" => '.',
        "fr" | "ru" | "pl" | "cs" | "sv" | "nb" | "fi" | "uk" | "bg" | "hu" | "sk" => '\u{a0}',
        _ => ',',
    })
}
