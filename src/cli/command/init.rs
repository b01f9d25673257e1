//! `pravo init`: makes the module file, finds the providers, writes a CUE package for each.

use super::run::places;
use crate::context::Context;
use crate::exit::{Code, Failure};
use pravo_actors::Found;
use pravo_spec::generate::{GeneratedFile, generate, pravo_package};
use pravo_spec::{Specification, provider_imports, root_package};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Runs the command.
pub(super) fn run(context: &Context) -> Result<Code, Failure> {
    let imports = provider_imports(Path::new("."));
    let made = make_module()?;
    write(&pravo_package())?;
    let before = context.load();
    let mut printed = String::new();
    if before.is_err() && !imports.is_empty() {
        printed.push_str(
            "Configuration does not load yet; generating schemas for the declared providers \
             first.\n",
        );
    }
    let mut work = Work {
        context,
        done: BTreeMap::new(),
        wrote: Vec::new(),
    };
    work.install(imports.into_keys(), BTreeMap::new())?;
    if let Ok(specification) = context.load() {
        work.meet(&specification)?;
    }
    printed.push_str("Providers:\n");
    for found in work.done.values() {
        let located = &found.located;
        let version = match located.version.as_str() {
            "" => String::new(),
            version => format!(" v{version}"),
        };
        printed.push_str(&format!(
            "  {}{version} ({})\n",
            located.source, located.origin
        ));
    }
    if made {
        printed.push_str("Created cue.mod/module.cue\n");
    }
    for folder in &work.wrote {
        printed.push_str(&format!("Wrote {folder}\n"));
    }
    printed.push_str("\npravo has been initialised. Run \"pravo plan\" to see what it would do.\n");
    context.screen.result(&printed);
    Ok(Code::Done)
}

/// The providers of one `init`.
struct Work<'a> {
    context: &'a Context,
    done: BTreeMap<String, Found>,
    wrote: Vec<String>,
}

impl Work<'_> {
    /// Finds providers, asks each for its schema and writes its package.
    fn install(
        &mut self,
        sources: impl Iterator<Item = String>,
        constraints: BTreeMap<String, String>,
    ) -> Result<(), Failure> {
        let plugins = places(self.context, constraints)?;
        for source in sources {
            let found = plugins.ask_schema(&source)?;
            let version =
                Some(found.located.version.as_str()).filter(|version| !version.is_empty());
            let mut wrote = BTreeSet::new();
            for file in generate(&source, version, &found.installed.schema)? {
                if write(&file)? {
                    let folder = Path::new(&file.path).parent().unwrap_or(Path::new(""));
                    wrote.insert(folder.display().to_string());
                }
            }
            self.wrote.extend(wrote);
            self.done.insert(source, found);
        }
        Ok(())
    }

    /// Installs again what the constraints of the specification ask for, and what only its values
    /// name.
    fn meet(&mut self, specification: &Specification) -> Result<(), Failure> {
        let constraints: BTreeMap<String, String> = specification
            .providers()
            .iter()
            .filter_map(|provider| Some((provider.source.clone(), provider.version.clone()?)))
            .collect();
        let sources: BTreeSet<String> = specification
            .providers()
            .iter()
            .map(|provider| provider.source.clone())
            .filter(|source| constraints.contains_key(source) || !self.done.contains_key(source))
            .collect();
        self.install(sources.into_iter(), constraints)
    }
}

/// Makes `cue.mod/module.cue` where there is none.
fn make_module() -> Result<bool, Failure> {
    let path = "cue.mod/module.cue";
    if Path::new(path).exists() {
        return Ok(false);
    }
    let package = root_package(Path::new(".")).unwrap_or_else(|| "estate".to_owned());
    let text = format!("module: \"pravo.local/{package}\"\nlanguage: version: \"v0.17.0\"\n");
    write(&GeneratedFile {
        path: path.to_owned(),
        bytes: text.into_bytes(),
    })
}

/// Writes a file whole, unless it says the same already; whether it was written.
fn write(file: &GeneratedFile) -> Result<bool, Failure> {
    let path = Path::new(&file.path);
    if fs::read(path).is_ok_and(|old| old == file.bytes) {
        return Ok(false);
    }
    let failed =
        |error: std::io::Error| Failure::new(format!("cannot write {}: {error}", file.path));
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(failed)?;
    let temporary = folder.join(format!(".{}.tmp", std::process::id()));
    fs::write(&temporary, &file.bytes).map_err(failed)?;
    fs::rename(&temporary, path).map_err(failed)?;
    Ok(true)
}
