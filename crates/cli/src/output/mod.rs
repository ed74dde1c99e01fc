//! Outputs: standard output, reports, and files that are replaced.

mod replace;
mod report;
mod stdout;
mod temporary;
mod terminal;

use std::io::{self, ErrorKind};

use jsonx_core::format::Output;
pub use replace::{ReplaceError, Replacement, Target};
pub use report::{Guard, ReportFile};
pub use stdout::Stdout;
pub use terminal::{TerminalOutput, TerminalState};

use crate::exit::Exit;
use crate::messages;
pub use crate::system::reason;

/// Any output of a command, so that its writers are compiled once.
pub type AnyOutput<'a> = dyn Output<Error = io::Error> + 'a;

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
