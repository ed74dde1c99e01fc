//! Classifies texts.

use jsonx_core::engine::{Options, Validator};

/// Whether `text` is one JSON value.
pub fn is_json(text: &[u8]) -> bool {
    let validator = Validator::new(Options::default().max_depth(10_000));
    validator.check(text, jsonx_core::engine::Verdict).is_ok()
}
