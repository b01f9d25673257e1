//! Expressions of a kind.

use super::{Feature, Kind, Maker};

const WORDS: [&str; 6] = ["a", "b", "xy", "web-1", "Z", ""];

impl Maker {
    /// A value of a kind, concrete for the most part.
    pub(super) fn value(&mut self, kind: &Kind, depth: usize) -> String {
        if self.dice.percent(22)
            && let Some(reference) = self.reference(kind)
        {
            return reference;
        }
        if self.dice.percent(8) {
            return self.disjunction(kind, depth);
        }
        match kind {
            Kind::Int => self.int(depth),
            Kind::Text => self.text(depth),
            Kind::Bool => self.bool(depth),
            Kind::List(inner) => self.list(inner, depth),
            Kind::Struct(fields) => {
                let fields = fields.clone();
                self.literal(&fields, depth)
            }
        }
    }

    /// A path of that kind, if there is one.
    pub(super) fn reference(&mut self, kind: &Kind) -> Option<String> {
        let fitting: Vec<String> = self
            .known
            .iter()
            .filter(|known| known.kind == *kind)
            .map(|known| known.path.clone())
            .collect();
        if fitting.is_empty() {
            return None;
        }
        self.uses(Feature::Reference);
        Some(self.dice.pick(&fitting).clone())
    }

    /// A value that leaves something open, which most values of the kind fit.
    pub(super) fn constraint(&mut self, kind: &Kind, depth: usize) -> String {
        match (kind, self.dice.below(5)) {
            (Kind::Int, 0) => "int".into(),
            (Kind::Int, 1 | 2) => {
                self.uses(Feature::Bounds);
                let (low, high) = (self.dice.below(4), 5 + self.dice.below(20));
                match self.dice.below(4) {
                    0 => format!(">={low}"),
                    1 => format!("<{high}"),
                    2 => format!(">{low} & <={high}"),
                    _ => format!("!={low}"),
                }
            }
            (Kind::Text, 0) => "string".into(),
            (Kind::Text, 1) => {
                self.uses(Feature::Bounds);
                let pattern = *self.dice.pick(&["^[a-z]", "x", "1$", "."]);
                let operator = *self.dice.pick(&["=~", "!~"]);
                format!("{operator}\"{pattern}\"")
            }
            (Kind::Text, 2) => {
                self.uses(Feature::Builtin);
                self.imports.insert("strings");
                let count = self.dice.below(4);
                format!("strings.MaxRunes({})", 2 + count)
            }
            (Kind::Bool, 0) => "bool".into(),
            (Kind::List(inner), 0 | 1) => {
                self.uses(Feature::Ellipsis);
                let inner = self.constraint(inner, 0);
                format!("[...{inner}]")
            }
            (Kind::Struct(_), 0) => "{...}".into(),
            (Kind::Int | Kind::Text | Kind::Bool, 3) => self.default(kind, depth),
            _ if self.dice.percent(20) => self.value(kind, depth),
            _ => word(kind).into(),
        }
    }

    fn default(&mut self, kind: &Kind, depth: usize) -> String {
        self.uses(Feature::Default);
        self.uses(Feature::Disjunction);
        let value = self.value(kind, depth.saturating_sub(1));
        let word = word(kind);
        format!("*{} | {word}", parenthesized(&value))
    }

    fn disjunction(&mut self, kind: &Kind, depth: usize) -> String {
        if self.dice.percent(50) {
            return format!("({})", self.default(kind, depth));
        }
        self.uses(Feature::Disjunction);
        let below = depth.saturating_sub(1);
        let (one, other) = (self.value(kind, below), self.value(kind, below));
        let mark = match self.dice.percent(40) {
            true => {
                self.uses(Feature::Default);
                "*"
            }
            false => "",
        };
        format!(
            "({} | {mark}{})",
            parenthesized(&one),
            parenthesized(&other)
        )
    }

