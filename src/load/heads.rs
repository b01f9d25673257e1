//! What the files of a directory say about themselves, whether they load or not.

use crate::disk::Disk;
use crate::file;
use crate::module;
use crate::path;
use pravo_cue::eval::Evaluator;
use pravo_cue::syntax::literal::unquote_string;
use std::path::Path;

/// The head of a file of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Its name in the directory.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The package clause; nothing also for `_`.
    pub package: Option<String>,
    /// The paths it imports, as far as it can be read.
    pub imports: Vec<String>,
    /// Whether it has errors in its syntax.
    pub broken: bool,
}

impl Head {
    /// Whether the file can be part of a package: names that begin with `.` or `_` and those of
    /// tests and tools are not.
    pub fn takes_part(&self) -> bool {
        let name = &self.name;
        !name.starts_with(['.', '_'])
            && !name.ends_with("_test.cue")
            && !name.ends_with("_tool.cue")
    }
}

/// The heads of all files of the language in a directory, sorted by name; none if it cannot be
/// read. Files that cannot be read are left out: loading says why.
pub fn heads(disk: &Disk, dir: &Path) -> Vec<Head> {
    let mut ev = Evaluator::new(std::sync::Arc::new(pravo_cue::builtin::StandardLibrary));
    let Ok(mut names) = disk.files(dir) else {
        return Vec::new();
    };
    names.retain(|n| n.ends_with(".cue"));
    let dir = path::clean(&dir.to_string_lossy());
    names
        .into_iter()
        .filter_map(|name| head(disk, &mut ev, &dir, name))
        .collect()
}

fn head(disk: &Disk, ev: &mut Evaluator, dir: &str, name: String) -> Option<Head> {
    let full = path::join(dir, &name);
    let bytes = disk.bytes(&full).ok()?;
    let source = file::parse(ev, &full, file::decode_text(&bytes), &module::newest()).ok()?;
    let imports = source.tree.imports();
    let imports = imports.filter_map(|(_, s)| unquote_string(source.tree.text(s.path)).ok());
    Some(Head {
        name,
        bytes,
        package: source.package.clone(),
        imports: imports.collect(),
        broken: !source.errors.is_empty(),
    })
}
