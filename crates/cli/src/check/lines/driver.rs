//! The driver of all commands that work on JSON Lines and on streams, and continue after an invalid record.
//!
//! ```text
//! file ──► segments of whole lines ─┐            ┌─ handler, on any thread ─────────────┐
//!                                   ├─► batch ──►│ valid as a stream ──► all of it      │──► collector, in order,
//! windows ──► whole lines ──────────┘            │ line by line, or runs of valid lines │    on this thread
//!    ▲                                           └──► the invalid ones ──► findings ────┘
//!    └── pause, or many findings ──► report
//! ```
//!
//! A stream is read on this thread. As long as its lines come faster than they are processed, other threads process them, in batches;
//! before this thread waits for more, everything so far is passed on.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::handler::Flow;
use super::values::{BatchEnd, Ends};
use super::{
    Batch, Batching, Collector, Early, Handler, LineFindings, Records, may_be_lines, stream_error,
};
use crate::check::{Failure, Interrupted};
use crate::input::{
    Buffers, Consumed, Input, InputKind, MAX_AROUND_ONE, Segment, Segments, Strategy,
};
use crate::threads::{available, each_pushed, exclusive_threads};

/// Lengths in bytes.
#[derive(Clone, Copy)]
struct Lengths {
    /// Of a segment of a file, which fits in the L2 cache while it is processed.
    segment: u64,
    /// Of the lines of a stream that make a batch for another thread.
    batch: usize,
    /// Of lines that arrived while this thread was busy, from which on others help: a pipe of 256 KiB was nearly full.
    fast: usize,
}

/// From this length on, an incomplete value is read again only with as much new text.
const LONG: usize = 1 << 20;

const LENGTHS: Lengths = Lengths {
    segment: 1 << 20,
    batch: 256 << 10,
    fast: 192 << 10,
};

/// If nothing arrives for this long, in milliseconds, the writer of a stream has paused.
const PAUSE: u64 = 2000;

/// The end of the work on an input.
pub struct Ended {
    /// Whether it ended early.
    pub flow: ControlFlow<Early>,
    /// The findings that were not reported.
    pub found: LineFindings,
    /// After [`Early::SpansLines`], the offset of the rest, with which the next window of a stream begins.
    #[cfg_attr(not(feature = "jq"), expect(dead_code))]
    pub at: u64,
}

/// Passes an input to `handler` batch by batch, and the results to `collector`.
///
/// # Errors
/// Reading, the handler or the collector fails.
pub fn each_batch<H: Handler>(
    input: &mut Input,
    batching: &Batching,
    handler: &H,
    collector: &mut impl Collector<Part = H::Part>,
) -> Result<Ended, Failure> {
    each_batch_of(LENGTHS, input, batching, handler, collector)
}

fn each_batch_of<H: Handler>(
    lengths: Lengths,
    input: &mut Input,
    batching: &Batching,
    handler: &H,
    collector: &mut impl Collector<Part = H::Part>,
) -> Result<Ended, Failure> {
    let start = input.skip_byte_order_mark().max(batching.from);
    let work = Work {
        lengths,
        batching,
        handler,
        start: AtomicU64::new(start),
        are_lints_full: AtomicBool::new(false),
    };
    let mut joined = Joined {
        batching,
        collector,
        found: LineFindings::default(),
        rest: Vec::new(),
        at: start,
        begins_line: true,
    };
    let has_lines = batching.one_per_line || batching.by_values && input.is_file();
    let kind = if has_lines {
        InputKind::Jsonl
    } else {
        InputKind::Stream
    };
    let ended = match input.strategy(kind, batching.task) {
        Strategy::Segments(_) if has_lines && batching.is_divisible => {
            match segments(input, &work, &mut joined) {
                Err(Interrupted::Early(Early::SpansLines)) => {
                    windows(input, &work, &mut joined, false)
                }
                ended => ended,
            }
        }
        strategy => {
            let may_divide = strategy != Strategy::Windows && batching.is_divisible;
            windows(input, &work, &mut joined, may_divide)
        }
    };
    let flow = match ended {
        Ok(()) => ControlFlow::Continue(()),
        Err(Interrupted::Early(early)) => ControlFlow::Break(early),
        Err(Interrupted::Failed(failure)) => return Err(failure),
    };
    let Joined { found, at, .. } = joined;
    Ok(Ended { flow, found, at })
}

/// The state shared by the threads.
struct Work<'a, H> {
    lengths: Lengths,
    batching: &'a Batching,
    handler: &'a H,
    /// Offset of the text in the input.
    start: AtomicU64,
    are_lints_full: AtomicBool,
}

/// Lines of an input.
struct Lines<'t> {
    text: Cow<'t, [u8]>,
    offset: u64,
    /// As in [`Batch::before`].
    before: u64,
    begins_line: bool,
    is_last: bool,
    is_live: bool,
}

