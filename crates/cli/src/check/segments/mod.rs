//! Checks one large file, or passes it to a sink, on several threads.
//!
//! ```text
//! file ──► segments ──► thread: checks one from a guessed state, and begins the work ──► joined in order
//! ```
//!
//! Guesses never change the result (`TextSegment` of core): if one is wrong, the segment is checked again when it is joined.
//! After many wrong guesses no more are made, and the other threads only read ahead. [`verdict`], [`formatted`] and [`sinks`]
//! define the work on a segment and how it is joined.

pub mod blocks;
pub mod formatted;
pub mod sinks;
#[cfg(test)]
mod texts;
pub mod verdict;

use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};

use jsonx_core::SyntaxError;
use jsonx_core::engine::{Options, TextSegment, Validator};

use super::Failure;
use crate::input::{FileText, Input, Segment, Segments};

/// Length of a segment in bytes, if only its findings are held in memory.
const SEGMENT: u64 = 2 << 20;

/// How a file is divided.
#[derive(Clone, Copy)]
struct Cut {
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
    fn every(length: u64, threads: NonZeroUsize) -> Cut {
        Cut {
            first: (length, 0),
            may_decline: false,
            length,
            threads,
        }
    }
}

/// The work on segments, on any thread.
pub trait Work: Sync {
    /// The result for a segment that a join needs besides the verdict.
    type Seen: Send;

    /// Checks a segment that begins at `offset` in the text, from a guessed state.
    fn check(&self, text: FileText, offset: u64) -> (TextSegment<FileText>, Self::Seen);
}

/// Joins segments in order.
trait Join<Seen> {
    /// Number of consecutive wrong guesses after which no more are made.
    const PATIENCE: u32;

    /// Begins the text at this offset in the input.
    fn begin(&mut self, _start: u64) {}

    /// Adds the next segment. Returns whether its guesses were right.
    fn join(
        &mut self,
        file: &Segments<'_>,
        validator: &mut Validator,
        segment: &TextSegment<FileText>,
        seen: Option<Seen>,
    ) -> Result<bool, Failure>;

    /// Ends the text.
    fn finish(&mut self, file: &Segments<'_>, validator: Validator) -> Result<(), Failure>;
}

/// Checks a file in segments. Returns false if that is not worthwhile; otherwise the whole text has been checked.
///
/// # Errors
/// The first error in the file, or the failure to read it.
fn in_segments<W: Work>(
    options: Options,
    input: &mut Input,
    cut: Cut,
    work: &W,
    join: &mut impl Join<W::Seen>,
) -> Result<bool, Failure> {
    let start = input.skip_byte_order_mark()?;
    let file = Segments::of(input)?;
    let mut joining = Joining {
        file: &file,
        work,
        join,
        is_guessing: &AtomicBool::new(true),
        wrong: 0,
        validator: Validator::new(options),
    };
    let joined = joining.run(cut);
    let end = start + joining.validator.offset();
    let ended = match joined {
        Ok(false) => return Ok(false),
        Ok(true) => joining.join.finish(&file, joining.validator),
        Err(failure) => Err(failure),
    };
    input.note_end(end);
    ended.map(|()| true).map_err(|failure| match failure {
        Failure::Invalid(error) => Failure::Invalid(SyntaxError {
            offset: error.offset + start,
            ..error
        }),
        other => other,
    })
}

/// The state of the text so far.
struct Joining<'a, W, J> {
    file: &'a Segments<'a>,
    work: &'a W,
    join: &'a mut J,
    is_guessing: &'a AtomicBool,
    /// Consecutive wrong guesses.
    wrong: u32,
    validator: Validator,
}

impl<W: Work, J: Join<W::Seen>> Joining<'_, W, J> {
    /// Joins all segments. Returns false if other threads cannot help.
    fn run(&mut self, cut: Cut) -> Result<bool, Failure> {
        let from = self.file.start();
        self.join.begin(from);
        let (length, number) = cut.first;
        let first = self.file.every(from, length).take(number as usize);
        self.each(NonZeroUsize::MIN, first)?;
        if number > 0 && self.wrong == number {
            if cut.may_decline {
                return Ok(false);
            }
            self.is_guessing.store(false, Ordering::Relaxed);
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
        let (file, work, is_guessing) = (self.file, self.work, self.is_guessing);
        let check = |segment: Segment<'_>| -> io::Result<_> {
            let text = segment.text()?;
            if !is_guessing.load(Ordering::Relaxed) {
                return Ok((TextSegment::unchecked(text), None));
            }
            let (segment, seen) = work.check(text, segment.start() - file.start());
            Ok((segment, Some(seen)))
        };
        file.each(threads, segments, check, |checked| {
            let (segment, seen) = checked?;
            let joined = self.join.join(file, &mut self.validator, &segment, seen);
            // Verified before the verdict, because the checked bytes may have been zeros in place of the text.
            file.verify(segment.text())?;
            self.wrong = match joined? {
                true => 0,
                false => self.wrong + 1,
            };
            if self.wrong == J::PATIENCE {
                is_guessing.store(false, Ordering::Relaxed);
            }
            Ok(())
        })
        .map(drop)
    }
}
