//! Compiled programs: names are resolved, and expressions with exactly one result are marked.

use std::path::PathBuf;
use std::rc::Rc;

use crate::ast::{Assignment, Operator, Span};
use crate::natives::{Format, Native};
use crate::specials::Special;
use crate::value::Value;

/// A compiled expression.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub term: Term,
    /// Its position in the program; `None` in the library and in modules.
    pub span: Option<Span>,
    /// Whether it yields exactly one result or an error, regardless of the closures that it calls.
    pub single: bool,
}

pub(crate) type Boxed = Box<Node>;

#[derive(Clone, Debug)]
pub(crate) enum Term {
    Identity,
    Recurse,
    Constant(Value),
    /// Texts and interpolated expressions, and the format of the latter.
    String(Format, Vec<StringPart>),
    Format(Format),
    Index(Boxed, Boxed),
    Slice(Boxed, Option<Boxed>, Option<Boxed>),
    Iterate(Boxed),
    Array(Option<Boxed>),
    Object(Vec<(Node, Node)>),
    Negate(Boxed),
    Pipe(Boxed, Boxed),
    Comma(Boxed, Boxed),
    Binary(Operator, Boxed, Boxed),
    And(Boxed, Boxed),
    Or(Boxed, Boxed),
    Alternative(Boxed, Boxed),
    Assign(Assignment, Boxed, Boxed),
    Update(Boxed, Boxed),
    If(Boxed, Boxed, Option<Boxed>),
    Try(Boxed, Option<Boxed>),
    Reduce(Boxed, Binding, Boxed, Boxed),
    Foreach(Boxed, Binding, Boxed, Boxed, Option<Boxed>),
    Bind(Boxed, Binding, Boxed),
    Label(Boxed),
    /// The distance of the label in the environment.
    Break(usize),
    /// The distance of the variable in the environment.
    Variable(usize),
    /// A closure parameter: its distance in the environment.
    Closure(usize),
    /// A function, the number of innermost bindings that are hidden from it, and arguments.
    Call(FunctionId, usize, Vec<Node>),
    Native(&'static Native, Vec<Node>),
    Special(Special, Vec<Node>),
}

pub(crate) type FunctionId = usize;

#[derive(Clone, Debug)]
pub(crate) enum StringPart {
    Text(Rc<str>),
    Interpolated(Node),
}

/// The patterns of a binding.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    pub patterns: Vec<Pattern>,
    /// With several patterns: for each pattern, the position of each variable of the body, if it is bound.
    pub variables: Vec<Vec<Option<usize>>>,
}

/// A destructuring pattern; variables are bound in its order.
#[derive(Clone, Debug)]
pub(crate) enum Pattern {
    Variable,
    Array(Vec<Pattern>),
    /// A key; whether its value is bound to a variable; the pattern of the value.
    Object(Vec<(Node, bool, Option<Pattern>)>),
}

/// A function of the program or the library.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// Whether each parameter is a value, `$name`, or a closure.
    pub parameters: Vec<bool>,
    pub body: Node,
}

/// A compiled program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Compiled {
    pub functions: Vec<Option<Function>>,
    pub main: Option<Node>,
    /// Whether it calls a function that [depends on other inputs](Special::reads_inputs).
    pub reads_inputs: bool,
    /// The folders to search for modules.
    pub search: Vec<PathBuf>,
}

impl Compiled {
    pub(crate) fn function(&self, id: FunctionId) -> Option<&Function> {
        self.functions.get(id)?.as_ref()
    }
}
