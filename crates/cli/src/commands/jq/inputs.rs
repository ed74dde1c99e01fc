//! Reads inputs and passes them to the interpreter: JSON Lines and pipes in batches of lines, anything else as a whole.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::mpsc::{SyncSender, sync_channel};

use jsonx_core::engine::{Mode, Options};
use jsonx_jq::{Source as Text, Text as Bytes};

use super::interpreter::Job;
use crate::args::Jq;
use crate::check::lines::{
    Batch, Batching, Consumer, Early, LineFindings, Records, Run, divide, each_batch, filled_lines,
    line_feeds,
};
use crate::check::{Failure, InputKind};
use crate::input::Input;
use crate::session::Session;

/// The largest input that is read as text.
const MAX_TEXT: u64 = 1 << 31;

/// Reads all inputs, until the interpreter needs no more.
///
/// # Errors
/// A report cannot be written.
pub fn read(args: &Jq, session: &mut Session, jobs: SyncSender<Job>) -> io::Result<()> {
    let selection = &args.inputs.selection;
    if selection.is_empty() {
        // With -n, standard input is read only if the program asks for it, which a terminal would wait for.
        return read_one(args, session, Path::new("-"), &jobs).map(|_| ());
    }
    let files = match selection.files() {
        Ok(files) => session.select(files, false),
        Err(error) => {
            crate::messages::line(&format!("jsonx jq: {error:#}"));
            session.note(crate::exit::Exit::Usage);
            return Ok(());
        }
    };
    for found in files {
        match found {
            Ok(path) => {
                if read_one(args, session, &path, &jobs)?.is_break() {
                    break;
                }
            }
            Err(problem) => session.report_problem(&problem)?,
        }
    }
    Ok(())
}

/// Waits until everything before has been printed.
fn flush(jobs: &SyncSender<Job>) {
    let (sender, receiver) = sync_channel(0);
    if jobs.send(Job::Flush(sender)).is_ok() {
        // Ends when the interpreter drops the sender.
        let _ = receiver.recv();
    }
}

fn read_one(
    args: &Jq,
    session: &mut Session,
    path: &Path,
    jobs: &SyncSender<Job>,
) -> io::Result<ControlFlow<()>> {
    let Some(mut input) = session.open(path)? else {
        return Ok(ControlFlow::Continue(()));
    };
    let name = (!input.name().is_stdin()).then(|| input.name().to_string());
    if args.raw_input {
        return match input.read_all(MAX_TEXT) {
            Ok(text) => {
                let text = String::from_utf8_lossy(&text).into_owned();
                Ok(flow(jobs.send(Job::Raw { text, name }).is_err()))
            }
            Err(error) => {
                let failure = Failure::Read(error);
                session.report_failure(&mut input, InputKind::Auto, failure)?;
                Ok(ControlFlow::Continue(()))
            }
        };
    }
    let options = session.check_options();
    let mut kind = options.kind_of(&input);
    kind = options.by_header(&mut input, kind);
    let mut sending = Sending {
        session,
        jobs,
        name,
        options: options.engine(InputKind::Json),
        one_per_line: kind == InputKind::Jsonl,
        line: 0,
        is_closed: false,
    };
    if kind == InputKind::Jsonl || options.is_open(&input) && !input.is_file() {
        let failed = sending.lines(&mut input);
        let is_closed = sending.is_closed;
        match failed {
            Ok(ControlFlow::Break(Early::SpansLines)) => {}
            Ok(_) => return Ok(flow(is_closed)),
            Err(failure) => {
                report(session, &mut input, kind, failure, jobs)?;
                return Ok(ControlFlow::Continue(()));
            }
        }
    }
    whole(session, input, jobs)
}

fn flow(is_closed: bool) -> ControlFlow<()> {
    match is_closed {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }
}

/// Reports a failure after what was printed before it.
fn report(
    session: &mut Session,
    input: &mut Input,
    kind: InputKind,
    failure: Failure,
    jobs: &SyncSender<Job>,
) -> io::Result<()> {
    flush(jobs);
    session.report_failure(input, kind, failure)
}

