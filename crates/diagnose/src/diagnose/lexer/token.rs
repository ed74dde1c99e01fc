//! Tokens of the tolerant lexer.

/// The intended kind of a token. A malformed token has been reported and has the kind of the correct one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) enum TokenKind {
    OpenObject,
    CloseObject,
    OpenArray,
    CloseArray,
    OpenParen,
    CloseParen,
    Colon,
    Comma,
    /// `=`, `==`, `=>` or `:=`
    Equals,
    Semicolon,
    String,
    Number,
    Literal,
    /// Text without quotes: a malformed literal or number, a key, a value. The parser decides which.
    Bare,
    /// A call, or other code that a program would evaluate.
    Expression,
    Template,
    Ellipsis,
    /// An operator such as `+` or `*`.
    Operator,
    /// Text that resembles nothing in JSON.
    Junk,
    #[default]
    End,
}

/// A token.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct Token {
    pub kind: TokenKind,
    /// Whether only white space precedes it on its line.
    pub first: bool,
    pub start: u32,
    pub end: u32,
    /// The number of its line, from 1.
    pub line: u32,
    /// The number of spaces and tabs at the start of its line.
    pub indent: u32,
}

impl TokenKind {
    /// The kind of the container that it opens; a parenthesis opens an array.
    pub fn opens(self) -> Option<Container> {
        match self {
            TokenKind::OpenObject => Some(Container::Object),
            TokenKind::OpenArray | TokenKind::OpenParen => Some(Container::Array),
            _ => None,
        }
    }

    /// The kind of the container that a bracket or brace closes.
    pub fn closes(self) -> Option<Container> {
        match self {
            TokenKind::CloseObject => Some(Container::Object),
            TokenKind::CloseArray => Some(Container::Array),
            _ => None,
        }
    }

    /// Whether it closes a container or a parenthesis.
    pub fn is_closer(self) -> bool {
        self == TokenKind::CloseParen || self.closes().is_some()
    }

    /// Whether it is text that is no JSON.
    pub fn is_other_text(self) -> bool {
        matches!(
            self,
            TokenKind::Bare
                | TokenKind::Junk
                | TokenKind::Operator
                | TokenKind::Template
                | TokenKind::Expression
        )
    }
}

impl Token {
    pub fn start(self) -> usize {
        self.start as usize
    }

    pub fn end(self) -> usize {
        self.end as usize
    }

    pub fn span(self) -> super::super::Span {
        super::super::Span::new(self.start(), self.end())
    }

    /// Whether a value may start with it.
    pub fn starts_value(self) -> bool {
        self.is_scalar() || self.kind.opens().is_some()
    }

    /// Whether it is, or was meant as, a complete scalar value.
    pub fn is_scalar(self) -> bool {
        matches!(
            self.kind,
            TokenKind::String
                | TokenKind::Number
                | TokenKind::Literal
                | TokenKind::Bare
                | TokenKind::Expression
                | TokenKind::Template
                | TokenKind::Ellipsis
        )
    }

    /// Whether it could be a key.
    pub fn is_keylike(self) -> bool {
        matches!(
            self.kind,
            TokenKind::String
                | TokenKind::Number
                | TokenKind::Literal
                | TokenKind::Bare
                | TokenKind::Template
        )
    }

    pub fn is_separator(self) -> bool {
        matches!(self.kind, TokenKind::Colon | TokenKind::Equals)
    }
}

/// Array or object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Container {
    Array,
    Object,
}

impl Container {
    /// The kind of container whose members have keys, or not.
    pub fn holding(keys: bool) -> Container {
        match keys {
            true => Container::Object,
            false => Container::Array,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Container::Array => "array",
            Container::Object => "object",
        }
    }

    pub fn opener(self) -> &'static str {
        match self {
            Container::Array => "[",
            Container::Object => "{",
        }
    }

    pub fn closer(self) -> &'static str {
        match self {
            Container::Array => "]",
            Container::Object => "}",
        }
    }
}

/// The kinds of the open containers, one bit each, because there may be millions.
#[derive(Default)]
pub(in super::super) struct Nesting {
    words: Vec<u64>,
    len: usize,
}

impl Nesting {
    pub fn push(&mut self, container: Container) {
        if self.len.is_multiple_of(64) {
            self.words.push(0);
        }
        let bit = 1u64 << (self.len % 64);
        let word = self.len / 64;
        match container {
            Container::Object => self.words[word] |= bit,
            Container::Array => self.words[word] &= !bit,
        }
        self.len += 1;
    }

    pub fn pop(&mut self) {
        if self.len > 0 {
            self.len -= 1;
            if self.len.is_multiple_of(64) {
                self.words.pop();
            }
        }
    }

    /// The kind of the container `depth` levels above the innermost one.
    pub fn up(&self, depth: usize) -> Option<Container> {
        let at = self.len.checked_sub(depth + 1)?;
        let is_object = self.words[at / 64] >> (at % 64) & 1 == 1;
        Some(Container::holding(is_object))
    }

    pub fn len(&self) -> usize {
        self.len
    }
}
