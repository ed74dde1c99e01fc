//! Finds the mistakes in a text that has few of them: the validator checks the text in between.
//!
//! ```text
//! ├───── valid ─────┼── parsed ──┼────── valid ──────┼── parsed ──┼── valid ──┤
//!        validator        parser        validator
//! ```
//!
//! The validator finds the first byte at which the text is not JSON. The parser starts at a comma a few hundred bytes before
//! it, and stops after a stretch without findings, where the validator resumes. This works only for mistakes with a local
//! cause: those that concern brackets, or the end of the text, need the whole text as evidence.

use super::collector::{Collector, Each};
use super::lexer::{Container, Lexer};
use super::parser::{Next, Open, Parser, Resume, RunSettings};
use super::run::{finish, is_too_long};
use super::{DiagnoseOptions, Framing, Report, encoding, format, leading, plain};
use crate::ErrorKind;
use crate::token::{Chunk, Sink};
use crate::token::{Mode, Stop};
use crate::window::{Options, Validator};

/// The minimum distance, in bytes, from the start of the parser to the end of the checked text.
const MARGIN: u64 = 256;

/// The maximum number of open containers: each part begins with them.
const LEVELS: usize = 256;

/// Passes on the mistakes of a text, if they can be found without parsing all of it; returns `false` if not, and findings
/// passed on are then void. Adds the work done to `steps`.
///
/// They are complete only if the text is valid with the fixes applied.
pub(crate) fn fixes_nearby<'a>(
    text: &'a [u8],
    options: &DiagnoseOptions,
    messages: usize,
    steps: &mut u64,
    each: &'a mut Each<'a>,
) -> bool {
    if options.framing != Framing::OneValue
        || is_too_long(text, options)
        || text.starts_with(b"\xEF\xBB\xBF")
        || encoding::wide(text).is_some()
    {
        return false;
    }
    let settings = RunSettings::of(options);
    if format::report(text, 0, &mut Collector::muted())
        || leading::find(text, 0, settings, steps).is_some()
        || plain::report(text, 0, settings, &mut Collector::muted())
    {
        return false;
    }
    let findings = Collector::streaming(usize::MAX, each).brief(messages);
    let mut lexer = Lexer::new(text, 0, findings);
    let mut resume = Resume::default();
    let is_complete = loop {
        let (start, mistake) = match check(text, &resume, options) {
            Checked::Mistake { start, at } => (start, at),
            checked => {
                *steps += (text.len() - resume.at) as u64;
                break matches!(checked, Checked::Valid);
            }
        };
        *steps += (mistake - resume.at) as u64;
        let (read, turns, next) = Parser::resume(lexer, &start, settings).run_near(mistake);
        lexer = read;
        *steps += turns;
        match next {
            Next::Resume(next) => resume = next,
            Next::End => break true,
            Next::Whole => break false,
        }
    };
    *steps += lexer.steps();
    if is_complete {
        finish(Report::default(), lexer.findings, text);
    }
    is_complete
}

enum Checked {
    Valid,
    /// The text is not JSON from `at` on; the parser may start at `start`.
    Mistake {
        start: Resume,
        at: usize,
    },
    Unknown,
}

/// Checks the text from a position on.
fn check(text: &[u8], from: &Resume, options: &DiagnoseOptions) -> Checked {
    // The parser opens containers too.
    if from.open.len() > LEVELS {
        return Checked::Unknown;
    }
    // A text that brings the validator into the state at this position.
    let mut before = Vec::new();
    for (depth, open) in from.open.iter().enumerate() {
        let is_last = depth + 1 == from.open.len();
        before.extend_from_slice(match (open.kind, is_last) {
            (Container::Array, false) => b"[",
            (Container::Object, false) => b"{\"\":",
            (Container::Array, true) => b"[0,",
            (Container::Object, true) => b"{\"\":0,",
        });
    }
    let mut open = Openers {
        skipped: before.len() as u64,
        base: from.at as u64,
        open: from.open.clone(),
        before: from.clone(),
    };
    let options = Options {
        mode: Mode::One,
        dialect: options.dialect,
        max_depth: match options.max_depth {
            0 => u64::MAX,
            levels => levels as u64,
        },
        ..Options::default()
    };
    let mut validator = Validator::new(options);
    let result = match validator.write(&before, &mut open) {
        Ok(()) => validator.check(&text[from.at..], &mut open),
        error => error,
    };
    let error = match result {
        Ok(()) => return Checked::Valid,
        Err(Stop::Invalid(error)) => error,
        Err(Stop::Sink(TooDeep)) => return Checked::Unknown,
    };
    match error.kind {
        ErrorKind::InvalidUtf8
        | ErrorKind::UnexpectedEnd
        | ErrorKind::TrailingContent
        | ErrorKind::TooDeep
        | ErrorKind::OutOfMemory => Checked::Unknown,
        _ => Checked::Mistake {
            at: (error.offset - open.skipped + open.base) as usize,
            start: open.before,
        },
    }
}

/// The open containers, at the end of the checked text and some distance before it.
struct Openers {
    /// The length of the prefix that sets up the state, and the offset of the text.
    skipped: u64,
    base: u64,
    open: Vec<Open>,
    before: Resume,
}

/// Too many containers are open.
struct TooDeep;

impl Openers {
    fn take(&mut self, kind: u8, at: u64) -> Result<(), TooDeep> {
        match kind {
            b'{' | b'[' => {
                if self.open.len() >= LEVELS {
                    return Err(TooDeep);
                }
                self.open.push(Open {
                    kind: match kind {
                        b'{' => Container::Object,
                        _ => Container::Array,
                    },
                    opener: at as u32,
                    is_long: false,
                });
            }
            b'}' | b']' => {
                self.open.pop();
            }
            b',' => {
                if let Some(open) = self.open.last_mut() {
                    open.is_long = true;
                }
            }
            _ => {}
        }
        Ok(())
    }
}

impl Sink for Openers {
    type Error = TooDeep;
    type Output = ();

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), TooDeep> {
        let from = self.skipped.saturating_sub(chunk.offset);
        let skipped = chunk.offsets.partition_point(|&at| u64::from(at) < from);
        let (kinds, offsets) = (&chunk.kinds[skipped..], &chunk.offsets[skipped..]);
        let base = chunk
            .offset
            .wrapping_sub(self.skipped)
            .wrapping_add(self.base);
        let margin = (chunk.bytes.len() as u64).saturating_sub(MARGIN);
        let early = offsets.partition_point(|&at| u64::from(at) < margin);
        let comma = kinds[..early].iter().rposition(|&kind| kind == b',');
        let (first, rest) = kinds.split_at(comma.map_or(0, |index| index + 1));
        let at = |index: usize| base.wrapping_add(u64::from(offsets[index]));
        for (index, &kind) in first.iter().enumerate() {
            self.take(kind, at(index))?;
        }
        if let Some(comma) = comma {
            self.before.at = at(comma) as usize + 1;
            self.before.open.clone_from(&self.open);
        }
        for (index, &kind) in rest.iter().enumerate() {
            self.take(kind, at(first.len() + index))?;
        }
        Ok(())
    }

    fn finish(self) -> Result<(), TooDeep> {
        Ok(())
    }
}
