//! The invalid and error-prone lines of a text: the first ones are retained, the findings of the others are counted.

use std::collections::BTreeMap;

use jsonx_core::{ErrorKind, SyntaxError};
use jsonx_diagnose::Code;

use crate::report::Position;

/// Maximum number of bytes of retained lines, whatever the limit of findings: if every line is invalid, the lines are as long
/// as the file.
const MAX_RETAINED: usize = 64 << 20;

/// Number of lines with findings, and of their bytes, after which they are reported before the rest is checked, if all are to
/// be reported.
const PART: (usize, usize) = (1024, 256 << 10);

/// The findings in a segment of an input. Lines and records count from 0 at the start of the segment.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct LineFindings {
    /// Line breaks: line feeds, and carriage returns not followed by one.
    pub breaks: u64,
    /// Non-blank lines.
    pub records: u64,
    /// The first invalid or error-prone lines, up to the limit.
    pub noted: Vec<Noted>,
    /// Counts of the findings in all other lines, by code.
    pub more: BTreeMap<Code, More>,
    /// The first error, with its record.
    pub first: Option<(u64, SyntaxError)>,
    /// A line was rejected because of a limit rather than its syntax.
    pub limited: bool,
    /// Earlier findings of the same input have already been taken.
    pub is_continuation: bool,
    /// The number of invalid lines in [`LineFindings::noted`], of error-prone lines, and of their bytes.
    pub(super) retained: (usize, usize, usize),
}

/// An invalid or error-prone line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noted {
    /// Lines before it.
    pub line: u64,
    /// Records before it.
    pub record: u64,
    /// Offset of the line in the input.
    pub offset: u64,
    /// The error, if the line is invalid; its offset counts from the start of the input.
    pub error: Option<SyntaxError>,
    /// The lints, if the line is valid.
    pub lints: Vec<Code>,
    /// The text to show.
    pub evidence: Evidence,
}

/// The text of a line that has findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The whole line, including its line break.
    Line(Vec<u8>),
    /// An excerpt of a long line around the error: its bytes, the offset of the error in them, and the position of the
    /// first byte, whose line counts like [`Noted::line`].
    Excerpt(Vec<u8>, usize, Position),
}

/// Findings of one code that are counted, not retained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct More {
    /// Number of findings.
    pub count: u64,
    /// The first line with one.
    pub first: LineStart,
    /// The last line with one.
    pub last: LineStart,
}

impl More {
    /// One finding in the line that starts here.
    pub(super) fn one(place: LineStart) -> More {
        More {
            count: 1,
            first: place,
            last: place,
        }
    }
}

/// The start of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineStart {
    /// Lines before it.
    pub line: u64,
    /// Bytes before it.
    pub offset: u64,
}

impl LineFindings {
    /// Number of invalid lines.
    pub fn invalid(&self) -> u64 {
        let noted = self.noted.iter().filter(|noted| noted.error.is_some());
        let more = self.more.get(&Code::SyntaxError);
        noted.count() as u64 + more.map_or(0, |more| more.count)
    }

    /// Number of findings in valid lines.
    pub fn error_prone(&self) -> u64 {
        let noted = self.noted.iter().map(|noted| noted.lints.len() as u64);
        let lints = self
            .more
            .iter()
            .filter(|(code, _)| **code != Code::SyntaxError);
        noted.sum::<u64>() + lints.map(|(_, more)| more.count).sum::<u64>()
    }

    /// Whether there are findings.
    pub fn has_findings(&self) -> bool {
        !self.noted.is_empty() || !self.more.is_empty()
    }

    /// Whether there are enough findings for a report fragment.
    pub fn is_full(&self) -> bool {
        let (invalid, error_prone, bytes) = self.retained;
        invalid + error_prone >= PART.0 || bytes >= PART.1
    }

    /// The least number of lines with one record each; 0 if records span lines.
    pub fn filled_lines(&self) -> u64 {
        match self.records.checked_sub(self.breaks) {
            Some(further) => self.breaks.saturating_sub(further),
            None => 0,
        }
    }

    /// Takes the findings. Lines and records still count from the start.
    pub fn take(&mut self) -> LineFindings {
        let rest = LineFindings {
            breaks: self.breaks,
            records: self.records,
            first: self.first,
            is_continuation: true,
            ..LineFindings::default()
        };
        std::mem::replace(self, rest)
    }

    /// Appends the findings of the next segment, and retains at most `limit` lines of each kind (0: all).
    pub fn append(&mut self, next: LineFindings, limit: usize) {
        for mut noted in next.noted {
            noted.line += self.breaks;
            noted.record += self.records;
            if let Evidence::Excerpt(_, _, base) = &mut noted.evidence {
                base.line += self.breaks;
            }
            self.add(noted, limit);
        }
        for (code, mut more) in next.more {
            more.first.line += self.breaks;
            more.last.line += self.breaks;
            self.omit(code, more);
        }
        let first = next
            .first
            .map(|(record, error)| (record + self.records, error));
        self.first = self.first.or(first);
        self.limited |= next.limited;
        self.breaks += next.breaks;
        self.records += next.records;
    }

    /// Retains a line or, beyond the limits, counts its findings.
    pub(super) fn add(&mut self, noted: Noted, limit: usize) {
        if let Some(error) = noted.error {
            self.first = self.first.or(Some((noted.record, error)));
            self.limited |= error.kind == ErrorKind::TooDeep;
        }
        let length = match &noted.evidence {
            Evidence::Line(bytes) | Evidence::Excerpt(bytes, ..) => bytes.len(),
        };
        if self.has_room(noted.error.is_some(), length, limit) {
            let (invalid, error_prone, bytes) = &mut self.retained;
            match noted.error {
                Some(_) => *invalid += 1,
                None => *error_prone += 1,
            }
            *bytes += length;
            self.noted.push(noted);
            return;
        }
        let place = LineStart {
            line: noted.line,
            offset: noted.offset,
        };
        match noted.error {
            Some(_) => self.omit(Code::SyntaxError, More::one(place)),
            None => self.omit_lints(&noted.lints, place),
        }
    }

    /// Whether another line of this length may be retained.
    pub(super) fn has_room(&self, is_invalid: bool, length: usize, limit: usize) -> bool {
        let (invalid, error_prone, bytes) = self.retained;
        let number = if is_invalid { invalid } else { error_prone };
        (limit == 0 || number < limit) && bytes + length <= MAX_RETAINED
    }

    /// Whether no more valid lines are retained.
    pub fn are_lints_full(&self, limit: usize) -> bool {
        !self.has_room(false, 0, limit)
    }

    /// Counts the findings of a valid line.
    pub(super) fn omit_lints(&mut self, lints: &[Code], place: LineStart) {
        for &code in lints {
            self.omit(code, More::one(place));
        }
    }

    pub(super) fn omit(&mut self, code: Code, more: More) {
        let all = self.more.entry(code).or_insert(More { count: 0, ..more });
        all.count += more.count;
        if more.first.offset < all.first.offset {
            all.first = more.first;
        }
        if more.last.offset > all.last.offset {
            all.last = more.last;
        }
    }
}
