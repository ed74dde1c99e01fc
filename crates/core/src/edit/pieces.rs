//! A piece table: a text changed in many places, as pieces of the original and of added bytes.
//!
//! ```text
//! bytes    [⏎  1, // one⏎  2⏎]20        original and added, none ever moves
//! pieces    0..18, 20..22, 19..20       the text now: the 2 is a 20
//! ```
//!
//! The pieces form a treap: a search tree by position and a heap by random weights, so the expected depth is logarithmic.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Range;

use super::text::{Text, indentation};
use crate::splice::Splices;

/// No piece.
const NONE: usize = usize::MAX;

#[derive(Clone, Copy, Debug)]
struct Piece {
    /// The address of its first byte.
    start: usize,
    length: usize,
    /// The total length of the subtree.
    total: usize,
    weight: u64,
    left: usize,
    right: usize,
    above: usize,
}

/// The original bytes, and after them those that were added.
#[derive(Debug)]
struct Bytes<'t> {
    original: Cow<'t, [u8]>,
    added: Vec<u8>,
}

impl<'t> Bytes<'t> {
    fn new(original: Cow<'t, [u8]>) -> Bytes<'t> {
        Bytes {
            original,
            added: Vec::new(),
        }
    }

    fn length(&self) -> usize {
        self.original.len() + self.added.len()
    }

    #[inline]
    fn at(&self, address: usize) -> u8 {
        match address.checked_sub(self.original.len()) {
            None => self.original[address],
            Some(at) => self.added[at],
        }
    }

    /// Bytes of one piece.
    fn of_piece(&self, first: usize, length: usize) -> &[u8] {
        match first.checked_sub(self.original.len()) {
            None => &self.original[first..first + length],
            Some(at) => &self.added[at..at + length],
        }
    }

    fn set(&mut self, address: usize, byte: u8) {
        match address.checked_sub(self.original.len()) {
            None => self.original.to_mut()[address] = byte,
            Some(at) => self.added[at] = byte,
        }
    }
}

/// A text, and the same without comments.
#[derive(Debug)]
pub(super) struct Pieces<'t> {
    text: Bytes<'t>,
    /// `None` if there are no comments.
    plain: Option<Bytes<'t>>,
    pieces: Vec<Piece>,
    root: usize,
    /// Pieces by the address of their first byte.
    starts: BTreeMap<usize, usize>,
    weight: u64,
    /// The last piece read: its offsets in the text, and the address of its first byte.
    near: Cell<(usize, usize, usize)>,
    /// The number of bytes read.
    #[cfg(test)]
    pub(super) read: Cell<usize>,
}

/// One of the two texts.
pub(super) struct View<'a> {
    pieces: &'a Pieces<'a>,
    bytes: &'a Bytes<'a>,
}

impl Text for View<'_> {
    fn length(&self) -> usize {
        self.pieces.length()
    }

    #[inline]
    fn byte(&self, at: usize) -> u8 {
        self.bytes.at(self.pieces.address(at))
    }

    fn copy(&self, span: Range<usize>) -> Vec<u8> {
        let mut out = Vec::with_capacity(span.len());
        let mut at = span.start;
        while at < span.end {
            let first = self.pieces.address(at);
            let (_, end, _) = self.pieces.near.get();
            let length = end.min(span.end) - at;
            #[cfg(test)]
            self.pieces.read.set(self.pieces.read.get() + length);
            out.extend_from_slice(self.bytes.of_piece(first, length));
            at += length;
        }
        out
    }

    /// Without the spaces in place of a comment.
    fn indentation(&self, at: usize) -> Range<usize> {
        indentation(&self.pieces.text(), at)
    }
}

