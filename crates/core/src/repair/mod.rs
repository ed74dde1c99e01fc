//! Repairs broken JSON: applies the fixes of [`diagnose`](crate::diagnose) until the text is valid.
//!
//! ```text
//!  text ──▶ valid? ──▶ diagnose ──▶ fixes that do not overlap ──▶ apply ──▶ once more, at most 16 times
//!             │ yes                     │ none
//!             ▼                         ▼
//!          unchanged                 what is left
//! ```
//!
//! [`repair`] never changes valid text, and lists everything it changed with its place in the original. What the fixes
//! of the findings do not cover is an envelope around the data (`envelope.rs`): a Markdown fence, JSONP, terminal
//! colors, another encoding.
//!
//! ```
//! use jsonx_core::diagnose::Applicability;
//! use jsonx_core::repair::{RepairOptions, repair};
//!
//! let safe = repair(b"{'a': 1, /* b */ c: .5,}", &RepairOptions::default());
//! assert_eq!(safe.text, br#"{"a": 1,  "c": 0.5}"#);
//! assert!(safe.is_valid());
//!
//! let all = RepairOptions::default().with(Applicability::Review);
//! let guessed = repair(b"[NaN, 007", &all);
//! assert_eq!(guessed.text, b"[null, 7]");
//! assert_eq!(guessed.changes[0].span.start, 1);
//! ```

mod envelope;
mod offsets;
mod options;
#[cfg(test)]
mod tests;

use crate::diagnose::{
    Advice, Applicability, Code, DiagnoseOptions, Diagnostic, Edit, Fix, Framing, Lints, Report,
    Selection, Severity, Span, apply, decode, diagnose_each, excerpt,
};
use crate::{Mode, Options, validate_with};
use offsets::Offsets;

pub use options::RepairOptions;

/// The maximum number of rounds of fixes.
///
/// A round fixes everything whose fixes do not overlap; a second one is needed for what an envelope or an overlap hid.
const ROUNDS: usize = 16;

/// A change that [`repair`] made.
///
/// ```
/// use jsonx_core::diagnose::Code;
/// use jsonx_core::repair::{RepairOptions, repair};
///
/// let repaired = repair(b"[+1]", &RepairOptions::default());
/// let change = &repaired.changes[0];
/// assert_eq!((change.code, change.span.start), (Code::LeadingPlus, 1));
/// assert_eq!((change.removed.as_str(), change.inserted.as_str()), ("+1", "1"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// The mistake that was repaired.
    pub code: Code,
    /// Whether the result has one possible meaning, or is a guess.
    pub applicability: Applicability,
    /// Where, in the source: see [`Repair::source`].
    pub span: Span,
    /// Describes the mistake in one line, without a final period.
    pub message: String,
    /// The text that was removed first, at most 32 characters of it, printable.
    pub removed: String,
    /// The text that was inserted first, at most 32 characters of it, printable.
    pub inserted: String,
    /// In how many places the text was changed.
    pub places: usize,
}

impl Change {
    /// Whether text was removed and nothing put in its place.
    ///
    /// ```
    /// use jsonx_core::repair::{RepairOptions, repair};
    ///
    /// let repaired = repair(b"['a',]", &RepairOptions::default());
    /// let drops: Vec<bool> = repaired.changes.iter().map(|change| change.drops()).collect();
    /// assert_eq!(drops, [false, true]);
    /// ```
    pub fn drops(&self) -> bool {
        self.inserted.is_empty() && !self.removed.is_empty()
    }
}

