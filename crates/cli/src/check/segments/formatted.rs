//! Checks a file, and whether it is formatted, on several threads.

use std::num::NonZeroUsize;

use jsonx_core::engine::Options;
use jsonx_core::format::{FormatCheck, Style};

use super::{Cut, SEGMENT, in_segments};
use crate::check::Failure;
use crate::input::Input;

/// Checks a file on `threads` threads, and whether it is formatted in this style.
///
/// # Errors
/// The first error in the file, or the failure to read it.
pub fn check(
    options: Options,
    input: &mut Input,
    threads: NonZeroUsize,
    style: Style,
) -> Result<bool, Failure> {
    check_cut(options, input, Cut::every(SEGMENT, threads), style)
}

fn check_cut(options: Options, input: &mut Input, cut: Cut, style: Style) -> Result<bool, Failure> {
    let mut check = FormatCheck::new(style);
    in_segments(options, input, cut, &mut check, &mut ())?;
    Ok(check.finish())
}

#[cfg(test)]
mod tests {
    use super::super::texts::{RECORD, file_of};
    use super::*;
    use jsonx_core::engine::Validator;
    use jsonx_core::format::{Formatter, Indent};

    #[test]
    fn segments_and_threads_change_nothing() {
        let text = format!("{{\"all\": [{}0]}}", RECORD.repeat(60));
        let options = Options::default();
        for style in [Style::Compact, Style::Pretty(Indent::Spaces(2))] {
            let formatter = Formatter::new(style, Vec::new());
            let validator = Validator::new(options);
            let formatted = validator.check(text.as_bytes(), formatter).unwrap();
            let formatted = String::from_utf8(formatted).unwrap();
            let middle = formatted.len() / 2 + formatted[formatted.len() / 2..].find(',').unwrap();
            let end = formatted.trim_end().len();
            for (changed, expected) in [
                (formatted.clone(), Some(true)),
                (format!("\n{formatted}"), Some(false)),
                (formatted[..end].to_owned(), Some(false)),
                (
                    format!("{} {}", &formatted[..middle], &formatted[middle..]),
                    Some(false),
                ),
                (
                    format!("{},{}", &formatted[..middle], &formatted[middle..]),
                    None,
                ),
                (format!(" {}", &formatted[..end - 1]), None),
            ] {
                let file = file_of(&changed);
                for length in [64, 100, 1000, 1 << 20] {
                    for threads in [1, 3] {
                        let cut = Cut::every(length, NonZeroUsize::new(threads).unwrap());
                        let mut input = Input::open(file.path()).unwrap();
                        let checked = check_cut(options, &mut input, cut, style);
                        assert_eq!(checked.ok(), expected, "{length} {threads} {changed:.60}");
                    }
                }
            }
        }
    }
}
