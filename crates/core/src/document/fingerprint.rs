//! One number for each value: equal values have equal numbers.
//!
//! The converse does not hold, and nothing depends on it: two values with the same fingerprint are still compared, so a
//! collision costs time or a longer [difference](crate::diff), never a wrong answer. The numbers differ between processes, so
//! an attacker cannot prepare values that collide.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

use super::{Document, Node};
use crate::number::Number;
use crate::string::decode_key;
use crate::token::Kind;

/// The fingerprints of all keys and values of a document, by their word in its index.
pub(crate) struct Fingerprints {
    key: Key,
    words: Vec<u64>,
    /// Some object has duplicate keys.
    pub(crate) any_duplicates: bool,
}

/// The options that change how a document is compared.
#[derive(Default)]
pub(crate) struct Rules {
    /// Numbers are compared by their text.
    pub(crate) exact: bool,
    /// The words of ignored values, ascending.
    pub(crate) ignored: Vec<usize>,
    /// The words of arrays that are compared as sets, ascending.
    pub(crate) sets: Vec<usize>,
}

impl Rules {
    pub(crate) fn is_ignored(&self, node: Node<'_, '_>) -> bool {
        contains(&self.ignored, node.word())
    }

    pub(crate) fn is_set(&self, node: Node<'_, '_>) -> bool {
        contains(&self.sets, node.word())
    }
}

fn contains(sorted: &[usize], word: usize) -> bool {
    !sorted.is_empty() && sorted.binary_search(&word).is_ok()
}

impl Fingerprints {
    /// Computes them in one pass; each child is visited once more when its container ends.
    pub(crate) fn new(document: &Document<'_>, rules: &Rules) -> Fingerprints {
        let count = document.words();
        let mut fingerprints = Fingerprints {
            key: *KEY,
            words: vec![0; count],
            any_duplicates: false,
        };
        let mut scratch = Vec::new();
        // The open containers.
        let mut open: Vec<Node<'_, '_>> = Vec::new();
        let mut word = 0;
        loop {
            while let Some(&container) = open.last()
                && container.end_word() == word
            {
                open.pop();
                fingerprints.close(container, rules, &mut scratch);
            }
            if word == count {
                return fingerprints;
            }
            let node = document.node(word);
            match node.kind() {
                Kind::Array | Kind::Object => {
                    open.push(node);
                    word += 2;
                }
                _ => {
                    fingerprints.words[word] = fingerprints.key.scalar(node, rules.exact);
                    word += 1;
                }
            }
        }
    }

    /// The offset and the fingerprint of each array and object, in the order in which they begin.
    pub(crate) fn containers(&self, document: &Document<'_>) -> impl Iterator<Item = (usize, u64)> {
        let mut word = 0;
        std::iter::from_fn(move || {
            while word < self.words.len() {
                let node = document.node(word);
                let is_container = matches!(node.kind(), Kind::Array | Kind::Object);
                word += if is_container { 2 } else { 1 };
                if is_container {
                    return Some((node.span().start, self.get(node)));
                }
            }
            None
        })
    }

    /// The fingerprint of a key or value.
    #[inline]
    pub(crate) fn get(&self, node: Node<'_, '_>) -> u64 {
        self.words[node.word()]
    }

    /// Whether an object has duplicate keys.
    pub(crate) fn has_duplicates(&self, object: Node<'_, '_>) -> bool {
        self.words[object.word() + 1] & DUPLICATES != 0
    }

    fn close(&mut self, container: Node<'_, '_>, rules: &Rules, scratch: &mut Vec<(u64, u64)>) {
        let (fingerprint, flags) = match container.kind() {
            Kind::Object => self.object(container, rules, scratch),
            _ if rules.is_set(container) => (self.set(container, rules, scratch), 0),
            _ => (self.array(container, rules), 0),
        };
        self.any_duplicates |= flags & DUPLICATES != 0;
        self.words[container.word()] = fingerprint;
        self.words[container.word() + 1] = flags;
    }

    fn array(&self, array: Node<'_, '_>, rules: &Rules) -> u64 {
        let elements = array.elements().filter(|&node| !rules.is_ignored(node));
        elements.fold(ARRAY, |sum, node| self.key.mix(sum, self.get(node)))
    }

    fn set(&self, array: Node<'_, '_>, rules: &Rules, scratch: &mut Vec<(u64, u64)>) -> u64 {
        scratch.clear();
        let elements = array.elements().filter(|&node| !rules.is_ignored(node));
        scratch.extend(elements.map(|node| (self.get(node), 0)));
        scratch.sort_unstable();
        scratch.dedup();
        scratch
            .iter()
            .fold(SET, |sum, &(id, _)| self.key.mix(sum, id))
    }

