//! Checks of valid JSON: lints and schemas. A run has one list of checks; each input or thread has a copy of it.
//!
//! ```text
//!                                              every check of the list
//! text ──► Validator ──► verified tokens ──► begin, chunk, chunk, …, end ──┐
//!                └─────► each value, valid ──► value ──────────────────────┴──► Findings
//! ```

use std::any::Any;
use std::convert::Infallible;

use jsonx_core::SyntaxError;
use jsonx_core::diagnose::{Code, Diagnostic, Lints, Severity};
use jsonx_core::document::Indexer;
use jsonx_core::engine::{
    Chunk, Interest, Mode, Options, SegmentScope, SegmentSink, SegmentedSink, Sink, Verdict,
};
use jsonx_core::lint::{self, Linter};

use crate::schema::{InputSchema, MAX_DEPTH};
use jsonx_schema::keywords::is_bound;
use jsonx_schema::{InstanceOptions, RECORD};

/// A check of valid JSON. It sees the verified tokens of a text, the text of each value, or both. Its findings count only if
/// the text is valid.
pub trait Check: Any + Send + Sync {
    /// A copy of the check without findings, which retains at most `limit` findings per text (0: all).
    fn restart(&self, limit: usize) -> Box<dyn Check>;

    /// The streams it needs besides the kinds of tokens.
    fn interest(&self, mode: Mode) -> Interest {
        Verdict.interest(mode)
    }

    /// Begins a text at this offset in the input; `record` is its number, if it has one.
    fn begin(&mut self, _offset: u64, _record: Option<u64>) {}

    /// Checks the next tokens.
    fn chunk(&mut self, _chunk: &Chunk<'_>) {}

    /// The offset in the input of the first byte to show for the findings in tokens so far.
    fn first(&self) -> Option<u64> {
        None
    }

    /// Ends the text: moves the findings in its tokens to `findings`, which has those of earlier checks in the list.
    fn end(&mut self, _findings: &mut Findings) {}

    /// A copy of the check for a later segment of the text.
    fn for_segment(&self) -> Box<dyn Check> {
        self.restart(0)
    }

    /// Ends the segment.
    fn end_segment(&mut self) {}

    /// Adds the findings of a copy of this check in the next segment.
    fn take(&mut self, _segment: Box<dyn Check>) {}

    /// Whether it needs the text of each value.
    fn reads_values(&self) -> bool {
        false
    }

    /// Checks a verified value, and adds its findings.
    ///
    /// # Errors
    /// Memory runs out while the value is read.
    fn value(&mut self, _value: &Value<'_>, _findings: &mut Findings) -> Result<(), SyntaxError> {
        Ok(())
    }

    /// The starts of the values of a verified stream that have findings, given the findings in its tokens; `None` if unknown.
    fn suspects(
        &self,
        _text: &[u8],
        _options: Options,
        _findings: &mut Findings,
    ) -> Option<Vec<usize>> {
        None
    }

    /// The code under which values too long to be retained are counted.
    fn too_long(&self) -> Option<Code> {
        None
    }

    /// The severity of findings with this code, if it is a code of this check.
    fn severity(&self, _code: Code) -> Option<Severity> {
        None
    }
}

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
    /// The index of the text, if a check needs it.
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

/// The checks of a run. As a sink, it passes tokens to all of them.
#[derive(Default)]
pub struct Checks {
    list: Vec<Box<dyn Check>>,
    /// The limit of the last [`Checks::restart`].
    limit: usize,
}

impl Checks {
    /// A list with these lints, if any is enabled.
    pub fn of_lints(lints: Lints, limit: usize) -> Checks {
        let linting = Linting {
            lints,
            linter: Linter::new(lints, limit),
        };
        let checks = Checks {
            list: Vec::new(),
            limit,
        };
        match lints {
            Lints::NONE => checks,
            _ => checks.and(linting),
        }
    }

    /// Appends a check.
    #[must_use]
    pub fn and(mut self, check: impl Check + 'static) -> Checks {
        self.list.push(Box::new(check));
        self
    }

    /// Copies of the checks without findings, which retain at most `limit` findings per text (0: all).
    #[must_use]
    pub fn restart(&self, limit: usize) -> Checks {
        Checks {
            list: self.list.iter().map(|check| check.restart(limit)).collect(),
            limit,
        }
    }