    fn int(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.dice.below(12).to_string();
        }
        let (one, two) = (depth - 1, self.dice.below(5));
        match self.dice.below(9) {
            0 => {
                let left = self.value(&Kind::Int, one);
                let operator = *self.dice.pick(&["+", "-", "*"]);
                format!("{} {operator} {two}", parenthesized(&left))
            }
            1 => {
                self.uses(Feature::Builtin);
                let text = self.value(&Kind::Text, one);
                format!("len({text})")
            }
            2 => {
                self.uses(Feature::Builtin);
                self.imports.insert("list");
                let list = self.value(&Kind::List(Box::new(Kind::Int)), one);
                let name = *self.dice.pick(&["Sum", "Max", "Min"]);
                format!("list.{name}({list})")
            }
            3 => {
                self.uses(Feature::Builtin);
                let left = self.value(&Kind::Int, one);
                let name = *self.dice.pick(&["div", "mod", "quo", "rem"]);
                format!("{name}({left}, {})", two + 1)
            }
            4 => self.default(&Kind::Int, depth),
            _ => (self.dice.below(30) as i64 - 5).to_string(),
        }
    }

    fn text(&mut self, depth: usize) -> String {
        let word = *self.dice.pick(&WORDS);
        if depth == 0 {
            return format!("\"{word}\"");
        }
        match self.dice.below(8) {
            0 | 1 => {
                self.uses(Feature::Interpolation);
                let kind = [Kind::Int, Kind::Text, Kind::Bool][self.dice.below(3)].clone();
                let inner = self.value(&kind, depth - 1);
                format!("\"{word}-\\({inner})\"")
            }
            2 => {
                let left = self.value(&Kind::Text, depth - 1);
                format!("{} + \"{word}\"", parenthesized(&left))
            }
            3 => {
                self.uses(Feature::Builtin);
                self.imports.insert("strings");
                let inner = self.value(&Kind::Text, depth - 1);
                let name = *self.dice.pick(&["ToUpper", "TrimSpace", "ToTitle"]);
                format!("strings.{name}({inner})")
            }
            4 => {
                self.uses(Feature::Builtin);
                self.imports.insert("strings");
                let inner = self.value(&Kind::List(Box::new(Kind::Text)), depth - 1);
                format!("strings.Join({inner}, \"{word}\")")
            }
            _ => format!("\"{word}\""),
        }
    }

    fn bool(&mut self, depth: usize) -> String {
        let plain = *self.dice.pick(&["true", "false"]);
        if depth == 0 {
            return plain.into();
        }
        match self.dice.below(7) {
            0 | 1 => {
                let left = self.value(&Kind::Int, depth - 1);
                let operator = *self.dice.pick(&["<", "<=", ">", ">=", "==", "!="]);
                format!(
                    "({} {operator} {})",
                    parenthesized(&left),
                    self.dice.below(9)
                )
            }
            2 => {
                let left = self.value(&Kind::Text, depth - 1);
                let operator = *self.dice.pick(&["==", "!=", "=~"]);
                format!("({} {operator} \"a\")", parenthesized(&left))
            }
            3 => {
                let inner = self.value(&Kind::Bool, depth - 1);
                format!("!{}", parenthesized(&inner))
            }
            4 => {
                let left = self.value(&Kind::Bool, depth - 1);
                let operator = *self.dice.pick(&["&&", "||"]);
                format!("({} {operator} {plain})", parenthesized(&left))
            }
            _ => plain.into(),
        }
    }

    fn list(&mut self, inner: &Kind, depth: usize) -> String {
        self.uses(Feature::List);
        let below = depth.saturating_sub(1);
        if depth > 0 && self.dice.percent(25) {
            return self.listed(inner, below);
        }
        let count = self.dice.below(4);
        let mut items: Vec<String> = (0..count).map(|_| self.value(inner, below)).collect();
        if self.dice.percent(12) {
            self.uses(Feature::Ellipsis);
            items.push("...".into());
        }
        format!("[{}]", items.join(", "))
    }

    /// A list made by a comprehension.
    fn listed(&mut self, inner: &Kind, depth: usize) -> String {
        self.uses(Feature::ComprehensionFor);
        let over = self.value(&Kind::List(Box::new(Kind::Int)), depth);
        let name = self.name("x");
        let mark = self.known.len();
        self.know(name.clone(), &Kind::Int);
        let filter = if self.dice.percent(35) {
            self.uses(Feature::ComprehensionIf);
            format!(" if {name} > {}", self.dice.below(6))
        } else {
            String::new()
        };
        let value = self.value(inner, depth);
        self.known.truncate(mark);
        format!("[for {name} in {over}{filter} {{{value}}}]")
    }
}

/// What every value of a kind fits.
fn word(kind: &Kind) -> &'static str {
    match kind {
        Kind::Int => "int",
        Kind::Text => "string",
        Kind::Bool => "bool",
        Kind::List(_) => "[...]",
        Kind::Struct(_) => "{...}",
    }
}

/// An expression that can stand beside an operator.
pub(super) fn parenthesized(text: &str) -> String {
    let plain = text
        .chars()
        .all(|c| c.is_alphanumeric() || "._".contains(c));
    if plain || text.starts_with(['"', '(']) && text.ends_with(['"', ')']) && !text.contains(' ') {
        text.to_owned()
    } else {
        format!("({text})")
    }
}
