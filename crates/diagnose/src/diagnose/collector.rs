//! Collects findings: counts all, retains those to describe, and passes them on in order.

use std::collections::BTreeMap;

use super::code::{Code, Severity};
use super::diagnostic::{Diagnostic, Span};

/// Findings of one code that are counted but not described.
///
/// ```
/// use jsonx_diagnose::{Code, DiagnoseOptions, diagnose};
///
/// let options = DiagnoseOptions::default().limit(1);
/// let report = diagnose(b"[tru, fals, nul]", &options);
/// assert_eq!((report.errors, report.diagnostics.len()), (3, 1));
/// assert_eq!((report.omitted[0].code, report.omitted[0].count), (Code::WrongLiteral, 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Omitted {
    /// The code.
    pub code: Code,
    /// Its severity.
    pub severity: Severity,
    /// The number of omitted findings.
    pub count: u64,
    /// Offset of the first omitted finding.
    pub first: usize,
    /// Offset of the last omitted finding.
    pub last: usize,
}

impl Omitted {
    /// One finding at this offset.
    ///
    /// ```
    /// use jsonx_diagnose::{Code, Omitted, Severity};
    ///
    /// let mut all = Vec::new();
    /// for at in [7, 3] {
    ///     Omitted::new(Code::WrongLiteral, Severity::Error, at).add_to(&mut all);
    /// }
    /// assert_eq!((all.len(), all[0].count, all[0].first, all[0].last), (1, 2, 3, 7));
    /// ```
    pub fn new(code: Code, severity: Severity, at: usize) -> Omitted {
        Omitted {
            code,
            severity,
            count: 1,
            first: at,
            last: at,
        }
    }

    /// Adds the findings to those of the same code in `all`; see [`Omitted::new`].
    pub fn add_to(self, all: &mut Vec<Omitted>) {
        match all.iter_mut().find(|omitted| omitted.code == self.code) {
            Some(omitted) => {
                omitted.count += self.count;
                omitted.first = omitted.first.min(self.first);
                omitted.last = omitted.last.max(self.last);
            }
            None => all.push(self),
        }
    }
}

/// The number of findings held back because a later one may precede them in the text. Any more are passed on in order.
const WAITING: usize = 8192;

/// Receives findings that are final, with the text they refer to.
pub(crate) type Each<'a> = dyn FnMut(&[u8], Diagnostic) + 'a;

#[derive(Default)]
pub(super) struct Collector<'a> {
    /// By their numbers, counted from 0 in order of discovery.
    pub retained: BTreeMap<usize, Box<Diagnostic>>,
    next: usize,
    pub errors: u64,
    pub warnings: u64,
    pub omitted: Vec<Omitted>,
    /// Maximum number of errors to describe, and of warnings; `usize::MAX` for all.
    limit: usize,
    described: [usize; 2],
    /// Set when the parser met a mistake that another finding covers, or should.
    pub deviated: bool,
    /// Does not count: the caller needs only the tokens.
    muted: bool,
    each: Option<&'a mut Each<'a>>,
    /// The number of all findings, by code.
    counts: BTreeMap<Code, u64>,
    /// The number of retained findings from which it pays to pass some on.
    full: usize,
}

impl<'a> Collector<'a> {
    pub fn new(limit: usize) -> Self {
        Collector {
            limit,
            full: 2 * WAITING,
            ..Collector::default()
        }
    }

    /// A collector that passes findings on instead of retaining them all.
    pub fn streaming(limit: usize, each: &'a mut Each<'a>) -> Self {
        Collector {
            each: Some(each),
            ..Collector::new(limit)
        }
    }

    pub fn muted() -> Self {
        Collector {
            muted: true,
            ..Collector::default()
        }
    }

