//! The head of a file: attributes, package clause, imports.

use super::Parser;
use crate::syntax::literal::{Content, unquote};
use crate::syntax::source::Pos;
use crate::syntax::token::Tok;
use crate::syntax::tree::{Decl, Import, ImportSpec, NodeId, Run, SpecId, Specs};

/// Experiments and the version each may be used from and is always on from.
const EXPERIMENTS: &[(&str, u16, u16)] = &[
    ("testing", 13, u16::MAX),
    ("accepted_", 14, 15),
    ("structcmp", 14, 15),
    ("explicitopen", 15, u16::MAX),
    ("aliasv2", 15, u16::MAX),
    ("try", 16, u16::MAX),
    ("shortcircuit", 17, u16::MAX),
];

impl Parser<'_> {
    pub(super) fn file(&mut self) {
        self.next();
        // If not even the first token can be read, this is hardly a file of the language.
        if !self.errors.is_empty() {
            self.close(Some(NodeId::File));
            return;
        }
        self.tree.experiments.structcmp = self.options.minor >= 15;
        self.open_list();
        self.head_attributes();
        self.experiments();
        if self.tok() == Tok::Ident && self.lit() == "package" {
            self.package();
        }
        self.head_attributes();
        while self.tok() == Tok::Ident && self.lit() == "import" {
            self.import();
        }
        self.field_list();
        self.expect(Tok::Eof);
        self.close_list();
        self.tree.decls = self.decls_since(0);
        self.close(Some(NodeId::File));
    }

    pub(super) fn single_expr(&mut self) {
        self.next();
        if self.errors.is_empty() {
            self.tree.experiments.structcmp = self.options.minor >= 15;
            let root = self.rhs();
            self.tree.root = Some(root);
            if self.at_newline() {
                self.next();
            }
            if self.tok() != Tok::Eof {
                self.error_expected(self.pos(), "'EOF'");
            }
        }
        self.close(Some(NodeId::File));
    }

    fn head_attributes(&mut self) {
        while self.tok() == Tok::Attribute {
            let attr = self.attribute();
            let id = self.push_decl(Decl::Attribute(attr));
            self.decls.push(id);
            self.decl_comma();
        }
    }

    /// Switches on what the attributes so far ask for.
    fn experiments(&mut self) {
        let wanted: Vec<&str> = self
            .tree
            .attrs
            .iter()
            .filter_map(|a| self.tree.text(a.text).strip_prefix("@experiment("))
            .filter_map(|t| t.strip_suffix(')'))
            .flat_map(|body| body.split(','))
            .map(str::trim)
            .filter(|name| !name.is_empty())
            .collect();
        let mut on = self.tree.experiments;
        let mut problem = None;
        for name in wanted {
            match EXPERIMENTS.iter().find(|e| e.0 == name) {
                None => problem = Some(format!("unknown experiment \"{name}\"")),
                Some((_, from, _)) if self.options.minor < *from => {
                    let text =
                        format!("cannot set experiment \"{name}\" before version v0.{from}.0");
                    problem = Some(text);
                }
                Some(_) => match name {
                    "testing" => on.testing = true,
                    "structcmp" => on.structcmp = true,
                    "explicitopen" => on.explicitopen = true,
                    "aliasv2" => on.aliasv2 = true,
                    "try" => on.try_ = true,
                    "shortcircuit" => on.shortcircuit = true,
                    _ => {}
                },
            }
            if problem.is_some() {
                break;
            }
        }
        self.tree.experiments = on;
        if let Some(problem) = problem {
            let version = &self.options.version;
            let text = format!("parsing experiments for version \"{version}\": {problem}");
            self.error(self.pos(), text);
            self.stop();
        }
    }

    fn package(&mut self) {
        let pos = self.pos();
        self.open();
        self.next();
        let name = self.ident();
        if self.is_definition(name.name) {
            let text = format!("invalid package name {}", self.names.get(name.name));
            self.error(self.pos(), text);
        }
        let id = self.push_decl(Decl::Package { pos, name });
        self.decls.push(id);
        self.expect_comma();
        self.close(Some(NodeId::Decl(id)));
    }

    fn import(&mut self) {
        let pos = self.pos();
        self.open();
        self.next();
        let (mut lparen, mut rparen) = (Pos::NONE, Pos::NONE);
        let start = self.tree.specs.len() as u32;
        if self.tok() == Tok::LParen {
            lparen = self.pos();
            self.next();
            self.open_list();
            while !matches!(self.tok(), Tok::RParen | Tok::Eof) {
                self.import_spec();
            }
            self.close_list();
            rparen = self.expect(Tok::RParen);
            self.expect_comma();
        } else {
            self.import_spec();
        }
        let specs = Specs(Run {
            start,
            len: self.tree.specs.len() as u32 - start,
        });
        let id = self.push_decl(Decl::Import(Import {
            pos,
            lparen,
            specs,
            rparen,
        }));
        self.decls.push(id);
        self.close(Some(NodeId::Decl(id)));
    }

    fn import_spec(&mut self) {
        self.open();
        let mut name = None;
        if self.tok() == Tok::Ident {
            let ident = self.ident();
            if self.is_definition(ident.name) {
                self.error(self.pos(), "cannot import package as definition identifier");
            }
            self.check_reserved(ident);
            name = Some(ident);
        }
        let (path_pos, path) = (self.pos(), self.lit_text());
        if self.tok() == Tok::Str {
            let literal = self.lit();
            self.next();
            if !valid_import(literal) {
                self.error(path_pos, format!("invalid import path: {literal}"));
            }
            self.expect_comma();
        } else {
            self.expect(Tok::Str);
            self.expect_comma();
        }
        self.tree.specs.push(ImportSpec {
            name,
            path,
            path_pos,
        });
        let id = SpecId(self.tree.specs.len() as u32 - 1);
        self.close(Some(NodeId::Spec(id)));
    }
}

/// Whether an import path in quotes may be one at all.
fn valid_import(literal: &str) -> bool {
    let text = match unquote(literal) {
        Ok(Content::String(text)) => text,
        Ok(Content::Bytes(bytes)) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(_) => return false,
    };
    let path = text
        .rsplit_once(':')
        .map_or(text.as_str(), |(path, _)| path);
    let bad = "!\"#$%&'()*,:;<=>?[\\]^{|}`\u{fffd}";
    let graphic = |c: char| crate::syntax::chars::is_print(c) && c != ' ';
    !path.is_empty() && path.chars().all(|c| graphic(c) && !bad.contains(c))
}