impl<'t> Pieces<'t> {
    pub(super) fn new(text: &'t [u8], plain: Option<Vec<u8>>) -> Pieces<'t> {
        let mut pieces = Pieces {
            pieces: Vec::new(),
            root: NONE,
            starts: BTreeMap::new(),
            weight: 1,
            near: Cell::new((0, 0, 0)),
            #[cfg(test)]
            read: Cell::new(text.len()),
            text: Bytes::new(Cow::Borrowed(text)),
            plain: plain.map(|plain| Bytes::new(Cow::Owned(plain))),
        };
        pieces.root = pieces.add(0, text.len());
        pieces
    }

    pub(super) fn text(&self) -> View<'_> {
        let bytes = &self.text;
        View {
            pieces: self,
            bytes,
        }
    }

    pub(super) fn plain(&self) -> View<'_> {
        let bytes = self.plain.as_ref().unwrap_or(&self.text);
        View {
            pieces: self,
            bytes,
        }
    }

    pub(super) fn length(&self) -> usize {
        self.total(self.root)
    }

    /// The address of a byte.
    #[inline]
    pub(super) fn address(&self, at: usize) -> usize {
        #[cfg(test)]
        self.read.set(self.read.get() + 1);
        let (start, end, first) = self.near.get();
        if (start..end).contains(&at) {
            return first + at - start;
        }
        let (mut node, mut before) = (self.root, 0);
        loop {
            let piece = &self.pieces[node];
            let start = before + self.total(piece.left);
            if at < start {
                node = piece.left;
            } else if at < start + piece.length {
                self.near.set((start, start + piece.length, piece.start));
                return piece.start + at - start;
            } else {
                before = start + piece.length;
                node = piece.right;
            }
        }
    }

    /// The address of the first byte of a span, if its bytes are together.
    pub(super) fn contiguous(&self, span: Range<usize>) -> Option<usize> {
        let address = self.address(span.start);
        let (_, end, _) = self.near.get();
        (span.end <= end).then_some(address)
    }

    /// The replacements that make the text from the original one.
    pub(super) fn splices(&self) -> Splices {
        let original = &self.text.original[..];
        let length = original.len();
        let mut splices = Splices::default();
        let mut kept = 0;
        let mut added = Vec::new();
        let mut at = 0;
        while at < self.length() {
            let first = self.address(at);
            let (_, end, _) = self.near.get();
            if first < length {
                splices.change(original, kept..first, &std::mem::take(&mut added));
                kept = first + end - at;
            } else {
                added.extend_from_slice(self.text.of_piece(first, end - at))
            }
            at = end;
        }
        splices.change(original, kept..length, &added);
        splices
    }

    /// The offset in the text of the byte at an address.
    pub(super) fn offset(&self, address: usize) -> usize {
        let found = self.starts.range(..=address).next_back();
        let Some((start, &(mut node))) = found else {
            return 0;
        };
        let mut offset = self.total(self.pieces[node].left) + address - start;
        while self.pieces[node].above != NONE {
            let above = self.pieces[node].above;
            if self.pieces[above].right == node {
                offset += self.total(self.pieces[above].left) + self.pieces[above].length;
            }
            node = above;
        }
        offset
    }

    /// Replaces a span in both texts; returns the address of the new bytes.
    pub(super) fn replace(&mut self, span: Range<usize>, text: &[u8], plain: &[u8]) -> usize {
        let start = self.text.length();
        self.text.added.extend_from_slice(text);
        if let Some(all) = &mut self.plain {
            all.added.extend_from_slice(plain);
        }
        let (before, rest) = self.split(self.root, span.start);
        let (gone, after) = self.split(rest, span.len());
        let mut gone = vec![gone];
        while let Some(node) = gone.pop().filter(|&node| node != NONE) {
            let piece = self.pieces[node];
            self.starts.remove(&piece.start);
            gone.extend(
                [piece.left, piece.right]
                    .iter()
                    .filter(|&&node| node != NONE),
            );
        }
        let added = match text {
            [] => NONE,
            _ => self.add(start, text.len()),
        };
        let before = self.join(before, added);
        self.root = self.join(before, after);
        if self.root != NONE {
            self.pieces[self.root].above = NONE;
        }
        self.near.set((0, 0, 0));
        start
    }

    /// Changes a byte of the text without comments.
    pub(super) fn set_plain(&mut self, at: usize, byte: u8) {
        let address = self.address(at);
        if let Some(plain) = &mut self.plain {
            plain.set(address, byte);
        }
    }

    fn total(&self, node: usize) -> usize {
        self.pieces.get(node).map_or(0, |piece| piece.total)
    }

    fn add(&mut self, start: usize, length: usize) -> usize {
        // Xorshift (Marsaglia, "Xorshift RNGs").
        self.weight ^= self.weight << 13;
        self.weight ^= self.weight >> 7;
        self.weight ^= self.weight << 17;
        self.pieces.push(Piece {
            start,
            length,
            total: length,
            weight: self.weight,
            left: NONE,
            right: NONE,
            above: NONE,
        });
        self.starts.insert(start, self.pieces.len() - 1);
        self.pieces.len() - 1
    }

    /// Updates the total of a piece and the parent links of its children.
    fn update(&mut self, node: usize) -> usize {
        let Piece {
            left,
            right,
            length,
            ..
        } = self.pieces[node];
        self.pieces[node].total = self.total(left) + length + self.total(right);
        for below in [left, right] {
            if below != NONE {
                self.pieces[below].above = node;
            }
        }
        node
    }

    /// The pieces before and after an offset.
    fn split(&mut self, node: usize, at: usize) -> (usize, usize) {
        let (before, after, divided) = self.part(node, at);
        let Some((first, rest)) = divided else {
            return (before, after);
        };
        // In the old position, the rest could be below a piece of less weight.
        (self.join(before, first), self.join(rest, after))
    }

    /// The pieces before and after an offset, and the two that one around it is divided into.
    fn part(&mut self, node: usize, at: usize) -> (usize, usize, Option<(usize, usize)>) {
        if node == NONE {
            return (NONE, NONE, None);
        }
        let piece = self.pieces[node];
        let start = self.total(piece.left);
        let end = start + piece.length;
        if at <= start {
            let (before, after, divided) = self.part(piece.left, at);
            self.pieces[node].left = after;
            return (before, self.update(node), divided);
        }
        if at >= end {
            let (before, after, divided) = self.part(piece.right, at - end);
            self.pieces[node].right = before;
            return (self.update(node), after, divided);
        }
        let rest = self.add(piece.start + at - start, end - at);
        self.pieces[node] = Piece {
            length: at - start,
            left: NONE,
            right: NONE,
            ..piece
        };
        (piece.left, piece.right, Some((self.update(node), rest)))
    }

    fn join(&mut self, before: usize, after: usize) -> usize {
        if before == NONE {
            return after;
        }
        if after == NONE {
            return before;
        }
        let (first, second) = (self.pieces[before], self.pieces[after]);
        if first.weight > second.weight {
            self.pieces[before].right = self.join(first.right, after);
            return self.update(before);
        }
        self.pieces[after].left = self.join(before, second.left);
        self.update(after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Replacements in any order leave a tree of logarithmic depth.
    #[test]
    fn the_tree_is_balanced() {
        let n = 4000;
        let text = vec![b' '; 4 * n];
        let orders: [fn(usize, usize) -> usize; 3] =
            [|i, _| i, |i, n| n - 1 - i, |i, n| i * 7919 % n];
        for order in orders {
            let mut pieces = Pieces::new(&text, None);
            for i in 0..n {
                let at = 4 * order(i, n);
                pieces.replace(at..at + 1, b"x", b"x");
            }
            let expected = b"x   ".repeat(n);
            assert_eq!(pieces.text().copy(0..4 * n), expected);
            let depth = |mut node: usize| {
                let mut depth = 0;
                while node != pieces.root {
                    node = pieces.pieces[node].above;
                    depth += 1;
                }
                depth
            };
            let deepest = pieces.starts.values().map(|&node| depth(node)).max();
            assert!(deepest < Some(64), "{deepest:?}");
        }
    }
}
