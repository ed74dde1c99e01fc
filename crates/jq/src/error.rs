//! What ends an evaluation early.

use std::fmt;

use crate::program_error::Span;
use crate::value::Value;

/// What ends an evaluation early.
#[derive(Debug)]
pub enum Exception {
    /// An error, which `try` catches.
    Error(Box<RunError>),
    /// `break` out of the label with this number.
    Break(usize),
    /// `halt` or `halt_error`.
    Halt(Box<Halt>),
    /// The consumer of the results asked to stop.
    Stopped,
}

/// An error of a running program.
#[derive(Debug)]
pub struct RunError {
    /// The value that `catch` receives: a string, or the argument of `error`.
    pub value: Value,
    /// The operation in the program that failed.
    pub span: Option<Span>,
    /// The operand, if known.
    pub culprit: Option<Value>,
    /// The stack is exhausted. `try` does not catch it, so that a caller with a larger stack can run the program again.
    pub is_too_deep: bool,
}

/// The exit code of `halt` and `halt_error`, and the message of the latter.
#[derive(Debug, Default)]
pub struct Halt {
    /// The exit code.
    pub code: i32,
    /// Printed to standard error: a string as it is, any other value as JSON.
    pub message: Option<Value>,
}

pub(crate) type Result<T = (), E = Exception> = std::result::Result<T, E>;

/// An error with a message.
pub(crate) fn error(message: impl Into<String>) -> Exception {
    raise(Value::from(message.into()))
}

/// An error about a value: `number (1) has no length`.
pub(crate) fn about(value: &Value, what: &str) -> Exception {
    error(format!("{} {what}", described(value))).of(value)
}

/// The stack is exhausted.
pub(crate) fn too_deep() -> Exception {
    let mut exception = error("The program recurses too deep");
    if let Exception::Error(error) = &mut exception {
        error.is_too_deep = true;
    }
    exception
}

/// An error with any value.
pub(crate) fn raise(value: Value) -> Exception {
    Exception::Error(Box::new(RunError {
        value,
        span: None,
        culprit: None,
        is_too_deep: false,
    }))
}

impl Exception {
    /// An error with a message, which `catch` receives.
    pub fn error(message: impl Into<String>) -> Exception {
        error(message)
    }

    /// Adds the position, unless it is known.
    pub(crate) fn at(mut self, span: Option<Span>) -> Exception {
        if let Exception::Error(error) = &mut self
            && error.span.is_none()
        {
            error.span = span;
        }
        self
    }

    /// Adds the operand, unless it is known.
    pub(crate) fn of(mut self, value: &Value) -> Exception {
        if let Exception::Error(error) = &mut self
            && error.culprit.is_none()
        {
            error.culprit = Some(value.clone());
        }
        self
    }
}

/// The type and shortened text of a value for a message: `number (1)`.
pub(crate) fn described(value: &Value) -> String {
    format!("{} ({})", value.type_of().name(), shortened(value))
}

/// The maximum length of a value in a message, in bytes.
const SHOWN: usize = 29;

/// A value as JSON, shortened.
pub(crate) fn shortened(value: &Value) -> String {
    let text = value.to_string();
    if text.len() <= SHOWN {
        return text;
    }
    let close = match text.as_bytes()[0] {
        b'"' => "\"",
        b'[' => "]",
        b'{' => "}",
        _ => "",
    };
    let end = text.floor_char_boundary(SHOWN - 3 - close.len());
    format!("{}...{close}", &text[..end])
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value.as_str() {
            Some(text) => f.write_str(&text),
            None => write!(f, "{} (not a string)", self.value),
        }
    }
}
