//! Repairs files, for `jsonx fix`, and documents of an editor.

mod changes;
mod comments;

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jsonx_core::jsonc::Dialect;
use jsonx_core::number::NonFinite;
use jsonx_diagnose::Applicability;
use jsonx_diagnose::json5::Translation;
use jsonx_diagnose::repair::{Repair, RepairOptions, repair};

use crate::changes::Transform;
use crate::check::lines::{are_lines, may_be_lines};
use crate::check::{CheckOptions, Failure, InputKind};
use crate::config::FileOptions;
use crate::diagnostics::{Diagnoser, FileReport};
use crate::exit::Exit;
use crate::input::{Consumed, Input, MAX_EVIDENCE, Name};
use crate::output::AnyOutput;
use comments::{has_comments, is_jsonc};

/// Repairing with these options.
pub struct Repairing {
    pub options: CheckOptions,
    /// The fixes to apply.
    pub with: Applicability,
    /// Whether a text that is still broken counts as repaired.
    pub partial: bool,
    /// Whether a file is to be rewritten. Otherwise JSON5 is converted.
    pub is_in_place: bool,
    /// Whether comments are kept, and remain errors, because a file is to be rewritten.
    pub keeps_comments: bool,
    /// `--max-errors`.
    pub max_listed: Option<usize>,
    /// Whether safe changes are listed as well.
    pub lists_all: bool,
    /// The result of a file that is not reported yet.
    pub pending: Mutex<Option<Arc<Notes>>>,
}

/// A file: its text and the result.
#[derive(Default)]
pub struct Notes {
    /// The file is valid.
    valid: bool,
    repaired: Option<(Vec<u8>, Repair)>,
    /// The file is valid JSON with comments, and unchanged.
    is_jsonc: bool,
    /// The file is invalid JSON5, and unchanged.
    is_json5: bool,
}

impl Notes {
    /// Whether there is a result to print or write.
    pub fn is_usable(&self, partial: bool) -> bool {
        let repaired = self.repaired.as_ref();
        self.valid || repaired.is_some_and(|(_, repair)| repair.is_valid() || partial)
    }

    /// The result, if it differs from the text.
    pub fn changed(&self, partial: bool) -> Option<&[u8]> {
        let (text, repair) = self.repaired.as_ref()?;
        (self.is_usable(partial) && *text != repair.text).then_some(&repair.text)
    }
}

impl Repairing {
    /// Applies all safe fixes.
    pub fn safely(options: CheckOptions) -> Repairing {
        Repairing {
            options,
            with: Applicability::Safe,
            partial: true,
            is_in_place: true,
            keeps_comments: true,
            max_listed: None,
            lists_all: false,
            pending: Mutex::default(),
        }
    }

    /// Checks an input, and repairs it if it is invalid.
    ///
    /// # Errors
    /// The input cannot be read, or is too large to be repaired.
    pub fn prepare(
        &self,
        input: &mut Input,
        kind: InputKind,
        notes: &mut Notes,
    ) -> Result<(), Failure> {
        let mut kind = self.options.by_first_lines(input, kind);
        let translation = input
            .json5()
            .filter(|_| kind == InputKind::Json5)
            .map(|it| Translation::with(it.source().to_vec(), NonFinite::Error));
        if input.is_file() && translation.is_none() {
            match self.options.check(input, kind) {
                Ok(()) => notes.valid = true,
                Err(Failure::Invalid(_)) => {}
                Err(failure) => return Err(failure),
            }
            // Guesses also change valid text that has lone surrogates.
            if notes.valid && self.with == Applicability::Safe {
                return Ok(());
            }
        }
        let read = match &translation {
            Some(translation) => Ok(translation.text().to_vec()),
            None => input.read_all(MAX_EVIDENCE),
        };
        if notes.valid && read.is_err() {
            return Ok(());
        }
        let mut text = read.map_err(|error| match error.kind() {
            io::ErrorKind::FileTooLarge => {
                io::Error::other("too large to be repaired: more than 256 MB")
            }
            _ => error,
        })?;
        let is_open = kind == InputKind::Json && input.name().is_stdin();
        let is_open = is_open && !self.options.is_explicit(input);
        let engine = self.options.engine(InputKind::Json);
        let path = input.name().path().filter(|_| kind == InputKind::Json);
        let is_log = path.is_some_and(|path| path.extension().is_some_and(|end| end == "log"));
        // Of a log, one line may hold all records.
        let is_log = is_log && !self.options.is_explicit(input) && !notes.valid;
        if is_open && are_lines(&text, true, engine, false) == Some(true)
            || is_log && may_be_lines(&text, true, engine, false) == Some(true)
        {
            kind = InputKind::Jsonl;
        }
        let options = RepairOptions::default()
            // Programs write one value per line to a pipe or a log.
            .lines(is_open || is_log)
            .framing(kind.framing())
            .dialect(match kind {
                // Repaired JSON5 becomes JSON.
                InputKind::Json5 => Dialect::Json,
                _ => kind.dialect(),
            })
            .with(self.with)
            .whole(self.partial && self.with == Applicability::Review)
            .keep_comments(self.keeps_comments)
            .limit(self.max_listed.unwrap_or(1000))
            .max_depth(usize::try_from(self.options.max_depth).unwrap_or(0))
            .max_input(MAX_EVIDENCE as usize);
        let mut repair = repair(&text, &options);
        notes.is_jsonc = self.keeps_comments && has_comments(&repair) && is_jsonc(&text);
        if notes.is_jsonc {
            // Removing only its trailing commas would gain nothing.
            repair.text.clone_from(&text);
            repair.changes.clear();
            (repair.safe, repair.guesses) = (0, 0);
        }
        if let Some(translation) = translation.filter(|_| repair.source.is_none()) {
            for change in &mut repair.changes {
                change.span = translation.in_source(change.span.into()).into();
            }
            for finding in &mut repair.left.diagnostics {
                translation.locate(finding);
            }
            text = translation.source().to_vec();
        }
        notes.repaired = Some((text, repair));
        Ok(())
    }
}

