//! Checks of valid JSON: lints and a schema. Each input or thread has a copy of the checks of a run.
//!
//! ```text
//! text ──► Validator ──► verified tokens ──► lints, index ──► end ──┐
//!                └─────► each value, valid ──► schema ──────────────┴──► Findings
//! ```

use std::convert::Infallible;

use jsonx_core::SyntaxError;
use jsonx_core::document::Indexer;
use jsonx_core::engine::{
    Chunk, Interest, Mode, Options, SegmentScope, SegmentSink, SegmentedSink, Sink, Verdict,
};
use jsonx_diagnose::lint::{self, Linter};
use jsonx_diagnose::{Code, Diagnostic, Lints, Severity};

use crate::schema::{InputSchema, MAX_DEPTH};
use jsonx_schema::keywords::is_bound;
use jsonx_schema::{InstanceOptions, RECORD};

/// A valid value of an input.
#[derive(Clone, Copy)]
pub struct Value<'t> {
    /// Its text; there may be white space around it.
    pub text: &'t [u8],
    /// Offset of the text in the reported text.
    pub offset: usize,
    /// The options of the engine for it.
    pub options: Options,
    /// Its name in messages: [`DOCUMENT`](crate::schema::DOCUMENT) or [`RECORD`](crate::schema::RECORD).
    pub called: &'static str,
}

/// The findings of checks in a text.
#[derive(Default)]
pub struct Findings {
    /// Findings of lints, as positions from which diagnostics can be made.
    pub linted: lint::Findings,
    /// All other findings.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether all objects are known to have distinct keys.
    pub keys_differ: bool,
    /// The index of the text, if there is a schema.
    pub index: Option<Indexer>,
    /// A limit was reached, so there may be more findings.
    pub limited: bool,
}

impl Findings {
    /// Whether there are no findings.
    pub fn are_none(&self) -> bool {
        self.linted.count == 0 && self.diagnostics.is_empty()
    }

    /// The codes of the retained findings.
    pub fn codes(&self) -> Vec<Code> {
        let linted = self.linted.findings.iter().map(|finding| finding.code);
        let others = self.diagnostics.iter().map(|finding| finding.code);
        linted.chain(others).collect()
    }
}

/// The checks of a run. As a sink, they take the verified tokens of a text.
pub struct Checks {
    lints: Lints,
    linter: Option<Linter>,
    schema: Option<SchemaCheck>,
    /// The maximum number of findings of lints per text (0: any).
    limit: usize,
}

/// A check with a schema. It builds the index of a text during its verification.
struct SchemaCheck {
    schema: InputSchema,
    /// `None` for a text that is too long, and for a segment of one.
    index: Option<Indexer>,
}

/// The code under which values too long to be retained are counted by a check with a schema.
const TOO_LONG: Code = Code::Custom("schema/limit");

/// Longer texts are indexed when they are checked, because a long line may not be retained.
const MAX_INDEXED: u64 = 64 << 20;

impl Checks {
    /// The checks with these lints and a schema, which retain at most `limit` findings of lints per text (0: all).
    pub fn new(lints: Lints, schema: Option<InputSchema>, limit: usize) -> Checks {
        Checks {
            lints,
            linter: (lints != Lints::NONE).then(|| Linter::new(lints, limit)),
            schema: schema.map(SchemaCheck::new),
            limit,
        }
    }

    /// Copies of the checks without findings, which retain at most `limit` findings of lints per text (0: all).
    #[must_use]
    pub fn restart(&self, limit: usize) -> Checks {
        let schema = self.schema.as_ref();
        Checks {
            lints: self.lints,
            linter: self.linter.as_ref().map(|linter| linter.restart(limit)),
            schema: schema.map(|check| SchemaCheck::new(check.schema.clone())),
            limit,
        }
    }

    /// Whether the text of each value is needed.
    pub fn read_values(&self) -> bool {
        self.schema.is_some()
    }

    /// Begins a text at this offset in the input; `record` is its number, if it has one.
    pub fn begin(&mut self, offset: u64, record: Option<u64>) {
        if let Some(linter) = &mut self.linter {
            linter.begin(offset, record);
        }
        if let Some(check) = &mut self.schema {
            check.index = Some(Indexer::new());
        }
    }

    /// The offset in the input of the first byte to show for the findings in tokens so far.
    pub fn first(&self) -> Option<u64> {
        self.linter.as_ref()?.first()
    }

    /// Ends a valid text and returns the findings in its tokens.
    pub fn end(&mut self) -> Findings {
        let linted = self.linter.as_mut().map(Linter::take_findings);
        let linted = linted.unwrap_or_default();
        let Lints {
            duplicate_key,
            repeatable_key,
            ..
        } = self.lints;
        let are_known = duplicate_key && repeatable_key.is_none();
        let schema = self.schema.as_mut();
        Findings {
            keys_differ: are_known && !linted.has(Code::DuplicateKey),
            linted,
            index: schema.and_then(|check| check.index.replace(Indexer::new())),
            ..Findings::default()
        }
    }

    /// Discards the findings of an invalid text.
    pub fn discard(&mut self) {
        *self = self.restart(self.limit);
    }

