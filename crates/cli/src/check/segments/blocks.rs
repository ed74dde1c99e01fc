//! Checks a fast stream in blocks on several threads.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use jsonx_core::SyntaxError;
use jsonx_core::engine::{Options, TextSegment, Validator};

use super::verdict::CheckSink;
use super::{PATIENCE, join};
use crate::check::Failure;
use crate::input::{Ends, FileText, Input};

/// Checks and joins blocks.
pub struct InBlocks {
    options: Options,
    threads: NonZeroUsize,
    /// Consecutive blocks whose work was not merged.
    wrong: u32,
}

impl InBlocks {
    pub fn new(options: Options, threads: NonZeroUsize) -> InBlocks {
        InBlocks {
            options,
            threads,
            wrong: 0,
        }
    }

    /// Whether more threads may help.
    pub fn may_help(&self) -> bool {
        self.wrong < PATIENCE
    }

    /// Checks the next blocks, and joins them to the text before.
    ///
    /// # Errors
    /// The first error in the stream, or the failure to read it.
    pub fn check<S: CheckSink>(
        &mut self,
        input: &mut Input,
        validator: &mut Validator,
        sink: &mut S,
    ) -> Result<(), Failure> {
        let start = input.text_start();
        let InBlocks {
            options,
            threads,
            wrong,
        } = self;
        let next = sink.for_segment();
        input.each_block(
            Ends::Anywhere,
            *threads,
            |block| {
                let (text, offset) = (FileText::Block(block.clone()), block.offset() - start);
                let mut work = next.clone();
                let segment = TextSegment::new(text, offset, *options, &mut work);
                (segment, work)
            },
            |(segment, work)| {
                let joined = join(validator, &segment, work, sink).map_err(Failure::from);
                let is_right = joined.map_err(|failure| match failure {
                    Failure::Invalid(error) => Failure::Invalid(SyntaxError {
                        offset: error.offset + start,
                        ..error
                    }),
                    other => other,
                })?;
                *wrong = match is_right {
                    true => 0,
                    false => *wrong + 1,
                };
                let flow = match *wrong < PATIENCE {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                };
                Ok((flow, sink.first()))
            },
        )
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::Write;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use jsonx_core::ErrorKind;
    use jsonx_core::diagnose::Lints;

    use super::super::texts::Failing;
    use super::*;
    use crate::check::{Check, CheckOptions, Checks, InputKind};
    use jsonx_core::engine::Chunk;

    const MEMBER: &str = r#"{"id": 9007199254740993, "text": "a, \\\", [\"é\"]: c", "at": [[1e400, -2.5e3], []], "id": 2}, "#;

    /// Calls `read` with a pipe that retains nothing and is read in blocks of this length, if given.
    fn piped<R>(text: &[u8], blocks: Option<usize>, read: impl FnOnce(&mut Input) -> R) -> R {
        let (reader, mut writer) = std::io::pipe().unwrap();
        let mut input = Input::of_blocks(reader.into(), blocks);
        std::thread::scope(|scope| {
            scope.spawn(move || {
                // A command that has found an error reads no more.
                let _ = writer.write_all(text);
            });
            let done = read(&mut input);
            drop(input);
            done
        })
    }

    fn options() -> CheckOptions {
        CheckOptions {
            kernel: None,
            max_depth: 1000,
            rules: Arc::new([]),
            configured: None,
            takes_streams: false,
        }
    }

    /// The findings, and the excerpts shown in messages.
    #[derive(Debug, PartialEq)]
    struct Told {
        found: Result<String, (ErrorKind, u64)>,
        place: Option<((u64, u64), String)>,
        passage: Option<String>,
    }

    fn told(text: &[u8], kind: InputKind, checks: &Checks, blocks: Option<usize>) -> Told {
        piped(text, blocks, |input| {
            let checked = options().run(input, kind, checks);
            let found = match checked {
                Ok(found) => Ok(format!("{:?}", found.linted)),
                Err(Failure::Invalid(error)) => Err((error.kind, error.offset)),
                Err(failure) => unreachable!("the pipe can be read: {failure:?}"),
            };
            let place = found.as_ref().err().map(|&(_, offset)| {
                let excerpt = input.excerpt(offset).unwrap();
                // The amount of text after the error depends on the reads.
                let shown = excerpt
                    .text
                    .get(excerpt.at.saturating_sub(100)..excerpt.at + 100);
                let shown = String::from_utf8_lossy(shown.unwrap_or(&excerpt.text[..excerpt.at]));
                (excerpt.position(), shown.into_owned())
            });
            let passage = match (&found, checks.are_none()) {
                (Ok(_), false) => input.passage(0, u64::MAX, u64::MAX).ok(),
                _ => None,
            };
            let passage = passage.map(|passage| {
                let text = String::from_utf8_lossy(&passage.text);
                format!("{:?} {text}", passage.base)
            });
            Told {
                found,
                place,
                passage,
            }
        })
    }

    #[test]
    fn blocks_change_nothing() {
        let array = format!("[\n{}0]", MEMBER.repeat(500));
        let clean = array
            .replace("\"id\": 2", "\"ed\": 2")
            .replace("1e400", "1")
            .replace("9007199254740993", "\n7");
        let late = format!(
            "{}, \"é\\ud800\", {}",
            &clean[..clean.len() - 1],
            &array[1..]
        );
        let object = format!(r#"{{"a": {clean}, "b": {{"a": {array}, "\u0061": 1}}, "a": 2}}"#);
        let mark = format!("\u{FEFF}{late}");
        let stream = MEMBER.replace("}, ", "}\n").repeat(500);
        let texts = [
            late.replacen("[]", "[,]", 900).replacen("[,]", "[]", 899),
            array[..array.len() - 1].to_owned(),
            format!("[{}0]", r#""\",\"a\":[","#.repeat(3000)),
            format!("\"{}", "x, ".repeat(20_000)),
            format!("{clean}]"),
            clean,
            array,
            late,
            object,
            mark,
            stream,
        ];
        let lints = [
            Checks::default(),
            Checks::of_lints(Lints::ALL, 3),
            Checks::of_lints(Lints::ALL, 0),
        ];
        for text in &texts {
            for kind in [InputKind::Json, InputKind::Stream] {
                for checks in &lints {
                    let expected = told(text.as_bytes(), kind, checks, None);
                    for length in [5000, 20_001] {
                        let blocks = told(text.as_bytes(), kind, checks, Some(length));
                        assert_eq!(blocks.found, expected.found, "{length} {text:.60}");
                        assert_eq!(blocks.place, expected.place, "{length} {text:.60}");
                        let same = blocks.passage == expected.passage;
                        assert!(same, "{length} {text:.60}");
                    }
                    let short = told(text.as_bytes(), kind, checks, Some(128));
                    assert_eq!(short.found, expected.found, "{text:.60}");
                }
            }
        }
    }

    /// Records whether other threads do any work.
    struct Elsewhere(std::thread::ThreadId, Arc<AtomicBool>);

    impl Check for Elsewhere {
        fn restart(&self, _: usize) -> Box<dyn Check> {
            Box::new(Elsewhere(self.0, self.1.clone()))
        }

        fn chunk(&mut self, _: &Chunk<'_>) {
            let here = std::thread::current().id();
            self.1.fetch_or(here != self.0, Ordering::Relaxed);
        }
    }

    #[test]
    fn other_threads_check_blocks_and_nothing_else() {
        let text = format!("[{}0]", MEMBER.repeat(500));
        for (blocks, expected) in [(None, false), (Some(1 << 20), false), (Some(1000), true)] {
            let worked = Arc::new(AtomicBool::new(false));
            let here = std::thread::current().id();
            let checks = Checks::default().and(Elsewhere(here, worked.clone()));
            told(text.as_bytes(), InputKind::Json, &checks, blocks);
            assert_eq!(worked.load(Ordering::Relaxed), expected, "{blocks:?}");
        }
    }

    #[test]
    fn a_check_that_panics_does_so_in_its_turn() {
        let text = format!("[{0}\"panic\", {0}0]", "1, ".repeat(3000));
        let checks = Checks::default().and(Failing);
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            told(text.as_bytes(), InputKind::Json, &checks, Some(1000))
        }));
        let payload = panicked.unwrap_err();
        assert_eq!(payload.downcast_ref::<&str>(), Some(&"a check that panics"));
    }
}
