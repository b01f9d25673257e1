//! The files of a package: which files of a directory belong to it, and those of the directories
//! above.

use crate::file::Source;
use crate::instance::Set;
use crate::module::Module;
use crate::path;
use crate::problem::{Problem, Problems};
use pravo_cue::eval::Evaluator;
use std::rc::Rc;

/// What the files of one directory are.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    /// Files that take part, with their package.
    pub(crate) files: Vec<Rc<Source>>,
    /// Files that do not, and why.
    pub(crate) excluded: Vec<(String, String)>,
    /// The packages of those among them that could be read.
    pub(crate) excluded_of: Vec<Option<String>>,
    /// Files that only their name keeps out, and why: they count as files of their package where
    /// a package is looked for.
    pub(crate) aside: Vec<(Rc<Source>, &'static str)>,
    /// Whether the directory exists.
    pub(crate) exists: bool,
    /// What is wrong with any of the files, also those that do not take part.
    pub(crate) errors: Problems,
    /// Whether it holds any file at all.
    pub(crate) any_file: bool,
}

impl Listing {
    /// The packages, each with its first file, in the order of the files.
    pub(crate) fn packages(&self) -> Vec<(String, String)> {
        let mut files: Vec<&Source> = self.files.iter().map(Rc::as_ref).collect();
        files.extend(self.aside.iter().map(|(f, _)| &**f));
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let mut out: Vec<(String, String)> = Vec::new();
        for f in files {
            if let Some(p) = &f.package
                && !out.iter().any(|(name, _)| name == p)
            {
                out.push((p.clone(), path::base(&f.path).to_owned()));
            }
        }
        out
    }

    /// How many files of a package do not take part.
    pub(crate) fn left_out_of(&self, package: &str) -> usize {
        let aside = self.aside.iter().map(|(f, _)| &f.package);
        let all = self.excluded_of.iter().chain(aside);
        all.filter(|p| p.as_deref() == Some(package)).count()
    }

    /// How many files do not take part.
    pub(crate) fn left_out(&self) -> usize {
        self.excluded.len() + self.aside.len()
    }
}

impl Set {
    /// Reads the files of a directory, once.
    pub(crate) fn listing(
        &mut self,
        ev: &mut Evaluator,
        dir: &str,
        own: bool,
    ) -> Result<Rc<Listing>, Problems> {
        if let Some(known) = self.listings.get(dir) {
            return Ok(known.clone());
        }
        let mut listing = Listing::default();
        if let Ok(mut names) = self.disk.files(dir) {
            listing.exists = true;
            listing.any_file = !names.is_empty();
            names.retain(|n| n.ends_with(".cue"));
            for name in names {
                self.list_file(ev, dir, &name, own, &mut listing)?;
            }
        }
        let listing = Rc::new(listing);
        self.listings.insert(dir.to_owned(), listing.clone());
        Ok(listing)
    }

    fn list_file(
        &mut self,
        ev: &mut Evaluator,
        dir: &str,
        name: &str,
        own: bool,
        listing: &mut Listing,
    ) -> Result<(), Problems> {
        let full = path::join(dir, name);
        let mut exclude = |why: &str| listing.excluded.push((full.clone(), why.to_owned()));
        if name.starts_with('_') {
            exclude("filename starts with a '_'");
            return Ok(());
        }
        if name.starts_with('.') {
            exclude("filename starts with a '.'");
            return Ok(());
        }
        let source = self.source(ev, &full)?;
        listing.errors.extend(source.errors.iter().cloned());
        match self.excluded_by_head(ev, &source, own)? {
            Some(why) => {
                listing.excluded.push((full, why));
                listing.excluded_of.push(source.package.clone());
            }
            None => match excluded_by_name(name) {
                Some(why) => listing.aside.push((source, why)),
                None => listing.files.push(source),
            },
        }
        Ok(())
    }

    /// Why the head of a file keeps it out of its package.
    pub(crate) fn excluded_by_head(
        &mut self,
        ev: &mut Evaluator,
        source: &Source,
        own: bool,
    ) -> Result<Option<String>, Problems> {
        if source.ignored {
            return Ok(Some("@ignore() attribute found".to_owned()));
        }
        if let [(first, _), (second, _), ..] = source.conditions.as_slice() {
            return Err(vec![
                Problem::at(*first, "previous declaration here"),
                Problem::at(*second, "multiple @if attributes"),
            ]);
        }
        if let Some((pos, body)) = source.conditions.first()
            && !self.tags.holds(ev, *pos, body, own)?
        {
            return Ok(Some(format!("@if({body}) did not match")));
        }
        Ok(None)
    }

    /// The files of a package in a directory and, inside a module, in those above it; the
    /// uppermost directory first.
    pub(crate) fn package_files(
        &mut self,
        ev: &mut Evaluator,
        dir: &str,
        package: &str,
        module: Option<&Module>,
        own: bool,
    ) -> Result<Vec<Rc<Source>>, Problems> {
        let mut dirs = vec![dir.to_owned()];
        if let Some(module) = module {
            let mut at = dir.to_owned();
            while at != module.root {
                let Some(up) = path::parent(&at) else { break };
                at = up.to_owned();
                dirs.push(at.clone());
            }
        }
        let mut out = Vec::new();
        for dir in dirs.iter().rev() {
            let listing = self.listing(ev, dir, own)?;
            let files = listing.files.iter();
            out.extend(
                files
                    .filter(|f| f.package.as_deref() == Some(package))
                    .cloned(),
            );
        }
        Ok(out)
    }
}

/// Why the name of a file keeps it out of every package.
pub(crate) fn excluded_by_name(name: &str) -> Option<&'static str> {
    if name.ends_with("_test.cue") {
        Some("_test.cue files excluded in non-test mode")
    } else if name.ends_with("_tool.cue") {
        Some("_tool.cue files excluded in non-cmd mode")
    } else {
        None
    }
}
