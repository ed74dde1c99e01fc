//! Where findings are collected: all are counted, and as many are kept as were asked for.

use super::code::{Code, Severity};
use super::diagnostic::{Diagnostic, Span};

/// Findings of one code that were counted and not kept.
///
/// ```
/// use jsonx_core::diagnose::{Code, DiagnoseOptions, diagnose};
///
/// let options = DiagnoseOptions { limit: 1, ..DiagnoseOptions::default() };
/// let report = diagnose(b"[tru, fals, nul]", &options);
/// assert_eq!((report.errors, report.diagnostics.len()), (3, 1));
/// assert_eq!((report.omitted[0].code, report.omitted[0].count), (Code::WrongLiteral, 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Omitted {
    /// Which mistake.
    pub code: Code,
    /// How serious it is.
    pub severity: Severity,
    /// How often it was left out.
    pub count: u64,
    /// Offset of the first one that was left out.
    pub first: usize,
    /// Offset of the last one.
    pub last: usize,
}

#[derive(Default)]
pub(super) struct Collector {
    /// In the order of discovery; sorted by the caller.
    pub retained: Vec<Diagnostic>,
    pub errors: u64,
    pub warnings: u64,
    pub omitted: Vec<Omitted>,
    /// At most this many errors are kept, and as many warnings; `usize::MAX` for all.
    limit: usize,
    retained_errors: usize,
    /// Something was wrong that an earlier finding explains, or should.
    pub deviated: bool,
    /// Nothing is counted: the tokens are wanted, not the findings.
    muted: bool,
}

impl Collector {
    pub fn new(limit: usize) -> Self {
        Collector {
            limit,
            ..Collector::default()
        }
    }

    pub fn muted() -> Self {
        Collector {
            muted: true,
            ..Collector::default()
        }
    }

    /// Counts a finding. Only if it is to be kept, `fill` is called to say what it is: beyond the limit a
    /// finding costs no more than the count. Returns the index of a kept one.
    pub fn report(
        &mut self,
        code: Code,
        span: Span,
        fill: impl FnOnce(&mut Diagnostic),
    ) -> Option<usize> {
        if self.muted {
            return None;
        }
        let warning = code.severity() == Severity::Warning;
        let retained = if warning {
            self.warnings += 1;
            self.retained.len() - self.retained_errors
        } else {
            self.errors += 1;
            self.retained_errors
        };
        if retained >= self.limit {
            self.omit(code, span.start, 1);
            return None;
        }
        self.retained_errors += usize::from(!warning);
        let mut diagnostic = Diagnostic::new(code, span);
        fill(&mut diagnostic);
        self.retained.push(diagnostic);
        Some(self.retained.len() - 1)
    }

    fn omit(&mut self, code: Code, at: usize, count: u64) {
        match self.omitted.iter_mut().find(|omitted| omitted.code == code) {
            Some(omitted) => {
                omitted.count += count;
                omitted.first = omitted.first.min(at);
                omitted.last = omitted.last.max(at);
            }
            None => self.omitted.push(Omitted {
                code,
                severity: code.severity(),
                count,
                first: at,
                last: at,
            }),
        }
    }

    /// Takes over the findings of a record that begins at `base`.
    pub fn absorb(&mut self, other: Collector, base: usize, record: u64) {
        self.deviated |= other.deviated;
        for omitted in other.omitted {
            self.count(omitted.code, omitted.count);
            self.omit(omitted.code, base + omitted.first, omitted.count);
            self.omit(omitted.code, base + omitted.last, 0);
        }
        for mut diagnostic in other.retained {
            diagnostic.shift(base);
            diagnostic.record = Some(record);
            self.report(diagnostic.code, diagnostic.span, |slot| *slot = diagnostic);
        }
    }

    fn count(&mut self, code: Code, count: u64) {
        match code.severity() {
            Severity::Error => self.errors += count,
            Severity::Warning => self.warnings += count,
        }
    }

    /// Drops all findings of a code.
    pub fn retract(&mut self, code: Code) {
        let before = self.retained.len();
        self.retained.retain(|diagnostic| diagnostic.code != code);
        let mut gone = (before - self.retained.len()) as u64;
        if code.severity() == Severity::Error {
            self.retained_errors -= gone as usize;
        }
        self.omitted.retain(|omitted| {
            let keep = omitted.code != code;
            if !keep {
                gone += omitted.count;
            }
            keep
        });
        match code.severity() {
            Severity::Error => self.errors -= gone,
            Severity::Warning => self.warnings -= gone,
        }
    }

    /// How many findings of a code there are, kept or not.
    pub fn number_of(&self, code: Code) -> u64 {
        let retained = self
            .retained
            .iter()
            .filter(|diagnostic| diagnostic.code == code)
            .count() as u64;
        retained
            + self
                .omitted
                .iter()
                .find(|omitted| omitted.code == code)
                .map_or(0, |omitted| omitted.count)
    }
}
