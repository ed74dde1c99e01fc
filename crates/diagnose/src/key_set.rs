//! The keys of one object, to find duplicates: shared by [`lint`](crate::lint) and [`diagnose`](crate::diagnose).

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};

/// The distinct keys of one object, each represented by a `K` from which the caller gets its unescaped text.
///
/// Every process keys the hash with a new random value, so that an attacker cannot prepare a file whose keys collide.
/// Keys with equal hashes are compared; if they differ, the new one moves on to the next hash. Most objects have few
/// keys: a plain list holds these, without a table.
#[derive(Debug)]
pub(crate) struct KeySet<K> {
    keyed: RandomState,
    few: Vec<(u64, K)>,
    many: HashMap<u64, K, BuildHasherDefault<Hashed>>,
    comparisons: u64,
}

/// The maximum length of the list that is searched linearly.
const FEW: usize = 16;

impl<K> Default for KeySet<K> {
    fn default() -> Self {
        KeySet {
            keyed: RandomState::new(),
            few: Vec::new(),
            many: HashMap::default(),
            comparisons: 0,
        }
    }
}

impl<K: Copy> KeySet<K> {
    /// Returns the first key equal to `key`. If there is none, adds `key`, unless the set has `most` keys.
    pub(crate) fn insert<'t>(
        &mut self,
        key: K,
        most: usize,
        unescaped: impl Fn(K) -> Cow<'t, [u8]>,
    ) -> Option<K> {
        let text = unescaped(key);
        let mut state = self.keyed.build_hasher();
        state.write(&text);
        let hash = state.finish();
        if !self.many.is_empty() || self.few.len() == FEW {
            return self.insert_in_table(key, most, hash, |other| unescaped(other) == text);
        }
        self.comparisons += self.few.len() as u64;
        let mut equal = self.few.iter().filter(|(other, _)| *other == hash);
        if let Some(&(_, first)) = equal.find(|&&(_, other)| unescaped(other) == text) {
            return Some(first);
        }
        if self.few.len() < most {
            self.few.push((hash, key));
        }
        None
    }

    fn insert_in_table(
        &mut self,
        key: K,
        most: usize,
        hash: u64,
        is_equal: impl Fn(K) -> bool,
    ) -> Option<K> {
        if self.many.is_empty() {
            self.many.reserve(2 * FEW);
            for (mut hash, key) in self.few.drain(..) {
                while self.many.contains_key(&hash) {
                    hash = hash.wrapping_add(1);
                }
                self.many.insert(hash, key);
            }
        }
        let mut hash = hash;
        loop {
            self.comparisons += 1;
            match self.many.get(&hash).copied() {
                None => {
                    if self.many.len() < most {
                        self.many.insert(hash, key);
                    }
                    return None;
                }
                Some(first) if is_equal(first) => return Some(first),
                Some(_) => hash = hash.wrapping_add(1),
            }
        }
    }

    /// The number of comparisons of hashes so far, also of keys that were removed.
    pub(crate) fn comparisons(&self) -> u64 {
        self.comparisons
    }

    /// Removes the keys, for another object. Drops a table, which is cheaper to create than to clear.
    pub(crate) fn clear(&mut self) {
        self.few.clear();
        if !self.many.is_empty() {
            self.many = HashMap::default();
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equal_keys_is_found_in_the_list_and_in_the_table() {
        for count in [1, FEW - 1, FEW, FEW + 1, 1000] {
            let texts: Vec<String> = (0..2 * count).map(|n| (n % count).to_string()).collect();
            let text = |index: usize| Cow::Borrowed(texts[index].as_bytes());
            let mut keys = KeySet::default();
            for index in 0..2 * count {
                let first = (index >= count).then_some(index % count);
                assert_eq!(keys.insert(index, usize::MAX, text), first);
            }
            assert!(keys.comparisons() <= (2 * count * FEW) as u64);
            keys.clear();
            assert_eq!(keys.insert(0, usize::MAX, text), None);
        }
    }

    #[test]
    fn a_full_set_still_finds_the_keys_it_has() {
        for most in [3, 30] {
            let texts: Vec<String> = (0..=most).map(|n| n.to_string()).collect();
            let text = |index: usize| Cow::Borrowed(texts[index].as_bytes());
            let mut keys = KeySet::default();
            for index in 0..most {
                assert_eq!(keys.insert(index, most, text), None);
            }
            assert_eq!(keys.insert(most, most, text), None);
            assert_eq!(keys.insert(1, most, text), Some(1));
        }
    }

    #[test]
    fn different_keys_with_one_hash_stay_different() {
        let texts = ["a", "b", "c", "a", "b"];
        let mut keys: KeySet<usize> = KeySet::default();
        let found: Vec<_> = (0..5)
            .map(|key| {
                keys.insert_in_table(key, usize::MAX, u64::MAX, |other| {
                    texts[other] == texts[key]
                })
            })
            .collect();
        assert_eq!(found, [None, None, None, Some(0), Some(1)]);
    }
}
