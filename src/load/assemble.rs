//! Instances to packages of an evaluator.

use crate::import::standard_exists;
use crate::instance::embed::Embedded;
use crate::instance::{Instance, Set};
use crate::problem::Problem;
use pravo_cue::eval::Evaluator;
use pravo_cue::eval::package::{PackageId, PackageSource};
use pravo_cue::eval::value::{Data, Val};
use pravo_cue::print::Report;
use pravo_cue::syntax::binding::import_name;
use pravo_cue::syntax::literal::unquote_string;
use pravo_cue::syntax::tree::{Decl, Expr, Tree};
use std::sync::Arc;

/// Why an instance is no package: the errors in the order in which they print.
#[derive(Debug)]
pub struct BuildError(pub Vec<Report>);

impl Set {
    /// Hands an instance to the evaluator, with what it imports.
    ///
    /// # Errors
    /// Errors of names and literals.
    pub fn build(&mut self, ev: &mut Evaluator, index: usize) -> Result<PackageId, BuildError> {
        let imports = self.instances[index].imports.clone();
        let packages = self.build_imports(ev, &imports)?;
        self.add(ev, &self.instances[index], packages, &[])
    }

    /// Hands an instance to the evaluator together with data files, as one package. Without an
    /// instance the data stands alone.
    ///
    /// # Errors
    /// Errors of names and literals.
    pub fn build_with(
        &mut self,
        ev: &mut Evaluator,
        index: Option<usize>,
        documents: &[Arc<Tree>],
    ) -> Result<PackageId, BuildError> {
        let alone = Instance {
            id: "_".to_owned(),
            ..Instance::default()
        };
        let imports = index
            .map(|i| self.instances[i].imports.clone())
            .unwrap_or_default();
        let packages = self.build_imports(ev, &imports)?;
        let instance = index.map_or(&alone, |i| &self.instances[i]);
        self.add(ev, instance, packages, documents)
    }

    fn build_imports(
        &mut self,
        ev: &mut Evaluator,
        imports: &[(String, usize)],
    ) -> Result<Vec<(String, PackageId)>, BuildError> {
        let mut out = Vec::with_capacity(imports.len());
        for (path, package) in imports {
            out.push((path.clone(), self.build_package(ev, *package)?));
        }
        Ok(out)
    }

    fn build_package(
        &mut self,
        ev: &mut Evaluator,
        package: usize,
    ) -> Result<PackageId, BuildError> {
        if let Some(known) = self.built.get(&package) {
            return Ok(*known);
        }
        let imports = self.packages[package].imports.clone();
        let packages = self.build_imports(ev, &imports)?;
        let id = self.add(ev, &self.packages[package], packages, &[])?;
        self.built.insert(package, id);
        Ok(id)
    }

    fn add(
        &self,
        ev: &mut Evaluator,
        instance: &Instance,
        imports: Vec<(String, PackageId)>,
        documents: &[Arc<Tree>],
    ) -> Result<PackageId, BuildError> {
        let mut reports = self.check_imports(ev, instance);
        if reports.is_empty() {
            self.check_embeds(ev, instance)?;
        }
        let mut source = PackageSource {
            id: instance.id.clone(),
            imports,
            ..PackageSource::default()
        };
        // Data enters before what it is checked with.
        source.files.extend(documents.iter().cloned());
        for file in &instance.files {
            let index = source.files.len();
            source.files.push(file.tree.clone());
            if let Some(values) = self.inject.get(&file.path) {
                source
                    .inject
                    .extend(values.iter().map(|(d, v)| (index, *d, *v)));
            }
            if let Some(embeds) = self.embeds.get(&file.path) {
                for (decl, found) in &embeds.found {
                    let value = embedded_value(ev, found)?;
                    source.inject.push((index, *decl, value));
                }
            }
        }
        let added = ev.add_package(source);
        if let Err(messages) = &added {
            reports.extend(ev.message_reports(messages));
        }
        match added {
            Ok(package) if reports.is_empty() => Ok(package),
            _ => Err(BuildError(reports)),
        }
    }

