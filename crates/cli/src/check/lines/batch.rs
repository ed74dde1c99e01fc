//! Processes JSON Lines in batches: the loop of all commands that continue after an invalid record.
//!
//! ```text
//! windows ──► batch: whole lines ──► consumer ──► valid as a stream ──► all of it
//!    ▲                                        └─ otherwise ──► each line by itself ──► the valid lines
//!    └── pause, or many findings ──► report ◄── records ◄── the invalid lines
//! ```

use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use super::{LineFindings, Records, Rest, Search, may_be_lines};
use crate::check::{Failure, Interrupted};
use crate::input::{Consumed, Input, Window};

/// A range of an input that is processed at once.
#[derive(Clone, Copy)]
pub struct Batch<'t> {
    /// Its bytes.
    pub text: &'t [u8],
    /// Offset in the input.
    pub offset: u64,
    /// Whether it ends the input.
    pub is_last: bool,
    /// The window of the batch, for the positions of bytes.
    pub window: Option<&'t Window<'t>>,
}

impl<'t> Batch<'t> {
    /// The sub-batch with this text, `at` bytes after its start.
    pub fn of(self, at: usize, text: &'t [u8]) -> Batch<'t> {
        Batch {
            text,
            offset: self.offset + at as u64,
            ..self
        }
    }
}

/// The reason why a command stops before the end of its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Early {
    /// Values span lines; nothing was done with the batch.
    SpansLines,
    /// The rest of the input cannot change the output.
    #[cfg_attr(not(feature = "jq"), expect(dead_code))]
    Enough,
}

impl Early {
    /// Converts the result of dividing a batch of `length` bytes: the number of processed bytes, or a break because a value
    /// spans lines.
    pub fn of_rest(rest: Option<(usize, Rest)>, length: usize) -> ControlFlow<Early, usize> {
        match rest {
            Some((left, Rest::SpansLines)) if left == length => {
                ControlFlow::Break(Early::SpansLines)
            }
            Some((left, _)) => ControlFlow::Continue(length - left),
            None => ControlFlow::Continue(length),
        }
    }
}

/// Options for dividing an input into batches.
#[derive(Clone)]
pub struct Batching {
    /// The lints for invalid records.
    pub search: Search,
    /// Batches consist of whole lines. Otherwise they may end anywhere, and the consumer passes all of them to [`Records`].
    pub whole_lines: bool,
    /// Values may turn out to span lines, in the first lines or later.
    pub may_span_lines: bool,
    /// [`Window::position`] is needed for files too.
    pub positions: bool,
    /// Findings are reported before the end of the input: when its writer pauses or when there are many.
    pub reports_early: bool,
}

/// The work of a command on batches.
pub trait Consumer {
    /// Processes a batch, and passes it to `records`. Returns the number of bytes processed; an incomplete value is passed
    /// again.
    ///
    /// # Errors
    /// Processing fails, which ends work on the input.
    fn batch(
        &mut self,
        batch: Batch<'_>,
        records: &mut Records,
    ) -> Result<ControlFlow<Early, usize>, Failure>;

    /// Reports findings while there may be more.
    ///
    /// # Errors
    /// Errors of the output.
    fn report(&mut self, input: &mut Input, found: LineFindings) -> io::Result<()>;
}

/// Passes an input to `consumer` batch by batch. Returns whether it ended early, and the unreported findings. After
/// [`Early::SpansLines`], the next window begins with the batch.
///
/// # Errors
/// Reading or the consumer fails.
pub fn each_batch(
    input: &mut Input,
    batching: Batching,
    consumer: &mut impl Consumer,
) -> Result<(ControlFlow<Early>, LineFindings), Failure> {
    /// The reason why reading stopped.
    enum Reason {
        Early(Early),
        /// There are enough findings for a report fragment.
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
                    let are_lines = match batching.may_span_lines {
                        true => may_be_lines(window.bytes(), window.is_last(), options),
                        false => Some(true),
                    };
                    match are_lines {
                        Some(true) => {}
                        Some(false) => {
                            return Err(Interrupted::Early(Reason::Early(Early::SpansLines)));
                        }
                        None => {
                            return Ok(Consumed {
                                bytes: 0,
                                keep_from: window.offset(),
                            });
                        }
                    }
                    records.insert(Records::new(batching.search.clone(), window.offset()))
                }
            };
            if batching.reports_early && records.is_full() {
                return Err(Interrupted::Early(Reason::Full));
            }
            let mut length = match batching.whole_lines {
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
                length = match consumer.batch(batch, records)? {
                    ControlFlow::Continue(processed) => processed,
                    ControlFlow::Break(early) => {
                        return Err(Interrupted::Early(Reason::Early(early)));
                    }
                };
            }
            let may_pause = batching.reports_early && records.has_findings();
            idle_timeout.store(may_pause, Ordering::Relaxed);
            Ok(Consumed {
                bytes: length,
                keep_from: window.offset() + length as u64,
            })
        });
        match read {
            Ok(()) => break ControlFlow::Continue(()),
            Err(Interrupted::Early(Reason::Early(early))) => break ControlFlow::Break(early),
            Err(Interrupted::Early(Reason::Full)) => {}
            Err(Interrupted::Failed(Failure::Read(error)))
                if error.kind() == io::ErrorKind::TimedOut && records.is_some() => {}
            Err(Interrupted::Failed(failure)) => return Err(failure),
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

/// Finds the whole lines at the start of windows, each of which begins where the last batch ended.
#[derive(Default)]
struct WholeLines {
    /// Offset up to which there is no line feed, so that only the new bytes of a long line are searched.
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
