//! JSON Lines in batches: the one loop of all commands that continue after an invalid record.
//!
//! ```text
//! windows ──► batch: whole lines ──► consumer ──► valid as a stream ──► all of it
//!    ▲                                        └─ otherwise ──► each line by itself ──► the valid lines
//!    └── pause, or many findings ──► report ◄── records ◄── the invalid lines
//! ```

use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use super::{Found, Records, Search, begins_with_lines};
use crate::check::{Failure, Stopped};
use crate::input::{Input, Taken, Window};

/// A part of an input that is processed at once.
#[derive(Clone, Copy)]
pub struct Batch<'t> {
    /// Its bytes.
    pub text: &'t [u8],
    /// Offset in the input.
    pub offset: u64,
    /// Nothing follows.
    pub is_last: bool,
    /// Tells the positions of bytes.
    pub window: Option<&'t Window<'t>>,
}

/// Why a command ends before its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Early {
    /// Values span lines; nothing was done with the batch.
    SpansLines,
    /// The rest of the input cannot change the output.
    Enough,
}

/// How an input is cut into batches.
#[derive(Clone)]
pub struct Batching {
    /// The lints for invalid records.
    pub search: Search,
    /// Batches are whole lines. Otherwise they end anywhere, and the consumer passes all of them to [`Records`].
    pub whole_lines: bool,
    /// Values may turn out to span lines, by the first lines or later.
    pub may_span_lines: bool,
    /// [`Window::position`] is wanted of files too.
    pub positions: bool,
    /// Findings are reported before the end of the input: when its writer pauses, and when there are many.
    pub reports_early: bool,
}

/// A command's work on batches.
pub trait Consumer {
    /// Processes a batch, and passes it to `records`.
    ///
    /// # Errors
    /// Processing fails, which ends the input.
    fn batch(
        &mut self,
        batch: Batch<'_>,
        records: &mut Records,
    ) -> Result<ControlFlow<Early>, Failure>;

    /// Reports findings while there may be more.
    ///
    /// # Errors
    /// Those of the output.
    fn report(&mut self, input: &mut Input, found: Found) -> io::Result<()>;
}

/// Passes an input to `consumer`, batch by batch. Returns whether it ended early, and the findings that were not reported;
/// after [`Early::SpansLines`], the next window begins with the batch.
///
/// # Errors
/// Reading or the consumer fails.
pub fn each_batch(
    input: &mut Input,
    batching: Batching,
    consumer: &mut impl Consumer,
) -> Result<(ControlFlow<Early>, Found), Failure> {
    /// Why reading stopped.
    enum Reason {
        Early(Early),
        /// There are enough findings for a part of a report.
        Full,
    }
    let mut whole = WholeLines::default();
    let mut records: Option<Records> = None;
    let idle_timeout = input.idle_timeout();
    let ended = loop {
        let read = input.each_chunk(batching.positions, |window| {
            let records = match &mut records {
                Some(records) => records,
                None => {
                    let options = batching.search.options;
                    if batching.may_span_lines && !begins_with_lines(window, options) {
                        return Err(Stopped::Early(Reason::Early(Early::SpansLines)));
                    }
                    records.insert(Records::new(batching.search.clone(), window.offset()))
                }
            };
            if batching.reports_early && records.is_full() {
                return Err(Stopped::Early(Reason::Full));
            }
            let length = match batching.whole_lines {
                true => whole.length(window),
                false => window.bytes().len(),
            };
            if length > 0 {
                let batch = Batch {
                    text: &window.bytes()[..length],
                    offset: window.offset(),
                    is_last: window.is_last(),
                    window: Some(window),
                };
                if let ControlFlow::Break(early) = consumer.batch(batch, records)? {
                    return Err(Stopped::Early(Reason::Early(early)));
                }
            }
            let may_pause = batching.reports_early && records.has_findings();
            idle_timeout.store(may_pause, Ordering::Relaxed);
            Ok(Taken {
                bytes: length,
                keep_from: window.offset() + length as u64,
            })
        });
        match read {
            Ok(()) => break ControlFlow::Continue(()),
            Err(Stopped::Early(Reason::Early(early))) => break ControlFlow::Break(early),
            Err(Stopped::Early(Reason::Full)) => {}
            Err(Stopped::Failed(Failure::Read(error)))
                if error.kind() == io::ErrorKind::TimedOut && records.is_some() => {}
            Err(Stopped::Failed(failure)) => return Err(failure),
        }
        if let Some(records) = &mut records {
            let found = records.take();
            consumer.report(input, found).map_err(Failure::Write)?;
        }
        idle_timeout.store(false, Ordering::Relaxed);
    };
    idle_timeout.store(false, Ordering::Relaxed);
    let found = records.map(Records::finish).unwrap_or_default();
    Ok((ended, found))
}

/// The whole lines at the start of windows, each of which begins where the last batch ended.
#[derive(Default)]
struct WholeLines {
    /// Offset up to which there is no line feed: of a long line, only the new bytes are searched.
    searched: u64,
}

impl WholeLines {
    /// Number of bytes of whole lines in a window; all of the last window.
    fn length(&mut self, window: &Window<'_>) -> usize {
        let bytes = window.bytes();
        if window.is_last() {
            return bytes.len();
        }
        let known = self.searched.saturating_sub(window.offset()) as usize;
        self.searched = window.end();
        match memchr::memrchr(b'\n', &bytes[known.min(bytes.len())..]) {
            Some(at) => known + at + 1,
            None => 0,
        }
    }
}
