//! What a program may ask of its surroundings.

use crate::error::Result;
use crate::value::Value;

/// What a program may ask of its surroundings.
pub trait Host {
    /// The next input, for `input`; `None` if there are no more.
    fn input(&self) -> Option<Result<Value>> {
        None
    }

    /// The file name of the current input.
    fn input_filename(&self) -> Option<String> {
        None
    }

    /// The number of line feeds read so far.
    fn input_line(&self) -> usize {
        0
    }

    /// Whether the program must stop, as if it had halted. Polled every few thousand steps.
    fn is_interrupted(&self) -> bool {
        false
    }

    /// Prints to standard error, for `debug` and `stderr`.
    fn message(&self, text: &str) {
        let _ = text;
    }
}

/// A host without inputs and outputs.
#[derive(Debug, Default)]
pub struct NoHost;

impl Host for NoHost {}
