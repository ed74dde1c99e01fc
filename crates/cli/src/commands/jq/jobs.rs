//! What is sent to the interpreter.

use std::num::NonZeroUsize;
use std::sync::mpsc::SyncSender;

use jsonx_core::engine::Options;
use jsonx_jq::Source as Text;

use super::elements::Elements;
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
    /// A file that the interpreter reads itself.
    File(Box<FileJob>),
    /// Everything before it is to be printed, which is then acknowledged.
    Flush(SyncSender<()>),
}

/// A file that the interpreter reads on several threads.
pub struct FileJob {
    pub input: Input,
    pub name: Option<String>,
    pub threads: NonZeroUsize,
    pub options: Options,
    pub contents: Contents,
    pub done: SyncSender<Done>,
}

pub enum Contents {
    /// Records, and the search for invalid ones.
    Lines(Search),
    /// The elements of an array.
    Elements(Elements),
}

/// The file, its findings and where it ends.
pub type Done = (Input, Result<(LineFindings, u64), Failure>);
