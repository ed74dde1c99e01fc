//! The position in a document where the user types.
//!
//! While typing, the document is usually invalid, and a comma may be missing before or after the cursor. So a unique string is
//! inserted in several forms, and the form with the fewest syntax errors counts. Then the text is repaired as by `fix --all`, and
//! the string marks the cursor in the result.

use std::ops::Range;

use jsonx_core::path::Step;
use jsonx_core::{Document, Kind, Node};

/// Maximum distance of typed bytes from the cursor.
const NEAR: usize = 4096;

/// The string that marks the cursor.
pub const MARK: &str = "jsonx:typed:here";

/// How an item is inserted.
#[derive(Clone)]
pub struct Form {
    /// The bytes that it replaces.
    pub typed: Range<usize>,
    /// Where a comma is inserted before it.
    pub comma_before: Option<usize>,
    pub has_comma_after: bool,
    /// Whether it has a key and a value.
    pub is_member: bool,
}

impl Form {
    /// All forms of an item at an offset, those that insert less first.
    pub fn all(text: &[u8], at: usize) -> Vec<Form> {
        let mut forms = Vec::new();
        for typed in typed(text, at.min(text.len())) {
            let last = text[..typed.start].trim_ascii_end().len();
            let mut commas = vec![None, Some(last), Some(typed.start)];
            commas.dedup();
            for (comma_before, has_comma_after) in
                commas.iter().flat_map(|it| [(*it, false), (*it, true)])
            {
                let has_value = text[typed.end..].trim_ascii_start().starts_with(b":");
                let shapes = [true, false]
                    .into_iter()
                    .filter(|is_member| !(*is_member && has_value));
                forms.extend(shapes.map(|is_member| Form {
                    typed: typed.clone(),
                    comma_before,
                    has_comma_after,
                    is_member,
                }));
            }
        }
        let inserts = |form: &Form| {
            usize::from(form.comma_before.is_some()) + usize::from(form.has_comma_after)
        };
        forms.sort_by_key(inserts);
        forms
    }

    /// The text with the mark.
    pub fn marked(&self, text: &[u8]) -> Vec<u8> {
        let value = if self.is_member { ": null" } else { "" };
        self.with(text, &format!("\"{MARK}\"{value}"))
    }

    /// The text with an item.
    pub fn with(&self, text: &[u8], item: &str) -> Vec<u8> {
        let comma = self.comma_before.unwrap_or(self.typed.start);
        [
            &text[..comma],
            if self.comma_before.is_some() {
                b","
            } else {
                b""
            },
            &text[comma..self.typed.start],
            item.as_bytes(),
            if self.has_comma_after { b"," } else { b"" },
            &text[self.typed.end..],
        ]
        .concat()
    }
}

/// The ranges of bytes around an offset that may be what is being typed, with the quotes that they have.
fn typed(text: &[u8], at: usize) -> Vec<Range<usize>> {
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
    // The end of the string that is open at an offset.
    let closed = |from: usize| {
        let rest = text[from..text.len().min(at + NEAR)].iter();
        let mut is_escaped = false;
        let mut rest = rest.take_while(|byte| !b"\r\n".contains(byte));
        let length = rest.position(|byte| {
            let ends = *byte == b'"' && !is_escaped;
            is_escaped = *byte == b'\\' && !is_escaped;
            ends
        });
        length.map(|length| from + length + 1)
    };
    let mut all = Vec::new();
    if let Some(start) = quote {
        all.extend(closed(place.max(at)).map(|end| start..end));
        let more = after.iter().take_while(|byte| is_word(byte)).count();
        if text.get(at + more) != Some(&b'"') {
            all.push(start..at);
        }
        return all;
    }
    let is_plain = |byte: &u8| is_word(byte) && *byte != b':';
    let before = text[line..at]
        .iter()
        .rev()
        .take_while(|byte| is_plain(byte))
        .count();
    let more = after.iter().take_while(|byte| is_plain(byte)).count();
    all.push(at - before..at + more);
    if before == 0 && text.get(at) == Some(&b'"') {
        all.extend(closed(at + 1).map(|end| at..end));
    }
    all
}

/// The place of the mark in a repaired text.
pub struct Cursor<'d, 't> {
    pub steps: Vec<Step>,
    /// The object of the key, or the value.
    pub node: Node<'d, 't>,
    /// Whether the mark is a key.
    pub is_key: bool,
    /// The bytes that an item replaces: a member, a key, or a value.
    pub span: Range<usize>,
}

/// Finds the mark in a document, into which it was inserted as a member or not.
pub fn find<'d, 't>(document: &'d Document<'t>, is_member: bool) -> Option<Cursor<'d, 't>> {
    let is_mark = |node: Node<'_, '_>| node.is_str(MARK);
    let all = Places::new(document);
    for (at, node) in all.nodes() {
        let key = node.members().find(|(key, _)| is_mark(*key));
        let span = match key {
            Some((key, value)) if is_member => key.span().start..value.span().end,
            Some((key, _)) => key.span(),
            None if node.kind() == Kind::String && is_mark(node) => node.span(),
            None => continue,
        };
        return Some(Cursor {
            steps: all.steps(at),
            node,
            is_key: key.is_some(),
            span,
        });
    }
    None
}

/// The values of a document, outer ones first, each with the number of its parent and its step.
pub struct Places<'d, 't>(Vec<(Node<'d, 't>, usize, Option<Step>)>);

impl<'d, 't> Places<'d, 't> {
    pub fn new(document: &'d Document<'t>) -> Places<'d, 't> {
        let mut all = vec![(document.root(), 0, None)];
        let mut next = 0;
        while let Some(&(node, ..)) = all.get(next) {
            for (key, value) in node.members() {
                let key = key.as_str().unwrap_or_default();
                all.push((value, next, Some(Step::Key(key.as_bytes().into()))));
            }
            for (index, value) in node.elements().enumerate() {
                all.push((value, next, Some(Step::Index(index as u64))));
            }
            next += 1;
        }
        Places(all)
    }

    pub fn nodes(&self) -> impl Iterator<Item = (usize, Node<'d, 't>)> {
        self.0.iter().map(|(node, ..)| *node).enumerate()
    }

    /// The path of a value.
    pub fn steps(&self, mut at: usize) -> Vec<Step> {
        let mut steps = Vec::new();
        while let (_, parent, Some(step)) = &self.0[at] {
            steps.push(step.clone());
            at = *parent;
        }
        steps.reverse();
        steps
    }
}
