//! Attributes and blocks as CUE fields.

use super::names;
use super::sheet::{Field, Sheet};
use super::types;
use pravo_state::{Attribute, AttributeKind, Block, NestedBlock, Nesting};
use std::collections::BTreeSet;

/// Writes bodies and collects the definitions that their blocks need.
///
/// The element of a block that is a list is a definition of its own below `#Block`: CUE does not
/// close a struct inside a list that has further conjuncts, such as counts.
#[derive(Default)]
pub(super) struct Bodies {
    counts: bool,
    waiting: Vec<Definition>,
}

/// A definition below `#Block` that is still to be written.
struct Definition {
    /// The labels above it, such as `resource.demo_thing`.
    path: String,
    /// Its own label, such as `ingress_match`.
    label: String,
    block: Block,
}

impl Bodies {
    /// Whether a block counts its occurrences, so that the text needs the package `list`.
    pub(super) fn counts(&self) -> bool {
        self.counts
    }

    /// Writes the attributes of a block, then its blocks. `path` says which type it belongs to,
    /// `prefix` where in it the block is.
    pub(super) fn block(&mut self, sheet: &mut Sheet, path: &str, prefix: &str, block: &Block) {
        for attribute in sorted(&block.attributes, |a| &a.name) {
            write_attribute(sheet, attribute);
        }
        for nested in sorted(&block.blocks, |b| &b.name) {
            self.nested(sheet, path, prefix, nested);
        }
    }

    fn nested(&mut self, sheet: &mut Sheet, path: &str, prefix: &str, nested: &NestedBlock) {
        sheet.describe(&nested.block.description);
        let label = names::label(&nested.name);
        let inner = format!("{prefix}{}", nested.name);
        match nested.nesting {
            Nesting::Single | Nesting::Group => {
                let mark = if nested.min_items > 0 { '!' } else { '?' };
                self.inline(
                    sheet,
                    (path, &inner),
                    &nested.block,
                    (&format!("{label}{mark}: "), ""),
                );
            }
            Nesting::Map => {
                let open = format!("{label}?: {{[string]: ");
                self.inline(sheet, (path, &inner), &nested.block, (&open, "}"));
            }
            Nesting::List | Nesting::Set => {
                let reference = self.define(path, &inner, &nested.block);
                let mut value = format!("[...{reference}]");
                if nested.min_items > 0 {
                    value.push_str(&format!(" & list.MinItems({})", nested.min_items));
                }
                if nested.max_items > 0 {
                    value.push_str(&format!(" & list.MaxItems({})", nested.max_items));
                }
                self.counts |= nested.min_items > 0 || nested.max_items > 0;
                sheet.field(Field::block(format!("{label}?:"), value));
            }
        }
    }

    fn inline(&mut self, sheet: &mut Sheet, at: (&str, &str), block: &Block, around: (&str, &str)) {
        let (open, close) = around;
        if block.attributes.is_empty() && block.blocks.is_empty() {
            sheet.field(Field::block(open.trim_end(), format!("{{}}{close}")));
            return;
        }
        sheet.open(&format!("{open}{{"));
        self.block(sheet, at.0, &format!("{}_", at.1), block);
        sheet.close(&format!("}}{close}"));
    }

    /// Names the definition of a block's element; a name that is taken gets underscores.
    fn define(&mut self, path: &str, name: &str, block: &Block) -> String {
        let identifier = |c: char| if c.is_alphanumeric() { c } else { '_' };
        let mut label: String = name.chars().map(identifier).collect();
        if label.starts_with(|c: char| c == '_' || c.is_numeric()) {
            label.insert(0, 'b');
        }
        while self
            .waiting
            .iter()
            .any(|d| d.path == path && d.label == label)
        {
            label.push('_');
        }
        let reference = format!("#Block.{path}.{label}");
        self.waiting.push(Definition {
            path: path.to_owned(),
            label,
            block: block.clone(),
        });
        reference
    }

    /// The definitions below `#Block`, in the order in which they were needed.
    pub(super) fn text(&mut self) -> String {
        let mut text = String::new();
        let mut next = 0;
        while next < self.waiting.len() {
            let definition = &self.waiting[next];
            let (path, label) = (definition.path.clone(), definition.label.clone());
            let block = definition.block.clone();
            next += 1;
            let mut sheet = Sheet::default();
            sheet.describe(&block.description);
            let steps = path.replace('.', ": ");
            sheet.open(&format!("#Block: {steps}: {label}: {{"));
            self.block(&mut sheet, &path, &format!("{label}_"), &block);
            sheet.close("}");
            text.push('\n');
            text.push_str(&sheet.finish());
        }
        text
    }
}

fn sorted<T>(items: &[T], name: impl Fn(&T) -> &String) -> Vec<&T> {
    let mut seen = BTreeSet::new();
    let mut items: Vec<&T> = items
        .iter()
        .filter(|i| seen.insert(name(i).clone()))
        .collect();
    items.sort_by_key(|i| name(i));
    items
}

fn write_attribute(sheet: &mut Sheet, attribute: &Attribute) {
    sheet.describe(&attribute.description);
    let label = names::label(&attribute.name);
    let (scalar, dynamic) = match &attribute.kind {
        AttributeKind::Value(kind) => (types::is_scalar(kind), *kind == pravo_state::Type::Dynamic),
        AttributeKind::Nested(..) => (false, false),
    };
    let mark = if attribute.required {
        "!"
    } else if attribute.optional && !(attribute.computed && (scalar || dynamic)) {
        "?"
    } else {
        ""
    };
    let nullable = !attribute.required && !dynamic && (scalar || mark.is_empty());
    let null = if nullable { " | null" } else { "" };
    let label = format!("{label}{mark}:");
    let flags = flags(attribute, scalar || dynamic);
    match &attribute.kind {
        AttributeKind::Value(kind) => {
            sheet.field(Field::typed(label, kind, null).attribute(flags));
        }
        AttributeKind::Nested(nesting, attributes) => {
            let (open, close) = match nesting {
                Nesting::Single | Nesting::Group => ("{", "}"),
                Nesting::List | Nesting::Set => ("[...{", "}]"),
                Nesting::Map => ("{[string]: {", "}}"),
            };
            if attributes.is_empty() {
                let value = format!("{open}{close}{null}");
                sheet.field(Field::block(label, value).attribute(flags));
                return;
            }
            let flags = flags.map(|f| format!(" {f}")).unwrap_or_default();
            sheet.open(&format!("{label} {open}"));
            for attribute in sorted(attributes, |a| &a.name) {
                write_attribute(sheet, attribute);
            }
            sheet.close(&format!("{close}{null}{flags}"));
        }
    }
}

/// What the field alone does not say, for readers: who may set it, and what must not be shown.
fn flags(attribute: &Attribute, scalar: bool) -> Option<String> {
    let both = attribute.optional && attribute.computed;
    let flags: Vec<&str> = [
        (both, "optional"),
        (both && !scalar, "computed"),
        (attribute.sensitive, "sensitive"),
        (attribute.write_only, "write_only"),
    ]
    .into_iter()
    .filter_map(|(set, flag)| set.then_some(flag))
    .collect();
    (!flags.is_empty()).then(|| format!("@pravo({})", flags.join(",")))
}
