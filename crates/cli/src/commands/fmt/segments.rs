//! Formats a large file in segments, on several threads.
//!
//! ```text
//! first pass   ├──────────┼──────────┼──────────┼──────────┤   the verdict, and a checkpoint at the start of each segment
//!                   │          │          │          │
//! second pass    thread     thread     thread     thread       resumes at the checkpoint: checks again and formats
//!                   └──────────┴────┬─────┴──────────┘
//!                                 output                       in order
//! ```
//!
//! Nothing is printed until the whole file is known to be valid, so `fmt` reads it twice anyway. In the second pass, the
//! state at every checkpoint is known, so no segment depends on those before it.

use std::io::{self, ErrorKind};
use std::num::NonZeroUsize;

use jsonx_core::engine::Validator;
use jsonx_core::format::{RewriteOptions, Rewriter};

use crate::check::{Failure, moved};
use crate::input::{Buffers, Input, Segment, Segments};
use crate::output::{AnyOutput, HeldOutput};

/// Minimum length of a segment in bytes.
const SEGMENT: u64 = 256 << 10;

/// Number of segments that a thread formats at once: handing over each separately took a tenth of the time.
const AT_ONCE: usize = 2;

/// Longest formatted text that is held until its turn; more is formatted again then. Deeply nested values may become ten thousand
/// times as long.
const MAX_HELD: usize = 6 << 20;

/// Maximum number of checkpoints; in files of more than 4 GB they are further apart.
const MAX_SEGMENTS: usize = 16 << 10;

/// The validator at the start of each segment of a file.
pub struct Checkpoints {
    validators: Vec<Validator>,
    spacing: u64,
}

impl Checkpoints {
    /// The checkpoint at the start of the text.
    pub fn new(validator: Validator) -> Checkpoints {
        Checkpoints {
            validators: vec![validator],
            spacing: SEGMENT,
        }
    }

    /// Adds a checkpoint if the segment since the last one is long enough.
    pub fn note(&mut self, validator: &Validator) {
        let last = self.validators.last().map_or(0, Validator::offset);
        if validator.offset() < last + self.spacing {
            return;
        }
        if self.validators.len() == MAX_SEGMENTS {
            let mut number = 0;
            self.validators.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.spacing *= 2;
        }
        self.validators.push(validator.clone());
    }

    /// The number of checkpoints.
    pub fn count(&self) -> usize {
        self.validators.len()
    }
}

/// Formats a file that a first pass has found valid, and in which it made these checkpoints.
///
/// # Errors
/// Reading or writing fails; `Invalid` if the file has changed since the first pass.
pub fn format(
    input: &Input,
    checkpoints: &Checkpoints,
    threads: NonZeroUsize,
    rewrite: RewriteOptions,
    out: &mut AnyOutput<'_>,
) -> Result<(), Failure> {
    let file = Segments::new(input)?;
    let origin = file.start();
    let starts = || checkpoints.validators.iter().step_by(AT_ONCE);
    let ends = starts().skip(1).map(|next| Some(origin + next.offset()));
    let parts = starts().zip(ends.chain([None])).map(|(start, end)| Part {
        start,
        file: &file,
        segment: file.between(origin + start.offset(), end),
    });
    let buffers = Buffers::default();
    file.each(
        threads,
        parts,
        |part| {
            let mut held = HeldOutput {
                text: buffers.take(),
                most: MAX_HELD,
            };
            held.text.clear();
            let formatted = part.format(rewrite, &buffers, &mut held);
            (part, held, formatted)
        },
        |(part, held, formatted)| {
            if let Err(Failure::Write(_)) = formatted {
                // It is too long to be held.
                return part.format(rewrite, &buffers, out);
            }
            out.write(&held.text).map_err(Failure::Write)?;
            buffers.put(held.text);
            formatted
        },
    )?;
    Ok(())
}

/// A segment of a file, and the state before it.
struct Part<'a> {
    start: &'a Validator,
    file: &'a Segments<'a>,
    segment: Segment<'a>,
}

