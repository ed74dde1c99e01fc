//! Applies an edit to a document in memory, and to a long file.

use std::io;

use jsonx_core::Document;
use jsonx_core::engine::{Options, Validator};
use jsonx_core::internal::Splices;
use jsonx_core::query::Answer;

use super::file_text::FileText;
use super::matches::answers;
use super::outcome::{Failed, Outcome, Refusal, ValueEditor};
use super::request::Request;
use crate::check::{CheckOptions, Failure, InputKind, push};
use crate::input::{Consumed, Input, Spans};

impl ValueEditor for Request {
    fn edit(&self, text: &[u8], options: Options, is_record: bool) -> Result<Outcome, Failed> {
        let found = |text: &[u8]| answers(self.edit.query(), text, options);
        if !options.dialect.allows_comments() {
            // Needs no index of the document.
            let answers = found(text).map_err(Failed::Invalid)?;
            let changes = self.changes(text, &answers, 0, is_record)?;
            return Ok(Outcome {
                splices: changes.splices(text)?,
                dropped: Vec::new(),
                warnings: changes.warnings,
            });
        }
        let document = Document::index(text, options).map_err(Failed::Invalid)?;
        let mut editor = document.edit();
        editor.remove_comments_above(self.with_comments);
        let answers = found(text).map_err(Failed::Invalid)?;
        let changes = self.changes(&editor.plain(), &answers, 0, is_record)?;
        let made = editor.change(changes.iter());
        made.map_err(|error| Refusal::from_error(&error, &self.edit.path.typed))?;
        Ok(Outcome {
            splices: editor.splices(),
            dropped: editor.dropped_comments().to_vec(),
            warnings: changes.warnings,
        })
    }

    const EDITS_FILES: bool = true;

    /// Only the surroundings of each match are read again.
    fn edit_file(&self, options: &CheckOptions, input: &mut Input) -> Result<Splices, Failure> {
        let mut validator = Validator::new(options.engine(InputKind::Json));
        let mut query = self.edit.query();
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
        let name = input.name().to_string();
        let Some(file) = Spans::new(input) else {
            return Err(Failure::Read(io::ErrorKind::Unsupported.into()));
        };
        let text = FileText::new(file, end as usize);
        let changes = self.changes(&text, &answers, origin as usize, false);
        let splices = changes.and_then(|changes| Ok((changes.splices(&text)?, changes.warnings)));
        text.finish()?;
        splices
            .map(|(splices, warnings)| {
                warnings.iter().for_each(|it| it.print(&name));
                splices
            })
            .map_err(|refusal| {
                let at = refusal.at.and_then(|at| input.excerpt(at as u64).ok());
                let place = match at.map(|excerpt| excerpt.position()) {
                    Some((line, column)) => format!("{name}:{line}:{column}"),
                    None => name,
                };
                Failure::Declined {
                    exit: refusal.exit,
                    message: self.message(&refusal, &place),
                }
            })
    }

    fn takes_misses(&self) -> bool {
        self.missing_ok
    }

    fn message(&self, refusal: &Refusal, place: &str) -> String {
        refusal.with_hint(format!("jsonx: {} ({place})", refusal.text))
    }

    fn added(&self) -> Vec<&[u8]> {
        self.edit
            .value()
            .map(|value| &value.text[..])
            .into_iter()
            .collect()
    }
}