    fn check_embeds(&self, ev: &Evaluator, instance: &Instance) -> Result<(), BuildError> {
        let mut reports: Vec<Report> = (instance.files.iter())
            .filter_map(|f| self.embeds.get(&f.path))
            .flat_map(|e| e.problems.iter().cloned())
            .map(Problem::into_report)
            .collect();
        if reports.is_empty() {
            return Ok(());
        }
        pravo_cue::print::sort_reports(&mut reports, &ev.sources);
        Err(BuildError(reports))
    }

    /// Imports that are unknown, unused, or named like a field; the first file with such decides.
    fn check_imports(&self, ev: &Evaluator, instance: &Instance) -> Vec<Report> {
        for file in &instance.files {
            let mut problems = Vec::new();
            let tree = &file.tree;
            let mut seen: Vec<(String, pravo_cue::syntax::source::Pos)> = top_names(ev, tree);
            for (id, spec) in tree.imports() {
                let pos = spec.name.map_or(spec.path_pos, |n| n.pos);
                let Ok(path) = unquote_string(tree.text(spec.path)) else {
                    continue;
                };
                let first = path.split('/').next().unwrap_or("");
                if !first.contains('.') && !standard_exists(&path) {
                    let text = if path.contains('.') {
                        let importer = &instance.import_path;
                        format!("package \"{path}\" imported but not defined in {importer}")
                    } else {
                        format!("builtin package \"{path}\" undefined")
                    };
                    problems.push(Problem::at(pos, text));
                }
                let Some(name) = import_name(tree, &ev.names, id) else {
                    continue;
                };
                if let Some((_, before)) = seen.iter().find(|(n, _)| *n == name) {
                    let place = pravo_cue::print::position_text(
                        *before,
                        &ev.sources,
                        pravo_cue::print::ReportStyle {
                            directory: Some(&self.dir),
                            group: None,
                        },
                    );
                    let text = format!(
                        "{name} redeclared as imported package name\n\tprevious declaration at \
                         {place}"
                    );
                    problems.push(Problem::at(pos, text));
                    continue;
                }
                seen.push((name, pos));
                if file.unused.contains(&id) {
                    problems.push(unused(tree, ev, id, pos, &path));
                }
            }
            if !problems.is_empty() {
                let mut reports: Vec<Report> =
                    problems.into_iter().map(Problem::into_report).collect();
                pravo_cue::print::sort_reports(&mut reports, &ev.sources);
                return reports;
            }
        }
        Vec::new()
    }
}

/// Embedded files as a value.
fn embedded_value(ev: &mut Evaluator, found: &Embedded) -> Result<Val, BuildError> {
    match found {
        Embedded::File(tree) => document_value(ev, tree),
        Embedded::Files(files) => {
            let mut fields = Vec::with_capacity(files.len());
            for (name, tree) in files {
                fields.push((name.clone(), document_value(ev, tree)?));
            }
            Ok(ev.struct_of(fields))
        }
    }
}

fn document_value(ev: &mut Evaluator, tree: &Arc<Tree>) -> Result<Val, BuildError> {
    let source = PackageSource {
        id: "_".to_owned(),
        files: vec![tree.clone()],
        ..PackageSource::default()
    };
    match ev.add_package(source) {
        Ok(package) => Ok(Val::bare(Data::Vertex(ev.root(package)))),
        Err(messages) => {
            let reports = ev.message_reports(&messages);
            Err(BuildError(reports))
        }
    }
}

fn unused(
    tree: &Tree,
    ev: &Evaluator,
    id: pravo_cue::syntax::tree::SpecId,
    pos: pravo_cue::syntax::source::Pos,
    path: &str,
) -> Problem {
    let name = tree
        .spec(id)
        .name
        .map(|n| format!(" as {}", ev.names.get(n.name)));
    Problem::at(
        pos,
        format!(
            "imported and not used: \"{path}\"{}",
            name.unwrap_or_default()
        ),
    )
}

/// Top fields with an identifier as label, and where they stand.
fn top_names(ev: &Evaluator, tree: &Tree) -> Vec<(String, pravo_cue::syntax::source::Pos)> {
    if tree.imports().next().is_none() {
        return Vec::new();
    }
    let mut out = Vec::new();
    for id in tree.decl_list(tree.decls) {
        if let Decl::Field(f) = tree.decl(*id)
            && let Expr::Ident(name) = tree.expr(f.label)
        {
            out.push((ev.names.get(name).to_owned(), tree.pos(f.label)));
        }
    }
    out
}
