//! Text whose line breaks are undecided, and its possible break positions.
//!
//! Text after an opening bracket is buffered until the container closes, and fits, or until it is wider than the rest of the
//! line or has a line break, and does not fit. Each position stores the number of columns and forced line breaks up to it, so
//! both questions are subtractions.

use super::width::columns;
use super::{NumberArrays, PrettierStyle, number};

/// A position whose white space depends on the layout.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Its index in the unwritten text.
    pub at: usize,
    /// Columns before it, with all text on a single line.
    pub total: u64,
    /// Forced line breaks before it.
    pub breaks: u64,
    /// For an opening bracket, the number of the entry that closes it; [`NONE`] while unknown.
    pub closer: u64,
    pub kind: EntryKind,
    /// Its columns on one line.
    pub flat: u8,
    /// A blank line follows, if the line ends here.
    pub blank: bool,
    /// For the bracket of an array.
    pub fill: Fill,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryKind {
    /// After an opening bracket.
    Open,
    /// Before a closing bracket.
    Close,
    /// Between members or elements.
    Line,
    /// As `Line`, with a forced line break.
    HardLine,
    /// A forced line break inside a member or element, or between values at the root.
    Hard,
    /// A line feed in a comment or in ignored text, just before the position.
    Literal,
    /// A trailing comma, if the container is not on one line.
    TrailingComma,
    Indent,
    Dedent,
    /// The start of an element whose comments may be on its line, and its end. The value of a member is indented if it is on its
    /// own line.
    Group,
    GroupEnd,
    /// Between a comment and the element of its group.
    Soft,
    /// As `Soft`, after a blank line: a line break.
    SoftHard,
}

/// Whether the elements of an array fill lines, as they do if all are numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fill {
    Unknown,
    No,
    Yes,
}

/// No entry.
pub(super) const NONE: u64 = u64::MAX;

/// An open container.
#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    /// The entry after its bracket; [`NONE`] before the first element.
    opener: u64,
    is_object: bool,
    /// Number of elements or members so far, at most 2.
    count: u8,
    /// All elements so far are numbers.
    numbers: bool,
    /// Some element is followed by a blank line.
    blank: bool,
    /// An object with a line break before its first key: each member is on its own line.
    expanded: bool,
    elements: Elements,
}

/// The elements of an array so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Elements {
    #[default]
    None,
    /// Objects with several members.
    Objects,
    /// Arrays with several elements.
    Arrays,
    Mixed,
}

#[derive(Debug, Default)]
pub(super) struct Queue {
    /// Text that has not been written.
    pub unwritten: Vec<u8>,
    pub entries: Vec<Entry>,
    /// The number of entries that have left the queue, which is the number of its first entry.
    pub popped: u64,
    /// The innermost open container; at the root, a placeholder that is not an object.
    top: Frame,
    /// The outer containers, outermost first.
    frames: Vec<Frame>,
    /// Columns of all text so far on a single line.
    pub total: u64,
    /// Forced line breaks so far.
    pub breaks: u64,
    /// The start of the last scalar, if it may continue.
    pub scalar: Option<usize>,
    /// It is a number.
    is_number: bool,
    /// As for [`Prettier`](super::Prettier).
    pub is_plain: bool,
    /// The elements of an array of numbers fill lines.
    can_fill: bool,
    /// The arrays that contain only numbers, if known.
    pub number_arrays: Option<NumberArrays>,
}

impl Queue {
    pub fn new(is_plain: bool, style: PrettierStyle) -> Queue {
        Queue {
            is_plain,
            can_fill: !is_plain && !style.expand,
            ..Queue::default()
        }
    }

    #[inline]
    fn push(&mut self, kind: EntryKind, flat: u8, blank: bool) -> &mut Entry {
        self.entries.push(Entry {
            at: self.unwritten.len(),
            total: self.total,
            breaks: self.breaks,
            closer: NONE,
            kind,
            flat,
            blank,
            fill: Fill::No,
        });
        self.total += u64::from(flat);
        let last = self.entries.len() - 1;
        &mut self.entries[last]
    }

    /// Appends text.
    pub fn text(&mut self, text: &[u8]) {
        self.total += columns(text, self.is_plain);
        self.unwritten.extend_from_slice(text);
    }

    /// Appends ASCII text.
    #[inline]
    pub fn plain(&mut self, text: &[u8]) {
        self.total += text.len() as u64;
        self.unwritten.extend_from_slice(text);
    }

