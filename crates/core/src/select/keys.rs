//! Lookup in a set of keys: one comparison of eight bytes rejects almost every other key.

use crate::string::{self, key_equals};

/// A set of keys.
#[derive(Debug, Default)]
pub(super) struct SearchKeys {
    keys: Vec<Key>,
    table: Option<Box<Table>>,
}

#[derive(Debug)]
struct Key {
    number: u32,
    /// Decoded.
    text: Box<[u8]>,
    /// The unescaped key after `front`, up to and including the quote; `None` if the key needs escapes or `front` is
    /// the whole key.
    rest: Option<Box<[u8]>>,
    /// The opening quote and the first bytes of the unescaped key, at most eight in total.
    front: u64,
    /// Selects those bytes.
    mask: u64,
    /// `front` is the whole key, including both quotes.
    whole: bool,
}

/// For each value of the first and second byte after the quote, a mask of the keys that may have it there: bit `i`
/// stands for the keys with the index `i` modulo 64.
type Table = [[u64; 256]; 2];

impl SearchKeys {
    pub(super) fn new(keys: impl Iterator<Item = (u32, Box<[u8]>)>) -> SearchKeys {
        let keys: Vec<Key> = keys.map(|(number, text)| Key::new(number, text)).collect();
        let table = (!keys.is_empty()).then(|| {
            let mut table: Box<Table> = Box::new([[0; 256]; 2]);
            for (index, key) in keys.iter().enumerate() {
                let bit = 1 << (index % 64);
                for position in 0..2 {
                    // An escape may decode to any byte, and any byte may follow the closing quote.
                    let bytes = key.front.to_le_bytes();
                    let known = key.mask >> (8 * (position + 1)) & 0xff != 0;
                    for (byte, bits) in table[position].iter_mut().enumerate() {
                        if !known || byte == usize::from(bytes[position + 1]) || byte == 0x5c {
                            *bits |= bit;
                        }
                    }
                }
            }
            table
        });
        SearchKeys { keys, table }
    }

    /// Upper bound on the length of a key of the set in the input, in bytes, including quotes.
    pub(super) fn longest(&self) -> usize {
        // An escape takes at most six bytes for one byte of the key.
        let longest = self.keys.iter().map(|key| key.text.len()).max();
        longest.map_or(0, |longest| longest.saturating_mul(6) + 2)
    }

    /// The number of the key at the start of `text`, if it is in the set. The text begins with the opening quote and
    /// contains the whole key; bytes after it are ignored.
    #[inline(always)]
    pub(super) fn find(&self, text: &[u8]) -> Option<u32> {
        let table = self.table.as_ref()?;
        let word = match text.first_chunk() {
            Some(bytes) => u64::from_le_bytes(*bytes),
            None => {
                let mut bytes = [0; 8];
                bytes[..text.len()].copy_from_slice(text);
                u64::from_le_bytes(bytes)
            }
        };
        let [first, second] = [word >> 8 & 0xff, word >> 16 & 0xff].map(|byte| byte as usize);
        let mut candidates = table[0][first];
        if candidates == 0 {
            return None;
        }
        if first != 0x5c {
            candidates &= table[1][second];
        }
        while candidates != 0 {
            let mut index = candidates.trailing_zeros() as usize;
            while let Some(key) = self.keys.get(index) {
                if key.is(word, text) {
                    return Some(key.number);
                }
                index += 64;
            }
            candidates &= candidates - 1;
        }
        None
    }
}

impl Key {
    fn new(number: u32, text: Box<[u8]>) -> Key {
        let plain = string::find_special(&text, 0);
        let mut front = vec![b'"'];
        front.extend_from_slice(&text[..plain]);
        if plain == text.len() {
            front.push(b'"');
        }
        let whole = plain == text.len() && front.len() <= 8;
        let rest = (plain == text.len() && !whole).then(|| front[8..].into());
        front.truncate(8);
        let mask = u64::MAX >> (64 - 8 * front.len());
        front.resize(8, 0);
        Key {
            number,
            text,
            rest,
            front: front.try_into().map_or(0, u64::from_le_bytes),
            mask,
            whole,
        }
    }

    #[inline(always)]
    fn is(&self, word: u64, text: &[u8]) -> bool {
        let different = (word ^ self.front) & self.mask;
        if different == 0 {
            return self.whole || self.ends(text) || self.is_decoded(text);
        }
        // If the first different byte is a backslash, the key may be equal after decoding.
        let lane = different.trailing_zeros() & !7;
        word >> lane & 0xff == 0x5c && self.is_decoded(text)
    }

    /// Whether `text`, which begins with `front`, goes on with the rest of the key, without an escape.
    fn ends(&self, text: &[u8]) -> bool {
        let rest = self.rest.as_ref().zip(text.get(8..));
        rest.is_some_and(|(rest, text)| text.starts_with(rest))
    }

    #[inline(never)]
    fn is_decoded(&self, text: &[u8]) -> bool {
        string::end(text, 1).is_ok_and(|end| key_equals(&text[1..end], &self.text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Characters, each with its spellings: few, so that keys share their starts and ends.
    const CHARACTERS: [(&str, &[&str]); 4] = [
        ("a", &["a", "a", "a", "\\u0061"]),
        ("\n", &["\\n", "\\u000a"]),
        ("\"", &["\\\""]),
        ("é", &["é", "\\u00e9"]),
    ];

    fn key() -> impl Strategy<Value = (String, String)> {
        let character = prop_oneof![6 => Just(0_usize), 1 => 0..CHARACTERS.len()];
        prop::collection::vec((character, 0_usize..4), 0..20).prop_map(|characters| {
            let (mut decoded, mut written) = (String::new(), String::from("\""));
            for (number, spelling) in characters {
                let (character, spellings) = CHARACTERS[number];
                decoded += character;
                written += spellings[spelling % spellings.len()];
            }
            (decoded, written + "\"")
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]
        #[test]
        fn a_key_is_found_if_it_is_equal_after_decoding(
            searched in prop::collection::vec(key(), 1..4),
            (decoded, written) in key(),
            after in "[a:1]{0,12}",
        ) {
            let set = searched.iter().map(|(key, _)| key.as_bytes().into());
            let keys = SearchKeys::new((0..).zip(set));
            let expected = searched.iter().position(|(key, _)| *key == decoded);
            let found = keys.find((written + &after).as_bytes());
            prop_assert_eq!(found.map(|key| key as usize), expected);
        }
    }
}
