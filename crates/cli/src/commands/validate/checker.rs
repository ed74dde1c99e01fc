//! Checks one file with its options and its schema, for `validate` and `lsp`.

use std::io;
use std::ops::ControlFlow;

use crate::check::lines::{
    self, Batch, Batching, Consumer, Early, LineFindings, Records, Search, each_batch,
};
use crate::check::{CheckOptions, Checks, Failure, InputKind};
use crate::config::FileOptions;
use crate::diagnostics::{Delivery, Diagnoser, FileReport, LinesReport, Origin};
use crate::exit::Exit;
use crate::input::{Input, Name, Strategy, Task, Text};
use crate::schema::InputSchema;
use crate::threads;

/// Checks files.
pub struct Checker<'a> {
    pub options: &'a FileOptions,
    /// Its schema, or that of schemas.
    pub schema: Option<InputSchema>,
    pub verbose: bool,
}

impl Checker<'_> {
    /// Checks a file that was opened, and returns the report on it, without the parts that were delivered already.
    ///
    /// # Errors
    /// Those of the output.
    pub fn check(
        self,
        name: &Name,
        input: io::Result<Input>,
        delivery: Delivery<'_>,
    ) -> io::Result<FileReport> {
        let Checker {
            options,
            schema,
            verbose,
        } = self;
        let (check_options, diagnoser) = (&options.check, &*options.diagnoser);
        let mut input = match input.and_then(|input| check_options.translated(input)) {
            Ok(input) => input,
            Err(error) => return Ok(diagnoser.unreadable(name, &error)),
        };
        let mut kind = check_options.kind_of(&input);
        let is_one = matches!(kind, InputKind::Json | InputKind::Jsonc);
        // The start of a stream is known when it ends.
        let (schema, later) = match schema {
            Some(schema) if schema.is_for_schemas() && !(is_one && input.names_draft()) => {
                (None, Some(schema).filter(|_| is_one && !input.is_file()))
            }
            other => (other, None),
        };
        let checks = diagnoser.checks_for(&input, schema);
        let reads_values = checks.read_values();
        if reads_values {
            kind = check_options.by_header(&mut input, kind);
        }
        let is_long = !input.is_file() || input.size() > SHORT;
        let by_line = kind == InputKind::Jsonl && (is_long || reads_values);
        let mut is_json = false;
        let mut report = if by_line {
            match check_lines(check_options, diagnoser, &checks, &mut input, delivery) {
                Ok((report, are_json)) => {
                    is_json = are_json;
                    report
                }
                Err(failure) => diagnoser.failure(&mut input, kind, failure, Delivery::Whole)?,
            }
        } else if reads_values {
            let (report, found_json) =
                diagnoser.with_values(&mut input, kind, check_options, &checks, delivery)?;
            is_json = found_json;
            report
        } else {
            let mut checked = check_options.run(&mut input, kind, &checks);
            if let Err(Failure::Invalid(_)) = checked {
                let named = check_options.by_header(&mut input, kind);
                if named != kind {
                    kind = named;
                    checked = check_options.run(&mut input, kind, &checks);
                }
            }
            is_json = checked.is_ok();
            let named = later.filter(|_| is_json).zip(input.streamed_schema());
            match checked {
                Ok(_) if let Some((schema, mut text)) = named => {
                    let checks = diagnoser.checks_for(&text, Some(schema));
                    let found =
                        diagnoser.with_values(&mut text, kind, check_options, &checks, delivery)?;
                    found.0
                }
                Ok(found) => diagnoser.valid(&mut input, kind, &found.linted, delivery)?,
                Err(failure) => diagnoser.failure(&mut input, kind, failure, delivery)?,
            }
        };
        if verbose && report.exit != Exit::Failure {
            let verdict = match (report.exit, is_json) {
                (Exit::Done, _) => "valid",
                (_, true) if reads_values => "valid JSON, but not without errors",
                (_, true) => "valid, but not without findings that are denied",
                (_, false) => "invalid",
            };
            report.messages += &format!("{}: {verdict}{}\n", input.name(), kind.note());
            let note = options.note(name).map(|note| note + "\n");
            report.messages.insert_str(0, &note.unwrap_or_default());
        }
        Ok(report)
    }
}

/// A file of JSON Lines up to this length, in bytes, is diagnosed as a whole.
const SHORT: u64 = 4 << 20;

/// Checks any number of lines: only invalid and error-prone lines are read twice. Also returns whether all lines are
/// valid.
fn check_lines(
    check_options: &CheckOptions,
    diagnoser: &Diagnoser,
    checks: &Checks,
    input: &mut Input,
    mut delivery: Delivery<'_>,
) -> Result<(FileReport, bool), Failure> {
    let engine = check_options.engine(InputKind::Json);
    let search = diagnoser.search_for(engine, checks, &delivery);
    input.skip_byte_order_mark();
    let mut report = LinesReport::new(diagnoser).with_checks(&search);
    let strategy = input.strategy(Text::Lines, Task::Records);
    let found = if matches!(strategy, Strategy::Segments(_)) {
        let origin = Origin::of(input);
        let mut part = match &mut delivery {
            Delivery::Parts(deliver) if search.limit == 0 => {
                Some(|found: LineFindings| report.part(&origin, found, &mut **deliver))
            }
            _ => None,
        };
        let checked = threads::exclusive_threads(|threads| {
            let part = part.as_mut().map(|part| part as &mut FoundSoFar<'_>);
            lines::file::check(input, &search, threads, part)
        });
        let (found, length) = checked?;
        input.note_end(length);
        found
    } else {
        follow(input, search, &mut report, &mut delivery)?
    };
    let are_json = found.first.is_none();
    let origin = Origin::of(input);
    let report = report
        .finish(&origin, found, delivery)
        .map_err(Failure::Write)?;
    Ok((report, are_json))
}

/// Reports a part of the findings.
type FoundSoFar<'a> = dyn FnMut(LineFindings) -> io::Result<()> + 'a;

/// Checks the lines of a stream, which may never end. Whenever nothing arrives for a while, delivers the findings so far,
/// because a person may be waiting for them, and also when there are many; returns the remaining findings.
fn follow(
    input: &mut Input,
    search: Search,
    report: &mut LinesReport<'_>,
    delivery: &mut Delivery<'_>,
) -> Result<LineFindings, Failure> {
    let batching = Batching {
        search,
        whole_lines: false,
        may_span_lines: false,
        positions: false,
        reports_early: matches!(delivery, Delivery::Parts(_)),
    };
    let mut following = Following { report, delivery };
    each_batch(input, batching, &mut following).map(|(_, found)| found)
}

/// Searches the lines of a stream.
struct Following<'f, 'r, 'd> {
    report: &'f mut LinesReport<'r>,
    delivery: &'f mut Delivery<'d>,
}

impl Consumer for Following<'_, '_, '_> {
    fn batch(
        &mut self,
        batch: Batch<'_>,
        records: &mut Records,
    ) -> Result<ControlFlow<Early, usize>, Failure> {
        records.push(batch.text);
        Ok(ControlFlow::Continue(batch.text.len()))
    }

    fn report(&mut self, input: &mut Input, found: LineFindings) -> io::Result<()> {
        match &mut self.delivery {
            Delivery::Parts(deliver) => self.report.part(&Origin::of(input), found, &mut **deliver),
            _ => Ok(()),
        }
    }
}
