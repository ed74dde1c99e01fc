//! Lookups on several threads.

use jsonx_core::engine::{Options, SegmentedSink, Stop, Validator};
use jsonx_core::query::Query;

use super::{Cut, SegmentHooks, in_segments};
use crate::check::{Failure, push};
use crate::input::{Consumed, Input, InputKind, Strategy, Task};

/// Length of a segment in bytes. At most two per thread are in memory, with the matches in them.
const SEGMENT: u64 = 1 << 20;

/// Length and number of the first segments, which determine the work on the others.
const FIRST: (u64, u32) = (64 << 10, 8);

/// Checks a file and looks up paths in it: on all threads if that is worthwhile, otherwise window by window, with new hooks. Returns
/// the query and the hooks at the end, and the offset in the input from which offsets count.
///
/// # Errors
/// The first error in the file, or the failure to read it; errors of the hooks.
pub fn look_up<H: SegmentHooks<Query>>(
    options: Options,
    input: &mut Input,
    mut query: Query,
    hooks: impl Fn() -> H,
) -> Result<(Query, H, u64), Failure> {
    let mut found = hooks();
    let mut ahead = query.clone();
    if pass(options, input, &mut ahead, &mut found, true)? {
        ahead.end();
        found.after(&mut ahead)?;
        return Ok((ahead, found, input.text_start()));
    }
    let (mut found, mut origin) = (hooks(), 0);
    let mut validator = Validator::new(options);
    input.each_window(|window| -> Result<Consumed, Failure> {
        origin = window.offset() - validator.offset();
        let taken = push(&mut validator, window, &mut query)?;
        if window.is_last() {
            query.end();
        }
        found.after(&mut query)?;
        Ok(taken)
    })?;
    Ok((query, found, origin))
}

/// Checks a file and passes it to `sink` on all threads. Returns false if that is not worthwhile: without having used `sink` or, if
/// the caller `may_repeat` its effects, after some of it; otherwise the whole text has been passed.
///
/// # Errors
/// The first error in the file, or the failure to read it.
pub fn pass<S>(
    options: Options,
    input: &mut Input,
    sink: &mut S,
    hooks: &mut impl SegmentHooks<S>,
    may_repeat: bool,
) -> Result<bool, Failure>
where
    S: SegmentedSink<Segment: Clone + Send>,
    Failure: From<Stop<S::Error>>,
{
    let Strategy::Segments(threads) = input.strategy(InputKind::Json, Task::LookUp) else {
        return Ok(false);
    };
    let cut = Cut {
        first: FIRST,
        may_decline: may_repeat,
        length: SEGMENT,
        threads,
    };
    in_segments(options, input, cut, sink, hooks)
}
#[cfg(test)]
mod tests {
    use super::super::tests::{RECORD, bare, file_of};
    use super::*;
    use jsonx_core::ErrorKind as Kind;
    use jsonx_core::SyntaxError;
    use jsonx_core::engine::{Chunk, Mode, SegmentScope, SegmentSink, Sink, Validator};
    use jsonx_core::path::Path;
    use jsonx_core::query::{Answer, Query, QueryOptions};
    use std::convert::Infallible;
    use std::io::ErrorKind;
    use std::num::NonZeroUsize;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// Collects the answers whenever possible.
    #[derive(Default)]
    struct Answers(Vec<Answer>);

    impl SegmentHooks<Query> for Answers {
        fn after(&mut self, query: &mut Query) -> Result<(), Failure> {
            self.0.extend(query.answers());
            Ok(())
        }
    }

    type Checked = Result<(), (Kind, u64)>;

    fn outcome(checked: Result<bool, Failure>) -> Checked {
        match checked {
            Ok(passed) => {
                assert!(passed, "no cut may decline");
                Ok(())
            }
            Err(Failure::Invalid(error)) => Err((error.kind, error.offset)),
            Err(failure) => unreachable!("the file can be read: {failure:?}"),
        }
    }

    /// The answers and the verdict.
    fn look_up(
        input: &mut Input,
        options: Options,
        path: &str,
        cut: Cut,
    ) -> (Vec<Answer>, Checked) {
        let mut query = Query::new(&[Path::parse(path).unwrap()], QueryOptions::default());
        let mut answers = Answers::default();
        let checked = in_segments(options, input, cut, &mut query, &mut answers);
        query.end();
        answers.after(&mut query).unwrap();
        (answers.0, outcome(checked))
    }

    fn whole(text: &[u8], options: Options, path: &str) -> (Vec<Answer>, Result<(), SyntaxError>) {
        let mut query = Query::new(&[Path::parse(path).unwrap()], QueryOptions::default());
        let checked = Validator::new(options).check(text, &mut query);
        query.end();
        let checked = checked.map_err(|stop| match stop {
            Stop::Invalid(error) => error,
            Stop::Sink(_) => unreachable!("there is memory"),
        });
        (query.answers().collect(), checked)
    }

    const CUTS: [Cut; 3] = [
        Cut {
            first: (64, 8),
            may_decline: false,
            length: 64,
            threads: NonZeroUsize::new(3).unwrap(),
        },
        Cut {
            first: (100, 8),
            may_decline: false,
            length: 1000,
            threads: NonZeroUsize::new(2).unwrap(),
        },
        Cut {
            first: (300, 8),
            may_decline: false,
            length: 500,
            threads: NonZeroUsize::MIN,
        },
    ];

