//! Structs: literals with all kinds of fields, definitions, and what is made of them.

use super::{Definition, Feature, Kind, Maker};

impl Maker {
    /// A struct literal with these fields, and others besides.
    pub(super) fn literal(&mut self, fields: &[(String, Kind)], depth: usize) -> String {
        let below = depth.saturating_sub(1);
        let mark = self.known.len();
        let mut lines = Vec::new();
        for (name, kind) in fields {
            let value = self.value(kind, below);
            lines.push(format!("{name}: {value}"));
            self.know(name.clone(), kind);
        }
        for _ in 0..self.dice.below(3) {
            let line = self.extra(below);
            lines.push(line);
        }
        self.known.truncate(mark);
        let text = format!("{{\n{}\n}}", lines.join("\n"));
        if self.dice.percent(6) {
            self.uses(Feature::Closed);
            return format!("close({text})");
        }
        text
    }

    /// A declaration that may stand in any struct.
    fn extra(&mut self, depth: usize) -> String {
        match self.dice.below(11) {
            0 => {
                self.uses(Feature::Optional);
                let kind = self.kind(0);
                format!("{}?: {}", self.name("o"), self.constraint(&kind, depth))
            }
            1 => {
                self.uses(Feature::Hidden);
                let kind = self.kind(0);
                format!("_{}: {}", self.name("h"), self.value(&kind, depth))
            }
            2 => {
                self.uses(Feature::Pattern);
                let label = *self
                    .dice
                    .pick(&["string", "=~\"^[p-z]\"", "\"p1\" | \"q1\""]);
                let name = *self.dice.pick(&["p1", "q1"]);
                let bound = self.constraint(&Kind::Int, 1);
                format!(
                    "{}: {{[{label}]: {bound}\n{name}: {}}}",
                    self.name("m"),
                    self.dice.below(9)
                )
            }
            3 => {
                self.uses(Feature::DynamicField);
                let label = self.value(&Kind::Text, depth);
                format!("{}: {{({label}): {}}}", self.name("d"), self.dice.below(9))
            }
            4 => {
                self.uses(Feature::DynamicField);
                self.uses(Feature::Interpolation);
                let inner = self.value(&Kind::Int, depth);
                format!("\"{}\\({inner})\": {}", self.name("d"), self.dice.below(9))
            }
            5 => self.conditional(depth),
            6 => self.each(depth),
            7 => {
                let kind = self.kind(0);
                let (name, value) = (self.name("l"), self.value(&kind, depth));
                self.uses(Feature::Let);
                self.known.push(super::Known {
                    path: name.clone(),
                    kind,
                });
                let user = self.name("u");
                format!("let {name} = {value}\n{user}: {name}")
            }
            8 => {
                self.uses(Feature::Alias);
                let (alias, name) = (self.name("B"), self.name("y"));
                format!(
                    "{name}: {alias}={{z: 1, w: {alias}.z + {}}}",
                    self.dice.below(5)
                )
            }
            9 => self.embedded(),
            _ => {
                let kind = self.kind(1);
                let (name, value) = (self.name("e"), self.value(&kind, depth));
                self.know(name.clone(), &kind);
                format!("{name}: {value}")
            }
        }
    }

    fn conditional(&mut self, depth: usize) -> String {
        self.uses(Feature::ComprehensionIf);
        let condition = self.value(&Kind::Bool, depth.max(1));
        let kind = self.kind(0);
        let (name, value) = (self.name("i"), self.value(&kind, depth));
        format!("if {condition} {{\n{name}: {value}\n}}")
    }

    fn each(&mut self, depth: usize) -> String {
        self.uses(Feature::ComprehensionFor);
        self.uses(Feature::DynamicField);
        self.uses(Feature::Interpolation);
        let over = self.value(&Kind::List(Box::new(Kind::Text)), depth);
        let (key, value) = (self.name("k"), self.name("x"));
        let prefix = self.name("g");
        let mark = self.known.len();
        self.know(key.clone(), &Kind::Int);
        self.know(value.clone(), &Kind::Text);
        let kind = self.kind(0);
        let inner = self.value(&kind, depth);
        self.known.truncate(mark);
        format!("for {key}, {value} in {over} {{\n\"{prefix}\\({key})\": {inner}\n}}")
    }

    fn embedded(&mut self) -> String {
        self.uses(Feature::Embedding);
        let names: Vec<String> = self.definitions.iter().map(|d| d.name.clone()).collect();
        if names.is_empty() {
            let (outer, name) = (self.name("b"), self.name("e"));
            return format!("{outer}: {{\n{{{name}: {}}}\n}}", self.dice.below(9));
        }
        let name = self.dice.pick(&names).clone();
        format!("{}: {{\n{name}\n}}", self.name("b"))
    }

    /// A definition that later declarations can use.
    pub(super) fn definition(&mut self) {
        self.uses(Feature::Definition);
        self.uses(Feature::Closed);
        let name = self.name("#D");
        let mut fields = Vec::new();
        let mut lines = Vec::new();
        let earlier: Vec<String> = self.definitions.iter().map(|d| d.name.clone()).collect();
        if !earlier.is_empty() && self.dice.percent(25) {
            self.uses(Feature::Embedding);
            lines.push(self.dice.pick(&earlier).clone());
        }
        for _ in 0..1 + self.dice.below(3) {
            let (field, kind) = (self.name("f"), self.kind(1));
            let mark = *self.dice.pick(&["", "", "?", "!"]);
            match mark {
                "?" => self.uses(Feature::Optional),
                "!" => self.uses(Feature::Required),
                _ => {}
            }
            let value = match self.dice.percent(90) {
                true => self.constraint(&kind, 1),
                false => self.value(&kind, 1),
            };
            lines.push(format!("{field}{mark}: {value}"));
            fields.push((field, mark, kind));
        }
        if self.dice.percent(20) {
            self.uses(Feature::Pattern);
            lines.push("[=~\"^p\"]: int".into());
        }
        let open = self.dice.percent(15);
        if open {
            self.uses(Feature::Ellipsis);
            lines.push("...".into());
        }
        self.line(&format!("{name}: {{\n{}\n}}", lines.join("\n")));
        self.definitions.push(Definition { name, fields, open });
    }

    /// A field made of a definition.
    pub(super) fn instance(&mut self) {
        let place = self.dice.below(self.definitions.len());
        let definition = self.definitions[place].clone();
        self.uses(Feature::Unification);
        self.uses(Feature::Reference);
        let mut lines = Vec::new();
        let mut known = Vec::new();
        for (name, mark, kind) in &definition.fields {
            let given = if *mark == "?" { 40 } else { 85 };
            if self.dice.percent(given) {
                let value = self.value(kind, 1);
                lines.push(format!("{name}: {value}"));
                known.push((name.clone(), kind.clone()));
            }
        }
        if self.dice.percent(if definition.open { 60 } else { 6 }) {
            lines.push(format!("{}: {}", self.name("n"), self.dice.below(9)));
        }
        let name = self.name("v");
        let body = format!("{{\n{}\n}}", lines.join("\n"));
        let value = match self.dice.below(4) {
            0 => {
                self.uses(Feature::Embedding);
                format!("{{\n{}\n{}\n}}", definition.name, lines.join("\n"))
            }
            1 => format!("{body} & {}", definition.name),
            _ => format!("{} & {body}", definition.name),
        };
        self.line(&format!("{name}: {value}"));
        self.know(name, &Kind::Struct(known));
    }
}
