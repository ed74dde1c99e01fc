//! Checks one large value, or a stream of values, on several threads.
//!
//! ```text
//! file ──► segments ──► thread: reads one, checks and lints it from a guessed state ──► joined in order
//! ```
//!
//! A guess never changes the result (`TextSegment` of core): where one is wrong, the segment is checked again while the segments are
//! joined. Where several are wrong, no more are made, and the other threads only read ahead.

use std::io::{self, ErrorKind};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use jsonx_core::{Options, Stop, SyntaxError, TextSegment, Validator, Verdict};

use super::checks::CheckedSegment;
use super::{CHECKPOINT_SPACING, Checks, Failure};
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
    in_segments(options, input, threads, SEGMENT, &Noting, note)
}

/// Checks a file on `threads` threads, and runs those `checks` that see tokens.
///
/// # Errors
/// As [`check`].
pub fn check_with(
    options: Options,
    input: &mut Input,
    threads: NonZeroUsize,
    checks: &mut Checks,
) -> Result<(), Failure> {
    let pool = Pool::new(checks);
    in_segments(options, input, threads, SEGMENT, &pool, checks)
}

/// What is done with segments on any thread.
trait Work: Sync {
    /// What a join needs of a segment besides the verdict.
    type Seen: Send;

    fn check(&self, text: FileText, options: Options) -> (TextSegment<FileText>, Self::Seen);
}

/// What is done with segments in order.
trait Join<W: Work> {
    /// The text starts at this offset in the input.
    fn begin(&mut self, _start: u64) {}

    /// Adds the next segment. Returns whether its guesses were right.
    fn join(
        &mut self,
        validator: &mut Validator,
        segment: &TextSegment<FileText>,
        seen: Option<W::Seen>,
    ) -> Result<bool, SyntaxError>;

    fn finish(self, validator: Validator) -> Result<(), SyntaxError>;
}

/// The verdict, with checkpoints.
struct Noting;

impl Work for Noting {
    type Seen = ();

    fn check(&self, text: FileText, options: Options) -> (TextSegment<FileText>, ()) {
        let segment = TextSegment::with_checkpoints(text, options, CHECKPOINT_SPACING);
        (segment, ())
    }
}

impl<N: FnMut(&Validator)> Join<Noting> for N {
    fn join(
        &mut self,
        validator: &mut Validator,
        segment: &TextSegment<FileText>,
        _: Option<()>,
    ) -> Result<bool, SyntaxError> {
        let is_right = validator.join_noting(segment, &mut *self)?;
        if !is_right && validator.verified() == validator.offset() {
            self(validator);
        }
        Ok(is_right)
    }

    fn finish(self, validator: Validator) -> Result<(), SyntaxError> {
        validator.finish(Verdict).map_err(invalid)
    }
}

/// Checks for any thread. What one has learnt of the text serves the next segment.
struct Pool {
    checks: Checks,
    spare: Mutex<Vec<Checks>>,
}

impl Pool {
    fn new(checks: &Checks) -> Pool {
        Pool {
            checks: checks.clone(),
            spare: Mutex::default(),
        }
    }

    fn spare(&self) -> std::sync::MutexGuard<'_, Vec<Checks>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Work for Pool {
    type Seen = CheckedSegment;

    fn check(&self, text: FileText, options: Options) -> (TextSegment<FileText>, CheckedSegment) {
        let spare = self.spare().pop();
        let mut checks = spare.unwrap_or_else(|| self.checks.clone());
        checks.begin_segment();
        let segment = TextSegment::with_sink(text, options, &mut checks);
        let seen = checks.end_segment();
        self.spare().push(checks);
        (segment, seen)
    }
}

impl Join<Pool> for &mut Checks {
    fn begin(&mut self, start: u64) {
        Checks::begin(self, start, None);
    }

    fn join(
        &mut self,
        validator: &mut Validator,
        segment: &TextSegment<FileText>,
        seen: Option<CheckedSegment>,
    ) -> Result<bool, SyntaxError> {
        let merge = |checks: &mut Checks, offset| {
            if let Some(seen) = seen {
                checks.join(seen, offset);
            }
        };
        validator
            .join_with(segment, &mut **self, merge)
            .map_err(invalid)
    }

    fn finish(self, validator: Validator) -> Result<(), SyntaxError> {
        validator.finish(self).map_err(invalid)
    }
}

fn invalid(stop: Stop<std::convert::Infallible>) -> SyntaxError {
    match stop {
        Stop::Invalid(error) => error,
        Stop::Sink(never) => match never {},
    }
}

