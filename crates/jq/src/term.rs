//! Compiled programs: names are resolved, and expressions with exactly one result are marked.

use std::cell::Cell;
use std::rc::Rc;

use crate::natives::{Format, Native};
use crate::ops::Operator;
use crate::program_error::Span;
use crate::settings::Settings;
use crate::specials::Special;
use crate::value::Value;

/// A compiled expression.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub term: Term,
    /// Its position in the program; `None` in the library and in modules.
    pub span: Option<Span>,
    /// Of a step, such as `.a`: whether its errors, but not those of its target, are suppressed.
    pub is_optional: bool,
    /// Whether it yields exactly one result or an error, regardless of the closures that it calls.
    pub single: Cell<bool>,
    /// The longest way to an operand without operands, in operators.
    pub height: u16,
}

pub(crate) type Boxed = Rc<Node>;

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
    /// As the value of a member: the input's member with the same key, as in `{"\(.k)"}`.
    SameKey,
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

impl Term {
    /// The operands, except the keys in patterns.
    pub(crate) fn operands(&self) -> Vec<&Node> {
        match self {
            Term::Identity
            | Term::Recurse
            | Term::Constant(_)
            | Term::Format(_)
            | Term::SameKey
            | Term::Break(_)
            | Term::Variable(_)
            | Term::Closure(_) => Vec::new(),
            Term::Iterate(of) | Term::Negate(of) | Term::Label(of) => vec![of],
            Term::Index(first, second)
            | Term::Pipe(first, second)
            | Term::Comma(first, second)
            | Term::Binary(_, first, second)
            | Term::And(first, second)
            | Term::Or(first, second)
            | Term::Alternative(first, second)
            | Term::Assign(_, first, second)
            | Term::Update(first, second)
            | Term::Bind(first, _, second) => vec![first, second],
            Term::Reduce(source, _, init, update) => vec![source, init, update],
            Term::Foreach(source, _, init, update, extract) => {
                with_optional(vec![source, init, update], [extract])
            }
            Term::Array(contents) => with_optional(Vec::new(), [contents]),
            Term::Try(body, handler) => with_optional(vec![body], [handler]),
            Term::Slice(target, from, to) => with_optional(vec![target], [from, to]),
            Term::If(condition, then, otherwise) => {
                with_optional(vec![condition, then], [otherwise])
            }
            Term::String(_, parts) => parts
                .iter()
                .filter_map(|part| match part {
                    StringPart::Text(_) => None,
                    StringPart::Interpolated(node) => Some(node),
                })
                .collect(),
            Term::Object(members) => members
                .iter()
                .flat_map(|(key, value)| [key, value])
                .collect(),
            Term::Call(_, _, arguments)
            | Term::Native(_, arguments)
            | Term::Special(_, arguments) => arguments.iter().collect(),
        }
    }
}

impl Term {
    /// The keys in patterns.
    pub(crate) fn pattern_keys(&self) -> Vec<&Node> {
        let (Term::Reduce(_, binding, ..)
        | Term::Foreach(_, binding, ..)
        | Term::Bind(_, binding, _)) = self
        else {
            return Vec::new();
        };
        let mut keys = Vec::new();
        let mut pending: Vec<&Pattern> = binding.patterns.iter().collect();
        while let Some(pattern) = pending.pop() {
            match pattern {
                Pattern::Variable => {}
                Pattern::Array(elements) => pending.extend(elements),
                Pattern::Object(members) => {
                    for (key, _, value) in members {
                        keys.push(key);
                        pending.extend(value);
                    }
                }
            }
        }
        keys
    }
}

fn with_optional<'t, const N: usize>(
    mut operands: Vec<&'t Node>,
    optional: [&'t Option<Boxed>; N],
) -> Vec<&'t Node> {
    operands.extend(optional.into_iter().flatten().map(|node| &**node));
    operands
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

/// What a parameter of a function is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parameter {
    /// `name`
    Closure,
    /// `$name`
    Value,
    /// `$name`, whose argument the function also calls as `name`.
    Both,
}

/// A function of the program or the library.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub parameters: Vec<Parameter>,
    pub body: Node,
}

impl Function {
    /// Whether a call evaluates an argument.
    pub(crate) fn has_values(&self) -> bool {
        let closure = Parameter::Closure;
        self.parameters
            .iter()
            .any(|parameter| *parameter != closure)
    }
}

/// A compiled program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Compiled {
    pub functions: Vec<Option<Function>>,
    pub main: Option<Node>,
    /// Whether it calls a function that [depends on other inputs](Special::reads_inputs).
    pub reads_inputs: bool,
    /// Whether it calls `input_line_number`.
    pub reads_line_numbers: bool,
    pub settings: Settings,
}

impl Compiled {
    pub(crate) fn function(&self, id: FunctionId) -> Option<&Function> {
        self.functions.get(id)?.as_ref()
    }
}
