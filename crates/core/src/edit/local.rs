//! One edit at many positions of a text, given only their offsets: only the surroundings of each are read.
//!
//! The offsets are those of the matches of a lookup in verified text, so the text need not be in memory, and memory is
//! proportional to the number of matches.

use std::ops::Range;

use super::error::EditError;
use super::style::{self, ChildStyle};
use super::text::{
    Text, follows, has_line_feed, member_start, next_child, same_tokens, skip_white,
    skip_white_back,
};
use crate::order::sort_by_place;
use crate::path::key_text;
use crate::splice::Splices;

/// A change at a position of a text: see [`Splices::at`].
///
/// ```
/// use jsonx_core::edit::Action;
/// use jsonx_core::internal::Splices;
///
/// let text = br#"{"a": [1, 2], "b": {}}"#;
/// // The offsets of `1`, of the whole `[1, 2]` and of `{}`, as a `Query` finds them.
/// let changes = [
///     (7..8, Action::Set(b"10")),
///     (6..12, Action::Append(b"3")),
///     (19..21, Action::Add { key: b"c", value: b"true" }),
/// ];
/// let splices = Splices::at(&text[..], changes)?;
/// assert_eq!(splices.apply(text), br#"{"a": [10, 2, 3], "b": {"c": true}}"#);
/// # Ok::<(), jsonx_core::edit::EditError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action<'v> {
    /// Replaces the value by this text.
    Set(&'v [u8]),
    /// Removes the value, with its key and a comma.
    Delete,
    /// Appends an element to the array.
    Append(&'v [u8]),
    /// Inserts an element before this one.
    Insert(&'v [u8]),
    /// Inserts a member before the one of this value.
    InsertMember {
        /// Its key, in decoded bytes.
        key: &'v [u8],
        /// Its value.
        value: &'v [u8],
    },
    /// Appends a member to the object.
    Add {
        /// Its key, in decoded bytes.
        key: &'v [u8],
        /// Its value.
        value: &'v [u8],
    },
}

impl Splices {
    /// The replacements for changes at these spans of a verified text, in any order, by the rules of [`Editor`](super::Editor).
    /// A change inside a replaced or removed value is dropped; of two changes to one value, the first is applied. `Append` and
    /// `Add` change the container at the span, all others the value there.
    ///
    /// Reads the white space around each position and a few siblings; for an append, also the last child.
    ///
    /// # Errors
    ///
    /// [`Root`](EditError::Root) for the removal of a value that is in no container.
    ///
    /// ```
    /// use jsonx_core::edit::Action;
    /// use jsonx_core::internal::Splices;
    ///
    /// let text = b"[1, 2, 3, 4]";
    /// let removed = Splices::at(&text[..], [(4..5, Action::Delete), (7..8, Action::Delete)])?;
    /// assert_eq!(removed.apply(text), b"[1, 4]");
    /// # Ok::<(), jsonx_core::edit::EditError>(())
    /// ```
    pub fn at<'v, T: Text + ?Sized>(
        text: &T,
        changes: impl IntoIterator<Item = (Range<usize>, Action<'v>)>,
    ) -> Result<Splices, EditError> {
        Splices::written_at(text, changes, Written::Tokens)
    }

    /// As [`at`](Self::at), with a choice of how values are written.
    pub(super) fn written_at<'v, T: Text + ?Sized>(
        text: &T,
        changes: impl IntoIterator<Item = (Range<usize>, Action<'v>)>,
        values: Written,
    ) -> Result<Splices, EditError> {
        let mut changes: Vec<(Range<usize>, Action<'v>)> = changes.into_iter().collect();
        // Outer changes come before inner ones, except that an append comes after changes inside the container.
        sort_by_place(&mut changes, |(span, change)| match change {
            Action::Append(_) | Action::Add { .. } => (last_end(text, span), 0),
            _ => (span.start, usize::MAX - span.end),
        });
        let mut splices = Splices::default();
        let mut gone = 0;
        let mut changes = changes.into_iter().peekable();
        while let Some((span, change)) = changes.next() {
            let at = match change {
                Action::Append(_) | Action::Add { .. } => last_end(text, &span),
                _ => span.start,
            };
            if at < gone {
                continue;
            }
            match change {
                Action::Set(value) => {
                    gone = span.end;
                    if values == Written::Tokens && same_tokens(text, span.clone(), value) {
                        continue;
                    }
                    let new = values.write(value, || style::of_value(text, span.clone(), value));
                    splices.change(text, span, &new);
                }
                Action::Insert(value) => {
                    let style = style::of_inserted(text, span.start, false, value);
                    splices.insert(text, span.start, &style, None, (value, values));
                }
                Action::InsertMember { key, value } => {
                    let near = member_start(text, span.start);
                    let style = style::of_inserted(text, near, true, value);
                    splices.insert(text, near, &style, Some(key), (value, values));
                }
                Action::Append(value) => splices.append(text, &span, at..at, None, (value, values)),
                Action::Add { key, value } => {
                    splices.append(text, &span, at..at, Some(key), (value, values));
                }
                Action::Delete => {
                    let start = member_start(text, span.start);
                    let mut end = span.end;
                    // Adjacent children are removed together.
                    loop {
                        let next = next_child(text, end);
                        let Some((after, _)) = changes.next_if(|(span, change)| {
                            *change == Action::Delete
                                && (span.start < end
                                    || next == Some(member_start(text, span.start)))
                        }) else {
                            break;
                        };
                        end = end.max(after.end);
                    }
                    gone = end;
                    let removed = removal(text, start, end)?;
                    splices.change(text, removed, b"");
                }
            }
        }
        Ok(splices)
    }
}

impl Splices {
    /// Replaces the value at a span, even by the same text.
    pub(super) fn set<T: Text + ?Sized>(
        text: &T,
        span: Range<usize>,
        (value, values): (&[u8], Written),
    ) -> Splices {
        let new = values.write(value, || style::of_value(text, span.clone(), value));
        let mut splices = Splices::default();
        splices.push(span, &new);
        splices
    }

    /// Inserts an element of an array before the one at `near`.
    pub(super) fn before<T: Text + ?Sized>(
        text: &T,
        array: Range<usize>,
        near: usize,
        (value, values): (&[u8], Written),
    ) -> Splices {
        let mut splices = Splices::default();
        let style = style::of_child(text, array, Some(near), value);
        splices.insert(text, near, &style, None, (value, values));
        splices
    }

    /// Adds a last child to a container, in place of removed last children, or after the last one.
    pub(super) fn last<T: Text + ?Sized>(
        text: &T,
        container: &Range<usize>,
        old: Range<usize>,
        key: Option<&[u8]>,
        value: (&[u8], Written),
    ) -> Splices {
        let mut splices = Splices::default();
        splices.append(text, container, old, key, value);
        splices
    }

    fn append<T: Text + ?Sized>(
        &mut self,
        text: &T,
        container: &Range<usize>,
        old: Range<usize>,
        key: Option<&[u8]>,
        (value, values): (&[u8], Written),
    ) {
        let sibling = style::sibling_of_appended(text, container);
        let style = style::of_child(text, container.clone(), sibling, value);
        let child = child(&style, key, (value, values));
        match sibling {
            Some(_) if skip_white_back(text, old.start) == container.start + 1 => {
                self.change(text, old, &child);
            }
            Some(_) => self.change(text, old, &[comma(&style), child].concat()),
            None => {
                let inside = container.start + 1..container.end - 1;
                let new = [&style.before[..], &child, &style.after].concat();
                self.change(text, inside, &new);
            }
        }
    }

    fn insert<T: Text + ?Sized>(
        &mut self,
        text: &T,
        near: usize,
        style: &ChildStyle,
        key: Option<&[u8]>,
        value: (&[u8], Written),
    ) {
        let new = [child(style, key, value), comma(style)].concat();
        self.change(text, near..near, &new);
    }

    /// Adds a replacement after all others, unless it has no effect. One that begins inside the last one is dropped,
    /// because its text is already replaced.
    pub(super) fn change<T: Text + ?Sized>(&mut self, old: &T, span: Range<usize>, text: &[u8]) {
        let last = self.spans().next_back();
        let is_inside = last.is_some_and(|(last, _)| span.start < last.end);
        let is_same = || {
            span.clone()
                .zip(text)
                .all(|(at, byte)| old.byte(at) == *byte)
        };
        if !is_inside && (span.len() != text.len() || !is_same()) {
            self.push(span, text);
        }
    }

    /// Merges others, each entirely inside or outside one of these; adjacent ones become one.
    pub(super) fn and<T: Text + ?Sized>(&self, others: &Splices, old: &T) -> Splices {
        let mut all: Vec<_> = self.iter().chain(others.iter()).collect();
        sort_by_place(&mut all, |(span, _)| (span.start, span.end));
        let mut merged: Vec<(Range<usize>, Vec<u8>)> = Vec::new();
        for (span, text) in all {
            match merged.last_mut() {
                Some((last, _)) if span.start < last.end => {}
                Some((last, new)) if span.start == last.end => {
                    last.end = span.end;
                    new.extend_from_slice(text);
                }
                _ => merged.push((span, text.to_vec())),
            }
        }
        let mut splices = Splices::default();
        for (span, text) in merged {
            splices.change(old, span, &text);
        }
        splices
    }
}

/// The offset of a new last child of a container: after the last child, or after the bracket.
fn last_end<T: Text + ?Sized>(text: &T, container: &Range<usize>) -> usize {
    skip_white_back(text, container.end - 1)
}

/// Writes values in the layout of their position.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// Their tokens, in that layout.
    Tokens,
    /// Their text, with the indentation of the position.
    Text,
    /// Their text, unchanged.
    Exact,
}

impl Written {
    /// The layout is not computed for a scalar.
    fn write(self, value: &[u8], layout: impl FnOnce() -> style::Layout) -> Vec<u8> {
        match self {
            Written::Exact => value.to_vec(),
            _ if !is_composite(value) => value.to_vec(),
            Written::Tokens => layout().write(value),
            Written::Text => style::indented(value, &layout()),
        }
    }
}

fn is_composite(value: &[u8]) -> bool {
    matches!(value.first(), Some(b'{' | b'['))
}

/// An element, or a member with this key.
fn child(style: &ChildStyle, key: Option<&[u8]>, (value, values): (&[u8], Written)) -> Vec<u8> {
    let mut child = Vec::new();
    if let Some(key) = key {
        child = [
            key_text(key).as_bytes(),
            &style.colon.0,
            b":",
            &style.colon.1,
        ]
        .concat();
    }
    child.extend(values.write(value, || (*style.layout).clone()));
    child
}

fn comma(style: &ChildStyle) -> Vec<u8> {
    [&style.before[..], b",", &style.after].concat()
}

/// The span to remove with the children from `start` to `end`.
///
/// # Errors
/// The children are in no container.
fn removal<T: Text + ?Sized>(
    text: &T,
    start: usize,
    end: usize,
) -> Result<Range<usize>, EditError> {
    let lead = skip_white_back(text, start);
    let after = skip_white(text, end);
    let is_first = match lead.checked_sub(1).map(|at| text.byte(at)) {
        Some(b'[' | b'{') => true,
        Some(b',') => false,
        _ => return Err(EditError::Root),
    };
    Ok(match next_child(text, end) {
        None if is_first => lead..after,
        None => skip_white_back(text, lead - 1)..end,
        // The following member begins a line, and the removed one does not.
        Some(next)
            if !is_first
                && follows(text, after + 1, b',')
                && !has_line_feed(text, lead..start)
                && has_line_feed(text, after + 1..next) =>
        {
            skip_white_back(text, lead - 1)..end
        }
        Some(next) => start..next,
    })
}
