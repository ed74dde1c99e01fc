//! The edits of one document: a single operation from the matches of a lookup, several ones in an editor.

use std::ops::Range;

use jsonx_core::edit::{Change, EditError, Editor, Splices, Text};
use jsonx_core::path::Path;
use jsonx_core::{
    Answer, Document, Duplicates, Error, ErrorKind, Kind, Missing, Options, OutOfMemory, Query,
    QueryOptions, Stop, Validator,
};

use super::missing::{self, Stopped};
use super::request::{Edit, EditKind, NewValue, Place, Request, is_end};
use crate::exit::Exit;

/// What a document becomes.
pub enum Edited {
    /// It with replacements made.
    Splices(Splices),
    /// Another text, after several edits of which one may have had many matches.
    Text(Vec<u8>),
}

/// The result of all operations.
pub struct Outcome {
    pub edited: Edited,
    /// The paths on which a key was met that is there more than once, and whether all of them were removed.
    pub duplicates: Vec<(String, bool)>,
}

/// Why nothing is done.
#[derive(Debug)]
pub struct Refusal {
    pub exit: Exit,
    /// The message, without the program, the file and the place.
    pub text: String,
    /// A line below it.
    pub hint: String,
    /// Where in the document.
    pub at: Option<usize>,
    /// A path has no match.
    pub is_missing: bool,
}

impl Refusal {
    fn new(exit: Exit, label: &str, text: &str) -> Refusal {
        Refusal {
            exit,
            text: format!("{label}{text}"),
            hint: String::new(),
            at: None,
            is_missing: false,
        }
    }
}

/// Why a document was not edited.
pub enum Failed {
    Invalid(Error),
    Refused(Refusal),
}

/// The error of a lookup that has no memory left.
pub fn out_of_memory() -> Error {
    Error {
        kind: ErrorKind::OutOfMemory,
        offset: 0,
    }
}

impl From<Refusal> for Failed {
    fn from(refusal: Refusal) -> Failed {
        Failed::Refused(refusal)
    }
}

impl Request {
    /// Makes the edits of a document in memory.
    ///
    /// # Errors
    /// It is invalid, or an operation cannot be made.
    pub fn edit(&self, text: &[u8], options: Options) -> Result<Outcome, Failed> {
        self.make(&self.operations, text, options)
    }

    /// Makes some of the edits.
    ///
    /// # Errors
    /// As [`edit`](Request::edit).
    pub fn make(
        &self,
        operations: &[Edit],
        text: &[u8],
        options: Options,
    ) -> Result<Outcome, Failed> {
        if let [edit] = operations
            && edit.is_local()
        {
            return self.edit_once(edit, text, options);
        }
        let mut duplicates = Vec::new();
        let mut current: Option<Vec<u8>> = None;
        let mut edits = operations;
        let mut only = None;
        while !edits.is_empty() {
            let is_singular = |edit: &&Edit| edit.path.path.is_singular();
            let count = edits.iter().take_while(is_singular).count();
            let source = current.as_deref().unwrap_or(text);
            if count == 0 {
                let outcome = self.edit_once(&edits[0], source, options)?;
                duplicates.extend(outcome.duplicates);
                current = Some(outcome.edited.apply(source));
                edits = &edits[1..];
                continue;
            }
            let document = Document::parse_with(source, options).map_err(Failed::Invalid)?;
            let mut editor = document.edit();
            for edit in &edits[..count] {
                self.one(edit, &mut editor)?;
                if editor.take_duplicates() {
                    let removes = matches!(edit.kind, EditKind::Delete);
                    duplicates.push((edit.path.typed.clone(), removes));
                }
            }
            let splices = editor.splices();
            edits = &edits[count..];
            if current.is_none() && edits.is_empty() {
                only = Some(splices);
                break;
            }
            let next = splices.apply(source);
            current = Some(next);
        }
        let edited = match (only, current) {
            (Some(splices), _) => Edited::Splices(splices),
            (None, Some(text)) => Edited::Text(text),
            (None, None) => Edited::Splices(Splices::default()),
        };
        Ok(Outcome { edited, duplicates })
    }