    /// Counts a finding and calls `fill` only if the finding is to be described: past the limit, a finding costs no
    /// more than the count. Returns the number of a described finding.
    pub fn report(
        &mut self,
        code: Code,
        span: Span,
        fill: impl FnOnce(&mut Diagnostic),
    ) -> Option<usize> {
        if self.muted {
            return None;
        }
        self.count(code, 1);
        let severity = code.severity();
        let described = &mut self.described[severity as usize];
        if *described >= self.limit {
            Omitted::new(code, severity, span.start).add_to(&mut self.omitted);
            return None;
        }
        *described += 1;
        let mut diagnostic = Box::new(Diagnostic::new(code, span));
        fill(&mut diagnostic);
        self.retained.insert(self.next, diagnostic);
        self.next += 1;
        Some(self.next - 1)
    }

    /// The finding with this number, unless it was emitted.
    pub fn get_mut(&mut self, number: usize) -> Option<&mut Diagnostic> {
        self.retained.get_mut(&number).map(|finding| &mut **finding)
    }

    /// Whether enough findings are retained to emit some.
    pub fn is_full(&self) -> bool {
        self.each.is_some() && self.retained.len() >= self.full
    }

    /// Emits the findings before `horizon`, in order, except for the last [`WAITING`] of them and those whose
    /// number is `pinned` because they will change.
    pub fn emit_before(&mut self, text: &[u8], horizon: usize, pinned: impl Fn(usize) -> bool) {
        let Some(each) = &mut self.each else { return };
        let is_settled = |d: &Diagnostic, number: usize| d.span.start < horizon && !pinned(number);
        let all = self.retained.iter();
        let settled = all.filter(|(number, d)| is_settled(d, **number));
        let mut settled: Vec<(Span, usize)> =
            settled.map(|(number, d)| (d.span, *number)).collect();
        settled.sort_unstable();
        settled.truncate(settled.len().saturating_sub(WAITING));
        for (_, number) in settled {
            if let Some(diagnostic) = self.retained.remove(&number) {
                each(text, *diagnostic);
            }
        }
        self.full = (2 * self.retained.len()).max(2 * WAITING);
    }

    /// Passes the last findings on, or returns them.
    pub fn emit_all(
        &mut self,
        text: &[u8],
        all: impl Iterator<Item = Box<Diagnostic>>,
    ) -> Vec<Diagnostic> {
        let all = all.map(|diagnostic| *diagnostic);
        match &mut self.each {
            Some(each) => {
                all.for_each(|diagnostic| each(text, diagnostic));
                Vec::new()
            }
            None => all.collect(),
        }
    }

    /// Whether findings are passed on instead of retained.
    pub fn is_streaming(&self) -> bool {
        self.each.is_some()
    }

    /// The findings that were not passed on.
    pub fn into_rest<'b>(self) -> Collector<'b> {
        Collector { each: None, ..self }
    }

    /// Adds the findings of a record that starts at `base`, except for those that were passed on.
    pub fn absorb(&mut self, other: Collector<'_>, base: usize, record: u64) {
        self.deviated |= other.deviated;
        for omitted in other.omitted {
            self.count(omitted.code, omitted.count);
            let (first, last) = (base + omitted.first, base + omitted.last);
            Omitted {
                first,
                last,
                ..omitted
            }
            .add_to(&mut self.omitted);
        }
        for diagnostic in other.retained.into_values() {
            self.adopt(*diagnostic, base, record);
        }
    }

    /// Adds a finding of a record that starts at `base`.
    pub fn adopt(&mut self, mut diagnostic: Diagnostic, base: usize, record: u64) {
        diagnostic.shift(base);
        diagnostic.record = Some(record);
        self.report(diagnostic.code, diagnostic.span, |slot| *slot = diagnostic);
    }

    fn count(&mut self, code: Code, count: u64) {
        *self.counts.entry(code).or_default() += count;
        match code.severity() {
            Severity::Error => self.errors += count,
            Severity::Warning => self.warnings += count,
        }
    }

