//! Patching as a transform of files: each value is patched in memory, and the text between values is kept.

use std::ops::Range;
use std::sync::Arc;

use jsonx_core::edit::{EditError, Editor};
use jsonx_core::engine::Options;
use jsonx_core::json5::Translation;
use jsonx_core::jsonc::{Dialect, blank};
use jsonx_core::patch::{Operation, Patch, PatchFailure, PatchFailureKind};
use jsonx_core::position::locate;
use jsonx_core::{Document, SyntaxError};

use super::Change;
use super::source::PatchText;
use crate::check::{CheckOptions, Failure, InputKind, json5};
use crate::commands::edit::roots;
use crate::commands::fmt::Layouts;
use crate::config::FileOptions;

use crate::changes::{Texts, Transform, comments};
use crate::exit::Exit;
use crate::input::Input;
use crate::output::AnyOutput;
use crate::path_messages::{self, LAST_COUNTS, NoMatch};
use crate::report::escape;

/// A patch for any number of files.
pub struct Patching<'a> {
    pub options: CheckOptions,
    /// The layouts of files that `fmt` has formatted.
    pub layouts: Arc<Layouts>,
    pub change: &'a Change<'a>,
    pub source: &'a PatchText,
}

impl Patching<'_> {
    /// The spans of the values in a text: the whole text, if it is one.
    fn values(&self, text: &[u8], kind: InputKind) -> Result<Vec<(usize, usize)>, Failure> {
        if matches!(kind, InputKind::Jsonl | InputKind::Stream) {
            let options = self.options.engine(InputKind::Stream);
            roots(text, options).map_err(Failure::Invalid)
        } else {
            Ok(vec![(0, text.len())])
        }
    }

    /// Applies the patch; the error has a message, the exit code, and an offset.
    fn apply<'d, 't>(
        &self,
        document: &'d Document<'t>,
    ) -> Result<Editor<'d, 't>, (String, Exit, Option<usize>)> {
        match self.change {
            Change::Merge(patch) => patch.apply(document).map_err(|error| match error {
                EditError::Comment => {
                    let text = format!("{}\n{}", comments::BLOCKED_BY_COMMENT, comments::WAY_OUT);
                    (text, Exit::Failure, None)
                }
                error => (error.to_string(), Exit::No, None),
            }),
            Change::Operations(patch) => patch.apply(document).map_err(|failure| {
                let exit = match failure.kind {
                    PatchFailureKind::TooMuchTested
                    | PatchFailureKind::Edit(EditError::TooLarge { .. } | EditError::Comment) => {
                        Exit::Failure
                    }
                    _ => Exit::No,
                };
                let offset = failure.span.as_ref().map(|span| span.start);
                (self.explained(patch, &failure, document), exit, offset)
            }),
        }
    }

    fn explained(
        &self,
        patch: &Patch<'_>,
        failure: &PatchFailure,
        document: &Document<'_>,
    ) -> String {
        let number = failure.operation;
        let operation = patch.operations().get(number);
        let (name, at) = match operation {
            Some(operation) => (
                format!(
                    "{} {}",
                    operation.kind().name(),
                    escape(operation.pointer())
                ),
                operation.span().start,
            ),
            None => (String::new(), 0),
        };
        let plain = |span: Range<usize>| {
            let mut text = document.text()[span].to_vec();
            // It is valid.
            let _ = blank(&mut text, Dialect::Jsonc);
            text
        };
        let container = |_| plain(failure.span.clone().unwrap_or_default());
        let stopped = match &failure.kind {
            PatchFailureKind::Edit(error) => NoMatch::new(error, container),
            _ => None,
        };
        let (reason, hint) = match stopped {
            Some(stopped) => path_messages::explain(&failure.path, &stopped),
            None if matches!(failure.kind, PatchFailureKind::Edit(EditError::Comment)) => (
                comments::BLOCKED_BY_COMMENT.to_owned(),
                comments::WAY_OUT.to_owned(),
            ),
            None => {
                let reason = match &failure.kind {
                    // The operation names the path.
                    PatchFailureKind::Edit(EditError::TestFailed { .. }) => {
                        let found = document.query(&failure.path).unwrap_or_default();
                        let found = found.first().map(|node| node.span());
                        let value = operation.and_then(Operation::value).unwrap_or_default();
                        let expected = path_messages::shown(value);
                        match found {
                            Some(span) if failure.span.as_ref() == Some(&span) => {
                                let found = path_messages::shown(&plain(span));
                                format!("the value is {found}, not {expected}")
                            }
                            // An earlier operation changed it.
                            _ => format!("the value is not {expected}"),
                        }
                    }
                    kind => kind.to_string(),
                };
                (reason, String::new())
            }
        };
        let mut text = format!(
            "operation {} of the patch, `{name}` ({}), failed: {reason}",
            number + 1,
            self.source.place(at),
        );
        if !hint.is_empty() {
            text.push('\n');
            text += &hint;
        }
        text
    }
}

