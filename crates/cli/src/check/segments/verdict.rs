//! Checks one large value or a stream of values, with or without lints.

use std::convert::Infallible;

use jsonx_core::engine::{Checkpoints, Options, SegmentedSink, Validator};

use super::{Cut, in_segments};
use crate::check::{Checks, Failure};
use crate::input::Input;

/// The consumer of the tokens of one input while it is checked, on one thread or several.
pub trait CheckSink: SegmentedSink<Error = Infallible, Segment: Clone + Send + Sync> {
    /// Called before the first chunk, with the offset of the text in the input.
    fn begin(&mut self, _offset: u64) {}

    /// Offset of the first finding.
    fn first(&self) -> Option<u64> {
        None
    }
}

impl<N: FnMut(&Validator)> CheckSink for Checkpoints<N> {}

impl CheckSink for Checks {
    fn begin(&mut self, offset: u64) {
        Checks::begin(self, offset, None);
    }

    fn first(&self) -> Option<u64> {
        Checks::first(self)
    }
}

/// Checks a file in segments.
///
/// # Errors
/// The first error in the file, or the failure to read it.
pub(in crate::check) fn check(
    options: Options,
    input: &mut Input,
    cut: Cut,
    sink: &mut impl CheckSink,
) -> Result<(), Failure> {
    sink.begin(input.skip_byte_order_mark());
    in_segments(options, input, cut, sink, &mut ()).map(drop)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{RECORD, bare, file_of};
    use super::*;
    use jsonx_core::engine::Mode;
    use jsonx_core::position::locate;
    use jsonx_diagnose::Lints;
    use std::num::NonZeroUsize;

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
            &format!("{mark}]").replace(", ", ",\r\n\t\"é\u{1F600}\",\r"),
            &format!("{stream}}}"),
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
                        let checked =
                            check(options, &mut input, cut, &mut Checkpoints::new(1, note));
                        if let Err((_, offset)) = expected {
                            let place = locate(text.as_bytes(), offset as usize);
                            let found = input.excerpt(offset).unwrap().position();
                            assert_eq!(found, (place.line, place.column), "{length} {text:.60}");
                        }
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
    fn findings_equal_those_of_one_thread() {
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
                let mut expected = Checks::new(Lints::ALL, None, limit);
                expected.begin(start, None);
                let valid = Validator::new(options).check(bare.as_bytes(), &mut expected);
                let expected = format!("{:?}", expected.end().linted);
                for length in [64, 333, 4000, 1 << 20] {
                    for threads in [1, 3] {
                        let threads = NonZeroUsize::new(threads).unwrap();
                        let mut input = Input::open(file.path()).unwrap();
                        let mut checks = Checks::new(Lints::ALL, None, limit);
                        let cut = Cut::every(length, threads);
                        let checked = check(options, &mut input, cut, &mut checks);
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
}
