//! Random programs that are well typed for the most part: every expression is made for the kind
//! of value its place wants, of constants and of references to what has that kind.

mod expression;
mod fields;

use crate::dice::Dice;
use std::collections::BTreeSet;

/// The kind of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number.
    Int,
    /// A text.
    Text,
    /// True or false.
    Bool,
    /// A list of one kind.
    List(Box<Kind>),
    /// A struct with these fields.
    Struct(Vec<(String, Kind)>),
}

/// What of the language a program uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are those of the language")]
pub enum Feature {
    Alias,
    Bounds,
    Builtin,
    Closed,
    ComprehensionFor,
    ComprehensionIf,
    Cycle,
    Default,
    Definition,
    Disjunction,
    DynamicField,
    Ellipsis,
    Embedding,
    Hidden,
    Interpolation,
    Let,
    List,
    Optional,
    Pattern,
    Reference,
    Required,
    Unification,
}

impl Feature {
    /// All of them.
    pub const ALL: [Self; 22] = [
        Self::Alias,
        Self::Bounds,
        Self::Builtin,
        Self::Closed,
        Self::ComprehensionFor,
        Self::ComprehensionIf,
        Self::Cycle,
        Self::Default,
        Self::Definition,
        Self::Disjunction,
        Self::DynamicField,
        Self::Ellipsis,
        Self::Embedding,
        Self::Hidden,
        Self::Interpolation,
        Self::Let,
        Self::List,
        Self::Optional,
        Self::Pattern,
        Self::Reference,
        Self::Required,
        Self::Unification,
    ];
}

/// A program and what it uses.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its text, without package clause.
    pub text: String,
    /// The imports that stand in front of the text.
    pub imports: String,
    /// The declarations that make up the rest, in groups that stand together.
    pub declarations: Vec<String>,
    /// What it uses.
    pub features: BTreeSet<Feature>,
}

/// A name that can be referred to.
#[derive(Clone, Debug)]
struct Known {
    path: String,
    kind: Kind,
}

/// A definition: its fields, with the mark of each (``, `?` or `!`).
#[derive(Clone, Debug)]
struct Definition {
    name: String,
    fields: Vec<(String, &'static str, Kind)>,
    open: bool,
}

struct Maker {
    dice: Dice,
    features: BTreeSet<Feature>,
    known: Vec<Known>,
    definitions: Vec<Definition>,
    imports: BTreeSet<&'static str>,
    body: Vec<String>,
    /// Counts names, so that none hides another.
    names: usize,
}

/// Makes the program of a seed.
pub fn program(seed: u64) -> Program {
    let mut maker = Maker {
        dice: Dice::new(seed),
        features: BTreeSet::new(),
        known: Vec::new(),
        definitions: Vec::new(),
        imports: BTreeSet::new(),
        body: Vec::new(),
        names: 0,
    };
    for _ in 0..maker.dice.below(3) {
        maker.definition();
    }
    for _ in 0..2 + maker.dice.below(4) {
        maker.declaration();
    }
    if maker.dice.percent(12) {
        maker.cycle();
    }
    let imports = maker
        .imports
        .iter()
        .map(|path| format!("import \"{path}\"\n"));
    let imports: String = imports.collect();
    Program {
        text: imports.clone() + &maker.body.concat(),
        imports,
        declarations: maker.body,
        features: maker.features,
    }
}

impl Maker {
    fn uses(&mut self, feature: Feature) {
        self.features.insert(feature);
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn line(&mut self, text: &str) {
        self.body.push(format!("{text}\n"));
    }

    fn know(&mut self, path: String, kind: &Kind) {
        if let Kind::Struct(fields) = kind {
            for (name, kind) in fields {
                self.know(format!("{path}.{name}"), kind);
            }
        }
        let kind = kind.clone();
        self.known.push(Known { path, kind });
    }

    fn kind(&mut self, depth: usize) -> Kind {
        match self.dice.below(if depth == 0 { 6 } else { 10 }) {
            0..3 => Kind::Int,
            3 | 4 => Kind::Text,
            5 => Kind::Bool,
            6 => Kind::List(Box::new(self.kind(0))),
            _ => {
                let count = 1 + self.dice.below(3);
                let field = |maker: &mut Self| (maker.name("f"), maker.kind(depth - 1));
                Kind::Struct((0..count).map(|_| field(self)).collect())
            }
        }
    }

    /// A field at the top, with one conjunct or more.
    fn declaration(&mut self) {
        if self.dice.percent(12) {
            let kind = self.kind(0);
            let (name, value) = (self.name("l"), self.value(&kind, 1));
            self.uses(Feature::Let);
            // One that nothing refers to is an error.
            let user = self.name("u");
            self.line(&format!("let {name} = {value}\n{user}: {name}"));
            self.known.push(Known { path: name, kind });
            return;
        }
        if !self.definitions.is_empty() && self.dice.percent(35) {
            self.instance();
            return;
        }
        let kind = self.kind(2);
        let mut name = self.name("v");
        if self.dice.percent(15) {
            self.uses(Feature::Hidden);
            name = format!("_{name}");
        }
        let value = self.value(&kind, 2);
        if self.dice.percent(10) {
            let alias = self.name("A");
            self.uses(Feature::Alias);
            let user = self.name("u");
            self.line(&format!("{alias}={name}: {value}\n{user}: {alias}"));
            self.known.push(Known {
                path: alias,
                kind: kind.clone(),
            });
        } else {
            self.line(&format!("{name}: {value}"));
        }
        if self.dice.percent(30) {
            let again = self.constraint(&kind, 1);
            self.uses(Feature::Unification);
            self.line(&format!("{name}: {again}"));
        }
        self.know(name, &kind);
    }

    /// Fields that refer to each other.
    fn cycle(&mut self) {
        self.uses(Feature::Cycle);
        let (a, b) = (self.name("c"), self.name("c"));
        let by = self.dice.below(5);
        match self.dice.below(4) {
            0 => self.line(&format!("{a}: {b}\n{b}: {a}\n{a}: {by}")),
            1 => self.line(&format!("{a}: {b} + {by}\n{b}: {a} - {by}\n{b}: 7")),
            2 => self.line(&format!("{a}: {b}\n{b}: {a}")),
            _ => self.line(&format!(
                "{a}: {{x: {b}.y, y: 1}}\n{b}: {{y: {a}.y, x: {by}}}"
            )),
        }
        self.known.push(Known {
            path: if self.dice.percent(50) { a } else { b },
            kind: Kind::Int,
        });
    }
}

#[cfg(test)]
mod tests {
    //! The programs are of use.

    use super::{Feature, program};

    #[test]
    fn every_feature_is_in_one_program_of_twenty() {
        let programs: Vec<_> = (0..2000).map(program).collect();
        for feature in Feature::ALL {
            let count = programs
                .iter()
                .filter(|p| p.features.contains(&feature))
                .count();
            assert!(count >= 100, "{feature:?} is in {count} of 2000");
        }
    }

    #[test]
    fn a_seed_gives_the_same_program_again() {
        assert_eq!(program(7).text, program(7).text);
        assert_ne!(program(7).text, program(8).text);
    }
}