    /// The sum over the members, which does not depend on their order. The last of duplicate keys counts.
    fn object(
        &self,
        object: Node<'_, '_>,
        rules: &Rules,
        scratch: &mut Vec<(u64, u64)>,
    ) -> (u64, u64) {
        scratch.clear();
        let mut flags = 0;
        let compared = object
            .members()
            .filter(|&(_, value)| !rules.is_ignored(value));
        scratch.extend(compared.map(|(key, value)| (self.get(key), self.get(value))));
        if has_duplicates(scratch) {
            flags = DUPLICATES;
            // The last of duplicate keys comes first.
            scratch.reverse();
            scratch.sort_by_key(|&(key, _)| key);
            scratch.dedup_by_key(|&mut (key, _)| key);
        }
        let members = scratch.iter();
        let sum = members.fold(OBJECT, |sum, &(key, value)| {
            sum.wrapping_add(self.key.mix(key, value))
        });
        (self.key.mix(sum, scratch.len() as u64), flags)
    }
}

/// Set for an object with duplicate keys.
const DUPLICATES: u64 = 1;

fn has_duplicates(members: &[(u64, u64)]) -> bool {
    /// Maximum number of members whose keys are compared pairwise.
    const FEW: usize = 12;
    if members.len() <= FEW {
        let later = |place: usize| members[place + 1..].iter().map(|&(key, _)| key);
        let mut keys = members.iter().enumerate();
        return keys.any(|(place, &(key, _))| later(place).any(|other| other == key));
    }
    let mut keys: Vec<u64> = members.iter().map(|&(key, _)| key).collect();
    keys.sort_unstable();
    keys.windows(2).any(|pair| pair[0] == pair[1])
}

const NULL: u64 = 0x1d8e_4e27_c47d_124f;
const TRUE: u64 = 0xeb44_accb_9a55_4ee1;
const FALSE: u64 = 0x9e6c_63d0_7a2f_1d8b;
const NUMBER: u64 = 0x2545_f491_4f6c_dd1d;
const STRING: u64 = 0xa076_1d64_78bd_642f;
const ARRAY: u64 = 0xe703_7ed1_a0b4_28db;
const SET: u64 = 0x8ebc_6af0_9c88_c6e3;
const OBJECT: u64 = 0x5899_65cc_7537_4cc3;

/// The random words on which all fingerprints of a process depend.
#[derive(Clone, Copy)]
struct Key([u64; 2]);

static KEY: LazyLock<Key> = LazyLock::new(|| {
    let random = RandomState::new();
    Key([random.hash_one(0), random.hash_one(1)])
});

impl Key {
    /// XORs each word with a random one, multiplies them, and folds both halves of the product.
    #[inline]
    fn mix(self, a: u64, b: u64) -> u64 {
        let product = u128::from(a ^ self.0[0]) * u128::from(b ^ self.0[1]);
        (product as u64) ^ (product >> 64) as u64
    }

    fn scalar(self, node: Node<'_, '_>, exact: bool) -> u64 {
        let raw = node.raw();
        match node.kind() {
            Kind::Null => NULL,
            Kind::Boolean if raw.starts_with(b"t") => TRUE,
            Kind::Boolean => FALSE,
            Kind::Number if exact => self.bytes(NUMBER, raw),
            Kind::Number => self.number(raw),
            _ => self.string(raw.get(1..raw.len() - 1).unwrap_or_default()),
        }
    }

    /// The fingerprint of a string or key, from the text between its quotes.
    fn string(self, content: &[u8]) -> u64 {
        match memchr::memchr(b'\\', content) {
            None => self.bytes(STRING, content),
            Some(_) => self.bytes(STRING, &decode_key(content)),
        }
    }

