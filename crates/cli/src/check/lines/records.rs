//! Collects the invalid and error-prone lines of a text. Memory depends on their number, not on the length of the text.
//!
//! ```text
//! bytes ──► whole lines ──► checked together, as a stream ──► one value per line ──► lines with findings
//!    │                                         └─ otherwise ──► checked one by one ──► invalid or error-prone lines
//!    └────► the start of an incomplete line: buffered or, if it is long, checked as it arrives
//! ```

mod long;

use std::collections::BTreeMap;
use std::iter;

use jsonx_core::diagnose::Code;
use jsonx_core::engine::{Mode, OnePerLine, Options, Stop, Validator};
use jsonx_core::position::LineCounter;
use jsonx_core::{ErrorKind, SyntaxError};

use crate::check::{Checks, Findings, Value};
use crate::input::BLOCK;
use crate::report::Position;
use jsonx_schema::RECORD;
use long::Long;

/// Maximum length in bytes of a line that is buffered whole.
const MAX_LINE: usize = 8 << 20;

/// The same limit if a check needs whole lines.
const MAX_WHOLE_LINE: usize = 256 << 20;

/// Maximum number of bytes of retained lines, whatever the limit of findings: if every line is invalid, the lines are as long
/// as the file.
const MAX_RETAINED: usize = 64 << 20;

/// Number of lines with findings, and of their bytes, after which they are reported before the rest is checked, if all are to
/// be reported.
const PART: (usize, usize) = (1024, 256 << 10);

/// The options and checks for lines.
#[derive(Clone)]
pub struct Search {
    /// Options for one value.
    pub options: Options,
    /// The checks for valid lines.
    pub checks: Checks,
    /// Maximum number of invalid lines to retain, and of error-prone lines; 0 for all.
    pub limit: usize,
}

