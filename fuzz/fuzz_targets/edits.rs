//! The laws of edits: bytes outside the edit are preserved, removing an added member restores the text, setting a value
//! that is already set changes nothing, the result equals that of a model, and an operation gives the same text from the
//! offsets of its match as in an editor.
//!
//! The input is two bytes that choose an edit and a place, a document, a byte that occurs in no document, and a value.

#![no_main]

use std::ops::Range;

use jsonx_core::edit::Action;
use jsonx_core::internal::Splices;
use jsonx_core::path::{Location, Notation};
use jsonx_core::{Document, Kind, Node, validate};
use libfuzzer_sys::{Corpus, fuzz_target};
use serde_json::Value;

/// Maximum number of values of a document to list.
const LISTED: usize = 2_000;

fuzz_target!(|input: &[u8]| -> Corpus {
    let [kind, pick, rest @ ..] = input else {
        return Corpus::Reject;
    };
    let mut parts = rest.splitn(2, |byte| *byte == 0xff);
    let (text, value) = (parts.next().unwrap_or(b""), parts.next().unwrap_or(b""));
    let Ok(document) = Document::parse(text) else {
        return Corpus::Reject;
    };
    let value = match validate(value) {
        Ok(()) => value.trim_ascii(),
        Err(_) => b"{\"p\":[1]}",
    };
    let found = values(&document);
    let at = usize::from(*pick) * 257 % found.len();
    let (location, node) = &found[at];
    let path = location.display(Notation::Pointer).to_string();
    let edit = Edit {
        text,
        document: &document,
        path: &path,
        node: *node,
        value,
    };
    match kind % 5 {
        0 => edit.set(),
        1 => edit.delete(),
        2 if node.kind() == Kind::Object => edit.add(),
        3 if node.kind() == Kind::Array => edit.append(),
        4 if node.kind() == Kind::Array && !node.is_empty() => edit.insert(usize::from(*pick)),
        _ => return Corpus::Reject,
    }
    Corpus::Keep
});

/// An edit at one value of a document.
struct Edit<'e, 't> {
    text: &'t [u8],
    document: &'e Document<'t>,
    path: &'e str,
    node: Node<'e, 't>,
    value: &'e [u8],
}

impl Edit<'_, '_> {
    fn set(&self) {
        let span = self.node.span();
        let mut editor = self.document.edit();
        let edited = editor
            .set(self.path, self.value)
            .expect("it is there")
            .finish();
        let change = [(span.clone(), Action::Set(self.value))];
        self.check(&edited, span, change, |model| {
            *model.pointer_mut(self.path)? = of(self.value)?;
            Some(())
        });
        let again = Document::parse(&edited).expect("JSON");
        let new = again.root().find(&parsed(self.path)).expect("it was set");
        assert!(is_equal(new.raw(), self.value));
        // Setting a scalar to its own value changes nothing.
        if new.is_empty() {
            let same = again
                .edit()
                .set(self.path, new.raw())
                .expect("it is there")
                .splices();
            assert!(same.is_empty());
        }
    }

    fn delete(&self) {
        let mut editor = self.document.edit();
        if self.path.is_empty() {
            assert!(editor.delete(self.path).is_err());
            return;
        }
        let edited = editor.delete(self.path).expect("it is there").finish();
        // All members with a duplicate key are removed, wherever they are.
        let duplicate = editor.take_duplicates();
        let span = self.node.span();
        let around = match duplicate {
            true => 0..self.text.len(),
            false => around(self.text, start_of(self.text, span.start)..span.end),
        };
        let change = [(span, Action::Delete)];
        let change = (!duplicate).then_some(change);
        self.check(&edited, around, change.into_iter().flatten(), |model| {
            let (parent, last) = self.path.rsplit_once('/')?;
            match model.pointer_mut(parent)? {
                Value::Object(members) => drop(members.shift_remove(&key_of(last))),
                Value::Array(elements) => drop(elements.remove(last.parse().ok()?)),
                _ => return None,
            }
            Some(())
        });
    }

    fn add(&self) {
        let path = format!("{}/\u{1}new\"", self.path);
        if self.node.get("\u{1}new\"").is_some() {
            return;
        }
        let mut editor = self.document.edit();
        let edited = editor.set(&path, self.value).expect("an object").finish();
        let end = self.node.span().end - 1;
        let change = Action::Add {
            key: b"\x01new\"",
            value: self.value,
        };
        let place = around(self.text, end..end);
        self.check(&edited, place, [(self.node.span(), change)], |model| {
            let members = model.pointer_mut(self.path)?.as_object_mut()?;
            members.insert("\u{1}new\"".to_owned(), of(self.value)?);
            Some(())
        });
        // An empty object may have contained white space, which removing the only member does not restore.
        let is_plain = !self.node.is_empty() || self.node.raw() == b"{}";
        let again = Document::parse(&edited).expect("JSON");
        let undone = again.edit().delete(&path).expect("it was added").finish();
        assert!(!is_plain || undone == self.text);
    }

