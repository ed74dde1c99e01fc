//! Trees: mostly brackets.

use super::Records;
use crate::document::Document;
use crate::random::SplitMix64;
use crate::text;

pub struct Trees;

/// Depth of the longest chain: below serde_json's limit of 128, so that every parser can be compared.
const DEEPEST: u64 = 98;

impl Records for Trees {
    fn record(&mut self, document: &mut Document, random: &mut SplitMix64) {
        if random.one_in(8) {
            let levels = random.between(20, DEEPEST);
            chain(document, random, levels);
        } else {
            let nodes = random.between(10, 60);
            tree(document, random, nodes);
        }
    }
}

/// Nested containers with one child each.
fn chain(document: &mut Document, random: &mut SplitMix64, levels: u64) {
    for _ in 0..levels {
        if random.one_in(3) {
            document.object();
            document.key_with(|buffer| text::word(buffer, random));
        } else {
            document.array();
        }
    }
    leaf(document, random);
    for _ in 0..levels {
        document.close();
    }
}

/// A tree of `nodes` nodes: each step goes down, up, or to a sibling.
fn tree(document: &mut Document, random: &mut SplitMix64, nodes: u64) {
    // Whether each open container is an object, one bit per level, which limits the depth of a tree.
    let mut objects: u64 = u64::from(random.one_in(2));
    let mut depth = 1;
    open(document, objects & 1 == 1);
    // Fewer nodes than words, so that no object has duplicate keys.
    let start = random.next_u64() >> 1;
    for at in start..start + nodes {
        match random.below(8) {
            0..4 if depth < 60 => {
                key(document, at, objects & 1 == 1);
                objects = objects << 1 | u64::from(random.one_in(2));
                depth += 1;
                open(document, objects & 1 == 1);
            }
            4..6 if depth > 1 => {
                document.close();
                objects >>= 1;
                depth -= 1;
            }
            _ => {
                key(document, at, objects & 1 == 1);
                leaf(document, random);
            }
        }
    }
    for _ in 0..depth {
        document.close();
    }
}

fn open(document: &mut Document, is_object: bool) {
    if is_object {
        document.object()
    } else {
        document.array()
    }
}

fn key(document: &mut Document, at: u64, is_object: bool) {
    if is_object {
        document.key_with(|buffer| text::word_at(buffer, at));
    }
}

fn leaf(document: &mut Document, random: &mut SplitMix64) {
    match random.below(8) {
        0 => document.null(),
        1 => document.boolean(true),
        2 => document.boolean(false),
        3 => document.string_with(|buffer| text::word(buffer, random)),
        4 => document.string(""),
        5 => {
            document.array();
            document.close();
        }
        6 => {
            document.object();
            document.close();
        }
        _ => document.integer(random.below(1000)),
    }
}
