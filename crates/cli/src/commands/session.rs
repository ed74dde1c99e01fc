//! One run of a command over some inputs: the settings, where things are printed, and the exit code.

use std::io::{self, ErrorKind, Write};
use std::path::Path;

use jsonx_core::{
    Error, ErrorKind as Wrong, Kernel, Mode, Options, Sink, Stop, Validator, Verdict,
};

use super::lines::Lines;
use super::{tell, written};
use crate::args::{Color, Common, InputKind};
use crate::exit::Exit;
use crate::input::{Input, Name, Taken, Window, sniff};
use crate::output::Stdout;
use crate::show::Message;

/// What the system says, without its number.
pub fn reason(error: &io::Error) -> String {
    let mut text = error.to_string();
    if let Some(code) = error.raw_os_error() {
        let number = format!(" (os error {code})");
        text.truncate(text.strip_suffix(&number).map_or(text.len(), str::len));
    }
    text
}

/// Why the work on an input ended early.
pub enum Failure {
    /// It is not what was asked for; the offset counts from the start of the input.
    Invalid(Error),
    /// It could not be read.
    Read(io::Error),
    /// Standard output could not be written: the end of the whole run.
    Write(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Read(error)
    }
}

impl From<Stop<io::Error>> for Failure {
    fn from(stop: Stop<io::Error>) -> Failure {
        match stop {
            Stop::Invalid(error) => Failure::Invalid(error),
            Stop::Sink(error) => Failure::Write(error),
        }
    }
}

impl From<Stop<std::convert::Infallible>> for Failure {
    fn from(stop: Stop<std::convert::Infallible>) -> Failure {
        match stop {
            Stop::Invalid(error) => Failure::Invalid(error),
            Stop::Sink(never) => match never {},
        }
    }
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
    kernel: Option<Kernel>,
    max_depth: u64,
    kind: InputKind,
    color: Color,
    channel: Channel,
    /// Standard output.
    pub out: Stdout,
    exit: Exit,
}

impl Session {
    /// A session for a command whose messages go to `channel`.
    ///
    /// # Errors
    /// There is no standard output to be had.
    pub fn new(kernel: Option<Kernel>, common: &Common, channel: Channel) -> io::Result<Session> {
        Ok(Session {
            out: Stdout::new()?,
            kernel,
            max_depth: if common.max_depth == 0 {
                u64::MAX
            } else {
                common.max_depth
            },
            kind: common.input,
            color: common.color,
            channel,
            exit: Exit::Done,
        })
    }

    /// Writes what is left and says how it all ended, where `result` is how the work ended.
    pub fn end(mut self, result: io::Result<()>) -> Exit {
        match result.and_then(|()| self.out.flush()) {
            Ok(()) => self.exit,
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Exit::Done,
            Err(error) => self.exit.and(written(Err(error))),
        }
    }

    /// Notes how a part of the work ended.
    pub fn note(&mut self, exit: Exit) {
        self.exit = self.exit.and(exit);
    }

    /// Opens an input, or says why not and goes on.
    pub fn open(&mut self, path: &Path) -> Option<Input> {
        match Input::open(path) {
            Ok(input) => Some(input),
            Err(error) => {
                self.complain(&Name::of(path), &error);
                None
            }
        }
    }

    /// Says what the system said about an input.
    pub fn complain(&mut self, name: &Name, error: &io::Error) {
        tell(&format!("jsonx: {name}: {}", reason(error)));
        self.exit = self.exit.and(Exit::Trouble);
    }

    /// What an input holds: as told, or by its name.
    pub fn kind_of(&self, input: &Input) -> InputKind {
        match (self.kind, input.name().extension()) {
            (InputKind::Auto, _)
                if input.name().is_stdin() && self.channel == Channel::Diagnostics =>
            {
                InputKind::Stream
            }
            (InputKind::Auto, Some(extension)) if extension == "jsonl" || extension == "ndjson" => {
                InputKind::Jsonl
            }
            (InputKind::Auto, _) => InputKind::Json,
            (told, _) => told,
        }
    }

    /// What the engine is told about an input of this kind.
    pub fn options(&self, kind: InputKind) -> Options {
        let mode = if matches!(kind, InputKind::Stream | InputKind::Jsonl) {
            Mode::Stream
        } else {
            Mode::One
        };
        let options = Options::default().mode(mode).max_depth(self.max_depth);
        match self.kernel {
            Some(kernel) => options.kernel(kernel),
            None => options,
        }
    }

