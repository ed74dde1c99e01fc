//! The engine of jsonx: from bytes to verified JSON tokens.

#[cfg(test)]
mod agreement;
mod chunk;
mod diagnose;
mod error;
mod format;
pub mod hex;
mod kernel;
pub mod path;
pub mod number;
mod scan;
mod select;
mod stack;
pub mod string;
mod token;
mod verify;
mod window;

pub use error::{Error, ErrorKind};
pub use format::{Formatter, Indent, Output, Style};
pub use kernel::{Kernel, KernelError};
pub use select::{Found, Kind, Missing, Outcome, Selector};
pub use token::{Chunk, Sink, Stop, Verdict, Wanted};
pub use window::{Mode, Options, Validator, validate, validate_with};
