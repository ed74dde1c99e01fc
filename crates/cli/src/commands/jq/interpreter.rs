//! Runs a program for each input, and prints its results.

use std::cell::{Cell, RefCell};
use std::io::{self, Write};
use std::rc::Rc;
use std::sync::mpsc::{Receiver, SyncSender};

use jsonx_jq::{
    Exception, Halt, Host, Layout, Printer, Program, RunError, Settings, Source as Text, Value,
};

use super::settings::Source;
use super::{FAILED_PROGRAM, USABLE_STACK, marked};
use crate::args::Jq;
use crate::colors::Colors;
use crate::messages;
use crate::output::{Stdout, TerminalOutput};
use crate::report::escape;
use crate::session::Session;
use crate::terminal::Color;

/// What the interpreter receives.
pub enum Job {
    /// A verified text of an input, and the number of its first line.
    Text {
        text: Text,
        name: Option<String>,
        line: u64,
    },
    /// Text that is read as strings.
    Raw { text: String, name: Option<String> },
    /// Everything before it is to be printed, and then this channel closed.
    Flush(SyncSender<()>),
}

/// How a run ended.
pub struct Outcome {
    pub code: u8,
    pub is_halted: bool,
}

/// How results are printed.
pub struct Printing {
    printer: Printer,
    colors: Option<Colors>,
    is_raw: bool,
    after: &'static [u8],
    before: &'static [u8],
    unbuffered: bool,
}

impl Printing {
    pub fn of(args: &Jq, session: &Session) -> Printing {
        let layout = match (args.tab, args.indent) {
            _ if args.compact_output => Layout::Compact,
            (true, _) => Layout::Tabs,
            (false, Some(0)) => Layout::Compact,
            (false, spaces) => Layout::Spaces(spaces.unwrap_or(2)),
        };
        let color = match (args.color_output, args.monochrome_output) {
            (true, _) => Color::Always,
            (_, true) => Color::Never,
            _ => session.color(),
        };
        Printing {
            printer: Printer {
                layout,
                sort_keys: args.sort_keys,
                ascii: args.ascii_output,
            },
            colors: Colors::of_stdout(color),
            is_raw: args.raw_output || args.join_output || args.raw_output0,
            after: match (args.raw_output0, args.join_output) {
                (true, _) => b"\0",
                (_, true) => b"",
                _ => b"\n",
            },
            before: if args.seq { b"\x1e" } else { b"" },
            unbuffered: args.unbuffered,
        }
    }
}

/// Values that are left of a text, and where they are.
struct Current {
    values: Box<dyn Iterator<Item = Value>>,
    name: Option<String>,
    line: u64,
}

/// Where inputs come from, for the program too.
struct Feed<'a> {
    receiver: Receiver<Job>,
    current: RefCell<Option<Current>>,
    source: &'a Source,
    program: &'a Program,
    out: RefCell<Stdout>,
    raw_input: bool,
    /// The program that turns a value into events, with --stream.
    streaming: Option<Program>,
}

