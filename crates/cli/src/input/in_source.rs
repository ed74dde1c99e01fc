//! Maps offsets in the translation of a JSON5 input to the file.

use std::collections::BTreeMap;

use jsonx_core::position::{LineCounter, Position};
use jsonx_diagnose::json5::Translation;

/// The offset in the source of the byte at an offset of its translation.
pub fn in_source(translation: &Translation, at: u64) -> usize {
    let at = usize::try_from(at)
        .unwrap_or(usize::MAX)
        .min(translation.text().len());
    translation.in_source(at..at + 1).start
}

/// Line and column in the source of the bytes at these ascending offsets of its translation.
pub(super) fn positions(
    translation: &Translation,
    offsets: impl Iterator<Item = u64>,
) -> BTreeMap<u64, (u64, u64)> {
    let source = translation.source();
    let mut lines = LineCounter::new();
    let mut from = 0;
    let place = |at| {
        let start = in_source(translation, at).max(from);
        lines.feed(&source[from..start]);
        from = start;
        let Position { line, column, .. } = lines.position(&source[start..]);
        (at, (line, column))
    };
    offsets.map(place).collect()
}
