//! The engine of jsonx: from bytes to verified JSON tokens.

#[cfg(test)]
mod agreement;
mod chunk;
mod diagnose;
mod error;
mod format;
mod kernel;
mod scan;
mod stack;
mod token;
mod verify;
mod window;
pub mod path;

pub use error::{Error, ErrorKind};
pub use format::{Formatter, Indent, Output, Style};
pub use kernel::{Kernel, KernelError};
pub use token::{Chunk, Sink, Stop, Verdict, Wanted};
pub use window::{Mode, Options, Validator, validate, validate_with};
