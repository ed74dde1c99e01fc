//! Files of JSON Lines on several threads, for programs that see one record at a time.
//!
//! ```text
//! file ──► batches of lines ──► worker: verify, run the program ──► results and messages, in order
//!                                       │
//!                    the paths that a program reads are known ──► projection.rs: a text of only these values
//! ```
//!
//! A batch whose results are too many to hold, or whose program recurses too deep for the stack of a worker, is run again where
//! results are printed at once and the stack is large.

use std::cell::{Cell, RefCell};
use std::io::{self, Write};
use std::rc::Rc;

use jsonx_core::engine::{Mode, Options};
use jsonx_jq::{Host, Program, RunError, Source as Text, Text as Bytes, Value};

use super::USABLE_STACK;
use super::feed::Feed;
use super::jobs::LinesJob;
use super::printing::Printing;
use super::projection::Projection;
use super::runner::{Console, ErrorMessage, Progress, run};
use super::settings::Source;
use crate::check::lines::file::each_batch;
use crate::check::lines::{Batch, LineFindings, Records, filled_lines, line_feeds};
use crate::check::{Failure, Interrupted};
use crate::messages;

/// What a program may use of the stack of a worker, which has 2 MiB.
const WORKER_STACK: usize = 1 << 20;

/// The most bytes of results that a worker holds for a batch.
const MAX_HELD: usize = 16 << 20;

/// The results for a batch.
struct Part {
    out: Vec<u8>,
    /// Messages, and how many bytes of results come before each.
    messages: Vec<(usize, Message)>,
    progress: Progress,
    line_feeds: u64,
    /// The batch and its offset, if the interpreter has to run it.
    again: Option<(Vec<u8>, u64)>,
}

enum Message {
    Text(String),
    Error(ErrorMessage),
}

/// Runs a program for each record of a file.
///
/// # Errors
/// Standard output cannot be written.
pub fn run_lines(
    job: LinesJob,
    program: &Program,
    feed: &Feed<'_>,
    printing: &Printing,
    progress: &mut Progress,
) -> io::Result<()> {
    let LinesJob {
        input,
        name,
        threads,
        search,
        options,
        done,
    } = job;
    let mut line = 0;
    let name = name.as_deref();
    let source = feed.source();
    let work = |batch: Batch<'_>, records: &mut Records| {
        let part = run_batch(batch, options, (source, printing, name), records);
        Ok::<_, Failure>(part)
    };
    let worked = each_batch(&input, threads, &search, work, |part| {
        let first = line;
        line += part.line_feeds;
        if let Some((text, offset)) = part.again {
            let mut ended = Ok(());
            each_record(&text, offset, options, &mut |source, record| {
                feed.begin(source, name.map(str::to_owned), first + record);
                while let Some(value) = feed.next_of_text() {
                    if ended.is_ok() && progress.halted.is_none() {
                        ended = run(program, value, USABLE_STACK, feed, progress);
                    }
                }
            });
            ended?;
        } else {
            print(part, first, name, feed, progress)?;
        }
        match progress.halted {
            Some(_) => Err(Interrupted::Early(())),
            None => Ok(()),
        }
    });
    let worked = match worked {
        Err(Interrupted::Early(())) => Ok((LineFindings::default(), u64::MAX)),
        Err(Interrupted::Failed(Failure::Write(error))) => return Err(error),
        Err(Interrupted::Failed(failure)) => Err(failure),
        Ok(found) => Ok(found),
    };
    // The thread that reads waits for it, unless it failed.
    let _ = done.send((input, worked));
    Ok(())
}

/// Prints the results for a batch that begins on line `first`, counted from 0.
fn print(
    part: Part,
    first: u64,
    name: Option<&str>,
    feed: &Feed<'_>,
    progress: &mut Progress,
) -> io::Result<()> {
    let mut printed = 0;
    for (at, message) in part.messages {
        feed.out.borrow_mut().write_all(&part.out[printed..at])?;
        feed.out.borrow_mut().flush()?;
        printed = at;
        match message {
            Message::Text(text) => messages::always(&text),
            Message::Error(mut error) => {
                if let Some(place) = &mut error.place {
                    place.line += first;
                }
                messages::always(&error.text(name));
            }
        }
    }
    feed.out.borrow_mut().write_all(&part.out[printed..])?;
    progress.add(&part.progress);
    Ok(())
}

/// Passes on the records of whole lines, with the number of lines before: all at once if they are valid, otherwise each valid one.
/// Returns how many there are, if all are valid.
pub fn each_record(
    text: &[u8],
    offset: u64,
    options: Options,
    take: &mut dyn FnMut(Text, u64),
) -> Option<u64> {
    let source = |text: &[u8], offset| {
        let text = Bytes::Owned(text.to_vec());
        let source = Text::new(text, options.mode(Mode::Stream), offset).ok();
        source.filter(Text::has_one_value_per_line)
    };
    if let Some(source) = source(text, offset) {
        let count = source.count();
        take(source, 0);
        return Some(count);
    }
    let (mut line, mut counted) = (0, 0);
    for (at, record) in filled_lines(text) {
        line += line_feeds(&text[counted..at]);
        counted = at;
        if let Some(source) = source(record, offset + at as u64) {
            take(source, line);
        }
    }
    None
}

/// A program as a worker has it.
struct Compiled {
    program: Program,
    projection: Option<Projection>,
}

thread_local! {
    /// Programs cannot be sent to another thread, so each compiles its own.
    static COMPILED: RefCell<Option<Rc<Compiled>>> = const { RefCell::new(None) };
}