    /// Whether there is nothing to check.
    pub fn are_none(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether any check needs the text of each value.
    pub fn read_values(&self) -> bool {
        self.list.iter().any(|check| check.reads_values())
    }

    /// Begins a text at this offset in the input; `record` is its number, if it has one.
    pub fn begin(&mut self, offset: u64, record: Option<u64>) {
        self.list
            .iter_mut()
            .for_each(|check| check.begin(offset, record));
    }

    /// The offset in the input of the first byte to show for the findings in tokens so far.
    pub fn first(&self) -> Option<u64> {
        self.list.iter().filter_map(|check| check.first()).min()
    }

    /// Ends a valid text and returns the findings in its tokens.
    pub fn end(&mut self) -> Findings {
        let mut findings = Findings::default();
        for check in &mut self.list {
            check.end(&mut findings);
        }
        findings
    }

    /// Discards the findings of an invalid text.
    pub fn discard(&mut self) {
        *self = self.restart(self.limit);
    }

    /// Checks a valid value and adds its findings. `findings` already has those in its tokens, if these were checked.
    ///
    /// # Errors
    /// Memory runs out while the value is read.
    pub fn value(&mut self, value: &Value<'_>, findings: &mut Findings) -> Result<(), SyntaxError> {
        let mut readers = self.list.iter_mut().filter(|check| check.reads_values());
        readers.try_for_each(|check| check.value(value, findings))
    }

    /// The starts of the values of a verified stream that have findings; `None` if unknown. `findings` has the findings in its
    /// tokens.
    pub fn suspects(
        &self,
        text: &[u8],
        options: Options,
        findings: &mut Findings,
    ) -> Option<Vec<usize>> {
        let mut readers = self.list.iter().filter(|check| check.reads_values());
        match (readers.next(), readers.next()) {
            (None, _) => Some(Vec::new()),
            (Some(reader), None) => reader.suspects(text, options, findings),
            _ => None,
        }
    }

    /// The codes under which values too long to be retained are counted.
    pub fn too_long(&self) -> impl Iterator<Item = Code> {
        self.list.iter().filter_map(|check| check.too_long())
    }

    /// The severity of findings with a code.
    pub fn severity(&self, code: Code) -> Severity {
        let severity = self.list.iter().find_map(|check| check.severity(code));
        severity.unwrap_or(code.severity())
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
        let interests = self.list.iter().map(|check| check.interest(mode));
        interests.fold(Verdict.interest(mode), Interest::union)
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
        self.list.iter_mut().for_each(|check| check.chunk(chunk));
        Ok(())
    }

    fn finish(self) -> Result<Self, Infallible> {
        Ok(self)
    }
}

impl SegmentSink for Checks {
    fn scope(&self) -> SegmentScope {
        SegmentScope::All
    }

    fn end(&mut self) {
        self.list.iter_mut().for_each(|check| check.end_segment());
    }
}

impl SegmentedSink for Checks {
    type Segment = Checks;

    fn for_segment(&self) -> Checks {
        Checks {
            list: self.list.iter().map(|check| check.for_segment()).collect(),
            limit: self.limit,
        }
    }

    fn take(&mut self, segment: Checks, _: u64) -> bool {
        for (check, segment) in self.list.iter_mut().zip(segment.list) {
            check.take(segment);
        }
        true
    }
}

/// Lints.
struct Linting {
    lints: Lints,
    linter: Linter,
}

impl Check for Linting {
    fn restart(&self, limit: usize) -> Box<dyn Check> {
        Box::new(Linting {
            linter: self.linter.restart(limit),
            ..*self
        })
    }

    fn interest(&self, mode: Mode) -> Interest {
        self.linter.interest(mode)
    }

    fn begin(&mut self, offset: u64, record: Option<u64>) {
        self.linter.begin(offset, record);
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) {
        let Ok(()) = self.linter.chunk(chunk);
    }

    fn first(&self) -> Option<u64> {
        self.linter.first()
    }

    fn end(&mut self, findings: &mut Findings) {
        let linted = self.linter.take_findings();
        let are_known = self.lints.duplicate_key && !linted.keys_unchecked;
        findings.keys_differ |= are_known && !linted.has(Code::DuplicateKey);
        findings.linted = linted;
    }

    fn for_segment(&self) -> Box<dyn Check> {
        Box::new(Linting {
            linter: self.linter.for_segment(),
            ..*self
        })
    }

    fn end_segment(&mut self) {
        SegmentSink::end(&mut self.linter);
    }

    fn take(&mut self, segment: Box<dyn Check>) {
        let segment: Box<dyn Any> = segment;
        if let Ok(segment) = segment.downcast::<Linting>() {
            self.linter.take(segment.linter, 0);
        }
    }
}

/// A check with a schema. It builds the index of a text during its verification.
pub struct Matching {
    schema: InputSchema,
    /// `None` for a text that is too long, and for a segment of one.
    index: Option<Indexer>,
}

/// Longer texts are indexed when they are checked, because a long line may not be retained.
const MAX_INDEXED: u64 = 64 << 20;

impl Matching {
    /// A check with this schema.
    pub fn new(schema: InputSchema) -> Matching {
        Matching {
            schema,
            index: Some(Indexer::new()),
        }
    }

