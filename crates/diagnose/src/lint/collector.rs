//! Collects findings: retains the first ones and counts all.

use std::collections::BinaryHeap;

use jsonx_core::order::sort_by_place;

use crate::diagnose::{Code, Lints, Omitted};

/// A range of bytes of the input.
///
/// ```
/// use jsonx_core::engine::{Options, Validator};
/// use jsonx_diagnose::Lints;
/// use jsonx_diagnose::lint::{Linter, Region};
///
/// let mut linter = Linter::new(Lints::ALL, 0);
/// Validator::new(Options::default()).check(br#"{"a": 1, "a": 2}"#, &mut linter).unwrap();
/// let first = linter.finish().findings[0].first;
/// assert_eq!(first, Some(Region { offset: 1, length: 3 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Region {
    /// The offset of the first byte, from the start of the input.
    pub offset: u64,
    /// The length in bytes.
    pub length: u64,
}

impl Region {
    pub(super) fn new(offset: u64, length: u64) -> Region {
        Region { offset, length }
    }
}

/// A finding of a lint. Ordered by position. [`Findings::report`] turns it into a diagnostic.
///
/// ```
/// use jsonx_core::engine::{Options, Validator};
/// use jsonx_diagnose::lint::Linter;
/// use jsonx_diagnose::{Code, Lints};
///
/// let mut linter = Linter::new(Lints::ALL, 0);
/// Validator::new(Options::default()).check(b"[9007199254740993]", &mut linter).unwrap();
/// let finding = &linter.finish().findings[0];
/// assert_eq!((finding.code, finding.offset, finding.length), (Code::UnsafeInteger, 1, 16));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Finding {
    /// The offset of its first byte, from the start of the input.
    pub offset: u64,
    /// Its length in bytes: the key with its quotes, the number, the escape.
    pub length: u64,
    /// The code of the lint.
    pub code: Code,
    /// For a duplicate key: the first key that is equal after unescaping.
    pub first: Option<Region>,
    /// For a lone surrogate: up to nine more in the same string.
    pub more: Vec<Region>,
    /// The number of the record, if records are numbered.
    pub record: Option<u64>,
    /// The offset at which the text with the finding starts.
    pub text: u64,
}

/// The maximum distance, in bytes, at which the first of two duplicate keys is still shown.
const NEAR: u64 = 64 << 10;

impl Finding {
    /// The first byte to show for the finding.
    pub(super) fn start(&self) -> u64 {
        match self.first {
            Some(first) if self.offset - first.offset <= NEAR => first.offset,
            _ => self.offset,
        }
    }
}

/// The findings in a valid input.
///
/// ```
/// use jsonx_core::engine::{Options, Validator};
/// use jsonx_diagnose::lint::Linter;
/// use jsonx_diagnose::{Code, Lints};
///
/// let mut linter = Linter::new(Lints::ALL, 1);
/// Validator::new(Options::default()).check(br#"["\udc00", 1e999]"#, &mut linter).unwrap();
/// let findings = linter.finish();
/// assert_eq!((findings.findings.len(), findings.count), (1, 2));
/// assert!(findings.has(Code::LoneSurrogate) && findings.has(Code::NumberRange));
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Findings {
    /// The first findings, sorted by position.
    pub findings: Vec<Finding>,
    /// The number of findings.
    pub count: u64,
    /// The findings that are not retained, by code.
    pub omitted: Vec<Omitted>,
}

impl Findings {
    /// Whether there is a finding with this code.
    pub fn has(&self, code: Code) -> bool {
        self.findings.iter().any(|finding| finding.code == code)
            || self.omitted.iter().any(|omitted| omitted.code == code)
    }
}

/// Counts a finding that is not retained.
pub(super) fn omit(all: &mut Vec<Omitted>, code: Code, at: u64) {
    let at = usize::try_from(at).unwrap_or(usize::MAX);
    Omitted::new(code, code.severity(), at).add_to(all);
}

/// Collects findings in any order.
#[derive(Debug, Default)]
pub(super) struct Collector {
    pub(super) lints: Lints,
    /// The retained findings, as long as there are fewer than the limit.
    findings: Vec<Finding>,
    /// The retained findings once the limit is reached, with the last one in the text on top. A heap without a limit would cost
    /// more than the lints: most findings are the last so far and would rise to the top.
    full: BinaryHeap<Finding>,
    limit: usize,
    lowest: Option<u64>,
    count: u64,
    omitted: Vec<Omitted>,
    /// The offset and the number of the current text.
    text: u64,
    record: Option<u64>,
}

impl Collector {
    /// Retains the first `limit` findings, or all if it is 0.
    pub(super) fn new(lints: Lints, limit: usize) -> Collector {
        Collector {
            lints,
            limit: match limit {
                0 => usize::MAX,
                limit => limit,
            },
            ..Collector::default()
        }
    }

    pub(super) fn begin(&mut self, text: u64, record: Option<u64>) {
        self.text = text;
        self.record = record;
    }

    /// Adds a finding whose offsets count from the start of the current text.
    #[cold]
    pub(super) fn add(
        &mut self,
        code: Code,
        region: Region,
        first: Option<Region>,
        more: Vec<Region>,
    ) {
        let shift = |region: Region| Region::new(self.text + region.offset, region.length);
        let Region { offset, length } = shift(region);
        self.count += 1;
        if self.is_after_all(offset) {
            omit(&mut self.omitted, code, offset);
            return;
        }
        let finding = Finding {
            offset,
            length,
            code,
            first: first.map(shift),
            more: more.into_iter().map(shift).collect(),
            record: self.record,
            text: self.text,
        };
        self.retain(finding);
    }

    /// Whether the limit is reached and all retained findings are before `offset`.
    fn is_after_all(&self, offset: u64) -> bool {
        self.full.peek().is_some_and(|last| last.offset <= offset)
    }

    fn retain(&mut self, finding: Finding) {
        let start = finding.start();
        self.lowest = Some(self.lowest.map_or(start, |lowest| lowest.min(start)));
        if self.full.is_empty() {
            self.findings.push(finding);
            if self.findings.len() == self.limit {
                self.full = core::mem::take(&mut self.findings).into();
            }
            return;
        }
        self.full.push(finding);
        if let Some(last) = self.full.pop() {
            omit(&mut self.omitted, last.code, last.offset);
        }
    }

    /// A collector for the same text.
    pub(super) fn restart(&self, limit: usize) -> Collector {
        Collector {
            text: self.text,
            record: self.record,
            ..Collector::new(self.lints, limit)
        }
    }

    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    /// Adds the findings of a segment of the current text.
    pub(super) fn append(&mut self, segment: Collector) {
        self.count += segment.count;
        for omitted in segment.omitted {
            omitted.add_to(&mut self.omitted);
        }
        for finding in segment.findings.into_iter().chain(segment.full) {
            if self.is_after_all(finding.offset) {
                omit(&mut self.omitted, finding.code, finding.offset)
            } else {
                self.retain(finding)
            }
        }
    }

    /// The first byte to show for any finding, including one of the current text that has not been added yet.
    pub(super) fn lowest(&self, waiting: Option<u64>) -> Option<u64> {
        let waiting = waiting.map(|at| self.text + at);
        self.lowest.into_iter().chain(waiting).min()
    }

    pub(super) fn finish(mut self) -> Findings {
        sort_by_place(&mut self.omitted, |omitted| (omitted.first, 0));
        let mut findings = self.findings;
        findings.extend(self.full);
        findings.sort();
        Findings {
            findings,
            count: self.count,
            omitted: self.omitted,
        }
    }
}
