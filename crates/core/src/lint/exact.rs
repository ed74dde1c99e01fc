//! Keys compared as they are read, unescaped and byte by byte.

use std::collections::TryReserveError;
use std::collections::hash_map::{Entry, HashMap};
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};

use crate::string::decode_key;

/// The text of keys, one after the other, as they are spelled.
#[derive(Debug, Default)]
pub(super) struct Store {
    /// Of each key where it stands in the text and its length, eight bytes each, and the bytes between its quotes.
    bytes: Vec<u8>,
}

const HEAD: usize = 16;

impl Store {
    /// Stores the key whose quote stands at `at`; None when there is no memory for it.
    pub(super) fn push(&mut self, at: u64, raw: &[u8]) -> Option<u64> {
        self.bytes.try_reserve(HEAD + raw.len()).ok()?;
        let place = self.bytes.len() as u64;
        self.bytes.extend_from_slice(&at.to_le_bytes());
        self.bytes
            .extend_from_slice(&(raw.len() as u64).to_le_bytes());
        self.bytes.extend_from_slice(raw);
        Some(place)
    }

    /// Where it stands, and what is between its quotes.
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

    /// The place of the key stored next after this one.
    pub(super) fn end_of(&self, place: u64) -> u64 {
        place + (HEAD + self.get(place).1.len()) as u64
    }

    /// Forgets the keys from this place on.
    pub(super) fn truncate(&mut self, place: u64) {
        self.bytes.truncate(place as usize);
    }
}

/// The keys of one object, by what they say.
///
/// The hash is keyed afresh in every process, so that nobody can prepare a file whose keys collide; those that do
/// are compared, and one that is another key moves on to the next hash.
#[derive(Debug, Default)]
pub(super) struct Exact {
    keyed: RandomState,
    first: HashMap<u64, u64, BuildHasherDefault<Hashed>>,
    /// Where the stored keys of the object end.
    pub(super) end: u64,
    /// Keys compared.
    pub(super) steps: u64,
}

/// What is hashed already.
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
    /// Adds a key. The place of the first one that says the same, if there is one.
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

    /// Forgets the keys.
    pub(super) fn clear(&mut self) {
        self.first.clear();
    }
}

fn same(a: &[u8], b: &[u8]) -> bool {
    a == b || decode_key(a) == decode_key(b)
}
