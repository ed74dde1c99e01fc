//! The text of an edited document: each edit is applied to the result of the previous ones, using only its surroundings. With
//! comments, those are cut out:
//!
//! ```text
//! text       {⏎  "a": [1, // one⏎ …], "b": 2⏎}       append 3 to /a
//! excerpt    ⏎  1 // one⏎  ]                          the gap between the tokens on both sides, and those
//! ```

use std::ops::Range;

use super::commented::gaps::{heads_others, marks};
use super::commented::{Around, ExcerptEdit, Options};
use super::error::EditError;
use super::local::{Action, Written};
use super::pieces::{Pieces, View};
use super::text::{
    Text, comma_before, member_start, member_value, skip_white, skip_white_back, value_end,
    value_start,
};
use super::tree::{ChildAt, Slot, Tree, Value};
use crate::document::Document;
use crate::jsonc::blank;
use crate::path::key_text;
use crate::splice::Splices;

/// The text of a document with comments, after the edits so far.
#[derive(Debug)]
pub(super) struct Rope<'t> {
    pub(super) pieces: Pieces<'t>,
    pub(super) options: Options,
    /// The removed comments.
    pub(super) dropped: Vec<String>,
    tally: Tally,
}

/// The numbers of comments, trailing commas and two-byte line ends of a text.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    marks: usize,
    crlf: usize,
}

impl Tally {
    fn new(text: &[u8], plain: &[u8]) -> Tally {
        Tally {
            marks: marks(text, plain).len(),
            crlf: memchr::memmem::find_iter(text, b"\r\n").count(),
        }
    }
}

/// The context of an edit: the tokens and gaps around each replacement, each after a line end and the indentation of its line.
#[derive(Default)]
struct Excerpt {
    text: Vec<u8>,
    plain: Vec<u8>,
    /// The replacements of all else.
    cut: Splices,
}

impl Excerpt {
    fn new(pieces: &Pieces<'_>, splices: &Splices) -> Excerpt {
        let mut spans: Vec<Range<usize>> = Vec::new();
        let mut has_lines = false;
        for (span, new) in splices.iter() {
            let span = around(&pieces.plain(), span);
            has_lines |= new.contains(&b'\n');
            match spans.last_mut() {
                Some(last) if span.start <= last.end => last.end = span.end,
                _ => spans.push(span),
            }
        }
        let (mut excerpt, mut done) = (Excerpt::default(), 0);
        for span in spans {
            let text = pieces.text().copy(span.clone());
            if span.start > 0 {
                let has_lines = has_lines || text.iter().any(|byte| b"\r\n".contains(byte));
                let mut line = vec![b'\n'];
                if has_lines {
                    line.extend(indentation(&pieces.text(), span.start));
                }
                excerpt.cut.push(done..span.start, &line);
                excerpt.text.extend_from_slice(&line);
                excerpt.plain.extend_from_slice(&line);
            }
            done = span.end;
            excerpt.text.extend(text);
            excerpt.plain.extend(pieces.plain().copy(span));
        }
        excerpt
    }
}

/// Extends a span on both sides by the gap and the token after it; commas and colons are part of a gap.
fn around(plain: &View<'_>, span: Range<usize>) -> Range<usize> {
    let separates = |at: usize| matches!(plain.byte(at), b',' | b':');
    let (mut start, mut end) = (span.start, span.end);
    loop {
        start = skip_white_back(plain, start);
        if start == 0 {
            break;
        }
        start = value_start(plain, start, 0).unwrap_or(start - 1);
        if !separates(start) {
            break;
        }
    }
    loop {
        end = skip_white(plain, end);
        if end == plain.length() {
            break;
        }
        let token = end;
        end = value_end(plain, end, 0).unwrap_or(end + 1);
        if !separates(token) {
            break;
        }
    }
    start..end
}

/// The white space at the start of the line of an offset.
fn indentation(text: &View<'_>, at: usize) -> Vec<u8> {
    let is_break = |&at: &usize| matches!(text.byte(at), b'\r' | b'\n');
    let start = (0..at).rev().find(is_break).map_or(0, |at| at + 1);
    let white = (start..at).take_while(|&at| text.byte(at).is_ascii_whitespace());
    white.map(|at| text.byte(at)).collect()
}

