//! Lines of CUE text, laid out as `cue fmt` lays them out: tabs, and values and attributes of
//! consecutive one-line fields in columns.

use super::types;
use pravo_state::Type;

/// A field on one line.
pub(super) struct Field {
    label: String,
    value: String,
    attribute: Option<String>,
    block: bool,
}

impl Field {
    /// A field whose value is no struct or list. The label comes with its constraint and colon.
    pub(super) fn new(label: impl Into<String>, value: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            value: value.into(),
            attribute: None,
            block: false,
        }
    }

    /// A field whose value is, or has as operand, a struct or list: it stands in no column.
    pub(super) fn block(label: impl Into<String>, value: impl Into<String>) -> Self {
        Self {
            block: true,
            ..Self::new(label, value)
        }
    }

    /// A field whose value is a type, followed by `null`, which is empty or ` | null`.
    pub(super) fn typed(label: impl Into<String>, kind: &Type, null: &str) -> Self {
        Self {
            block: !types::is_scalar(kind) && *kind != Type::Dynamic,
            ..Self::new(label, types::value(kind) + null)
        }
    }

    /// The same field with an attribute such as `@pravo(optional)`.
    pub(super) fn attribute(mut self, attribute: Option<String>) -> Self {
        self.attribute = attribute;
        self
    }
}

/// A text that grows line by line.
#[derive(Default)]
pub(super) struct Sheet {
    text: String,
    indent: usize,
    run: Vec<Field>,
}

impl Sheet {
    /// One line as it stands.
    pub(super) fn line(&mut self, text: &str) {
        self.flush();
        self.put(text);
    }

    /// A line that opens a bracket; the lines after it stand one deeper.
    pub(super) fn open(&mut self, text: &str) {
        self.line(text);
        self.indent += 1;
    }

    /// A line that closes what [`Sheet::open`] opened.
    pub(super) fn close(&mut self, text: &str) {
        self.flush();
        self.indent -= 1;
        self.put(text);
    }

    /// An empty line.
    pub(super) fn blank(&mut self) {
        self.flush();
        self.text.push('\n');
    }

    /// A comment of one line.
    pub(super) fn comment(&mut self, text: &str) {
        self.line(&format!("// {text}"));
    }

    /// The first sentence of a description as a comment; nothing when there is none.
    pub(super) fn describe(&mut self, description: &str) {
        if let Some(sentence) = first_sentence(description) {
            self.comment(&sentence);
        }
    }

    /// A field on one line.
    pub(super) fn field(&mut self, field: Field) {
        if !field.block {
            self.run.push(field);
            return;
        }
        let mut line = format!("{} {}", field.label, field.value);
        if let Some(attribute) = field.attribute {
            line.push(' ');
            line.push_str(&attribute);
        }
        self.line(&line);
    }

    /// The text.
    pub(super) fn finish(mut self) -> String {
        self.flush();
        self.text
    }

    fn put(&mut self, text: &str) {
        self.text.extend(std::iter::repeat_n('\t', self.indent));
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn flush(&mut self) {
        let run = std::mem::take(&mut self.run);
        let width = |text: &String| text.chars().count();
        let labels = run.iter().map(|f| width(&f.label)).max().unwrap_or(0);
        for fields in run.chunk_by(|a, b| a.attribute.is_some() == b.attribute.is_some()) {
            let values = fields.iter().map(|f| width(&f.value)).max().unwrap_or(0);
            for field in fields {
                let mut line = format!("{:labels$} {}", field.label, field.value);
                if let Some(attribute) = &field.attribute {
                    let gap = values - width(&field.value) + 1;
                    line.extend(std::iter::repeat_n(' ', gap));
                    line.push_str(attribute);
                }
                self.put(&line);
            }
        }
    }
}

/// The first sentence of a text, on one line, without its dot; nothing when there is none.
fn first_sentence(text: &str) -> Option<String> {
    let paragraph = text.trim().split("\n\n").next()?;
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    let line = words.join(" ");
    let printable: String = line.chars().filter(|c| !c.is_control()).collect();
    let end = printable.find(". ").unwrap_or(printable.len());
    let sentence = printable[..end].trim_end_matches('.');
    (!sentence.is_empty()).then(|| sentence.to_owned())
}