/// The result of [`repair`].
///
/// ```
/// use jsonx_core::repair::{RepairOptions, repair};
///
/// let repaired = repair(b"[1, 2", &RepairOptions::default());
/// assert!(!repaired.is_valid(), "what is missing at the end is a guess");
/// assert_eq!(repaired.left.errors, 1);
/// assert_eq!(repaired.text, b"[1, 2");
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Repair {
    /// The repaired text: valid, or as far as it could be repaired.
    pub text: Vec<u8>,
    /// The text that spans refer to, if it is not the input: a decoded UTF-16 or UTF-32 file.
    pub source: Option<Vec<u8>>,
    /// What was changed, sorted by position.
    pub changes: Vec<Change>,
    /// The number of changes with one possible meaning, described or not.
    pub safe: u64,
    /// The number of guesses, described or not.
    pub guesses: u64,
    /// What could not be repaired, in positions of the source. Without errors if the text is valid now.
    pub left: Report,
    /// The number of errors left for which there is a guess.
    pub offered: u64,
    /// What the repaired text consists of.
    pub framing: Framing,
    /// The work done, in bytes and tokens read. Proportional to the length of the input.
    pub steps: u64,
}

impl Repair {
    /// Whether the repaired text is valid.
    ///
    /// ```
    /// use jsonx_core::repair::{RepairOptions, repair};
    ///
    /// assert!(repair(b"[1]", &RepairOptions::default()).is_valid());
    /// assert!(!repair(b"no", &RepairOptions::default()).is_valid());
    /// ```
    pub fn is_valid(&self) -> bool {
        self.left.errors == 0
    }
}

/// Repairs `bytes`.
///
/// Valid text is returned unchanged. If [`Repair::is_valid`] is true, [`Repair::text`] is valid; repairing it once more
/// changes nothing.
///
/// Takes time proportional to the length of the text, at most 16 times that of [`diagnose`](crate::diagnose::diagnose),
/// usually once or twice, and memory for the text and its changes.
///
/// ```
/// use jsonx_core::diagnose::Applicability;
/// use jsonx_core::repair::{RepairOptions, repair};
///
/// let all = RepairOptions::default().with(Applicability::Review);
/// let answer = b"Here it is:\n\n```json\n{\"name\": \"Ada\", \"tags\": [\"a\", \"b\"\n```\nAnything else?\n";
/// assert_eq!(repair(answer, &all).text, b"{\"name\": \"Ada\", \"tags\": [\"a\", \"b\"]}\n");
/// ```
pub fn repair(bytes: &[u8], options: &RepairOptions) -> Repair {
    let mut run = Run {
        options,
        framing: options.framing,
        text: bytes.to_vec(),
        offsets: Offsets::default(),
        result: Repair::default(),
    };
    let left = run.rounds();
    let mut result = run.result;
    result.framing = run.framing;
    result.text = run.text;
    result.left = left;
    result.left.text = None;
    result.changes.sort_by_key(|change| change.span);
    result
}

/// What a round found.
#[derive(Default)]
struct Found {
    selection: Selection,
    changes: Changes,
    /// The format around the data, if the text is not JSON.
    detected: Option<&'static str>,
    /// There are several values, and whether each has lines of its own.
    several: Option<(Diagnostic, bool)>,
    left: Vec<Diagnostic>,
}

/// Changes, described up to a limit, and counted.
#[derive(Default)]
struct Changes {
    described: Vec<Change>,
    safe: u64,
    guesses: u64,
}

impl Changes {
    fn add(&mut self, text: &[u8], finding: &Diagnostic, fix: &Fix, limit: usize) {
        let count = match fix.applicability {
            Applicability::Safe => &mut self.safe,
            Applicability::Review => &mut self.guesses,
        };
        let is_split = is_envelope(finding.code) && fix.edits.len() <= SPLIT;
        *count += if is_split { fix.edits.len() as u64 } else { 1 };
        if *count > limit as u64 {
            return;
        }
        if is_split {
            // What is dropped before the data, and what after it.
            for edit in &fix.edits {
                self.described
                    .push(change(text, finding, fix, std::slice::from_ref(edit)));
            }
            return;
        }
        self.described.push(change(text, finding, fix, &fix.edits));
    }
}

