//! Applies edits to a document in memory, one after another, and a single edit to a long file.

use std::io;

use jsonx_core::Document;
use jsonx_core::edit::{self, EditError, Editor, Splices};
use jsonx_core::engine::{Options, Validator};
use jsonx_core::path::Path;
use jsonx_core::query::Answer;

use super::file_text::FileText;
use super::matches::answers;
use super::outcome::{Failed, Outcome, Refusal, ValueEditor, Warning};
use super::request::{EditKind, PathEdit, Request};
use crate::check::{CheckOptions, Failure, InputKind, push};
use crate::exit::Exit;
use crate::input::{Consumed, Input, Spans};
use crate::path_messages::{self, NoMatch};

impl ValueEditor for Request {
    fn edit(&self, text: &[u8], options: Options, is_record: bool) -> Result<Outcome, Failed> {
        if let [edit] = &self.operations[..]
            && edit.is_local()
            && !options.dialect.allows_comments()
        {
            // Needs no index of the document.
            let answers = answers(edit.query(), text, options).map_err(Failed::Invalid)?;
            let changes = self.changes(edit, text, &answers, 0, is_record)?;
            return Ok(Outcome {
                splices: changes.splices(text)?,
                dropped: Vec::new(),
                warnings: changes.warnings,
            });
        }
        let document = Document::index(text, options).map_err(Failed::Invalid)?;
        let mut editor = document.edit();
        editor.remove_comments_above(self.with_comments);
        let mut warnings = Vec::new();
        for edit in &self.operations {
            if let Some(key) = edit.renames() {
                self.rename(edit, &key, &mut editor, options)?;
            } else if !edit.path.path.is_singular() || self.operations.len() == 1 && edit.is_local()
            {
                let now = editor.finish();
                let answers = answers(edit.query(), &now, options).map_err(Failed::Invalid)?;
                let changes = self.changes(edit, &editor.plain(), &answers, 0, is_record);
                let changes = changes.map_err(|refusal| Refusal {
                    // Offsets of the first text are those of the document.
                    at: refusal.at.filter(|_| now == text),
                    ..refusal
                })?;
                let made = editor.change(changes.iter());
                made.map_err(|error| Refusal::from_error(&error, &edit.label, &edit.path.typed))?;
                warnings.extend(changes.warnings);
            } else {
                warnings.extend(self.one(edit, &mut editor)?);
            }
            if editor.take_duplicates() {
                warnings.push(edit.duplicates());
            }
        }
        Ok(Outcome {
            splices: editor.splices(),
            dropped: editor.dropped_comments().to_vec(),
            warnings,
        })
    }

    /// A single operation on a long file: only the surroundings of each match are read again.
    fn edit_file(
        &self,
        options: &CheckOptions,
        input: &mut Input,
    ) -> Option<Result<Splices, Failure>> {
        match &self.operations[..] {
            [edit] if edit.is_local() => Some(self.splices_in_file(edit, options, input)),
            _ => None,
        }
    }

    fn takes_misses(&self) -> bool {
        self.missing_ok
    }

    fn message(&self, refusal: &Refusal, place: &str) -> String {
        refusal.with_hint(format!("jsonx: {} ({place})", refusal.text))
    }

    fn added(&self) -> Vec<&[u8]> {
        let values = self.operations.iter().filter_map(PathEdit::value);
        values.map(|value| &value.text[..]).collect()
    }
}

