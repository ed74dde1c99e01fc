//! JSON Lines: one value on each line, each line a text of its own.

use jsonx_core::lint::{self, Linter};
use jsonx_core::{Error, Options, Validator, Verdict};

use crate::check::Failure;
use crate::input::Window;

/// Checks that every line of an input is one value or blank, in constant memory, window by window, apart from what
/// others do with the same windows.
pub struct Live {
    options: Options,
    line: Validator,
    /// The line had nothing but white space so far.
    blank: bool,
    /// Where to go on: the offset in the input of the first byte that was not looked at. 0 before the first window.
    seen: u64,
    linter: Option<Linter>,
    /// Lines that were not blank.
    records: u64,
}

impl Live {
    /// A check of lines that has seen nothing yet; `options` are those for one value.
    pub fn new(options: Options) -> Live {
        Live {
            line: Validator::new(options),
            options,
            blank: true,
            seen: 0,
            linter: None,
            records: 0,
        }
    }

    /// The same, and has `linter` look at every line.
    pub fn linting(options: Options, linter: Linter) -> Live {
        Live {
            linter: Some(linter),
            ..Live::new(options)
        }
    }

    /// Where the first thing stands that the linter has found until now.
    pub fn first(&self) -> Option<u64> {
        self.linter.as_ref().and_then(Linter::first)
    }

    /// What the linter has found.
    pub fn finish(self) -> lint::Findings {
        self.linter.map(Linter::finish).unwrap_or_default()
    }

    /// Looks at what is new in a window.
    ///
    /// # Errors
    /// The first line that is not a value, with the offset in the input.
    pub fn look(&mut self, window: &Window<'_>) -> Result<(), Failure> {
        // Only at the start, and there only by the byte-order mark, the window is ahead of us.
        if self.seen < window.offset() || self.seen == 0 {
            self.seen = self.seen.max(window.offset());
            self.begin_line();
        }
        let mut bytes = &window.bytes()[(self.seen - window.offset()) as usize..];
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            self.part(&bytes[..end])?;
            self.end_line()?;
            self.seen += 1;
            self.begin_line();
            bytes = &bytes[end + 1..];
        }
        self.part(bytes)?;
        if window.is_last() {
            self.end_line()
        } else {
            Ok(())
        }
    }

    /// Some bytes of a line.
    fn part(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let origin = self.seen - self.line.offset();
        self.seen += bytes.len() as u64;
        self.blank = self.blank
            && bytes
                .iter()
                .all(|byte| matches!(byte, b' ' | b'\t' | b'\r'));
        let written = match &mut self.linter {
            Some(linter) => self.line.write(bytes, linter),
            None => self.line.write(bytes, &mut Verdict),
        };
        written.map_err(|stop| shifted(stop.into(), origin))
    }

    fn begin_line(&mut self) {
        if let Some(linter) = &mut self.linter {
            linter.begin(self.seen, Some(self.records + 1));
        }
    }

    fn end_line(&mut self) -> Result<(), Failure> {
        let origin = self.seen - self.line.offset();
        let line = std::mem::replace(&mut self.line, Validator::new(self.options));
        let ended = match &mut self.linter {
            Some(linter) => line.finish(linter),
            None => line.finish(Verdict),
        };
        let ended = ended.map_err(|stop| shifted(stop.into(), origin));
        if std::mem::replace(&mut self.blank, true) {
            Ok(())
        } else {
            self.records += 1;
            ended
        }
    }
}

/// The same failure with its offset counted from the start of the input.
fn shifted(failure: Failure, origin: u64) -> Failure {
    match failure {
        Failure::Invalid(error) => Failure::Invalid(Error {
            offset: error.offset + origin,
            ..error
        }),
        other => other,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::super::records::tests::line;
    use super::*;
    use crate::input::{Input, Taken};
    use jsonx_core::validate_with;
    use proptest::prelude::*;
    use std::io::Write;

    /// The first line that is neither blank nor valid, found the plain way.
    fn expected(text: &[u8]) -> Option<u64> {
        let mut start = 0;
        for line in text.split(|&byte| byte == b'\n') {
            let blank = line.iter().all(|byte| b" \t\r".contains(byte));
            if let (false, Err(error)) = (blank, validate_with(line, Options::default())) {
                return Some(start + error.offset);
            }
            start += line.len() as u64 + 1;
        }
        None
    }

    /// What the check says when the text comes through a pipe in pieces of these sizes.
    fn found(text: &[u8], sizes: &[usize]) -> Option<u64> {
        let (reader, mut writer) = std::io::pipe().unwrap();
        let mut input = Input::of_stream(reader.into());
        let pieces: Vec<usize> = sizes.iter().copied().cycle().take(text.len()).collect();
        let (mut rest, mut pieces) = (text.to_vec(), pieces.into_iter());
        let writing = std::thread::spawn(move || {
            while !rest.is_empty() {
                let behind = rest.split_off(pieces.next().unwrap().min(rest.len()));
                if writer.write_all(&rest).is_err() {
                    break;
                }
                rest = behind;
            }
        });
        let mut lines = Live::new(Options::default());
        let checked = input.each_window(|window| {
            lines.look(window)?;
            Ok(Taken::from(window.bytes().len()))
        });
        drop(input);
        writing.join().unwrap();
        match checked {
            Ok(()) => None,
            Err(Failure::Invalid(error)) => Some(error.offset),
            Err(Failure::Read(error) | Failure::Write(error)) => panic!("{error}"),
            Err(Failure::Refused(refusal)) => panic!("{refusal}"),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn lines_have_the_verdicts_they_have_alone(
            lines in prop::collection::vec(line(), 0..12),
            sizes in prop::collection::vec(1usize..200, 1..4),
        ) {
            let text = lines.join("\n").into_bytes();
            prop_assert_eq!(found(&text, &sizes), expected(&text));
        }
    }
}
