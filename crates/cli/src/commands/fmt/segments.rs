//! A long file formatted in parts, on several threads.
//!
//! ```text
//! first pass   ├──────────┼──────────┼──────────┼──────────┤   the verdict, and a validator kept at every part's start
//!                   │          │          │          │
//! second pass    thread     thread     thread     thread       each part checked again from there, and formatted
//!                   └──────────┴────┬─────┴──────────┘
//!                                 output                       in order
//! ```
//!
//! Nothing of a file is printed before all of it is known to be valid, so it is gone through twice anyway; the second
//! time the state at any place is known, and no part needs those before it.

use std::io::{self, ErrorKind};
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::thread;

use jsonx_core::{Error, Formatter, Output, Stop, Style, Validator};

use crate::check::Failure;
use crate::input::Input;
use crate::threads::in_order;

/// Bytes of a part, at least.
const PART: u64 = 256 << 10;

/// A part that becomes longer than this is not kept until its turn comes but formatted then: a part of deeply nested
/// values may become ten thousand times as long.
const LONGEST: usize = 3 << 19;

/// Bytes that are read at once: they stay in the second-level cache.
const READ: usize = 256 << 10;

/// More threads would need more memory, and wait for the one that writes.
const MOST_THREADS: NonZeroUsize = NonZeroUsize::new(8).unwrap();

/// Parts that are told apart. Those of files of more than 4 GB are longer.
const MOST_PARTS: usize = 16 << 10;

/// Where the parts of a file begin: validators that were there.
pub struct Starts {
    kept: Vec<Validator>,
    apart: u64,
}

impl Starts {
    /// The one start that every file has.
    pub fn new(validator: Validator) -> Starts {
        Starts {
            kept: vec![validator],
            apart: PART,
        }
    }

    /// Notes where a validator is that goes through the file, if the last part is long enough to end here.
    pub fn note(&mut self, validator: &Validator) {
        let last = self.kept.last().map_or(0, Validator::offset);
        if validator.offset() < last + self.apart {
            return;
        }
        if self.kept.len() == MOST_PARTS {
            let mut number = 0;
            self.kept.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.apart *= 2;
        }
        self.kept.push(validator.clone());
    }

    /// How many threads have something to do here.
    pub fn threads(&self) -> NonZeroUsize {
        match NonZeroUsize::new(self.kept.len() / 2) {
            Some(parts) if parts > NonZeroUsize::MIN => thread::available_parallelism()
                .unwrap_or(NonZeroUsize::MIN)
                .min(parts)
                .min(MOST_THREADS),
            _ => NonZeroUsize::MIN,
        }
    }
}

/// Formats a file that a first pass, which noted the starts of parts, has found valid, on so many threads.
///
/// # Errors
/// Those of reading and of writing; `Invalid` if the file was changed since.
pub fn format<O>(
    input: &Input,
    starts: &Starts,
    threads: NonZeroUsize,
    style: Style,
    out: &mut O,
) -> Result<(), Failure>
where
    for<'a> &'a mut O: Output<Error = io::Error>,
{
    let ends = starts.kept[1..].iter().map(|next| Some(next.offset()));
    let parts = starts.kept.iter().zip(ends.chain([None]));
    let parts = parts.map(|(start, end)| Part { input, start, end });
    let mut failure = None;
    // Memory that is given back and asked for again is had page by page, which was an eighth of the whole time.
    let spare = Spare::default();
    let written = in_order(
        threads,
        parts,
        |part| {
            let mut kept = Kept(spare.take());
            kept.0.clear();
            let ended = part.format(style, &mut kept, &spare);
            (part, ended.map(|()| kept.0))
        },
        |(part, formatted)| {
            let ended = match formatted {
                Ok(text) => {
                    let written = (&mut *out).write(&text).map_err(Failure::Write);
                    spare.put(text);
                    written
                }
                Err(Ended::Output(TooLong)) => {
                    part.format(style, &mut *out, &spare).map_err(Failure::from)
                }
                Err(Ended::Invalid(error)) => Err(Failure::Invalid(error)),
                Err(Ended::Read(error)) => Err(Failure::Read(error)),
            };
            ended.map_err(|ended| {
                failure = Some(ended);
                // Stops the others; what it was is in `failure`.
                ErrorKind::Other.into()
            })
        },
    );
    match (written, failure) {
        (_, Some(failure)) => Err(failure),
        (written, None) => Ok(written?),
    }
}

/// Buffers that nobody uses, as many as are in use at a time.
#[derive(Default)]
struct Spare(Mutex<Vec<Vec<u8>>>);

impl Spare {
    /// A buffer with anything in it.
    fn take(&self) -> Vec<u8> {
        let mut spare = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        spare.pop().unwrap_or_default()
    }

    fn put(&self, buffer: Vec<u8>) {
        let mut spare = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        spare.push(buffer);
    }
}

/// A part of a file.
struct Part<'a> {
    input: &'a Input,
    start: &'a Validator,
    /// Where it ends, counted like the offset of the validator; `None` for the last one.
    end: Option<u64>,
}

/// Why a part was not formatted.
enum Ended<E> {
    Invalid(Error),
    Read(io::Error),
    Output(E),
}

impl From<Ended<io::Error>> for Failure {
    fn from(ended: Ended<io::Error>) -> Failure {
        match ended {
            Ended::Invalid(error) => Failure::Invalid(error),
            Ended::Read(error) => Failure::Read(error),
            Ended::Output(error) => Failure::Write(error),
        }
    }
}

