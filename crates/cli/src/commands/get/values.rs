//! What a text is.

use jsonx_core::Kind;
use jsonx_core::engine::{Options, Validator};

/// Whether `text` is one JSON value.
pub fn is_json(text: &[u8]) -> bool {
    let validator = Validator::new(Options::default().max_depth(10_000));
    validator.check(text, jsonx_core::engine::Verdict).is_ok()
}

/// The name of a kind of value.
pub fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Object => "object",
        Kind::Array => "array",
        Kind::String => "string",
        Kind::Number => "number",
        Kind::Boolean => "boolean",
        Kind::Null => "null",
    }
}
