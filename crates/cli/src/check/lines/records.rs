//! Collects the invalid and error-prone lines of a text. Memory depends on their number, not on the length of the text.
//!
//! ```text
//! bytes ──► whole lines ──► checked together, as a stream ──► one value per line ──► lines with findings
//!    │                                         └─ otherwise ──► checked one by one ──► invalid or error-prone lines
//!    └────► the start of an incomplete line: buffered or, if it is long, checked as it arrives
//! ```

mod findings;
mod long;

use std::iter;

use jsonx_core::SyntaxError;
use jsonx_core::engine::{Mode, OnePerLine, Options, Stop, Validator, Verdict};
use jsonx_core::position::LineCounter;
use jsonx_diagnose::Code;

use super::guess::stream_error;
use super::line::{content, each_line, is_blank, line_breaks, lone_returns};
use crate::check::{Checks, Findings, Value};
use crate::input::BLOCK;
pub use findings::{Evidence, LineFindings, LineStart, More, Noted};
use jsonx_schema::RECORD;
use long::Long;

/// Maximum length in bytes of a line that is buffered whole.
const MAX_LINE: usize = 8 << 20;

/// The same limit if a check needs whole lines.
const MAX_WHOLE_LINE: usize = 256 << 20;

/// Counts of a valid text.
#[derive(Clone, Copy, Default)]
pub struct Counts {
    pub line_feeds: u64,
    pub records: u64,
}

/// The options and checks for lines.
#[derive(Clone)]
pub struct Search {
    /// Options for one value.
    pub options: Options,
    /// The checks for valid lines.
    pub checks: Checks,
    /// Maximum number of invalid lines to retain, and of error-prone lines; 0 for all.
    pub limit: usize,
    /// A line with several values is error-prone, not invalid.
    pub takes_several: bool,
}

impl Search {
    /// The same search for a command that reads the records: for invalid lines, and for several values on a line.
    pub fn for_reading(self) -> Search {
        Search {
            checks: Checks::default(),
            takes_several: true,
            ..self
        }
    }
}

/// Checks the lines of a segment of an input, which arrives in chunks of any length.
pub struct Records {
    search: Search,
    /// The checks of many valid lines together.
    together: Checks,
    /// The checks of one line, if others are invalid.
    alone: Checks,
    /// Whether a check needs the text of each line.
    reads_values: bool,
    /// Offset in the input of the next byte.
    offset: u64,
    /// The start of an incomplete line.
    partial: Vec<u8>,
    long: Option<Long>,
    found: LineFindings,
}

impl Records {
    /// Creates a check of the lines from `offset` on, which is the start of a line.
    pub fn new(search: Search, offset: u64) -> Records {
        Records {
            together: search.checks.restart(0),
            alone: search.checks.restart(0),
            reads_values: search.checks.read_values(),
            search,
            offset,
            partial: Vec::new(),
            long: None,
            found: LineFindings::default(),
        }
    }

    /// Retains no valid lines, because enough were before them.
    pub fn only_count_lints(&mut self) {
        self.found.retained.1 = self.search.limit;
    }

    /// Whether a line with several values is read.
    pub fn take_several(&self) -> bool {
        self.search.takes_several
    }

    /// Offset in the input of the next byte.
    #[cfg(feature = "jq")]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Takes the findings so far. Lines and records count from here.
    pub fn drain(&mut self) -> LineFindings {
        std::mem::take(&mut self.found)
    }

    /// Skips whole lines that are known to be a valid stream, after `before` lines with one value each. Notes those with several
    /// values, if most lines have one.
    pub fn skip(&mut self, text: &[u8], counts: Counts, before: u64) {
        let lines = counts.line_feeds + u64::from(!text.ends_with(b"\n"));
        if self.search.takes_several && counts.records > lines {
            self.note_several(text, before + self.found.filled_lines());
        }
        self.offset += text.len() as u64;
        self.found.breaks += counts.line_feeds + lone_returns(text);
        self.found.records += counts.records;
    }

