//! Reads inputs and passes them to the interpreter: JSON Lines and streams in batches of lines, anything else as a whole.

use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;

use jsonx_core::ErrorKind;
use jsonx_core::engine::Options;
use jsonx_core::jsonc::Dialect;
use jsonx_jq::IndexedText;

use super::elements::{self, Elements};
use super::events::{self, Sent};
use super::flush;
use super::jobs::Job;
use super::printing::Printing;
use super::records::{Running, Sending, warn_of_replaced};
use super::run_elements::run_elements;
use super::sequence::Intact;
use super::settings::{ProgramSource, STDIN};
use super::worker::Shared;
use crate::args::Jq;
use crate::check::lines::{Batching, Collector, Early, each_batch, whole_values};
use crate::check::{Failure, InputKind, Interrupted, json5};
use crate::diagnostics::SKIPS;
use crate::exit::Exit;
use crate::input::{Consumed, Input, Task, Window};
use crate::messages;
use crate::report::escape;
use crate::session::Session;

/// Reads all inputs, until the interpreter needs no more.
///
/// # Errors
/// A report cannot be written.
pub fn read(
    args: &Jq,
    source: &ProgramSource,
    printing: &Printing,
    session: &mut Session,
    jobs: SyncSender<Job>,
) -> io::Result<()> {
    let mut inputs = Inputs {
        args,
        source,
        printing,
        // On a terminal, results are printed as they arrive.
        is_for_each: source.is_for_each && !session.out.is_terminal(),
        session,
        jobs,
        is_log: false,
    };
    // With -n, inputs are only opened if the program requests one.
    if args.null_input && !flush(&inputs.jobs) {
        return Ok(());
    }
    let selection = &args.inputs.selection;
    if selection.is_empty() {
        return inputs.read(Path::new("-")).map(drop);
    }
    let files = match selection.files() {
        Ok(files) => inputs.session.select(files, false),
        Err(error) => {
            messages::line(&format!("jsonx jq: {error:#}"));
            inputs.session.note(Exit::Usage);
            return Ok(());
        }
    };
    for found in files {
        match found {
            Ok(path) => {
                if inputs.read(&path)?.is_break() {
                    break;
                }
            }
            Err(problem) => inputs.session.report_problem(&problem)?,
        }
    }
    Ok(())
}

/// All inputs.
struct Inputs<'a> {
    args: &'a Jq,
    source: &'a ProgramSource,
    printing: &'a Printing,
    is_for_each: bool,
    session: &'a mut Session,
    jobs: SyncSender<Job>,
    /// The input that was read last begins with records on lines.
    is_log: bool,
}

/// The way in which an input is read.
enum Read {
    /// As a text.
    Text(IndexedText),
    /// The offsets of elements, for this number of threads.
    Elements(Elements, NonZeroUsize),
    /// Record by record.
    Records,
}

impl<'a> Inputs<'a> {
    /// Reads an input. A break means that the interpreter needs no more.
    fn read(&mut self, path: &Path) -> io::Result<ControlFlow<()>> {
        let opened = match self.args.raw_input {
            true => self.session.open_raw(path)?,
            false => self.session.open(path)?,
        };
        self.note_problems();
        let Some(mut input) = opened else {
            return Ok(ControlFlow::Continue(()));
        };
        if !input.is_file() {
            self.source.may_wait.store(true, Ordering::Relaxed);
        }
        if self.args.seq {
            let name = escape(name_of(&input).as_deref().unwrap_or(STDIN));
            let report = move |lines| {
                messages::line(&format!(
                    "jsonx jq: warning: {name}:{}: not a whole value; ignored up to the next record",
                    lines + 1
                ));
            };
            let options = self.session.check_options().engine(InputKind::Json);
            input.set_sequence_filter(Box::new(move |source| {
                Box::new(Intact::new(source, options, report))
            }));
        }
        self.is_log = false;
        let mut kind = InputKind::Auto;
        let read = self.read_input(&mut input, &mut kind);
        self.session.warn_of_byte_order_mark(&input);
        let failure = match read {
            Err(Failure::Write(error)) => return Err(error),
            Ok(flow) => return Ok(flow),
            Err(failure) => failure,
        };
        // After what was printed before it.
        if !flush(&self.jobs) {
            return Ok(ControlFlow::Break(()));
        }
        // Compressed text and MessagePack may be damaged, too: what was read is not all.
        let is_text = matches!(failure, Failure::Invalid(_));
        let is_invalid = match &failure {
            Failure::Read(error) => error.kind() == io::ErrorKind::InvalidData,
            Failure::Declined { exit, .. } => *exit == Exit::NotJson,
            _ => is_text,
        };
        self.session.report_failure(&mut input, kind, failure)?;
        self.note_problems();
        if !is_invalid {
            return Ok(ControlFlow::Continue(()));
        }
        if self.is_log && is_text {
            messages::line(&format!("jsonx jq: {SKIPS}"));
        }
        // As in jq, nothing is read after invalid text.
        let _ = self.send(Job::Invalid);
        Ok(ControlFlow::Break(()))
    }

