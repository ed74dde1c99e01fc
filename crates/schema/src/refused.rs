//! The budget of a check, and the finding when it is exceeded.

use jsonx_diagnose::{Code, Diagnostic, Elsewhere, Span};

use crate::backtracking::BACKTRACKS;
use crate::compile::Schema;
use crate::findings;
use crate::instance::View;
use crate::limits::{Exceeded, Steps};
use crate::patterns;

/// The maximum steps of a check: a constant, and a number per byte.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    all: (u64, u64),
    /// The same for patterns that need backtracking.
    matching: (u64, u64),
}

impl Budget {
    /// A million steps of a verdict take a tenth of a second.
    const DEFAULT: Budget = Budget {
        all: (5_000_000, 500),
        matching: (5_000_000, 500),
    };

    /// The budget with this constant, 0 for no limit; by default a few seconds.
    pub fn new(max_steps: Option<u64>) -> Budget {
        let each = match max_steps {
            None => return Budget::DEFAULT,
            Some(0) => u64::MAX,
            Some(steps) => steps,
        };
        Budget {
            all: (each, 0),
            matching: (each, 0),
        }
    }

    /// The budget for collecting errors, where a step may allocate one: a million steps take a second and 100 MB. CloudFormation
    /// templates need two million, because each resource is compared with a thousand types.
    pub fn of_errors(self) -> Budget {
        let (any, byte) = self.all;
        let any = if any == u64::MAX { any } else { any / 4 };
        Budget {
            all: (any, byte / 50),
            ..self
        }
    }

    /// The steps for a value of this length in bytes.
    pub fn steps(self, length: usize) -> Steps {
        let number = |(any, byte): (u64, u64)| any.saturating_add(byte * length as u64);
        Steps {
            all: number(self.all),
            matching: number(self.matching),
        }
    }
}

/// A value whose check was ended by a limit.
pub struct Refused<'a> {
    pub exceeded: Exceeded,
    /// The maximum steps of a verdict; collecting errors gets fewer.
    pub steps: Steps,
    /// Whether the value is known to be invalid.
    pub is_known: bool,
    /// The name of the value in messages.
    pub whole: &'static str,
    pub view: View<'a>,
}

impl Refused<'_> {
    /// The finding: the keyword that uses most steps, if known, and the option that allows more.
    pub fn finding(&self, schema: &Schema) -> Diagnostic {
        let start = self.view.start().unwrap_or_default();
        let at = match self.exceeded {
            Exceeded::Matching { at: Some(at), .. } => at,
            _ => start,
        };
        let mut finding = Diagnostic::new(Code::Custom("schema/limit"), Span::new(at, at + 1));
        let reason = match self.exceeded {
            Exceeded::Depth => "nested too deeply",
            Exceeded::Work => "too many steps",
            Exceeded::Matching { .. } => "a pattern needs too many steps",
        };
        finding.message = if self.is_known {
            format!(
                "{} does not match the schema; the position is unknown: {reason}",
                self.whole
            )
        } else {
            format!("{} cannot be checked with the schema: {reason}", self.whole)
        };
        if let Exceeded::Matching { pattern, .. } = &self.exceeded {
            finding.elsewhere.extend(pattern_in(schema, pattern));
            finding.label = "to match this".to_owned();
            finding.help.push(findings::LINEAR.to_owned());
        }
        if self.exceeded == Exceeded::Depth {
            return finding;
        }
        let limit = match self.exceeded {
            Exceeded::Matching { .. } => self.steps.matching,
            Exceeded::Work | Exceeded::Depth => self.steps.all,
        };
        finding.help.push(if limit == u64::MAX {
            format!(
                "a pattern may backtrack {BACKTRACKS} times in one text, also with `--max-steps 0`"
            )
        } else {
            format!(
                "the limit is {limit} steps: `--max-steps N` sets it, `--max-steps 0` removes it"
            )
        });
        finding
    }
}

/// The place of a pattern in the files of a schema.
fn pattern_in(schema: &Schema, pattern: &str) -> Option<Elsewhere> {
    let own = schema.origin.as_ref().map(|origin| origin.text);
    own.into_iter().chain(schema.store.all()).find_map(|text| {
        let place = patterns::place_of(text.document.root(), pattern)?;
        let span = Span::new(place.start, place.end);
        Some(Elsewhere::new(text.source.clone(), span, "by this pattern"))
    })
}
