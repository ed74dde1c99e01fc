//! What lints say: for the text that is examined as a whole, and for the one that was found valid.

use super::character::character_at;
use super::diagnostic::Applicability::Safe;
use super::diagnostic::{Diagnostic, Span};
use super::{keys, quote};

/// `new` is the key as it is spelled, quotes included, and `first` where it was before, if that is at hand.
pub(crate) fn duplicate_key(d: &mut Diagnostic, new: &[u8], first: Option<(Span, &[u8])>) {
    let (name, _) = keys::text(new);
    d.message(format!("duplicate key {}", quote::ticked(name.as_bytes())))
        .label("later value silently wins in most parsers");
    if let Some((place, old)) = first {
        d.related(
            place,
            if old == new {
                "first defined here"
            } else {
                "same key after unescaping, first defined here"
            },
        );
    }
}

pub(crate) fn number_range(d: &mut Diagnostic) {
    d.message("number is too large for a double")
        .label("most readers take this for infinity, or refuse it");
}

pub(crate) fn unsafe_integer(d: &mut Diagnostic) {
    d.message("integer beyond 2^53")
        .label("a reader that uses doubles changes it")
        .help("write it as a string if its digits matter");
}

/// `escape` is the first one.
pub(crate) fn lone_surrogate(d: &mut Diagnostic, escape: &[u8]) {
    d.message(format!(
        "{} is half of a surrogate pair",
        quote::ticked(escape)
    ))
    .label("has no partner");
}

/// The text begins with the mark; shown is the character behind it.
pub(crate) fn byte_order_mark(d: &mut Diagnostic) {
    d.message("file starts with a UTF-8 byte order mark")
        .label("EF BB BF before this")
        .help("RFC 8259 says not to add one; many parsers reject it")
        .replace(Safe, Span::new(0, 3), "");
    if let Some(fix) = &mut d.fix {
        fix.description = "remove the byte order mark".into();
    }
}

/// Where the byte-order mark at the start of a text is shown: at the character behind it.
pub(crate) fn behind_byte_order_mark(text: &[u8]) -> Span {
    character_at(text, 3)
}
