//! The outcome of the edits of a document: a new text, or the reason for its absence.

use std::io;

use jsonx_core::edit::{EditError, SetOptions};
use jsonx_core::engine::Options;
use jsonx_core::internal::Splices;
use jsonx_core::path::{Path, Segment};
use jsonx_core::{Kind, SyntaxError};

use super::request::{EditKind, NewValue, PathEdit, TypedPath};
use crate::changes::comments;
use crate::check::{CheckOptions, Failure};
use crate::exit::Exit;
use crate::input::Input;
use crate::messages;
use crate::path_messages::{self, NoMatch};
use crate::report::{escape, in_shell};

/// The edit of a value by a command.
pub trait ValueEditor: Sync {
    /// Edits a value, which may be a record among others.
    ///
    /// # Errors
    /// It is invalid, or an operation fails.
    fn edit(&self, value: &[u8], options: Options, is_record: bool) -> Result<Outcome, Failed>;

    /// Whether it can edit a long file without reading it into memory.
    const EDITS_FILES: bool = false;

    /// Edits a long file. Returns the replacements.
    ///
    /// # Errors
    /// As for [`ValueEditor::edit`]; the file cannot be read.
    fn edit_file(&self, _: &CheckOptions, _: &mut Input) -> Result<Splices, Failure> {
        Err(Failure::Read(io::ErrorKind::Unsupported.into()))
    }

    /// Whether a path may have no match.
    fn takes_misses(&self) -> bool;

    /// The message of a refusal at a place.
    fn message(&self, refusal: &Refusal, place: &str) -> String;

    /// The texts of the values that it adds.
    fn added(&self) -> Vec<&[u8]>;
}

/// The changes of a document, and the comments removed with values.
pub struct Outcome {
    pub splices: Splices,
    pub dropped: Vec<String>,
    pub warnings: Vec<Warning>,
}

/// Warnings about edits that may be unintended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// Keys are repeated in the document, or along a path; `what` happens then.
    Duplicates {
        path: Option<String>,
        what: &'static str,
    },
    /// A container was created as an object, with a key that could be an index.
    NumericKey { container: String, key: String },
}

impl Warning {
    /// The container that `-p` creates for a step that may be a key or an index; the steps before `from` exist.
    pub fn of_parents(path: &Path, from: usize) -> Option<Warning> {
        let segments = path.segments().iter().enumerate().skip(from);
        segments
            .filter(|(number, _)| *number > 0)
            .find_map(|(number, segment)| {
                let selector = segment.selectors.first()?;
                selector.index()?;
                Some(Warning::NumericKey {
                    container: escape(&path.first(number).to_string()),
                    key: escape(selector.key()?),
                })
            })
    }

    /// Prints it; `place` is the name of the input, or a position in it.
    pub fn print(&self, place: &str) {
        match self {
            Warning::Duplicates { path, what } => {
                path_messages::warn_of_duplicates(place, path.as_deref(), what);
            }
            Warning::NumericKey { container, key } => messages::line(&format!(
                "jsonx: {place}: warning: {container} is created as an object with the key \"{key}\"; in a dot path, [0] makes an array, and \
                 [\"{key}\"] an object without this warning"
            )),
        }
    }
}

/// The reason why nothing is changed.
#[derive(Debug)]
pub struct Refusal {
    pub exit: Exit,
    /// The message, without the program, the file and the position.
    pub text: String,
    /// A line below it.
    pub hint: String,
    /// The position in the document.
    pub at: Option<usize>,
    /// The path has no match.
    pub is_missing: bool,
}

/// Why another index creates nothing.
pub const FIRST_ELEMENT: &str = "-p creates an array with its first element only: [0]";

impl Refusal {
    pub fn new(exit: Exit, text: &str) -> Refusal {
        Refusal {
            exit,
            text: text.to_owned(),
            hint: String::new(),
            at: None,
            is_missing: false,
        }
    }

    /// The line of a message, followed by the hint.
    pub fn with_hint(&self, mut line: String) -> String {
        if !self.hint.is_empty() {
            line += &format!("\n{}", self.hint);
        }
        line
    }

