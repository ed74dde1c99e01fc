//! Checks one large file, or passes it to a sink, on several threads.
//!
//! ```text
//! file ──► segments ──► thread: checks one from a guessed state, and begins the work ──► joined in order
//! ```
//!
//! Guesses never change the result (`TextSegment` of core): if one is wrong, the segment is checked again when it is joined.
//! After many wrong guesses, guessing stops, and the other threads only read ahead. The work of a thread is merged if its
//! assumptions about the state of the sink hold (`SegmentedSink` of core); otherwise the sink receives the tokens of the
//! segment. So the result depends neither on the number of threads nor on the length of segments.

pub mod sinks;
#[cfg(test)]
mod tests;
pub mod verdict;

use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use jsonx_core::engine::{Options, SegmentedSink, Stop, TextSegment, Validator};

use super::{Failure, moved};
use crate::input::{FileText, Input, Segment, Segments};

/// Length of a segment in bytes, if only its findings are held in memory.
pub(super) const SEGMENT: u64 = 2 << 20;

/// The division of a file.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    /// Length and number of the first segments, which this thread processes. If all their guesses are wrong, no more are made.
    first: (u64, u32),
    /// Whether the caller has a fallback in that case.
    may_decline: bool,
    /// Length of the other segments. At most two per thread are in memory.
    length: u64,
    threads: NonZeroUsize,
}

impl Cut {
    /// Segments of one length.
    pub(super) fn every(length: u64, threads: NonZeroUsize) -> Cut {
        Cut {
            first: (length, 0),
            may_decline: false,
            length,
            threads,
        }
    }
}

/// Number of consecutive segments that were not merged after which no more are checked ahead.
const PATIENCE: u32 = 16;

/// Hooks of a command between segments.
pub trait SegmentHooks<S> {
    /// Called before text at `offset` in the input is passed to the sink; offsets in the sink count from `origin`.
    fn before(&mut self, _sink: &mut S, _origin: u64, _offset: u64, _text: &[u8]) {}

    /// Called when the sink has received all of the text so far.
    ///
    /// # Errors
    /// The command cannot continue.
    fn after(&mut self, _sink: &mut S) -> Result<(), Failure> {
        Ok(())
    }
}

impl<S> SegmentHooks<S> for () {}

/// Checks a file in segments and passes it to `sink`. Returns false if that is not worthwhile; otherwise the whole text has been
/// passed.
///
/// # Errors
/// The first error in the file, or the failure to read it.
fn in_segments<S>(
    options: Options,
    input: &mut Input,
    cut: Cut,
    sink: &mut S,
    hooks: &mut impl SegmentHooks<S>,
) -> Result<bool, Failure>
where
    S: SegmentedSink<Segment: Clone + Send>,
    Failure: From<Stop<S::Error>>,
{
    let start = input.skip_byte_order_mark();
    let file = Segments::new(input)?;
    let mut joining = Joining {
        file: &file,
        options,
        ahead: &Ahead {
            next: Mutex::new(sink.for_segment()),
            is_guessing: AtomicBool::new(true),
        },
        sink,
        hooks,
        wrong: 0,
        validator: Validator::new(options),
    };
    let joined = joining.run(cut);
    let end = start + joining.validator.offset();
    let ended = match joined {
        Ok(false) => return Ok(false),
        Ok(true) => joining.finish(),
        Err(failure) => Err(failure),
    };
    input.note_end(end);
    ended
        .map(|()| true)
        .map_err(|failure| moved(failure, start))
}

/// State shared by the threads.
struct Ahead<G> {
    /// The sink for the next segment.
    next: Mutex<G>,
    is_guessing: AtomicBool,
}

impl<G: Clone> Ahead<G> {
    /// The sink for a segment.
    fn next(&self) -> G {
        let next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        next.clone()
    }

    fn set_next(&self, next: G) {
        *self.next.lock().unwrap_or_else(PoisonError::into_inner) = next;
    }
}

/// The state of the text so far.
struct Joining<'a, S: SegmentedSink, H> {
    file: &'a Segments<'a>,
    options: Options,
    ahead: &'a Ahead<S::Segment>,
    sink: &'a mut S,
    hooks: &'a mut H,
    /// Consecutive segments that were not merged.
    wrong: u32,
    validator: Validator,
}

impl<S, H> Joining<'_, S, H>
where
    S: SegmentedSink<Segment: Clone + Send>,
    H: SegmentHooks<S>,
    Failure: From<Stop<S::Error>>,
{
    /// Joins all segments. Returns false if other threads cannot help.
    fn run(&mut self, cut: Cut) -> Result<bool, Failure> {
        let from = self.file.start();
        let (length, number) = cut.first;
        let first = self.file.every(from, length).take(number as usize);
        self.each(NonZeroUsize::MIN, first)?;
        if number > 0 && self.wrong == number {
            if cut.may_decline {
                return Ok(false);
            }
            self.ahead.is_guessing.store(false, Ordering::Relaxed);
        }
        self.wrong = 0;
        let others = self
            .file
            .every(from + length * u64::from(number), cut.length);
        self.each(cut.threads, others)?;
        Ok(true)
    }

    fn each<'s>(
        &mut self,
        threads: NonZeroUsize,
        segments: impl Iterator<Item = Segment<'s>>,
    ) -> Result<(), Failure> {
        let (file, options, ahead) = (self.file, self.options, self.ahead);
        let check = |segment: Segment<'_>| -> io::Result<_> {
            let text = segment.text()?;
            let mut work = ahead.next();
            let segment = if ahead.is_guessing.load(Ordering::Relaxed) {
                let offset = segment.start() - file.start();
                TextSegment::new(text, offset, options, &mut work)
            } else {
                TextSegment::unchecked(text)
            };
            Ok((segment, work))
        };
        file.each(threads, segments, check, |checked| {
            let (segment, work) = checked?;
            let joined = self.join(&segment, work);
            // Verified before the verdict, because the checked bytes may have been zeros in place of the text.
            file.verify(segment.text())?;
            self.wrong = if joined? { 0 } else { self.wrong + 1 };
            if self.wrong == PATIENCE {
                ahead.is_guessing.store(false, Ordering::Relaxed);
            }
            Ok(())
        })
        .map(drop)
    }

    /// Joins the next segment. Returns whether its work was merged.
    fn join(&mut self, segment: &TextSegment<FileText>, work: S::Segment) -> Result<bool, Failure> {
        let start = self.file.start();
        let offset = start + self.validator.offset();
        let text = segment.text().as_ref();
        self.hooks.before(self.sink, start, offset, text);
        let is_merged = join(&mut self.validator, segment, work, self.sink)?;
        self.hooks.after(self.sink)?;
        self.ahead.set_next(self.sink.for_segment());
        Ok(is_merged)
    }

    /// Ends the text.
    fn finish(self) -> Result<(), Failure> {
        Ok(self.validator.finish(self.sink)?)
    }
}

/// Joins a segment to the text before it; if its work was not merged, the end of the segment may be a checkpoint. Returns whether
/// it was merged.
fn join<S: SegmentedSink>(
    validator: &mut Validator,
    segment: &TextSegment<FileText>,
    work: S::Segment,
    sink: &mut S,
) -> Result<bool, Stop<S::Error>> {
    let is_merged = validator.join(segment, work, sink)?;
    if !is_merged && validator.verified() == validator.offset() {
        sink.checkpoint(validator);
    }
    Ok(is_merged)
}
