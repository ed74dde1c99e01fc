//! Outputs: standard output, reports, and files that are replaced.

mod cells;
mod memory;
mod replace;
mod report;
mod stdout;
mod table;
mod temporary;
mod terminal;

use std::io::{self, ErrorKind};

pub use cells::Form;
use jsonx_core::format::Output;
#[cfg(feature = "jq")]
pub use memory::out_of_memory;
pub use memory::{Allocator, has_memory};
pub use replace::{FileToReplace, ReplaceError, Replacement};
pub use report::{Guard, ReportFile};
pub use stdout::Stdout;
pub use table::Table;
#[cfg(feature = "jq")]
pub use table::cut;
#[cfg_attr(not(feature = "jq"), expect(unused_imports))]
pub use terminal::{TerminalOutput, shown};

use crate::exit::Exit;
use crate::messages;
pub use crate::system::reason;

/// Any output of a command, so that its writers are compiled once.
pub type AnyOutput<'a> = dyn Output<Error = io::Error> + 'a;

/// Output in memory, up to a length.
#[derive(Default)]
pub struct HeldOutput {
    pub text: Vec<u8>,
    /// The maximum length in bytes.
    pub most: usize,
}

impl Output for HeldOutput {
    type Error = io::Error;

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() > self.most - self.text.len() {
            return Err(ErrorKind::FileTooLarge.into());
        }
        self.text.extend_from_slice(bytes);
        Ok(())
    }
}

/// The exit code for the result of the last write to standard output. Prints the error, unless the reader closed the
/// pipe.
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
