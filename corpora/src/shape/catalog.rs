//! A product catalog: an everyday mixture of strings, numbers and small containers.

use super::Records;
use crate::document::{Document, push_integer, push_padded};
use crate::random::SplitMix64;
use crate::text;

#[derive(Default)]
pub struct Products {
    made: u64,
}

impl Records for Products {
    fn record(&mut self, document: &mut Document, random: &mut SplitMix64) {
        self.made += 1;
        document.object();
        document.key("id");
        document.integer(self.made);
        document.key("sku");
        document.string_with(|buffer| {
            buffer.extend_from_slice(random.pick(&["BK-", "GD-", "EL-", "KT-"]).as_bytes());
            push_padded(buffer, random.next_u64(), 8);
        });
        document.key("name");
        let words = random.between(1, 5);
        document.string_with(|buffer| text::words(buffer, random, words));
        document.key("price");
        document.scalar_with(|buffer| money(buffer, random));
        document.key("inStock");
        document.boolean(!random.one_in(5));
        document.key("discount");
        if random.one_in(3) {
            document.scalar_with(|buffer| {
                buffer.extend_from_slice(b"0.");
                push_padded(buffer, random.between(1, 99), 2);
            });
        } else {
            document.null();
        }
        document.key("tags");
        document.array();
        for _ in 0..random.below(5) {
            document.string_with(|buffer| text::word(buffer, random));
        }
        document.close();
        attributes(document, random);
        reviews(document, random);
        document.close();
    }
}

fn money(buffer: &mut Vec<u8>, random: &mut SplitMix64) {
    push_integer(buffer, random.below(2000));
    buffer.push(b'.');
    push_padded(buffer, random.next_u64(), 2);
}

/// An object with different keys in each record.
fn attributes(document: &mut Document, random: &mut SplitMix64) {
    document.key("attributes");
    document.object();
    let start = random.next_u64() >> 1;
    for at in start..start + random.below(6) {
        document.key_with(|buffer| {
            text::word_at(buffer, at);
            buffer.push(b'_');
            text::word(buffer, random);
        });
        match random.below(5) {
            0 => document.boolean(random.one_in(2)),
            1 => document.integer(random.below(100_000)),
            2 => document.scalar_with(|buffer| {
                buffer.push(b'-');
                push_integer(buffer, random.below(50));
                buffer.extend_from_slice(b".5e3");
            }),
            3 => document.string_with(|buffer| text::foreign(buffer, random)),
            _ => document.string_with(|buffer| text::word(buffer, random)),
        }
    }
    document.close();
}

fn reviews(document: &mut Document, random: &mut SplitMix64) {
    document.key("reviews");
    document.array();
    for _ in 0..random.below(4) {
        document.object();
        document.key("by");
        document.string_with(|buffer| text::name(buffer, random));
        document.key("stars");
        document.integer(random.between(1, 5));
        document.key("text");
        let words = random.between(3, 40);
        document.string_with(|buffer| {
            text::sentence(buffer, random, words);
            if random.one_in(4) {
                buffer.extend_from_slice(b"\\n");
                text::foreign(buffer, random);
            }
        });
        document.close();
    }
    document.close();
}
