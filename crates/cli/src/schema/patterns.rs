//! Patterns with look-around, back-references and the like, which are matched by backtracking.
//!
//! The validator bounds how often such a pattern tries again, but not how much of a text is read each time, and not for all
//! texts together; and what takes too long it matches up to 64 times. So `pattern` is a keyword of ours: the same engine, with
//! a limit that rises as long as there is a budget. What cannot be afforded is never begun, and ends the validation.
//!
//! The patterns for names, in `patternProperties`, belong to several keywords of the validator. Each name is matched here with all
//! that may be costly, before the validator gets it ([`ViewOptions::names`](super::instance::ViewOptions)): what it
//! matches after that is known to end soon.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use fancy_regex::{Error, Regex, RegexBuilder, RuntimeError};
use jsonschema::ValidationError;
use jsonschema::json::Node as _;
use jsonx_core::Node;
use serde_json::Value;

use super::exact::{Made, test_with};
use super::instance::{View, text};
use super::limits::match_for;

/// How often a pattern may try again with one text.
pub const BACKTRACKS: usize = 100_000;

/// The limits that are tried, each at most four times the one before.
const LIMITS: [usize; 6] = [256, 1024, 4096, 16_384, 65_536, BACKTRACKS];

/// Bytes that are read in the time of a step when a pattern tries again, and those before a place: a look-behind with groups
/// reads them in both directions, with the slowest of the engines.
const BYTES_PER_STEP: usize = 32;
const BYTES_PER_STEP_BEHIND: usize = 4;

/// Whether a pattern may be one that is matched by backtracking. False only if it has nothing but literals, classes,
/// groups, anchors and greedy or lazy repetitions.
fn may_backtrack(pattern: &str) -> bool {
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

/// A pattern.
pub struct Pattern {
    translated: String,
    /// Whether it is matched in linear time, so that no limit is needed.
    is_linear: bool,
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
        let pattern = Pattern {
            is_linear: !may_backtrack(pattern),
            reads: pattern.contains(['*', '+', '{']).then_some(reads),
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

    /// Whether it matches a text, which is at this offset.
    pub fn matches(&self, text: &str, at: Option<usize>) -> bool {
        let first = if self.is_linear { LIMITS.len() - 1 } else { 0 };
        let each = self.reads.map_or(1, |bytes| 1 + text.len() / bytes);
        for (number, limit) in LIMITS.into_iter().enumerate().skip(first) {
            // The first tries are in proportion to the text.
            if number > first {
                match_for(limit.saturating_mul(each), at);
            }
            let is_match = |engine: &Regex| {
                // The engine panics with some patterns: https://github.com/rust-lang/regex/issues/1344.
                catch_unwind(AssertUnwindSafe(|| engine.is_match(text))).ok()
            };
            match self.engine(number).and_then(is_match) {
                Some(Ok(matches)) => return matches,
                Some(Err(Error::RuntimeError(RuntimeError::BacktrackLimitExceeded))) => {}
                _ => break,
            }
        }
        match_for(usize::MAX, at);
        false
    }
}

/// The patterns of a schema, each compiled once.
#[derive(Default)]
pub struct Patterns(Mutex<HashMap<String, Option<Arc<Pattern>>>>);

impl Patterns {
    fn get(&self, pattern: &str) -> Option<Arc<Pattern>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let made = |pattern: &String| Pattern::of(pattern).map(Arc::new);
        all.entry(pattern.to_owned())
            .or_insert_with_key(made)
            .clone()
    }

    /// The keyword `pattern`.
    pub fn keyword<'v>(&self, value: &'v Value) -> Made<'v> {
        let pattern = value.as_str().and_then(|pattern| self.get(pattern));
        let pattern = pattern.ok_or_else(|| ValidationError::schema("not a pattern"))?;
        let source = value.as_str().unwrap_or_default();
        test_with(source, move |instance: View<'_>| {
            let text = instance.as_string();
            text.is_none_or(|text| pattern.matches(&text, instance.start()))
        })
    }

    /// Those for names, anywhere in these schemas, that may be costly.
    pub fn costly_names(
        &self,
        schemas: impl Iterator<Item = Node<'static, 'static>>,
    ) -> Vec<Arc<Pattern>> {
        let mut nodes: Vec<_> = schemas.collect();
        let mut names = HashSet::new();
        while let Some(node) = nodes.pop() {
            for (key, value) in node.members() {
                if text(key) == "patternProperties" {
                    names.extend(value.members().map(|(name, _)| text(name)));
                }
                nodes.push(value);
            }
            nodes.extend(node.elements());
        }
        let patterns = names.iter().filter_map(|name| self.get(name));
        patterns.filter(|pattern| !pattern.is_linear).collect()
    }
}
