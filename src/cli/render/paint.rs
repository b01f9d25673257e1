//! Colours for a terminal. Nothing is said by colour alone.

/// Puts colours around text, or not.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Paint {
    /// Whether colours are printed.
    pub(crate) on: bool,
}

impl Paint {
    /// A glyph in the colour of what it stands for.
    pub(crate) fn glyph(self, columns: &str) -> String {
        let colour = match columns.trim() {
            "+" => "32",
            "-" => "31",
            "~" | "-/+" | "+/-" => "33",
            "<=" => "36",
            _ => return columns.to_owned(),
        };
        self.wrap(colour, columns)
    }

    /// A heading.
    pub(crate) fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// The first word of an error.
    pub(crate) fn red(self, text: &str) -> String {
        self.wrap("1;31", text)
    }

    /// The first word of a warning.
    pub(crate) fn yellow(self, text: &str) -> String {
        self.wrap("1;33", text)
    }

    fn wrap(self, colour: &str, text: &str) -> String {
        if self.on {
            format!("\u{1b}[{colour}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }
}