    /// Checks a valid value with the schema, and adds its findings. `findings` already has those in its tokens, if these were
    /// checked.
    ///
    /// # Errors
    /// The value is too long.
    pub fn value(&self, value: &Value<'_>, findings: &mut Findings) -> Result<(), SyntaxError> {
        let Some(SchemaCheck { schema, .. }) = &self.schema else {
            return Ok(());
        };
        let asked = instance_options(value.options, value.called, findings);
        let index = findings.index.take();
        let verdict = schema.check(value.text, index, &asked)?;
        findings.limited |= verdict.limited;
        if verdict.is_schema {
            drop_bounds(&mut findings.linted, value);
        }
        let broken = verdict.findings.into_iter().map(|mut finding| {
            finding.shift(value.offset);
            finding
        });
        findings.diagnostics.extend(broken);
        Ok(())
    }

    /// The starts of the values of a verified stream that the schema does not allow; `None` if unknown. `findings` has the
    /// findings in its tokens.
    pub fn suspects(
        &self,
        text: &[u8],
        options: Options,
        findings: &mut Findings,
    ) -> Option<Vec<usize>> {
        let Some(SchemaCheck { schema, .. }) = &self.schema else {
            return Some(Vec::new());
        };
        let values = findings.index.take()?.documents(text, MAX_DEPTH)?;
        schema.mismatches(&values, &instance_options(options, RECORD, findings))
    }

    /// The code under which values too long to be retained are counted.
    pub fn too_long(&self) -> Option<Code> {
        self.schema.as_ref().map(|_| TOO_LONG)
    }

    /// The severity of findings with a code.
    pub fn severity(&self, code: Code) -> Severity {
        match &self.schema {
            Some(check) if code.as_str().starts_with("schema/") => check.schema.severity(code),
            _ => code.severity(),
        }
    }
}

impl SchemaCheck {
    fn new(schema: InputSchema) -> SchemaCheck {
        SchemaCheck {
            schema,
            index: Some(Indexer::new()),
        }
    }
}

fn instance_options(
    options: Options,
    called: &'static str,
    findings: &Findings,
) -> InstanceOptions {
    InstanceOptions {
        options,
        repeats: findings.keys_differ.then_some(false),
        whole: called,
    }
}

impl Default for Checks {
    fn default() -> Checks {
        Checks::new(Lints::NONE, None, 0)
    }
}

impl Clone for Checks {
    fn clone(&self) -> Checks {
        self.restart(self.limit)
    }
}

impl Sink for Checks {
    type Error = Infallible;
    type Output = Self;

    fn interest(&self, mode: Mode) -> Interest {
        let linter = self.linter.as_ref().map(|linter| linter.interest(mode));
        let index = self.schema.as_ref().and_then(|check| check.index.as_ref());
        let index = index.map(|index| index.interest(mode));
        let interests = linter.into_iter().chain(index);
        interests.fold(Verdict.interest(mode), Interest::union)
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
        if let Some(linter) = &mut self.linter {
            linter.chunk(chunk)?;
        }
        if let Some(SchemaCheck { index: slot, .. }) = &mut self.schema
            && let Some(index) = slot
        {
            index.chunk(chunk)?;
            if chunk.offset > MAX_INDEXED {
                *slot = None;
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<Self, Infallible> {
        Ok(self)
    }
}

impl SegmentSink for Checks {
    fn scope(&self) -> SegmentScope {
        match self.linter {
            Some(_) => SegmentScope::All,
            None => SegmentScope::Nothing,
        }
    }

    fn end(&mut self) {
        if let Some(linter) = &mut self.linter {
            SegmentSink::end(linter);
        }
    }
}

impl SegmentedSink for Checks {
    type Segment = Checks;

    fn for_segment(&self) -> Checks {
        let mut checks = Checks {
            linter: self.linter.as_ref().map(Linter::for_segment),
            ..self.restart(0)
        };
        if let Some(check) = &mut checks.schema {
            check.index = None;
        }
        checks
    }

    fn take(&mut self, segment: Checks, at: u64) -> bool {
        if let Some(check) = &mut self.schema {
            check.index = None;
        }
        match (&mut self.linter, segment.linter) {
            (Some(linter), Some(segment)) => linter.take(segment, at),
            _ => true,
        }
    }
}

/// Drops the `unsafe-integer` findings for bounds in a schema.
fn drop_bounds(linted: &mut lint::Findings, schema: &Value<'_>) {
    let before = linted.findings.len();
    linted.findings.retain(|finding| {
        let at = (finding.offset as usize).checked_sub(schema.offset);
        let is_bound = at.is_some_and(|at| is_bound(schema.text, at));
        finding.code != Code::UnsafeInteger || !is_bound
    });
    linted.count -= (before - linted.findings.len()) as u64;
}

#[cfg(test)]
mod tests {
    use super::*;
    use jsonx_core::engine::Validator;

    #[test]
    fn lints_tell_the_schema_whether_keys_differ() {
        let known = |lints, text: &[u8]| {
            let mut checks = Checks::new(lints, None, 0);
            let checked = Validator::new(Options::default()).check(text, &mut checks);
            assert_eq!(checked, Ok(()));
            checks.end().keys_differ
        };
        let twice = br#"{"a": 1, "\u0061": 2}"#;
        assert!(known(Lints::ALL, br#"{"a": 1, "b": 2}"#));
        assert!(!known(Lints::ALL, twice));
        let others = Lints::ALL.with(Code::DuplicateKey, false);
        assert!(!known(others, twice));
        assert!(!known(Lints::NONE, b"{}"));
    }
}