    /// An edit cannot be made at a path.
    pub fn from_error(error: &EditError, path: &str) -> Refusal {
        match error {
            EditError::Comment => Refusal {
                hint: comments::WAY_OUT.to_owned(),
                ..Refusal::new(Exit::Failure, comments::BLOCKED_BY_COMMENT)
            },
            EditError::TooLarge { .. } => Refusal::new(Exit::Failure, &format!("{path}: {error}")),
            _ => Refusal::new(Exit::No, &format!("{path}: {error}")),
        }
    }

    /// A path has no match: the position where it stopped, and a hint.
    pub fn no_match(
        edit: &PathEdit,
        place: &TypedPath,
        stopped: &NoMatch,
        options: SetOptions,
    ) -> Refusal {
        let (sentence, mut hint) = path_messages::explain(&place.path, stopped);
        let creates = !matches!(edit.kind, EditKind::Delete);
        let has_joined = creates && path_messages::has_joined_key(&place.path, stopped);
        if has_joined {
            let object = place.path.first(stopped.steps + 1).to_string();
            let object = in_shell(&object);
            hint += &format!("\n`jsonx set {object} '{{}}'` adds an object beside that key");
        }
        let is_on_the_way = stopped.steps + 1 < place.path.segments().len()
            || matches!(edit.kind, EditKind::Append(_));
        if creates
            && is_on_the_way
            && stopped.kind == Kind::Object
            && !options.parents
            && !options.existing
            && !has_joined
        {
            if !hint.is_empty() {
                hint.push('\n');
            }
            hint += "-p creates missing objects and arrays";
        }
        let after = place.path.segments().iter().skip(stopped.steps + 1);
        let is_index = |segment: &Segment| {
            let selector = segment.selectors.first();
            selector.is_some_and(|selector| selector.key().is_none() && selector.index() != Some(0))
        };
        if creates && options.parents && stopped.kind == Kind::Object && after.clone().any(is_index)
        {
            if !hint.is_empty() {
                hint.push('\n');
            }
            hint += FIRST_ELEMENT;
        }
        let is_end = stopped.kind == Kind::Array
            && !is_on_the_way
            && stopped.length.is_some_and(|length| {
                let last = place.path.segments().last();
                let index = last.and_then(|segment| segment.selectors.first()?.index());
                index.is_some_and(|index| index as u64 == length)
            });
        if creates && is_end && !options.existing {
            let array = escape(&place.path.first(stopped.steps).to_string());
            hint = format!("`jsonx append {array} VALUE` adds an element at the end");
        }
        let text = format!("no match for {}: {sentence}", place.typed);
        Refusal {
            hint,
            is_missing: !(has_joined && options.parents),
            ..Refusal::new(Exit::No, &text)
        }
    }

    /// A value would change its type, or be appended to elements of another type, without an explicit option. `old` is the
    /// first byte of the other value.
    pub fn guard(edit: &PathEdit, value: &NewValue, old: u8, at: Option<usize>) -> Refusal {
        let kind = Kind::from_first(value.text[0]);
        let other = Kind::from_first(old);
        let shown = path_messages::shown(&value.text);
        let (is, sets) = match edit.kind {
            EditKind::Append(_) => ("begins with", "appends"),
            _ => ("is", "sets"),
        };
        let text = String::from_utf8_lossy(&value.text);
        let hint = match (kind, path_messages::spelled_in_json(text.trim_matches('"'))) {
            (Kind::String, Some(meant)) => {
                format!("-s/--string {sets} the string {shown}; in JSON it is spelled {meant}")
            }
            (Kind::String, None) => format!("-s/--string {sets} the string {shown}"),
            _ => format!("-s/--string {sets} the string \"{shown}\", -j/--json {sets} {shown}"),
        };
        Refusal {
            at,
            hint,
            ..Refusal::new(
                Exit::Usage,
                &format!(
                    "{} {is} {other}, and {shown} reads as {kind}",
                    edit.path.typed
                ),
            )
        }
    }
}

/// The error of editing a document.
pub enum Failed {
    Invalid(SyntaxError),
    Refused(Refusal),
}

impl From<Refusal> for Failed {
    fn from(refusal: Refusal) -> Failed {
        Failed::Refused(refusal)
    }
}
