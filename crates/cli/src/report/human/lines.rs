//! Selects the lines to show, and the marks on each.

use std::collections::BTreeMap;

use super::super::Index;
use super::block::Block;

/// A span on a line with a mark under it.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    /// Offsets into the bytes; the end may lie after the end of the line.
    pub start: usize,
    pub end: usize,
    pub label: String,
    pub primary: bool,
}

pub(super) struct Line {
    pub number: u64,
    /// Offset of its first byte in memory.
    pub start: usize,
    pub marks: Vec<Mark>,
    /// Whether lines before it are omitted.
    pub gap: bool,
}

/// The lines of a block, in order.
pub(super) fn collect(block: &Block, index: &Index) -> Vec<Line> {
    let mut lines: BTreeMap<u64, Line> = BTreeMap::new();
    let mut line_of = |at: usize| -> u64 {
        let number = index.position(at).line;
        lines.entry(number).or_insert_with(|| Line {
            number,
            start: index.line_start(at),
            marks: Vec::new(),
            gap: false,
        });
        number
    };
    let mut placed: Vec<(u64, Mark)> = Vec::new();
    for finding in &block.findings {
        let mut mark = |span: jsonx_diagnose::Span, label: &str, primary| {
            let label = jsonx_core::terminal::sanitize(label).into_owned();
            let mark = Mark {
                start: span.start,
                end: span.end,
                label,
                primary,
            };
            placed.push((line_of(span.start), mark));
        };
        mark(finding.span, &finding.label, true);
        for &span in &finding.more {
            mark(span, "", true);
        }
        for related in &finding.related {
            mark(related.span, &related.label, false);
        }
        for &at in &finding.show {
            line_of(at);
        }
    }
    for (number, mark) in placed {
        if let Some(line) = lines.get_mut(&number) {
            line.marks.push(mark);
        }
    }
    fill_gaps(lines, index)
}

/// Fills a gap of one line with that line, and flags larger gaps.
pub(super) fn fill_gaps(lines: BTreeMap<u64, Line>, index: &Index) -> Vec<Line> {
    let mut out: Vec<Line> = Vec::new();
    for (number, mut line) in lines {
        if let Some(last) = out.last() {
            if number == last.number + 2 && line.start > 0 {
                let start = index.line_start(line.start - 1);
                out.push(Line {
                    number: number - 1,
                    start,
                    marks: Vec::new(),
                    gap: false,
                });
            } else {
                line.gap = number > last.number + 1;
            }
        }
        out.push(line);
    }
    out
}
