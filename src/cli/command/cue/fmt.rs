//! `cue fmt`.

use super::diff::unified;
use super::flags::Flags;
use super::{Failed, World};
use pravo_cue::builtin::StandardLibrary;
use pravo_cue::eval::Evaluator;
use pravo_cue::print::{Report, ReportStyle, sort_reports, write_reports};
use pravo_cue::syntax::format::{Node, Style, format};
use pravo_cue::syntax::parser::{Options, parse_file};
use pravo_cue::syntax::simplify::simplify_labels;
use pravo_cue::syntax::tree::Tree;
use pravo_load::path::{clean, relative};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file that was read.
struct Source {
    /// Its name in messages.
    name: String,
    bytes: Vec<u8>,
    tree: Tree,
}

struct Formatter<'a, 'w> {
    ev: Evaluator,
    flags: &'a Flags,
    world: &'a mut World<'w>,
    /// Whether some file was not as it should be.
    found: bool,
}

/// Rewrites sources, or tells which would be.
pub(super) fn run(flags: &Flags, world: &mut World<'_>) -> Result<(), Failed> {
    let mut f = Formatter {
        ev: Evaluator::new(Arc::new(StandardLibrary)),
        flags,
        world,
        found: false,
    };
    if flags.files {
        f.files()?;
    } else {
        f.packages()?;
    }
    if flags.check && f.found {
        return Err(Failed);
    }
    Ok(())
}

impl Formatter<'_, '_> {
    fn packages(&mut self) -> Result<(), Failed> {
        let dir = self.world.dir.clone();
        let found = match pravo_load::sources(&mut self.ev, &dir, &self.flags.args) {
            Ok(found) => found,
            Err(reports) => return Err(self.tell(reports)),
        };
        for sources in found {
            let mut read = Vec::new();
            for name in &sources.files {
                read.push(self.read(name.clone(), name, &sources.options)?);
            }
            if sources.is_folder {
                let ev = &self.ev;
                let package = |s: &Source| {
                    let name = s.tree.package().map(|p| ev.names.get(p.name).to_owned());
                    name.filter(|n| n != "_").unwrap_or_default()
                };
                read.retain(|s| (sources.package.as_ref()).is_none_or(|p| *p == package(s)));
                read.sort_by_cached_key(package);
            }
            for source in read {
                self.source(source)?;
            }
        }
        Ok(())
    }

    fn files(&mut self) -> Result<(), Failed> {
        let here = [".".to_owned()];
        let args = if self.flags.args.is_empty() {
            &here
        } else {
            &self.flags.args[..]
        };
        if args.iter().any(|a| a.contains("...")) {
            self.world.tell("cannot use \"...\" in --files mode\n");
            return Err(Failed);
        }
        for arg in args {
            if arg == "-" {
                self.file("-")?;
                continue;
            }
            let arg = clean(arg);
            let full = self.world.dir.join(&arg);
            if std::fs::symlink_metadata(&full).is_err() {
                let text = format!("lstat {arg}: no such file or directory\n");
                self.world.tell(&text);
                return Err(Failed);
            }
            self.walk(&arg, true)?;
        }
        Ok(())
    }

    fn walk(&mut self, path: &str, top: bool) -> Result<(), Failed> {
        let full = self.world.dir.join(path);
        let folder = std::fs::symlink_metadata(&full).is_ok_and(|m| m.is_dir());
        if !folder {
            return if path.ends_with(".cue") {
                self.file(path)
            } else {
                Ok(())
            };
        }
        let name = path.rsplit('/').next().unwrap_or(path);
        if !top && (name == "cue.mod" || name.starts_with(['.', '_'])) {
            return Ok(());
        }
        let mut names: Vec<String> = match std::fs::read_dir(&full) {
            Ok(entries) => entries
                .filter_map(Result::ok)
                .filter_map(|e| e.file_name().into_string().ok())
                .collect(),
            Err(e) => {
                self.world.tell(&format!("open {path}: {e}\n"));
                return Err(Failed);
            }
        };
        names.sort();
        for name in names {
            let inner = if path == "." {
                name
            } else {
                format!("{path}/{name}")
            };
            self.walk(&inner, false)?;
        }
        Ok(())
    }

