//! Divides a text into lines, and counts their breaks.

use std::iter;

/// The lines of a text, with their line feeds.
pub fn each_line(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    // The first call of `memchr::memchr` asks for the features of the CPU, which takes 60 µs in a virtual machine: as long as
    // the rest of a small file.
    let line_feed = memchr::arch::all::memchr::One::new(b'\n');
    let mut rest = text;
    iter::from_fn(move || {
        let end = line_feed.find(rest).map_or(rest.len(), |end| end + 1);
        let (line, after) = rest.split_at(end);
        rest = after;
        (!line.is_empty()).then_some(line)
    })
}

/// A line without its line feed.
pub fn content(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\n").unwrap_or(line)
}

/// Whether a line has only white space.
pub fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}

/// Counts line feeds.
pub fn line_feeds(text: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', text).count() as u64
}

/// Counts the lines that end in a text.
pub fn line_breaks(text: &[u8]) -> u64 {
    line_feeds(text) + lone_returns(text)
}

/// Counts carriage returns not followed by a line feed. Only line feeds end a record, but in positions these end a line too.
pub fn lone_returns(text: &[u8]) -> u64 {
    let returns = memchr::memchr_iter(b'\r', text);
    returns
        .filter(|at| text.get(at + 1) != Some(&b'\n'))
        .count() as u64
}

/// The non-blank lines of a text, without line feeds, and their offsets.
pub fn filled_lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut end = 0;
    let lines = each_line(text).map(move |line| {
        let start = end;
        end += line.len();
        (start, content(line))
    });
    lines.filter(|(_, line)| !is_blank(line))
}