    fn edit_once(&self, edit: &Edit, text: &[u8], options: Options) -> Result<Outcome, Failed> {
        let mut query = edit.query();
        match Validator::new(options).check(text, &mut query) {
            Ok(()) => {}
            Err(Stop::Invalid(error)) => return Err(Failed::Invalid(error)),
            Err(Stop::Sink(OutOfMemory)) => return Err(Failed::Invalid(out_of_memory())),
        }
        query.end();
        let answers: Vec<Answer> = query.answers().collect();
        Ok(self.splices(edit, text, &answers, 0)?)
    }

    /// The replacements of a single operation, from the answers of its [`Edit::query`]; their offsets are less by `origin`.
    ///
    /// # Errors
    /// The operation cannot be made.
    pub fn splices<T: Text + ?Sized>(
        &self,
        edit: &Edit,
        text: &T,
        answers: &[Answer],
        origin: usize,
    ) -> Result<Outcome, Refusal> {
        let mut found = Found {
            request: self,
            edit,
            text,
            origin,
            places: Vec::new(),
        };
        let is_duplicate = found.collect(answers)?;
        let changes = found.places.iter().map(|(span, place)| {
            let value = edit.value().map_or(&b""[..], |value| &value.text);
            let change = match place {
                Spot::Set => Change::Set(value),
                Spot::Delete => Change::Delete,
                Spot::Append => Change::Append(value),
                Spot::Insert => Change::Insert(value),
                Spot::Add(key, inner) => Change::Add {
                    key,
                    value: inner.as_deref().unwrap_or(value),
                },
            };
            (span.clone(), change)
        });
        let splices = Splices::at(text, changes).map_err(|error| {
            Refusal::new(
                Exit::No,
                &edit.label,
                &format!("{}: {error}", edit.path.typed),
            )
        })?;
        let removes = matches!(edit.kind, EditKind::Delete);
        let duplicates = is_duplicate.then(|| (edit.path.typed.clone(), removes));
        Ok(Outcome {
            edited: Edited::Splices(splices),
            duplicates: duplicates.into_iter().collect(),
        })
    }

    /// Makes one operation of several.
    fn one(&self, edit: &Edit, editor: &mut Editor<'_, '_>) -> Result<(), Refusal> {
        let path = &edit.path.path;
        if let EditKind::Set(value) = &edit.kind
            && value.guarded
            && editor.value(path).is_ok_and(|old| old[0] == b'"')
        {
            return Err(guard(edit, value, None));
        }
        let done = match &edit.kind {
            EditKind::Set(value) => editor.set_with(path, &value.text, self.options),
            EditKind::Append(value) => editor.append_with(path, &value.text, self.options),
            EditKind::Insert(value) => editor.insert_at(path, &value.text),
            EditKind::Delete => editor.delete_at(path),
            EditKind::Move(to) => editor.relocate_at(path, &to.path),
            EditKind::Copy(to) => editor.copy_at(path, &to.path),
            EditKind::Test(value) => editor.test_at(path, &value.text),
        };
        let Err(error) = done.map(drop) else {
            return Ok(());
        };
        // A move or copy stops on either path.
        let place = match &edit.kind {
            EditKind::Move(to) | EditKind::Copy(to) if editor.value(path).is_ok() => to,
            _ => &edit.path,
        };
        match self.stopped(&error, place, editor) {
            Some(_) if self.missing_ok && !matches!(edit.kind, EditKind::Test(_)) => Ok(()),
            Some(stopped) => Err(self.no_match(edit, place, stopped)),
            None => {
                let exit = match error {
                    EditError::TooLarge { .. } => Exit::Failure,
                    _ => Exit::No,
                };
                let text = match (&error, &edit.kind) {
                    (EditError::TestFailed, EditKind::Test(value)) => {
                        let found = editor.value(path).unwrap_or_default();
                        format!(
                            "{} is {}, not {}",
                            edit.path.typed,
                            missing::shown(&found),
                            missing::shown(&value.text)
                        )
                    }
                    (EditError::IntoItself, EditKind::Move(to)) => format!(
                        "{} cannot be moved to {}, which is inside it",
                        edit.path.typed, to.typed
                    ),
                    _ => format!("{}: {error}", place.typed),
                };
                Err(Refusal::new(exit, &edit.label, &text))
            }
        }
    }

