//! Checks one large value or a stream of values, with or without lints.

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use jsonx_core::engine::{Chunk, Interest, Mode, Options, Sink, TextSegment, Validator, Verdict};

use super::{Cut, Join, SEGMENT, Work, in_segments};
use crate::check::checks::CheckedSegment;
use crate::check::{CHECKPOINT_SPACING, Checks, Failure};
use crate::input::{FileText, Input, Segments};

/// What the tokens of one input are passed to while it is checked, by one thread or by several.
pub trait CheckSink: Sink<Error = Infallible> {
    /// What other threads do with segments of the text.
    type Work: Work;

    /// That.
    fn work(&self, options: Options) -> Self::Work;

    /// Called before the first chunk, with the offset of the text in the input.
    fn begin(&mut self, _offset: u64) {}

    /// Joins the next segment to the text before, and adds what another thread has seen of it. Returns whether its guesses were
    /// right.
    ///
    /// # Errors
    /// The first error in the text.
    fn join(
        &mut self,
        validator: &mut Validator,
        segment: &TextSegment<FileText>,
        seen: Option<<Self::Work as Work>::Seen>,
    ) -> Result<bool, Failure>;

    /// The state after some text, at regular intervals.
    fn note(&mut self, _validator: &Validator) {}

    /// Offset of the first finding.
    fn first(&self) -> Option<u64> {
        None
    }
}

/// Checks a file on `threads` threads.
///
/// # Errors
/// The first error in the file, or the failure to read it.
pub fn check(
    options: Options,
    input: &mut Input,
    threads: NonZeroUsize,
    sink: &mut impl CheckSink,
) -> Result<(), Failure> {
    check_cut(options, input, Cut::every(SEGMENT, threads), sink)
}

fn check_cut(
    options: Options,
    input: &mut Input,
    cut: Cut,
    sink: &mut impl CheckSink,
) -> Result<(), Failure> {
    let work = sink.work(options);
    in_segments(options, input, cut, &work, &mut Joined(sink)).map(drop)
}

/// The sink of a text that is checked in segments.
struct Joined<'a, S>(&'a mut S);

impl<S: CheckSink> Join<<S::Work as Work>::Seen> for Joined<'_, S> {
    const PATIENCE: u32 = 8;

    fn begin(&mut self, start: u64) {
        self.0.begin(start);
    }

    fn join(
        &mut self,
        _: &Segments<'_>,
        validator: &mut Validator,
        segment: &TextSegment<FileText>,
        seen: Option<<S::Work as Work>::Seen>,
    ) -> Result<bool, Failure> {
        self.0.join(validator, segment, seen)
    }

    fn finish(&mut self, _: &Segments<'_>, validator: Validator) -> Result<(), Failure> {
        Ok(validator.finish(&mut *self.0)?)
    }
}

/// The verdict, and a call with the validator at regular intervals.
pub struct Checkpoints<N>(pub N);

impl<N: FnMut(&Validator)> Sink for Checkpoints<N> {
    type Error = Infallible;
    type Output = ();

    fn interest(&self, mode: Mode) -> Interest {
        Verdict.interest(mode)
    }

    fn chunk(&mut self, _: &Chunk<'_>) -> Result<(), Infallible> {
        Ok(())
    }

    fn finish(self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl<N: FnMut(&Validator)> CheckSink for Checkpoints<N> {
    type Work = CheckpointWork;

    fn work(&self, options: Options) -> CheckpointWork {
        CheckpointWork(options)
    }

    fn join(
        &mut self,
        validator: &mut Validator,
        segment: &TextSegment<FileText>,
        _: Option<()>,
    ) -> Result<bool, Failure> {
        let is_right = validator
            .join_noting(segment, &mut self.0)
            .map_err(Failure::Invalid)?;
        if !is_right && validator.verified() == validator.offset() {
            self.note(validator);
        }
        Ok(is_right)
    }

    fn note(&mut self, validator: &Validator) {
        (self.0)(validator);
    }
}

/// The verdict of a segment, with checkpoints.
pub struct CheckpointWork(Options);

impl Work for CheckpointWork {
    type Seen = ();

    fn check(&self, text: FileText, _: u64) -> (TextSegment<FileText>, ()) {
        let segment = TextSegment::with_checkpoints(text, self.0, CHECKPOINT_SPACING);
        (segment, ())
    }
}

/// Copies of the checks for any thread. Shapes learnt in one segment are reused in the next.
pub struct Pool {
    options: Options,
    checks: Checks,
    spare: Mutex<Vec<Checks>>,
}

impl Pool {
    /// Creates a pool with copies of `checks`.
    fn new(options: Options, checks: &Checks) -> Pool {
        Pool {
            options,
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

    fn check(&self, text: FileText, _: u64) -> (TextSegment<FileText>, CheckedSegment) {
        let spare = self.spare().pop();
        let mut checks = spare.unwrap_or_else(|| self.checks.clone());
        checks.begin_segment();
        let segment = TextSegment::with_sink(text, self.options, &mut checks);
        let seen = checks.end_segment();
        self.spare().push(checks);
        (segment, seen)
    }
}

impl CheckSink for Checks {
    type Work = Pool;

    fn work(&self, options: Options) -> Pool {
        Pool::new(options, self)
    }

    fn begin(&mut self, offset: u64) {
        Checks::begin(self, offset, None);
    }

    fn join(
        &mut self,
        validator: &mut Validator,
        segment: &TextSegment<FileText>,
        seen: Option<CheckedSegment>,
    ) -> Result<bool, Failure> {
        let merge = |checks: &mut Checks, offset| {
            if let Some(seen) = seen {
                checks.join(seen, offset);
            }
        };
        Ok(validator.join_with(segment, self, merge)?)
    }

    fn first(&self) -> Option<u64> {
        Checks::first(self)
    }
}

#[cfg(test)]
mod tests {
    use super::super::texts::{Failing, RECORD, bare, file_of};
    use super::*;
    use jsonx_core::diagnose::Lints;
    use jsonx_core::engine::Mode;

    #[test]
    fn segments_and_threads_change_nothing() {
        let valid = format!("[{}0]", RECORD.repeat(60));
        let strings = format!("[{}0]", r#""\",\"a\":[","#.repeat(300));
        let stream = RECORD.replace("}, ", "}\n").repeat(60);
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
            let file = file_of(text);
            for mode in [Mode::One, Mode::Stream] {
                let options = Options::default().mode(mode).max_depth(1000);
                let (start, bare) = bare(text);
                let expected = jsonx_core::engine::validate_with(bare.as_bytes(), options)
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
                        let cut = Cut::every(length, threads);
                        let checked = check_cut(options, &mut input, cut, &mut Checkpoints(note));
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
            let file = file_of(text);
            let options = Options::default();
            let (start, bare) = bare(text);
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
                        let cut = Cut::every(length, threads);
                        let checked = check_cut(options, &mut input, cut, &mut checks);
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

    #[test]
    fn a_check_that_panics_does_so_in_its_turn() {
        let text = format!("[{0}\"panic\", {0}0]", "1, ".repeat(3000));
        let file = file_of(&text);
        let panicked = std::panic::catch_unwind(|| {
            let mut input = Input::open(file.path()).unwrap();
            let mut checks = Checks::default().and(Failing);
            let cut = Cut::every(1000, NonZeroUsize::new(3).unwrap());
            let _ = check_cut(Options::default(), &mut input, cut, &mut checks);
        });
        let payload = panicked.unwrap_err();
        assert_eq!(payload.downcast_ref::<&str>(), Some(&"a check that panics"));
    }
}
