//! Edits as a transform of files: one checked pass finds the positions, one copy applies the replacements.

use std::io;
use std::sync::Arc;

use jsonx_core::edit::Splices;
use jsonx_core::engine::Validator;
use jsonx_core::json5::Translation;
use jsonx_core::jsonc::Dialect;
use jsonx_core::query::Answer;
use jsonx_core::{SyntaxError, position};

use super::file_text::FileText;
use super::outcome::{Failed, declined};
use super::records;
use super::request::{Edit, Request};
use crate::changes::{Texts, Transform, comments};
use crate::check::{CheckOptions, Failure, InputKind, json5, push};
use crate::commands::fmt::Layouts;
use crate::config::FileOptions;
use crate::input::{Consumed, Input, Spans};
use crate::output::AnyOutput;

/// Files up to this length are read into memory.
const IN_MEMORY: u64 = 8 << 20;

/// The edits of a command.
pub struct Editing {
    pub options: CheckOptions,
    pub request: Arc<Request>,
    /// The layouts of files that `fmt` has formatted.
    pub layouts: Arc<Layouts>,
}

/// The result of the first pass.
pub enum Prepared {
    /// The replacements in a file, which is read again.
    File(Splices),
    Memory(Texts),
    /// The values of a file, which is read again.
    Records {
        changed: bool,
    },
}

impl Editing {
    fn prepare_text(&self, input: &mut Input, dialect: Dialect) -> Result<Prepared, Failure> {
        let mut old = Vec::new();
        let mut origin = 0;
        input.each_window(|window| -> Result<Consumed, Failure> {
            if old.is_empty() {
                origin = window.offset();
            }
            Ok(window.append_to(&mut old)?)
        })?;
        let name = input.name().clone();
        // The text that is edited instead of JSON5.
        let translation = input.json5().cloned();
        let json5 = translation.as_ref();
        let json5 = json5.map(|it| Translation::for_edits(it.source().to_vec()));
        let text = json5.as_ref().map_or(&old[..], |json5| json5.text());
        let options = self.options.engine(InputKind::Json).dialect(dialect);
        match self.request.edit(text, options) {
            Ok(outcome) => {
                let name_shown = name.to_string();
                outcome.warnings.iter().for_each(|it| it.print(&name_shown));
                comments::report_removed(&name, &outcome.dropped);
                let Some(json5) = json5 else {
                    let new = outcome.splices.apply(text);
                    return Ok(Prepared::Memory(Texts { old, new }));
                };
                let given: Vec<&[u8]> = self.request.values().collect();
                let new = json5.edited(&outcome.splices, &given);
                let old = json5.source().to_vec();
                Ok(Prepared::Memory(Texts { old, new }))
            }
            Err(Failed::Invalid(error)) => {
                let at = |at| match (&json5, &translation) {
                    (Some(json5), Some(translation)) => {
                        let at = json5.in_source(at as usize..at as usize).start;
                        translation.in_text(at) as u64
                    }
                    _ => at + origin,
                };
                Err(Failure::Invalid(SyntaxError {
                    offset: at(error.offset),
                    ..error
                }))
            }
            Err(Failed::Refused(mut refusal)) => {
                if let Some(json5) = &json5 {
                    refusal.text = json5.spelled_in(&refusal.text);
                }
                let position = |at: usize| match &json5 {
                    Some(json5) => {
                        position::locate(json5.source(), json5.in_source(at..at + 1).start)
                    }
                    None => position::locate(&old, at),
                };
                let place = match refusal.at.map(position) {
                    Some(at) => format!("{name}:{}:{}", at.line, at.column),
                    None => name.to_string(),
                };
                Err(declined(refusal, &place))
            }
        }
    }

    /// A single operation on a long file: only the surroundings of each match are read again.
    fn prepare_file(&self, edit: &Edit, input: &mut Input) -> Result<Prepared, Failure> {
        let mut validator = Validator::new(self.options.engine(InputKind::Json));
        let mut query = edit.query();
        let mut answers: Vec<Answer> = Vec::new();
        let (mut origin, mut end) = (0, 0);
        input.each_window(|window| -> Result<Consumed, Failure> {
            origin = window.offset() - validator.offset();
            end = window.end();
            let taken = push(&mut validator, window, &mut query)?;
            if window.is_last() {
                query.end();
            }
            answers.extend(query.answers());
            Ok(taken)
        })?;
        let name = input.name().clone();
        let Some(file) = Spans::new(input) else {
            return Err(Failure::Read(io::ErrorKind::Unsupported.into()));
        };
        let text = FileText::new(file, end as usize);
        let changes = self.request.changes(edit, &text, &answers, origin as usize);
        let splices = changes.and_then(|changes| Ok((changes.splices(&text)?, changes.warnings)));
        text.finish()?;
        match splices {
            Ok((splices, warnings)) => {
                let name_shown = name.to_string();
                warnings.iter().for_each(|it| it.print(&name_shown));
                Ok(Prepared::File(splices))
            }
            Err(refusal) => {
                let at = refusal.at.and_then(|at| input.excerpt(at as u64).ok());
                let place = match at.map(|excerpt| excerpt.position()) {
                    Some((line, column)) => format!("{name}:{line}:{column}"),
                    None => name.to_string(),
                };
                Err(declined(refusal, &place))
            }
        }
    }
}

