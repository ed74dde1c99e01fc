//! Diagnoses JSON Lines: joins the lines with findings into one text and diagnoses that.

use jsonx_core::diagnose::{Code, Diagnostic, Omitted, Report, Severity, diagnose};
use jsonx_core::lint;

use super::{Diagnoser, FileReport, unchecked};
use crate::check::InputKind;
use crate::check::lines::{Evidence, Found, Place, Search};
use crate::exit::Exit;
use crate::input::{BYTE_ORDER_MARK, Input};
use crate::report::{Checked, File, Position};

impl Diagnoser {
    /// What to search lines for that are checked one by one.
    pub fn search(&self, options: jsonx_core::Options) -> Search {
        Search {
            options,
            lints: self.levels.shown.with(Code::ByteOrderMark, false),
            limit: self.limit(),
        }
    }

    /// Reports on an input whose lines were checked one by one.
    pub fn lines(&self, input: &mut Input, found: Found) -> FileReport {
        self.lines_at(input, found, Severity::Error)
    }

    /// Reports on an input whose invalid lines were passed over: they are warnings, unless no line is valid.
    pub fn skipped_lines(&self, input: &mut Input, found: Found) -> FileReport {
        match found.invalid() < found.records {
            true => self.lines_at(input, found, Severity::Warning),
            false => self.lines(input, found),
        }
    }

    fn lines_at(&self, input: &mut Input, found: Found, invalid: Severity) -> FileReport {
        let mark =
            input.has_byte_order_mark() && self.levels.shown.byte_order_mark && !found.goes_on;
        let linted = lint::Findings {
            keys_unchecked: found.keys_unchecked,
            ..lint::Findings::default()
        };
        if found.noted.is_empty() && found.more.is_empty() && !mark {
            return self.sound(input, &linted);
        }
        let (name, length) = (input.name().clone(), input.length());
        if let Some((0, error)) = found.first
            && invalid == Severity::Error
            && !found.goes_on
            && let Some((report, head)) = self.foreign(input)
        {
            let file = File {
                cut: true,
                ..File::new(name.bytes(), &head)
            };
            return self.render(report, file, error, length);
        }
        let (first, limited) = (found.first, found.limited);
        let mut collected = self.collected(found);
        if mark {
            collected.byte_order_mark(&input.head());
        }
        let Collected {
            mut report,
            text,
            leaps,
        } = collected;
        let file = File {
            leaps: &leaps,
            ..File::new(name.bytes(), &text)
        };
        let mut said = match first {
            Some(_) if invalid == Severity::Warning => {
                let errors = report
                    .diagnostics
                    .iter_mut()
                    .map(|found| &mut found.severity);
                let omitted = report.omitted.iter_mut().map(|found| &mut found.severity);
                errors
                    .chain(omitted)
                    .for_each(|severity| *severity = invalid);
                report.warnings += std::mem::take(&mut report.errors);
                self.file_report(&Checked::valid(file, report, length), Exit::Done)
            }
            Some((_, error)) => self.render(report, file, error, length),
            None => {
                report.deny(self.levels.denied);
                let exit = match report.errors {
                    0 => Exit::Done,
                    _ => Exit::No,
                };
                self.file_report(&Checked::valid(file, report, length), exit)
            }
        };
        if limited {
            said.exit = said.exit.and(Exit::Failure);
        }
        said.aside += &unchecked(input, &linted);
        said
    }

    /// Joins the lines with findings into one text, with their diagnostics and their positions in the input.
    fn collected(&self, found: Found) -> Collected {
        // A valid first line, so that no later line is diagnosed as the start of a file.
        let mut all = Collected {
            text: b"0\n".to_vec(),
            leaps: Vec::new(),
            report: Report::default(),
        };
        let mut records = vec![0];
        for noted in &found.noted {
            if let Evidence::Line(line) = &noted.evidence {
                all.put(line, line_at(noted.line, noted.offset));
                records.push(noted.record + 1);
            }
        }
        all.report = diagnose(&all.text, &self.options(InputKind::Jsonl));
        for diagnostic in &mut all.report.diagnostics {
            let number = diagnostic.record.map_or(0, |record| record as usize - 1);
            diagnostic.record = records.get(number).copied();
        }
        for noted in found.noted {
            if let (Evidence::Excerpt(around, at, base), Some(error)) =
                (noted.evidence, noted.error)
            {
                let mut diagnostic = self.syntax_error(error, &around, at);
                diagnostic.record = Some(noted.record + 1);
                all.report.errors += 1;
                all.add(diagnostic, &around, base);
            }
        }
        for (code, more) in found.more {
            let mut mark = |place: Place| all.put(b"\n", line_at(place.line, place.offset));
            let (first, last) = (mark(more.first), mark(more.last));
            let severity = match code {
                Code::SyntaxError => Severity::Error,
                _ => Severity::Warning,
            };
            match severity {
                Severity::Error => all.report.errors += more.count,
                Severity::Warning => all.report.warnings += more.count,
            }
            let known = &mut all.report.omitted;
            match known.iter_mut().find(|other| other.code == code) {
                Some(other) => {
                    other.count += more.count;
                    other.last = last;
                }
                None => known.push(Omitted {
                    code,
                    severity,
                    count: more.count,
                    first,
                    last,
                }),
            }
        }
        all
    }
}

/// The start of a line, by the numbers of lines and bytes before it.
fn line_at(lines: u64, offset: u64) -> Position {
    Position {
        offset,
        line: lines + 1,
        ..Position::START
    }
}

/// Lines of an input, and their diagnostics.
struct Collected {
    text: Vec<u8>,
    leaps: Vec<(usize, Position)>,
    report: Report,
}

impl Collected {
    /// Appends bytes from this position of the input, and returns their offset in the text.
    fn put(&mut self, bytes: &[u8], place: Position) -> usize {
        if !self.text.ends_with(b"\n") {
            self.text.push(b'\n');
        }
        let start = self.text.len();
        self.leaps.push((start, place));
        self.text.extend_from_slice(bytes);
        start
    }

    /// Appends bytes and inserts their diagnostic in the order of the input.
    fn add(&mut self, mut diagnostic: Diagnostic, bytes: &[u8], place: Position) {
        let place_of = |at: usize| {
            let leap = self.leaps.partition_point(|leap| leap.0 <= at);
            leap.checked_sub(1)
                .map_or(0, |leap| self.leaps[leap].1.offset)
        };
        let after = |other: &Diagnostic| place_of(other.span.start) > place.offset;
        let others = &self.report.diagnostics;
        let number = others.iter().position(after).unwrap_or(others.len());
        let start = self.put(bytes, place);
        diagnostic.span.start += start;
        diagnostic.span.end += start;
        diagnostic.show.iter_mut().for_each(|show| *show += start);
        self.report.diagnostics.insert(number, diagnostic);
    }

    /// Adds a warning about the byte-order mark; `head` is the start of the input.
    fn byte_order_mark(&mut self, head: &[u8]) {
        let mut warning = lint::byte_order_mark(head);
        // The mark itself is not shown.
        let mark = BYTE_ORDER_MARK.len();
        warning.span.start -= mark;
        warning.span.end -= mark;
        warning.fix = None;
        let line = memchr::memchr(b'\n', head).unwrap_or(head.len());
        let place = Position {
            offset: mark as u64,
            ..Position::START
        };
        self.report.warnings += 1;
        self.add(warning, &head[mark..line], place);
    }
}
