//! A line that is too long to buffer: checked as it arrives.

use std::convert::Infallible;

use jsonx_core::SyntaxError;
use jsonx_core::engine::{Stop, Validator};
use jsonx_core::position::LineCounter;

use super::Evidence;
use crate::check::Checks;
use crate::check::lines::line::lone_returns;
use crate::input::BLOCK;
use crate::report::Position;

/// Number of bytes retained on either side of an error in a line that is not buffered.
const CONTEXT: usize = 4096;

/// A line that is too long to buffer.
pub struct Long {
    pub offset: u64,
    pub validator: Validator,
    /// The last, unchecked bytes: an excerpt may begin there.
    pub pending: Vec<u8>,
    pub counter: LineCounter,
    /// Lone carriage returns in the whole line, including those after an error, and whether the last byte is a carriage
    /// return that may be one of them.
    pub returns: u64,
    pub ends_in_return: bool,
    pub checks: Checks,
    pub error: Option<(SyntaxError, Evidence)>,
}

impl Long {
    /// Checks the next bytes of the line.
    pub fn push(&mut self, mut bytes: &[u8]) {
        if !bytes.is_empty() {
            self.returns += u64::from(self.ends_in_return && bytes[0] != b'\n');
            self.ends_in_return = bytes.ends_with(b"\r");
            self.returns += lone_returns(bytes) - u64::from(self.ends_in_return);
        }
        if self.error.is_some() {
            return;
        }
        if !self.pending.is_empty() {
            let (head, rest) = bytes.split_at(bytes.len().min(BLOCK - self.pending.len()));
            self.pending.extend_from_slice(head);
            bytes = rest;
            if self.pending.len() < BLOCK {
                return;
            }
            let block = std::mem::take(&mut self.pending);
            self.feed(&block);
        }
        let taken = self.feed(bytes);
        self.pending.extend_from_slice(&bytes[taken..]);
    }

    /// Checks the whole blocks of `bytes`. Returns their length, or the length of `bytes` after an error.
    fn feed(&mut self, bytes: &[u8]) -> usize {
        if self.error.is_some() {
            return bytes.len();
        }
        let before = self.validator.offset();
        let (blocks, _) = bytes.split_at(bytes.len() / BLOCK * BLOCK);
        match self.validator.write(blocks, &mut self.checks) {
            Ok(()) => {
                self.counter.feed_verified(blocks);
                blocks.len()
            }
            Err(stop) => {
                self.fail(stop, before, bytes);
                bytes.len()
            }
        }
    }

    pub fn end(&mut self) {
        if self.error.is_none() {
            let rest = std::mem::take(&mut self.pending);
            let before = self.validator.offset();
            let validator = std::mem::take(&mut self.validator);
            if let Err(stop) = validator.check(&rest, &mut self.checks) {
                self.fail(stop, before, &rest);
            }
        }
    }

    /// Records an error in `bytes`, which begin at `before` in the line.
    fn fail(&mut self, stop: Stop<Infallible>, before: u64, bytes: &[u8]) {
        let Stop::Invalid(error) = stop;
        let at =
            usize::try_from(error.offset - before).map_or(bytes.len(), |at| at.min(bytes.len()));
        let start = (at.saturating_sub(CONTEXT)..=at)
            .find(|&start| !matches!(bytes.get(start), Some(0x80..0xC0)))
            .unwrap_or(at);
        let end = bytes.len().min(at + CONTEXT);
        self.counter.feed(&bytes[..start]);
        let position = self.counter.position(&bytes[start..]);
        let base = Position {
            offset: self.offset + before + start as u64,
            line: position.line,
            column: position.column,
            column_utf16: position.column_utf16,
        };
        let evidence = Evidence::Excerpt(bytes[start..end].to_vec(), at - start, base);
        let error = SyntaxError {
            offset: self.offset + error.offset,
            ..error
        };
        self.error = Some((error, evidence));
    }
}