impl Feed<'_> {
    /// The next input.
    fn next(&self) -> Option<Value> {
        loop {
            if let Some(current) = self.current.borrow_mut().as_mut()
                && let Some(value) = current.values.next()
            {
                return Some(value);
            }
            // What was printed is seen before the program waits.
            let job = match self.receiver.try_recv() {
                Ok(job) => job,
                Err(_) => {
                    let _ = self.out.borrow_mut().flush();
                    self.receiver.recv().ok()?
                }
            };
            let current = match job {
                Job::Flush(done) => {
                    let _ = self.out.borrow_mut().flush();
                    drop(done);
                    continue;
                }
                Job::Text { text, name, line } => {
                    let values = Rc::new(text).values();
                    let values: Box<dyn Iterator<Item = Value>> = match &self.streaming {
                        None => Box::new(values),
                        Some(streaming) => {
                            let events: Vec<Value> = values
                                .flat_map(|value| streaming.results(value).unwrap_or_default())
                                .collect();
                            Box::new(events.into_iter())
                        }
                    };
                    Current { values, name, line }
                }
                Job::Raw { text, name } => {
                    let values: Vec<Value> = match self.raw_input {
                        true => text.lines().map(Value::from).collect(),
                        false => vec![Value::from(text)],
                    };
                    Current {
                        values: Box::new(values.into_iter()),
                        name,
                        line: 0,
                    }
                }
            };
            self.current.replace(Some(current));
        }
    }

    /// The place of a value in its input, if it is one.
    fn place(&self, value: &Value) -> Option<String> {
        let Value::Lazy(lazy) = value else {
            return None;
        };
        let current = self.current.borrow();
        let current = current.as_ref()?;
        let at = (lazy.offset() - lazy.source().offset()) as usize;
        let position = jsonx_core::position::locate(lazy.source().text(), at);
        let name = current.name.as_deref().unwrap_or("-");
        Some(format!(
            "{}:{}:{} ({})",
            escape(name),
            current.line + position.line,
            position.column,
            escape(&lazy.path())
        ))
    }
}

impl Host for Feed<'_> {
    fn input(&self) -> Option<Result<Value, Exception>> {
        self.next().map(Ok)
    }

    fn input_filename(&self) -> Option<String> {
        self.current.borrow().as_ref()?.name.clone()
    }

    fn input_line(&self) -> usize {
        self.current
            .borrow()
            .as_ref()
            .map_or(0, |current| current.line as usize)
    }

    fn message(&self, text: &str) {
        let _ = self.out.borrow_mut().flush();
        messages::always(text);
    }

    fn search_list(&self) -> Vec<Value> {
        self.source.search_list()
    }

    fn module_meta(&self, name: &str) -> Result<Value, Exception> {
        let meta = self.program.module_meta(name);
        meta.ok_or_else(|| Exception::error(format!("module not found: {name}")))
    }
}

pub struct Interpreter<'a> {
    args: &'a Jq,
    source: &'a Source,
    printing: Printing,
    receiver: Receiver<Job>,
    out: Stdout,
}

/// What happened so far.
#[derive(Default)]
struct Progress {
    /// Whether the last result counts as true, if there was one.
    last: Cell<Option<bool>>,
    failed: Cell<bool>,
}

impl<'a> Interpreter<'a> {
    pub fn new(
        args: &'a Jq,
        source: &'a Source,
        printing: Printing,
        receiver: Receiver<Job>,
        out: Stdout,
    ) -> Self {
        Interpreter {
            args,
            source,
            printing,
            receiver,
            out,
        }
    }

    /// Runs the program for all inputs.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub fn run(self) -> io::Result<Outcome> {
        let Interpreter {
            args,
            source,
            printing,
            receiver,
            out,
        } = self;
        // It compiled before.
        let Ok(program) = source.compile() else {
            return Ok(Outcome {
                code: super::NO_PROGRAM,
                is_halted: false,
            });
        };
        let streaming = (args.stream || args.stream_errors)
            .then(|| Program::compile("tostream", &Settings::default()).ok())
            .flatten();
        let feed = Feed {
            receiver,
            current: RefCell::new(None),
            source,
            program: &program,
            out: RefCell::new(out),
            raw_input: args.raw_input && !args.slurp,
            streaming,
        };
        let progress = Progress::default();
        let ended = run_all(args, &program, &feed, &printing, &progress);
        let flushed = feed.out.borrow_mut().flush();
        let outcome = ended?;
        flushed?;
        if let Some(outcome) = outcome {
            return Ok(outcome);
        }
        let code = match (args.exit_status, progress.last.get()) {
            _ if progress.failed.get() => FAILED_PROGRAM,
            (true, None) => 4,
            (true, Some(false)) => 1,
            _ => 0,
        };
        Ok(Outcome {
            code,
            is_halted: false,
        })
    }
}