impl<'t> Rope<'t> {
    /// `None` for a document that has no comments.
    pub(super) fn new(document: &'t Document<'_>) -> Rope<'t> {
        let dialect = document.dialect();
        let text = document.text();
        let mut tally = Tally::default();
        let plain = dialect.allows_comments().then(|| {
            let mut plain = text.to_vec();
            // The text was valid when it was parsed.
            let _ = blank(&mut plain, dialect);
            tally = Tally::new(text, &plain);
            plain
        });
        Rope {
            tally,
            pieces: Pieces::new(text, plain),
            options: Options {
                dialect,
                removes_above: false,
            },
            dropped: Vec::new(),
        }
    }

    /// The current text.
    pub(super) fn text(&self) -> Vec<u8> {
        let text = self.pieces.text();
        text.copy(0..text.length())
    }

    /// Applies replacements found in the text without comments.
    ///
    /// # Errors
    /// A comment is ambiguous.
    pub(super) fn make(&mut self, splices: &Splices) -> Result<(), EditError> {
        if splices.is_empty() {
            return Ok(());
        }
        if !self.options.dialect.allows_comments() {
            for (span, text) in splices.iter().rev() {
                self.pieces.replace(span, text, text);
            }
            return Ok(());
        }
        let excerpt = Excerpt::new(&self.pieces, splices);
        let heads = |first: usize| {
            let first = excerpt.cut.old_offset(first);
            heads_others(&self.pieces.text(), &self.pieces.plain(), first)
        };
        let rest = Around {
            heads: &heads,
            has_marks: self.tally.marks > 0,
            has_crlf: self.tally.crlf > 0,
        };
        let mut inside = Splices::default();
        for (span, text) in splices.iter() {
            let offset = |at| excerpt.cut.new_offset(at);
            inside.push(offset(span.start)..offset(span.end), text);
        }
        let edit = ExcerptEdit::new(&excerpt.text, &excerpt.plain, self.options, rest);
        let made = edit.make(&inside).ok_or(EditError::Comment)?;
        let (old, now) = (
            Tally::new(&excerpt.text, &excerpt.plain),
            Tally::new(&made.text, &made.plain),
        );
        self.tally.marks = self.tally.marks + now.marks - old.marks;
        self.tally.crlf = self.tally.crlf + now.crlf - old.crlf;
        // A comma may have become a trailing one, or no longer be one.
        for comma in memchr::memchr_iter(b',', &excerpt.text) {
            let now = made.plain.get(made.splices.new_offset(comma));
            if let Some(&now) = now.filter(|&&now| now != excerpt.plain[comma]) {
                self.pieces.set_plain(excerpt.cut.old_offset(comma), now);
            }
        }
        for (old, new) in made.splices.spans().rev() {
            let start = excerpt.cut.old_offset(old.start);
            let (text, plain) = (&made.text[new.clone()], &made.plain[new]);
            self.pieces.replace(start..start + old.len(), text, plain);
        }
        self.dropped.extend(made.dropped);
        Ok(())
    }
}

