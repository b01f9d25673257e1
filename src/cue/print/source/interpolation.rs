//! Interpolations to syntax.

use crate::eval::program::{Expr, Run, XId};
use crate::eval::vertex::EnvId;
use crate::print::printer::Printer;
use crate::syntax::literal::{quote_bytes, quote_string};
use crate::syntax::tree::{self, ExprId, LitKind};

impl Printer<'_> {
    pub(super) fn interpolation(&mut self, env: EnvId, bytes: bool, run: Run) -> ExprId {
        let parts = self.ev.program.arg_list(run).to_vec();
        let texts: Vec<Vec<u8>> = parts.iter().step_by(2).map(|x| self.piece(*x)).collect();
        let quote = if bytes { "'" } else { "\"" };
        let depth = self.stack.len();
        let indent = "\t".repeat(depth);
        let multi = texts.iter().any(|t| t.contains(&b'\n'));
        let mut items = Vec::with_capacity(parts.len());
        let mut prefix = if multi {
            format!("{}\n{indent}", quote.repeat(3))
        } else {
            quote.to_owned()
        };
        for (i, part) in parts.iter().enumerate() {
            if i % 2 == 1 {
                items.push(self.inner(env, *part));
                continue;
            }
            let mut text = std::mem::replace(&mut prefix, ")".to_owned());
            text.push_str(&escaped(&texts[i / 2], quote, multi, &indent));
            if i + 1 == parts.len() {
                if multi {
                    text.push('\n');
                    text.push_str(&indent);
                    text.push_str(&quote.repeat(3));
                } else {
                    text.push_str(quote);
                }
            } else {
                if text.ends_with('\n') {
                    text.push_str(&indent);
                }
                text.push_str("\\(");
            }
            items.push(self.out.literal(LitKind::Piece, &text));
        }
        let items = self.out.exprs(&items);
        self.out.expr(tree::Expr::Interpolation(items))
    }

    /// The content of a literal piece of an interpolation.
    fn piece(&self, x: XId) -> Vec<u8> {
        let Expr::Val(v) = self.ev.program.expr(x) else {
            return Vec::new();
        };
        match (self.ev.str(v), self.ev.bytes_of(v)) {
            (Some(text), _) => text.as_bytes().to_vec(),
            (_, Some(bytes)) => bytes.to_vec(),
            _ => Vec::new(),
        }
    }
}

/// Text inside an interpolation; in the triple form lines are indented and quotes stay.
fn escaped(text: &[u8], quote: &str, multi: bool, indent: &str) -> String {
    let line = |text: &[u8]| {
        let quoted = if quote == "'" {
            quote_bytes(text)
        } else {
            quote_string(&String::from_utf8_lossy(text))
        };
        let inner = &quoted[1..quoted.len() - 1];
        if multi {
            inner.replace(&format!("\\{quote}"), quote)
        } else {
            inner.to_owned()
        }
    };
    if !multi {
        return line(text);
    }
    let lines: Vec<String> = text
        .split(|b| *b == b'\n')
        .enumerate()
        .map(|(i, part)| {
            let pad = if i > 0 && !part.is_empty() {
                indent
            } else {
                ""
            };
            format!("{pad}{}", line(part))
        })
        .collect();
    lines.join("\n")
}
