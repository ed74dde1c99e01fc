//! Shortens a text and its new value before they are compared: values that the program passed on unchanged become short names.
//!
//! ```text
//! {"a": 1, "big": [ … ], "x": /*c*/ {"y": 2}}      {"a": 1, "big": "@0:0@", "x": /*c*/ "@0:1@"}
//!     .a = 3 | .z = .x | del(.x)            ──►    {"a": 3, "big": "@0:0@", "z": "@0:1@"}
//! ```
//!
//! The names are strings that occur nowhere else. In the edited text, the bytes of the values take their places again, so values
//! that moved keep theirs, and the memory for the comparison does not depend on what stays.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use jsonx_core::Node;
use jsonx_core::string::lone_surrogates;

use super::RewriteError;
use crate::value::{Lazy, Members, Printer, Value};

/// Shorter values that stay where they are show the layout of their container.
const LONG: usize = 4096;

/// The number of children of a large container, at its start and at its end, that show its layout.
const SHOWN: usize = 8;

/// The number of values that can be moved with the comments around them; each is an edit of its own.
const MOVES: usize = 256;

/// A step of a path.
#[derive(Clone, PartialEq, Eq)]
pub enum Step {
    Key(Rc<str>),
    Index(usize),
}

/// A value that moves: its path before and after.
pub struct Move {
    pub from: Vec<Step>,
    pub to: Vec<Step>,
}

/// A text and its new value.
pub struct Reduced {
    pub text: Vec<u8>,
    pub value: String,
    pub moves: Vec<Move>,
    /// The whole old value is in the new one.
    pub is_wrapped: bool,
    names: Names,
}

/// The ranges of the text that have names.
struct Names {
    prefix: String,
    spans: Vec<Range<usize>>,
}

/// The place of a value of the text in the new value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Elsewhere,
    /// Another index of the same array.
    Shifted,
    Same,
}

/// A value of the text in the new value.
struct Occurrence {
    span: Range<usize>,
    place: Place,
    /// One of many children of its container.
    is_one_of_many: bool,
    /// The offset in the text of the new value.
    at: usize,
    lazy: Lazy,
    /// Of a value that is elsewhere.
    path: Vec<Step>,
}

/// Writes the new value, without the values of the text.
struct Walk<'a> {
    old: &'a Lazy,
    out: Vec<u8>,
    path: Vec<Step>,
    found: Vec<Occurrence>,
    /// The offset in `out` of each key of the text that cannot be written otherwise, and its span.
    keys: Vec<(usize, Range<usize>)>,
}

/// Reduces the text of `old`, and `new`.
///
/// # Errors
/// The program sees several keys as one.
pub fn reduce(old: &Lazy, around: Range<usize>, new: &Value) -> Result<Reduced, RewriteError> {
    let text = old.source().text();
    let mut walk = Walk {
        old,
        out: Vec::new(),
        path: Vec::new(),
        found: Vec::new(),
        keys: Vec::new(),
    };
    walk.value(Some(old.node()), new, Place::Elsewhere, false)?;
    let Walk {
        out, found, keys, ..
    } = walk;
    let named = chosen(text, &found);
    let mut holes: Vec<(usize, Option<usize>, Range<usize>)> = keys
        .into_iter()
        .map(|(at, span)| (at, None, span))
        .collect();
    holes.extend(
        found
            .iter()
            .enumerate()
            .map(|(number, one)| (one.at, Some(number), one.span.clone())),
    );
    holes.sort_by_key(|(at, ..)| *at);
    let mut names = Names {
        prefix: unused_prefix(&text[around.clone()], &out),
        spans: Vec::new(),
    };
    let mut value = Vec::with_capacity(out.len());
    let mut done = 0;
    for (at, number, span) in holes {
        value.extend_from_slice(&out[done..at]);
        done = at;
        match number {
            Some(number) if !named[number] => {
                Printer::default().push(&Value::Lazy(found[number].lazy.clone()), &mut value);
            }
            _ => {
                names.push_name(names.spans.len(), &mut value);
                names.spans.push(span);
            }
        }
    }
    value.extend_from_slice(&out[done..]);
    let moved = || {
        let all = found.iter().zip(&named);
        all.filter(|(one, is_named)| **is_named && one.place == Place::Elsewhere)
            .map(|(one, _)| one)
    };
    let root = old.span();
    let is_wrapped = moved().any(|one| one.span == root);
    let moves = match moved().count() {
        1..=MOVES if !is_wrapped => moved().filter_map(|one| move_of(old, new, one)).collect(),
        _ => Vec::new(),
    };
    Ok(Reduced {
        text: names.reduced(text, around),
        value: String::from_utf8(value).unwrap_or_default(),
        moves,
        is_wrapped,
        names,
    })
}

