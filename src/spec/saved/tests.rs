//! A saved evaluation is used while it holds, and never else.

use super::{Cache, Remembered, Subject};
use crate::specification::LoadOptions;
use std::fs;
use std::path::Path;

struct Root {
    folder: tempfile::TempDir,
    stamp: &'static str,
}

impl Root {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Self {
            folder,
            stamp: "one",
        };
        root.write(
            "root/a.cue",
            "package root\n\n$settings: refresh: *\"1h\" | string @tag(age)\n",
        );
        root
    }

    fn at(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.at(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn options(&self, tags: &[&str]) -> LoadOptions {
        LoadOptions {
            root: self.at("root"),
            tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
            variables: None,
            modules: Some(self.at("modules")),
        }
    }

    fn load(&self, tags: &[&str]) -> Remembered {
        let cache = Cache::new(self.at("cache/evaluations"), self.stamp);
        Remembered::load(self.options(tags), Some(cache)).unwrap()
    }

    /// Loads, proves something, saves; the answer is what was proved before.
    fn visit(&self, tags: &[&str]) -> Option<u8> {
        let mut loaded = self.load(tags);
        let known = loaded.proof(Subject::Output("o")).map(|proof| proof[0]);
        assert_eq!(known.is_some(), loaded.specification.is_none());
        loaded.prove(Subject::Output("o"), [known.unwrap_or(0) + 1; 32]);
        loaded.save().unwrap();
        known
    }

    fn saved(&self) -> Vec<std::path::PathBuf> {
        let files = fs::read_dir(self.at("cache/evaluations")).unwrap();
        files.map(|file| file.unwrap().path()).collect()
    }
}

fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn it_holds_until_something_that_was_read_changes() {
    let root = Root::new();
    assert_eq!(root.visit(&[]), None);
    assert_eq!(root.visit(&[]), Some(1));
    assert_eq!(root.visit(&[]), Some(2));
    root.write("root/a.cue", "package root\n\n$settings: refresh: \"2h\"\n");
    assert_eq!(root.visit(&[]), None);
    assert_eq!(root.visit(&[]), Some(1));
    root.write("root/b.cue", "package root\n");
    assert_eq!(root.visit(&[]), None, "a file that was not there");
    fs::remove_file(root.at("root/b.cue")).unwrap();
    assert_eq!(root.visit(&[]), None, "a file that is gone");
    root.write(
        "root/cue.mod/module.cue",
        "module: \"a.example\"\nlanguage: version: \"v0.17.0\"\n",
    );
    assert_eq!(root.visit(&[]), None, "a module that was not there");
    root.write("root/notes.txt", "not of the language");
    root.write("cue.mod/module.cue", "above the module");
    assert_eq!(root.visit(&[]), None, "the names in the root are read");
    assert_eq!(root.visit(&[]), Some(1));
}

#[test]
fn it_holds_until_a_module_it_depends_on_changes() {
    let root = Root::new();
    root.write(
        "root/cue.mod/module.cue",
        "module: \"a.example@v0\"\nlanguage: version: \"v0.17.0\"\ndeps: \"b.example@v0\": v: \"v0.1.0\"\n",
    );
    root.write(
        "root/a.cue",
        "package root\n\nimport \"b.example:b\"\n\n$settings: refresh: b.age\n",
    );
    let module = "modules/mod/extract/b.example@v0.1.0/b.cue";
    root.write(module, "package b\n\nage: \"1h\"\n");
    assert_eq!(root.visit(&[]), None);
    assert_eq!(root.visit(&[]), Some(1));
    root.write(module, "package b\n\nage: \"2h\"\n");
    assert_eq!(root.visit(&[]), None);
    assert_eq!(root.load(&[]).settings().refresh.as_str(), "2h");
}

#[test]
fn it_belongs_to_its_tags_and_its_program() {
    let mut root = Root::new();
    assert_eq!(root.visit(&[]), None);
    assert_eq!(root.visit(&["age=2h"]), None);
    assert_eq!(root.load(&["age=2h"]).settings().refresh.as_str(), "2h");
    assert_eq!(root.load(&[]).settings().refresh.as_str(), "1h");
    root.stamp = "two";
    assert_eq!(root.visit(&[]), None);
}

#[test]
fn a_damaged_file_is_no_file() {
    let root = Root::new();
    for damage in 0..5 {
        root.visit(&[]);
        assert_eq!(root.visit(&[]), Some(1));
        let file = root.saved().remove(0);
        assert_eq!((mode(&file), mode(file.parent().unwrap())), (0o600, 0o700));
        let mut bytes = fs::read(&file).unwrap();
        match damage {
            0 => bytes.clear(),
            1 => bytes.truncate(bytes.len() / 2),
            2 => bytes.truncate(30),
            3 => *bytes.last_mut().unwrap() ^= 1,
            _ => bytes[2] ^= 1,
        }
        fs::write(&file, bytes).unwrap();
        assert_eq!(root.visit(&[]), None);
        fs::remove_file(file).unwrap();
    }
}

#[test]
fn files_that_change_while_they_are_in_use_are_not_mixed() {
    let root = Root::new();
    root.visit(&[]);
    let mut loaded = root.load(&[]);
    root.write("root/a.cue", "package root\n\n$settings: refresh: \"3h\"\n");
    assert_eq!(loaded.settings().refresh.as_str(), "1h");
    let error = loaded.specification().err().unwrap().to_string();
    assert!(error.contains("run the command again"), "{error}");
}

#[test]
fn old_files_go() {
    let root = Root::new();
    for n in 0..70 {
        root.visit(&[&format!("age={n}h")]);
    }
    assert_eq!(root.saved().len(), 64);
    assert_eq!(root.visit(&["age=69h"]), Some(1));
}
