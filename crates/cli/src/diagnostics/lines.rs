//! Diagnoses JSON Lines: joins the lines with findings into one text and diagnoses that.

use std::collections::BTreeMap;
use std::io;

use jsonx_core::engine::{Mode, Options, Validator};
use jsonx_diagnose::lint::Linter;
use jsonx_diagnose::{Code, Lints, Omitted, Report, Severity, diagnose};

use super::collected::{Collected, FIRST_LINE};
use super::valid::encoding;
use super::{Diagnoser, FileReport, invalid_at};
use crate::check::lines::{Evidence, LineFindings, LineStart, More, Noted, Search, each_line};
use crate::check::{Checks, Findings, InputKind, Value};
use crate::exit::Exit;
use crate::input::{Input, Name};
use crate::report::{Checked, Counts, File, Outcome, Position};
use jsonx_schema::RECORD;

/// The advice for a log with invalid lines.
pub const SKIPS: &str = "`--skip-invalid` skips invalid lines, with a warning for each";

/// Prints a part of the report on an input.
pub type Deliver<'a> = dyn FnMut(FileReport) -> io::Result<()> + 'a;

/// The input, for the report on JSON Lines.
pub struct Origin {
    name: Name,
    has_byte_order_mark: bool,
    head: Vec<u8>,
    length: u64,
    note: String,
}

impl Origin {
    /// From an input and the part read so far.
    pub fn new(input: &mut Input) -> Origin {
        Origin {
            name: input.name().clone(),
            has_byte_order_mark: input.has_byte_order_mark(),
            head: input.head(),
            length: input.length(),
            note: encoding(input),
        }
    }
}

/// The report on an input whose lines were checked one by one: any number of parts, and the rest.
pub struct LinesReport<'d> {
    diagnoser: &'d Diagnoser,
    earlier: Counts,
    /// Parts were reported before.
    is_continuation: bool,
    /// The severity of an invalid line.
    invalid: Severity,
    /// Each line has one finding, because a reading command only needs to report that the line was skipped.
    is_brief: bool,
    /// The checks of the lines, which need the text of each, and the options of one.
    readers: Option<(Checks, Options)>,
    exit: Exit,
}

impl Diagnoser {
    /// The lints for lines that are checked one by one.
    pub fn search(&self, options: Options) -> Search {
        Search {
            options,
            checks: Checks::new(self.lints(), None, self.limit()),
            limit: self.limit(),
            takes_several: false,
        }
    }
}

impl<'d> LinesReport<'d> {
    /// A report without findings so far.
    pub fn new(diagnoser: &'d Diagnoser) -> Self {
        LinesReport {
            diagnoser,
            earlier: Counts::default(),
            is_continuation: false,
            invalid: Severity::Error,
            is_brief: false,
            readers: None,
            exit: Exit::Done,
        }
    }

    /// Also reports the findings of checks that read values.
    #[must_use]
    pub fn with_checks(self, search: &Search) -> Self {
        let reads_values = search.checks.read_values();
        let readers = reads_values.then(|| (search.checks.clone(), search.options));
        LinesReport { readers, ..self }
    }

    /// A report of skipped lines. With `skips`, they are warnings, unless no line is valid.
    #[must_use]
    pub fn of_unread(self, found: &LineFindings, skips: bool) -> Self {
        let invalid = if skips && found.invalid() < found.records {
            Severity::Warning
        } else {
            Severity::Error
        };
        LinesReport {
            invalid,
            is_brief: true,
            ..self
        }
    }

    /// Reports findings; more may follow.
    pub fn part(&mut self, origin: &Origin, found: LineFindings) -> FileReport {
        let report = self.render(origin, found, Outcome::Unfinished);
        self.is_continuation = true;
        report
    }

    /// Reports the last findings.
    pub fn finish(mut self, origin: &Origin, found: LineFindings) -> FileReport {
        let note = if found.noted.is_empty() && found.more.is_empty() {
            ""
        } else {
            &origin.note
        };
        let outcome = match found.first {
            Some((_, error)) if self.invalid == Severity::Error => Outcome::Invalid {
                at: invalid_at(error),
            },
            _ => Outcome::Valid,
        };
        let mut report = self.render(origin, found, outcome);
        report.messages += note;
        report
    }

