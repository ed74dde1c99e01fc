//! Writes the tree as text: unchanged spans, and new text between them.

use std::borrow::Cow;
use std::ops::Range;

use super::splices::Splices;
use super::style::ChildStyle;
use super::text::{back_over_white, has_line_feed};
use super::tree::{Child, Container, Position, Tree, Value};

/// A part of the new text.
pub(super) enum Piece<'a> {
    /// A span of the document.
    Keep(Range<usize>),
    /// New text.
    Put(Cow<'a, [u8]>),
}

/// The last child that was written.
#[derive(Clone, Copy)]
enum Last<'a> {
    None,
    /// Its word.
    Old(usize),
    New(&'a ChildStyle),
}

/// An open container.
struct Frame<'a> {
    container: &'a Container,
    /// The remaining children, and the index of the next one.
    children: Vec<&'a Child>,
    next: usize,
    /// The number of children up to the last old one, inclusive.
    olds: usize,
    last: Last<'a>,
    is_empty: bool,
}

struct Writer<'a> {
    tree: &'a Tree<'a, 'a>,
    pieces: Vec<Piece<'a>>,
}

/// The pieces of a value.
pub(super) fn pieces<'a>(tree: &'a Tree<'a, 'a>, value: &'a Value) -> Vec<Piece<'a>> {
    let mut writer = Writer {
        tree,
        pieces: Vec::new(),
    };
    let mut frames = Vec::new();
    frames.extend(writer.value(value, Some(0)));
    while let Some(frame) = frames.last_mut() {
        match writer.next(frame) {
            Next::Child(value, own) => frames.extend(writer.value(value, own)),
            Next::Written => {}
            Next::End => {
                writer.close(frame);
                frames.pop();
            }
        }
    }
    writer.pieces
}

/// The text of a value.
pub(super) fn text_of(tree: &Tree<'_, '_>, value: &Value) -> Vec<u8> {
    let document = tree.text(0);
    let mut out = Vec::new();
    for piece in pieces(tree, value) {
        match piece {
            Piece::Keep(span) => out.extend_from_slice(&document[span]),
            Piece::Put(text) => out.extend_from_slice(&text),
        }
    }
    out
}

/// The length of the text of a value.
pub(super) fn length_of(tree: &Tree<'_, '_>, value: &Value) -> usize {
    let length = |piece: &Piece<'_>| match piece {
        Piece::Keep(span) => span.len(),
        Piece::Put(text) => text.len(),
    };
    pieces(tree, value).iter().map(length).sum()
}

/// The replacements in the text of the document.
pub(super) fn splices(tree: &Tree<'_, '_>) -> Splices {
    let document = tree.text(0);
    let root = tree.span(0, 0);
    let mut splices = Splices::default();
    let mut at = root.start;
    let mut put = Vec::new();
    for piece in pieces(tree, &tree.root) {
        match piece {
            Piece::Put(text) => put.extend_from_slice(&text),
            Piece::Keep(span) => {
                splices.push(document, at..span.start, std::mem::take(&mut put));
                at = span.end;
            }
        }
    }
    splices.push(document, at..root.end, put);
    splices
}

enum Next<'a> {
    Child(&'a Value, Option<usize>),
    Written,
    End,
}

impl<'a> Writer<'a> {
    fn put(&mut self, text: impl Into<Cow<'a, [u8]>>) {
        self.pieces.push(Piece::Put(text.into()));
    }

    /// Writes a span of a source; adjacent spans of the document are merged.
    fn span(&mut self, source: usize, span: Range<usize>) {
        if source > 0 {
            return self.put(&self.tree.text(source)[span]);
        }
        match self.pieces.last_mut() {
            Some(Piece::Keep(last)) if last.end == span.start => last.end = span.end,
            _ if span.is_empty() => {}
            _ => self.pieces.push(Piece::Keep(span)),
        }
    }

