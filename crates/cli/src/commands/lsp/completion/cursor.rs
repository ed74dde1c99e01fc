//! The position in a document where the user types.
//!
//! While typing, the document is usually invalid. So the typed bytes are replaced by a unique string, the text is repaired as
//! by `fix --all`, and the string marks the cursor in the result.

use std::ops::Range;

use jsonx_core::diagnose::Applicability;
use jsonx_core::path::Step;
use jsonx_core::repair::{RepairOptions, repair};
use jsonx_core::{Document, Kind, Node};

use crate::check::InputKind;

/// The longest text that is completed.
pub const LONGEST: usize = 1 << 20;

/// Maximum distance of typed bytes from the cursor.
const NEAR: usize = 4096;

/// The replacement for the typed bytes.
const MARK: &str = "jsonx:typed:here";

/// A place in the repaired text.
pub struct Cursor {
    pub steps: Vec<Step>,
    pub is_key: bool,
    /// The keys of the object.
    pub keys: Vec<String>,
    /// The value of `$schema` in the root.
    pub own_schema: Option<String>,
}

/// The bytes around an offset that are being typed, with the quotes that they have.
pub fn typed(text: &[u8], at: usize) -> Range<usize> {
    let at = at.min(text.len());
    let begin = at.saturating_sub(NEAR);
    let line = memchr::memrchr2(b'\n', b'\r', &text[begin..at]).map_or(begin, |it| begin + it + 1);
    let mut quote = None;
    let mut place = line;
    while place < at {
        match text[place] {
            b'\\' if quote.is_some() => place += 1,
            b'"' => {
                quote = match quote {
                    None => Some(place),
                    Some(_) => None,
                }
            }
            _ => {}
        }
        place += 1;
    }
    let is_word =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"_$-+./@#:".contains(byte) || *byte >= 0x80;
    let after = &text[at..text.len().min(at + NEAR)];
    if let Some(start) = quote {
        let more = after.iter().take_while(|byte| is_word(byte)).count();
        let end = match text.get(at + more) {
            Some(b'"') => at + more + 1,
            _ => at,
        };
        return start..end;
    }
    let is_plain = |byte: &u8| is_word(byte) && *byte != b':';
    let before = text[line..at]
        .iter()
        .rev()
        .take_while(|byte| is_plain(byte))
        .count();
    let more = after.iter().take_while(|byte| is_plain(byte)).count();
    at - before..at + more
}

/// Finds the cursor in the repaired text.
pub fn find(text: &[u8], typed: &Range<usize>, kind: InputKind) -> Option<Cursor> {
    // The colon, the value and the comma may be missing.
    let ends = ["", ": null", ",", ": null,"];
    ends.iter().find_map(|end| repaired(text, typed, end, kind))
}

/// The same, with this after the typed bytes.
fn repaired(text: &[u8], typed: &Range<usize>, end: &str, kind: InputKind) -> Option<Cursor> {
    let mark = format!("\"{MARK}\"{end}");
    let before = &text[..typed.start];
    let marked = [before, mark.as_bytes(), &text[typed.end..]].concat();
    let marked = marked
        .strip_prefix(crate::input::BYTE_ORDER_MARK)
        .unwrap_or(&marked);
    let options = RepairOptions::default()
        .with(Applicability::Review)
        .dialect(kind.dialect())
        .max_input(2 * LONGEST);
    let repaired = repair(marked, &options);
    let options = jsonx_core::engine::Options::default().dialect(kind.dialect());
    let document = Document::index(&repaired.text, options).ok()?;
    cursor(&document)
}

/// Finds the mark in a document.
fn cursor(document: &Document<'_>) -> Option<Cursor> {
    // A value, the place of its parent in the list, and its step.
    let mut all: Vec<(Node<'_, '_>, usize, Option<Step>)> = vec![(document.root(), 0, None)];
    let mut next = 0;
    let is_mark = |node: Node<'_, '_>| node.as_str().is_some_and(|text| text == MARK);
    let mut found = None;
    while let Some(&(node, ..)) = all.get(next) {
        if node.kind() == Kind::String && is_mark(node) {
            found = Some((next, false));
            break;
        }
        if node.members().any(|(key, _)| is_mark(key)) {
            found = Some((next, true));
            break;
        }
        for (key, value) in node.members() {
            let key = key.as_str().unwrap_or_default();
            all.push((value, next, Some(Step::Key(key.as_bytes().into()))));
        }
        for (index, value) in node.elements().enumerate() {
            all.push((value, next, Some(Step::Index(index as u64))));
        }
        next += 1;
    }
    let (place, is_key) = found?;
    let keys = all[place]
        .0
        .members()
        .filter_map(|(key, _)| Some(key.as_str()?.into_owned()));
    let keys = keys.filter(|key| key != MARK).collect();
    let mut steps = Vec::new();
    let mut at = place;
    while let (_, parent, Some(step)) = &all[at] {
        steps.push(step.clone());
        at = *parent;
    }
    steps.reverse();
    let own = document.get("$schema").and_then(Node::as_str);
    Some(Cursor {
        steps,
        is_key,
        keys,
        own_schema: own.map(|own| own.into_owned()),
    })
}