impl Walk<'_> {
    fn value(
        &mut self,
        old: Option<Node<'_, '_>>,
        new: &Value,
        place: Place,
        is_one_of_many: bool,
    ) -> Result<(), RewriteError> {
        match new {
            Value::Lazy(lazy) if self.is_of_text(lazy) => {
                let span = lazy.span();
                let is_same = old.is_some_and(|old| old.span() == span);
                let place = if is_same { Place::Same } else { place };
                let path = match place {
                    Place::Elsewhere => self.path.clone(),
                    _ => Vec::new(),
                };
                self.found.push(Occurrence {
                    span,
                    place,
                    is_one_of_many,
                    at: self.out.len(),
                    lazy: lazy.clone(),
                    path,
                });
                Ok(())
            }
            Value::Array(items) => {
                let olds: Vec<Node<'_, '_>> =
                    old.into_iter().flat_map(|old| old.elements()).collect();
                let starts: Vec<usize> = olds.iter().map(|old| old.span().start).collect();
                self.out.push(b'[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        self.out.push(b',');
                    }
                    let index = match item {
                        Value::Lazy(lazy) if self.is_of_text(lazy) => {
                            starts.binary_search(&lazy.span().start).ok()
                        }
                        _ => None,
                    };
                    let (place, shown) = match index {
                        Some(index) => (Place::Shifted, index),
                        None => (Place::Elsewhere, at),
                    };
                    self.path.push(Step::Index(at));
                    let is_one_of_many = is_one_of_many_at(shown, olds.len());
                    self.value(olds.get(at).copied(), item, place, is_one_of_many)?;
                    self.path.pop();
                }
                self.out.push(b']');
                Ok(())
            }
            Value::Object(members) => {
                let mut olds: HashMap<Cow<'_, str>, Vec<Old<'_>>> = HashMap::new();
                let mut count = 0;
                for (key, value) in old.into_iter().flat_map(|old| old.members()) {
                    let name = key.as_str().unwrap_or_default();
                    let number = count;
                    olds.entry(name)
                        .or_default()
                        .push(Old { key, value, number });
                    count += 1;
                }
                self.out.push(b'{');
                for (at, (name, value)) in self.in_place(members, &olds).into_iter().enumerate() {
                    if at > 0 {
                        self.out.push(b',');
                    }
                    let old = olds.get(&**name).map_or(&[][..], |olds| olds);
                    match key_span(old)? {
                        Some(span) => self.keys.push((self.out.len(), span)),
                        None => Printer::default().push_string(name, &mut self.out),
                    }
                    self.out.push(b':');
                    self.path.push(Step::Key(name.clone()));
                    let last = old.last();
                    let is_one_of_many =
                        last.is_some_and(|old| is_one_of_many_at(old.number, count));
                    let old = last.map(|old| old.value);
                    self.value(old, value, Place::Elsewhere, is_one_of_many)?;
                    self.path.pop();
                }
                self.out.push(b'}');
                Ok(())
            }
            scalar => {
                Printer::default().push(scalar, &mut self.out);
                Ok(())
            }
        }
    }
}