    /// Appends a whole number, string or literal. Its columns are counted with `counts`; otherwise they equal its bytes or do not
    /// matter.
    #[inline]
    pub fn scalar(&mut self, raw: &[u8], counts: bool) {
        let is_number = matches!(raw.first(), Some(b'-' | b'0'..=b'9'));
        if counts && !is_number {
            return self.text(raw);
        }
        let start = self.unwritten.len();
        if is_number && !self.is_plain && number::is_respelled(raw) {
            number::push(raw, &mut self.unwritten)
        } else {
            self.unwritten.extend_from_slice(raw)
        }
        self.total += (self.unwritten.len() - start) as u64;
    }

    /// Appends a comment at the end of a line, excluded from the width.
    pub fn uncounted(&mut self, text: &[u8]) {
        self.unwritten.extend_from_slice(text);
    }

    /// Begins a number, string or literal.
    pub fn begin_scalar(&mut self, raw: &[u8]) {
        self.scalar = Some(self.unwritten.len());
        self.is_number = matches!(raw.first(), Some(b'-' | b'0'..=b'9'));
        self.unwritten.extend_from_slice(raw);
    }

    /// Whether the last scalar is a number.
    pub fn is_number(&self) -> bool {
        self.is_number
    }

    /// Ends the last scalar in its spelling.
    pub fn end_spelled(&mut self) {
        if let Some(start) = self.scalar.take() {
            self.total += columns(&self.unwritten[start..], self.is_plain);
        }
    }

    /// Ends the last scalar, before the next token.
    #[inline]
    pub fn end_scalar(&mut self) {
        if let Some(start) = self.scalar.take() {
            self.complete(start);
        }
    }

    fn complete(&mut self, start: usize) {
        let raw = &self.unwritten[start..];
        if self.is_number && !self.is_plain && number::is_respelled(raw) {
            let mut spelled = Vec::with_capacity(raw.len());
            number::push(raw, &mut spelled);
            self.unwritten.truncate(start);
            self.unwritten.extend_from_slice(&spelled);
        }
        self.total += columns(&self.unwritten[start..], self.is_plain);
    }

    /// Adds a position between two members or elements.
    #[inline]
    pub fn line(&mut self, blank: bool, flat: u8) {
        self.push(EntryKind::Line, flat, blank);
    }

    /// Adds a line break, which breaks all open containers.
    pub fn hard(&mut self, blank: bool) {
        self.breaks += 1;
        self.push(EntryKind::Hard, 0, blank);
    }

    /// Adds a line break between two members or elements.
    pub fn hard_line(&mut self, blank: bool) {
        self.breaks += 1;
        self.push(EntryKind::HardLine, 0, blank);
    }

    /// Records a line feed at the end of the appended text.
    pub fn literal(&mut self) {
        self.breaks += 1;
        self.push(EntryKind::Literal, 0, false);
    }

    pub fn trailing_comma(&mut self) {
        self.push(EntryKind::TrailingComma, 0, false);
    }

    pub fn indent(&mut self, deeper: bool) {
        let kind = if deeper {
            EntryKind::Indent
        } else {
            EntryKind::Dedent
        };
        self.push(kind, 0, false);
    }

    /// Begins an element or value after its comments. Returns the number of the group.
    pub fn group(&mut self, is_indented: bool) -> u64 {
        self.push(EntryKind::Group, u8::from(is_indented), false);
        self.popped + self.entries.len() as u64 - 1
    }

    pub fn end_group(&mut self, group: u64, is_indented: bool) {
        let number = self.popped + self.entries.len() as u64;
        if let Some(index) = group.checked_sub(self.popped)
            && let Some(entry) = self.entries.get_mut(index as usize)
        {
            entry.closer = number;
        }
        let kind = if is_indented {
            EntryKind::Dedent
        } else {
            EntryKind::GroupEnd
        };
        self.push(kind, 0, false);
    }

    /// Adds a position between a comment and the element of the group; after a blank line, a line break.
    pub fn soft(&mut self, blank: bool) {
        if blank {
            self.breaks += 1;
            self.push(EntryKind::SoftHard, 0, true);
        } else {
            self.push(EntryKind::Soft, 1, false);
        }
    }

    /// Whether the innermost open container is an object; `None` at the root.
    pub fn in_object(&self) -> Option<bool> {
        (!self.frames.is_empty()).then_some(self.top.is_object)
    }