    /// Writes a value, or begins a container; `own` is the word of the position, if the text has it.
    fn value(&mut self, value: &'a Value, own: Option<usize>) -> Option<Frame<'a>> {
        match value {
            Value::New { text, .. } => self.put(&text[..]),
            Value::Old { source, word } => {
                let span = self.tree.span(*source, *word);
                match own == Some(*word) {
                    true => self.span(*source, span),
                    // It was moved here.
                    false => self.put(&self.tree.text(*source)[span]),
                }
            }
            Value::Open(container) => return self.begin(&self.tree.containers[*container]),
        }
        None
    }

    fn begin(&mut self, container: &'a Container) -> Option<Frame<'a>> {
        let index = self.tree.index(container.source);
        let span = self.tree.span(container.source, container.word);
        let live = |child: &&Child| !matches!(child, Child::Gone);
        let children: Vec<&Child> = container.children.iter().filter(live).collect();
        let last_old = children.iter().rposition(|child| old_word(child).is_some());
        if children.is_empty() {
            match index.inside(container.word).is_empty() {
                true => self.span(container.source, span),
                false if self.tree.is_object(container) => self.put(&b"{}"[..]),
                false => self.put(&b"[]"[..]),
            }
            return None;
        }
        self.span(container.source, span.start..span.start + 1);
        Some(Frame {
            container,
            children,
            next: 0,
            olds: last_old.map_or(0, |at| at + 1),
            last: Last::None,
            is_empty: index.inside(container.word).is_empty(),
        })
    }

    /// Writes the next child up to its value.
    fn next(&mut self, frame: &mut Frame<'a>) -> Next<'a> {
        let Some(&child) = frame.children.get(frame.next) else {
            return Next::End;
        };
        let followed = frame.next < frame.olds;
        frame.next += 1;
        let source = frame.container.source;
        let index = self.tree.index(source);
        let is_object = self.tree.is_object(frame.container);
        match child {
            Child::Gone => Next::Written,
            Child::Old(word) => {
                self.before_old(frame, *word);
                let value = self.tree.span(source, word + usize::from(is_object));
                self.span(source, index.start(*word)..value.end);
                Next::Written
            }
            Child::Touched(touched) => {
                match &touched.position {
                    Position::Old(word) => {
                        self.before_old(frame, *word);
                        if is_object {
                            self.span(source, index.start(*word)..index.start(word + 1));
                        }
                    }
                    Position::New { key, style } => {
                        self.before_new(frame, style, followed);
                        if let Some(key) = key {
                            self.put(&key[..]);
                            self.put(&style.colon.0[..]);
                            self.put(&b":"[..]);
                            self.put(&style.colon.1[..]);
                        }
                    }
                }
                let own = old_word(child).map(|word| word + usize::from(is_object));
                Next::Child(&touched.value, own)
            }
        }
    }

    fn before_old(&mut self, frame: &mut Frame<'a>, word: usize) {
        match frame.last {
            Last::New(style) => self.comma(style),
            _ => self.gap(frame, word),
        }
        frame.last = Last::Old(word);
    }

    /// Writes the white space before a new child. It takes over that of the next old child; after the last old one it has its own
    /// comma.
    fn before_new(&mut self, frame: &mut Frame<'a>, style: &'a ChildStyle, followed: bool) {
        match frame.last {
            Last::New(_) => self.comma(style),
            Last::None if frame.is_empty => self.put(&style.before[..]),
            Last::None => self.head(frame),
            Last::Old(_) if !followed => self.comma(style),
            Last::Old(_) => {
                let rest = &frame.children[frame.next..];
                match rest.iter().find_map(|child| old_word(child)) {
                    Some(word) => self.gap(frame, word),
                    None => self.comma(style),
                }
            }
        }
        frame.last = Last::New(style);
    }

    fn comma(&mut self, style: &'a ChildStyle) {
        self.put(&style.before[..]);
        self.put(&b","[..]);
        self.put(&style.after[..]);
    }

    /// The white space before the first child of the text.
    fn head(&mut self, frame: &Frame<'a>) {
        let index = self.tree.index(frame.container.source);
        let open = index.start(frame.container.word) + 1;
        let first = index.start(index.inside(frame.container.word).start);
        self.span(frame.container.source, open..first);
    }

    /// Writes the text between the last old child and the one at `word`: unchanged if they were adjacent, otherwise the text
    /// after the former, unless only the latter begins a line.
    fn gap(&mut self, frame: &Frame<'a>, word: usize) {
        let Last::Old(last) = frame.last else {
            return self.head(frame);
        };
        let source = frame.container.source;
        let index = self.tree.index(source);
        let keyed = usize::from(self.tree.is_object(frame.container));
        let text = self.tree.text(source);
        let end = self.tree.span(source, last + keyed).end;
        let removed = index.start(index.skip(last + keyed));
        let start = index.start(word);
        if removed == start {
            return self.span(source, end..start);
        }
        let lead = back_over_white(text, start)..start;
        let own = back_over_white(text, removed)..removed;
        match !has_line_feed(text, own) && has_line_feed(text, lead.clone()) {
            true => self.span(source, back_over_white(text, lead.start - 1)..start),
            false => self.span(source, end..removed),
        }
    }

    fn close(&mut self, frame: &Frame<'a>) {
        let source = frame.container.source;
        let end = self.tree.span(source, frame.container.word).end;
        match &frame.container.first {
            Some(first) if frame.is_empty => self.put(&first.after[..]),
            _ => {
                let from = back_over_white(self.tree.text(source), end - 1);
                self.span(source, from..end - 1);
            }
        }
        self.span(source, end - 1..end);
    }
}

/// The word of an old child.
fn old_word(child: &Child) -> Option<usize> {
    match child {
        Child::Old(word) => Some(*word),
        Child::Touched(touched) => match touched.position {
            Position::Old(word) => Some(word),
            Position::New { .. } => None,
        },
        Child::Gone => None,
    }
}
