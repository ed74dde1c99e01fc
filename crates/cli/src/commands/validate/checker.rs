//! Checks one file with its options and its schema, for `validate` and `lsp`.

use std::io;
use std::ops::ControlFlow;

use crate::check::lines::{
    Batch, Batching, Collector, Flow, Handler, LineFindings, Records, Search, each_batch,
};
use crate::check::{CheckOptions, Checks, Failure, InputKind};
use crate::config::FileOptions;
use crate::diagnostics::{Deliver, Diagnoser, FileReport, LinesReport, Origin};
use crate::exit::Exit;
use crate::input::{Input, Name, Task};
use crate::schema::InputSchema;

/// Checks files.
pub struct Checker<'a> {
    pub options: &'a FileOptions,
    /// Its schema, or that of schemas.
    pub schema: Option<InputSchema>,
    pub verbose: bool,
}

impl Checker<'_> {
    /// Checks an open file, and returns the report on it, without the findings of lines that were passed to `deliver`.
    ///
    /// # Errors
    /// Those of the output.
    pub fn check(
        self,
        name: &Name,
        input: io::Result<Input>,
        deliver: Option<&mut Deliver<'_>>,
    ) -> io::Result<FileReport> {
        let Checker {
            options,
            schema,
            verbose,
        } = self;
        let (check_options, diagnoser) = (&options.check, &*options.diagnoser);
        let translated = input.and_then(|input| check_options.translated(input));
        let detected = translated.and_then(|mut input| input.detect().map(|()| input));
        let mut input = match detected {
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
        let checks = diagnoser.checks(schema);
        let reads_values = checks.read_values();
        // A compressed file is read once.
        if reads_values || !input.is_file() {
            kind = check_options.by_first_lines(&mut input, kind);
        }
        let is_long = !input.is_file() || input.size() > SHORT;
        let by_line = |kind| kind == InputKind::Jsonl && (is_long || reads_values);
        let mut checked = None;
        if !reads_values && !by_line(kind) {
            let found = check_options.run(&mut input, kind, &checks);
            let by_name = kind;
            if let (Err(Failure::Invalid(_)), true) = (&found, input.is_file()) {
                kind = check_options.by_first_lines(&mut input, kind);
            }
            checked = match kind == by_name {
                true => Some(found),
                false if by_line(kind) => None,
                false => Some(check_options.run(&mut input, kind, &checks)),
            };
        }
        let mut is_json = false;
        let mut report = if by_line(kind) {
            match check_lines(check_options, diagnoser, &checks, &mut input, deliver) {
                Ok((report, are_json)) => {
                    is_json = are_json;
                    report
                }
                Err(failure) => diagnoser.failure(&mut input, kind, failure)?,
            }
        } else if let Some(checked) = checked {
            is_json = checked.is_ok();
            let named = later.filter(|_| is_json).zip(input.streamed_schema());
            match checked {
                Ok(_) if let Some((schema, mut text)) = named => {
                    let checks = diagnoser.checks(Some(schema));
                    diagnoser
                        .with_values(&mut text, kind, check_options, &checks)
                        .0
                }
                Ok(found) => diagnoser.valid(&mut input, kind, &found.linted),
                Err(failure) => diagnoser.failure(&mut input, kind, failure)?,
            }
        } else {
            let (report, found_json) =
                diagnoser.with_values(&mut input, kind, check_options, &checks);
            is_json = found_json;
            report
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
    deliver: Option<&mut Deliver<'_>>,
) -> Result<(FileReport, bool), Failure> {
    let engine = check_options.engine(InputKind::Json);
    let search = Search {
        checks: checks.clone(),
        ..diagnoser.search(engine)
    };
    let of_source = diagnoser.for_input(input);
    let mut report = LinesReport::new(&of_source).with_checks(&search);
    let batching = Batching {
        whole_lines: false,
        // During a pause of the input, because a person may be waiting for the findings.
        reports_early: deliver.is_some(),
        ..Batching::new(Task::Records, search, InputKind::Jsonl)
    };
    let mut reporting = Reporting {
        report: &mut report,
        deliver,
    };
    let found = each_batch(input, &batching, &Checking, &mut reporting)?.found;
    let are_json = found.first.is_none();
    let origin = Origin::new(input);
    Ok((report.finish(&origin, found), are_json))
}

/// Only checks lines for findings.
struct Checking;

impl Handler for Checking {
    type Part = ();

    fn begin(&self) {}

    fn batch(&self, batch: Batch<'_>, records: &mut Records, (): &mut ()) -> Flow {
        records.push(batch.text);
        Ok(ControlFlow::Continue(batch.text.len()))
    }
}

/// Reports findings in parts.
struct Reporting<'f, 'r, 'd> {
    report: &'f mut LinesReport<'r>,
    deliver: Option<&'f mut Deliver<'d>>,
}

impl Collector for Reporting<'_, '_, '_> {
    type Part = ();

    fn join(&mut self, (): &mut (), _: u64, _: bool) -> Result<ControlFlow<()>, Failure> {
        Ok(ControlFlow::Continue(()))
    }

    fn report(&mut self, input: &mut Input, found: LineFindings) -> io::Result<()> {
        match &mut self.deliver {
            Some(deliver) => deliver(self.report.part(&Origin::new(input), found)),
            None => Ok(()),
        }
    }
}