    /// Where a path stopped, if that is the error.
    fn stopped(
        &self,
        error: &EditError,
        place: &Place,
        editor: &mut Editor<'_, '_>,
    ) -> Option<Stopped> {
        let (steps, kind, length) = match *error {
            EditError::Missing { steps } => (steps, Kind::Object, None),
            EditError::PastEnd { steps, length } => (steps, Kind::Array, Some(length as u64)),
            EditError::NotContainer { steps, kind } => (steps, kind, None),
            _ => return None,
        };
        let reached = Path::parse(&place.path.first(steps).to_string()).ok();
        let container = reached.and_then(|path| editor.value(&path).ok());
        Some(Stopped {
            steps,
            kind,
            length,
            container: container.unwrap_or_default(),
        })
    }

    fn no_match(&self, edit: &Edit, place: &Place, stopped: Stopped) -> Refusal {
        let (sentence, mut hint) = missing::explain(place, &stopped);
        let creates = matches!(
            edit.kind,
            EditKind::Set(_) | EditKind::Append(_) | EditKind::Insert(_)
        );
        if hint.is_empty()
            && creates
            && !self.options.parents
            && stopped.kind == Kind::Object
            && !matches!(edit.kind, EditKind::Insert(_))
        {
            hint = match self.options.existing {
                true => String::new(),
                false => "-p creates what is missing on the way".to_owned(),
            };
        }
        Refusal {
            hint,
            is_missing: true,
            ..Refusal::new(
                Exit::No,
                &edit.label,
                &format!("no match for {}: {sentence}", place.typed),
            )
        }
    }
}

impl Edited {
    /// Whether the text stays as it is.
    pub fn is_unchanged(&self, text: &[u8]) -> bool {
        match self {
            Edited::Splices(splices) => splices.is_empty(),
            Edited::Text(new) => new == text,
        }
    }

    pub fn apply(&self, text: &[u8]) -> Vec<u8> {
        match self {
            Edited::Splices(splices) => splices.apply(text),
            Edited::Text(new) => new.clone(),
        }
    }
}

impl Edit {
    /// The lookup that a single operation needs.
    pub fn query(&self) -> Query {
        let mut paths = vec![self.path.path.clone()];
        paths.extend(
            self.parent
                .clone()
                .filter(|_| !matches!(self.kind, EditKind::Delete)),
        );
        let duplicates = match self.kind {
            EditKind::Delete => Duplicates::Each,
            _ => Duplicates::Last,
        };
        Query::new(&paths, QueryOptions::default().duplicates(duplicates))
    }

    fn value(&self) -> Option<&NewValue> {
        match &self.kind {
            EditKind::Set(value)
            | EditKind::Append(value)
            | EditKind::Insert(value)
            | EditKind::Test(value) => Some(value),
            _ => None,
        }
    }
}

/// What is done to the value at a span.
enum Spot {
    Set,
    Delete,
    Append,
    Insert,
    /// Its key, and the value if it is not the one of the operation.
    Add(Vec<u8>, Option<Vec<u8>>),
}

struct Found<'r, T: ?Sized> {
    request: &'r Request,
    edit: &'r Edit,
    text: &'r T,
    origin: usize,
    places: Vec<(Range<usize>, Spot)>,
}

