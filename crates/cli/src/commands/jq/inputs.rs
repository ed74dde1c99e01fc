//! Reads inputs and passes them to the interpreter: JSON Lines and pipes in batches of lines, anything else as a whole.

use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::mpsc::{SyncSender, sync_channel};

use jsonx_core::engine::{Mode, Options};
use jsonx_jq::{Source as Text, Text as Bytes};

use super::elements::{self, Elements};
use super::jobs::{Contents, FileJob, Job};
use super::run_lines::each_record;
use super::settings::Source;
use crate::args::Jq;
use crate::check::lines::{
    Batch, Batching, Consumer, Early, LineFindings, Records, Run, divide, each_batch, line_feeds,
};
use crate::check::{Failure, InputKind, json5};
use crate::input::{Input, Strategy, Task};
use crate::session::Session;

/// The largest input that is read as text.
const MAX_TEXT: u64 = 1 << 31;

/// Bytes of lines that are passed on at once: more do not stay in the cache.
const MAX_BATCH: usize = 1 << 20;

/// Reads all inputs, until the interpreter needs no more.
///
/// # Errors
/// A report cannot be written.
pub fn read(
    args: &Jq,
    source: &Source,
    session: &mut Session,
    jobs: SyncSender<Job>,
) -> io::Result<()> {
    let selection = &args.inputs.selection;
    if selection.is_empty() {
        // With -n, standard input is read only if the program asks for it, which a terminal would wait for.
        return read_one(args, source, session, Path::new("-"), &jobs).map(|_| ());
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
                if read_one(args, source, session, &path, &jobs)?.is_break() {
                    break;
                }
            }
            Err(problem) => session.report_problem(&problem)?,
        }
    }
    Ok(())
}

/// Waits until everything before has been printed. Returns false if the program has halted: then what was read too far is not
/// reported.
fn flush(jobs: &SyncSender<Job>) -> bool {
    let (done, printed) = sync_channel(1);
    // The interpreter drops what it has not received.
    jobs.send(Job::Flush(done)).is_ok() && printed.recv().is_ok()
}

