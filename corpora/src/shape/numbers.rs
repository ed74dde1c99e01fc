//! Arrays of numbers as in measurements, maps and counters.

use super::Records;
use crate::document::{Document, push_integer, push_padded};
use crate::random::SplitMix64;

pub struct Series;

impl Records for Series {
    fn record(&mut self, document: &mut Document, random: &mut SplitMix64) {
        let kind = random.below(5);
        let count = random.between(4, 40);
        document.array();
        for _ in 0..count {
            match kind {
                0 => pair(document, random),
                1 => document.integer(counter(random)),
                2 => document.scalar_with(|buffer| fraction(buffer, random)),
                3 => document.scalar_with(|buffer| exponent(buffer, random)),
                _ => document.scalar_with(|buffer| any(buffer, random)),
            }
        }
        document.close();
    }
}

/// Longitude and latitude with 6 to 15 decimals, as in maps.
fn pair(document: &mut Document, random: &mut SplitMix64) {
    document.array();
    for limit in [180, 90] {
        let decimals = random.between(6, 15) as usize;
        document.scalar_with(|buffer| {
            sign(buffer, random);
            push_integer(buffer, random.below(limit));
            buffer.push(b'.');
            push_padded(buffer, random.next_u64(), decimals);
        });
    }
    document.close();
}

/// An integer of up to 18 digits, all lengths equally likely, with or without a sign. It fits into 64 bits: parsers that
/// convert numbers reject longer ones.
fn counter(random: &mut SplitMix64) -> u64 {
    let digits = random.between(1, 18) as u32;
    random.below(10_u64.pow(digits))
}

fn sign(buffer: &mut Vec<u8>, random: &mut SplitMix64) {
    if random.one_in(2) {
        buffer.push(b'-');
    }
}

fn fraction(buffer: &mut Vec<u8>, random: &mut SplitMix64) {
    sign(buffer, random);
    push_integer(buffer, random.below(1000));
    buffer.push(b'.');
    let decimals = random.between(1, 6) as usize;
    push_padded(buffer, random.next_u64(), decimals);
}

/// An exponent in the range of a double, in every notation.
fn exponent(buffer: &mut Vec<u8>, random: &mut SplitMix64) {
    sign(buffer, random);
    push_integer(buffer, random.between(1, 9));
    if !random.one_in(4) {
        buffer.push(b'.');
        let decimals = random.between(1, 16) as usize;
        push_padded(buffer, random.next_u64(), decimals);
    }
    buffer.extend_from_slice(random.pick(&["e", "E", "e-", "E-", "e+", "E+"]).as_bytes());
    let width = random.between(1, 2) as usize;
    push_padded(buffer, random.below(100), width);
}

fn any(buffer: &mut Vec<u8>, random: &mut SplitMix64) {
    match random.below(6) {
        0 => buffer.extend_from_slice(
            random
                .pick(&["0", "-0", "0.0", "-0.0", "0e0", "1E0"])
                .as_bytes(),
        ),
        1 => fraction(buffer, random),
        2 => exponent(buffer, random),
        3 => {
            buffer.extend_from_slice(b"0.000");
            push_padded(buffer, random.next_u64(), 12);
        }
        _ => {
            sign(buffer, random);
            push_integer(buffer, counter(random));
        }
    }
}
