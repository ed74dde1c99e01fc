//! Patterns matched by backtracking, with a limit that is raised while the budget lasts.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

use fancy_regex::{Error, Regex, RegexBuilder, RuntimeError};

use crate::ecma;
use crate::limits::match_for;

/// Maximum number of backtracks of a pattern in one text.
pub const BACKTRACKS: usize = 100_000;

/// Successive backtracking limits, each at most four times the previous one.
const LIMITS: [usize; 6] = [256, 1024, 4096, 16_384, 65_536, BACKTRACKS];

/// Bytes read in the time of one step per backtrack, forwards and in look-behind: with groups, that reads in both directions, with the
/// slowest engine.
const BYTES_PER_STEP: usize = 32;
const BYTES_PER_STEP_BEHIND: usize = 4;

/// Whether a pattern may need backtracking. False only if it consists of literals, classes, groups, anchors and greedy or lazy
/// repetitions.
pub fn may_backtrack(pattern: &str) -> bool {
    let mut before = b' ';
    let mut bytes = pattern.bytes().peekable();
    while let Some(byte) = bytes.next() {
        let next = bytes.peek().copied().unwrap_or(b' ');
        match (byte, next) {
            (
                b'\\',
                b'd' | b'D' | b'w' | b'W' | b's' | b'S' | b'n' | b'r' | b't' | b'p' | b'P' | b'u'
                | b'x',
            ) => {}
            (b'\\', b'1'..=b'9' | b'a'..=b'z' | b'A'..=b'Z') => return true,
            (b'(', b'?' | b'*') => return true,
            // A possessive repetition.
            (b'+', _) if matches!(before, b'*' | b'+' | b'?' | b'}') => return true,
            _ => {}
        }
        before = byte;
        if byte == b'\\' {
            bytes.next();
            before = b' ';
        }
    }
    false
}

/// A pattern.
pub struct Pattern {
    /// Its source.
    source: Arc<str>,
    translated: String,
    /// Whether it is matched in linear time and needs no limit.
    is_linear: bool,
    /// Bytes read in the time of one step, if each try may read the whole text.
    reads: Option<usize>,
    engines: [OnceLock<Option<Regex>>; LIMITS.len()],
}

impl Pattern {
    /// Compiles a JavaScript pattern; `None` if it is invalid.
    pub fn new(pattern: &str) -> Option<Pattern> {
        let translated = match ecma::translated(pattern, true) {
            Ok(translated) => translated,
            // Schemas may have patterns of other dialects, such as `a\-b`, which are reported where schemas are checked.
            Err(_) => jsonschema_regex::to_rust_regex(pattern).ok()?.into_owned(),
        };
        let looks_behind = pattern.contains("(?<=") || pattern.contains("(?<!");
        let reads = if looks_behind {
            BYTES_PER_STEP_BEHIND
        } else {
            BYTES_PER_STEP
        };
        let pattern = Pattern {
            is_linear: !may_backtrack(pattern),
            reads: pattern.contains(['*', '+', '{']).then_some(reads),
            source: pattern.into(),
            translated,
            engines: Default::default(),
        };
        pattern
            .engine(LIMITS.len() - 1)
            .is_some()
            .then_some(pattern)
    }

    fn engine(&self, number: usize) -> Option<&Regex> {
        let build = || {
            let mut builder = RegexBuilder::new(&self.translated);
            builder.backtrack_limit(LIMITS[number]).build().ok()
        };
        self.engines[number].get_or_init(build).as_ref()
    }

    /// Whether it matches a text; `offset` is its position in the instance.
    pub fn matches(&self, text: &str, at: Option<usize>) -> bool {
        let first = if self.is_linear { LIMITS.len() - 1 } else { 0 };
        let each = self.reads.map_or(1, |bytes| 1 + text.len() / bytes);
        for (number, limit) in LIMITS.into_iter().enumerate().skip(first) {
            // The first limit is proportional to the text.
            if number > first {
                match_for(limit.saturating_mul(each), &self.source, at);
            }
            let is_match = |engine: &Regex| {
                // The engine panics on some patterns: https://github.com/rust-lang/regex/issues/1344.
                catch_unwind(AssertUnwindSafe(|| engine.is_match(text))).ok()
            };
            match self.engine(number).and_then(is_match) {
                Some(Ok(matches)) => return matches,
                Some(Err(Error::RuntimeError(RuntimeError::BacktrackLimitExceeded))) => {}
                _ => break,
            }
        }
        match_for(usize::MAX, &self.source, at);
        false
    }
}