impl Transform for Editing {
    const UNCHANGED: &'static str = "unchanged";
    const WOULD_CHANGE: &'static str = "would change";

    type Plan = Prepared;

    fn plan(&self, input: &mut Input, kind: InputKind) -> Result<Prepared, Failure> {
        json5::no_records(input)?;
        let is_long = input.is_file() && input.size() > IN_MEMORY;
        let mut prepared = match (kind, &self.request.operations[..]) {
            (InputKind::Stream | InputKind::Jsonl, _) if is_long => {
                let changed =
                    records::edit(&self.request, &self.options, input, kind, true, |_, _| {
                        Ok(())
                    });
                Prepared::Records { changed: changed? }
            }
            (InputKind::Stream | InputKind::Jsonl, _) => {
                let (mut old, mut new) = (Vec::new(), Vec::new());
                let collect = |before: &[u8], after: &[u8]| {
                    old.extend_from_slice(before);
                    new.extend_from_slice(after);
                    Ok(())
                };
                records::edit(&self.request, &self.options, input, kind, true, collect)?;
                for text in [&mut old, &mut new] {
                    text.drain(..input.byte_order_mark().len());
                }
                Prepared::Memory(Texts { old, new })
            }
            (InputKind::Auto | InputKind::Json, [edit]) if is_long && edit.is_local() => {
                self.prepare_file(edit, input)?
            }
            _ => self.prepare_text(input, kind.dialect())?,
        };
        if let Prepared::Memory(texts) = &mut prepared {
            self.layouts.keep(&self.options, input, kind, texts);
        }
        Ok(prepared)
    }

    fn changes(&self, plan: &Prepared) -> bool {
        match plan {
            Prepared::File(splices) => !splices.is_empty(),
            Prepared::Memory(texts) => texts.differ(),
            Prepared::Records { changed } => *changed,
        }
    }

    fn print(
        &self,
        input: &mut Input,
        kind: InputKind,
        output: &mut AnyOutput<'_>,
    ) -> Option<Result<(), Failure>> {
        if input.is_file() || !matches!(kind, InputKind::Stream | InputKind::Jsonl) {
            return None;
        }
        // Complete records are printed: a reader may be waiting for them.
        if let Err(refused) = json5::no_records(input) {
            return Some(Err(refused));
        }
        let (request, options) = (&self.request, &self.options);
        let edited = records::edit(request, options, input, kind, true, |_, new| {
            output.write(new)?;
            output.flush()
        });
        Some(edited.map(drop))
    }

    fn with_options(&self, options: &FileOptions) -> Editing {
        Editing {
            options: options.check.clone(),
            request: self.request.clone(),
            layouts: self.layouts.clone(),
        }
    }

    fn write(
        &self,
        plan: &Prepared,
        input: &mut Input,
        kind: InputKind,
        output: &mut AnyOutput<'_>,
    ) -> Result<(), Failure> {
        match plan {
            Prepared::Memory(texts) => texts.write(input, output),
            Prepared::Records { .. } => {
                let (request, options) = (&self.request, &self.options);
                let write = |_: &[u8], new: &[u8]| output.write(new);
                records::edit(request, options, input, kind, false, write).map(drop)
            }
            Prepared::File(splices) => copy(input, splices, output),
        }
    }
}

/// Copies a file with replacements made.
fn copy(input: &mut Input, splices: &Splices, output: &mut AnyOutput<'_>) -> Result<(), Failure> {
    let mark = input.byte_order_mark();
    output.write(mark).map_err(Failure::Write)?;
    let mut splices = splices.iter().peekable();
    // Up to here, the text is copied or replaced.
    let mut done = 0;
    input.each_window_of(
        mark.len() as u64,
        input.length(),
        |window| -> Result<_, Failure> {
            let (bytes, start) = (window.bytes(), window.offset() as usize);
            let inside = |at: usize| at.clamp(start, start + bytes.len()) - start;
            while let Some((span, text)) =
                splices.next_if(|(span, _)| span.start < start + bytes.len())
            {
                let kept = &bytes[inside(done)..inside(span.start)];
                output.write(kept).map_err(Failure::Write)?;
                output.write(text).map_err(Failure::Write)?;
                done = span.end;
            }
            output
                .write(&bytes[inside(done)..])
                .map_err(Failure::Write)?;
            Ok(bytes.len().into())
        },
    )?;
    splices.try_for_each(|(_, text)| output.write(text).map_err(Failure::Write))
}
