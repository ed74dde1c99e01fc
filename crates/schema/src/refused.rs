//! Values that cost too much: the budget of a check, and the finding when it is exceeded.

use jsonx_core::diagnose::{Code, Diagnostic, Elsewhere, Span};

use crate::compile::Schema;
use crate::findings::{self, Context, locate_at};
use crate::instance::View;
use crate::limits::{self, Exceeded, Steps};
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

    /// For finding the keyword that uses most steps.
    const OF_SEARCH: Budget = Budget {
        all: (500_000, 0),
        matching: (500_000, 0),
    };

    /// The budget with this constant, 0 for no limit; by default a few seconds.
    pub fn of(max_steps: Option<u64>) -> Budget {
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
        finding.message = match self.is_known {
            true => format!(
                "{} does not match the schema; where is not known: {reason}",
                self.whole
            ),
            false => format!("{} cannot be checked with the schema: {reason}", self.whole),
        };
        match &self.exceeded {
            Exceeded::Matching { pattern, .. } => {
                finding.elsewhere.extend(pattern_in(schema, pattern));
                finding.label = "to match this".to_owned();
                finding.help.push(findings::LINEAR.to_owned());
            }
            Exceeded::Work | Exceeded::Depth => {
                if let Some((keyword, place)) = self.busiest(schema) {
                    finding.elsewhere.push(place);
                    finding.notes.extend(why(&keyword).map(str::to_owned));
                }
            }
        }
        if self.exceeded == Exceeded::Depth {
            return finding;
        }
        let limit = match self.exceeded {
            Exceeded::Matching { .. } => self.steps.matching,
            Exceeded::Work | Exceeded::Depth => self.steps.all,
        };
        finding.help.push(format!(
            "the limit is {limit} steps: `--max-steps N` sets it, `--max-steps 0` removes it"
        ));
        finding
    }

    /// The keyword that uses most steps, and its place.
    fn busiest(&self, schema: &Schema) -> Option<(String, Elsewhere)> {
        let View::Value { node, .. } = self.view else {
            return None;
        };
        let counting = schema.counting()?;
        // This run is ended by the limit as well.
        let steps = Budget::OF_SEARCH.steps(0);
        let _ = limits::run(steps, || counting.validator.is_valid(self.view));
        let url = counting.counters.take_busiest()?;
        let context = Context::new(Some(&schema.store), &schema.known, node, self.whole);
        let located = locate_at(&context, &url)?;
        let source = located.text.source.clone();
        let label = "most of the steps are taken here";
        let place = Elsewhere::new(source, located.span(), label);
        let keyword = url.rsplit('/').next().unwrap_or_default();
        Some((keyword.to_owned(), place))
    }
}

/// The reason why a keyword may use many steps.
fn why(keyword: &str) -> Option<&'static str> {
    match keyword {
        "anyOf" | "oneOf" | "allOf" | "not" | "if" => {
            Some("alternatives within alternatives may take forever")
        }
        "const" | "enum" | "uniqueItems" => Some("each time, the whole value is compared"),
        "multipleOf" => Some("a division takes as long as both numbers are, multiplied"),
        _ => None,
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
