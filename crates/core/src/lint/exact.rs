//! Compares keys after unescaping, byte by byte.

use std::collections::TryReserveError;
use std::collections::hash_map::{Entry, HashMap};
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};

use crate::string::decode_key;

/// The raw text of keys, one after another.
#[derive(Debug, Default)]
pub(super) struct Store {
    /// For each key: its offset in the text and its length, eight bytes each, then the bytes between its quotes.
    bytes: Vec<u8>,
}

const HEAD: usize = 16;

impl Store {
    /// Stores the key whose opening quote is at `at`. Returns `None` if memory runs out.
    pub(super) fn push(&mut self, at: u64, raw: &[u8]) -> Option<u64> {
        self.bytes.try_reserve(HEAD + raw.len()).ok()?;
        let place = self.bytes.len() as u64;
        self.bytes.extend_from_slice(&at.to_le_bytes());
        self.bytes
            .extend_from_slice(&(raw.len() as u64).to_le_bytes());
        self.bytes.extend_from_slice(raw);
        Some(place)
    }

    /// The offset of the key, and the bytes between its quotes.
    pub(super) fn get(&self, place: u64) -> (u64, &[u8]) {
        let key = &self.bytes[place as usize..];
        let word = |at: usize| {
            key.get(at..)
                .and_then(|bytes| bytes.first_chunk())
                .map_or(0, |bytes| u64::from_le_bytes(*bytes))
        };
        let length = word(8) as usize;
        (word(0), &key[HEAD..HEAD + length])
    }

    /// The position in the store after this key, where the next one begins.
    pub(super) fn end_of(&self, place: u64) -> u64 {
        place + (HEAD + self.get(place).1.len()) as u64
    }

    /// Removes the keys from this position on.
    pub(super) fn truncate(&mut self, place: u64) {
        self.bytes.truncate(place as usize);
    }
}

/// The keys of one object, compared after unescaping.
///
/// Every process keys the hash with a new random value, so that an attacker cannot prepare a file whose keys collide.
/// Keys with equal hashes are compared; if they differ, the new one moves on to the next hash.
#[derive(Debug, Default)]
pub(super) struct Exact {
    keyed: RandomState,
    first: HashMap<u64, u64, BuildHasherDefault<Hashed>>,
    /// The end of the stored keys of the object.
    pub(super) end: u64,
    /// The number of comparisons.
    pub(super) steps: u64,
}

/// A hasher for values that are already hashes.
#[derive(Debug, Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl Exact {
    /// Adds a key. Returns the position of the first equal key, if there is one.
    pub(super) fn insert(
        &mut self,
        store: &Store,
        place: u64,
    ) -> Result<Option<u64>, TryReserveError> {
        self.first.try_reserve(1)?;
        let raw = store.get(place).1;
        let mut state = self.keyed.build_hasher();
        state.write(&decode_key(raw));
        let mut hash = state.finish();
        loop {
            self.steps += 1;
            match self.first.entry(hash) {
                Entry::Vacant(entry) => {
                    entry.insert(place);
                    return Ok(None);
                }
                Entry::Occupied(entry) if same(store.get(*entry.get()).1, raw) => {
                    return Ok(Some(*entry.get()));
                }
                Entry::Occupied(_) => hash = hash.wrapping_add(1),
            }
        }
    }

    /// Removes all keys.
    pub(super) fn clear(&mut self) {
        self.first.clear();
    }
}

fn same(a: &[u8], b: &[u8]) -> bool {
    a == b || decode_key(a) == decode_key(b)
}
