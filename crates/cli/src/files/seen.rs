//! A file that is selected twice is processed once.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};

use crate::system::{self, FileId};

/// The files that were selected.
///
/// `a.json`, `./a.json`, its absolute path and a symbolic link to it are one file. Hard links are several files:
/// rewriting one leaves the others unchanged.
pub struct Seen {
    current: PathBuf,
    /// Two hashes of 64 bits, to rule out collisions.
    hashers: [RandomState; 2],
    seen: HashSet<Key>,
}

#[derive(PartialEq, Eq, Hash)]
enum Key {
    Stdin,
    File(FileId),
    /// The hash of a path, because paths may have hundreds of bytes.
    Path([u64; 2]),
}

impl Seen {
    pub fn new() -> Seen {
        Seen {
            current: std::env::current_dir().unwrap_or_default(),
            hashers: [RandomState::new(), RandomState::new()],
            seen: HashSet::new(),
        }
    }

    /// Whether a file is selected for the first time.
    pub fn is_new(&mut self, path: &Path) -> bool {
        let key = self.key(path);
        self.seen.insert(key)
    }

    fn key(&self, path: &Path) -> Key {
        if path.as_os_str() == "-" {
            return Key::Stdin;
        }
        if let Ok(Some(id)) = system::single_file_id(path) {
            return Key::File(id);
        }
        let full = path.canonicalize();
        let full = full.unwrap_or_else(|_| self.current.join(path));
        Key::Path([0, 1].map(|number: usize| self.hashers[number].hash_one(full.as_path())))
    }
}