impl Transform for Patching<'_> {
    const UNCHANGED: &'static str = "unchanged";
    const WOULD_CHANGE: &'static str = "would change";

    type Plan = Texts;

    fn plan(&self, input: &mut Input, kind: InputKind) -> Result<Texts, Failure> {
        json5::no_records(input)?;
        let mut old = Vec::new();
        self.options.read_checked(input, kind, &mut old)?;
        // The text that is edited instead of JSON5.
        let json5 = input.json5();
        let json5 = json5.map(|it| Translation::for_edits(it.source().to_vec()));
        if let Some(json5) = &json5 {
            old = json5.text().to_vec();
        }
        let mut new = Vec::new();
        let mut at = 0;
        let mut has_duplicates = false;
        let options = Options::default().dialect(kind.dialect());
        for (start, end) in self.values(&old, kind)? {
            // With the white space before it, which is the indentation of its line.
            let value = Document::index(&old[at..end], options).map_err(|error| {
                Failure::Invalid(SyntaxError {
                    offset: error.offset + at as u64 + input.text_start(),
                    ..error
                })
            })?;
            let mut editor = self.apply(&value).map_err(|(mut message, exit, offset)| {
                if let Some(json5) = &json5 {
                    message = json5.spelled_in(&message);
                }
                let offset = offset.map_or(start, |offset| at + offset);
                let position = match &json5 {
                    Some(it) => locate(it.source(), it.in_source(offset..offset + 1).start),
                    None => locate(&old, offset),
                };
                let name = input.name();
                Failure::Declined {
                    exit,
                    message: format!(
                        "jsonx: {name}:{}:{}: {message}",
                        position.line, position.column
                    ),
                }
            })?;
            has_duplicates |= editor.take_duplicates();
            comments::report_removed(input.name(), editor.dropped_comments());
            match &json5 {
                Some(json5) => new = json5.edited(&editor.splices(), &[self.source.text()]),
                None => new.extend_from_slice(&editor.finish()),
            }
            at = end;
        }
        new.extend_from_slice(&old[at..]);
        if let Some(json5) = json5 {
            old = json5.source().to_vec();
        }
        if has_duplicates {
            path_messages::warn_of_duplicates(&input.name().to_string(), None, LAST_COUNTS);
        }
        let mut texts = Texts { old, new };
        self.layouts.keep(&self.options, input, kind, &mut texts);
        Ok(texts)
    }

    fn changes(&self, texts: &Texts) -> bool {
        texts.differ()
    }

    fn with_options(&self, options: &FileOptions) -> Self {
        Patching {
            options: options.check.clone(),
            layouts: self.layouts.clone(),
            ..*self
        }
    }

    fn write(
        &self,
        plan: &Texts,
        input: &mut Input,
        _: InputKind,
        output: &mut AnyOutput<'_>,
    ) -> Result<(), Failure> {
        plan.write(input, output)
    }
}
