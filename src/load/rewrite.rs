//! What arguments name when sources are only to be rewritten: folders with all their files,
//! whatever conditions and names say.

use crate::args::{self, Argument};
use crate::data::Encoding;
use crate::import::Parts;
use crate::instance::Set;
use crate::module::{self, Module};
use crate::pattern::{NO_MODULE, refuse_uncanonical, standard_library, walk};
use crate::problem::{Problem, Problems, fail};
use crate::{Request, path};
use pravo_cue::eval::Evaluator;
use pravo_cue::print::Report;
use pravo_cue::syntax::parser::Options;
use std::path::Path;

/// Files that belong together.
#[derive(Clone, Debug)]
pub struct Sources {
    /// Absolute names in order, or `-`.
    pub files: Vec<String>,
    /// How they are parsed.
    pub options: Options,
    /// Whether they are all of one folder, so that each package of it stands for itself.
    pub is_folder: bool,
    /// The only package that is meant.
    pub package: Option<String>,
}

/// The sources that arguments name; none means the working directory.
///
/// # Errors
/// What is wrong with an argument.
pub fn sources(
    ev: &mut Evaluator,
    dir: &Path,
    args: &[String],
) -> Result<Vec<Sources>, Vec<Report>> {
    let found = find(ev, dir, args);
    found.map_err(|problems| problems.into_iter().map(Problem::into_report).collect())
}

fn find(ev: &mut Evaluator, dir: &Path, args: &[String]) -> Result<Vec<Sources>, Problems> {
    let here = vec![".".to_owned()];
    let args = if args.is_empty() { &here } else { args };
    let request = Request {
        dir: dir.to_owned(),
        ..Request::default()
    };
    let mut set = Set::new(&request);
    set.module = module::find(ev, &set.disk, &set.dir)?;
    let mut out = Vec::new();
    let mut files = Vec::new();
    for arg in args::classify(args, Encoding::Cue)? {
        match arg {
            Argument::Package(arg) => out.extend(set.folders(&arg)?),
            Argument::File { name, encoding, .. } => {
                let full = if name == "-" {
                    name
                } else {
                    path::join(&set.dir, &name)
                };
                if full != "-" && set.disk.kind(&full).is_none() {
                    return fail(format!("stat {full}: no such file or directory"));
                }
                if encoding == Encoding::Cue {
                    files.push(full);
                }
            }
        }
    }
    if !files.is_empty() {
        files.sort();
        out.push(Sources {
            files,
            options: set.options(),
            is_folder: false,
            package: None,
        });
    }
    Ok(out)
}

impl Set {
    fn options(&self) -> Options {
        let module = self.module.as_ref();
        module.map_or_else(module::newest, Module::options)
    }

    /// The folders that a package argument stands for.
    fn folders(&self, arg: &str) -> Result<Vec<Sources>, Problems> {
        let parts = Parts::of(arg);
        refuse_uncanonical(&parts)?;
        let rel = parts.path.strip_suffix("...").unwrap_or(&parts.path);
        let local = rel.is_empty() || rel.starts_with(['.', '/']);
        let all = parts.path.ends_with("...");
        if !local && all {
            return fail(format!("cue: \"{arg}\" matched no packages"));
        }
        if !local {
            return match parts.path.split('/').next().unwrap_or("").contains('.') {
                true => fail(NO_MODULE),
                false => standard_library(&parts.path),
            };
        }
        let top = path::join(&self.dir, if rel.is_empty() { "." } else { rel });
        let shown = arg.trim_end_matches('/');
        let mut dirs = Vec::new();
        if all {
            walk(&self.disk, &top, true, &mut dirs);
        } else if self.disk.kind(&top).is_some() {
            dirs.push(top);
        } else {
            return fail(format!("cannot find package \"{shown}\""));
        }
        let out: Vec<Sources> = dirs
            .into_iter()
            .map(|dir| Sources {
                files: self.sources_of(&dir),
                options: self.options(),
                is_folder: true,
                package: parts.qualifier.clone().filter(|q| q != "*"),
            })
            .filter(|s| !s.files.is_empty())
            .collect();
        if out.is_empty() {
            return fail(format!("cue: \"{shown}\" matched no packages"));
        }
        Ok(out)
    }

    /// The sources of one folder by name, without those that are put aside.
    fn sources_of(&self, dir: &str) -> Vec<String> {
        let names = self.disk.files(dir).unwrap_or_default();
        let sources = names
            .iter()
            .filter(|n| n.ends_with(".cue") && !n.starts_with(['_', '.']));
        sources.map(|n| path::join(dir, n)).collect()
    }
}
