//! The number of distinct keys of an object.

use std::collections::HashSet;

use crate::string::decode_key;

/// The decoded keys of an open object.
#[derive(Clone, Debug, Default)]
pub(super) struct ObjectKeys(HashSet<Box<[u8]>>);

impl ObjectKeys {
    /// Adds a key with its quotes.
    pub(super) fn insert(&mut self, quoted: &[u8]) {
        if let [b'"', raw @ .., b'"'] = quoted {
            let key = decode_key(raw);
            if !self.0.contains(&*key) {
                self.0.insert(key.into_owned().into());
            }
        }
    }

    pub(super) fn len(&self) -> u64 {
        self.0.len() as u64
    }
}