fn read_one(
    args: &Jq,
    source: &Source,
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
    let engine = options.engine(InputKind::Json);
    let task = Task::LookUp { may_count: false };
    // To a terminal, results are printed as they come.
    let is_for_each = source.is_for_each && !session.out.is_terminal();
    if is_for_each
        && kind == InputKind::Jsonl
        && let Strategy::Segments(threads) = input.strategy(kind.text(), task)
    {
        input.skip_byte_order_mark();
        let search = session.diagnoser().search(engine).without_checks();
        return file(session, input, threads, Contents::Lines(search), jobs);
    }
    let mut sending = Sending {
        session,
        jobs,
        name,
        options: engine,
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
    let array = source.array.as_deref().filter(|_| is_for_each);
    whole(session, input, array, jobs)
}

fn flow(is_closed: bool) -> ControlFlow<()> {
    match is_closed {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }
}

/// Has a file read by the interpreter, and reports its invalid records.
fn file(
    session: &mut Session,
    input: Input,
    threads: NonZeroUsize,
    contents: Contents,
    jobs: &SyncSender<Job>,
) -> io::Result<ControlFlow<()>> {
    let (done, ended) = sync_channel(1);
    let kind = match contents {
        Contents::Lines(_) => InputKind::Jsonl,
        Contents::Elements(_) => InputKind::Json,
    };
    let job = FileJob {
        name: Some(input.name().to_string()),
        input,
        threads,
        options: session.check_options().engine(InputKind::Json),
        contents,
        done,
    };
    if jobs.send(Job::File(Box::new(job))).is_err() {
        return Ok(ControlFlow::Break(()));
    }
    // Fails if the interpreter cannot print.
    let Ok((mut input, worked)) = ended.recv() else {
        return Ok(ControlFlow::Break(()));
    };
    match worked {
        Ok((found, end)) => {
            input.note_end(end);
            if flush(jobs) {
                session.report_records(&mut input, found)?;
            }
        }
        Err(failure) => report(session, &mut input, kind, failure, jobs)?,
    }
    Ok(ControlFlow::Continue(()))
}

/// Reports a failure after what was printed before it.
fn report(
    session: &mut Session,
    input: &mut Input,
    kind: InputKind,
    failure: Failure,
    jobs: &SyncSender<Job>,
) -> io::Result<()> {
    match flush(jobs) {
        true => session.report_failure(input, kind, failure),
        false => Ok(()),
    }
}

/// An input that was read.
enum Read {
    Text(Text),
    /// Only the places of elements are known, for so many threads.
    Elements(Elements, NonZeroUsize),
}

/// Reads an input as a whole, or finds the elements of its array at a path.
fn whole(
    session: &mut Session,
    mut input: Input,
    array: Option<&[String]>,
    jobs: &SyncSender<Job>,
) -> io::Result<ControlFlow<()>> {
    let mut kind = InputKind::Auto;
    let read = session.by_content(&mut input, &mut kind, |session, input, kind| {
        let options = session.check_options();
        if let (InputKind::Json, Some(path)) = (kind, array)
            && let Some((elements, threads)) = elements::find(input, options.engine(kind), path)?
        {
            return Ok(Read::Elements(elements, threads));
        }
        let text = if options.lines(kind).is_some() {
            let mut text = Vec::new();
            options.read_checked(input, kind, &mut text)?;
            Text::new(Bytes::Owned(text), options.engine(kind), 0).map_err(Failure::Invalid)?
        } else {
            elements::read(input, options.engine(kind))?
        };
        json5::finite(input)?;
        Ok(Read::Text(text))
    });
    session.warn_of_byte_order_mark(&input);
    let name = (!input.name().is_stdin()).then(|| input.name().to_string());
    match read {
        Ok(Read::Elements(elements, threads)) => {
            file(session, input, threads, Contents::Elements(elements), jobs)
        }
        Ok(Read::Text(text)) => {
            let line = 0;
            Ok(flow(jobs.send(Job::Text { text, name, line }).is_err()))
        }
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
        self.report(input, found).map_err(Failure::Write)?;
        Ok(ended)
    }

    /// Passes on a text that begins on this line.
    fn send(&mut self, text: Text, line: u64) {
        let name = self.name.clone();
        self.is_closed |= self.jobs.send(Job::Text { text, name, line }).is_err();
    }

    /// Passes on the valid records of whole lines.
    fn lines_of(&mut self, lines: &[u8], offset: u64, records: &mut Records) {
        let (options, first) = (self.options, self.line);
        let count = each_record(lines, offset, options, &mut |source, line| {
            self.send(source, first + line);
        });
        self.line += line_feeds(lines);
        match count {
            Some(count) => records.skip(lines, line_feeds(lines), count),
            None => records.push(lines),
        }
    }

    /// Passes on the values of a text, and returns how many; `None` if it is invalid.
    fn values(&mut self, text: &[u8], offset: u64) -> Option<u64> {
        let options = self.options.mode(Mode::Stream);
        let source = Text::new(Bytes::Owned(text.to_vec()), options, offset).ok()?;
        let count = source.count();
        self.send(source, self.line);
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
        if self.one_per_line {
            let mut rest = text;
            while !rest.is_empty() {
                let cut = memchr::memrchr(b'\n', &rest[..rest.len().min(MAX_BATCH)])
                    .or_else(|| memchr::memchr(b'\n', rest));
                let lines;
                (lines, rest) = rest.split_at(cut.map_or(rest.len(), |at| at + 1));
                let offset = batch.offset + (text.len() - rest.len() - lines.len()) as u64;
                self.lines_of(lines, offset, records);
            }
            return Ok(self.flow(text.len()));
        }
        if let Some(count) = self.values(text, batch.offset) {
            self.line += line_feeds(text);
            records.skip(text, line_feeds(text), count);
            return Ok(self.flow(text.len()));
        }
        let mut at = 0;
        let rest = divide(text, batch.is_last, self.options, |run| {
            let part = match run {
                Run::Values(values) => {
                    let count = self.values(values, batch.offset + at as u64).unwrap_or(0);
                    records.skip(values, line_feeds(values), count);
                    values
                }
                Run::Broken(line) => {
                    records.push(line);
                    line
                }
            };
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
        match flush(self.jobs) {
            true => self.session.report_records(input, found),
            false => Ok(()),
        }
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
