//! Test cases as data: files of named sections. `-- NAME --` on a line of its own begins one.

use std::path::{Path, PathBuf};

/// A file of sections, which can be written back.
#[derive(Clone, Debug)]
pub struct Archive {
    path: PathBuf,
    /// The text in front of the first section.
    pub comment: String,
    /// Name and text of each section, in order. A text that is not empty ends with a newline.
    pub sections: Vec<(String, String)>,
}

impl Archive {
    /// Reads a file.
    ///
    /// # Panics
    /// When the file cannot be read.
    #[track_caller]
    pub fn read(path: impl AsRef<Path>) -> Self {
        let path = path.as_ref();
        match std::fs::read_to_string(path) {
            Ok(text) => Self::of(path, &text),
            Err(error) => panic!("{}: {error}", path.display()),
        }
    }

    fn of(path: &Path, text: &str) -> Self {
        let (mut comment, mut sections) = (String::new(), Vec::<(String, String)>::new());
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("-- ").and_then(|l| l.strip_suffix(" --")) {
                sections.push((name.to_owned(), String::new()));
                continue;
            }
            let into = sections.last_mut().map_or(&mut comment, |(_, text)| text);
            into.push_str(line);
            into.push('\n');
        }
        Self {
            path: path.to_owned(),
            comment,
            sections,
        }
    }

    fn text(&self) -> String {
        let sections = self.sections.iter();
        let sections = sections.map(|(name, text)| format!("-- {name} --\n{text}"));
        self.comment.clone() + &sections.collect::<String>()
    }

    /// Ends a test in which sections were replaced by what came out: nothing may be wrong, but with
    /// `PRAVO_UPDATE` in the environment the file is written instead.
    ///
    /// # Panics
    /// When something is wrong, or the file cannot be written.
    #[track_caller]
    pub fn settle(&self, wrong: &[String]) {
        #[expect(
            clippy::disallowed_methods,
            reason = "only whoever runs the tests decides this"
        )]
        let update = std::env::var("PRAVO_UPDATE").is_ok();
        if !update {
            assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        } else if let Err(error) = std::fs::write(&self.path, self.text()) {
            panic!("{}: {error}", self.path.display());
        }
    }
}

#[cfg(test)]
mod tests {
    //! What is read is written as it was.

    use super::Archive;
    use std::path::Path;

    #[test]
    fn an_archive_is_written_as_it_was_read() {
        let text = "why\n-- a --\n1\n\n-- b c --\n-- d --\n-- not one\n";
        let archive = Archive::of(Path::new("x"), text);
        assert_eq!(archive.comment, "why\n");
        let sections: Vec<(&str, &str)> = archive
            .sections
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()))
            .collect();
        assert_eq!(
            sections,
            [("a", "1\n\n"), ("b c", ""), ("d", "-- not one\n")]
        );
        assert_eq!(archive.text(), text);
    }

    #[test]
    #[should_panic = "a: wrong"]
    fn what_is_wrong_fails_the_test() {
        Archive::of(Path::new("x"), "").settle(&["a: wrong".to_owned()]);
    }
}