/// Reads an input as a whole.
fn whole(
    session: &mut Session,
    mut input: Input,
    jobs: &SyncSender<Job>,
) -> io::Result<ControlFlow<()>> {
    let mut kind = InputKind::Auto;
    let mut held = Vec::new();
    let read = session.by_content(&mut input, &mut kind, |session, input, kind| {
        held.clear();
        session.check_options().read_checked(input, kind, &mut held)
    });
    session.warn_of_byte_order_mark(&input);
    let name = (!input.name().is_stdin()).then(|| input.name().to_string());
    let options = session.check_options().engine(kind);
    let text =
        read.and_then(|()| Text::new(Bytes::Owned(held), options, 0).map_err(Failure::Invalid));
    match text {
        Ok(text) => Ok(flow(
            jobs.send(Job::Text {
                text,
                name,
                line: 0,
            })
            .is_err(),
        )),
        Err(failure) => {
            report(session, &mut input, kind, failure, jobs)?;
            Ok(ControlFlow::Continue(()))
        }
    }
}

/// Passes on batches of lines.
struct Sending<'s> {
    session: &'s mut Session,
    jobs: &'s SyncSender<Job>,
    name: Option<String>,
    options: Options,
    one_per_line: bool,
    /// The lines before the next batch.
    line: u64,
    is_closed: bool,
}

impl Sending<'_> {
    fn lines(&mut self, input: &mut Input) -> Result<ControlFlow<Early>, Failure> {
        let diagnoser = self.session.diagnoser();
        let batching = Batching {
            search: diagnoser.search(self.options).without_checks(),
            whole_lines: true,
            may_span_lines: !self.one_per_line,
            positions: false,
            reports_early: true,
        };
        let (ended, found) = each_batch(input, batching, self)?;
        flush(self.jobs);
        self.session
            .report_records(input, found)
            .map_err(Failure::Write)?;
        Ok(ended)
    }

    /// Passes on the values of a text, and returns how many; `None` if it is invalid.
    fn send(&mut self, text: &[u8], offset: u64) -> Option<u64> {
        let source = Text::new(
            Bytes::Owned(text.to_vec()),
            self.options.mode(Mode::Stream),
            offset,
        )
        .ok()?;
        if self.one_per_line && !source.has_one_value_per_line() {
            return None;
        }
        let (name, count) = (self.name.clone(), source.count());
        let sent = self.jobs.send(Job::Text {
            text: source,
            name,
            line: self.line,
        });
        self.is_closed |= sent.is_err();
        Some(count)
    }
}

impl Consumer for Sending<'_> {
    fn batch(
        &mut self,
        batch: Batch<'_>,
        records: &mut Records,
    ) -> Result<ControlFlow<Early, usize>, Failure> {
        let text = batch.text;
        let before = self.line;
        if let Some(count) = self.send(text, batch.offset) {
            self.line += line_feeds(text);
            records.skip(text, line_feeds(text), count);
            return Ok(self.flow(text.len()));
        }
        if self.one_per_line {
            records.push(text);
            let mut counted = 0;
            for (at, line) in filled_lines(text) {
                self.line += line_feeds(&text[counted..at]);
                counted = at;
                let _ = self.send(line, batch.offset + at as u64);
            }
            self.line = before + line_feeds(text);
            return Ok(self.flow(text.len()));
        }
        let mut at = 0;
        let rest = divide(text, batch.is_last, self.options, |run| {
            let (part, is_valid) = match run {
                Run::Values(values) => (values, true),
                Run::Broken(line) => (line, false),
            };
            match is_valid {
                true => {
                    let count = self.send(part, batch.offset + at as u64).unwrap_or(0);
                    records.skip(part, line_feeds(part), count);
                }
                false => records.push(part),
            }
            self.line += line_feeds(part);
            at += part.len();
            Ok::<_, Failure>(())
        })?;
        match Early::of_rest(rest, text.len()) {
            ControlFlow::Continue(length) => Ok(self.flow(length)),
            early => Ok(early),
        }
    }

    fn report(&mut self, input: &mut Input, found: LineFindings) -> io::Result<()> {
        flush(self.jobs);
        self.session.report_records(input, found)
    }
}

impl Sending<'_> {
    fn flow(&self, length: usize) -> ControlFlow<Early, usize> {
        match self.is_closed {
            true => ControlFlow::Break(Early::Enough),
            false => ControlFlow::Continue(length),
        }
    }
}
