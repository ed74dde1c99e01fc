//! Where bytes go: standard output, or a file in place of its old self.
//!
//! Everything here that depends on the system is in `unix.rs` and `portable.rs`, which have the same items.

mod interrupt;
#[cfg(not(unix))]
#[path = "portable.rs"]
mod platform;
#[cfg(unix)]
#[path = "unix.rs"]
mod platform;
mod replace;
mod stdout;

use std::io;

pub use replace::{ReplaceError, Target};
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
