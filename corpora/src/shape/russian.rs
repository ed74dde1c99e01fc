//! Articles in Russian, as an ASCII-only serializer writes them.

use super::Records;
use crate::document::{Document, push_integer};
use crate::random::SplitMix64;
use crate::text;

pub struct Articles;

impl Records for Articles {
    fn record(&mut self, document: &mut Document, random: &mut SplitMix64) {
        document.object();
        document.key("id");
        document.integer(random.between(1000, 99_999_999));
        document.key("title");
        let words = random.between(2, 6);
        document.string_with(|buffer| text::escaped_russian(buffer, random, words));
        document.key_with(|buffer| text::escaped_russian(buffer, random, 1));
        let words = random.between(1, 4);
        document.string_with(|buffer| text::escaped_russian(buffer, random, words));
        document.key("text");
        document.string_with(|buffer| paragraphs(buffer, random));
        document.key("views");
        document.integer(random.below(1_000_000));
        document.close();
    }
}

fn paragraphs(buffer: &mut Vec<u8>, random: &mut SplitMix64) {
    for at in 0..random.between(1, 4) {
        if at > 0 {
            buffer.extend_from_slice(b"\\n\\n");
        }
        for _ in 0..random.between(1, 4) {
            let words = random.between(3, 14);
            text::escaped_russian(buffer, random, words);
            if random.one_in(6) {
                buffer.extend_from_slice(b" (");
                push_integer(buffer, random.between(1850, 2030));
                buffer.push(b')');
            }
            buffer.extend_from_slice(
                random
                    .pick(&[". ", "! ", "? ", " \\u2014 \\u00ab\\u2026\\u00bb. "])
                    .as_bytes(),
            );
        }
    }
}