    /// Whether every member ends a line, so that the width of a scalar does not matter.
    #[inline]
    pub fn is_expanded(&self) -> bool {
        self.top.expanded
    }

    /// Opens a container whose bracket was appended.
    pub fn open(&mut self, is_object: bool) {
        let frame = Frame {
            opener: NONE,
            is_object,
            numbers: !is_object && self.can_fill,
            ..Frame::default()
        };
        self.frames.push(std::mem::replace(&mut self.top, frame));
    }

    /// The first element or member of the innermost container follows; `flat` columns precede it on one line.
    pub fn first(&mut self, flat: u8, blank: bool, breaks: bool) {
        let number = self.popped + self.entries.len() as u64;
        self.top.opener = number;
        self.top.expanded = breaks;
        let fill = if self.top.numbers {
            Fill::Unknown
        } else {
            Fill::No
        };
        self.push(EntryKind::Open, flat, blank).fill = fill;
        self.breaks += u64::from(breaks);
    }

    /// Records an element of the innermost container that begins with this byte, or the key of a member.
    #[inline]
    pub fn element(&mut self, first: u8) {
        let frame = &mut self.top;
        frame.count = (frame.count + 1).min(2);
        if !matches!(first, b'{' | b'[') {
            frame.elements = Elements::Mixed;
        }
        let is_first = frame.count == 1;
        if !frame.numbers {
            return;
        }
        if !matches!(first, b'-' | b'0'..=b'9') {
            return self.no_fill();
        }
        if is_first
            && let Some(arrays) = &mut self.number_arrays
            && let Some(opener) = self.entries.last_mut()
        {
            opener.fill = if arrays.next() { Fill::Yes } else { Fill::No };
        }
    }

    /// Records that the innermost container is not filled.
    pub fn no_fill(&mut self) {
        self.top.numbers = false;
        if let Some(index) = self.top.opener.checked_sub(self.popped)
            && let Some(entry) = self.entries.get_mut(index as usize)
        {
            entry.fill = Fill::No;
        }
    }

    /// Records a blank line after an element or member of the innermost container.
    pub fn note_blank(&mut self) {
        if self.top.is_object {
            self.breaks += 1
        } else {
            self.top.blank = true
        }
    }

    /// Closes the innermost container; its bracket follows.
    pub fn close(&mut self) {
        let Some(outer) = self.frames.pop() else {
            return;
        };
        let frame = std::mem::replace(&mut self.top, outer);
        let is_filled = frame.numbers && frame.count > 0;
        let breaks = if is_filled {
            frame.blank
        } else {
            !frame.is_object
                && frame.count > 1
                && matches!(frame.elements, Elements::Objects | Elements::Arrays)
        };
        self.closed(frame.is_object, frame.count);
        if frame.opener == NONE {
            return;
        }
        self.breaks += u64::from(breaks);
        let number = self.popped + self.entries.len() as u64;
        let mut flat = 0;
        // The bracket of a container with line breaks has left the queue.
        if let Some(index) = frame.opener.checked_sub(self.popped)
            && let Some(opener) = self.entries.get_mut(index as usize)
        {
            opener.closer = number;
            opener.fill = if is_filled { Fill::Yes } else { Fill::No };
            flat = opener.flat;
        }
        self.push(EntryKind::Close, flat, false);
    }

    /// Records a closed container as an element of the innermost one.
    pub fn closed(&mut self, is_object: bool, count: u8) {
        let elements = match (is_object, count) {
            (_, 0 | 1) => Elements::Mixed,
            (true, _) => Elements::Objects,
            (false, _) => Elements::Arrays,
        };
        self.top.elements = match self.top.elements {
            Elements::None => elements,
            same if same == elements => same,
            _ => Elements::Mixed,
        };
    }

    /// Removes the first entries.
    pub fn pop(&mut self, count: usize) {
        self.entries.drain(..count);
        self.popped += count as u64;
    }

    /// The columns up to the first possible line end at or after `index`; `None` if not known yet.
    pub fn line_end(&self, index: usize, ended: bool) -> Option<u64> {
        let mut trailing = 0;
        for entry in self.entries.get(index..).unwrap_or_default() {
            match entry.kind {
                EntryKind::Indent | EntryKind::Dedent | EntryKind::Open => {}
                EntryKind::Group | EntryKind::GroupEnd | EntryKind::Soft => {}
                EntryKind::TrailingComma => trailing = 1,
                _ => return Some(entry.total + trailing),
            }
        }
        ended.then_some(self.total + trailing)
    }
}
