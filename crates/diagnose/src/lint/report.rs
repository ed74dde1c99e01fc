//! Turns findings into diagnostics.

use jsonx_core::engine::Mode;
use jsonx_core::order::sort_by_place;
use jsonx_core::path::Location;

use super::collector::{Finding, Findings, Region, omit};
use super::paths::paths;
use crate::diagnose::{Code, Diagnostic, Report, Span, lints};

impl Findings {
    /// Describes the findings with the same diagnostics as [`diagnose`](crate::diagnose::diagnose). `text` is the
    /// input from byte `offset` on. It may end before the input does, but has to include 8 KiB after the last finding,
    /// or the rest of its line. Findings outside of `text` are counted, not described.
    ///
    /// A finding has a path if the text that contains it starts in `text`.
    pub fn report(&self, text: &[u8], offset: u64, mode: Mode) -> Report {
        let source = TextRange { text, offset };
        let mut omitted = self.omitted.clone();
        let mut diagnostics = Vec::new();
        for findings in self.findings.chunk_by(|a, b| a.text == b.text) {
            let described = findings.iter().filter_map(|finding| {
                let diagnostic = source.describe(finding);
                if diagnostic.is_none() {
                    omit(&mut omitted, finding.code, finding.offset);
                }
                Some((finding, diagnostic?))
            });
            let (findings, mut described): (Vec<&Finding>, Vec<Diagnostic>) = described.unzip();
            for (diagnostic, path) in described.iter_mut().zip(source.paths(&findings, mode)) {
                diagnostic.path = path;
            }
            diagnostics.append(&mut described);
        }
        let within = |at: usize| at.saturating_sub(usize::try_from(offset).unwrap_or(usize::MAX));
        for omitted in &mut omitted {
            omitted.first = within(omitted.first);
            omitted.last = within(omitted.last);
        }
        sort_by_place(&mut omitted, |omitted| (omitted.first, 0));
        Report {
            diagnostics,
            warnings: self.count,
            omitted,
            ..Report::default()
        }
    }

    /// The offset, from the start of the input, of the first byte to show for any finding.
    pub fn start(&self) -> u64 {
        self.findings.iter().map(Finding::start).min().unwrap_or(0)
    }

    /// The offset, from the start of the input, after the last byte that a finding refers to. Includes the first of the
    /// findings that are only counted.
    pub fn end(&self) -> u64 {
        let end = |finding: &Finding| {
            let more = finding
                .more
                .iter()
                .map(|region| region.offset + region.length);
            more.fold(finding.offset + finding.length, u64::max)
        };
        let omitted = self.omitted.iter().map(|omitted| omitted.first as u64);
        self.findings
            .iter()
            .map(end)
            .chain(omitted.min())
            .max()
            .unwrap_or(0)
    }
}

/// A range of the input.
struct TextRange<'a> {
    text: &'a [u8],
    offset: u64,
}

impl TextRange<'_> {
    fn span(&self, region: Region) -> Option<Span> {
        let start = usize::try_from(region.offset.checked_sub(self.offset)?).ok()?;
        let end = start.checked_add(usize::try_from(region.length).ok()?)?;
        (end <= self.text.len()).then_some(Span::new(start, end))
    }

    fn describe(&self, finding: &Finding) -> Option<Diagnostic> {
        let span = self.span(Region::new(finding.offset, finding.length))?;
        let mut d = Diagnostic::new(finding.code, span);
        let raw = &self.text[span.start..span.end];
        let first = finding.first.map(|region| (region, self.span(region)));
        let old = match first {
            Some((_, Some(span))) => Some((span, &self.text[span.start..span.end])),
            _ => None,
        };
        lints::describe(&mut d, raw, old);
        if let Some((region, None)) = first {
            d.note(format!("first defined at byte {}", region.offset));
        }
        d.more = finding
            .more
            .iter()
            .filter_map(|region| self.span(*region))
            .collect();
        d.record = finding.record;
        Some(d)
    }

    /// The paths of findings in the same text.
    fn paths(&self, findings: &[&Finding], mode: Mode) -> Vec<Location> {
        let Some(base) = findings.first().map(|finding| finding.text) else {
            return Vec::new();
        };
        let start = base
            .checked_sub(self.offset)
            .and_then(|at| usize::try_from(at).ok());
        let Some(text) = start.and_then(|start| self.text.get(start..)) else {
            return vec![Location::default(); findings.len()];
        };
        // A record is one line.
        let text = match findings[0].record.and_then(|_| memchr::memchr(b'\n', text)) {
            Some(end) => &text[..end],
            None => text,
        };
        let offsets: Vec<u64> = findings
            .iter()
            .map(|finding| finding.offset - base)
            .collect();
        paths(text, mode, &offsets)
    }
}

/// The warning about a byte-order mark, for an input that starts with one. `text` is the start of the input, including
/// the mark.
///
/// ```
/// use jsonx_diagnose::lint::byte_order_mark;
/// use jsonx_diagnose::{Code, Span};
///
/// let warning = byte_order_mark("\u{feff}[]".as_bytes());
/// assert_eq!((warning.code, warning.span), (Code::ByteOrderMark, Span::new(3, 4)));
/// ```
pub fn byte_order_mark(text: &[u8]) -> Diagnostic {
    let region = lints::after_byte_order_mark(text);
    let mut diagnostic = Diagnostic::new(Code::ByteOrderMark, region);
    lints::describe(&mut diagnostic, b"", None);
    diagnostic
}
