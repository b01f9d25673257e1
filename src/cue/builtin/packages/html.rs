//! `html`: entities.

use crate::builtin::kind::Kind;
use crate::builtin::registry::{Member, Package, STRING, function};

pub(super) static PACKAGE: Package = Package {
    path: "html",
    members: MEMBERS,
    source: "",
};

static MEMBERS: &[Member] = &[
    function("Escape", &[STRING], Kind::STRING, |c| {
        Ok(escape(&c.string(0)?, false).into())
    }),
    function("Unescape", &[STRING], Kind::STRING, |c| {
        Ok(htmlize::unescape(c.string(0)?).into_owned().into())
    }),
];

/// Escapes what has a meaning in HTML; templates treat NUL, too.
pub(super) fn escape(text: &str, nul: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\'' => out.push_str("&#39;"),
            '"' => out.push_str("&#34;"),
            '\0' if nul => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
