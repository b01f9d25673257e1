//! Random programs of any form the grammar allows. Few names are used, so that fields meet, refer
//! to each other and to themselves; whether a program has a value is left to chance.

use crate::dice::Dice;
use std::collections::BTreeSet;

/// Names of fields; those of definitions and hidden fields among them.
const NAMES: [&str; 8] = ["a", "b", "c", "d", "#D", "#E", "_h", "_#P"];

/// Values without parts.
const ATOMS: [&str; 30] = [
    "0",
    "1",
    "2",
    "-1",
    "1.5",
    "2.0",
    "1e3",
    "\"\"",
    "\"a\"",
    "\"b\"",
    "\"x-y\"",
    "'b'",
    "true",
    "false",
    "null",
    "_",
    "int",
    "string",
    "number",
    "bool",
    "bytes",
    "float",
    "uint8",
    "{}",
    "[]",
    "{...}",
    "[...]",
    "_|_",
    ">1",
    "=~\"^[ab]\"",
];

/// What may stand before a comprehension's body.
const CONDITIONS: [&str; 4] = ["true", "false", "a", "b > 1"];

struct Maker {
    dice: Dice,
    /// Names that can be referred to, the innermost last.
    scope: Vec<String>,
    imports: BTreeSet<&'static str>,
    /// Counts aliases and variables, so that none hides a field.
    names: usize,
    /// What may still be spent on parts.
    left: usize,
}

/// Makes the program of a seed.
pub fn wild(seed: u64) -> String {
    let mut maker = Maker::new(seed);
    let body = maker.declarations(2, 7, 4);
    maker.headed(&body)
}

/// Fields that other expressions refer to, and expressions for one place beside them: a program
/// whose last field `x` is made of the expressions is well formed for any way to join them.
pub fn operands(seed: u64, count: usize) -> (String, Vec<String>) {
    let mut maker = Maker::new(seed);
    let body = maker.declarations(1, 4, 2);
    let operands = (0..count)
        .map(|_| {
            maker.left = 12;
            maker.expression(3)
        })
        .collect();
    (maker.headed(&body), operands)
}

