//! The text of the values that filters compare. A byte is stored once, even if several of the values contain it.
//!
//! ```text
//! [[1, 2], [3]]     $..[?@ == @[0]]
//! ┬┬───┬──┬┬─┬┬
//! ││   │  │└─┘│ spans, relative to the region
//! │└───┘  └───┘
//! └───────────┘ region: an outermost value
//! ```
//!
//! A region is freed with its last span. The containers of a complete region have fingerprints, so that a container nested in
//! many others is not read again for each of them.

use std::sync::OnceLock;

use crate::document::{Document, Fingerprints, Rules};
use crate::window::Options;

/// A value in a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Span {
    region: u32,
    from: usize,
    length: usize,
}

#[derive(Clone, Debug, Default)]
struct Region {
    /// Its offset in the input.
    start: u64,
    text: Vec<u8>,
    /// Number of spans in use.
    users: u32,
    /// The fingerprints of its containers, in the order in which they begin.
    fingerprints: OnceLock<Vec<(usize, u64)>>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    regions: Vec<Region>,
    free: Vec<u32>,
    /// The region that is being read.
    open: Option<u32>,
    /// The region of packed texts.
    packed: Option<u32>,
    /// Number of regions that have been freed.
    freed: u64,
}

/// Capacity that a region retains when it is freed.
const RETAINED: usize = 4096;

impl Texts {
    /// Begins a value at `start`, in the region that is being read or in a new one.
    pub(super) fn begin(&mut self, start: u64) {
        if self.open.is_some() {
            return;
        }
        let number = self.take_region();
        self.regions[number as usize].start = start;
        self.open = Some(number);
    }

    /// An empty region.
    fn take_region(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.regions.push(Region::default());
            self.regions.len() as u32 - 1
        })
    }

    /// Appends those of the bytes at `offset` that have not been read.
    pub(super) fn read(&mut self, offset: u64, bytes: &[u8]) {
        if let Some(number) = self.open {
            let region = &mut self.regions[number as usize];
            let next = region.start + region.text.len() as u64;
            let part = bytes.get(next.saturating_sub(offset) as usize..);
            region.text.extend_from_slice(part.unwrap_or_default());
        }
    }

    /// The span of a value that has been read, by its offsets in the input.
    pub(super) fn span(&mut self, start: u64, end: u64) -> Option<Span> {
        let number = self.open?;
        let region = &mut self.regions[number as usize];
        region.users += 1;
        Some(Span {
            region: number,
            from: (start - region.start) as usize,
            length: (end - start) as usize,
        })
    }

    /// Completes the region: its value ends at `end`.
    pub(super) fn close(&mut self, end: u64) {
        if let Some(number) = self.open.take() {
            let region = &mut self.regions[number as usize];
            region.text.truncate((end - region.start) as usize);
            self.free_if_unused(number);
        }
    }

    /// Whether the region is still being read.
    pub(super) fn is_open(&self, span: Span) -> bool {
        self.open == Some(span.region)
    }

    /// Moves the only text in use of a complete region to one that it shares with other such texts; others stay.
    pub(super) fn pack(&mut self, span: Span) -> Span {
        if self.is_open(span) || self.regions[span.region as usize].users > 1 {
            return span;
        }
        let region = match self.packed {
            Some(region) => region,
            None => self.take_region(),
        };
        self.packed = Some(region);
        let text = std::mem::take(&mut self.regions[span.region as usize].text);
        let Region {
            text: to, users, ..
        } = &mut self.regions[region as usize];
        let from = to.len();
        to.extend_from_slice(&text[span.from..span.from + span.length]);
        *users += 1;
        self.regions[span.region as usize].text = text;
        self.release(span);
        Span {
            region,
            from,
            ..span
        }
    }

    pub(super) fn hold(&mut self, span: Span) {
        self.regions[span.region as usize].users += 1;
    }

    pub(super) fn release(&mut self, span: Span) {
        self.regions[span.region as usize].users -= 1;
        self.free_if_unused(span.region);
    }

    fn free_if_unused(&mut self, number: u32) {
        let region = &mut self.regions[number as usize];
        if region.users > 0 || self.open == Some(number) {
            return;
        }
        self.packed.take_if(|packed| *packed == number);
        region.text.clear();
        region.text.shrink_to(RETAINED);
        region.fingerprints.take();
        self.free.push(number);
        self.freed += 1;
    }

    /// Number of regions that have been freed. A freed region is reused, so facts about a span hold only until this changes.
    pub(super) fn freed(&self) -> u64 {
        self.freed
    }

    pub(super) fn get(&self, span: Span) -> &[u8] {
        &self.regions[span.region as usize].text[span.from..span.from + span.length]
    }

    /// The fingerprint of a container in a complete region; equal values have equal ones. `None` if memory has run out.
    pub(super) fn fingerprint(&self, span: Span) -> Option<u64> {
        let region = &self.regions[span.region as usize];
        let known = region
            .fingerprints
            .get_or_init(|| fingerprints(&region.text).unwrap_or_default());
        let found = known.binary_search_by_key(&span.from, |&(from, _)| from);
        found.ok().map(|place| known[place].1)
    }

    /// Whether nothing is in use.
    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.free.len() == self.regions.len()
    }
}

/// The offset and the fingerprint of each container.
fn fingerprints(text: &[u8]) -> Option<Vec<(usize, u64)>> {
    // The text was verified: the only possible error is its length.
    let document = Document::index(text, Options::default().max_depth(u64::MAX)).ok()?;
    let all = Fingerprints::new(&document, &Rules::default());
    Some(all.containers(&document).collect())
}