    fn bytes(self, seed: u64, bytes: &[u8]) -> u64 {
        let (words, rest) = bytes.as_chunks::<8>();
        let sum = words
            .iter()
            .fold(seed, |sum, word| self.mix(sum, u64::from_le_bytes(*word)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.mix(self.mix(sum, u64::from_le_bytes(last)), bytes.len() as u64)
    }

    /// The fingerprint of the exact value: a few digits without an exponent are parsed here, all other numbers by
    /// [`Number::decimal`].
    fn number(self, raw: &[u8]) -> u64 {
        if let Some((negative, digits, power)) = few_digits(raw) {
            return self.decimal(negative, digits, power);
        }
        let value = Number::new(raw).decimal();
        if value.is_zero() {
            return self.decimal(false, 0, 0);
        }
        let power = value.exact_power();
        let power = match power.small() {
            Some(power) => power as u64,
            None => self.bytes(NUMBER, power.to_string().as_bytes()),
        };
        if value.digit_count() <= FITS {
            let digit = |sum: u64, digit: u8| sum * 10 + u64::from(digit - b'0');
            return self.decimal(value.is_negative(), value.digits().fold(0, digit), power);
        }
        let sum = value
            .digits()
            .fold(NUMBER, |sum, digit| self.mix(sum, u64::from(digit)));
        self.decimal(value.is_negative(), sum, power)
    }

    fn decimal(self, negative: bool, digits: u64, power: u64) -> u64 {
        self.mix(self.mix(NUMBER ^ u64::from(negative), digits), power)
    }
}

/// Number of digits that fit into a word.
const FITS: usize = 19;

/// Sign, significant digits and power of ten of a number that has no exponent and at most [`FITS`] digits.
fn few_digits(raw: &[u8]) -> Option<(bool, u64, u64)> {
    let (negative, text) = match raw {
        [b'-', text @ ..] => (true, text),
        text => (false, text),
    };
    if text.len() > FITS {
        return None;
    }
    let (mut digits, mut power, mut fraction) = (0u64, 0u64, 0);
    for &byte in text {
        match byte {
            b'0'..=b'9' => {
                digits = digits * 10 + u64::from(byte - b'0');
                power = power.wrapping_sub(fraction);
            }
            b'.' => fraction = 1,
            _ => return None,
        }
    }
    if digits == 0 {
        return Some((false, 0, 0));
    }
    while digits % 10 == 0 {
        digits /= 10;
        power = power.wrapping_add(1);
    }
    Some((negative, digits, power))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> u64 {
        of_with(text, false)
    }

    fn of_with(text: &str, exact: bool) -> u64 {
        let document = Document::parse(text.as_bytes()).unwrap();
        let rules = Rules {
            exact,
            ignored: Vec::new(),
            sets: Vec::new(),
        };
        Fingerprints::new(&document, &rules).get(document.root())
    }

    /// Values prepared to collide under one key do not collide under another.
    #[test]
    fn fingerprints_depend_on_the_key() {
        let document =
            Document::parse(br#"[0, 1, 1e99, 123456789012345678901, "", "ab", "a long string"]"#);
        let keys = [[1, 2], [3, 4], KEY.0].map(Key);
        for node in document.unwrap().root().elements() {
            let mut all = keys.map(|key| key.scalar(node, false));
            all.sort_unstable();
            assert!(all[0] != all[1] && all[1] != all[2], "{node:?}");
        }
        assert_ne!(KEY.0[0], KEY.0[1]);
    }

    #[test]
    fn equal_values_have_equal_fingerprints() {
        for (a, b) in [
            ("1", "1.0"),
            ("100", "1e2"),
            ("-0.0", "0"),
            ("0.001", "1e-3"),
            ("12345678901234567890", "1.234567890123456789e19"),
            (
                "123456789012345678901234567890",
                "12345678901234567890123456789e1",
            ),
            ("1230000000000000000000", "123e19"),
            ("1e400", "10e399"),
            (
                "1e10000000000000000000000000000000000000000",
                "10e9999999999999999999999999999999999999999",
            ),
            ("-0.1e-18446744073709551615", "-1e-18446744073709551616"),
            (r#""\u0061\/""#, r#""a/""#),
            (r#"{"a": 1, "b": [2]}"#, r#"{"b":[2.0],"\u0061":1}"#),
            (r#"{"a": 2, "a": 1}"#, r#"{"a": 1}"#),
            ("[ ]", "[]"),
        ] {
            assert_eq!(of(a), of(b), "{a} {b}");
        }
        assert_ne!(of_with("1", true), of_with("1.0", true));
    }

    #[test]
    fn different_values_have_different_fingerprints() {
        let texts = [
            "0",
            "1",
            "-1",
            "0.1",
            "1e400",
            "1e401",
            // Powers that differ by 2⁶⁴, and far ones.
            "10",
            "1e18446744073709551617",
            "1e36893488147419103233",
            "1e10000000000000000000000000000000000000000",
            "1e10000000000000000000000000000000000000001",
            "1e99999999999999999999999999999999999999999",
            "null",
            "true",
            "false",
            "\"\"",
            "\"0\"",
            "[]",
            "{}",
            "[[]]",
            "[0]",
            "[0, 0]",
            "{\"a\": 0}",
            "{\"b\": 0}",
            "{\"a\": 1}",
            "{\"a\": 0, \"b\": 1}",
            "{\"a\": 1, \"b\": 0}",
            "[1, 2]",
            "[2, 1]",
            "\"\\u0000\"",
            "\"abcdefgh\"",
            "\"abcdefgh\\u0000\"",
            "12345678901234567890",
            "12345678901234567891",
            "[[1], 2]",
            "[[1, 2]]",
        ];
        let mut all: Vec<u64> = texts.map(of).to_vec();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), texts.len());
    }
}