fn in_segments<W: Work>(
    options: Options,
    input: &mut Input,
    threads: NonZeroUsize,
    length: usize,
    work: &W,
    mut join: impl Join<W>,
) -> Result<(), Failure> {
    let start = input.skip_byte_order_mark()?;
    let Some(file) = input.random_access() else {
        return Err(io::Error::from(ErrorKind::Unsupported).into());
    };
    let expected = file.length()?;
    join.begin(start);
    let mut joining = Joining {
        validator: Validator::new(options),
        join,
        wrong: 0,
        invalid: None,
    };
    let reading = Reading {
        file,
        options,
        work,
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
        (None, Ok(())) => joining.join.finish(joining.validator),
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
struct Reading<'a, W> {
    file: RandomAccess<'a>,
    options: Options,
    work: &'a W,
    /// End of the file, once a thread has reached it; `u64::MAX` before.
    end: AtomicU64,
    is_guessing: AtomicBool,
}

/// A segment, and what was seen of it.
type Checked<W> = (TextSegment<FileText>, Option<<W as Work>::Seen>);

impl<W: Work> Reading<'_, W> {
    /// Reads the segment at `from`, and checks it if guesses are worth it.
    fn part(&self, from: u64, length: usize) -> io::Result<Checked<W>> {
        let text = self.file.text(from, length)?;
        let filled = text.as_ref().len();
        if filled < length {
            self.end.fetch_min(from + filled as u64, Ordering::Relaxed);
        }
        if !self.is_guessing.load(Ordering::Relaxed) {
            return Ok((TextSegment::unchecked(text), None));
        }
        let (segment, seen) = self.work.check(text, self.options);
        Ok((segment, Some(seen)))
    }
}

/// The state of the text so far.
struct Joining<J> {
    validator: Validator,
    join: J,
    wrong: u32,
    invalid: Option<SyntaxError>,
}

impl<J> Joining<J> {
    /// Adds the next part.
    ///
    /// # Errors
    /// The text is invalid: then `invalid` has the error.
    fn join<W: Work>(
        &mut self,
        (segment, seen): Checked<W>,
        reading: &Reading<'_, W>,
    ) -> io::Result<()>
    where
        J: Join<W>,
    {
        let joined = self.join.join(&mut self.validator, &segment, seen);
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
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Check;
    use jsonx_core::diagnose::Lints;
    use jsonx_core::{Chunk, Mode};

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
                        let checked =
                            in_segments(options, &mut input, threads, length, &Noting, note);
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

    #[test]
    fn findings_are_those_of_one_thread() {
        let member = r#"{"id": 9007199254740993, "text": "a, \\\", [\"b\"]: c", "at": [[1e400, -2.5e3], []], "id": 2}, "#;
        let array = format!("[{}0]", member.repeat(50));
        let object = format!(r#"{{"a": {array}, "b": {{"a": {array}, "\u0061": 1}}, "a": 2}}"#);
        let mark = format!("\u{FEFF}{object}");
        let broken = object.replacen("[]", "[,]", 40).replacen("[,]", "[]", 39);
        for text in [&array, &object, &mark, &broken] {
            let file = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(file.path(), text).unwrap();
            let options = Options::default();
            let (start, bare) = match text.strip_prefix('\u{FEFF}') {
                Some(bare) => (3, bare),
                None => (0, text.as_str()),
            };
            for limit in [0, 3] {
                let mut expected = Checks::of_lints(Lints::ALL, limit);
                expected.begin(start, None);
                let valid = Validator::new(options).check(bare.as_bytes(), &mut expected);
                let expected = format!("{:?}", expected.end().linted);
                for length in [64, 333, 4000, 1 << 20] {
                    for threads in [1, 3] {
                        let threads = NonZeroUsize::new(threads).unwrap();
                        let mut input = Input::open(file.path()).unwrap();
                        let mut checks = Checks::of_lints(Lints::ALL, limit);
                        let pool = Pool::new(&checks);
                        let checked =
                            in_segments(options, &mut input, threads, length, &pool, &mut checks);
                        assert_eq!(checked.is_ok(), valid.is_ok(), "{length} {text:.60}");
                        if valid.is_ok() {
                            let found = format!("{:?}", checks.end().linted);
                            assert_eq!(found, expected, "{length} {threads} {text:.60}");
                        }
                    }
                }
            }
        }
    }

    /// Fails in one segment.
    struct Failing;

    impl Check for Failing {
        fn restart(&self, _: usize) -> Box<dyn Check> {
            Box::new(Failing)
        }

        fn chunk(&mut self, chunk: &Chunk<'_>) {
            let found = chunk.bytes.windows(5).any(|bytes| bytes == b"panic");
            assert!(!found, "a check that panics");
        }
    }

    #[test]
    fn a_check_that_panics_does_so_in_its_turn() {
        let text = format!("[{0}\"panic\", {0}0]", "1, ".repeat(3000));
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let panicked = std::panic::catch_unwind(|| {
            let mut input = Input::open(file.path()).unwrap();
            let mut checks = Checks::default().and(Failing);
            let pool = Pool::new(&checks);
            let threads = NonZeroUsize::new(3).unwrap();
            let options = Options::default();
            let _ = in_segments(options, &mut input, threads, 1000, &pool, &mut checks);
        });
        let payload = panicked.unwrap_err();
        assert_eq!(payload.downcast_ref::<&str>(), Some(&"a check that panics"));
    }
}