impl Walk<'_> {
    /// The members of a new object; those that the program only renamed, as `.new = .old | del(.old)` does, are where they were.
    fn in_place<'v>(
        &self,
        members: &'v Members,
        olds: &HashMap<Cow<'_, str>, Vec<Old<'_>>>,
    ) -> Vec<(&'v Rc<str>, &'v Value)> {
        let number = |key: &str| Some(olds.get(key)?.last()?.number);
        let ordered: Vec<_> = members.iter().collect();
        let common = ordered.iter().map_while(|(key, _)| number(key));
        let count = common.clone().count();
        let others = ordered[count..].iter();
        let are_added_last =
            common.is_sorted() && others.clone().all(|(key, _)| number(key).is_none());
        if olds.is_empty() || count == ordered.len() || !are_added_last {
            return ordered;
        }
        let removed = olds
            .iter()
            .filter(|(key, _)| !members.contains_key(key.as_ref()));
        let removed: HashMap<usize, usize> = removed
            .flat_map(|(_, olds)| olds)
            .map(|old| (old.value.span().start, old.number))
            .collect();
        let place = |key: &str, value: &Value| match value {
            Value::Lazy(lazy) if self.is_of_text(lazy) && number(key).is_none() => {
                removed.get(&lazy.span().start).copied()
            }
            _ => number(key),
        };
        // A changed value, whose old place is not known, stays after the member before it.
        let mut last = 0;
        let places = ordered.iter().map(|(key, value)| {
            last = place(key, value).unwrap_or(last);
            last
        });
        let mut placed: Vec<_> = places
            .collect::<Vec<_>>()
            .into_iter()
            .zip(ordered)
            .collect();
        placed.sort_by_key(|(place, _)| *place);
        placed.into_iter().map(|(_, member)| member).collect()
    }

    fn is_of_text(&self, lazy: &Lazy) -> bool {
        std::ptr::eq(lazy.source(), self.old.source())
    }
}

/// A member of the text.
struct Old<'d> {
    key: Node<'d, 'd>,
    value: Node<'d, 'd>,
    number: usize,
}

/// Whether a child of a container is neither one of the first nor of the last of many.
fn is_one_of_many_at(at: usize, count: usize) -> bool {
    count > 8 * SHOWN && (SHOWN..count - SHOWN).contains(&at)
}

/// The range of the keys that the program sees as one, if they cannot be written as it sees them.
fn key_span(olds: &[Old<'_>]) -> Result<Option<Range<usize>>, RewriteError> {
    let ([first, ..], [.., last]) = (olds, olds) else {
        return Ok(None);
    };
    if olds
        .iter()
        .all(|old| lone_surrogates(old.key.raw()).next().is_none())
    {
        return Ok(None);
    }
    if last.number - first.number >= olds.len() {
        return Err(RewriteError::KeysAreOne(first.key.span().start));
    }
    Ok(Some(first.key.span().start..last.key.span().end))
}

/// Whether each occurrence is replaced by a name: of those of one value, at most one, and none within a value that stays whole.
fn chosen(text: &[u8], found: &[Occurrence]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..found.len()).collect();
    // The whole before its parts, and the best place first.
    order.sort_by_key(|&at| {
        let one = &found[at];
        (
            one.span.start,
            std::cmp::Reverse((one.span.end, one.place)),
            at,
        )
    });
    let mut named = vec![false; found.len()];
    let mut end = 0;
    for at in order {
        let Occurrence {
            span,
            place,
            is_one_of_many,
            ..
        } = &found[at];
        if span.start < end {
            continue;
        }
        end = span.end;
        let raw = &text[span.clone()];
        named[at] = *place == Place::Elsewhere
            || *is_one_of_many
            || raw.len() > LONG
            || lone_surrogates(raw).next().is_some();
    }
    named
}

/// The start of names that occur in neither text.
fn unused_prefix(text: &[u8], value: &[u8]) -> String {
    let mut number = 0;
    loop {
        let prefix = format!("\"@{number}:");
        let finder = memchr::memmem::Finder::new(&prefix);
        if finder.find(text).is_none() && finder.find(value).is_none() {
            return prefix;
        }
        number += 1;
    }
}

/// The move of a value whose old place is empty.
fn move_of(old: &Lazy, new: &Value, one: &Occurrence) -> Option<Move> {
    let Some(Step::Key(_)) = one.path.last() else {
        return None;
    };
    let from = path_of(old.node(), &one.span)?;
    let (place, parents) = from.split_last()?;
    let mut value = Cow::Borrowed(new);
    let mut node = old.node();
    for step in parents {
        // Elements of another array may have other indices.
        let is_shifted = matches!(step, Step::Index(_)) && value.children() != node.len();
        if is_shifted {
            return None;
        }
        value = Cow::Owned(child(&value, step)?);
        node = child_node(node, step)?;
    }
    let is_removed = match place {
        Step::Key(_) => child(&value, place).is_none(),
        // The only element that was removed.
        Step::Index(_) => match value.into_owned().forced() {
            Value::Array(items) => items.len() + 1 == node.len() && !items.iter().any(|item| {
                matches!(item, Value::Lazy(lazy) if std::ptr::eq(lazy.source(), old.source()) && lazy.span() == one.span)
            }),
            _ => false,
        },
    };
    is_removed.then(|| Move {
        from: from.clone(),
        to: one.path.clone(),
    })
}