    fn append(&self) {
        let mut editor = self.document.edit();
        let edited = editor
            .append(self.path, self.value)
            .expect("an array")
            .finish();
        let end = self.node.span().end - 1;
        let place = around(self.text, end..end);
        let change = Action::Append(self.value);
        self.check(&edited, place, [(self.node.span(), change)], |model| {
            let elements = model.pointer_mut(self.path)?.as_array_mut()?;
            elements.push(of(self.value)?);
            Some(())
        });
        let again = Document::parse(&edited).expect("JSON");
        let last = format!("{}/{}", self.path, self.node.len());
        let undone = again.edit().delete(&last).expect("it was added").finish();
        let is_plain = !self.node.is_empty() || self.node.raw() == b"[]";
        assert!(!is_plain || undone == self.text);
    }

    fn insert(&self, pick: usize) {
        let at = pick % self.node.len();
        let path = format!("{}/{at}", self.path);
        let before = self.node.elements().nth(at).expect("an element").span();
        let mut editor = self.document.edit();
        let edited = editor.insert(&path, self.value).expect("an array").finish();
        let change = Action::Insert(self.value);
        let place = before.start..before.start;
        self.check(
            &edited,
            around(self.text, place),
            [(before, change)],
            |model| {
                let elements = model.pointer_mut(self.path)?.as_array_mut()?;
                elements.insert(at, of(self.value)?);
                Some(())
            },
        );
    }

    /// The span, the model, and the same from offsets.
    fn check<'v>(
        &self,
        edited: &[u8],
        place: Range<usize>,
        changes: impl IntoIterator<Item = (Range<usize>, Action<'v>)>,
        model: impl FnOnce(&mut Value) -> Option<()>,
    ) {
        assert!(edited.starts_with(&self.text[..place.start]));
        assert!(edited.ends_with(&self.text[place.end..]));
        validate(edited).expect("JSON");
        let mut changes = changes.into_iter().peekable();
        if changes.peek().is_some() {
            let local = Splices::at(self.text, changes).expect("a container");
            assert_eq!(local.apply(self.text), edited);
        }
        // serde_json rejects lone surrogates and deep nesting.
        let (Some(mut expected), Some(found)) = (of(self.text), of(edited)) else {
            return;
        };
        if model(&mut expected).is_some() {
            assert_eq!(found, expected);
        }
    }
}

fn of(text: &[u8]) -> Option<Value> {
    serde_json::from_slice(text).ok()
}

fn parsed(path: &str) -> jsonx_core::path::Path {
    jsonx_core::path::Path::parse(path).expect("a pointer")
}

fn is_equal(one: &[u8], other: &[u8]) -> bool {
    let (one, other) = (
        Document::parse(one).expect("JSON"),
        Document::parse(other).expect("JSON"),
    );
    one.root().equals(other.root())
}

fn key_of(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}

/// Values of a document with their pointers, parents first.
fn values<'d, 't>(document: &'d Document<'t>) -> Vec<(Location, Node<'d, 't>)> {
    let mut found = vec![(Location::default(), document.root())];
    let mut at = 0;
    while at < found.len() && found.len() < LISTED {
        let (location, node) = found[at].clone();
        for (index, child) in node.elements().enumerate() {
            let mut location = location.clone();
            location.push_index(index as u64);
            found.push((location, child));
        }
        for (key, child) in node.members() {
            // A pointer cannot hold a lone surrogate.
            let Some(key) = key.as_str() else { continue };
            let is_last = node
                .get(&*key)
                .is_some_and(|last| last.span() == child.span());
            if is_last {
                let mut location = location.clone();
                location.push_key(key.as_bytes());
                found.push((location, child));
            }
        }
        at += 1;
    }
    found
}

/// The start of a member's key, or of an element.
fn start_of(text: &[u8], value: usize) -> usize {
    let white = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    let before = |at: usize| text[..at].iter().rposition(|byte| !white(byte));
    let Some(colon) = before(value).filter(|&at| text[at] == b':') else {
        return value;
    };
    let Some(close) = before(colon) else {
        return value;
    };
    // The quote that opens the key: a quote inside has an odd number of backslashes before it.
    let mut at = close;
    while let Some(quote) = text[..at].iter().rposition(|byte| *byte == b'"') {
        let slashes = text[..quote]
            .iter()
            .rev()
            .take_while(|byte| **byte == b'\\')
            .count();
        if slashes.is_multiple_of(2) {
            return quote;
        }
        at = quote;
    }
    value
}

/// A span with the white space and the commas on both sides.
fn around(text: &[u8], span: Range<usize>) -> Range<usize> {
    let loose = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b',');
    let before = text[..span.start].iter().rev().take_while(loose).count();
    let after = text[span.end..].iter().take_while(loose).count();
    span.start - before..span.end + after
}
