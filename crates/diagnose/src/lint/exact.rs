//! Stores the text of keys, and compares the unescaped keys of an object byte by byte.

use jsonx_core::string::decode_key;

use crate::key_set::KeySet;

/// The raw text of keys, one after another.
#[derive(Debug, Default)]
pub(super) struct Store {
    /// For each key: its offset in the text and its length, eight bytes each, then the bytes between its quotes.
    bytes: Vec<u8>,
}

const HEAD: usize = 16;

impl Store {
    /// Stores the key whose opening quote is at `at`. Returns its position.
    pub(super) fn push(&mut self, at: u64, raw: &[u8]) -> u64 {
        let position = self.bytes.len() as u64;
        self.bytes.extend_from_slice(&at.to_le_bytes());
        self.bytes
            .extend_from_slice(&(raw.len() as u64).to_le_bytes());
        self.bytes.extend_from_slice(raw);
        position
    }

    /// The offset of the key, and the bytes between its quotes.
    pub(super) fn get(&self, position: u64) -> (u64, &[u8]) {
        let key = &self.bytes[position as usize..];
        let word = |at: usize| {
            key.get(at..)
                .and_then(|bytes| bytes.first_chunk())
                .map_or(0, |bytes| u64::from_le_bytes(*bytes))
        };
        let length = word(8) as usize;
        (word(0), &key[HEAD..HEAD + length])
    }

    /// The offset of each key, and the bytes between its quotes, in their order.
    pub(super) fn keys(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let mut position = 0;
        core::iter::from_fn(move || {
            let key = ((position as usize) < self.bytes.len()).then(|| self.get(position))?;
            position = self.end_of(position);
            Some(key)
        })
    }

    /// The position in the store after this key, where the next one begins.
    pub(super) fn end_of(&self, position: u64) -> u64 {
        position + (HEAD + self.get(position).1.len()) as u64
    }

    /// Removes the keys from this position on.
    pub(super) fn truncate(&mut self, position: u64) {
        self.bytes.truncate(position as usize);
    }
}

/// The keys of one object, compared after unescaping.
#[derive(Debug, Default)]
pub(super) struct Exact {
    keys: KeySet<u64>,
    /// The end of the stored keys of the object.
    pub(super) end: u64,
}

impl Exact {
    /// Adds a key. Returns the position of the first equal key, if there is one.
    pub(super) fn insert(&mut self, store: &Store, position: u64) -> Option<u64> {
        self.keys.insert(position, usize::MAX, |position| {
            decode_key(store.get(position).1)
        })
    }

    /// Removes all keys.
    pub(super) fn clear(&mut self) {
        self.keys.clear();
    }

    /// The number of comparisons in all objects.
    pub(super) fn steps(&self) -> u64 {
        self.keys.comparisons()
    }
}