    fn render(&mut self, origin: &Origin, found: LineFindings, outcome: Outcome) -> FileReport {
        let (diagnoser, name) = (self.diagnoser, &origin.name);
        self.is_continuation |= found.is_continuation;
        let unfinished = outcome == Outcome::Unfinished;
        let mark = origin.has_byte_order_mark
            && diagnoser.levels.shown.byte_order_mark
            && !self.is_continuation;
        let are_clean = found.noted.is_empty() && found.more.is_empty() && !mark;
        if are_clean && !unfinished && !self.is_continuation {
            return diagnoser.sound(name, origin.length);
        }
        let first = found.first;
        let has_valid = found.invalid() < found.records;
        if let Some((0, error)) = first
            && !self.is_continuation
            && self.invalid == Severity::Error
            && !(self.is_brief && has_valid)
            && let Some(report) = diagnoser.foreign(&origin.head)
        {
            let file = File {
                cut: true,
                ..File::new(name.bytes(), &origin.head)
            };
            let exit = diagnoser.exit(error);
            self.exit = self.exit.and(exit);
            return FileReport {
                exit,
                ..self.rest(report, file, outcome, origin.length)
            };
        }
        let limited = found.limited;
        let mut collected = if self.is_brief {
            diagnoser.first_of_lines(found)
        } else {
            diagnoser.collected(found, self.readers.as_mut())
        };
        let errors = &mut collected.report.diagnostics;
        let mut errors = errors
            .iter_mut()
            .filter(|it| it.severity == Severity::Error);
        if let Some(error) = errors.next()
            && self.is_brief
            && self.invalid == Severity::Error
            && has_valid
            && !self.is_continuation
        {
            error.help.push(SKIPS.to_owned());
        }
        if mark {
            collected.byte_order_mark(&origin.head);
        }
        let file = File {
            leaps: &collected.leaps,
            ..File::new(name.bytes(), &collected.text)
        };
        let mut rendered = self.rest(collected.report, file, outcome, origin.length);
        let exit = match first {
            Some((_, error)) if self.invalid == Severity::Error => diagnoser.exit(error),
            Some(_) => Exit::Done,
            None if rendered.exit == Exit::Done => Exit::Done,
            None => Exit::No,
        };
        self.exit = self.exit.and(exit);
        if limited {
            self.exit = self.exit.and(Exit::Failure);
        }
        rendered.exit = self.exit;
        rendered
    }

    /// Renders findings that were not reported yet.
    fn rest(
        &mut self,
        mut report: Report,
        file: File<'_>,
        outcome: Outcome,
        length: u64,
    ) -> FileReport {
        if self.invalid == Severity::Warning {
            let shown = report.diagnostics.iter_mut().map(|it| &mut it.severity);
            let omitted = report.omitted.iter_mut().map(|it| &mut it.severity);
            shown
                .chain(omitted)
                .for_each(|severity| *severity = Severity::Warning);
            report.warnings += std::mem::take(&mut report.errors);
        }
        report.deny(self.diagnoser.levels.denied);
        let mut earlier = Counts::default();
        let mut length = length;
        if outcome == Outcome::Unfinished {
            length = 0;
            self.earlier.errors += report.errors;
            self.earlier.warnings += report.warnings;
        } else {
            earlier = self.earlier;
            report.errors += earlier.errors;
            report.warnings += earlier.warnings;
        }
        let exit = match report.errors {
            0 => Exit::Done,
            _ => Exit::No,
        };
        let checked = Checked {
            file,
            report,
            earlier,
            outcome,
            length,
        };
        self.diagnoser.file_report(&checked, exit)
    }
}

impl Diagnoser {
    /// Like [`Diagnoser::collected`], with the first finding of each line.
    fn first_of_lines(&self, found: LineFindings) -> Collected {
        let options = self.options(InputKind::Jsonl);
        let mut all = Collected::new();
        for noted in &found.noted {
            let Evidence::Line(line) = &noted.evidence else {
                continue;
            };
            let start = all.put(line, line_at(noted.line, noted.offset));
            // A line is diagnosed separately, and not as a first line, so that it is not mistaken for the start of another
            // format.
            let text = [FIRST_LINE, line].concat();
            let report = diagnose(&text, &options);
            let mut errors = report.diagnostics.into_iter();
            let found = errors.find(|it| it.severity == Severity::Error);
            let mut finding = match (found.filter(|_| report.text.is_none()), noted.error) {
                (Some(finding), _) => finding,
                (None, Some(error)) => {
                    let within = (error.offset - noted.offset) as usize;
                    self.syntax_error(error, &text, FIRST_LINE.len() + within)
                }
                (None, None) => continue,
            };
            finding.shift(start - FIRST_LINE.len());
            finding.record = Some(noted.record + 1);
            match noted.error {
                Some(_) => all.report.errors += 1,
                None => {
                    finding.severity = Severity::Warning;
                    all.report.warnings += 1;
                }
            }
            all.report.diagnostics.push(finding);
        }
        self.add_unheld(&mut all, found.noted, found.more, |code| match code {
            Code::SyntaxError => Severity::Error,
            _ => Severity::Warning,
        });
        all
    }

