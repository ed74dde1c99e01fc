//! Messages to the interpreter.

use std::io;
use std::ops::Range;
use std::sync::mpsc::SyncSender;

use jsonx_core::engine::Options;
use jsonx_jq::IndexedText;

use super::results::Results;
use super::runner::Progress;
use super::worker::Part;
use crate::check::Failure;
use crate::input::Input;

/// A message to the interpreter.
pub enum Job {
    /// A verified text of an input, and the number of lines before it.
    Text {
        text: IndexedText,
        name: Option<String>,
        line: u64,
    },
    /// Whole lines that are read as strings.
    Raw { text: String, name: Option<String> },
    /// A document; the results for its elements follow.
    Document(Box<Document>),
    /// Results.
    Ran(Box<Ran>),
    /// The input is invalid, which was reported; nothing follows.
    Invalid,
    /// Requests that everything before it is printed, and an acknowledgment.
    Flush(SyncSender<()>),
}

/// A document with a large array.
pub struct Document {
    pub input: Input,
    pub options: Options,
    /// Notified when no more results are needed: the program failed, or the document cannot be read again.
    pub over: SyncSender<Option<Failure>>,
}

/// The results for a part of an input.
pub struct Ran {
    pub part: Part,
    pub name: Option<String>,
    /// The number of lines before it.
    pub line: u64,
    /// The elements of the document; the interpreter may need to run the program for them.
    pub elements: Option<Range<usize>>,
}

impl Ran {
    /// Prints the results.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn print(self, out: &mut Results<'_>, progress: &mut Progress) -> io::Result<()> {
        let name = self.name.as_deref();
        self.part.print(self.line, name, out, progress)
    }
}