impl Rope<'_> {
    /// The position in the text of a value of the tree.
    pub(super) fn span(&self, tree: &Tree<'_, '_>, (source, word): (usize, usize)) -> Range<usize> {
        let span = tree.span(source, word);
        let added = source.checked_sub(1);
        let at = added.map_or(0, |number| tree.added[number].at);
        self.pieces.offset(at + span.start)..self.pieces.offset(at + span.end - 1) + 1
    }

    fn span_of(&self, tree: &Tree<'_, '_>, slot: Slot) -> Option<Range<usize>> {
        tree.word(slot).map(|word| self.span(tree, word))
    }

    /// Copies the value at a span into the tree, so that its bytes stay together.
    pub(super) fn kept(
        &mut self,
        tree: &mut Tree<'_, '_>,
        span: Range<usize>,
    ) -> Result<Value, EditError> {
        let plain = self.pieces.plain().copy(span.clone());
        let at = match self.pieces.contiguous(span.clone()) {
            Some(at) => at,
            None => {
                let text = self.pieces.text().copy(span.clone());
                self.pieces.replace(span, &text, &plain)
            }
        };
        tree.kept(plain, at)
    }

    /// Replaces the value in a slot.
    pub(super) fn set(
        &mut self,
        tree: &mut Tree<'_, '_>,
        slot: Slot,
        (value, values): (&[u8], Written),
    ) -> Result<(), EditError> {
        let span = self.span_of(tree, slot).unwrap_or_default();
        let change = [(span.clone(), Action::Set(value))];
        let splices = Splices::written_at(&self.pieces.plain(), change, values)?;
        if splices.is_empty() {
            return Ok(());
        }
        let after = self.pieces.length() - span.end;
        self.make(&splices)?;
        let value = self.kept(tree, span.start..self.pieces.length() - after)?;
        tree.set_value(slot, value);
        Ok(())
    }

    /// Adds a value to a container, before the child at `at` or at the end.
    pub(super) fn add(
        &mut self,
        tree: &mut Tree<'_, '_>,
        (container, at): (usize, usize),
        key: Option<&[u8]>,
        value: (&[u8], Written),
    ) -> Result<(), EditError> {
        let next = Slot::Child { container, at };
        let splices = self.addition(tree, container, next, key, value, &mut Vec::new());
        self.make(&splices)?;
        let value = self.before(tree, container, next)?;
        tree.insert(container, at, key, value);
        Ok(())
    }

    /// The replacement that adds a value before another child, or at the end, where it replaces removed children.
    fn addition(
        &self,
        tree: &Tree<'_, '_>,
        container: usize,
        next: Slot,
        key: Option<&[u8]>,
        value: (&[u8], Written),
        removed: &mut Vec<Range<usize>>,
    ) -> Splices {
        let plain = self.pieces.plain();
        let container = self.span(tree, tree.source_word(container));
        if let Some(next) = self.span_of(tree, next) {
            return Splices::before(&plain, container, next.start, value);
        }
        let end = skip_white_back(&plain, container.end - 1);
        let mut start = end;
        while let Some(last) = removed.pop_if(|last| last.end == start) {
            start = member_start(&plain, last.start);
            if let Some(comma) = comma_before(&plain, start) {
                start = skip_white_back(&plain, comma);
            }
        }
        Splices::last(&plain, &container, start..end, key, value)
    }

    /// The span of a value added before another child, or at the end.
    fn before(
        &mut self,
        tree: &mut Tree<'_, '_>,
        container: usize,
        next: Slot,
    ) -> Result<Value, EditError> {
        let container = self.span(tree, tree.source_word(container));
        let plain = self.pieces.plain();
        let end = match self.span_of(tree, next) {
            Some(next) => skip_white_back(&plain, next.start) - 1,
            None => container.end - 1,
        };
        let end = skip_white_back(&plain, end);
        let start = value_start(&plain, end, usize::MAX).unwrap_or(end);
        self.kept(tree, start..end)
    }

    /// A child and all others with the same key, in text order.
    fn equal(&self, tree: &Tree<'_, '_>, (container, at): (usize, usize)) -> Vec<Range<usize>> {
        let equal = tree.equal(container, at);
        let spans = equal.filter_map(|at| self.span_of(tree, Slot::Child { container, at }));
        let mut spans: Vec<_> = spans.collect();
        spans.reverse();
        spans
    }

    fn removal(&self, removed: Vec<Range<usize>>) -> Result<Splices, EditError> {
        let changes = removed.into_iter().map(|span| (span, Action::Delete));
        let plain = self.pieces.plain();
        Splices::at(&plain, changes)
    }

    /// Removes a child of a container, and all with the same key, before the tree does.
    pub(super) fn remove(
        &mut self,
        tree: &Tree<'_, '_>,
        child: (usize, usize),
    ) -> Result<(), EditError> {
        let splices = self.removal(self.equal(tree, child))?;
        self.make(&splices)
    }

    /// Moves a child to a position in a container, which is the position after the removal of the child.
    pub(super) fn relocate(
        &mut self,
        tree: &mut Tree<'_, '_>,
        from: (usize, usize),
        (container, child_at): (usize, ChildAt),
        (from_key, key): (Option<&[u8]>, Option<&[u8]>),
    ) -> Result<(), EditError> {
        let mut removed = self.equal(tree, from);
        let plain = self.pieces.plain();
        let text = removed.last().map(|span| plain.copy(span.clone()));
        let value = (&text.unwrap_or_default()[..], Written::Text);
        match (child_at, from_key.zip(key)) {
            // A new key in the same object: the member keeps its position.
            (ChildAt::New(_), Some((from_key, key))) if container == from.0 => {
                let start = member_start(&plain, removed.pop().unwrap_or_default().start);
                let end = value_end(&plain, start, usize::MAX).unwrap_or(start);
                let mut splices = Splices::default();
                splices.push(start..end, key_text(key).as_bytes());
                let splices = splices.and(&self.removal(removed)?, &plain);
                self.make(&splices)?;
                tree.rename(from, from_key, key);
            }
            (ChildAt::Existing(at), _) => {
                let slot = Slot::Child { container, at };
                let span = self.span_of(tree, slot).unwrap_or_default();
                let key = self.pieces.address(member_start(&plain, span.start));
                let set = Splices::set(&plain, span, value);
                let splices = set.and(&self.removal(removed)?, &plain);
                self.make(&splices)?;
                let plain = self.pieces.plain();
                let start = member_value(&plain, self.pieces.offset(key), true);
                let end = value_end(&plain, start, usize::MAX).unwrap_or(start);
                let value = self.kept(tree, start..end)?;
                tree.remove(from.0, from.1, from_key);
                tree.set_value(slot, value);
            }
            (ChildAt::New(at), _) => {
                let is_behind = container == from.0 && key.is_none() && at >= from.1;
                let next = Slot::Child {
                    container,
                    at: at + usize::from(is_behind),
                };
                let added = self.addition(tree, container, next, key, value, &mut removed);
                let removed = self.removal(removed)?;
                let splices = added.and(&removed, &self.pieces.plain());
                self.make(&splices)?;
                let value = self.before(tree, container, next)?;
                tree.remove(from.0, from.1, from_key);
                tree.insert(container, at, key, value);
            }
        }
        Ok(())
    }
}