impl Request {
    fn splices_in_file(
        &self,
        edit: &PathEdit,
        options: &CheckOptions,
        input: &mut Input,
    ) -> Result<Splices, Failure> {
        let mut validator = Validator::new(options.engine(InputKind::Json));
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
        let name = input.name().to_string();
        let Some(file) = Spans::new(input) else {
            return Err(Failure::Read(io::ErrorKind::Unsupported.into()));
        };
        let text = FileText::new(file, end as usize);
        let changes = self.changes(edit, &text, &answers, origin as usize, false);
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

    /// Makes one operation of several.
    fn one(
        &self,
        edit: &PathEdit,
        editor: &mut Editor<'_, '_>,
    ) -> Result<Option<Warning>, Refusal> {
        let path = &edit.path.path;
        if let EditKind::Set(value) | EditKind::Append(value) | EditKind::Insert(value) = &edit.kind
            && let Ok(old) = editor.value(path)
            && let Some(&old) = match edit.kind {
                EditKind::Append(_) => old[1..].trim_ascii_start().first(),
                _ => old.first(),
            }
            && value.is_doubtful(old)
        {
            let at = editor.innermost(path).map(|span| span.start);
            return Err(Refusal::guard(edit, value, old, at));
        }
        let made = self.create_parents(edit, editor);
        let done = match &edit.kind {
            EditKind::Set(value) => editor.set_with(path, &value.text, self.options),
            EditKind::Append(value) => editor.append_with(path, &value.text, self.options),
            EditKind::Insert(value) => match editor.insert(path, &value.text).map(drop) {
                Err(EditError::Missing { .. } | EditError::PastEnd { .. })
                    if self.options.parents =>
                {
                    editor.set_with(path, &value.text, self.options)
                }
                done => done.map(|()| &mut *editor),
            },
            EditKind::Delete => editor.delete(path),
            EditKind::Move(to) => editor.relocate(path, &to.path),
            EditKind::Copy(to) => editor.copy(path, &to.path),
            EditKind::Test(value) => editor.test(path, &value.text),
        };
        let Err(error) = done.map(drop) else {
            return Ok(made);
        };
        // A move or copy stops on either path.
        let place = match &edit.kind {
            EditKind::Move(to) | EditKind::Copy(to) if editor.value(path).is_ok() => to,
            _ => &edit.path,
        };
        let reached = |steps| Path::parse(&place.path.first(steps).to_string()).ok();
        let stopped = NoMatch::new(&error, |steps| {
            let container = reached(steps).and_then(|path| editor.value(&path).ok());
            container.unwrap_or_default()
        });
        let at = editor.innermost(&place.path).map(|span| span.start);
        let refusal = match stopped {
            Some(_) if self.missing_ok && !matches!(edit.kind, EditKind::Test(_)) => {
                return Ok(None);
            }
            Some(stopped) => Refusal::no_match(edit, place, &stopped, self.options),
            None => {
                let text = match (&error, &edit.kind) {
                    (EditError::TestFailed { .. }, EditKind::Test(value)) => {
                        let found = editor.value(path).unwrap_or_default();
                        format!(
                            "{} is {}, not {}",
                            edit.path.typed,
                            path_messages::shown(&found),
                            path_messages::shown(&value.text)
                        )
                    }
                    (EditError::IntoItself { .. }, EditKind::Move(to)) => format!(
                        "{} cannot be moved to {}, which is inside it",
                        edit.path.typed, to.typed
                    ),
                    _ => {
                        return Err(Refusal {
                            at,
                            ..Refusal::from_error(&error, &edit.label, &place.typed)
                        });
                    }
                };
                Refusal::new(Exit::No, &edit.label, &text)
            }
        };
        Err(Refusal { at, ..refusal })
    }

    /// With `-p`, creates the parents of the target of a move or copy; other operations create their own. Returns the
    /// messages about them.
    fn create_parents(&self, edit: &PathEdit, editor: &mut Editor<'_, '_>) -> Option<Warning> {
        let path = match &edit.kind {
            EditKind::Move(to) | EditKind::Copy(to) if editor.value(&edit.path.path).is_ok() => {
                &to.path
            }
            EditKind::Insert(_) | EditKind::Set(_) | EditKind::Append(_) => &edit.path.path,
            _ => return None,
        };
        if !self.options.parents {
            return None;
        }
        let there = match editor.value(path) {
            Err(EditError::Missing { steps, .. } | EditError::PastEnd { steps, .. }) => steps,
            _ => return None,
        };
        let parent = path.segments().len() - 1;
        if there < parent && matches!(edit.kind, EditKind::Move(_) | EditKind::Copy(_)) {
            // The last step determines the kind of the innermost container. The operation reports a failure.
            let inner = edit::nested(path, parent, b"0")?;
            let inner = if inner[0] == b'[' { "[]" } else { "{}" };
            let parent = Path::parse(&path.first(parent).to_string()).ok()?;
            let _ = editor.set_with(&parent, inner, self.options);
        }
        Warning::of_parents(path, there + 1)
    }
}