    fn file(&mut self, path: &str) -> Result<(), Failed> {
        let source = self.read(path.to_owned(), path, &Options::default())?;
        self.source(source)
    }

    fn read(&mut self, name: String, path: &str, options: &Options) -> Result<Source, Failed> {
        let bytes = if path == "-" {
            (self.world.stdin)()
        } else {
            match std::fs::read(self.world.dir.join(path)) {
                Ok(bytes) => bytes,
                Err(e) => {
                    self.world.tell(&format!("open {path}: {e}\n"));
                    return Err(Failed);
                }
            }
        };
        let text = pravo_load::decode_text(&bytes);
        let Ok(id) = self.ev.sources.add(name.as_str(), text) else {
            self.world.tell(&format!("{name}: too large\n"));
            return Err(Failed);
        };
        let parsed = parse_file(&self.ev.sources, id, &mut self.ev.names, options);
        if parsed.errors.is_empty() {
            let tree = parsed.tree;
            return Ok(Source { name, bytes, tree });
        }
        let reports = parsed.errors.iter().map(Report::of_syntax).collect();
        Err(self.tell(reports))
    }

    fn tell(&mut self, mut reports: Vec<Report>) -> Failed {
        sort_reports(&mut reports, &self.ev.sources);
        let dir = self.world.dir.to_string_lossy().into_owned();
        let style = ReportStyle {
            directory: Some(&dir),
            group: None,
        };
        let text = write_reports(&reports, &self.ev.sources, style);
        self.world.tell(&text);
        Failed
    }

    fn source(&mut self, mut source: Source) -> Result<(), Failed> {
        let style = Style {
            simplify: self.flags.simplify,
            spaces: false,
        };
        if style.simplify {
            simplify_labels(&mut source.tree, &mut self.ev.names);
        }
        let text = format(&source.tree, &self.ev.names, Node::File, style).into_bytes();
        let (diff, check) = (self.flags.diff, self.flags.check);
        let stdin = source.name == "-";
        if stdin && !diff && !check {
            self.world.print(&text);
        }
        if text == source.bytes {
            return Ok(());
        }
        self.found = true;
        let shown = self.relative(&source.name);
        if diff {
            let old = format!("{shown}.orig");
            let mut lines = unified(&old, &source.bytes, &shown, &text);
            lines.push(b'\n');
            self.world.print(&lines);
        } else if check {
            self.world.print(format!("{shown}\n").as_bytes());
        } else if !stdin {
            let path = self.world.dir.join(&source.name);
            if let Err(e) = replace(&path, &text) {
                self.world.tell(&format!("open {}: {e}\n", source.name));
                return Err(Failed);
            }
        }
        Ok(())
    }

    /// A name relative to the working directory.
    fn relative(&self, name: &str) -> String {
        if !name.starts_with('/') {
            return name.to_owned();
        }
        relative(&self.world.dir.to_string_lossy(), name)
    }
}

/// Replaces the content of a file in one step: a reader sees the old or the new text.
fn replace(path: &Path, content: &[u8]) -> std::io::Result<()> {
    // a link stays a link
    let path: PathBuf = path.canonicalize()?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = path.with_file_name(format!(".{name}.{}", std::process::id()));
    let written = (|| {
        let mut file = std::fs::File::create_new(&temporary)?;
        file.set_permissions(std::fs::metadata(&path)?.permissions())?;
        file.write_all(content)?;
        file.sync_all()?;
        std::fs::rename(&temporary, &path)
    })();
    if written.is_err() {
        let _ = std::fs::remove_file(&temporary);
    }
    written
}