/// The program, which is compiled once in each thread.
fn compiled(source: &Source) -> Rc<Compiled> {
    COMPILED.with_borrow_mut(|compiled| {
        let compiled = compiled.get_or_insert_with(|| {
            let program = source.compile().expect("it has been compiled before");
            Rc::new(Compiled {
                projection: Projection::of(&program),
                program,
            })
        });
        Rc::clone(compiled)
    })
}

/// Why a worker gives up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GivenUp {
    /// A program that sees only what it reads of a record failed: the message needs the record.
    Projected,
    /// The interpreter has to run the batch.
    Batch,
}

/// The console of a worker, which holds everything until it is the batch's turn.
struct Held<'a> {
    source: &'a Source,
    printing: &'a Printing,
    name: Option<&'a str>,
    out: RefCell<Vec<u8>>,
    messages: RefCell<Vec<(usize, Message)>>,
    /// The line of the batch on which the current text begins, counted from 0.
    line: Cell<u64>,
    is_projected: Cell<bool>,
    given_up: Cell<Option<GivenUp>>,
}

impl Held<'_> {
    fn push(&self, message: Message) {
        let at = self.out.borrow().len();
        self.messages.borrow_mut().push((at, message));
    }

    fn give_up(&self, reason: GivenUp) -> io::Result<()> {
        self.given_up.set(Some(reason));
        Err(io::ErrorKind::Interrupted.into())
    }
}

impl Host for Held<'_> {
    fn input_filename(&self) -> Option<String> {
        self.name.map(str::to_owned)
    }

    fn message(&self, text: &str) {
        self.push(Message::Text(text.to_owned()));
    }
}

impl Console for Held<'_> {
    fn result(&self, value: &Value) -> io::Result<()> {
        let mut out = self.out.borrow_mut();
        self.printing.push(value, &mut out);
        if out.len() > MAX_HELD {
            return self.give_up(GivenUp::Batch);
        }
        Ok(())
    }

    fn error(&self, error: &RunError) -> io::Result<()> {
        if error.is_too_deep {
            return self.give_up(GivenUp::Batch);
        }
        if self.is_projected.get() {
            return self.give_up(GivenUp::Projected);
        }
        let message = ErrorMessage::of(error, &self.source.program, self.line.get());
        self.push(Message::Error(message));
        Ok(())
    }
}

/// Runs the program for the records of a batch.
fn run_batch(
    batch: Batch<'_>,
    options: Options,
    (source, printing, name): (&Source, &Printing, Option<&str>),
    records: &mut Records,
) -> Part {
    let Batch { text, offset, .. } = batch;
    let compiled = compiled(source);
    let console = Held {
        source,
        printing,
        name,
        out: RefCell::default(),
        messages: RefCell::default(),
        line: Cell::new(0),
        is_projected: Cell::new(false),
        given_up: Cell::new(None),
    };
    let mut progress = Progress::default();
    let run_text = |source: Text, line: u64, progress: &mut Progress| {
        console.line.set(line);
        for value in Rc::new(source).values() {
            let is_over = progress.halted.is_some() || console.given_up.get().is_some();
            if is_over || run(&compiled.program, value, WORKER_STACK, &console, progress).is_err() {
                break;
            }
        }
    };
    let projection = compiled.projection.as_ref();
    let projected = projection.and_then(|projection| projection.apply(text, options));
    let line_feeds = match projected {
        Some(projected) => {
            records.skip(text, projected.line_feeds, projected.count());
            let mut counted = (0, 0);
            let values = Rc::new(projected.text).values();
            for (value, at) in values.zip(projected.records) {
                let mut needs_record = at.needs_all;
                if !needs_record {
                    let before = progress;
                    let held = (console.out.borrow().len(), console.messages.borrow().len());
                    console.is_projected.set(true);
                    let ran = run(
                        &compiled.program,
                        value,
                        WORKER_STACK,
                        &console,
                        &mut progress,
                    );
                    console.is_projected.set(false);
                    if ran.is_err() && console.given_up.get() == Some(GivenUp::Projected) {
                        console.given_up.set(None);
                        console.out.borrow_mut().truncate(held.0);
                        console.messages.borrow_mut().truncate(held.1);
                        progress = before;
                        needs_record = true;
                    }
                }
                if needs_record {
                    let from = memchr::memrchr(b'\n', &text[..at.within]).map_or(0, |at| at + 1);
                    let length = memchr::memchr(b'\n', &text[from..]);
                    let record = &text[from..length.map_or(text.len(), |length| from + length)];
                    counted.1 += line_feeds(&text[counted.0..from]);
                    counted.0 = from;
                    each_record(record, offset + from as u64, options, &mut |source, _| {
                        run_text(source, counted.1, &mut progress);
                    });
                }
                if progress.halted.is_some() || console.given_up.get().is_some() {
                    break;
                }
            }
            projected.line_feeds
        }
        None => {
            let count = each_record(text, offset, options, &mut |source, line| {
                run_text(source, line, &mut progress);
            });
            let line_feeds = line_feeds(text);
            match count {
                Some(count) => records.skip(text, line_feeds, count),
                None => records.push(text),
            }
            line_feeds
        }
    };
    let is_given_up = console.given_up.get().is_some();
    Part {
        out: console.out.into_inner(),
        messages: console.messages.into_inner(),
        progress,
        line_feeds,
        again: is_given_up.then(|| (text.to_vec(), offset)),
    }
}
