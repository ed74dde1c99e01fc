//! Turns the matches of a lookup into replacements in a text that need not be in memory.

use jsonx_core::order::sort_by_place;
use std::ops::Range;

use jsonx_core::edit::{self, Action, Text};
use jsonx_core::engine::{Options, Stop, Validator};
use jsonx_core::internal::Splices;
use jsonx_core::query::{Answer, Duplicates, Missing, Query, QueryOptions};
use jsonx_core::{Document, Kind, SyntaxError};

use super::outcome::{Refusal, Warning};
use super::request::{EditKind, NewValue, PathEdit, Request, TypedPath};
use crate::exit::Exit;
use crate::path_messages::{self, NoMatch};
use crate::report::escape;

/// Changes at spans of a text.
pub struct Changes<'e> {
    edit: &'e PathEdit,
    places: Vec<(Range<usize>, SpanEdit)>,
    pub warnings: Vec<Warning>,
}

impl Request {
    /// The changes, from the answers of [`PathEdit::query`]; their offsets are less by `origin`.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn changes<T: Text + ?Sized>(
        &self,
        text: &T,
        answers: &[Answer],
        origin: usize,
        is_record: bool,
    ) -> Result<Changes<'_>, Refusal> {
        let edit = &self.edit;
        let mut found = Collector {
            request: self,
            edit,
            text,
            origin,
            is_record,
            places: Vec::new(),
            warnings: Vec::new(),
        };
        if found.collect(answers)? {
            found.warnings.push(edit.duplicates());
        }
        Ok(Changes {
            edit,
            places: found.places,
            warnings: found.warnings,
        })
    }
}

impl Changes<'_> {
    /// The spans and their changes.
    pub fn iter(&self) -> impl Iterator<Item = (Range<usize>, Action<'_>)> {
        let value = self.edit.value().map_or(&b""[..], |value| &value.text);
        self.places.iter().filter_map(move |(span, place)| {
            let change = match place {
                SpanEdit::Keep => return None,
                SpanEdit::Set => Action::Set(value),
                SpanEdit::Delete => Action::Delete,
                SpanEdit::Append(inner) => Action::Append(inner.as_deref().unwrap_or(value)),
                SpanEdit::Add(key, inner) => Action::Add {
                    key,
                    value: inner.as_deref().unwrap_or(value),
                },
            };
            Some((span.clone(), change))
        })
    }

    /// The replacements in a text without comments.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn splices<T: Text + ?Sized>(&self, text: &T) -> Result<Splices, Refusal> {
        let refused = |error| Refusal::from_error(&error, &self.edit.path.typed);
        Splices::at(text, self.iter()).map_err(refused)
    }
}

/// The answers of a query in a text in memory.
///
/// # Errors
/// The text is invalid.
pub fn answers(
    mut query: Query,
    text: &[u8],
    options: Options,
) -> Result<Vec<Answer>, SyntaxError> {
    match Validator::new(options).check(text, &mut query) {
        Ok(()) => {
            query.end();
            Ok(query.answers().collect())
        }
        Err(Stop::Invalid(error)) => Err(error),
    }
}

