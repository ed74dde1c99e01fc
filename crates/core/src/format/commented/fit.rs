//! Puts a container without comments on one line if that line fits a given width.
//!
//! An opening bracket is written at once. The text after it is buffered until the container closes, and fits, or until a
//! comment or the end of the line shows that it does not fit, and each member goes on its own line. Then the same applies to
//! the next bracket. Every token stores the number of columns and comments up to it, so both questions are subtractions.

use std::collections::VecDeque;

use super::{CommentFormatter, CommentGap};
use crate::format::{Class, Output, TrailingCommas, code_points};

/// The buffered tokens.
#[derive(Debug)]
pub(super) struct FitQueue {
    width: u64,
    commas: TrailingCommas,
    items: VecDeque<Item>,
    /// The number of items that have left the queue, which is the number of its first item.
    popped: u64,
    /// The numbers of the open containers in the queue.
    open: Vec<u64>,
    /// The container whose bracket was written last and whose layout is not decided.
    pending: Option<Item>,
    /// The class of the last token.
    last: Class,
    /// The columns of all tokens so far on a single line, and the number of their comments.
    columns: u64,
    comments: u64,
}

#[derive(Debug)]
struct Item {
    class: Class,
    gap: CommentGap,
    text: Vec<u8>,
    /// The columns and comments up to its end.
    columns: u64,
    comments: u64,
    /// For an opening bracket, the number of the closing one, once known.
    closer: Option<u64>,
}

/// The text between two tokens on one line.
fn between(before: Class, next: Class, comma: bool) -> &'static [u8] {
    match (before, next) {
        (_, Class::Close) if comma => b",",
        (Class::Colon, _) => b" ",
        _ if comma => b", ",
        _ => b"",
    }
}

impl FitQueue {
    pub fn new(width: u16, commas: TrailingCommas) -> FitQueue {
        FitQueue {
            width: u64::from(width),
            commas,
            items: VecDeque::new(),
            popped: 0,
            open: Vec::new(),
            pending: None,
            last: Class::Start,
            columns: 0,
            comments: 0,
        }
    }

    /// Adds a token and the gap before it.
    pub fn push(&mut self, class: Class, mut gap: CommentGap, text: &[u8]) {
        if class == Class::Close && self.commas != TrailingCommas::Keep {
            gap.comma = None;
        }
        let number = self.popped + self.items.len() as u64;
        let comma = gap.comma.is_some();
        self.columns += between(self.last, class, comma).len() as u64 + code_points(text);
        self.comments += gap.comments.len() as u64;
        self.last = class;
        match class {
            Class::Open => self.open.push(number),
            Class::Close => {
                let opener = self.open.pop().and_then(|opener| self.get_mut(opener));
                if let Some(opener) = opener {
                    opener.closer = Some(number);
                }
            }
            _ => {}
        }
        self.items.push_back(Item {
            class,
            gap,
            text: text.to_vec(),
            columns: self.columns,
            comments: self.comments,
            closer: None,
        });
    }

    /// The item with this number, which may be the pending one, just before the queue.
    fn get_mut(&mut self, number: u64) -> Option<&mut Item> {
        match number.checked_sub(self.popped) {
            Some(index) => self.items.get_mut(index as usize),
            None if number + 1 == self.popped => self.pending.as_mut(),
            None => None,
        }
    }

    /// Appends to the text of the last token. Returns whether it is buffered.
    pub fn extend(&mut self, text: &[u8]) -> bool {
        let columns = code_points(text);
        let Some(last) = self.items.back_mut() else {
            return false;
        };
        last.text.extend_from_slice(text);
        last.columns += columns;
        self.columns += columns;
        true
    }

    fn pop(&mut self) -> Option<Item> {
        let item = self.items.pop_front()?;
        self.popped += 1;
        Some(item)
    }

    /// Whether the contents of the pending container fit on the line, from `column` on; `None` until more is known.
    fn fits(&self, opener: &Item, column: u64, ended: bool) -> Option<bool> {
        let room = self.width.saturating_sub(column);
        let Some(number) = opener.closer else {
            // At least the closing bracket is still to come.
            let is_wide = self.columns - opener.columns + 1 > room && !self.items.is_empty();
            return (is_wide || self.comments > opener.comments || ended).then_some(false);
        };
        let closer = (number - self.popped) as usize;
        let end = &self.items[closer];
        if end.comments > opener.comments {
            return Some(false);
        }
        let columns = end.columns - opener.columns;
        if closer == 0 {
            return Some(true);
        }
        // A comma after the container is on the same line.
        let comma = match self.items.get(closer + 1) {
            Some(next) => {
                let is_added = next.class == Class::Close && self.commas == TrailingCommas::All;
                u64::from(is_added || next.gap.comma.is_some())
            }
            None if columns == room && !self.open.is_empty() && !ended => return None,
            None => 0,
        };
        Some(columns + comma <= room)
    }
}

impl<O: Output> CommentFormatter<O> {
    /// Writes the tokens whose layout is decided.
    pub(super) fn settle(&mut self, ended: bool) -> Result<(), O::Error> {
        loop {
            let column = self.column;
            let Some(queue) = &mut self.queue else {
                return Ok(());
            };
            if let Some(opener) = queue.pending.take() {
                match queue.fits(&opener, column, ended) {
                    None => {
                        queue.pending = Some(opener);
                        return Ok(());
                    }
                    Some(true) => {
                        self.one_line()?;
                        continue;
                    }
                    Some(false) => self.depth += 1,
                }
                continue;
            }
            let Some(item) = queue.pop() else {
                return Ok(());
            };
            if item.class == Class::Open {
                self.before(&item.gap, Class::Open)?;
                self.put(&item.text)?;
                if let Some(queue) = &mut self.queue {
                    queue.pending = Some(item);
                }
                continue;
            }
            self.write(&item.gap, item.class, &item.text)?;
        }
    }

    /// Writes the contents and the closing bracket of a container whose opening bracket has been written.
    fn one_line(&mut self) -> Result<(), O::Error> {
        let mut depth = 1;
        let mut before = Class::Open;
        while depth > 0
            && let Some(item) = self.queue.as_mut().and_then(FitQueue::pop)
        {
            match item.class {
                Class::Open => depth += 1,
                Class::Close => depth -= 1,
                _ => {}
            }
            self.put(between(before, item.class, item.gap.comma.is_some()))?;
            self.put(&item.text)?;
            before = item.class;
        }
        self.before = Class::Close;
        Ok(())
    }
}