/// Runs the program for each input; `Some` if it halted.
fn run_all(
    args: &Jq,
    program: &Program,
    feed: &Feed<'_>,
    printing: &Printing,
    progress: &Progress,
) -> io::Result<Option<Outcome>> {
    if args.null_input {
        return run_one(program, feed, printing, progress, Value::Null);
    }
    if args.slurp {
        let all = match args.raw_input {
            true => {
                let texts: Vec<String> = std::iter::from_fn(|| feed.next())
                    .map(|text| text.as_str().unwrap_or_default().into_owned())
                    .collect();
                Value::from(texts.concat())
            }
            false => Value::array(std::iter::from_fn(|| feed.next()).collect()),
        };
        return run_one(program, feed, printing, progress, all);
    }
    while let Some(value) = feed.next() {
        if let Some(outcome) = run_one(program, feed, printing, progress, value)? {
            return Ok(Some(outcome));
        }
    }
    Ok(None)
}

fn run_one(
    program: &Program,
    feed: &Feed<'_>,
    printing: &Printing,
    progress: &Progress,
    value: Value,
) -> io::Result<Option<Outcome>> {
    let mut failed = None;
    let mut buffer = Vec::new();
    let ended = program.run_within(value, feed, USABLE_STACK, &mut |result| {
        progress.last.set(Some(result.is_true()));
        buffer.clear();
        print(printing, &result, &mut buffer, &mut feed.out.borrow_mut()).map_err(|error| {
            failed = Some(error);
            Exception::Stopped
        })
    });
    if let Some(error) = failed {
        return Err(error);
    }
    match ended {
        Ok(()) | Err(Exception::Stopped | Exception::Break(_)) => Ok(None),
        Err(Exception::Error(error)) => {
            feed.out.borrow_mut().flush()?;
            progress.failed.set(true);
            messages::always(&format!("{}\n", message(feed, &error)));
            Ok(None)
        }
        Err(Exception::Halt(halt)) => {
            let Halt { code, message } = *halt;
            feed.out.borrow_mut().flush()?;
            if let Some(message) = message {
                let text = match message.as_str() {
                    Some(text) => text.into_owned(),
                    None => format!("{message}\n"),
                };
                messages::always(&text);
            }
            Ok(Some(Outcome {
                code: code as u8,
                is_halted: true,
            }))
        }
    }
}

/// An error of the program: where the value is, what is wrong, and the place in the program.
fn message(feed: &Feed<'_>, error: &RunError) -> String {
    let place = error
        .culprit
        .as_ref()
        .and_then(|culprit| feed.place(culprit));
    let place = place.map_or(String::new(), |place| format!("{place}: "));
    let mut text = format!("jsonx jq: error: {place}{}", escape(&error.to_string()));
    if let Some(span) = error.span {
        text += &marked(&feed.source.program, span);
    }
    text
}

fn print(
    printing: &Printing,
    value: &Value,
    buffer: &mut Vec<u8>,
    out: &mut Stdout,
) -> io::Result<()> {
    buffer.extend_from_slice(printing.before);
    let raw = value.as_str().filter(|_| printing.is_raw);
    match (raw, &printing.colors) {
        (Some(text), _) if out.is_terminal() => {
            TerminalOutput::plain(out).write(text.as_bytes())?;
        }
        (Some(text), _) => buffer.extend_from_slice(text.as_bytes()),
        (None, Some(colors)) => {
            let start = buffer.len();
            printing.printer.push(value, buffer);
            let mut colors = colors.clone();
            let mut painted = colors.paint(&buffer[start..]);
            painted.extend_from_slice(colors.end());
            buffer.truncate(start);
            buffer.extend_from_slice(&painted);
        }
        (None, None) => printing.printer.push(value, buffer),
    }
    buffer.extend_from_slice(printing.after);
    out.write_all(buffer)?;
    match printing.unbuffered {
        true => Stdout::flush(out),
        false => Ok(()),
    }
}