/// The results for lines.
struct Processing<P> {
    part: P,
    records: Records,
}

struct Done<P> {
    part: P,
    found: LineFindings,
    flow: Flow,
}

impl<H: Handler> Work<'_, H> {
    fn begin(&self, offset: u64) -> Processing<H::Part> {
        let mut records = Records::new(self.batching.search.clone(), offset);
        if self.are_lints_full.load(Ordering::Relaxed) {
            records.only_count_lints();
        }
        Processing {
            part: self.handler.begin(),
            records,
        }
    }

    fn batch<'t>(&self, text: &'t [u8], offset: u64) -> Batch<'t> {
        Batch {
            text,
            offset,
            line: 0,
            before: 0,
            begins_line: true,
            start: self.start.load(Ordering::Relaxed),
            is_last: false,
            options: self.batching.search.options,
            one_per_line: self.batching.one_per_line,
            stops: self.batching.stops,
            by_values: self.batching.by_values,
        }
    }

    fn end(&self, processing: Processing<H::Part>, flow: Flow) -> Done<H::Part> {
        let Processing { mut part, records } = processing;
        let ended = self.handler.end(&mut part);
        Done {
            part,
            found: records.finish(),
            flow: flow.and_then(|flow| ended.map(|()| flow)),
        }
    }

    /// Ends the work of the thread that reads.
    fn finish<C: Collector<Part = H::Part>>(
        &self,
        own: &mut Option<Processing<H::Part>>,
        joined: &mut Joined<'_, C>,
    ) -> Result<(), Interrupted<Early>> {
        let Some(own) = own.take() else { return Ok(()) };
        let mut done = self.end(own, Ok(ControlFlow::Continue(0)));
        let ended = joined.take(&mut done.part, done.found, done.flow, (0, false));
        ended.map(drop)
    }

    /// Processes lines independently.
    fn process(&self, lines: &Lines<'_>) -> Done<H::Part> {
        let mut processing = self.begin(lines.offset);
        let Processing { part, records } = &mut processing;
        let batch = Batch {
            is_last: lines.is_last,
            before: lines.before,
            begins_line: lines.begins_line,
            ..self.batch(&lines.text, lines.offset)
        };
        let flow = self.handler.batch(batch, records, part);
        self.end(processing, flow)
    }
}

/// The results so far.
struct Joined<'a, C> {
    batching: &'a Batching,
    collector: &'a mut C,
    /// The findings that were not reported.
    found: LineFindings,
    /// The start of an incomplete value.
    rest: Vec<u8>,
    /// Offset in the input up to which everything is collected.
    at: u64,
    /// Whether a line begins there.
    begins_line: bool,
}

impl<C: Collector> Joined<'_, C> {
    /// Collects the next results, whose lines count from `line`. Returns the number of bytes processed.
    fn take(
        &mut self,
        part: &mut C::Part,
        found: LineFindings,
        flow: Flow,
        (line, is_live): (u64, bool),
    ) -> Result<usize, Interrupted<Early>> {
        let joined = self.collector.join(part, line, is_live)?;
        let flow = flow?;
        self.found.append(found, self.batching.search.limit);
        match (joined, flow) {
            (_, ControlFlow::Break(early)) => Err(Interrupted::Early(early)),
            (ControlFlow::Break(()), _) => Err(Interrupted::Early(Early::Enough)),
            (_, ControlFlow::Continue(processed)) => Ok(processed),
        }
    }

    /// The same for lines that were processed independently.
    fn take_done(
        &mut self,
        mut done: Done<C::Part>,
        is_live: bool,
    ) -> Result<usize, Interrupted<Early>> {
        let line = self.found.breaks;
        self.take(&mut done.part, done.found, done.flow, (line, is_live))
    }

    /// Prepends an incomplete value to the lines in which it continues. Returns whether there was one.
    fn complete(&mut self, lines: &mut Lines<'_>) -> bool {
        if self.rest.is_empty() {
            return false;
        }
        let mut text = std::mem::take(&mut self.rest);
        text.extend_from_slice(&lines.text);
        lines.text = text.into();
        lines.offset = self.at;
        lines.before = self.found.filled_lines();
        lines.begins_line = self.begins_line;
        true
    }

    /// Records the number of collected bytes.
    fn advance(&mut self, lines: &Lines<'_>, bytes: usize) {
        self.at = lines.offset + bytes as u64;
        if let Some(last) = bytes.checked_sub(1) {
            self.begins_line = lines.text[last] == b'\n';
        }
        self.rest.extend_from_slice(&lines.text[bytes..]);
    }

    /// Whether there are enough findings for a report fragment.
    fn is_full(&self) -> bool {
        let Batching {
            reports_early,
            search,
            ..
        } = self.batching;
        *reports_early && search.limit == 0 && self.found.is_full()
    }

    /// The maximum pause of the input, in milliseconds, before findings are reported.
    fn longest_pause(&self) -> u64 {
        if self.batching.reports_early && self.found.has_findings() {
            PAUSE
        } else {
            u64::MAX
        }
    }

    /// Reports the findings so far.
    fn report(&mut self, input: &mut Input) -> Result<(), Failure> {
        let found = self.found.take();
        self.collector.report(input, found).map_err(Failure::Write)
    }
}