impl<T: Text + ?Sized> Found<'_, T> {
    /// Turns the answers into places. Returns whether a key on the way is there more than once.
    fn collect(&mut self, answers: &[Answer]) -> Result<bool, Refusal> {
        let (mut duplicate, mut parents, mut miss) = (false, Vec::new(), None);
        for answer in answers {
            match answer {
                Answer::Match(one) => {
                    let span = self.span(one.start, one.end);
                    duplicate |= one.duplicate;
                    match one.path {
                        0 => self.matched(span)?,
                        _ => parents.push(span),
                    }
                }
                Answer::Missing {
                    path: 0, missing, ..
                } => miss = Some(*missing),
                Answer::Missing { .. } => {}
            }
        }
        duplicate |= matches!(self.edit.kind, EditKind::Delete)
            && self.edit.path.path.is_singular()
            && self.places.len() > 1;
        self.add_to_parents(parents);
        if !self.places.is_empty() {
            return Ok(duplicate);
        }
        match miss {
            Some(missing) => self.missed(&missing).map(|()| duplicate),
            None if self.request.missing_ok => Ok(duplicate),
            None => Err(Refusal {
                is_missing: true,
                ..Refusal::new(
                    Exit::No,
                    &self.edit.label,
                    &format!("no match for {}", self.edit.path.typed),
                )
            }),
        }
    }

    fn span(&self, start: u64, end: u64) -> Range<usize> {
        start as usize + self.origin..end as usize + self.origin
    }

    fn matched(&mut self, span: Range<usize>) -> Result<(), Refusal> {
        let spot = match &self.edit.kind {
            EditKind::Set(value) => {
                if value.guarded && self.text.byte(span.start) == b'"' {
                    return Err(guard(self.edit, value, Some(span.start)));
                }
                Spot::Set
            }
            EditKind::Append(_) => {
                if self.text.byte(span.start) != b'[' {
                    if !self.edit.path.path.is_singular() {
                        return Ok(());
                    }
                    let kind = missing::kind_of(self.text.byte(span.start));
                    let typed = &self.edit.path.typed;
                    return Err(Refusal {
                        at: Some(span.start),
                        ..Refusal::new(
                            Exit::No,
                            &self.edit.label,
                            &format!("{typed} is {kind}, not an array"),
                        )
                    });
                }
                Spot::Append
            }
            EditKind::Insert(_) => match self.is_member(span.start) {
                true => Spot::Set,
                false => Spot::Insert,
            },
            _ => Spot::Delete,
        };
        self.places.push((span, spot));
        Ok(())
    }

    /// Whether a value has a key.
    fn is_member(&self, start: usize) -> bool {
        let mut at = start;
        while at > 0 && matches!(self.text.byte(at - 1), b' ' | b'\t' | b'\n' | b'\r') {
            at -= 1;
        }
        at > 0 && self.text.byte(at - 1) == b':'
    }

    /// The last key of a path with many matches is added to each object that has not got it.
    fn add_to_parents(&mut self, mut parents: Vec<Range<usize>>) {
        parents.sort_by_key(|span| span.start);
        let creates = matches!(self.edit.kind, EditKind::Set(_) | EditKind::Insert(_));
        if self.request.options.existing || !creates {
            return;
        }
        let last = self.edit.path.path.segments().last();
        let Some(key) = last
            .and_then(|last| last.selectors.first())
            .and_then(|selector| selector.key())
        else {
            return;
        };
        // Both are in the order of the text: the innermost parent around a match is its own.
        let mut open: Vec<(Range<usize>, bool)> = Vec::new();
        let mut lacking = Vec::new();
        let mut starts: Vec<usize> = self.places.iter().map(|(span, _)| span.start).collect();
        starts.sort_unstable();
        let mut matches = starts.into_iter().peekable();
        let mut close = |open: &mut Vec<(Range<usize>, bool)>, at: usize| {
            while let Some((span, has)) = open.pop_if(|(span, _)| span.end <= at) {
                if !has {
                    lacking.push(span);
                }
            }
        };
        for parent in parents {
            while let Some(at) = matches.next_if(|&at| at <= parent.start) {
                close(&mut open, at);
                if let Some((_, has)) = open.last_mut() {
                    *has = true;
                }
            }
            close(&mut open, parent.start);
            open.push((parent, false));
        }
        for at in matches {
            close(&mut open, at);
            if let Some((_, has)) = open.last_mut() {
                *has = true;
            }
        }
        close(&mut open, usize::MAX);
        let is_end = is_end(&self.edit.path.path);
        for span in lacking {
            match self.text.byte(span.start) {
                b'{' => self.places.push((span, Spot::Add(key.to_vec(), None))),
                b'[' if is_end => self.places.push((span, Spot::Append)),
                _ => {}
            }
        }
    }

    /// A path of one match has none: what is missing is created, or that is the message.
    fn missed(&mut self, missing: &Missing) -> Result<(), Refusal> {
        let span = self.span(missing.start, missing.end);
        let segments = self.edit.path.path.segments();
        let options = self.request.options;
        let step = segments
            .get(missing.steps)
            .and_then(|segment| segment.selectors.first());
        let is_last = missing.steps + 1 == segments.len();
        let sets = matches!(self.edit.kind, EditKind::Set(_) | EditKind::Insert(_));
        let appends = matches!(self.edit.kind, EditKind::Append(_));
        if (sets || appends) && !options.existing {
            match (missing.kind, step.and_then(|step| step.key())) {
                (Kind::Object, Some(key)) if sets && is_last => {
                    self.places.push((span, Spot::Add(key.to_vec(), None)));
                    return Ok(());
                }
                (Kind::Object, Some(key)) if options.parents => {
                    if let Some(value) = self.nested(missing.steps + 1, appends) {
                        self.places
                            .push((span, Spot::Add(key.to_vec(), Some(value))));
                        return Ok(());
                    }
                }
                (Kind::Array, _) if sets && is_last && is_end(&self.edit.path.path) => {
                    self.places.push((span, Spot::Append));
                    return Ok(());
                }
                (Kind::Array, _) if is_last && matches!(self.edit.kind, EditKind::Insert(_)) => {
                    let index = step.and_then(|step| step.index());
                    if index.is_some_and(|index| missing.length == u64::try_from(index).ok()) {
                        self.places.push((span, Spot::Append));
                        return Ok(());
                    }
                }
                _ => {}
            }
        }
        if self.request.missing_ok {
            return Ok(());
        }
        let readable = span.len() <= missing::LONGEST_READ;
        let stopped = Stopped {
            steps: missing.steps,
            kind: missing.kind,
            length: missing.length,
            container: match readable {
                true => self.text.copy(span.clone()),
                false => Vec::new(),
            },
        };
        let refusal = self.request.no_match(self.edit, &self.edit.path, stopped);
        Err(Refusal {
            at: Some(span.start),
            ..refusal
        })
    }

    /// The value of the operation inside an object for each step from `from` on.
    fn nested(&self, from: usize, appends: bool) -> Option<Vec<u8>> {
        let steps = &self.edit.path.path.segments()[from..];
        let keys: Option<Vec<&[u8]>> = steps
            .iter()
            .map(|step| step.selectors.first()?.key())
            .collect();
        let mut value = self.edit.value()?.text.clone();
        if appends {
            value = [b"[", &value[..], b"]"].concat();
        }
        for key in keys?.into_iter().rev() {
            let document = Document::parse(b"{}").ok()?;
            let member = [(0..2, Change::Add { key, value: &value })];
            value = Splices::at(document.text(), member).ok()?.apply(b"{}");
        }
        Some(value)
    }
}

/// A string would become something else, and nothing says that this is meant.
fn guard(edit: &Edit, value: &NewValue, at: Option<usize>) -> Refusal {
    let what = match value.text[0] {
        b't' | b'f' => "a boolean",
        b'n' => "null",
        _ => "a number",
    };
    let shown = missing::shown(&value.text);
    Refusal {
        at,
        hint: format!("-s/--string sets the string \"{shown}\", -j/--json sets {shown}"),
        ..Refusal::new(
            Exit::Usage,
            &edit.label,
            &format!(
                "{} is a string, and {shown} reads as {what}",
                edit.path.typed
            ),
        )
    }
}
