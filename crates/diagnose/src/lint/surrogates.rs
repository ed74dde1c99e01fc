//! Detects escaped lone surrogates.

use jsonx_core::engine::Chunk;
use jsonx_core::hex;
use jsonx_core::internal::{BLOCK, BlockTask, Isa, run_with};

use super::collector::{Collector, Region};
use crate::diagnose::Code;

/// The length of an escape in bytes.
const ESCAPE: usize = 6;

/// The maximum number of further surrogates per finding.
const MORE: usize = 9;

/// The detector.
#[derive(Debug, Default)]
pub(super) struct Surrogates {
    /// A high surrogate whose low surrogate may follow.
    high: Option<Escape>,
    /// The last string with lone surrogates: its offset, and their regions.
    string: Option<(u64, Vec<Region>)>,
    /// The offset of the last string that begins before the chunk.
    last_string: u64,
    /// The start of an escape at the end of the last chunk, its length, and its offset.
    tail: ([u8; ESCAPE], usize),
    tail_at: u64,
    /// The last chunk ended with a backslash that escapes the next byte.
    escapes: bool,
}

#[derive(Clone, Copy, Debug)]
struct Escape {
    at: u64,
    string: u64,
}

impl Surrogates {
    pub(super) fn chunk(&mut self, chunk: &Chunk<'_>, findings: &mut Collector) {
        let begun = self.tail.1;
        if begun > 0 {
            let (tail, count) = &mut self.tail;
            let more = chunk.bytes.len().min(ESCAPE - begun);
            tail[begun..begun + more].copy_from_slice(&chunk.bytes[..more]);
            *count += more;
            if *count == ESCAPE {
                let (escape, at, string) = (*tail, self.tail_at, self.last_string);
                self.tail.1 = 0;
                self.escape(&escape, Escape { at, string }, findings);
            }
        }
        if chunk.flags.surrogates {
            let escaped = self.escapes;
            let surrogates = &mut *self;
            let pass = Pass {
                surrogates,
                chunk,
                findings,
                escaped,
            };
            run_with(chunk.kernel, pass);
        }
        if chunk.flags.escapes && self.tail.1 == 0 {
            self.save_tail(chunk);
        } else {
            self.escapes = false;
        }
        // A low surrogate would be complete by now.
        let end = chunk.offset + chunk.bytes.len() as u64;
        if let Some(high) = self.high.take_if(|high| high.at + 2 * ESCAPE as u64 <= end) {
            self.lone(high, findings);
        }
        if let Some(&last) = chunk.quotes.last() {
            self.last_string = chunk.offset + u64::from(last);
        }
    }

    /// The first lone surrogate of a string that may have more and is not reported yet.
    pub(super) fn waiting(&self) -> Option<u64> {
        let (_, regions) = self.string.as_ref()?;
        regions.first().map(|region| region.offset)
    }

    /// Ends the text.
    pub(super) fn end(&mut self, findings: &mut Collector) {
        if let Some(high) = self.high.take() {
            self.lone(high, findings);
        }
        self.report(findings);
        *self = Surrogates::default();
    }

    /// Saves an escape that the end of the chunk splits.
    fn save_tail(&mut self, chunk: &Chunk<'_>) {
        let bytes = chunk.bytes;
        let mut at = bytes.len().saturating_sub(ESCAPE - 1);
        // A `\u` this close to the end is incomplete, so its string continues in the next chunk.
        let escaped = |at: usize| is_escaped(bytes, at, self.escapes);
        let ends_escaping = bytes.last() == Some(&b'\\') && !escaped(bytes.len() - 1);
        while at < bytes.len() {
            if bytes[at] == b'\\' && !escaped(at) && matches!(bytes.get(at + 1), None | Some(b'u'))
            {
                let rest = &bytes[at..];
                self.tail.0[..rest.len()].copy_from_slice(rest);
                self.tail.1 = rest.len();
                self.tail_at = chunk.offset + at as u64;
                break;
            }
            at += 1;
        }
        self.escapes = ends_escaping;
    }

