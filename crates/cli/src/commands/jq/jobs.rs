//! What is sent to the interpreter.

use std::num::NonZeroUsize;
use std::sync::mpsc::SyncSender;

use jsonx_core::engine::Options;
use jsonx_jq::Source as Text;

use crate::check::Failure;
use crate::check::lines::{LineFindings, Search};
use crate::input::Input;

/// What the interpreter receives.
pub enum Job {
    /// A verified text of an input, and the number of lines before it.
    Text {
        text: Text,
        name: Option<String>,
        line: u64,
    },
    /// Text that is read as strings.
    Raw { text: String, name: Option<String> },
    /// A file of lines that the interpreter reads itself.
    Lines(Box<LinesJob>),
    /// Everything before it is to be printed, and then this channel closed.
    Flush(SyncSender<()>),
}

/// A file of lines for the interpreter.
pub struct LinesJob {
    pub input: Input,
    pub name: Option<String>,
    pub threads: NonZeroUsize,
    /// The search for invalid records.
    pub search: Search,
    pub options: Options,
    pub done: SyncSender<LinesDone>,
}

/// The file, its findings and where it ends.
pub type LinesDone = (Input, Result<(LineFindings, u64), Failure>);
