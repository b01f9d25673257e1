//! Tokens to trees, with the recovery and the messages of the reference implementation.

mod clause;
mod comments;
mod decl;
mod expr;
mod file;

use comments::State;

use super::binding;
use super::error::SyntaxError;
use super::lexer::{Lexer, Token};
use super::names::{Name, Names};
use super::source::{FileId, Pos, Rel, Sources};
use super::token::Tok;
use super::tree::{DeclId, Decls, Expr, ExprId, Exprs, Ident, Run, SpecId, Text, Tree};

/// Deepest nesting of expressions that parses.
const MAX_DEPTH: u32 = 10_000;

/// What decides how a text is read.
#[derive(Clone, Debug)]
pub struct Options {
    /// Language version of the module, as messages show it.
    pub version: String,
    /// Its minor number: 17 for `v0.17.1`.
    pub minor: u16,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            version: "v0.17.1".to_owned(),
            minor: 17,
        }
    }
}

/// A tree and what was wrong with its text. With errors the tree holds what could be read.
#[derive(Debug)]
pub struct Parsed {
    /// The tree.
    pub tree: Tree,
    /// Imports of the file that nothing in it refers to.
    pub unused: Vec<SpecId>,
    /// Errors in the order they were found.
    pub errors: Vec<SyntaxError>,
}

/// Reads a file.
pub fn parse_file(sources: &Sources, file: FileId, names: &mut Names, options: &Options) -> Parsed {
    let mut parser = Parser::new(sources, file, names, options);
    parser.file();
    parser.finish()
}

/// Reads a single expression; its root is [`Tree::root`].
pub fn parse_expr(sources: &Sources, file: FileId, names: &mut Names, options: &Options) -> Parsed {
    let mut parser = Parser::new(sources, file, names, options);
    parser.single_expr();
    parser.finish()
}

/// Reads a single expression as the content of a file: the members of a struct become the file's,
/// any other value is embedded. The root is there too.
pub fn parse_data(sources: &Sources, file: FileId, names: &mut Names, options: &Options) -> Parsed {
    let mut parsed = parse_expr(sources, file, names, options);
    if let Some(root) = parsed.tree.root {
        parsed.tree.become_file(root);
    }
    parsed
}

/// Reads expressions one after the other, each as the content of a file of its own.
pub fn parse_documents(
    sources: &Sources,
    file: FileId,
    names: &mut Names,
) -> (Vec<Tree>, Vec<SyntaxError>) {
    let options = Options::default();
    let mut parser = Parser::new(sources, file, names, &options);
    let empty = parser.tree.clone();
    let mut out = Vec::new();
    parser.next();
    while parser.tok() != Tok::Eof && parser.errors.is_empty() {
        let root = parser.rhs();
        let mut tree = std::mem::replace(&mut parser.tree, empty.clone());
        tree.root = Some(root);
        tree.become_file(root);
        out.push(tree);
        if parser.tok() == Tok::Comma {
            parser.next();
        }
    }
    (out, parser.errors)
}

pub(super) struct Parser<'a> {
    lexer: Lexer<'a>,
    text: &'a str,
    names: &'a mut Names,
    options: &'a Options,
    tree: Tree,
    errors: Vec<SyntaxError>,
    /// The current token.
    token: Token,
    depth: u32,
    /// Parsing stopped: everything left reads as the end of the file.
    stopped: bool,
    /// Whether the text may hold comments at all.
    commented: bool,
    states: Vec<State>,
    /// The first token was read.
    begun: bool,
    lead: Option<super::tree::CommentGroup>,
    exprs: Vec<ExprId>,
    decls: Vec<DeclId>,
}