impl Maker {
    fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let left = 20 + dice.below(60);
        Self {
            dice,
            scope: Vec::new(),
            imports: BTreeSet::new(),
            names: 0,
            left,
        }
    }

    fn headed(&self, body: &str) -> String {
        let imports = self.imports.iter();
        let imports = imports.map(|path| format!("import \"{path}\"\n"));
        imports.collect::<String>() + body
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// Whether another part may be made.
    fn spend(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }

    /// Declarations of one struct, which see each other's names.
    fn declarations(&mut self, least: usize, more: usize, depth: usize) -> String {
        let count = least + self.dice.below(more);
        let mark = self.scope.len();
        let names: Vec<&str> = (0..count).map(|_| *self.dice.pick(&NAMES)).collect();
        self.scope.extend(names.iter().map(|n| (*n).to_owned()));
        let lines: Vec<String> = names
            .into_iter()
            .map(|name| self.declaration(name, depth))
            .collect();
        // The names at the top stay known, to what is put beside them.
        if mark > 0 {
            self.scope.truncate(mark);
        }
        lines.join("\n") + "\n"
    }

    fn declaration(&mut self, name: &str, depth: usize) -> String {
        if !self.spend() || depth == 0 {
            let value = self.atom();
            return format!("{name}: {value}");
        }
        match self.dice.below(24) {
            0 => format!("{name}?: {}", self.expression(depth)),
            1 => format!("{name}!: {}", self.expression(depth)),
            2 => self.pattern(name, depth),
            3 => format!("{name}: {}\n({}): 1", self.atom(), self.reference()),
            4 => {
                let inner = self.reference();
                format!(
                    "{name}: {}\n\"k\\({inner})\": 2",
                    self.expression(depth - 1)
                )
            }
            5 => self.conditional(name, depth),
            6 | 7 => self.each(name, depth),
            8 => {
                let alias = self.fresh("L");
                let value = self.expression(depth - 1);
                format!("let {alias} = {value}\n{name}: {alias}")
            }
            9 => {
                let alias = self.fresh("V");
                self.scope.push(format!("{alias}.{name}"));
                let inner = self.declarations(1, 3, depth - 1);
                self.scope.pop();
                format!("{name}: {alias}={{\n{inner}\"s\": {alias}.a\n}}")
            }
            10 => format!("{name}: {}\n{}", self.atom(), self.embedded(depth)),
            11 => format!("{name}: {}\n...", self.expression(depth - 1)),
            12 => format!("{name}: {}\n\"{name}\": _", self.expression(depth - 1)),
            13 => {
                let other = *self.dice.pick(&NAMES);
                format!("{name}: {other}: {}", self.expression(depth - 1))
            }
            _ => format!("{name}: {}", self.expression(depth)),
        }
    }

    fn pattern(&mut self, name: &str, depth: usize) -> String {
        let label =
            *(self.dice).pick(&["string", "=~\"a\"", "_", "\"a\" | \"b\"", ">\"a\"", "int"]);
        let value = match self.dice.percent(30) {
            true => {
                let alias = self.fresh("N");
                let value = self.expression(depth - 1);
                return format!("{name}: [{alias}={label}]: {{n: {alias}, v: {value}}}");
            }
            false => self.expression(depth - 1),
        };
        match self.dice.percent(50) {
            true => format!("{name}: [{label}]: {value}"),
            false => format!("[{label}]: {value}\n{name}: {}", self.expression(depth - 1)),
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        let reference = self.reference();
        match self.dice.below(6) {
            0 | 1 => format!("{reference} != _|_"),
            2 => format!("{reference} == _|_"),
            3 => format!("{reference} == {}", self.expression(depth.min(1))),
            4 => reference,
            _ => {
                let known = (self.dice.pick(&CONDITIONS)).to_string();
                let name = known.split(' ').next().unwrap_or_default();
                match self.scope.iter().any(|n| n == name) || name.len() > 1 {
                    true => known,
                    false => "true".into(),
                }
            }
        }
    }

    fn conditional(&mut self, name: &str, depth: usize) -> String {
        let condition = self.condition(depth - 1);
        let body = self.declarations(1, 2, depth - 1);
        let value = self.expression(depth - 1);
        format!("if {condition} {{\n{body}}}\n{name}: {value}")
    }

    fn each(&mut self, name: &str, depth: usize) -> String {
        let source = self.expression(depth - 1);
        let (key, value) = (self.fresh("k"), self.fresh("v"));
        let mark = self.scope.len();
        self.scope.extend([key.clone(), value.clone()]);
        let filter = match self.dice.percent(25) {
            true => format!(" if {}", self.condition(1)),
            false => String::new(),
        };
        let body = match self.dice.below(4) {
            0 => format!("(\"\\({key})\"): {value}"),
            1 => format!("\"\\({key})_\": {}", self.expression(depth - 1)),
            2 => self.expression(depth - 1),
            _ => self.declarations(1, 2, depth - 1),
        };
        self.scope.truncate(mark);
        match self.dice.percent(50) {
            true => format!("{name}: {{for {key}, {value} in {source}{filter} {{\n{body}\n}}}}"),
            false => {
                let rest = self.expression(depth - 1);
                format!("for {key}, {value} in {source}{filter} {{\n{body}\n}}\n{name}: {rest}")
            }
        }
    }

    fn embedded(&mut self, depth: usize) -> String {
        match self.dice.percent(60) {
            true => self.reference(),
            false => format!("({})", self.expression(depth - 1)),
        }
    }

    fn atom(&mut self) -> String {
        (*self.dice.pick(&ATOMS)).to_owned()
    }

    /// A path from a name in scope, or an atom when there is none.
    fn reference(&mut self) -> String {
        if self.scope.is_empty() {
            return self.atom();
        }
        let mut path = self.dice.pick(&self.scope).clone();
        while self.dice.percent(30) {
            match self.dice.below(5) {
                0 => path += "[0]",
                1 => path += "[\"a\"]",
                _ => {
                    path.push('.');
                    path += *self.dice.pick(&NAMES);
                }
            }
        }
        path
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || !self.spend() {
            return match self.dice.percent(55) {
                true => self.reference(),
                false => self.atom(),
            };
        }
        let below = depth - 1;
        match self.dice.below(22) {
            0..4 => self.reference(),
            4 | 5 => self.atom(),
            6..10 => format!("{{\n{}}}", self.declarations(0, 4, below)),
            10 | 11 => self.list(below),
            12 | 13 => {
                let (one, other) = (self.expression(below), self.expression(below));
                let mark = *self.dice.pick(&["", "", "*"]);
                format!("({mark}{one} | {other})")
            }
            14 | 15 => format!("({} & {})", self.expression(below), self.expression(below)),
            16 => {
                let operator = *(self.dice).pick(&["+", "-", "*", "/", "==", "<", "&&", "=~"]);
                let (one, other) = (self.expression(below), self.expression(below));
                format!("({one} {operator} {other})")
            }
            17 => {
                let operator = *(self.dice).pick(&[">", "<=", "!=", "==", "=~", "-", "!"]);
                format!("{operator}({})", self.expression(below))
            }
            18 => format!("\"t\\({})\"", self.expression(below)),
            19 => self.loop_of_elements(below),
            _ => self.call(below),
        }
    }

    fn list(&mut self, depth: usize) -> String {
        let mut items: Vec<String> = (0..self.dice.below(4))
            .map(|_| self.expression(depth))
            .collect();
        match self.dice.below(6) {
            0 => items.push("...".into()),
            1 => items.push(format!("...{}", self.expression(depth))),
            _ => {}
        }
        let list = format!("[{}]", items.join(", "));
        match self.dice.below(8) {
            0 => format!("{list}[{}]", self.expression(0)),
            1 => format!("{list}[1:]"),
            _ => list,
        }
    }

    fn loop_of_elements(&mut self, depth: usize) -> String {
        let source = self.expression(depth);
        let name = self.fresh("e");
        self.scope.push(name.clone());
        let body = self.expression(depth);
        self.scope.pop();
        format!("[for {name} in {source} {{{body}}}]")
    }

    fn call(&mut self, depth: usize) -> String {
        let one = self.expression(depth);
        match self.dice.below(12) {
            0 | 1 => format!("len({one})"),
            2 | 3 => format!("close({one})"),
            4 => format!("and([{one}, {}])", self.expression(depth)),
            5 => format!("or([{one}, {}])", self.expression(depth)),
            6 => format!("div({one}, {})", self.expression(depth)),
            7 => format!("matchN({}, [{one}])", self.expression(0)),
            8 => format!("matchIf({one}, {}, _)", self.expression(depth)),
            9 => self.library("strings", &["ToUpper", "MinRunes", "Fields"], &one),
            10 => self.library("list", &["MaxItems", "Sum", "UniqueItems", "Reverse"], &one),
            _ => self.library("struct", &["MinFields", "MaxFields"], &one),
        }
    }

    fn library(&mut self, package: &'static str, names: &[&str], argument: &str) -> String {
        self.imports.insert(package);
        format!("{package}.{}({argument})", self.dice.pick(names))
    }
}

#[cfg(test)]
mod tests {
    //! The programs are of use.

    use super::{operands, wild};

    #[test]
    fn a_seed_gives_the_same_program_again() {
        assert_eq!(wild(7), wild(7));
        assert_ne!(wild(7), wild(8));
        assert_eq!(operands(3, 2), operands(3, 2));
    }

    #[test]
    fn programs_are_neither_empty_nor_endless() {
        let sizes: Vec<usize> = (0..2000).map(|seed| wild(seed).len()).collect();
        let large = sizes.iter().filter(|size| **size > 300).count();
        assert!(large > 400, "{large} are large");
        assert!(sizes.iter().all(|size| *size < 20_000));
    }
}
