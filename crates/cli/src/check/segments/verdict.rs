//! Checks one large value or a stream of values.

use std::num::NonZeroUsize;

use jsonx_core::engine::{Checkpoints, Options, Validator};

use super::{Cut, SEGMENT, in_segments};
use crate::check::Failure;
use crate::input::Input;

/// Checks a file on `threads` threads, and records states of the engine.
///
/// # Errors
/// The first error in the file, or the failure to read it.
pub fn check(
    options: Options,
    input: &mut Input,
    threads: NonZeroUsize,
    sink: &mut Checkpoints<impl FnMut(&Validator)>,
) -> Result<(), Failure> {
    let cut = Cut::every(SEGMENT, threads);
    in_segments(options, input, cut, sink, &mut ()).map(drop)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{RECORD, bare, file_of};
    use super::*;
    use jsonx_core::engine::Mode;
    use jsonx_core::position::locate;

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
                        let mut sink = Checkpoints::new(1, note);
                        let checked = in_segments(options, &mut input, cut, &mut sink, &mut ());
                        if let Err((_, offset)) = expected {
                            let place = locate(text.as_bytes(), offset as usize);
                            let found = input.excerpt(offset).unwrap().position();
                            assert_eq!(found, (place.line, place.column), "{length} {text:.60}");
                        }
                        let checked = checked.map(drop).map_err(|failure| match failure {
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