/// Divides a file of JSON Lines among all threads.
fn segments<H: Handler, C: Collector<Part = H::Part>>(
    input: &mut Input,
    work: &Work<'_, H>,
    joined: &mut Joined<'_, C>,
) -> Result<(), Interrupted<Early>> {
    // For reports in the meantime.
    let mut again = input.again();
    let buffers = Buffers::default();
    let process = |segment: Segment<'_>| -> Result<_, Failure> {
        let Some(lines) = segment.lines()? else {
            return Ok(None);
        };
        let mut is_whole = true;
        let mut buffer = buffers.take();
        let mut processing = work.begin(lines.start());
        let Processing { part, records } = &mut processing;
        let mut take = |text: &[u8]| {
            work.handler
                .batch(work.batch(text, lines.start()), records, part)
        };
        let flow = if work.batching.whole_lines {
            let text = lines.read(&mut buffer)?;
            let flow = take(text);
            is_whole = match &flow {
                Ok(ControlFlow::Continue(length)) => *length == text.len(),
                Ok(ControlFlow::Break(early)) => *early != Early::Broken,
                Err(failure) => !matches!(failure, Failure::Invalid(_)),
            };
            flow
        } else {
            lines
                .each_window(&mut buffer, |text, _| take(text).map(drop))
                .map(|()| ControlFlow::Continue(0))
        };
        buffers.put(buffer);
        let done = work.end(processing, flow);
        Ok(Some((done, lines.end(), is_whole)))
    };
    let file = Segments::new(input)?;
    let segments = file.every(file.start(), work.lengths.segment);
    let end = exclusive_threads(|threads| {
        file.each(threads, segments, process, |done| {
            let Some((done, end, is_whole)) = done? else {
                return Ok(());
            };
            if work.batching.by_values && !is_whole {
                return Err(Interrupted::Early(Early::SpansLines));
            }
            joined.take_done(done, false)?;
            joined.at = end;
            let are_full = joined.found.are_lints_full(work.batching.search.limit);
            work.are_lints_full.store(are_full, Ordering::Relaxed);
            match &mut again {
                Some(input) if joined.is_full() => Ok(joined.report(input)?),
                _ => Ok::<_, Interrupted<Early>>(()),
            }
        })
    })?;
    input.note_end(end);
    Ok(())
}