    /// Notes the lines with several values, as two writers of a log leave them. In a stream that has many of them, as in one in
    /// which values span lines, line breaks mean nothing.
    fn note_several(&mut self, text: &[u8], mut single: u64) {
        /// Of the lines examined, more than this number with several values end the search: few streams are logs.
        const PATIENCE: u64 = 8;

        let options = self.search.options.mode(Mode::Stream);
        let (mut line_number, mut record, mut offset) =
            (self.found.breaks, self.found.records, self.offset);
        let mut several = Vec::new();
        for line in each_line(text) {
            let mut values = OnePerLine::new(Verdict);
            if Validator::new(options).check(line, &mut values).is_err() {
                return;
            }
            match values.values() {
                0 => {}
                1 => single += 1,
                _ => several.push(Noted {
                    line: line_number,
                    record,
                    offset,
                    error: None,
                    lints: vec![Code::MultipleValues],
                    evidence: Evidence::Line(line.to_vec()),
                }),
            }
            if several.len() as u64 > single + PATIENCE {
                return;
            }
            line_number += line_breaks(line);
            record += values.values();
            offset += line.len() as u64;
        }
        if several.len() as u64 <= single {
            for noted in several {
                self.found.add(noted, self.search.limit);
            }
        }
    }

    /// Checks the next bytes.
    pub fn push(&mut self, mut bytes: &[u8]) {
        if self.long.is_some() || !self.partial.is_empty() {
            let end = memchr::memchr(b'\n', bytes);
            let (head, rest) = bytes.split_at(end.map_or(bytes.len(), |end| end + 1));
            self.extend_line(head, end.is_some());
            bytes = rest;
        }
        if bytes.is_empty() {
            return;
        }
        let end = memchr::memrchr(b'\n', bytes).map_or(0, |end| end + 1);
        let (whole, start) = bytes.split_at(end);
        self.lines(whole);
        if !start.is_empty() {
            self.extend_line(start, false);
        }
    }

    /// Ends the segment and returns its findings.
    pub fn finish(mut self) -> LineFindings {
        if let Some(long) = self.long.take() {
            self.end_long(long, false);
        }
        let last = std::mem::take(&mut self.partial);
        self.lines(&last);
        self.found
    }

    /// Appends bytes to the incomplete line, including its line break if `ends`.
    fn extend_line(&mut self, bytes: &[u8], ends: bool) {
        if let Some(mut long) = self.long.take() {
            long.push(&bytes[..bytes.len() - usize::from(ends)]);
            self.offset += bytes.len() as u64;
            if ends {
                self.end_long(long, true)
            } else {
                self.long = Some(long)
            }
            return;
        }
        self.partial.extend_from_slice(bytes);
        if ends {
            let mut line = std::mem::take(&mut self.partial);
            self.lines(&line);
            line.clear();
            self.partial = line;
        } else if self.partial.len() > self.longest_line() {
            let partial = std::mem::take(&mut self.partial);
            let mut checks = self.search.checks.restart(0);
            checks.begin(self.offset, None);
            let mut long = Long {
                offset: self.offset,
                validator: Validator::new(self.search.options),
                pending: Vec::with_capacity(BLOCK),
                counter: LineCounter::new(),
                returns: 0,
                ends_in_return: false,
                checks,
                error: None,
            };
            long.push(&partial);
            self.offset += partial.len() as u64;
            self.long = Some(long);
        }
    }

    /// Maximum length in bytes of a line that is buffered whole.
    fn longest_line(&self) -> usize {
        if self.reads_values {
            MAX_WHOLE_LINE
        } else {
            MAX_LINE
        }
    }

    fn end_long(&mut self, mut long: Long, with_break: bool) {
        long.end();
        let (line, offset) = (self.found.breaks, long.offset);
        if let Some((error, mut evidence)) = long.error {
            if let Evidence::Excerpt(_, _, base) = &mut evidence {
                base.line += line;
            }
            let noted = Noted {
                line,
                record: self.found.records,
                offset,
                error: Some(error),
                lints: Vec::new(),
                evidence,
            };
            self.found.add(noted, self.search.limit);
        } else {
            // The text of the line has been discarded, so its findings are only counted.
            let found = long.checks.end();
            let mut codes = self.codes(&found);
            codes.extend(long.checks.too_long());
            self.found.limited |= self.reads_values;
            self.found.omit_lints(&codes, LineStart { line, offset });
        }
        self.found.records += 1;
        self.found.breaks += u64::from(with_break);
        self.found.breaks += long.returns;
    }