    const PATHS: [&str; 10] = [
        "$[50].at",
        "$[-1]",
        "$[-3:].id",
        "$..id",
        "$.all[*].at[0]",
        "$.end[-1]",
        "$.all[?@.id==1].text",
        "$[*,3].id",
        "$..*",
        "$[::2]",
    ];

    fn texts() -> Vec<String> {
        let record = RECORD;
        let valid = format!("[{}0]", record.repeat(60));
        let object = format!("{{\"all\": {valid}, \"end\": [1, 2]}}");
        vec![
            format!("\u{FEFF}{object}"),
            record.replace("}, ", "}\n").repeat(60),
            valid[..valid.len() - 1].to_owned(),
            valid.replacen("[]", "[,]", 40).replacen("[,]", "[]", 39),
            format!("{valid}]"),
            String::new(),
            object,
            valid,
        ]
    }

    #[test]
    fn answers_do_not_depend_on_segments_and_threads() {
        for text in texts() {
            let file = file_of(&text);
            let (start, bare) = bare(&text);
            for mode in [Mode::One, Mode::Stream] {
                let options = Options::default().mode(mode).max_depth(1000);
                for path in PATHS {
                    let (expected, verdict) = whole(bare.as_bytes(), options, path);
                    let verdict = verdict.map_err(|error| (error.kind, error.offset + start));
                    for cut in CUTS {
                        let mut input = Input::open(file.path()).unwrap();
                        let (answers, checked) = look_up(&mut input, options, path, cut);
                        assert_eq!(checked, verdict, "{path} {text:.60}");
                        // The answers of an invalid text are dropped.
                        if verdict.is_ok() {
                            assert_eq!(answers, expected, "{path} {text:.60}");
                        }
                    }
                }
            }
        }
    }

    /// In the middle of an array, the parity of an index is unknown; elements before the one that is selected are only counted.
    #[test]
    fn lookups_that_other_threads_cannot_help_are_declined() {
        let file = file_of(&format!("[{}0]", RECORD.repeat(60)));
        for (path, helped) in [("$[::2]", false), ("$[-1]", false), ("$[1000]", true)] {
            let mut input = Input::open(file.path()).unwrap();
            let mut query = Query::new(&[Path::parse(path).unwrap()], QueryOptions::default());
            let cut = Cut {
                may_decline: true,
                ..CUTS[2]
            };
            let mut answers = Answers::default();
            let passed = in_segments(
                Options::default(),
                &mut input,
                cut,
                &mut query,
                &mut answers,
            );
            assert_eq!(passed.unwrap(), helped, "{path}");
        }
    }

    /// Truncates the file after the first segments.
    struct Cutter<'a>(&'a std::path::Path, u32);

    impl SegmentHooks<Query> for Cutter<'_> {
        fn after(&mut self, _: &mut Query) -> Result<(), Failure> {
            self.1 += 1;
            if self.1 == 10 {
                let file = std::fs::OpenOptions::new()
                    .write(true)
                    .open(self.0)
                    .unwrap();
                file.set_len(5000).unwrap();
            }
            Ok(())
        }
    }

    #[test]
    fn a_file_that_shrinks_is_an_error() {
        for path in ["$[*].id", "$[9]"] {
            let file = file_of(&format!("[{}0]", "{\"id\": 1}, ".repeat(200_000)));
            let mut input = Input::open(file.path()).unwrap();
            let mut query = Query::new(&[Path::parse(path).unwrap()], QueryOptions::default());
            let cut = Cut {
                first: (1000, 8),
                may_decline: true,
                length: 64 << 10,
                threads: NonZeroUsize::new(2).unwrap(),
            };
            let mut cutter = Cutter(file.path(), 0);
            let passed = in_segments(Options::default(), &mut input, cut, &mut query, &mut cutter);
            match passed {
                Err(Failure::Read(error)) => assert_eq!(error.kind(), ErrorKind::UnexpectedEof),
                other => panic!("{path}: {other:?}"),
            }
        }
    }

    /// Panics in one segment.
    #[derive(Clone)]
    struct Failing;

    impl Sink for Failing {
        type Error = Infallible;
        type Output = ();

        fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
            let found = chunk.bytes.windows(5).any(|bytes| bytes == b"panic");
            assert!(!found, "a sink that panics");
            Ok(())
        }

        fn finish(self) -> Result<(), Infallible> {
            Ok(())
        }
    }

    impl SegmentSink for Failing {
        fn scope(&self) -> SegmentScope {
            SegmentScope::LastContainer
        }
    }

    impl SegmentedSink for Failing {
        type Segment = Failing;

        fn for_segment(&self) -> Failing {
            Failing
        }

        fn take(&mut self, _: Failing, _: u64) -> bool {
            true
        }
    }

    /// Counts the segments that were merged.
    #[derive(Default)]
    struct Counting(u32);

    impl SegmentHooks<Failing> for Counting {
        fn after(&mut self, _: &mut Failing) -> Result<(), Failure> {
            self.0 += 1;
            Ok(())
        }
    }

    #[test]
    fn a_sink_that_panics_does_so_in_its_turn() {
        let text = format!("[{0}\"panic\", {0}0]", "1, ".repeat(3000));
        let file = file_of(&text);
        let mut counting = Counting::default();
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            let mut input = Input::open(file.path()).unwrap();
            let options = Options::default();
            in_segments(options, &mut input, CUTS[1], &mut Failing, &mut counting)
        }));
        let payload = panicked.map(drop).unwrap_err();
        assert_eq!(payload.downcast_ref::<&str>(), Some(&"a sink that panics"));
        // 8 of 100 bytes, and 8 of 1000.
        assert_eq!(counting.0, 16);
    }
}