/// Reads an input window by window. Its lines are processed on this thread or, with `may_divide`, on others while they arrive
/// faster.
fn windows<H: Handler, C: Collector<Part = H::Part>>(
    input: &mut Input,
    work: &Work<'_, H>,
    joined: &mut Joined<'_, C>,
    may_divide: bool,
) -> Result<(), Interrupted<Early>> {
    let Work {
        batching, lengths, ..
    } = work;
    let mut chunks = input.chunks_from(false, joined.at);
    let timeout = input.idle_timeout();
    let wait = |milliseconds| {
        if let Some(timeout) = &timeout {
            timeout.store(milliseconds, Ordering::Relaxed);
        }
    };
    let mut ends = Ends::new(batching);
    // The work of this thread.
    let mut own: Option<Processing<H::Part>> = None;
    let (mut is_begun, mut is_pending, mut is_full) = (false, false, false);
    let joined = RefCell::new(joined);
    let buffers = Buffers::default();
    let process = |lines: Lines<'static>| (work.process(&lines), lines);
    let collect = |(mut done, mut lines): (Done<H::Part>, Lines<'static>)| {
        let mut joined = joined.borrow_mut();
        if joined.complete(&mut lines) {
            done = work.process(&lines);
        }
        let bytes = joined.take_done(done, lines.is_live)?;
        joined.advance(&lines, bytes);
        buffers.put(lines.text.into_owned());
        Ok(())
    };
    let threads = || available().min(MAX_AROUND_ONE);
    // If values span lines, the uncollected part of a stream is read again.
    let may_give_up = !batching.one_per_line && !batching.stops;
    let rereads = may_give_up && !input.is_file();
    let read = each_pushed(threads, process, collect, |push| {
        loop {
            let read = chunks.each(input, |window| {
                let consumed = |bytes| Consumed {
                    bytes,
                    keep_from: if rereads {
                        joined.borrow().at
                    } else {
                        window.offset() + bytes as u64
                    },
                };
                if !is_begun {
                    work.start.store(window.offset(), Ordering::Relaxed);
                    joined.borrow_mut().at = window.offset();
                    let options = batching.search.options;
                    if may_give_up {
                        let skips = batching.skips;
                        match may_be_lines(window.bytes(), window.is_last(), options, skips) {
                            Some(true) => {}
                            Some(false) => return Err(Interrupted::Early(Early::SpansLines)),
                            // Nobody waits for more than a whole value that spans lines.
                            None if window.is_live()
                                && window.bytes().trim_ascii().contains(&b'\n')
                                && stream_error(window.bytes(), options).is_none() =>
                            {
                                return Err(Interrupted::Early(Early::SpansLines));
                            }
                            None => return Ok(consumed(0)),
                        }
                    }
                    is_begun = true;
                }
                is_full = joined.borrow().is_full();
                if is_full {
                    return Err(Interrupted::Early(Early::Enough));
                }
                let is_last = window.is_last();
                let has_rest = || batching.by_values && !joined.borrow().rest.is_empty();
                if is_pending && (window.is_torn() || has_rest()) {
                    push(None)?;
                    is_pending = false;
                }
                let end = ends.of(window, &joined.borrow().rest, is_pending);
                let BatchEnd { length, .. } = end;
                // More arrives before the other threads have finished.
                let is_busy = is_pending && length < lengths.batch && !end.is_broken;
                let rest = joined.borrow().rest.len();
                let is_again = length < rest && rest >= LONG && !end.is_whole;
                if !is_last && (is_busy || is_again) {
                    return Ok(consumed(0));
                }
                if end.is_broken && std::mem::take(&mut is_pending) {
                    push(None)?;
                }
                let before = window.buffered(window.offset().saturating_sub(1), window.offset());
                let mut lines = Lines {
                    begins_line: before.is_none_or(|before| before.ends_with(b"\n")),
                    text: Cow::Borrowed(&window.bytes()[..length]),
                    offset: window.offset(),
                    before: joined.borrow().found.filled_lines(),
                    is_last,
                    is_live: window.is_live(),
                };
                // The end of the input decides about an incomplete value.
                let is_due = length > 0 || end.is_whole || is_last && !batching.one_per_line;
                let is_fast = length >= lengths.fast && !is_last && !end.is_broken;
                let divides = is_pending || may_divide && is_fast && threads().get() > 1;
                if is_due && divides {
                    work.finish(&mut own, &mut joined.borrow_mut())?;
                    is_pending = true;
                    let mut text = buffers.take();
                    text.clear();
                    text.extend_from_slice(&lines.text);
                    let text = text.into();
                    push(Some(Lines { text, ..lines }))?;
                } else if is_due {
                    let joined = &mut *joined.borrow_mut();
                    joined.complete(&mut lines);
                    let Processing { part, records } =
                        own.get_or_insert_with(|| work.begin(lines.offset));
                    let batch = Batch {
                        line: joined.found.breaks,
                        before: joined.found.filled_lines(),
                        begins_line: lines.begins_line,
                        is_last,
                        ..work.batch(&lines.text, lines.offset)
                    };
                    let flow = work.handler.batch(batch, records, part);
                    let bytes = joined.take(part, records.drain(), flow, (0, lines.is_live))?;
                    joined.advance(&lines, bytes);
                }
                wait(if is_pending {
                    0
                } else {
                    joined.borrow().longest_pause()
                });
                Ok(consumed(length))
            });
            match read {
                Err(Interrupted::Early(_)) if std::mem::take(&mut is_full) => {
                    joined.borrow_mut().report(input)?;
                }
                Err(Interrupted::Failed(Failure::Read(error)))
                    if error.kind() == ErrorKind::TimedOut && is_begun =>
                {
                    if std::mem::take(&mut is_pending) {
                        push(None)?
                    } else {
                        joined.borrow_mut().report(input)?
                    }
                }
                Err(Interrupted::Failed(Failure::Read(error)))
                    if std::mem::take(&mut is_pending) =>
                {
                    push(None)?;
                    break Err(Failure::Read(error).into());
                }
                ended => break ended,
            }
            wait(joined.borrow().longest_pause());
        }
    });
    wait(u64::MAX);
    if !matches!(read, Err(Interrupted::Failed(_))) {
        work.finish(&mut own, &mut joined.borrow_mut())?;
    }
    if rereads && matches!(read, Err(Interrupted::Early(Early::SpansLines))) {
        chunks.rewind(input, joined.borrow().at);
    }
    read
}

#[cfg(all(test, unix))]
mod tests;