    /// Handles an escape of any kind.
    fn escape(&mut self, bytes: &[u8; ESCAPE], escape: Escape, findings: &mut Collector) {
        let [_, b'u', digits @ ..] = bytes else {
            return;
        };
        match hex::decode4(digits) {
            Some(0xD800..0xDC00) => {
                if let Some(before) = self.high.replace(escape) {
                    self.lone(before, findings);
                }
            }
            Some(0xDC00..0xE000) => match self.high.take() {
                Some(high) if high.at + ESCAPE as u64 == escape.at => {}
                high => {
                    if let Some(high) = high {
                        self.lone(high, findings);
                    }
                    self.lone(escape, findings);
                }
            },
            _ => {}
        }
    }

    #[cold]
    fn lone(&mut self, escape: Escape, findings: &mut Collector) {
        let region = Region::new(escape.at, ESCAPE as u64);
        match &mut self.string {
            Some((string, regions)) if *string == escape.string => {
                if regions.len() <= MORE {
                    regions.push(region);
                }
            }
            _ => {
                self.report(findings);
                self.string = Some((escape.string, vec![region]));
            }
        }
    }

    fn report(&mut self, findings: &mut Collector) {
        if let Some((_, mut regions)) = self.string.take()
            && !regions.is_empty()
        {
            let first = regions.remove(0);
            findings.add(Code::LoneSurrogate, first, None, regions);
        }
    }
}

/// Whether a backslash escapes the byte at `at`; `before` tells whether the first byte is escaped.
fn is_escaped(bytes: &[u8], at: usize, before: bool) -> bool {
    let run = bytes[..at]
        .iter()
        .rev()
        .take_while(|&&byte| byte == b'\\')
        .count();
    (run % 2 == 1) ^ (before && run == at)
}

/// Visits all escapes that are complete in a chunk.
struct Pass<'a, 'c> {
    surrogates: &'a mut Surrogates,
    chunk: &'a Chunk<'c>,
    findings: &'a mut Collector,
    escaped: bool,
}

impl BlockTask for Pass<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Isa>(self, isa: K) {
        let bytes = self.chunk.bytes;
        let (blocks, rest) = bytes.as_chunks::<BLOCK>();
        let mut last = [0; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        let mut before = 0;
        for (number, block) in blocks.iter().chain([&last]).enumerate() {
            let block = isa.load(block);
            let letter = isa.equal(block, b'd') | isa.equal(block, b'D');
            let unicode = isa.equal(block, b'u');
            let mut found = letter & (unicode << 1 | before);
            before = unicode >> 63;
            while found != 0 {
                let at = number * BLOCK + found.trailing_zeros() as usize;
                found &= found - 1;
                candidate(self.surrogates, self.chunk, at, self.escaped, self.findings);
            }
        }
    }
}

/// Checks a `d` that may follow `\u`.
#[inline(always)]
fn candidate(
    surrogates: &mut Surrogates,
    chunk: &Chunk<'_>,
    letter: usize,
    escaped: bool,
    findings: &mut Collector,
) {
    let bytes = chunk.bytes;
    let Some(at) = letter.checked_sub(2) else {
        return;
    };
    let Some(escape) = bytes[at..].first_chunk::<ESCAPE>() else {
        return;
    };
    // `\ud7..` is a character, not a surrogate.
    if escape[0] != b'\\' || escape[3] < b'8' || is_escaped(bytes, at, escaped) {
        return;
    }
    let index = chunk.quotes.partition_point(|&quote| (quote as usize) < at);
    let string = match index.checked_sub(1) {
        Some(index) => chunk.offset + u64::from(chunk.quotes[index]),
        None => surrogates.last_string,
    };
    let at = chunk.offset + at as u64;
    surrogates.escape(escape, Escape { at, string }, findings);
}