impl Search {
    /// The same search for invalid lines only.
    pub fn without_checks(self) -> Search {
        Search {
            checks: Checks::default(),
            ..self
        }
    }
}

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
    /// Memory ran out, so it is not known whether all lines are valid.
    pub out_of_memory: bool,
    /// Not all keys were compared.
    pub keys_unchecked: bool,
    /// Earlier findings of the same input have already been taken.
    pub is_continuation: bool,
    /// The number of invalid lines in [`LineFindings::noted`], of error-prone lines, and of their bytes.
    retained: (usize, usize, usize),
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
    fn one(place: LineStart) -> More {
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

    /// Whether there are findings.
    fn has_findings(&self) -> bool {
        !self.noted.is_empty() || !self.more.is_empty()
    }

    /// Whether there are enough findings for a report fragment.
    pub fn is_full(&self) -> bool {
        let (invalid, error_prone, bytes) = self.retained;
        invalid + error_prone >= PART.0 || bytes >= PART.1
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
        self.out_of_memory |= next.out_of_memory;
        self.keys_unchecked |= next.keys_unchecked;
        self.breaks += next.breaks;
        self.records += next.records;
    }

    /// Retains a line or, beyond the limits, counts its findings.
    fn add(&mut self, noted: Noted, limit: usize) {
        if let Some(error) = noted.error {
            if error.kind == ErrorKind::OutOfMemory {
                self.out_of_memory = true;
                return;
            }
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
    fn has_room(&self, is_invalid: bool, length: usize, limit: usize) -> bool {
        let (invalid, error_prone, bytes) = self.retained;
        let number = if is_invalid { invalid } else { error_prone };
        (limit == 0 || number < limit) && bytes + length <= MAX_RETAINED
    }

    /// Whether no more valid lines are retained.
    pub fn are_lints_full(&self, limit: usize) -> bool {
        !self.has_room(false, 0, limit)
    }

    /// Counts the findings of a valid line.
    fn omit_lints(&mut self, lints: &[Code], place: LineStart) {
        for &code in lints {
            self.omit(code, More::one(place));
        }
    }

    fn omit(&mut self, code: Code, more: More) {
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
    held: Vec<u8>,
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
            held: Vec::new(),
            long: None,
            found: LineFindings::default(),
        }
    }

    /// Retains no valid lines, because enough were before them.
    pub fn only_count_lints(&mut self) {
        self.found.retained.1 = self.search.limit;
    }

    /// Whether there are findings that have not been taken.
    pub fn has_findings(&self) -> bool {
        self.found.has_findings()
    }

    /// Whether there are enough findings for a report fragment, if all are to be reported.
    pub fn is_full(&self) -> bool {
        self.search.limit == 0 && self.found.is_full()
    }

    /// Takes the findings since the last call, up to the last line break. Lines and records still count from the start.
    pub fn take(&mut self) -> LineFindings {
        self.found.take()
    }

    /// Skips whole lines that are known to be valid, with so many line feeds. `records` of them are not blank.
    pub fn skip(&mut self, text: &[u8], line_feeds: u64, records: u64) {
        self.offset += text.len() as u64;
        self.found.breaks += line_feeds + lone_returns(text);
        self.found.records += records;
    }

    /// Adds the findings of another search in the next whole lines, which have `length` bytes.
    pub fn append(&mut self, length: usize, found: LineFindings) {
        self.offset += length as u64;
        self.found.append(found, self.search.limit);
    }

    /// Checks the next bytes.
    pub fn push(&mut self, mut bytes: &[u8]) {
        if self.long.is_some() || !self.held.is_empty() {
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
        let last = std::mem::take(&mut self.held);
        self.lines(&last);
        self.found
    }

    /// Appends bytes to the incomplete line, including its line break if `ends`.
    fn extend_line(&mut self, bytes: &[u8], ends: bool) {
        if let Some(mut long) = self.long.take() {
            long.push(&bytes[..bytes.len() - usize::from(ends)]);
            self.offset += bytes.len() as u64;
            match ends {
                true => self.end_long(long, true),
                false => self.long = Some(long),
            }
            return;
        }
        self.held.extend_from_slice(bytes);
        if ends {
            let mut line = std::mem::take(&mut self.held);
            self.lines(&line);
            line.clear();
            self.held = line;
        } else if self.held.len() > self.longest_line() {
            let held = std::mem::take(&mut self.held);
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
            long.push(&held);
            self.offset += held.len() as u64;
            self.long = Some(long);
        }
    }

    /// Maximum length in bytes of a line that is buffered whole.
    fn longest_line(&self) -> usize {
        match self.reads_values {
            true => MAX_WHOLE_LINE,
            false => MAX_LINE,
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
            for line in each_line(text) {
                self.line(line);
                self.offset += line.len() as u64;
            }
            return;
        }
        let mut findings = self.together.end();
        let options = self.search.options;
        let suspects = self.together.suspects(text, options, &mut findings);
        if findings.are_none() && suspects.as_ref().is_some_and(Vec::is_empty) {
            self.found.keys_unchecked |= findings.linted.keys_unchecked;
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
        self.found.keys_unchecked |= findings.linted.keys_unchecked;
        let mut linted = findings.linted.findings.iter().peekable();
        let mut end = 0;
        for line in each_line(text) {
            end += line.len() as u64;
            let content = line.strip_suffix(b"\n").unwrap_or(line);
            if !is_blank(content) {
                let of_line = iter::from_fn(|| linted.next_if(|finding| finding.offset < end));
                let codes = of_line.map(|finding| finding.code).collect();
                let is_suspect = suspects
                    .as_mut()
                    .is_none_or(|all| all.next_if(|at| (**at as u64) < end).is_some());
                match is_suspect {
                    true => self.read_line(line, codes, findings.keys_differ),
                    false => self.valid_line(line, codes),
                }
                self.found.records += 1;
            }
            self.pass(line, content);
            self.offset += line.len() as u64;
        }
    }

    /// Handles a line of a batch that is invalid.
    fn line(&mut self, line: &[u8]) {
        let content = line.strip_suffix(b"\n").unwrap_or(line);
        if !is_blank(content) {
            let validator = Validator::new(self.search.options);
            match validator.check(content, &mut self.alone) {
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
                    self.note(line, Some(error), Vec::new());
                }
            }
            self.found.records += 1;
        }
        self.pass(line, content);
    }

    /// Handles a valid line with these findings in its tokens, and perhaps others in its value.
    fn read_line(&mut self, line: &[u8], mut codes: Vec<Code>, keys_differ: bool) {
        if self.reads_values {
            let value = Value {
                text: line.strip_suffix(b"\n").unwrap_or(line),
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
        self.valid_line(line, codes);
    }

    /// Handles a valid line with these findings.
    fn valid_line(&mut self, line: &[u8], codes: Vec<Code>) {
        if !codes.is_empty() {
            self.note(line, None, codes);
        }
    }

    /// Retains a line with its findings or, beyond the limits, counts them.
    fn note(&mut self, line: &[u8], error: Option<SyntaxError>, lints: Vec<Code>) {
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

    /// Counts the breaks of a line.
    fn pass(&mut self, line: &[u8], content: &[u8]) {
        self.found.breaks += u64::from(content.len() < line.len()) + lone_returns(line);
    }

    /// The codes of findings.
    fn codes(&mut self, findings: &Findings) -> Vec<Code> {
        self.found.keys_unchecked |= findings.linted.keys_unchecked;
        findings.codes()
    }
}

/// The lines of a text, with their line feeds.
pub fn each_line(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    iter::from_fn(move || {
        let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        let (line, after) = rest.split_at(end);
        rest = after;
        (!line.is_empty()).then_some(line)
    })
}

/// Whether a line has only white space.
fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}

/// Counts line feeds.
pub fn line_feeds(text: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', text).count() as u64
}

/// Counts carriage returns not followed by a line feed. Only line feeds end a record, but in positions these end a line too.
fn lone_returns(text: &[u8]) -> u64 {
    let returns = memchr::memchr_iter(b'\r', text);
    returns
        .filter(|at| text.get(at + 1) != Some(&b'\n'))
        .count() as u64
}

#[cfg(test)]
pub(super) mod tests;
