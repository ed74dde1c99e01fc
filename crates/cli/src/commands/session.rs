//! One run of a command over some inputs: the settings, where things are printed, and the exit code.

use std::io::{self, ErrorKind, Write};
use std::path::Path;

use jsonx_core::diagnose::Lints;
use jsonx_core::{ErrorKind as Wrong, Kernel};

use super::findings::{Findings, Wanted};
pub use super::reading::{Failure, Reading, push};
use super::{tell, written};
use crate::args::{Common, InputKind};
use crate::exit::Exit;
use crate::files::Problem;
use crate::input::{Input, Name};
use crate::output::Stdout;
use crate::report::Format;

const NO_FILES: &str = "jsonx: no files: nothing there has one of the extensions looked for, or all of it is ignored; \
    see --ext, --glob, --no-ignore, and --allow-no-files if that is fine";

/// What the system says, without its number.
pub fn reason(error: &io::Error) -> String {
    let mut text = error.to_string();
    if let Some(code) = error.raw_os_error() {
        let number = format!(" (os error {code})");
        text.truncate(text.strip_suffix(&number).map_or(text.len(), str::len));
    }
    text
}

/// Where messages about the text of an input go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// Standard output: the findings of `validate` are its data.
    Data,
    /// Standard error.
    Diagnostics,
}

/// One run of a command over some inputs.
pub struct Session {
    reading: Reading,
    channel: Channel,
    findings: Findings,
    /// Standard output.
    pub out: Stdout,
    exit: Exit,
}

impl Session {
    /// A session for a command whose messages go to `channel`, in the form of `format`.
    ///
    /// # Errors
    /// There is no standard output to be had.
    pub fn new(
        kernel: Option<Kernel>,
        common: &Common,
        channel: Channel,
        format: Format,
    ) -> io::Result<Session> {
        let max_depth = match common.max_depth {
            0 => u64::MAX,
            levels => levels,
        };
        let wanted = Wanted {
            format,
            totals: channel == Channel::Data,
            max_errors: common.max_errors,
            color: common.color,
            max_depth,
            // The other commands do what they do with a duplicate key, and say so themselves.
            lints: match channel {
                Channel::Data => Lints::default(),
                Channel::Diagnostics => Lints::NONE,
            },
        };
        Ok(Session {
            out: Stdout::new()?,
            reading: Reading {
                kernel,
                max_depth,
                kind: common.input,
                stdin_is_a_stream: channel == Channel::Diagnostics,
            },
            channel,
            findings: match channel {
                Channel::Data => Findings::shown_on(wanted, &io::stdout()),
                Channel::Diagnostics => Findings::shown_on(wanted, &io::stderr()),
            },
            exit: Exit::Done,
        })
    }

    /// Writes what is left and says how it all ended, where `result` is how the work ended.
    pub fn end(mut self, result: io::Result<()>) -> Exit {
        let last = self.findings.end();
        let result = result.and_then(|()| self.say(&last));
        match result.and_then(|()| self.out.flush()) {
            Ok(()) => self.exit,
            // The reader has seen enough; what is already known stays true.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => self.exit,
            Err(error) => self.exit.and(written(Err(error))),
        }
    }

    /// How inputs are read: what can be had by several threads.
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// Notes how a part of the work ended.
    pub fn note(&mut self, exit: Exit) {
        self.exit = self.exit.and(exit);
    }

    /// Opens an input, or says why not and goes on.
    ///
    /// # Errors
    /// Standard output cannot be written: nothing more can be done.
    pub fn open(&mut self, path: &Path) -> io::Result<Option<Input>> {
        match Input::open(path) {
            Ok(input) => Ok(Some(input)),
            Err(error) => self.complain(&Name::of(path), &error).map(|()| None),
        }
    }

    /// Says which file cannot be looked at, or that there is none.
    ///
    /// # Errors
    /// Standard output cannot be written: nothing more can be done.
    pub fn miss(&mut self, problem: &Problem) -> io::Result<()> {
        match problem {
            Problem::Unreadable { name, error } => self.complain(name, error),
            Problem::NoFiles => {
                tell(NO_FILES);
                self.note(Exit::Usage);
                Ok(())
            }
        }
    }

    /// Says what the system said about an input.
    fn complain(&mut self, name: &Name, error: &io::Error) -> io::Result<()> {
        let reason = reason(error);
        tell(&format!("jsonx: {name}: {reason}"));
        self.exit = self.exit.and(Exit::Trouble);
        let text = self.findings.unreadable(name, &reason);
        self.say(&text)
    }

    /// Notes that an input is valid.
    ///
    /// # Errors
    /// Standard output cannot be written: nothing more can be done.
    pub fn valid(&mut self, input: &Input) -> io::Result<()> {
        self.warn_of_byte_order_mark(input);
        let text = self.findings.valid(input);
        self.say(&text)
    }

    /// Tells of a failure in an input of this kind and notes it in the exit code.
    ///
    /// # Errors
    /// Standard output cannot be written: nothing more can be done.
    pub fn report(
        &mut self,
        input: &mut Input,
        kind: InputKind,
        failure: Failure,
    ) -> io::Result<()> {
        let error = match failure {
            Failure::Write(error) => return Err(error),
            Failure::Read(error) => {
                return self.complain(input.name(), &error);
            }
            Failure::Invalid(error) => error,
        };
        self.exit = self.exit.and(match (error.kind, self.channel) {
            (Wrong::TooDeep | Wrong::OutOfMemory, _) => Exit::Trouble,
            (_, Channel::Data) => Exit::No,
            (_, Channel::Diagnostics) => Exit::NotJson,
        });
        match self.findings.invalid(input, error, kind) {
            Ok(text) => self.say(&text),
            Err(error) => self.complain(input.name(), &error),
        }
    }

    /// Warns of a byte-order mark, once the input was read.
    pub fn warn_of_byte_order_mark(&self, input: &Input) {
        if input.has_byte_order_mark() {
            tell(&format!(
                "jsonx: {}: warning: starts with a byte-order mark, which is ignored",
                input.name()
            ));
        }
    }

    /// Shows text where this command's messages go.
    fn say(&mut self, text: &str) -> io::Result<()> {
        match self.channel {
            Channel::Data => self.out.write_all(text.as_bytes()),
            Channel::Diagnostics => {
                // What was printed so far comes first, where both go to one place.
                self.out.flush()?;
                // With stderr gone there is nobody to tell; the code says it.
                let _ = io::stderr().write_all(text.as_bytes());
                Ok(())
            }
        }
    }
}
