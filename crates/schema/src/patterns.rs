//! Patterns with look-around, back-references and the like, which are matched by backtracking.
//!
//! The validator bounds how often such a pattern tries again, but not how much of a text is read each time, and not for all
//! texts together. So where only the verdict is asked for, a keyword of ours stands for `pattern`: the same engine, with a limit
//! that rises as long as there is a budget. What cannot be afforded is never begun, and ends the validation. Errors, which are
//! searched for after that, are those of the validator.

use std::sync::OnceLock;

use fancy_regex::{Error, Regex, RegexBuilder, RuntimeError};
use jsonschema::json::Node as _;
use serde_json::Value;

use crate::exact::{Made, test};
use crate::instance::View;
use crate::limits::match_for;

/// How often a pattern may try again with one text.
pub const BACKTRACKS: usize = 100_000;

/// The limits that are tried, each at most four times the one before.
const LIMITS: [usize; 6] = [256, 1024, 4096, 16_384, 65_536, BACKTRACKS];

/// Bytes that are read in the time of a step when a pattern tries again, and those before a place: a look-behind with groups
/// reads them in both directions, with the slowest of the engines.
const BYTES_PER_STEP: usize = 32;
const BYTES_PER_STEP_BEHIND: usize = 4;

/// The keyword that stands for a `pattern`.
pub const KEYWORD: &str = "\0pattern";

/// Whether a schema has patterns that may be matched by backtracking. Recurses, as far as schemas are nested.
pub fn are_in(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => members.contains_key(KEYWORD) || members.values().any(are_in),
        Value::Array(elements) => elements.iter().any(are_in),
        _ => false,
    }
}

/// Whether a pattern may be one that is matched by backtracking. False only if it has nothing but literals, classes,
/// groups, anchors and greedy or lazy repetitions.
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
            // Possessive.
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

/// A pattern that may be matched by backtracking.
struct Pattern {
    translated: String,
    /// If each try may read the whole text, how much of it in the time of a step.
    reads: Option<usize>,
    engines: [OnceLock<Option<Regex>>; LIMITS.len()],
}

impl Pattern {
    fn of(pattern: &str) -> Option<Pattern> {
        let translated = jsonschema_regex::to_rust_regex(pattern).ok()?.into_owned();
        let looks_behind = pattern.contains("(?<=") || pattern.contains("(?<!");
        let reads = match looks_behind {
            true => BYTES_PER_STEP_BEHIND,
            false => BYTES_PER_STEP,
        };
        Some(Pattern {
            reads: pattern.contains(['*', '+', '{']).then_some(reads),
            translated,
            engines: Default::default(),
        })
    }

    fn engine(&self, number: usize) -> Option<&Regex> {
        let build = || {
            let mut builder = RegexBuilder::new(&self.translated);
            builder.backtrack_limit(LIMITS[number]).build().ok()
        };
        self.engines[number].get_or_init(build).as_ref()
    }

    /// Whether it matches a text, which is at this offset.
    fn matches(&self, text: &str, at: Option<usize>) -> bool {
        let each = self.reads.map_or(1, |bytes| 1 + text.len() / bytes);
        for (number, limit) in LIMITS.into_iter().enumerate() {
            // The first tries are in proportion to the text.
            if number > 0 {
                match_for(limit.saturating_mul(each), at);
            }
            match self.engine(number).map(|engine| engine.is_match(text)) {
                Some(Ok(matches)) => return matches,
                Some(Err(Error::RuntimeError(RuntimeError::BacktrackLimitExceeded))) => {}
                _ => break,
            }
        }
        match_for(usize::MAX, at);
        false
    }
}

/// The keyword that stands for a `pattern`.
pub fn pattern(value: &Value) -> Made<'_> {
    let pattern = value.as_str().and_then(Pattern::of);
    test(
        move |instance: View<'_>| match (&pattern, instance.as_string()) {
            (Some(pattern), Some(text)) => pattern.matches(&text, instance.start()),
            _ => true,
        },
    )
}
