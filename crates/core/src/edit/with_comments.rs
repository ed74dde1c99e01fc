//! Edits of a document with comments: each is made in the text as it is after those before, from what is around it there.
//!
//! ```text
//! text       {⏎  "a": [1, // one⏎ …], "b": 2⏎}       append 3 to /a
//! excerpt    ⏎  1 // one⏎  ]                          the gap between the tokens on both sides, and those
//! ```

use std::ops::Range;
use std::sync::Arc;

use super::commented::gaps::{heads_others, marks};
use super::commented::{Around, Edit};
use super::editor::Editor;
use super::error::EditError;
use super::local::{Action, Written};
use super::pieces::{Pieces, View};
use super::splices::Splices;
use super::text::{Text, back_over_white, skip_white, value_end, value_start};
use super::tree::{Slot, Value};
use super::write;
use crate::document::Document;
use crate::jsonc::{Dialect, blank};
use crate::path::Path;
use crate::window::Options;

/// The text of such a document, as it is after the edits so far.
#[derive(Debug)]
pub(super) struct WithComments {
    pub(super) pieces: Pieces,
    dialect: Dialect,
    dropped: Vec<String>,
    tally: Tally,
}

/// How many comments, trailing commas and line ends of two bytes a text has.
#[derive(Clone, Copy, Debug)]
struct Tally {
    marks: usize,
    crlf: usize,
}

impl Tally {
    fn of(text: &[u8], plain: &[u8]) -> Tally {
        Tally {
            marks: marks(text, plain).len(),
            crlf: memchr::memmem::find_iter(text, b"\r\n").count(),
        }
    }
}

/// What an edit looks at: the tokens and gaps around each replacement, each after a line end and the indentation of its
/// line.
#[derive(Default)]
struct Excerpt {
    text: Vec<u8>,
    plain: Vec<u8>,
    /// Where spans of the text begin in it, and the spans.
    spans: Vec<(usize, Range<usize>)>,
}

impl Excerpt {
    fn of(pieces: &Pieces, splices: &Splices) -> Excerpt {
        let mut spans: Vec<Range<usize>> = Vec::new();
        let mut has_lines = false;
        for splice in splices.list() {
            let span = around(&pieces.plain(), splice.span());
            has_lines |= splice.text().contains(&b'\n');
            match spans.last_mut() {
                Some(last) if span.start <= last.end => last.end = span.end,
                _ => spans.push(span),
            }
        }
        let mut excerpt = Excerpt::default();
        for span in spans {
            let text = pieces.text().copy(span.clone());
            if span.start > 0 {
                let has_lines = has_lines || text.iter().any(|byte| b"\r\n".contains(byte));
                let indent = match has_lines {
                    true => indentation(&pieces.text(), span.start),
                    false => Vec::new(),
                };
                for bytes in [&mut excerpt.text, &mut excerpt.plain] {
                    bytes.push(b'\n');
                    bytes.extend_from_slice(&indent);
                }
            }
            excerpt.spans.push((excerpt.text.len(), span.clone()));
            excerpt.text.extend(text);
            excerpt.plain.extend(pieces.plain().copy(span));
        }
        excerpt
    }

    /// Where an offset of the text is in it.
    fn inside(&self, at: usize) -> usize {
        let found = self.spans.iter().find(|(_, span)| at <= span.end);
        found.map_or(0, |(start, span)| start + at - span.start)
    }

    /// Where an offset in it is in the text.
    fn outside(&self, at: usize) -> usize {
        let found = self.spans.iter().rfind(|(start, _)| *start <= at);
        found.map_or(0, |(start, span)| span.start + at - start)
    }
}