/// The path of the value at a span.
fn path_of(root: Node<'_, '_>, span: &Range<usize>) -> Option<Vec<Step>> {
    let mut node = root;
    let mut path = Vec::new();
    let holds = |node: &Node<'_, '_>| node.span().contains(&span.start);
    while node.span() != *span {
        let element = node.elements().enumerate().find(|(_, it)| holds(it));
        let member = || node.members().find(|(_, it)| holds(it));
        let (step, next) = match element {
            Some((at, next)) => (Step::Index(at), next),
            None => {
                let (key, next) = member()?;
                (Step::Key(key.as_str()?.as_ref().into()), next)
            }
        };
        path.push(step);
        node = next;
    }
    Some(path)
}

/// A child of a value.
pub fn child(value: &Value, step: &Step) -> Option<Value> {
    match (value.clone().forced(), step) {
        (Value::Array(items), Step::Index(at)) => items.get(*at).cloned(),
        (Value::Object(members), Step::Key(key)) => members.get(key).cloned(),
        _ => None,
    }
}

/// A child of a node.
pub fn child_node<'d>(node: Node<'d, 'd>, step: &Step) -> Option<Node<'d, 'd>> {
    match step {
        Step::Key(key) => node.get(&**key),
        Step::Index(at) => node.get(*at),
    }
}

impl Names {
    fn push_name(&self, number: usize, out: &mut Vec<u8>) {
        out.extend_from_slice(format!("{}{number}@\"", self.prefix).as_bytes());
    }

    /// A range of the text, with names.
    fn reduced(&self, text: &[u8], around: Range<usize>) -> Vec<u8> {
        let mut order: Vec<usize> = (0..self.spans.len()).collect();
        order.sort_by_key(|&number| self.spans[number].start);
        let mut out = Vec::new();
        let mut at = around.start;
        for number in order {
            let span = &self.spans[number];
            // A key of an object that is whole elsewhere.
            if span.start < at {
                continue;
            }
            out.extend_from_slice(&text[at..span.start]);
            self.push_name(number, &mut out);
            at = span.end;
        }
        out.extend_from_slice(&text[at..around.end]);
        out
    }
}

impl Reduced {
    /// A text with the bytes of `text` in place of their names.
    pub fn expanded(&self, edited: &[u8], text: &[u8]) -> Vec<u8> {
        let Names { prefix, spans } = &self.names;
        let mut out = Vec::with_capacity(edited.len());
        let mut at = 0;
        for found in memchr::memmem::find_iter(edited, prefix) {
            let name = &edited[found + prefix.len()..];
            let digits = memchr::memchr(b'@', name).unwrap_or_default();
            let number = std::str::from_utf8(&name[..digits]).ok();
            let span = number.and_then(|number| spans.get(number.parse::<usize>().ok()?));
            let Some(span) = span else {
                continue;
            };
            out.extend_from_slice(&edited[at..found]);
            let (old, new) = (indentation(text, span.start), indentation(edited, found));
            push_indented(&text[span.clone()], old, new, &mut out);
            at = found + prefix.len() + digits + 2;
        }
        out.extend_from_slice(&edited[at..]);
        out
    }
}

/// The white space at the start of the line.
fn indentation(text: &[u8], at: usize) -> &[u8] {
    let start = memchr::memrchr(b'\n', &text[..at]).map_or(0, |end| end + 1);
    let line = &text[start..at];
    let length = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
    &line[..length.count()]
}

/// Appends a value, with the indentation of its further lines changed as that of its first line.
fn push_indented(raw: &[u8], old: &[u8], new: &[u8], out: &mut Vec<u8>) {
    if old == new {
        out.extend_from_slice(raw);
        return;
    }
    for (number, line) in raw.split_inclusive(|byte| *byte == b'\n').enumerate() {
        match line.strip_prefix(old).filter(|_| number > 0) {
            Some(rest) if !rest.trim_ascii().is_empty() => {
                out.extend_from_slice(new);
                out.extend_from_slice(rest);
            }
            _ => out.extend_from_slice(line),
        }
    }
}
