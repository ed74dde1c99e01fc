//! Syntax trees of programs.

use std::rc::Rc;

/// A range of bytes in the text of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Span {
    pub(crate) fn to(self, end: Span) -> Span {
        Span {
            start: self.start,
            end: end.end,
        }
    }
}

/// An expression and its position in the program.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub kind: Kind,
    pub span: Span,
}

pub(crate) type Boxed = Box<Expr>;

/// What an assignment of a value makes of the old one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Assignment {
    /// `=`
    Replace,
    /// `+=` and the like.
    With(Operator),
    /// `//=`
    Alternative,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Identity,
    Recurse,
    Number(Rc<str>),
    /// A string, and the format of its interpolations: `@base64 "…\(.)…"`.
    String(Option<Rc<str>>, Vec<Part>),
    /// `@base64` alone.
    Format(Rc<str>),
    /// `.[key]` of a target.
    Index(Boxed, Boxed),
    /// `.[from:to]` of a target.
    Slice(Boxed, Option<Boxed>, Option<Boxed>),
    /// `.[]` of a target.
    Iterate(Boxed),
    Array(Option<Boxed>),
    Object(Vec<(Expr, Expr)>),
    Negate(Boxed),
    Pipe(Boxed, Boxed),
    Comma(Boxed, Boxed),
    Binary(Operator, Boxed, Boxed),
    And(Boxed, Boxed),
    Or(Boxed, Boxed),
    Alternative(Boxed, Boxed),
    /// `=`, `+=`, `//=` and the like.
    Assign(Assignment, Boxed, Boxed),
    /// `|=`
    Update(Boxed, Boxed),
    If(Boxed, Boxed, Option<Boxed>),
    Try(Boxed, Option<Boxed>),
    Reduce(Boxed, Vec<Pattern>, Boxed, Boxed),
    Foreach(Boxed, Vec<Pattern>, Boxed, Boxed, Option<Boxed>),
    /// `source as $x ?// [$y] | body`
    As(Boxed, Vec<Pattern>, Boxed),
    Label(Rc<str>, Boxed),
    Break(Rc<str>),
    Define(Rc<Definition>, Boxed),
    Call(Rc<str>, Vec<Expr>),
    Variable(Rc<str>),
    /// `$__loc__`, with its line.
    Location(usize),
}

/// A part of a string.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Text(Rc<str>),
    Interpolated(Expr),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

#[derive(Clone, Debug)]
pub(crate) enum Pattern {
    Variable(Rc<str>),
    Array(Vec<Pattern>),
    /// Keys; the variable that is bound to the value of a key, as in `{$a: [$b]}`; the pattern of the value.
    Object(Vec<(Expr, Option<Rc<str>>, Option<Pattern>)>),
}

#[derive(Debug)]
pub(crate) struct Definition {
    pub name: Rc<str>,
    pub parameters: Vec<Rc<str>>,
    pub body: Expr,
}

/// A parsed module or program.
#[derive(Debug, Default)]
pub(crate) struct Module {
    /// The metadata, from `module {…};`.
    pub metadata: Option<Expr>,
    pub imports: Vec<Import>,
    pub definitions: Vec<Rc<Definition>>,
    pub body: Option<Expr>,
}

/// `import "path" as name {…};`, or `include "path" {…};`.
#[derive(Debug)]
pub(crate) struct Import {
    pub path: Rc<str>,
    /// The name with its `$` for data; `None` for `include`.
    pub name: Option<Rc<str>>,
    pub metadata: Option<Expr>,
    pub span: Span,
}