    /// Drops all findings of a code that have not been passed on.
    pub fn retract(&mut self, code: Code) {
        let before = self.retained.len();
        self.retained
            .retain(|_, diagnostic| diagnostic.code != code);
        let mut gone = (before - self.retained.len()) as u64;
        self.described[code.severity() as usize] -= gone as usize;
        for omitted in self.omitted.extract_if(.., |omitted| omitted.code == code) {
            gone += omitted.count;
        }
        self.counts.entry(code).and_modify(|count| *count -= gone);
        match code.severity() {
            Severity::Error => self.errors -= gone,
            Severity::Warning => self.warnings -= gone,
        }
    }

    /// The number of findings of a code, described or not.
    pub fn number_of(&self, code: Code) -> u64 {
        self.counts.get(&code).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{DiagnoseOptions, diagnose, diagnose_each};
    use super::*;

    fn all(text: &str) -> (Vec<Diagnostic>, Vec<Diagnostic>, u64) {
        let options = DiagnoseOptions::default().limit(0);
        let mut handed_on = Vec::new();
        let report = diagnose_each(text.as_bytes(), &options, |_, d| handed_on.push(d));
        assert!(report.diagnostics.is_empty());
        let at_once = diagnose(text.as_bytes(), &options);
        assert_eq!(
            (report.errors, report.warnings),
            (at_once.errors, at_once.warnings)
        );
        (at_once.diagnostics, handed_on, report.errors)
    }

    #[test]
    fn streamed_findings_match_a_report() {
        for (head, body, tail) in [
            ("[", "tru, ", "1]"),
            ("{", "'a': 1 // no\n", "}"),
            ("[", "1 \"a\tb\\x\" , , ", "1]"),
            ("", "1 ", "2"),
            ("{", "\"a\": {\"b\"=: 1,}, ", "\"c\": 1}"),
            ("[{\"x\":", "01 ,\u{a0}\n", "]"),
        ] {
            let text = [head, &body.repeat(17_000), tail].concat();
            let (at_once, handed_on, errors) = all(&text);
            assert_eq!(handed_on.len(), at_once.len(), "{body:?}");
            assert!(errors > 0, "{body:?}");
            for (one, other) in handed_on.iter().zip(&at_once) {
                assert_eq!(one, other, "{body:?}");
            }
        }
    }

    #[test]
    fn findings_of_a_long_record_are_streamed() {
        use super::super::Framing;
        let text = format!("{{}}\n[{}]\n{{\"a\":tru", "1 ".repeat(20_000));
        let options = DiagnoseOptions::default().limit(0).framing(Framing::Lines);
        let (mut handed_on, last) = (Vec::new(), std::cell::Cell::new(0));
        let report = diagnose_each(text.as_bytes(), &options, |_, d| {
            assert!(d.span.start >= last.get());
            last.set(d.span.start);
            handed_on.push(d);
        });
        let at_once = diagnose(text.as_bytes(), &options);
        assert_eq!(report.errors, at_once.errors);
        assert_eq!(handed_on, at_once.diagnostics);
    }

    #[test]
    fn findings_held_back_are_bounded() {
        let mut count = 0;
        let mut each = |_: &[u8], _: Diagnostic| count += 1;
        let mut findings = Collector::streaming(usize::MAX, &mut each);
        for at in 0..100_000 {
            findings.report(Code::ExtraComma, Span::point(at), |_| {});
            if findings.is_full() {
                findings.emit_before(b"", at, |number| number == 7);
            }
            assert!(findings.retained.len() <= 2 * WAITING + 8);
        }
        // A pinned finding keeps its number.
        assert_eq!(findings.get_mut(7).map(|d| d.span.start), Some(7));
        assert_eq!(findings.get_mut(8), None);
        assert_eq!(findings.number_of(Code::ExtraComma), 100_000);
        let rest = std::mem::take(&mut findings.retained).into_values();
        findings.emit_all(b"", rest);
        drop(findings);
        assert_eq!(count, 100_000);
    }
}
