//! The source text of short expressions, for the few messages that show it.

use crate::syntax::names::Names;
use crate::syntax::tree::{Expr, ExprId, Tree};

/// The text of an expression as the formatter would write it on one line. None for what takes more
/// than names, literals, selectors, indexes and calls.
pub(crate) fn text(tree: &Tree, x: ExprId, names: &Names) -> Option<String> {
    match tree.expr(x) {
        Expr::Ident(name) => Some(names.get(name).to_owned()),
        Expr::Literal(_, t) => Some(tree.text(t).to_owned()),
        Expr::Bottom => Some("_|_".into()),
        Expr::Selector(y, sel) => Some(format!(
            "{}.{}",
            text(tree, y, names)?,
            text(tree, sel, names)?
        )),
        Expr::Index(y, i, _) => Some(format!(
            "{}[{}]",
            text(tree, y, names)?,
            text(tree, i, names)?
        )),
        Expr::Paren(y, _) => Some(format!("({})", text(tree, y, names)?)),
        Expr::Unary(op, y) => Some(format!("{}{}", op.as_str(), text(tree, y, names)?)),
        Expr::Binary(op, a, b, _) => Some(format!(
            "{} {} {}",
            text(tree, a, names)?,
            op.as_str(),
            text(tree, b, names)?
        )),
        Expr::Call { fun, args, .. } => {
            let args: Option<Vec<String>> = tree
                .list(args)
                .iter()
                .map(|a| text(tree, *a, names))
                .collect();
            Some(format!("{}({})", text(tree, fun, names)?, args?.join(", ")))
        }
        _ => None,
    }
}
