//! Edits as a transform of files: one checked pass finds the positions, one copy applies the replacements.

use std::sync::Arc;

use jsonx_core::engine::{Mode, Validator};
use jsonx_core::internal::Splices;
use jsonx_core::{ErrorKind, SyntaxError, position};
use jsonx_diagnose::json5::Translation;

use super::outcome::{Failed, ValueEditor};
use super::records;
use crate::args::Layout;
use crate::changes::{NewText, Transform, comments};
use crate::check::lines::{query_of_roots, roots};
use crate::check::{CheckOptions, Failure, InputKind, json5};
use crate::commands::fmt::Layouts;
use crate::config::FileOptions;
use crate::input::{Consumed, Input};
use crate::output::AnyOutput;
use crate::session::Session;

/// Files up to this length are read into memory.
const IN_MEMORY: u64 = 8 << 20;

/// The edits of a command.
pub struct Editing<'a, E> {
    options: CheckOptions,
    editor: &'a E,
    /// The layouts of files that `fmt` has formatted.
    layouts: Arc<Layouts>,
}

/// The result of the first pass.
pub enum Prepared {
    /// The replacements in a file, which is read again.
    File(Splices),
    Memory(NewText),
    /// The values of an input, which is read again, or for the first time if it is a pipe.
    Records {
        changed: bool,
    },
}

fn has_records(kind: InputKind) -> bool {
    matches!(kind, InputKind::Stream | InputKind::Jsonl)
}

impl<'a, E: ValueEditor> Editing<'a, E> {
    pub fn new(editor: &'a E, session: &Session) -> Editing<'a, E> {
        let configs = session.options().configs.clone();
        Editing {
            options: session.check_options(),
            editor,
            layouts: Layouts::new(&Layout::default(), configs).into(),
        }
    }

    /// Edits the values of an input, and passes on the new text. Warnings are printed in the first pass.
    fn records(
        &self,
        input: &mut Input,
        kind: InputKind,
        is_first: bool,
        emit: impl FnMut(&[u8]) -> std::io::Result<()>,
    ) -> Result<bool, Failure> {
        records::edit(self.editor, &self.options, input, kind, is_first, emit)
    }

    /// Copies a stream to a temporary file if its first value is long. Returns whether it did.
    fn spool_long_value(&self, input: &mut Input) -> Result<bool, Failure> {
        if input.is_file() {
            return Ok(false);
        }
        let options = self.options.engine(InputKind::Json).mode(Mode::Stream);
        let (mut validator, mut query) = (Validator::new(options), query_of_roots());
        let mut read = 0;
        let is_long = input.peek(|text, ended| {
            let written = validator.write(&text[read..], &mut query);
            let written = written.and_then(|()| validator.flush(&mut query));
            read = text.len();
            // An error is found again.
            let is_short = written.is_err() || !roots(&mut query).is_empty() || ended;
            (is_short || read as u64 > IN_MEMORY).then_some(!is_short)
        })?;
        let is_long = is_long.unwrap_or(false);
        if is_long {
            input.spool()?;
        }
        Ok(is_long)
    }

    fn prepare_text(&self, input: &mut Input, kind: InputKind) -> Result<NewText, Failure> {
        let mut old = Vec::new();
        let mut origin = 0;
        input.each_window(|window| -> Result<Consumed, Failure> {
            if old.is_empty() {
                origin = window.offset();
            }
            Ok(window.append_to(&mut old))
        })?;
        let name = input.name();
        // The text that is edited instead of JSON5.
        let translation = input.json5();
        let json5 = translation.map(|it| Translation::for_edits(it.source().to_vec()));
        let text = json5.as_ref().map_or(&old[..], |json5| json5.text());
        let options = self.options.engine(InputKind::Json).dialect(kind.dialect());
        match self.editor.edit(text, options, false) {
            Ok(outcome) => {
                let name_shown = name.to_string();
                outcome.warnings.iter().for_each(|it| it.print(&name_shown));
                comments::report_removed(name, &outcome.dropped);
                Ok(match &json5 {
                    Some(json5) => {
                        let new = json5.edited(&outcome.splices, &self.editor.added());
                        NewText::new(json5.source(), new)
                    }
                    None => NewText::new(text, outcome.splices.apply(text)),
                })
            }
            Err(Failed::Invalid(error)) => {
                let at = |at| match (&json5, translation) {
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
                Err(Failure::Declined {
                    exit: refusal.exit,
                    message: self.editor.message(&refusal, &place),
                })
            }
        }
    }
}

impl<E: ValueEditor> Transform for Editing<'_, E> {
    const UNCHANGED: &'static str = "unchanged";
    const WOULD_CHANGE: &'static str = "would change";

    type Plan = Prepared;

    fn plan(&self, input: &mut Input, kind: InputKind) -> Result<Prepared, Failure> {
        json5::has_value(input)?;
        let is_of_json = matches!(kind, InputKind::Auto | InputKind::Json);
        let is_one = E::EDITS_FILES
            && (is_of_json || kind == InputKind::Stream)
            && self.spool_long_value(input)?;
        let is_long = input.is_file() && input.size() > IN_MEMORY;
        if E::EDITS_FILES && is_long && (is_of_json || is_one) {
            match self.editor.edit_file(&self.options, input) {
                Err(Failure::Invalid(error))
                    if has_records(kind) && error.kind == ErrorKind::TrailingContent => {}
                done => return done.map(Prepared::File),
            }
        }
        let mut new = if !has_records(kind) {
            self.prepare_text(input, kind)?
        } else if !input.is_file() {
            // Complete records are printed: a reader may be waiting for them.
            return Ok(Prepared::Records { changed: true });
        } else if is_long {
            let changed = self.records(input, kind, true, |_| Ok(()))?;
            return Ok(Prepared::Records { changed });
        } else {
            let mut text = Vec::new();
            let collect = |new: &[u8]| {
                text.extend_from_slice(new);
                Ok(())
            };
            let differs = self.records(input, kind, true, collect)?;
            text.drain(..input.byte_order_mark().len());
            NewText { text, differs }
        };
        self.layouts.keep(&self.options, input, kind, &mut new);
        Ok(Prepared::Memory(new))
    }

    fn changes(&self, plan: &Prepared) -> bool {
        match plan {
            Prepared::File(splices) => !splices.is_empty(),
            Prepared::Memory(new) => new.differs,
            Prepared::Records { changed } => *changed,
        }
    }

    fn is_unchanged(&self, input: &mut Input, kind: InputKind) -> Result<bool, Failure> {
        let plan = self.plan(input, kind)?;
        if input.is_file() || !has_records(kind) {
            return Ok(!self.changes(&plan));
        }
        let changed = self.records(input, kind, true, |_| Ok(()))?;
        Ok(!changed)
    }

    fn with_options(&self, options: &FileOptions) -> Self {
        Editing {
            options: options.check.clone(),
            layouts: self.layouts.clone(),
            ..*self
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
            Prepared::Memory(new) => new.write(input, output),
            Prepared::Records { .. } => {
                let is_first = !input.is_file();
                let write = |new: &[u8]| {
                    output.write(new)?;
                    if is_first { output.flush() } else { Ok(()) }
                };
                self.records(input, kind, is_first, write).map(drop)
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