    fn options(value: Options, called: &'static str, findings: &Findings) -> InstanceOptions {
        InstanceOptions {
            options: value,
            repeats: findings.keys_differ.then_some(false),
            whole: called,
        }
    }
}

impl Check for Matching {
    fn restart(&self, _: usize) -> Box<dyn Check> {
        Box::new(Matching::new(self.schema.clone()))
    }

    fn interest(&self, mode: Mode) -> Interest {
        match &self.index {
            Some(index) => index.interest(mode),
            None => Verdict.interest(mode),
        }
    }

    fn begin(&mut self, _: u64, _: Option<u64>) {
        self.index = Some(Indexer::new());
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) {
        if let Some(index) = &mut self.index {
            let Ok(()) = index.chunk(chunk);
            if chunk.offset > MAX_INDEXED {
                self.index = None;
            }
        }
    }

    fn end(&mut self, findings: &mut Findings) {
        findings.index = self.index.replace(Indexer::new());
    }

    fn for_segment(&self) -> Box<dyn Check> {
        Box::new(Matching {
            schema: self.schema.clone(),
            index: None,
        })
    }

    fn take(&mut self, _: Box<dyn Check>) {
        self.index = None;
    }

    fn reads_values(&self) -> bool {
        true
    }

    fn value(&mut self, value: &Value<'_>, findings: &mut Findings) -> Result<(), SyntaxError> {
        let asked = Matching::options(value.options, value.called, findings);
        let index = findings.index.take();
        let verdict = self.schema.check(value.text, index, &asked)?;
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

    fn suspects(
        &self,
        text: &[u8],
        options: Options,
        findings: &mut Findings,
    ) -> Option<Vec<usize>> {
        let values = findings.index.take()?.documents(text, MAX_DEPTH)?;
        let asked = Matching::options(options, RECORD, findings);
        self.schema.mismatches(&values, &asked)
    }

    fn too_long(&self) -> Option<Code> {
        Some(Code::Custom("schema/limit"))
    }

    fn severity(&self, code: Code) -> Option<Severity> {
        code.as_str()
            .starts_with("schema/")
            .then(|| self.schema.severity(code))
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
    use jsonx_core::diagnose::Span;
    use jsonx_core::engine::Validator;

    /// Counts tokens and values.
    #[derive(Clone, Default)]
    struct Counting {
        tokens: usize,
        values: usize,
    }

    impl Check for Counting {
        fn restart(&self, _: usize) -> Box<dyn Check> {
            Box::new(Counting::default())
        }

        fn chunk(&mut self, chunk: &Chunk<'_>) {
            self.tokens += chunk.kinds.len();
        }

        fn end(&mut self, findings: &mut Findings) {
            let mut finding = Diagnostic::new(Code::Custom("tokens"), Span::new(0, 0));
            finding.message = format!("{} after {}", self.tokens, findings.linted.count);
            findings.diagnostics.push(finding);
            self.tokens = 0;
        }

        fn reads_values(&self) -> bool {
            true
        }

        fn value(&mut self, value: &Value<'_>, findings: &mut Findings) -> Result<(), SyntaxError> {
            self.values += 1;
            let mut finding = Diagnostic::new(Code::Custom("values"), Span::new(0, 0));
            finding.message = format!("{} of {} bytes", self.values, value.text.len());
            findings.diagnostics.push(finding);
            Ok(())
        }
    }

    fn messages(checks: &mut Checks, text: &[u8]) -> Vec<String> {
        let checked = Validator::new(Options::default()).check(text, &mut *checks);
        if checked.is_err() {
            checks.discard();
            return Vec::new();
        }
        let mut findings = checks.end();
        let value = Value {
            text,
            offset: 0,
            options: Options::default(),
            called: "the value",
        };
        checks.value(&value, &mut findings).unwrap();
        let messages = findings.diagnostics.into_iter();
        messages.map(|finding| finding.message).collect()
    }

    #[test]
    fn every_check_of_the_list_sees_tokens_and_values() {
        let lints = Lints::ALL.with(Code::ByteOrderMark, false);
        let mut checks = Checks::of_lints(lints, 0).and(Counting::default());
        assert!(checks.interest(Mode::One).lints);
        assert_eq!(
            messages(&mut checks, b"[1e400, 2]"),
            ["5 after 1", "1 of 10 bytes"]
        );
        // Findings of one text do not appear in the next.
        assert_eq!(messages(&mut checks, b"[1e400, 2"), [""; 0]);
        assert_eq!(messages(&mut checks, b"{}"), ["2 after 0", "1 of 2 bytes"]);
        let mut checks = checks.restart(1);
        assert_eq!(messages(&mut checks, b"{}"), ["2 after 0", "1 of 2 bytes"]);
    }

    #[test]
    fn lints_tell_later_checks_whether_keys_differ() {
        let known = |lints, text: &[u8]| {
            let mut checks = Checks::of_lints(lints, 0);
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