impl Part<'_> {
    fn format(
        &self,
        rewrite: RewriteOptions,
        buffers: &Buffers,
        out: &mut AnyOutput<'_>,
    ) -> Result<(), Failure> {
        let origin = self.file.start();
        let mut validator = self.start.clone();
        let before = self.file.before(origin + validator.verified())?;
        let resumed = Rewriter::resume(rewrite, &before, out);
        let mut rewriter = resumed.ok_or_else(|| io::Error::from(ErrorKind::Unsupported))?;
        let mut ended = false;
        let mut buffer = buffers.take();
        let formatted = self.segment.each_window(&mut buffer, |text, is_last| {
            ended = is_last;
            Ok::<_, Failure>(validator.write(text, &mut rewriter)?)
        });
        buffers.put(buffer);
        let formatted = formatted.and_then(|()| {
            if ended {
                Ok(validator.finish(rewriter).map(drop)?)
            } else {
                Ok(rewriter.pause().map(drop)?)
            }
        });
        formatted.map_err(|failure| moved(failure, origin))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::CheckOptions;
    use crate::check::InputKind;
    use jsonx_core::format::{Indent, LineEnd, Style};
    use std::fs;
    use std::path::Path;

    fn options() -> CheckOptions {
        CheckOptions {
            lossy: false,
            kernel: None,
            max_depth: 10_000,
            rules: [].into(),
            configured: None,
            takes_streams: true,
            staged: None,
        }
    }

    const STYLE: Style = Style::Pretty(Indent::Spaces(2));

    /// Formats a file that becomes `after` between the two passes; returns the result and the output.
    fn changed(
        path: &Path,
        text: &[u8],
        after: &[u8],
        rewrite: impl Into<RewriteOptions>,
    ) -> (Result<(), Failure>, Vec<u8>) {
        fs::write(path, text).unwrap();
        let mut input = Input::open(path).unwrap();
        let mut checkpoints = Checkpoints::new(Validator::new(options().engine(InputKind::Json)));
        let valid = options().check_noting(&mut input, InputKind::Json, |v| checkpoints.note(v));
        assert!(valid.is_ok());
        assert!(
            checkpoints.validators.len() >= 4,
            "{}",
            checkpoints.validators.len()
        );
        fs::write(path, after).unwrap();
        let mut written = HeldOutput {
            most: usize::MAX,
            ..HeldOutput::default()
        };
        let threads = NonZeroUsize::new(3).unwrap();
        let stopped = format(&input, &checkpoints, threads, rewrite.into(), &mut written);
        (stopped, written.text)
    }

    fn whole(text: &[u8], rewrite: impl Into<RewriteOptions>) -> Vec<u8> {
        let mut rewriter = Rewriter::new(rewrite, Vec::new());
        let options = options().engine(InputKind::Json);
        assert!(Validator::new(options).check(text, &mut rewriter).is_ok());
        rewriter.finish().unwrap()
    }

    #[test]
    fn segments_join_and_changes_are_detected() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("long.json");
        // Deeply nested short numbers, whose formatted segments exceed `MAX_HELD`; then a string across every start.
        let numbers = format!("{}1{}", "[".repeat(20), ",1".repeat(300_000));
        let text = format!(
            "\u{feff}{numbers}{},\"{}\"]",
            "]".repeat(19),
            "é,[ ".repeat(200_000)
        );
        let (text, expected) = (text.as_bytes(), whole(&text.as_bytes()[3..], STYLE));
        let (stopped, written) = changed(&path, text, text, STYLE);
        assert!(stopped.is_ok() && written == expected);

        for rewrite in [
            RewriteOptions::from(STYLE).ascii(true),
            RewriteOptions::from(STYLE)
                .line_end(LineEnd::CrLf)
                .final_newline(false),
        ] {
            let (stopped, written) = changed(&path, text, text, rewrite);
            assert!(stopped.is_ok() && written == whole(&text[3..], rewrite));
        }

        let (stopped, written) = changed(&path, text, &text[..1_000_000], STYLE);
        assert!(
            matches!(stopped, Err(Failure::Read(error)) if error.kind() == ErrorKind::UnexpectedEof)
        );
        assert!(expected.starts_with(&written));

        let mut other = text.to_vec();
        other[900_000] = b'\n';
        let (stopped, written) = changed(&path, text, &other, STYLE);
        assert!(matches!(stopped, Err(Failure::Invalid(error)) if error.offset == 900_000));
        assert!(expected.starts_with(&written));
    }

    #[test]
    fn checkpoints_of_a_very_long_file_are_thinned_out() {
        let mut checkpoints = Checkpoints::new(Validator::new(options().engine(InputKind::Json)));
        let mut validator = Validator::new(options().engine(InputKind::Json));
        let spaces = vec![b' '; SEGMENT as usize];
        for _ in 0..MAX_SEGMENTS + 100 {
            assert!(
                validator
                    .write(&spaces, &mut jsonx_core::engine::Verdict)
                    .is_ok()
            );
            checkpoints.note(&validator);
        }
        assert!(checkpoints.validators.len() <= MAX_SEGMENTS / 2 + 100);
        assert!(checkpoints.validators.is_sorted_by_key(Validator::offset));
        assert_eq!(checkpoints.validators[1].offset(), 2 * SEGMENT);
    }
}