    /// Shares the exit code of the problems so far with the interpreter.
    fn note_problems(&self) {
        let exit = self.session.exit() as u8;
        self.source.exit.store(exit, Ordering::Relaxed);
    }

    fn read_input(
        &mut self,
        input: &mut Input,
        kind: &mut InputKind,
    ) -> Result<ControlFlow<()>, Failure> {
        let name = name_of(input);
        if self.args.raw_input {
            return self.raw_lines(input, name);
        }
        let options = self.session.check_options();
        *kind = options.kind_of(input);
        *kind = options.by_first_lines(input, *kind);
        let is_streamed = self.args.is_streamed() && kind.dialect() == Dialect::Json;
        if is_streamed && !self.args.skip_invalid {
            *kind = InputKind::Stream;
            let reading = events::Reading {
                options: options.engine(*kind),
                is_error_value: self.args.stream_errors,
                by_lines: self.source.reads_line_numbers,
            };
            if !reading.by_lines {
                input.set_binary();
            }
            return events::read(input, reading, |sent| match sent {
                Sent::Events(text, line) => {
                    let name = name.clone();
                    self.send(Job::Text { text, name, line })
                }
                Sent::Replaced => {
                    warn_of_replaced(name.as_deref());
                    ControlFlow::Continue(())
                }
            });
        }
        if self.args.skip_invalid {
            return self.skipping(input, kind, name);
        }
        let is_pipe = options.is_open(input) && !input.is_file();
        if is_pipe || matches!(kind, InputKind::Jsonl | InputKind::Stream) {
            self.is_log = *kind == InputKind::Jsonl;
            *kind = InputKind::Stream;
            return self.stream(input, name);
        }
        if options.is_open(input) && begins_with_several(input, options.engine(*kind)) {
            *kind = InputKind::Stream;
            return self.stream(input, name);
        }
        let failure = match read_whole(self.session, input, *kind, self.array()) {
            Ok(read) => return self.take(input, *kind, read, name),
            Err(failure) => failure,
        };
        let Failure::Invalid(error) = failure else {
            return Err(failure);
        };
        if !options.is_open(input) {
            return Err(failure);
        }
        // The values before the error are inputs, and bytes that are not UTF-8 may be replaced.
        if error.kind == ErrorKind::TrailingContent {
            *kind = InputKind::Stream;
        }
        self.stream(input, name)
    }

    /// Reads an input and the records after broken ones, which are findings.
    fn skipping(
        &mut self,
        input: &mut Input,
        kind: &mut InputKind,
        name: Option<String>,
    ) -> Result<ControlFlow<()>, Failure> {
        let options = self.session.check_options();
        if *kind != InputKind::Jsonl && options.is_open(input) {
            *kind = InputKind::Stream;
        }
        if matches!(kind, InputKind::Jsonl | InputKind::Stream) {
            return self.records(input, *kind, name);
        }
        let array = self.array();
        let read = self
            .session
            .by_content(input, kind, |session, input, kind| match kind {
                InputKind::Jsonl => Ok(Read::Records),
                _ => read_whole(session, input, kind, array),
            });
        let read = read?;
        self.take(input, *kind, read, name)
    }