/// A span with the gaps on both sides and the tokens after them; commas and colons are no end.
fn around(plain: &View<'_>, span: Range<usize>) -> Range<usize> {
    let separates = |at: usize| matches!(plain.byte(at), b',' | b':');
    let (mut start, mut end) = (span.start, span.end);
    loop {
        start = back_over_white(plain, start);
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

impl WithComments {
    /// `None` for a document that has no comments.
    pub(super) fn of(document: &Document<'_>) -> Option<Box<WithComments>> {
        let dialect = document.dialect();
        dialect.allows_comments().then(|| {
            let text = document.text().to_vec();
            let mut plain = text.clone();
            // It was valid when it was parsed.
            let _ = blank(&mut plain, dialect);
            Box::new(WithComments {
                tally: Tally::of(&text, &plain),
                pieces: Pieces::of(text, plain),
                dialect,
                dropped: Vec::new(),
            })
        })
    }

    /// The text as it is now.
    pub(super) fn text(&self) -> Vec<u8> {
        let text = self.pieces.text();
        text.copy(0..text.length())
    }

    fn plain(&self) -> Vec<u8> {
        let plain = self.pieces.plain();
        plain.copy(0..plain.length())
    }

    /// Makes replacements that were found in the text without comments; returns by how much it is longer.
    ///
    /// # Errors
    /// A comment is in the way.
    fn make(&mut self, splices: &Splices) -> Result<isize, EditError> {
        if splices.is_empty() {
            return Ok(0);
        }
        let excerpt = Excerpt::of(&self.pieces, splices);
        let heads = |first: usize| {
            let first = excerpt.outside(first);
            heads_others(&self.pieces.text(), &self.pieces.plain(), first)
        };
        let rest = Around {
            heads: &heads,
            has_marks: self.tally.marks > 0,
            has_crlf: self.tally.crlf > 0,
        };
        let edit = Edit::of(&excerpt.text, &excerpt.plain, self.dialect.into(), rest);
        let made = edit.make(&splices.moved(|at| excerpt.inside(at)));
        let made = made.ok_or(EditError::Comment)?;
        let new = &made.commented.text;
        let (old, now) = (
            Tally::of(&excerpt.text, &excerpt.plain),
            Tally::of(new, &made.plain),
        );
        self.tally.marks = self.tally.marks + now.marks - old.marks;
        self.tally.crlf = self.tally.crlf + now.crlf - old.crlf;
        let mut end = (excerpt.text.len(), new.len());
        for (kept, at) in made.kept.into_iter().rev() {
            let (replaced, added) = (kept.end..end.0, at + kept.len()..end.1);
            if !replaced.is_empty() || !added.is_empty() {
                let span = excerpt.outside(replaced.start)
                    ..excerpt.outside(replaced.start) + replaced.len();
                self.pieces
                    .replace(span, &new[added.clone()], &made.plain[added]);
            }
            end = (kept.start, at);
            // A comma may be the trailing one now, or no longer.
            for (old, new) in kept.zip(at..) {
                if excerpt.plain[old] != made.plain[new] {
                    self.pieces.set_plain(excerpt.outside(old), made.plain[new]);
                }
            }
        }
        self.dropped.extend(made.commented.dropped);
        Ok(new.len() as isize - excerpt.text.len() as isize)
    }
}

impl Editor<'_, '_> {
    /// The comments that are gone with what was removed or replaced, of a document that was parsed with a
    /// [dialect](crate::engine::Options::dialect) that has them: those after a removed value on its line, and those inside of it. All others
    /// stay.
    ///
    /// ```
    /// use jsonx_core::jsonc::Dialect;
    /// use jsonx_core::engine::Options;
    /// use jsonx_core::Document;
    ///
    /// let text = b"{\n  \"a\": 1, // one\n  \"b\": 2, // two\n}\n";
    /// let document = Document::parse_with(text, Options::default().dialect(Dialect::Jsonc)).unwrap();
    /// let mut editor = document.edit();
    /// editor.delete(".a")?;
    /// assert_eq!(editor.finish(), b"{\n  \"b\": 2, // two\n}\n");
    /// assert_eq!(editor.dropped_comments(), ["// one"]);
    /// # Ok::<(), jsonx_core::edit::EditError>(())
    /// ```
    pub fn dropped_comments(&self) -> &[String] {
        let commented = self.commented.as_ref();
        commented.map_or(&[], |commented| &commented.dropped)
    }

    /// Where a text with comments has the value in a slot.
    pub(super) fn span_in_text(&self, slot: Slot) -> Option<Range<usize>> {
        let (source, word) = self.tree.word(slot)?;
        self.word_in_text(source, word)
    }

    fn word_in_text(&self, source: usize, word: usize) -> Option<Range<usize>> {
        let commented = self.commented.as_ref()?;
        let span = self.tree.span(source, word);
        let added = source.checked_sub(1);
        let at = added.map_or(0, |number| self.tree.added[number].at);
        let offset = |at: usize| commented.pieces.offset(at);
        Some(offset(at + span.start)..offset(at + span.end - 1) + 1)
    }

    /// The text of the value in a slot, without comments.
    pub(super) fn text_of(&self, slot: Slot) -> Vec<u8> {
        match (&self.commented, self.span_in_text(slot)) {
            (Some(commented), Some(span)) => commented.pieces.plain().copy(span),
            _ => self
                .tree
                .value(slot)
                .map_or(Vec::new(), |value| write::text_of(&self.tree, &value)),
        }
    }

    /// Makes changes of a text with comments; returns by how much it is longer.
    fn change<'v>(
        &mut self,
        changes: impl IntoIterator<Item = (Range<usize>, Action<'v>)>,
        values: Written,
    ) -> Result<isize, EditError> {
        let Some(commented) = &mut self.commented else {
            return Ok(0);
        };
        let splices = Splices::written_at(&commented.pieces.plain(), changes, values)?;
        commented.make(&splices)
    }

    /// Replaces a value in a text with comments.
    pub(super) fn set_in_text(
        &mut self,
        slot: Slot,
        value: &[u8],
        values: Written,
    ) -> Result<(), EditError> {
        let span = self.span_in_text(slot).unwrap_or_default();
        let longer = self.change([(span.clone(), Action::Set(value))], values)?;
        let value = self.kept(span.start..span.end.saturating_add_signed(longer))?;
        self.tree.set_value(slot, value);
        Ok(())
    }

    /// Adds a value to a container of a text with comments, before the child at `at` or at the end.
    pub(super) fn add_in_text(
        &mut self,
        container: usize,
        at: usize,
        key: Option<&[u8]>,
        value: &[u8],
        values: Written,
    ) -> Result<(), EditError> {
        let child = Slot::Child { container, at };
        let (source, word) = (
            self.tree.containers[container].source,
            self.tree.containers[container].word,
        );
        let around = |editor: &Self| editor.word_in_text(source, word).unwrap_or_default();
        let (place, action) = match (self.span_in_text(child), key) {
            (Some(next), _) => (next, Action::Insert(value)),
            (None, Some(key)) => (around(self), Action::Add { key, value }),
            (None, None) => (around(self), Action::Append(value)),
        };
        self.change([(place, action)], values)?;
        let Some(commented) = &self.commented else {
            return Ok(());
        };
        let plain = commented.pieces.plain();
        // It ends before the comma of the next one, or before the bracket.
        let end = match self.span_in_text(child) {
            Some(next) => back_over_white(&plain, next.start) - 1,
            None => around(self).end - 1,
        };
        let end = back_over_white(&plain, end);
        let start = value_start(&plain, end, usize::MAX).unwrap_or(end);
        let value = self.kept(start..end)?;
        self.tree.insert(container, at, key, Arc::default(), value);
        Ok(())
    }

    /// Removes a child of a container in a text with comments, and all with the same key.
    pub(super) fn remove_in_text(&mut self, container: usize, at: usize) -> Result<(), EditError> {
        let equal = self.tree.equal(container, at);
        let spans = equal.filter_map(|at| self.span_in_text(Slot::Child { container, at }));
        let changes: Vec<_> = spans.map(|span| (span, Action::Delete)).collect();
        self.change(changes, Written::Tokens).map(drop)
    }

    /// Moves a value in a text with comments.
    pub(super) fn relocate_in_text(&mut self, from: &Path, to: &Path) -> Result<(), EditError> {
        let Some(commented) = &mut self.commented else {
            return Ok(());
        };
        let plain = commented.plain();
        let options = Options::default().max_depth(u64::MAX);
        let document = Document::parse_with(&plain, options).map_err(EditError::Value)?;
        let mut editor = document.edit();
        let relocated = editor.relocate_at(from, to).map(drop);
        self.tree.duplicates |= editor.tree.duplicates;
        relocated?;
        commented.make(&editor.splices())?;
        commented.pieces = Pieces::of(commented.text(), commented.plain());
        self.tree.containers.clear();
        self.tree.added.clear();
        self.tree.root = self.tree.kept(commented.plain(), 0)?;
        Ok(())
    }

    /// A value that a text with comments has at a span, whose bytes are kept together.
    fn kept(&mut self, span: Range<usize>) -> Result<Value, EditError> {
        let Some(commented) = &mut self.commented else {
            return Err(EditError::Comment);
        };
        let pieces = &mut commented.pieces;
        let (text, plain) = (
            pieces.text().copy(span.clone()),
            pieces.plain().copy(span.clone()),
        );
        let at = pieces.replace(span, &text, &plain);
        self.tree.kept(plain, at)
    }

    /// The replacements in the text of the document with comments.
    pub(super) fn commented_splices(&self) -> Option<Splices> {
        let commented = self.commented.as_ref()?;
        Some(Splices::between(self.tree.text(0), &commented.text()))
    }
}
