//! Checks one large value, or a stream of values, on several threads.
//!
//! ```text
//! file ──► segments ──► thread: reads one, checks it from a guessed state ──► joined in order
//! ```
//!
//! A guess never changes the result (`TextSegment` of core): where one is wrong, the segment is checked again while the segments are
//! joined. Where several are wrong, no more are made, and the other threads only read ahead.

use std::io::{self, ErrorKind};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use jsonx_core::{Options, Stop, SyntaxError, TextSegment, Validator, Verdict};

use super::{CHECKPOINT_SPACING, Failure};
use crate::input::{FileText, Input, RandomAccess};
use crate::threads::in_order;

/// Minimum length of a file in bytes.
pub const SEGMENTS_FROM: u64 = 16 << 20;

/// Length of a segment in bytes. At most two for each thread are in memory.
const SEGMENT: usize = 2 << 20;

/// Wrong guesses after which no more are made.
const MAX_WRONG: u32 = 8;

/// Checks a file on `threads` threads, and passes the validator to `note` at regular intervals.
///
/// # Errors
/// The first error in the file, or the failure to read it.
pub fn check(
    options: Options,
    input: &mut Input,
    threads: NonZeroUsize,
    note: impl FnMut(&Validator),
) -> Result<(), Failure> {
    in_segments(options, input, threads, SEGMENT, note)
}

fn in_segments(
    options: Options,
    input: &mut Input,
    threads: NonZeroUsize,
    length: usize,
    note: impl FnMut(&Validator),
) -> Result<(), Failure> {
    let start = input.skip_byte_order_mark()?;
    let Some(file) = input.random_access() else {
        return Err(io::Error::from(ErrorKind::Unsupported).into());
    };
    let expected = file.length()?;
    let mut joining = Joining {
        validator: Validator::new(options),
        note,
        wrong: 0,
        invalid: None,
    };
    let reading = Reading {
        file,
        options,
        end: AtomicU64::new(u64::MAX),
        is_guessing: AtomicBool::new(true),
    };
    let offsets = (0..)
        .map(|number| start + number * length as u64)
        .take_while(|&from| from < reading.end.load(Ordering::Relaxed));
    let joined = in_order(
        threads,
        offsets,
        |from| reading.part(from, length),
        |segment| joining.join(segment?, &reading),
    );
    let end = start + joining.validator.offset();
    let checked = match (joining.invalid, joined) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => return Err(error.into()),
        (None, Ok(())) if end < expected => {
            return Err(io::Error::from(ErrorKind::UnexpectedEof).into());
        }
        (None, Ok(())) => joining
            .validator
            .finish(Verdict)
            .map_err(|stop| match stop {
                Stop::Invalid(error) => error,
                Stop::Sink(never) => match never {},
            }),
    };
    input.note_end(end);
    checked.map_err(|error| {
        Failure::Invalid(SyntaxError {
            offset: error.offset + start,
            ..error
        })
    })
}

/// What the threads share.
struct Reading<'a> {
    file: RandomAccess<'a>,
    options: Options,
    /// End of the file, once a thread has reached it; `u64::MAX` before.
    end: AtomicU64,
    is_guessing: AtomicBool,
}

impl Reading<'_> {
    /// Reads the segment at `from`, and checks it if guesses are worth it.
    fn part(&self, from: u64, length: usize) -> io::Result<TextSegment<FileText>> {
        let text = self.file.text(from, length)?;
        let filled = text.as_ref().len();
        if filled < length {
            self.end.fetch_min(from + filled as u64, Ordering::Relaxed);
        }
        Ok(match self.is_guessing.load(Ordering::Relaxed) {
            true => TextSegment::with_checkpoints(text, self.options, CHECKPOINT_SPACING),
            false => TextSegment::unchecked(text),
        })
    }
}

/// The state of the text so far.
struct Joining<N> {
    validator: Validator,
    note: N,
    wrong: u32,
    invalid: Option<SyntaxError>,
}

impl<N: FnMut(&Validator)> Joining<N> {
    /// Adds the next part.
    ///
    /// # Errors
    /// The text is invalid: then `invalid` has the error.
    fn join(&mut self, segment: TextSegment<FileText>, reading: &Reading<'_>) -> io::Result<()> {
        let joined = self.validator.join_noting(&segment, &mut self.note);
        reading.file.verify(&segment.into_text())?;
        let is_right = joined.map_err(|error| {
            self.invalid = Some(error);
            io::Error::from(ErrorKind::InvalidData)
        })?;
        if !is_right {
            self.wrong += 1;
            if self.wrong == MAX_WRONG {
                reading.is_guessing.store(false, Ordering::Relaxed);
            }
            if self.validator.verified() == self.validator.offset() {
                (self.note)(&self.validator);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jsonx_core::Mode;

    #[test]
    fn segments_and_threads_change_nothing() {
        let member = r#"{"id": 1, "text": "a, \\", [\"b\"]: c", "at": [[1, -2.5e3], []]}, "#;
        let valid = format!("[{}0]", member.repeat(60));
        let strings = format!("[{}0]", r#""\",\"a\":[","#.repeat(300));
        let stream = member.replace("}, ", "}\n").repeat(60);
        let mark = format!("\u{FEFF}{valid}");
        let broken = valid.replacen("[]", "[,]", 40).replacen("[,]", "[]", 39);
        let texts = [
            valid.as_str(),
            &valid[..valid.len() - 1],
            &strings,
            &stream,
            &mark,
            &broken,
            &format!("{valid}]"),
            &format!("\"{}", "x, ".repeat(500)),
            "",
            "1",
        ];
        for text in texts {
            let file = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(file.path(), text).unwrap();
            for mode in [Mode::One, Mode::Stream] {
                let options = Options::default().mode(mode).max_depth(1000);
                let (start, bare) = match text.strip_prefix('\u{FEFF}') {
                    Some(bare) => (3, bare),
                    None => (0, text),
                };
                let expected = jsonx_core::validate_with(bare.as_bytes(), options)
                    .map_err(|error| (error.kind, error.offset + start));
                for length in [64, 100, 1000, 1 << 20] {
                    for threads in [1, 3] {
                        let threads = NonZeroUsize::new(threads).unwrap();
                        let mut input = Input::open(file.path()).unwrap();
                        let mut last = 0;
                        let note = |validator: &Validator| {
                            assert!(validator.offset() >= last);
                            last = validator.offset();
                        };
                        let checked = in_segments(options, &mut input, threads, length, note);
                        let checked = checked.map_err(|failure| match failure {
                            Failure::Invalid(error) => (error.kind, error.offset),
                            _ => unreachable!("the file can be read"),
                        });
                        assert_eq!(checked, expected, "{length} {threads} {text:.60}");
                    }
                }
            }
        }
    }
}