/// The maximum number of edits around the data that are listed one by one.
const SPLIT: usize = 4;

fn is_envelope(code: Code) -> bool {
    matches!(code, Code::WrongFormat | Code::LeadingText)
}

fn change(text: &[u8], finding: &Diagnostic, fix: &Fix, edits: &[Edit]) -> Change {
    let removed = edits.iter().find(|edit| !edit.span.is_empty());
    let inserted = edits.iter().find(|edit| !edit.text.is_empty());
    let first = edits.iter().map(|edit| edit.span).min();
    Change {
        code: finding.code,
        applicability: fix.applicability,
        span: first.unwrap_or(finding.span),
        message: finding.message.clone(),
        removed: removed.map_or_else(String::new, |edit| {
            excerpt(&text[edit.span.start..edit.span.end])
        }),
        inserted: inserted.map_or_else(String::new, |edit| excerpt(edit.text.as_bytes())),
        places: edits.len(),
    }
}

struct Run<'a> {
    options: &'a RepairOptions,
    framing: Framing,
    text: Vec<u8>,
    offsets: Offsets,
    result: Repair,
}

impl Run<'_> {
    /// Repairs the text, and returns what is left.
    fn rounds(&mut self) -> Report {
        if is_valid(&self.text, self.framing, self.options) {
            return Report::default();
        }
        let is_blank = self.text.trim_ascii().is_empty();
        if self.options.lines && !is_blank && is_valid(&self.text, Framing::Lines, self.options) {
            self.framing = Framing::Lines;
            return Report::default();
        }
        if self.framing == Framing::Stream {
            self.framing = Framing::OneValue;
        }
        self.transcode();
        for round in 0..=ROUNDS {
            if round > 0 && is_valid(&self.text, self.framing, self.options) {
                break;
            }
            let (mut report, found) = self.examine();
            self.result.steps += report.steps;
            if report.text.is_some() {
                self.result.source = report.text.take();
                self.result.offered = found.left.len() as u64;
                report.diagnostics = found.left;
                return report;
            }
            let step = match report.is_valid() || round == ROUNDS {
                true => Err(found.left),
                false => self.step(found),
            };
            if let Err(mut left) = step {
                let offered = left.iter().filter(|finding| {
                    finding.fix.is_some() || envelope::is_known(finding.detected)
                });
                self.result.offered = offered.count() as u64;
                left.iter_mut()
                    .for_each(|finding| self.offsets.locate(finding));
                report.diagnostics = left;
                return report;
            }
        }
        Report::default()
    }

    /// Examines the text, and selects fixes.
    fn examine(&self) -> (Report, Found) {
        let options = DiagnoseOptions {
            framing: self.framing,
            dialect: self.options.dialect,
            lints: Lints::NONE,
            limit: 0,
            max_depth: self.options.max_depth,
            max_input: self.options.max_input,
        };
        let mut found = Found::default();
        let report = diagnose_each(&self.text, &options, |text, finding| {
            if finding.severity == Severity::Error {
                self.select(text, finding, &mut found);
            }
        });
        (report, found)
    }

    fn select(&self, text: &[u8], finding: Diagnostic, found: &mut Found) {
        match finding.code {
            Code::WrongFormat => found.detected = finding.detected,
            Code::MultipleValues => {
                let lines = finding.advice == Some(Advice::ReadLines);
                found.several = Some((finding.clone(), lines));
            }
            _ => {}
        }
        let fits = |fix: &&Fix| fix.applicability <= self.options.with && found.selection.add(fix);
        match finding.fix.as_ref().filter(fits) {
            Some(fix) => found.changes.add(text, &finding, fix, self.limit()),
            None if found.left.len() < self.limit() => found.left.push(finding),
            None => {}
        }
    }

    fn limit(&self) -> usize {
        match self.options.limit {
            0 => usize::MAX,
            limit => limit,
        }
    }

    /// Applies what a round found; if nothing applies, returns what is left.
    fn step(&mut self, found: Found) -> Result<(), Vec<Diagnostic>> {
        let guesses = self.options.with == Applicability::Review;
        if let (Some(detected), true) = (found.detected, guesses)
            && let Some((message, edits)) = envelope::remove(&self.text, detected)
        {
            self.commit_one(Code::WrongFormat, message, edits);
            return Ok(());
        }
        if let Some((finding, lines)) = found.several
            && self.framing == Framing::OneValue
        {
            let is_stream = self.options.framing == Framing::Stream;
            if is_stream || lines && (guesses || self.options.lines) {
                // The values stay as they are. The changes of this round are found again.
                self.framing = match lines {
                    true => Framing::Lines,
                    false => Framing::Stream,
                };
                if !is_stream && !self.options.lines {
                    let message = finding.message + ", one a line: kept as JSON Lines";
                    self.commit_one(Code::MultipleValues, message, Vec::new());
                }
                return Ok(());
            }
        }
        let edits = found.selection.into_edits();
        if edits.is_empty() {
            return Err(found.left);
        }
        self.commit(found.changes, &edits);
        Ok(())
    }

    /// Makes a change that no fix of a finding describes.
    fn commit_one(&mut self, code: Code, message: String, edits: Vec<Edit>) {
        let finding = Diagnostic::new(code, Span::point(0));
        let finding = Diagnostic { message, ..finding };
        let fix = Fix {
            description: String::new(),
            applicability: Applicability::Review,
            edits,
        };
        let mut changes = Changes::default();
        changes.add(&self.text, &finding, &fix, self.limit());
        self.commit(changes, &fix.edits);
    }

    fn commit(&mut self, changes: Changes, edits: &[Edit]) {
        let (limit, result) = (self.limit() as u64, &mut self.result);
        for mut change in changes.described {
            let before = match change.applicability {
                Applicability::Safe => result.safe,
                Applicability::Review => result.guesses,
            };
            if before < limit {
                change.span = self.offsets.source(change.span);
                result.changes.push(change);
            }
        }
        result.safe += changes.safe;
        result.guesses += changes.guesses;
        if !edits.is_empty() {
            self.text = apply(&self.text, edits);
            self.offsets.push(edits);
        }
    }

    /// Converts a text of another encoding to UTF-8, if guesses are allowed.
    fn transcode(&mut self) {
        if self.options.with != Applicability::Review {
            return;
        }
        if self.text.starts_with(BYTE_ORDER_MARK) {
            let edit = Edit {
                span: Span::new(0, BYTE_ORDER_MARK.len()),
                text: String::new(),
            };
            let message = "the file starts with a byte-order mark".to_owned();
            self.commit_one(Code::ByteOrderMark, message, vec![edit]);
        }
        if let Some((name, decoded)) = decode(&self.text, self.options.max_input) {
            let code = match name {
                "Windows-1252" => Code::InvalidUtf8,
                _ => Code::WrongEncoding,
            };
            self.commit_one(code, format!("converted from {name} to UTF-8"), Vec::new());
            self.result.source = Some(decoded.clone());
            self.text = decoded;
        }
    }
}

/// The byte-order mark in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Whether the text is valid as it is.
fn is_valid(text: &[u8], framing: Framing, options: &RepairOptions) -> bool {
    let mode = match framing {
        Framing::Stream => Mode::Stream,
        Framing::OneValue | Framing::Lines => Mode::One,
    };
    let options = Options {
        mode,
        dialect: options.dialect,
        max_depth: match options.max_depth {
            0 => u64::MAX,
            levels => levels as u64,
        },
        ..Options::default()
    };
    if framing != Framing::Lines {
        return validate_with(text, options).is_ok();
    }
    text.split(|&byte| byte == b'\n').all(|line| {
        line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
            || validate_with(line, options).is_ok()
    })
}