    /// The path of the array whose elements can be read one by one.
    fn array(&self) -> Option<&'a [String]> {
        let array = self.source.array.as_deref();
        array.filter(|_| self.is_for_each)
    }

    /// Passes on an input that was read.
    fn take(
        &mut self,
        input: &mut Input,
        kind: InputKind,
        read: Read,
        name: Option<String>,
    ) -> Result<ControlFlow<()>, Failure> {
        match read {
            Read::Elements(elements, threads) => {
                let shared = self.shared(name.as_deref());
                let engine = self.session.check_options().engine(InputKind::Json);
                run_elements(input, engine, &elements, threads, shared, &self.jobs)
            }
            Read::Text(text) => {
                let values = text.count();
                let line = 0;
                let flow = self.send(Job::Text { text, name, line });
                if values > 1 && flush(&self.jobs) {
                    let warned = self.session.warn_of_several(input, Some(values));
                    warned.map_err(Failure::Write)?;
                }
                Ok(flow)
            }
            Read::Records => self.records(input, kind, name),
        }
    }

    fn shared<'s>(&'s self, name: Option<&'s str>) -> Shared<'s> {
        Shared {
            source: self.source,
            printing: self.printing,
            name,
        }
    }

    fn send(&self, job: Job) -> ControlFlow<()> {
        match self.jobs.send(job) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }

    /// Reads the lines of a text as strings.
    fn raw_lines(
        &mut self,
        input: &mut Input,
        name: Option<String>,
    ) -> Result<ControlFlow<()>, Failure> {
        let read = input.each_chunk(false, |window: &Window<'_>| {
            let bytes = window.bytes();
            let length = match memchr::memrchr(b'\n', bytes) {
                _ if window.is_last() => bytes.len(),
                end => end.map_or(0, |end| end + 1),
            };
            let text = String::from_utf8_lossy(&bytes[..length]).into_owned();
            let name = name.clone();
            if length > 0 && self.send(Job::Raw { text, name }).is_break() {
                return Err(Interrupted::Early(()));
            }
            Ok(Consumed::from(length))
        });
        match read {
            Ok(()) => Ok(ControlFlow::Continue(())),
            Err(Interrupted::Early(())) => Ok(ControlFlow::Break(())),
            Err(Interrupted::Failed(failure)) => Err(failure),
        }
    }

    /// Reads a stream up to the first error; its values may be on lines, or not.
    fn stream(
        &mut self,
        input: &mut Input,
        name: Option<String>,
    ) -> Result<ControlFlow<()>, Failure> {
        self.rest(input, name, 0, 0)
    }

    /// The same from an offset on, before which there are so many lines.
    fn rest(
        &mut self,
        input: &mut Input,
        name: Option<String>,
        from: u64,
        line: u64,
    ) -> Result<ControlFlow<()>, Failure> {
        if !self.source.reads_line_numbers {
            input.set_binary();
        }
        let ended = self.batches(input, InputKind::Stream, name, (from, line), true)?;
        if ended.flow == ControlFlow::Break(Early::Broken) {
            let _ = self.send(Job::Invalid);
        }
        Ok(match ended.flow {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(_) => ControlFlow::Break(()),
        })
    }

    /// Reads JSON Lines, or a stream as long as few values span lines, and then its rest. Broken records are findings.
    fn records(
        &mut self,
        input: &mut Input,
        kind: InputKind,
        name: Option<String>,
    ) -> Result<ControlFlow<()>, Failure> {
        let ended = self.batches(input, kind, name.clone(), (0, 0), false)?;
        match ended.flow {
            ControlFlow::Continue(()) => Ok(ControlFlow::Continue(())),
            ControlFlow::Break(Early::SpansLines) => self.rest(input, name, ended.at, ended.lines),
            ControlFlow::Break(_) => Ok(ControlFlow::Break(())),
        }
    }

    /// Reads the records of an input from an offset and a line on. With `stops`, the first broken one ends the work; otherwise a
    /// value that spans many lines does.
    fn batches(
        &mut self,
        input: &mut Input,
        kind: InputKind,
        name: Option<String>,
        (from, line): (u64, u64),
        stops: bool,
    ) -> Result<Batched, Failure> {
        let options = self.session.check_options();
        let search = self.session.diagnoser();
        let mut search = search.search(options.engine(InputKind::Json)).for_reading();
        search.takes_several = self.is_log || kind == InputKind::Jsonl || options.is_open(input);
        let running = Running {
            is_for_each: self.is_for_each,
            shared: Shared {
                source: self.source,
                printing: self.printing,
                name: name.as_deref(),
            },
            search: search.clone(),
            is_log: AtomicBool::new(self.is_log),
        };
        let batching = Batching {
            task: Task::LookUp,
            search,
            one_per_line: kind == InputKind::Jsonl,
            // As in jq, the number of lines includes the line on which a value ends.
            by_values: stops && !self.source.reads_line_numbers,
            stops,
            skips: !stops,
            from,
            whole_lines: true,
            is_divisible: true,
            reports_early: !stops,
        };
        let mut sending = Sending {
            session: self.session,
            jobs: &self.jobs,
            name: name.clone(),
            line,
            is_warned: false,
        };
        let ended = each_batch(input, &batching, &running, &mut sending);
        self.is_log = running.is_log.into_inner();
        let ended = ended?;
        let batched = Batched {
            flow: ended.flow,
            at: ended.at,
            lines: line + ended.found.breaks,
        };
        sending.report(input, ended.found).map_err(Failure::Write)?;
        self.note_problems();
        Ok(batched)
    }
}

/// The end of the work on records.
struct Batched {
    flow: ControlFlow<Early>,
    /// Offset of the rest, and the number of lines before it.
    at: u64,
    lines: u64,
}

/// The name of a file; `None` for standard input.
fn name_of(input: &Input) -> Option<String> {
    (!input.name().is_stdin()).then(|| input.name().to_string())
}

/// Whether a file begins with several values, so that they can be read one after another.
fn begins_with_several(input: &mut Input, options: Options) -> bool {
    /// The length of the text that is examined.
    const FIRST: u64 = 64 << 10;

    let start = input.text_start();
    let first = input.span(start, input.length().min(start + FIRST));
    first.is_ok_and(|text| {
        let length = whole_values(&text, options).or_else(|error| {
            // Values may stand before an error.
            whole_values(&text[..error.offset as usize], options)
        });
        length.is_ok_and(|length| length > 0 && length < text.len())
    })
}

/// Reads an input as one text, or finds the elements of its array.
fn read_whole(
    session: &Session,
    input: &mut Input,
    kind: InputKind,
    array: Option<&[String]>,
) -> Result<Read, Failure> {
    let engine = session.check_options().engine(kind);
    if let (InputKind::Json, Some(path)) = (kind, array)
        && let Some((elements, threads)) = elements::find(input, engine, path)?
    {
        return Ok(Read::Elements(elements, threads));
    }
    let text = elements::read(input, engine, 0)?;
    json5::finite(input)?;
    Ok(Read::Text(text))
}