    /// Joins the lines with findings into one text, with their diagnostics and their positions in the input.
    fn collected(
        &self,
        found: LineFindings,
        mut readers: Option<&mut (Checks, Options)>,
    ) -> Collected {
        let mut all = Collected::new();
        let mut records = vec![0];
        let mut read = Findings::default();
        for noted in &found.noted {
            if let Evidence::Line(line) = &noted.evidence {
                let start = all.put(line, line_at(noted.line, noted.offset));
                records.push(noted.record + 1);
                if let (Some((checks, options)), None) = (&mut readers, noted.error) {
                    let value = Value {
                        text: line,
                        offset: start,
                        options: *options,
                        called: RECORD,
                    };
                    let before = read.diagnostics.len();
                    // It was read before.
                    let _ = checks.value(&value, &mut read);
                    for finding in &mut read.diagnostics[before..] {
                        finding.record = Some(noted.record + 1);
                    }
                }
            }
        }
        all.report = if found.noted.iter().all(|noted| noted.error.is_none()) {
            lint_valid(&all.text, self.lints(), self.limit())
        } else {
            diagnose(&all.text, &self.options(InputKind::Jsonl))
        };
        for diagnostic in &mut all.report.diagnostics {
            let number = diagnostic.record.map_or(0, |record| record as usize - 1);
            diagnostic.record = records.get(number).copied();
        }
        super::schema::add(&mut all.report, read.diagnostics, self.described());
        self.add_unheld(&mut all, found.noted, found.more, |code| {
            match (code, &readers) {
                (Code::SyntaxError, _) => Severity::Error,
                (other, Some((checks, _))) => checks.severity(other),
                (other, None) => other.severity(),
            }
        });
        all
    }

    /// Adds the errors in lines with only an excerpt, and the counts of findings.
    fn add_unheld(
        &self,
        all: &mut Collected,
        noted: Vec<Noted>,
        more: BTreeMap<Code, More>,
        severity: impl Fn(Code) -> Severity,
    ) {
        for noted in noted {
            if let (Evidence::Excerpt(around, at, base), Some(error)) =
                (noted.evidence, noted.error)
            {
                let mut diagnostic = self.syntax_error(error, &around, at);
                diagnostic.record = Some(noted.record + 1);
                all.report.errors += 1;
                all.add(diagnostic, &around, base);
            }
        }
        for (code, more) in more {
            let mut mark = |place: LineStart| all.put(b"\n", line_at(place.line, place.offset));
            let (first, last) = (mark(more.first), mark(more.last));
            let severity = severity(code);
            match severity {
                Severity::Error => all.report.errors += more.count,
                Severity::Warning => all.report.warnings += more.count,
            }
            let omitted = Omitted {
                code,
                severity,
                count: more.count,
                first,
                last,
            };
            omitted.add_to(&mut all.report.omitted);
        }
    }
}

/// Reports the same findings in valid lines as [`diagnose`], in a tenth of the time.
fn lint_valid(text: &[u8], lints: Lints, limit: usize) -> Report {
    let mut linter = Linter::new(lints, limit);
    let (mut offset, mut records) = (0, 0);
    for line in each_line(text) {
        if !line.trim_ascii().is_empty() {
            records += 1;
            linter.begin(offset, Some(records));
            let validator = Validator::new(Options::default().max_depth(u64::MAX));
            let checked = validator.check(line, &mut linter);
            debug_assert!(checked.is_ok());
        }
        offset += line.len() as u64;
    }
    linter.finish().report(text, 0, Mode::One)
}

/// The start of a line, by the numbers of lines and bytes before it.
fn line_at(lines: u64, offset: u64) -> Position {
    Position {
        offset,
        line: lines + 1,
        ..Position::START
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jsonx_diagnose::{DiagnoseOptions, Framing};
    use proptest::prelude::*;

    fn valid_line() -> impl Strategy<Value = String> {
        prop_oneof![
            3 => Just(r#"{"id": 9007199254740993, "of": {"ids": [1, -9007199254740993, 1e400]}}"#.to_owned()),
            2 => Just(r#"{"a": 1, "\u0061": "\ud800 \udc00 \ud800", "a": [1e999]}"#.to_owned()),
            1 => Just("9007199254740993 \r".to_owned()),
            1 => Just("[1,\r{\"b\": 1, \"b\": 2}]".to_owned()),
            1 => "\"[a-zé]{0,70}\"",
        ]
    }

    proptest! {
        #[test]
        fn lints_of_valid_lines_are_those_of_a_diagnosis(
            lines in prop::collection::vec(valid_line(), 0..12),
            limit in prop::sample::select(vec![0usize, 1, 2, 5, 100]),
        ) {
            let text = format!("0\n{}\n", lines.join("\n"));
            let lints = Lints::ALL.with(Code::ByteOrderMark, false);
            let options = DiagnoseOptions::default().framing(Framing::Lines).lints(lints).limit(limit);
            let (found, expected) = (lint_valid(text.as_bytes(), lints, limit), diagnose(text.as_bytes(), &options));
            prop_assert_eq!(found.diagnostics, expected.diagnostics);
            prop_assert_eq!(found.omitted, expected.omitted);
            prop_assert_eq!((found.errors, found.warnings), (expected.errors, expected.warnings));
        }
    }
}
