//! A file that is named twice is one file.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};

/// What has been named, by the place that its name says: `a.json`, `./a.json` and the same with the current directory in
/// front are one. Links are not looked at.
pub struct Seen {
    current: PathBuf,
    /// Two of 64 bits, so that no two names are taken for one another.
    hashers: [RandomState; 2],
    /// 16 bytes for each name, which itself may have hundreds.
    seen: HashSet<[u64; 2]>,
}

impl Seen {
    pub fn new() -> Seen {
        Seen {
            current: std::env::current_dir().unwrap_or_default(),
            hashers: [RandomState::new(), RandomState::new()],
            seen: HashSet::new(),
        }
    }

    /// Whether it is named for the first time.
    pub fn is_new(&mut self, path: &Path) -> bool {
        let place = self.current.join(path);
        let place = place.as_path();
        self.seen
            .insert([0, 1].map(|number: usize| self.hashers[number].hash_one(place)))
    }
}
