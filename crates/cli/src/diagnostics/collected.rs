//! The lines of an input that have diagnostics, joined into one text.

use jsonx_diagnose::lint;
use jsonx_diagnose::{Diagnostic, Report};

use crate::input::BYTE_ORDER_MARK;
use crate::report::Position;

/// Lines of an input, and their diagnostics.
pub(super) struct Collected {
    pub(super) text: Vec<u8>,
    pub(super) leaps: Vec<(usize, Position)>,
    pub(super) report: Report,
}

/// A valid first line, so that no later line is diagnosed as the start of a file.
pub(super) const FIRST_LINE: &[u8] = b"0\n";

impl Collected {
    pub(super) fn new() -> Collected {
        Collected {
            text: FIRST_LINE.to_vec(),
            leaps: Vec::new(),
            report: Report::default(),
        }
    }

    /// Appends bytes from this position of the input, and returns their offset in the text.
    pub(super) fn put(&mut self, bytes: &[u8], place: Position) -> usize {
        if !self.text.ends_with(b"\n") {
            self.text.push(b'\n');
        }
        let start = self.text.len();
        self.leaps.push((start, place));
        self.text.extend_from_slice(bytes);
        start
    }

    /// Appends bytes and inserts their diagnostic in the order of the input.
    pub(super) fn add(&mut self, mut diagnostic: Diagnostic, bytes: &[u8], place: Position) {
        let place_of = |at: usize| {
            let leap = self.leaps.partition_point(|leap| leap.0 <= at);
            leap.checked_sub(1)
                .map_or(0, |leap| self.leaps[leap].1.offset)
        };
        let after = |other: &Diagnostic| place_of(other.span.start) > place.offset;
        let others = &self.report.diagnostics;
        let number = others.iter().position(after).unwrap_or(others.len());
        let start = self.put(bytes, place);
        diagnostic.span.start += start;
        diagnostic.span.end += start;
        diagnostic.show.iter_mut().for_each(|show| *show += start);
        self.report.diagnostics.insert(number, diagnostic);
    }

    /// Adds a warning about the byte-order mark; `head` is the start of the input.
    pub(super) fn byte_order_mark(&mut self, head: &[u8]) {
        let mut warning = lint::byte_order_mark(head);
        // The mark itself is not shown.
        let mark = BYTE_ORDER_MARK.len();
        warning.span.start -= mark;
        warning.span.end -= mark;
        warning.fix = None;
        let line = memchr::memchr(b'\n', head).unwrap_or(head.len());
        let place = Position {
            offset: mark as u64,
            ..Position::START
        };
        self.report.warnings += 1;
        self.add(warning, &head[mark..line], place);
    }
}