    /// Reads an input to its end for the verdict alone.
    pub fn check(&self, input: &mut Input, kind: InputKind) -> Result<(), Failure> {
        if let Some(mut lines) = self.lines(kind) {
            return input.each_window(|window| {
                lines.look(window)?;
                Ok(window.bytes().len().into())
            });
        }
        let mut validator = Validator::new(self.options(kind));
        input.each_window(|window| Ok(Taken::from(push(&mut validator, window, &mut Verdict)?)))
    }

    /// The check that each line is a value of its own, for inputs where it has to be.
    pub fn lines(&self, kind: InputKind) -> Option<Lines> {
        (kind == InputKind::Jsonl).then(|| Lines::new(self.options(InputKind::Json)))
    }

    /// Tells of a failure and notes it in the exit code.
    ///
    /// # Errors
    /// Standard output cannot be written: nothing more can be done.
    pub fn report(&mut self, input: &mut Input, failure: Failure) -> io::Result<()> {
        let error = match failure {
            Failure::Write(error) => return Err(error),
            Failure::Read(error) => {
                self.complain(input.name(), &error);
                return Ok(());
            }
            Failure::Invalid(error) => error,
        };
        self.exit = self.exit.and(match (error.kind, self.channel) {
            (Wrong::TooDeep | Wrong::OutOfMemory, _) => Exit::Trouble,
            (_, Channel::Data) => Exit::No,
            (_, Channel::Diagnostics) => Exit::NotJson,
        });
        let limit = format!(
            "nested deeper than {} levels (the limit of --max-depth)",
            self.max_depth
        );
        let mut text = match error.kind {
            Wrong::TooDeep => limit,
            kind => kind.to_string(),
        };
        let mut help = None;
        let mut source = true;
        if error.offset < 4
            && let Some((format, advice)) = sniff::foreign_format(&input.head())
        {
            text = format!("this is {format}, not JSON");
            (help, source) = (Some(advice), false);
        }
        let excerpt = match input.excerpt(error.offset) {
            Ok(excerpt) => excerpt,
            Err(error) => {
                self.complain(input.name(), &error);
                return Ok(());
            }
        };
        if error.kind == Wrong::UnexpectedEnd && (excerpt.line, excerpt.column) == (1, 1) {
            text = "the input is empty, and a JSON text is at least one value".to_owned();
            source = false;
        }
        let message = Message {
            text: &text,
            name: input.name(),
            excerpt: &excerpt,
            source,
            help,
        };
        self.say(&message)
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

    /// Shows a message where this command's messages go.
    fn say(&mut self, message: &Message<'_>) -> io::Result<()> {
        match self.channel {
            Channel::Data => {
                let text = message.render(
                    width(terminal_size::terminal_size_of(io::stdout())),
                    self.colors(&io::stdout()),
                );
                self.out.write_all(text.as_bytes())
            }
            Channel::Diagnostics => {
                // What was printed so far comes first, where both go to one place.
                self.out.flush()?;
                let text = message.render(
                    width(terminal_size::terminal_size_of(io::stderr())),
                    self.colors(&io::stderr()),
                );
                let _ = io::stderr().write_all(text.as_bytes());
                Ok(())
            }
        }
    }

    fn colors(&self, stream: &impl anstream::stream::RawStream) -> bool {
        match self.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => anstream::AutoStream::choice(stream) != anstream::ColorChoice::Never,
        }
    }
}

/// Hands a window to the engine; offsets in errors become those of the input.
pub fn push<S: Sink>(
    validator: &mut Validator,
    window: &Window<'_>,
    sink: &mut S,
) -> Result<usize, Stop<S::Error>> {
    let bytes = window.bytes();
    let origin = window.offset() - validator.offset();
    let pushed = if window.is_last() {
        validator.finish(bytes, sink).map(|()| bytes.len())
    } else {
        validator.feed(bytes, sink)
    };
    pushed.map_err(|stop| match stop {
        Stop::Invalid(error) => Stop::Invalid(Error {
            offset: error.offset + origin,
            ..error
        }),
        Stop::Sink(error) => Stop::Sink(error),
    })
}

/// Cells of a line: those of the terminal, else `COLUMNS`, else 100, within reason.
fn width(terminal: Option<(terminal_size::Width, terminal_size::Height)>) -> usize {
    terminal
        .map(|(width, _)| usize::from(width.0))
        .or_else(|| std::env::var("COLUMNS").ok()?.parse().ok())
        .unwrap_or(100)
        .clamp(60, 200)
}