impl PathEdit {
    /// The lookup that finds the values.
    pub fn query(&self) -> Query {
        let paths = self.paths().map(|path| path.path.clone());
        let mut paths: Vec<_> = paths.collect();
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

    /// The warning about a duplicate key on a path.
    pub fn duplicates(&self) -> Warning {
        Warning::Duplicates {
            path: Some(self.path.typed.clone()),
            what: match self.kind {
                EditKind::Delete => "all of them are removed",
                _ => "the last one counts, and is changed",
            },
        }
    }

    /// The paths whose matches are edited.
    fn paths(&self) -> impl Iterator<Item = &TypedPath> {
        [&self.path].into_iter().chain(&self.also)
    }

    /// The value of the operation inside a container for each step from `from` on.
    pub fn nested(&self, from: usize) -> Option<Vec<u8>> {
        let value = &self.value()?.text[..];
        let value = match self.kind {
            EditKind::Append(_) if !self.is_to_end() => &[b"[", value, b"]"].concat(),
            _ => value,
        };
        edit::nested(&self.path.path, from, value)
    }

    /// Whether the path ends with `/-`, the end of an array, or that key of an object.
    fn is_to_end(&self) -> bool {
        let last = self.path.path.segments().len().saturating_sub(1);
        self.path.path.is_end(last)
    }

    pub fn value(&self) -> Option<&NewValue> {
        match &self.kind {
            EditKind::Set(value) | EditKind::Append(value) => Some(value),
            EditKind::Delete => None,
        }
    }
}

/// The edit of the value at a span.
enum SpanEdit {
    Keep,
    Set,
    Delete,
    /// The value if it is not the one of the operation.
    Append(Option<Vec<u8>>),
    /// Its key, and the value if it is not the one of the operation.
    Add(Vec<u8>, Option<Vec<u8>>),
}

/// Whether the text of an array has an element equal to a value.
fn has_element(array: &[u8], value: &NewValue) -> bool {
    let index = |text| Document::index(text, Options::default().max_depth(u64::MAX));
    match (index(array), index(&value.text[..])) {
        (Ok(array), Ok(value)) => {
            let mut elements = array.root().elements();
            elements.any(|element| element.equals(value.root()))
        }
        _ => false,
    }
}

/// Nothing is appended to a value of this kind.
fn not_array(path: &str, kind: Kind, at: usize) -> Refusal {
    Refusal {
        at: Some(at),
        ..Refusal::new(Exit::No, &format!("{path} is {kind}, not an array"))
    }
}

struct Collector<'r, T: ?Sized> {
    request: &'r Request,
    edit: &'r PathEdit,
    text: &'r T,
    origin: usize,
    is_record: bool,
    places: Vec<(Range<usize>, SpanEdit)>,
    warnings: Vec<Warning>,
}

