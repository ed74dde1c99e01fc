//! Runs a program for one input at a time.

use std::io::{self, IsTerminal};

use jsonx_jq::{Exception, Halt, Host, Program, RunError, Value};

use super::marked;
use crate::messages;
use crate::report::{escape, escape_lines};

/// The state of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// Whether the last result counts as true, if there was one.
    pub last: Option<bool>,
    /// Whether the program failed for the last input, if there was one.
    pub failed: Option<bool>,
    /// Whether it failed for any input.
    pub has_failed: bool,
    /// The exit code of a program that halted.
    pub halted: Option<u8>,
}

impl Progress {
    /// Whether the program failed or halted.
    pub fn is_over(&self) -> bool {
        self.failed == Some(true) || self.halted.is_some()
    }

    /// Adds a later part of the run.
    pub fn add(&mut self, later: &Progress) {
        self.last = later.last.or(self.last);
        self.failed = later.failed.or(self.failed);
        self.has_failed |= later.has_failed;
        self.halted = self.halted.or(later.halted);
    }
}

/// The destination of the results of a program, and of its messages by [`Host::message`].
pub trait Console: Host {
    /// Whether a result cannot be printed, because of a NUL.
    fn refuses(&self, value: &Value) -> bool;

    /// Prints a result.
    ///
    /// # Errors
    /// It cannot be printed, or no more results are needed.
    fn result(&self, value: &Value) -> io::Result<()>;

    /// Reports an error of the program.
    ///
    /// # Errors
    /// As for [`Console::result`].
    fn error(&self, error: &RunError) -> io::Result<()>;
}

/// Runs a program for an input. `stack` is its stack limit in bytes.
///
/// # Errors
/// Errors of the console.
pub fn run(
    program: &Program,
    input: Value,
    stack: usize,
    console: &impl Console,
    progress: &mut Progress,
) -> io::Result<()> {
    progress.failed = Some(false);
    let mut failed = None;
    let ended = program.run_within(input, console, stack, &mut |result| {
        if console.refuses(&result) {
            return Err(Exception::error(
                "Cannot dump a string containing NUL with --raw-output0 option",
            ));
        }
        progress.last = Some(result.is_true());
        console.result(&result).map_err(|error| {
            failed = Some(error);
            Exception::Stopped
        })
    });
    if let Some(error) = failed {
        return Err(error);
    }
    match ended {
        Ok(()) | Err(Exception::Stopped | Exception::Break(_)) => Ok(()),
        Err(Exception::Error(error)) => {
            progress.failed = Some(true);
            progress.has_failed = true;
            console.error(&error)
        }
        Err(Exception::Halt(halt)) => {
            let Halt { code, message } = *halt;
            if let Some(message) = message {
                match message.as_str() {
                    _ if message.type_name() == "null" => {}
                    Some(text) => console.message(&text),
                    None => console.message(&format!("{message}\n")),
                }
            }
            progress.halted = Some(code as u8);
            Ok(())
        }
    }
}

/// Prints a text of the program on standard error.
pub fn print_message(text: &str) {
    if io::stderr().is_terminal() {
        messages::always(&escape_lines(text.as_bytes()));
    } else {
        messages::always(text);
    }
}

/// The place of a value in its input.
#[derive(Debug)]
pub struct Place {
    pub line: u64,
    column: u64,
    path: String,
}

impl Place {
    /// The position of a value of an input that begins on this line, counted from 0; `None` for any other value.
    pub fn find(value: &Value, line: u64) -> Option<Place> {
        let Value::Lazy(lazy) = value else {
            return None;
        };
        if !lazy.source().is_input() {
            return None;
        }
        let position = jsonx_core::position::locate(lazy.source().text(), lazy.span().start);
        Some(Place {
            line: line + position.line,
            column: position.column,
            path: lazy.path(),
        })
    }

    /// Its text for an input with this name, before a message.
    pub fn text(&self, name: Option<&str>) -> String {
        let Place { line, column, path } = self;
        let name = escape(name.unwrap_or("-"));
        format!("{name}:{line}:{column} ({}): ", escape(path))
    }
}

/// An error of a program: the position of the value, the message, and a mark in the program.
#[derive(Debug)]
pub struct ErrorMessage {
    pub place: Option<Place>,
    text: String,
}

impl ErrorMessage {
    /// The message for an error about a value of a text that begins on this line.
    pub fn new(error: &RunError, program: &str, line: u64) -> ErrorMessage {
        let culprit = error.culprit.as_ref();
        let mut text = escape(&error.to_string());
        if let Some(span) = error.span {
            text += &marked(program, span);
        }
        ErrorMessage {
            place: culprit.and_then(|value| Place::find(value, line)),
            text,
        }
    }

    /// Its text for an input with this name.
    pub fn text(&self, name: Option<&str>) -> String {
        let place = self.place.as_ref();
        let place = place.map_or(String::new(), |place| place.text(name));
        format!("jsonx jq: error: {place}{}\n", self.text)
    }
}