impl<'a> Parser<'a> {
    fn new(
        sources: &'a Sources,
        file: FileId,
        names: &'a mut Names,
        options: &'a Options,
    ) -> Parser<'a> {
        let source = sources.get(file);
        let text: &str = source.text();
        let tree = Tree {
            file: Some(file),
            base: source.base(),
            source: source.text().clone(),
            minor: options.minor,
            ..Tree::default()
        };
        let start = Token {
            tok: Tok::Eof,
            start: 0,
            end: 0,
            rel: Rel::None,
        };
        Parser {
            lexer: Lexer::new(text),
            text,
            names,
            options,
            tree,
            errors: Vec::new(),
            token: start,
            depth: 0,
            stopped: false,
            commented: memchr::memmem::find(text.as_bytes(), b"//").is_some(),
            states: vec![State::root()],
            begun: false,
            lead: None,
            exprs: Vec::new(),
            decls: Vec::new(),
        }
    }

    fn finish(mut self) -> Parsed {
        let binding = binding::bind(&self.tree, self.names);
        for e in binding.errors {
            self.error(e.pos, e.text);
        }
        Parsed {
            tree: self.tree,
            unused: binding.unused,
            errors: self.errors,
        }
    }

    // --- tokens -----------------------------------------------------------------------------

    fn tok(&self) -> Tok {
        self.token.tok
    }

    /// The position of the current token.
    fn pos(&self) -> Pos {
        self.at(self.token.start, self.token.rel)
    }

    fn at(&self, offset: usize, rel: Rel) -> Pos {
        Pos::new(self.tree.base + offset as u32, rel)
    }

    /// The text of the current token.
    fn lit(&self) -> &'a str {
        self.text
            .get(self.token.start..self.token.end)
            .unwrap_or("")
    }

    fn lit_text(&self) -> Text {
        let (start, end) = (self.token.start, self.token.end.min(self.text.len()));
        Text {
            start: start as u32,
            len: (end - start) as u32,
        }
    }

    /// Whether the current token is a comma that stands for a newline.
    fn at_newline(&self) -> bool {
        self.tok() == Tok::Comma && self.token.start == self.token.end
    }

    /// Reads the next token without looking at comments.
    fn advance(&mut self) {
        if self.stopped {
            let end = self.text.len();
            self.token = Token {
                tok: Tok::Eof,
                start: end,
                end,
                rel: Rel::None,
            };
            return;
        }
        self.token = self.lexer.next();
        if !self.lexer.problems.is_empty() {
            self.take_problems();
        }
    }

    /// Lexer problems are reported whatever else is wrong on their line.
    fn take_problems(&mut self) {
        for p in std::mem::take(&mut self.lexer.problems) {
            let pos = self.at(p.at, Rel::NoSpace);
            self.errors.push(SyntaxError { pos, text: p.text });
        }
    }

    // --- errors -----------------------------------------------------------------------------

    fn line(&self, pos: Pos) -> usize {
        let offset = (pos.place().saturating_sub(self.tree.base) as usize).min(self.text.len());
        let bytes = self.text.as_bytes();
        let end = bytes.len();
        let n = memchr::memchr_iter(b'\n', &bytes[..offset]).count();
        // The newline that ends the file starts no line.
        if offset == end && bytes.last() == Some(&b'\n') {
            n - 1
        } else {
            n
        }
    }

    /// Records an error, unless the error before was on the same line or there are too many.
    fn error(&mut self, pos: Pos, text: impl Into<String>) {
        if self.stopped {
            return;
        }
        if let Some(last) = self.errors.last() {
            if self.line(last.pos) == self.line(pos) {
                return;
            }
            if self.errors.len() > 10 {
                self.stop();
                return;
            }
        }
        self.errors.push(SyntaxError {
            pos,
            text: text.into(),
        });
    }

    /// Nothing more is read.
    fn stop(&mut self) {
        self.stopped = true;
        self.advance();
    }

    fn error_expected(&mut self, pos: Pos, what: &str) {
        if pos != self.pos() {
            self.error(pos, format!("expected {what}"));
            return;
        }
        let found = self.found();
        self.error(pos, format!("expected {what}, found {found}"));
    }

    /// The current token as messages show it.
    fn found(&self) -> String {
        if self.at_newline() {
            return "newline".to_owned();
        }
        let tok = self.tok();
        if tok.shows_text() {
            format!("'{}' {}", tok.as_str(), self.lit())
        } else {
            format!("'{}'", tok.as_str())
        }
    }

    /// Takes the token that must be here; says so if it is another, and takes that.
    fn expect(&mut self, tok: Tok) -> Pos {
        let pos = self.pos();
        if self.tok() != tok {
            self.error_expected(pos, &format!("'{}'", tok.as_str()));
        }
        self.next();
        pos
    }

    /// Takes a closing token; a newline before it is no reason to fail.
    fn expect_closing(&mut self, tok: Tok, context: &str) -> Pos {
        if self.tok() != tok && self.at_newline() {
            self.error(
                self.pos(),
                format!("missing ',' before newline in {context}"),
            );
            self.next();
        }
        self.expect(tok)
    }

    /// Skips to the end: what an unreadable operand leads to.
    fn skip_to_end(&mut self) {
        while self.tok() != Tok::Eof {
            self.next();
        }
    }

    fn expect_comma(&mut self) {
        match self.tok() {
            Tok::RParen | Tok::RBrace | Tok::Eof => {}
            Tok::Comma => self.next(),
            _ => {
                self.error_expected(self.pos(), "','");
                self.skip_to_end();
            }
        }
    }

    /// Whether a comma is to be taken: there is one, or there should have been.
    fn at_comma(&mut self, context: &str, follow: &[Tok]) -> bool {
        if self.tok() == Tok::Comma {
            return true;
        }
        if follow.contains(&self.tok()) {
            return false;
        }
        self.error(self.pos(), format!("missing ',' in {context}"));
        true
    }

    fn decl_comma(&mut self) {
        if self.at_comma("struct literal", &[Tok::RBrace, Tok::Eof]) {
            self.next();
        }
    }

    // --- nodes ------------------------------------------------------------------------------

    fn push(&mut self, expr: Expr, pos: Pos) -> ExprId {
        self.tree.push_expr(expr, pos)
    }

    /// Makes a list of the expressions gathered since `mark`.
    fn exprs_since(&mut self, mark: usize) -> Exprs {
        let start = self.tree.expr_lists.len() as u32;
        self.tree.expr_lists.extend_from_slice(&self.exprs[mark..]);
        self.exprs.truncate(mark);
        Exprs(Run {
            start,
            len: self.tree.expr_lists.len() as u32 - start,
        })
    }

    /// Makes a list of the declarations gathered since `mark`.
    fn decls_since(&mut self, mark: usize) -> Decls {
        let start = self.tree.decl_lists.len() as u32;
        self.tree.decl_lists.extend_from_slice(&self.decls[mark..]);
        self.decls.truncate(mark);
        Decls(Run {
            start,
            len: self.tree.decl_lists.len() as u32 - start,
        })
    }

    fn intern(&mut self, text: &str) -> Name {
        self.names.intern(text)
    }

    /// An identifier, as part of something else.
    fn ident(&mut self) -> Ident {
        let (pos, text) = (self.pos(), self.lit());
        if self.tok() == Tok::Ident {
            self.next();
            return Ident {
                name: self.intern(text),
                pos,
            };
        }
        self.expect(Tok::Ident);
        Ident {
            name: self.intern("_"),
            pos,
        }
    }

    /// Refuses names that are kept for the language.
    fn check_reserved(&mut self, ident: Ident) {
        if self.names.get(ident.name).starts_with("__") {
            self.error(ident.pos, "identifiers starting with '__' are reserved");
        }
    }

    fn is_definition(&self, name: Name) -> bool {
        let text = self.names.get(name);
        text.starts_with('#') || text.starts_with("_#")
    }
}