impl<T: Text + ?Sized> Collector<'_, T> {
    /// Converts the answers to places. Returns whether a path passes through a duplicate key.
    fn collect(&mut self, answers: &[Answer]) -> Result<bool, Refusal> {
        let paths: Vec<&TypedPath> = self.edit.paths().collect();
        let (mut duplicate, mut parents) = (false, Vec::new());
        // For each path.
        let (mut matches, mut misses) = (vec![0; paths.len()], vec![None; paths.len()]);
        for answer in answers {
            match answer {
                Answer::Match(one) => {
                    let span = self.span(one.start, one.end);
                    duplicate |= one.duplicate;
                    match matches.get_mut(one.path) {
                        Some(count) => {
                            *count += 1;
                            self.matched(span)?;
                        }
                        None => parents.push(span),
                    }
                }
                Answer::Missing { path, missing, .. } => {
                    if let Some(miss) = misses.get_mut(*path) {
                        *miss = Some(*missing);
                    }
                }
            }
        }
        if matches!(self.edit.kind, EditKind::Delete) {
            let mut counts = paths.iter().zip(&matches);
            duplicate |= counts.any(|(path, count)| *count > 1 && path.path.is_singular());
            // Several paths may lead to a value.
            sort_by_place(&mut self.places, |(span, _)| (span.start, span.end));
            self.places.dedup_by(|(one, _), (other, _)| one == other);
        }
        self.add_to_parents(parents);
        // A record may lack one of several values that are removed.
        if !self.places.is_empty() && (paths.len() == 1 || self.is_record) {
            return Ok(duplicate);
        }
        for (path, (count, miss)) in paths.iter().zip(matches.iter().zip(misses)) {
            match miss {
                _ if paths.len() > 1 && *count > 0 => {}
                Some(missing) => self.missed(path, &missing)?,
                None if self.request.missing_ok => {}
                None => {
                    let text = format!("no match for {}", path.typed);
                    return Err(Refusal {
                        is_missing: true,
                        ..Refusal::new(Exit::No, &text)
                    });
                }
            }
        }
        Ok(duplicate)
    }

    fn span(&self, start: u64, end: u64) -> Range<usize> {
        start as usize + self.origin..end as usize + self.origin
    }

    fn matched(&mut self, span: Range<usize>) -> Result<(), Refusal> {
        let spot = match &self.edit.kind {
            EditKind::Set(value) => {
                self.guard(value, span.start)?;
                SpanEdit::Set
            }
            EditKind::Append(value) => {
                if self.text.byte(span.start) != b'[' {
                    if !self.edit.path.path.is_singular() {
                        return Ok(());
                    }
                    let kind = Kind::from_first(self.text.byte(span.start));
                    return Err(not_array(&self.edit.path.typed, kind, span.start));
                }
                let mut first = span.start + 1;
                while self.text.byte(first).is_ascii_whitespace() {
                    first += 1;
                }
                self.guard(value, first)?;
                if self.request.unique && has_element(&self.text.copy(span.clone()), value) {
                    SpanEdit::Keep
                } else {
                    SpanEdit::Append(None)
                }
            }
            EditKind::Delete => SpanEdit::Delete,
        };
        self.places.push((span, spot));
        Ok(())
    }

    /// Rejects a value whose type may be a mistake.
    fn guard(&self, value: &NewValue, other: usize) -> Result<(), Refusal> {
        let old = self.text.byte(other);
        if value.is_doubtful(old) {
            Err(Refusal::guard(self.edit, value, old, Some(other)))
        } else {
            Ok(())
        }
    }

    /// Adds the last key of a path with many matches to each object that lacks it.
    fn add_to_parents(&mut self, mut parents: Vec<Range<usize>>) {
        sort_by_place(&mut parents, |span| (span.start, 0));
        let creates = matches!(self.edit.kind, EditKind::Set(_));
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
        for parent in parents.into_iter().map(Some).chain([None]) {
            let start = parent.as_ref().map_or(usize::MAX, |parent| parent.start);
            while let Some(at) = matches.next_if(|&at| at <= start) {
                close(&mut open, at);
                if let Some((_, has)) = open.last_mut() {
                    *has = true;
                }
            }
            close(&mut open, start);
            open.extend(parent.map(|parent| (parent, false)));
        }
        let last = self.edit.path.path.segments().len() - 1;
        let is_end = self.edit.path.path.is_end(last);
        for span in lacking {
            match self.text.byte(span.start) {
                b'{' => self.places.push((span, SpanEdit::Add(key.to_vec(), None))),
                b'[' if is_end => self.places.push((span, SpanEdit::Append(None))),
                _ => {}
            }
        }
    }

    /// A singular path has no match: its value is created, or the miss is reported.
    fn missed(&mut self, path: &TypedPath, missing: &Missing) -> Result<(), Refusal> {
        let span = self.span(missing.start, missing.end);
        let segments = path.path.segments();
        let options = self.request.options;
        let step = segments
            .get(missing.steps)
            .and_then(|segment| segment.selectors.first());
        let stopped = || NoMatch::of_missing(missing, || self.text.copy(span.clone()));
        let is_last = missing.steps + 1 == segments.len();
        let sets = matches!(self.edit.kind, EditKind::Set(_));
        let appends = matches!(self.edit.kind, EditKind::Append(_));
        if appends && is_last && self.edit.is_to_end() {
            if missing.kind == Kind::Array {
                return self.matched(span);
            }
            let parent = match missing.steps {
                0 => "the document".to_owned(),
                steps => escape(&path.path.first(steps).to_string()),
            };
            return Err(not_array(&parent, missing.kind, span.start));
        }
        // `.editor.fontSize` means the key "editor.fontSize" if there is one.
        let is_joined = (sets || appends)
            && options.parents
            && !is_last
            && path_messages::has_joined_key(&path.path, &stopped());
        if (sets || appends) && !options.existing {
            let key = step.and_then(|step| step.key());
            let is_end = self.edit.path.path.is_end(missing.steps);
            let adds = options.parents || sets && is_last;
            let value = adds.then(|| self.edit.nested(missing.steps + 1)).flatten();
            let place = match (missing.kind, key) {
                (Kind::Object, Some(key)) if adds => {
                    value.map(|value| SpanEdit::Add(key.to_vec(), Some(value)))
                }
                (Kind::Array, _) if adds && is_end => {
                    value.map(|value| SpanEdit::Append(Some(value)))
                }
                _ => None,
            };
            if let Some(place) = place.filter(|_| !is_joined) {
                let made = Warning::of_parents(&self.edit.path.path, missing.steps + 1);
                self.warnings.extend(made);
                self.places.push((span, place));
                return Ok(());
            }
        }
        if self.request.missing_ok && !is_joined {
            return Ok(());
        }
        let refusal = Refusal::no_match(self.edit, path, &stopped(), options);
        Err(Refusal {
            at: Some(span.start),
            ..refusal
        })
    }
}
