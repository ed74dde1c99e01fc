//! Log messages, paths and source code: strings that always have escapes.

use super::Records;
use crate::document::{Document, push_integer};
use crate::random::SplitMix64;
use crate::text;

pub struct Messages;

impl Records for Messages {
    fn record(&mut self, document: &mut Document, random: &mut SplitMix64) {
        document.object();
        document.key("path");
        document.string_with(|buffer| path(buffer, random));
        document.key("message");
        document.string_with(|buffer| quotation(buffer, random));
        if random.one_in(2) {
            document.key("stack\\u002ftrace");
            document.string_with(|buffer| lines(buffer, random));
        }
        if random.one_in(2) {
            document.key_with(|buffer| {
                buffer.extend_from_slice(b"\\\"");
                text::word(buffer, random);
                buffer.extend_from_slice(b"\\\"");
            });
            document.string_with(|buffer| rest_of_the_alphabet(buffer, random));
        }
        document.key("author");
        document.string_with(|buffer| text::escaped_foreign(buffer, random));
        if random.one_in(5) {
            document.key("raw");
            document.string_with(|buffer| run(buffer, random));
        }
        document.close();
    }
}

/// A Windows path: `C:\\Users\\…`.
fn path(buffer: &mut Vec<u8>, random: &mut SplitMix64) {
    buffer.extend_from_slice(
        random
            .pick(&["C:", "D:", "\\\\\\\\server", "..", "%APPDATA%"])
            .as_bytes(),
    );
    for _ in 0..random.between(1, 6) {
        buffer.extend_from_slice(b"\\\\");
        text::identifier(buffer, random);
    }
    buffer.extend_from_slice(
        random
            .pick(&[".txt", ".json", "", ".log", "\\\\"])
            .as_bytes(),
    );
}

/// A sentence with quotation marks.
fn quotation(buffer: &mut Vec<u8>, random: &mut SplitMix64) {
    let words = random.between(1, 5);
    text::words(buffer, random, words);
    buffer.extend_from_slice(b": \\\"");
    let words = random.between(1, 12);
    text::sentence(buffer, random, words);
    buffer.extend_from_slice(b"\\\"");
}

/// Lines of source code with Unix or Windows line ends, indented by tabs.
fn lines(buffer: &mut Vec<u8>, random: &mut SplitMix64) {
    let end = random.pick(&["\\n", "\\r\\n"]);
    for _ in 0..random.between(1, 6) {
        buffer.extend_from_slice(random.pick(&["", "\\t", "\\t\\t"]).as_bytes());
        text::identifier(buffer, random);
        buffer.extend_from_slice(b"(\\\"");
        text::word(buffer, random);
        buffer.extend_from_slice(b"\\\\n\\\", ");
        push_integer(buffer, random.below(100));
        buffer.extend_from_slice(b");");
        buffer.extend_from_slice(end.as_bytes());
    }
}

/// The escapes that are rare in practice.
fn rest_of_the_alphabet(buffer: &mut Vec<u8>, random: &mut SplitMix64) {
    const RARE: &[&str] = &[
        "\\b",
        "\\f",
        "\\/",
        "<\\/script>",
        "\\u0000",
        "\\u001F",
        "\\u0026",
        "\\u2028",
        "\\uFEFF",
        "\\uD83D\\uDE00",
        "\\ud801\\udc37",
        "\\u00E9t\\u00e9",
    ];
    for _ in 0..random.between(1, 6) {
        text::word(buffer, random);
        buffer.extend_from_slice(random.pick(RARE).as_bytes());
    }
}

/// One escape, repeated.
fn run(buffer: &mut Vec<u8>, random: &mut SplitMix64) {
    let piece = random.pick(&["\\\\", "\\r\\n", "\\\"", "\\uD801\\uDC37", "\\t", "\\u0000"]);
    for _ in 0..random.between(2, 40) {
        buffer.extend_from_slice(piece.as_bytes());
    }
}
