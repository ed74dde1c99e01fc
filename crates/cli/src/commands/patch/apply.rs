//! Applies a patch to a value.

use std::ops::Range;

use jsonx_core::Document;
use jsonx_core::edit::{EditError, Editor};
use jsonx_core::engine::Options;
use jsonx_core::jsonc::{Dialect, blank};
use jsonx_core::patch::{Operation, Patch, PatchFailure, PatchFailureKind};

use super::Change;
use super::source::PatchText;
use crate::changes::comments;
use crate::commands::edit::{Failed, Outcome, Refusal, ValueEditor, Warning};
use crate::exit::Exit;
use crate::path_messages::{self, LAST_COUNTS, NoMatch};
use crate::report::escape;

/// A patch for any number of values.
pub struct Patching<'a> {
    pub change: &'a Change<'a>,
    pub source: &'a PatchText,
}

impl ValueEditor for Patching<'_> {
    fn edit(&self, value: &[u8], options: Options, _: bool) -> Result<Outcome, Failed> {
        let document = Document::index(value, options).map_err(Failed::Invalid)?;
        let mut editor = self.apply(&document)?;
        let duplicates = Warning::Duplicates {
            path: None,
            what: LAST_COUNTS,
        };
        Ok(Outcome {
            warnings: editor
                .take_duplicates()
                .then_some(duplicates)
                .into_iter()
                .collect(),
            dropped: editor.dropped_comments().to_vec(),
            splices: editor.splices(),
        })
    }

    fn takes_misses(&self) -> bool {
        true
    }

    fn message(&self, refusal: &Refusal, place: &str) -> String {
        refusal.with_hint(format!("jsonx: {place}: {}", refusal.text))
    }

    fn added(&self) -> Vec<&[u8]> {
        vec![self.source.text()]
    }
}

impl Patching<'_> {
    fn apply<'d, 't>(&self, document: &'d Document<'t>) -> Result<Editor<'d, 't>, Refusal> {
        match self.change {
            Change::Merge(patch) => patch.apply(document).map_err(|error| match error {
                EditError::Comment => Refusal {
                    hint: comments::WAY_OUT.to_owned(),
                    ..Refusal::new(Exit::Failure, comments::BLOCKED_BY_COMMENT)
                },
                error => Refusal::new(Exit::No, &error.to_string()),
            }),
            Change::Operations(patch) => patch
                .apply(document)
                .map_err(|failure| self.explained(patch, &failure, document)),
        }
    }

    fn explained(
        &self,
        patch: &Patch<'_>,
        failure: &PatchFailure,
        document: &Document<'_>,
    ) -> Refusal {
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
        let exit = match failure.kind {
            PatchFailureKind::TooMuchTested
            | PatchFailureKind::Edit(EditError::TooLarge { .. } | EditError::Comment) => {
                Exit::Failure
            }
            _ => Exit::No,
        };
        let text = format!(
            "operation {} of the patch, `{name}` ({}), failed: {reason}",
            number + 1,
            self.source.place(at),
        );
        Refusal {
            at: failure.span.as_ref().map(|span| span.start),
            hint,
            ..Refusal::new(exit, &text)
        }
    }
}