    /// Checks whole lines; the last one may lack its line break.
    fn lines(&mut self, text: &[u8]) {
        let mut lines = OnePerLine::new(&mut self.together);
        let stream = Validator::new(self.search.options.mode(Mode::Stream));
        let are_valid = stream.check(text, &mut lines).is_ok() && lines.holds();
        let (breaks, filled) = (lines.breaks(), lines.filled());
        if !are_valid {
            self.together.discard();
            self.each_filled(text, |records, line| records.line(line));
            return;
        }
        let mut findings = self.together.end();
        let options = self.search.options;
        let suspects = self.together.suspects(text, options, &mut findings);
        if findings.are_none() && suspects.as_ref().is_some_and(Vec::is_empty) {
            self.found.breaks += breaks + lone_returns(text);
            self.found.records += filled;
            self.offset += text.len() as u64;
            return;
        }
        self.valid_lines(text, &findings, suspects.as_deref());
    }

    /// Handles valid lines with these findings in their tokens, and others in the values at `suspects`, or anywhere.
    fn valid_lines(&mut self, text: &[u8], findings: &Findings, suspects: Option<&[usize]>) {
        let mut suspects = suspects.map(|all| all.iter().peekable());
        let mut linted = findings.linted.findings.iter().peekable();
        let start = self.offset;
        self.each_filled(text, |records, line| {
            let end = records.offset - start + line.len() as u64;
            let of_line = iter::from_fn(|| linted.next_if(|finding| finding.offset < end));
            let codes = of_line.map(|finding| finding.code).collect();
            let is_suspect = suspects
                .as_mut()
                .is_none_or(|all| all.next_if(|at| (**at as u64) < end).is_some());
            if is_suspect {
                records.read_line(line, codes, findings.keys_differ)
            } else {
                records.note(line, None, codes)
            }
        });
    }

    /// Passes the non-blank lines of a text to `check`, and counts them.
    fn each_filled(&mut self, text: &[u8], mut check: impl FnMut(&mut Records, &[u8])) {
        for line in each_line(text) {
            if !is_blank(content(line)) {
                check(self, line);
                self.found.records += 1;
            }
            self.found.breaks += u64::from(line.ends_with(b"\n")) + lone_returns(line);
            self.offset += line.len() as u64;
        }
    }

    /// Handles a line of a batch that is invalid.
    fn line(&mut self, line: &[u8]) {
        let options = self.search.options;
        match Validator::new(options).check(content(line), &mut self.alone) {
            Ok(()) => {
                let findings = self.alone.end();
                let codes = self.codes(&findings);
                self.read_line(line, codes, findings.keys_differ);
            }
            Err(Stop::Invalid(error)) => {
                self.alone.discard();
                let error = SyntaxError {
                    offset: self.offset + error.offset,
                    ..error
                };
                if self.search.takes_several && stream_error(content(line), options).is_none() {
                    self.note(line, None, vec![Code::MultipleValues])
                } else {
                    self.note(line, Some(error), Vec::new())
                }
            }
        }
    }

    /// Handles a valid line with these findings in its tokens, and possibly others in its value.
    fn read_line(&mut self, line: &[u8], mut codes: Vec<Code>, keys_differ: bool) {
        if self.reads_values {
            let value = Value {
                text: content(line),
                offset: 0,
                options: self.search.options,
                called: RECORD,
            };
            let mut findings = Findings {
                keys_differ,
                ..Findings::default()
            };
            if let Err(error) = self.alone.value(&value, &mut findings) {
                self.note(line, Some(error), Vec::new());
                return;
            }
            self.found.limited |= findings.limited;
            codes.append(&mut findings.codes());
        }
        self.note(line, None, codes);
    }

    /// Retains a line with its findings, if there are any, or, beyond the limits, counts them.
    fn note(&mut self, line: &[u8], error: Option<SyntaxError>, lints: Vec<Code>) {
        if error.is_none() && lints.is_empty() {
            return;
        }
        let limit = self.search.limit;
        if error.is_none() && !self.found.has_room(false, line.len(), limit) {
            let place = LineStart {
                line: self.found.breaks,
                offset: self.offset,
            };
            self.found.omit_lints(&lints, place);
            return;
        }
        let noted = Noted {
            line: self.found.breaks,
            record: self.found.records,
            offset: self.offset,
            error,
            lints,
            evidence: Evidence::Line(line.to_vec()),
        };
        self.found.add(noted, limit);
    }

    /// The codes of findings.
    fn codes(&mut self, findings: &Findings) -> Vec<Code> {
        findings.codes()
    }
}

#[cfg(test)]
pub(super) mod tests;