impl Repairing {
    /// Adds assumptions, removals and remaining errors to a report.
    pub fn add_notes(
        &self,
        mut report: FileReport,
        name: &Name,
        notes: &Notes,
        diagnoser: &Diagnoser,
    ) -> FileReport {
        let Some((text, repair)) = &notes.repaired else {
            if notes.is_json5 {
                report.messages += &format!(
                    "jsonx: {name}: JSON5 is not repaired in place; `jsonx fix {name}` converts it to JSON\n"
                );
            }
            return report;
        };
        if notes.is_usable(self.partial) {
            report.messages += &changes::listed(self, name, text, repair);
            report.messages += &changes::incomplete(name, repair);
        }
        if notes.is_jsonc {
            report.exit = report.exit.and(Exit::No);
            report.messages += &comments::hint(name, true);
        } else if !repair.is_valid() {
            let source = repair.source.as_deref().unwrap_or(text);
            let left = diagnoser.unrepaired(name, source, repair.left.clone());
            report.fragments = left.fragments;
            report.totals = left.totals;
            report.length = left.length;
            report.exit = report.exit.and(if repair.is_foreign() {
                Exit::NotJson
            } else {
                Exit::No
            });
            if self.keeps_comments && has_comments(repair) {
                report.messages += &comments::hint(name, false);
            } else {
                report.messages += &changes::hint(self, name, repair);
            }
        }
        report
    }

    /// Holds the result of a file until it is reported.
    fn hold(&self, notes: Notes) -> Arc<Notes> {
        let notes = Arc::new(notes);
        *self.pending() = Some(notes.clone());
        notes
    }

    fn pending(&self) -> MutexGuard<'_, Option<Arc<Notes>>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Transform for Repairing {
    const UNCHANGED: &'static str = "valid";
    const WOULD_CHANGE: &'static str = "would be repaired";
    type Plan = Arc<Notes>;

    fn plan(&self, input: &mut Input, kind: InputKind) -> Result<Arc<Notes>, Failure> {
        let (mut kind, mut notes) = (kind, Notes::default());
        if let Some(json5) = input.json5().filter(|_| self.is_in_place) {
            // Without syntax of JSON5 alone, it is repaired as JSON with comments, which is also JSON5.
            if json5.is_jsonc() && kind == InputKind::Json5 {
                kind = InputKind::Jsonc;
            } else {
                let checked = self.options.check(input, kind);
                notes.is_json5 = matches!(checked, Err(Failure::Invalid(_)));
                let notes = self.hold(notes);
                return checked.map(|()| notes);
            }
        }
        self.prepare(input, kind, &mut notes)?;
        Ok(self.hold(notes))
    }

    fn changes(&self, notes: &Arc<Notes>) -> bool {
        notes.changed(self.partial).is_some()
    }

    fn write(
        &self,
        notes: &Arc<Notes>,
        input: &mut Input,
        _: InputKind,
        output: &mut AnyOutput<'_>,
    ) -> Result<(), Failure> {
        if let Some((_, repair)) = &notes.repaired {
            let text = if notes.is_usable(self.partial) {
                &repair.text[..]
            } else {
                b""
            };
            return output.write(text).map_err(Failure::Write);
        }
        output
            .write(input.byte_order_mark())
            .map_err(Failure::Write)?;
        input.each_window(|window| {
            output.write(window.bytes()).map_err(Failure::Write)?;
            Ok::<_, Failure>(Consumed::from(window.bytes().len()))
        })
    }

    fn with_options(&self, options: &FileOptions) -> Repairing {
        Repairing {
            options: options.check.clone(),
            max_listed: self.max_listed.or(options.max_errors()),
            pending: Mutex::default(),
            ..*self
        }
    }

    fn report(&self, report: FileReport, name: &Name, diagnoser: &Diagnoser) -> FileReport {
        match self.pending().take() {
            Some(notes) => self.add_notes(report, name, &notes, diagnoser),
            None => report,
        }
    }
}