impl Part<'_> {
    fn format<O: Output>(
        &self,
        style: Style,
        output: O,
        spare: &Spare,
    ) -> Result<(), Ended<O::Error>> {
        let mut buffer = spare.take();
        let formatted = self.format_through(&mut buffer, style, output);
        spare.put(buffer);
        formatted
    }

    fn format_through<O: Output>(
        &self,
        buffer: &mut Vec<u8>,
        style: Style,
        output: O,
    ) -> Result<(), Ended<O::Error>> {
        let origin = self.input.text_start();
        let ended = |stop| match stop {
            Stop::Sink(error) => Ended::Output(error),
            Stop::Invalid(error) => Ended::Invalid(Error {
                offset: error.offset + origin,
                ..error
            }),
        };
        let mut validator = self.start.clone();
        let mut formatter = Formatter::resume(style, output, &validator);
        if buffer.len() < READ {
            buffer
                .try_reserve_exact(READ - buffer.len())
                .map_err(|error| Ended::Read(error.into()))?;
            buffer.resize(READ, 0);
        }
        loop {
            let at = validator.offset();
            let wanted = self
                .end
                .map_or(READ as u64, |end| (end - at).min(READ as u64))
                as usize;
            if wanted == 0 {
                return formatter.flush().map_err(Ended::Output);
            }
            let read = self
                .input
                .read_at(origin + at, &mut buffer[..wanted])
                .map_err(Ended::Read)?;
            if read == wanted {
                validator
                    .feed(&buffer[..read], &mut formatter)
                    .map_err(ended)?;
            } else if self.end.is_none() {
                validator
                    .finish(&buffer[..read], &mut formatter)
                    .map_err(ended)?;
                return formatter.finish().map(drop).map_err(Ended::Output);
            } else {
                return Err(Ended::Read(ErrorKind::UnexpectedEof.into()));
            }
        }
    }
}

/// Text that waits for its turn.
struct Kept(Vec<u8>);

struct TooLong;

impl Output for &mut Kept {
    type Error = TooLong;

    fn write(&mut self, bytes: &[u8]) -> Result<(), TooLong> {
        if self.0.len() + bytes.len() > LONGEST || self.0.try_reserve(bytes.len()).is_err() {
            return Err(TooLong);
        }
        self.0.extend_from_slice(bytes);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::InputKind;
    use crate::check::Reading;
    use jsonx_core::Indent;
    use std::fs;
    use std::path::Path;

    struct Written(Vec<u8>);

    impl Output for &mut Written {
        type Error = io::Error;

        fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
            self.0.extend_from_slice(bytes);
            Ok(())
        }
    }

    const READING: Reading = Reading {
        kernel: None,
        max_depth: 10_000,
        kind: InputKind::Json,
        stdin_is_a_stream: true,
    };
    const STYLE: Style = Style::Pretty(Indent::Spaces(2));

    /// The result of formatting a file that becomes `after` between the two passes, and what was written by then.
    fn changed(path: &Path, text: &[u8], after: &[u8]) -> (Result<(), Failure>, Vec<u8>) {
        fs::write(path, text).unwrap();
        let mut input = Input::open(path).unwrap();
        let mut starts = Starts::new(Validator::new(READING.options(InputKind::Json)));
        let valid = READING.check_noting(&mut input, InputKind::Json, |v| starts.note(v));
        assert!(valid.is_ok());
        assert!(starts.kept.len() >= 4, "{}", starts.kept.len());
        fs::write(path, after).unwrap();
        let mut written = Written(Vec::new());
        let threads = NonZeroUsize::new(3).unwrap();
        let ended = format(&input, &starts, threads, STYLE, &mut written);
        (ended, written.0)
    }

    fn whole(text: &[u8]) -> Vec<u8> {
        let mut formatter = Formatter::new(STYLE, Vec::new());
        let options = READING.options(InputKind::Json);
        assert!(Validator::new(options).finish(text, &mut formatter).is_ok());
        formatter.finish().unwrap()
    }

    #[test]
    fn parts_make_the_whole_and_changes_are_noticed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("long.json");
        // Short numbers deep down, which become longer than a part may be; then text with an element across every start.
        let numbers = format!("{}1{}", "[".repeat(20), ",1".repeat(300_000));
        let text = format!(
            "\u{feff}{numbers}{},\"{}\"]",
            "]".repeat(19),
            "é,[ ".repeat(200_000)
        );
        let (text, expected) = (text.as_bytes(), whole(&text.as_bytes()[3..]));
        let (ended, written) = changed(&path, text, text);
        assert!(ended.is_ok() && written == expected);

        let (ended, written) = changed(&path, text, &text[..1_000_000]);
        assert!(
            matches!(ended, Err(Failure::Read(error)) if error.kind() == ErrorKind::UnexpectedEof)
        );
        assert!(expected.starts_with(&written));

        let mut other = text.to_vec();
        other[900_000] = b'\n';
        let (ended, written) = changed(&path, text, &other);
        assert!(matches!(ended, Err(Failure::Invalid(error)) if error.offset == 900_000));
        assert!(expected.starts_with(&written));
    }

    #[test]
    fn starts_of_a_very_long_file_become_fewer() {
        let mut starts = Starts::new(Validator::new(READING.options(InputKind::Json)));
        let mut validator = Validator::new(READING.options(InputKind::Json));
        let spaces = vec![b' '; PART as usize];
        for _ in 0..MOST_PARTS + 100 {
            assert!(validator.feed(&spaces, &mut jsonx_core::Verdict).is_ok());
            starts.note(&validator);
        }
        assert!(starts.kept.len() <= MOST_PARTS / 2 + 100);
        assert!(starts.kept.is_sorted_by_key(Validator::offset));
        assert_eq!(starts.kept[1].offset(), 2 * PART);
    }
}
