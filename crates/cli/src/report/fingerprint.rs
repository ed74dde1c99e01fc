//! Fingerprints identify a finding across runs. They do not depend on its line, which changes when lines are added
//! before it.

use jsonx_core::path::Notation;
use std::collections::HashMap;

use super::entry::Entry;

/// Numbers the equal findings of one file.
#[derive(Default)]
pub(super) struct Fingerprints {
    seen: HashMap<u128, u64>,
}

impl Fingerprints {
    /// The fingerprint of the next entry, 32 hexadecimal digits: a hash of the path of the file, the code, the path in
    /// the document, the text, and the number of earlier entries that equal it in all of these.
    pub fn next(&mut self, path: &[u8], entry: &Entry) -> String {
        let place = entry
            .finding
            .map_or(String::new(), |d| d.path.display(Notation::Dot).to_string());
        let common = [
            path,
            entry.code.as_bytes(),
            place.as_bytes(),
            entry.text.as_bytes(),
        ]
        .iter()
        .fold(BASIS, |hash, part| fnv(fnv(hash, part), &[0]));
        let earlier = self.seen.entry(common).or_insert(0);
        let hash = fnv(common, &earlier.to_le_bytes());
        *earlier += 1;
        format!("{hash:032x}")
    }
}

/// The fingerprint of an unreadable file.
pub(super) fn of_unreadable(path: &[u8]) -> String {
    format!("{:032x}", fnv(fnv(BASIS, b"unreadable\0"), path))
}

/// Offset basis and prime of the 128-bit FNV-1a hash (Fowler, Noll and Vo).
const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

fn fnv(hash: u128, bytes: &[u8]) -> u128 {
    bytes.iter().fold(hash, |hash, &byte| {
        (hash ^ u128::from(byte)).wrapping_mul(PRIME)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published hashes of the empty text and of `a`.
    #[test]
    fn the_hash_is_fnv_1a() {
        assert_eq!(fnv(BASIS, b""), BASIS);
        assert_eq!(fnv(BASIS, b"a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
    }
}
