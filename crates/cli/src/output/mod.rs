//! Where bytes go: standard output, or a file in place of its old self.

mod replace;
mod stdout;
mod temporary;

use std::io;

pub use replace::{ReplaceError, Replacement, Target};
pub use stdout::Stdout;

/// What the system says, without its number.
pub fn reason(error: &io::Error) -> String {
    let mut text = error.to_string();
    if let Some(code) = error.raw_os_error() {
        let number = format!(" (os error {code})");
        text.truncate(text.strip_suffix(&number).map_or(text.len(), str::len));
    }
    text
}
