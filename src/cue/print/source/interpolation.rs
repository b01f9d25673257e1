//! Interpolations to syntax.

use crate::eval::program::{Expr, Run, XId};
use crate::eval::vertex::EnvId;
use crate::print::printer::Printer;
use crate::syntax::literal::quote_string;
use crate::syntax::tree::{self, ExprId, LitKind};

impl Printer<'_> {
    pub(super) fn interpolation(&mut self, env: EnvId, bytes: bool, run: Run) -> ExprId {
        let parts = self.ev.program.arg_list(run).to_vec();
        let texts: Vec<String> = parts.iter().step_by(2).map(|x| self.piece(*x)).collect();
        let quote = if bytes { "'" } else { "\"" };
        let depth = self.stack.len();
        let indent = "\t".repeat(depth);
        let multi = texts.iter().any(|t| t.contains('\n'));
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
    fn piece(&self, x: XId) -> String {
        let Expr::Val(v) = self.ev.program.expr(x) else {
            return String::new();
        };
        match (self.ev.str(v), self.ev.bytes_of(v)) {
            (Some(text), _) => text.to_owned(),
            (_, Some(bytes)) => String::from_utf8_lossy(bytes).into_owned(),
            _ => String::new(),
        }
    }
}

/// Text inside an interpolation; in the triple form lines are indented and quotes stay.
fn escaped(text: &str, quote: &str, multi: bool, indent: &str) -> String {
    let line = |text: &str| {
        let quoted = quote_string(text);
        let inner = quoted[1..quoted.len() - 1].replace("\\\"", "\"");
        if multi {
            inner
        } else {
            inner.replace(quote, &format!("\\{quote}"))
        }
    };
    if !multi {
        return line(text);
    }
    let lines: Vec<String> = text
        .split('\n')
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
