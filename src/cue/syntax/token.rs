//! Tokens of the language.

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names are the tokens")]
pub(crate) enum Tok {
    Illegal,
    Eof,
    Comment,
    Attribute,
    Ident,
    Int,
    Float,
    Str,
    Interpolation,
    Bottom,
    Null,
    True,
    False,
    For,
    If,
    In,
    Let,
    Try,
    Else,
    Fallback,
    Otherwise,
    Func,
    Add,
    Sub,
    Mul,
    Div,
    And,
    Or,
    LogicAnd,
    LogicOr,
    Bind,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Match,
    NotMatch,
    Not,
    Arrow,
    Tilde,
    LParen,
    RParen,
    LBrack,
    RBrack,
    LBrace,
    RBrace,
    Comma,
    Colon,
    Semicolon,
    Option,
    Period,
    Ellipsis,
}

impl Tok {
    /// How messages show the token.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Tok::Illegal => "ILLEGAL",
            Tok::Eof => "EOF",
            Tok::Comment => "COMMENT",
            Tok::Attribute => "ATTRIBUTE",
            Tok::Ident => "IDENT",
            Tok::Int => "INT",
            Tok::Float => "FLOAT",
            Tok::Str => "STRING",
            Tok::Interpolation => "INTERPOLATION",
            Tok::Bottom => "_|_",
            _ => self.keyword().unwrap_or_else(|| self.symbol()),
        }
    }

    /// The text of a keyword, `null`, `true` and `false` included.
    pub(crate) fn keyword(self) -> Option<&'static str> {
        Some(match self {
            Tok::Null => "null",
            Tok::True => "true",
            Tok::False => "false",
            Tok::For => "for",
            Tok::If => "if",
            Tok::In => "in",
            Tok::Let => "let",
            Tok::Try => "try",
            Tok::Else => "else",
            Tok::Fallback => "fallback",
            Tok::Otherwise => "otherwise",
            Tok::Func => "func",
            _ => return None,
        })
    }

    fn symbol(self) -> &'static str {
        match self {
            Tok::Add => "+",
            Tok::Sub => "-",
            Tok::Mul => "*",
            Tok::Div => "/",
            Tok::And => "&",
            Tok::Or => "|",
            Tok::LogicAnd => "&&",
            Tok::LogicOr => "||",
            Tok::Bind => "=",
            Tok::Equal => "==",
            Tok::NotEqual => "!=",
            Tok::Less => "<",
            Tok::LessEqual => "<=",
            Tok::Greater => ">",
            Tok::GreaterEqual => ">=",
            Tok::Match => "=~",
            Tok::NotMatch => "!~",
            Tok::Not => "!",
            Tok::Arrow => "<-",
            Tok::Tilde => "~",
            Tok::LParen => "(",
            Tok::RParen => ")",
            Tok::LBrack => "[",
            Tok::RBrack => "]",
            Tok::LBrace => "{",
            Tok::RBrace => "}",
            Tok::Comma => ",",
            Tok::Colon => ":",
            Tok::Semicolon => ";",
            Tok::Option => "?",
            Tok::Period => ".",
            _ => "...",
        }
    }

    /// Whether messages show the text of the token too.
    pub(crate) fn shows_text(self) -> bool {
        matches!(
            self,
            Tok::Ident | Tok::Int | Tok::Float | Tok::Str | Tok::Interpolation | Tok::Bottom
        )
    }
}

/// The keyword of a text, or an identifier.
pub(crate) fn keyword(text: &[u8]) -> Tok {
    match text {
        b"for" => Tok::For,
        b"if" => Tok::If,
        b"in" => Tok::In,
        b"let" => Tok::Let,
        b"try" => Tok::Try,
        b"else" => Tok::Else,
        b"fallback" => Tok::Fallback,
        b"otherwise" => Tok::Otherwise,
        b"func" => Tok::Func,
        b"null" => Tok::Null,
        b"true" => Tok::True,
        b"false" => Tok::False,
        _ => Tok::Ident,
    }
}
