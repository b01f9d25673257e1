//! What is printed where: results and progress on standard output, warnings and errors on
//! standard error; with `--json` standard output holds the document alone.

use crate::exit;
use crate::render::paint::Paint;
use pravo_state::Diagnostic;
use std::io::Write;

/// The two streams of a command. A reader that goes away ends nothing: an apply goes on without
/// being watched.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Screen {
    /// Colours of results.
    pub(crate) paint: Paint,
    /// Colours of warnings and errors.
    pub(crate) error_paint: Paint,
    /// Whether standard output is kept for a document.
    pub(crate) json: bool,
    /// Whether progress is left out.
    pub(crate) quiet: bool,
}

impl Screen {
    /// Prints a result.
    pub(crate) fn result(self, text: &str) {
        let mut out = std::io::stdout().lock();
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }

    /// Prints a line of progress.
    pub(crate) fn progress(self, line: &str) {
        if self.quiet {
            return;
        }
        if self.json {
            self.note(line);
        } else {
            self.result(&format!("{line}\n"));
        }
    }

    /// Prints a line that is neither result nor progress.
    pub(crate) fn note(self, line: &str) {
        let mut out = std::io::stderr().lock();
        let _ = writeln!(out, "{line}");
    }

    /// Prints an error or a warning.
    pub(crate) fn tell(self, diagnostic: &Diagnostic) {
        let text = exit::diagnostic(diagnostic, self.error_paint);
        let mut out = std::io::stderr().lock();
        let _ = out.write_all(text.as_bytes());
    }

    /// Prints a warning of one line.
    pub(crate) fn warn(self, line: &str) {
        self.tell(&Diagnostic::warning(line));
    }

    /// Prints a question, without ending the line.
    pub(crate) fn ask(self, question: &str) -> Option<String> {
        self.result(question);
        let mut answer = String::new();
        let read = std::io::stdin().read_line(&mut answer).ok()?;
        (read > 0).then(|| answer.trim_end_matches(['\r', '\n']).to_owned())
    }
}

/// The streams themselves, for a command that writes the bytes of another program.
pub(crate) fn streams() -> (std::io::BufWriter<std::io::Stdout>, std::io::Stderr) {
    (
        std::io::BufWriter::new(std::io::stdout()),
        std::io::stderr(),
    )
}

/// All of standard input.
pub(crate) fn stdin() -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = std::io::Read::read_to_end(&mut std::io::stdin(), &mut bytes);
    bytes
}
