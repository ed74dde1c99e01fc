//! Where bytes go: standard output, or a file in place of its old self.

mod replace;
mod report;
mod stdout;
mod temporary;

use std::io::{self, ErrorKind};

pub use replace::{ReplaceError, Replacement, Target};
pub use report::{Guard, ReportFile};
pub use stdout::Stdout;

use crate::exit::Exit;
use crate::messages;

/// The exit code of a run whose last write to standard output ended like this. Prints why that failed, unless the reader
/// has gone: it has seen enough.
pub fn exit_code(written: io::Result<()>) -> Exit {
    match written {
        Ok(()) => Exit::Done,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Exit::Done,
        Err(error) => {
            messages::line(&format!("jsonx: standard output: {}", reason(&error)));
            Exit::Failure
        }
    }
}

/// What the system says, without its number.
pub fn reason(error: &io::Error) -> String {
    let mut text = error.to_string();
    if let Some(code) = error.raw_os_error() {
        let number = format!(" (os error {code})");
        text.truncate(text.strip_suffix(&number).map_or(text.len(), str::len));
    }
    text
}
