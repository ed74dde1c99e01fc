//! The engine of jsonx: from bytes to verified JSON tokens.

mod error;

pub use error::{Error, ErrorKind};
