//! The configuration files in the folders above a file, each folder read once: `.editorconfig`, `jsonx.json` and the
//! configurations of Prettier and Biome.

use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use jsonx_schema::is_below;

/// The results by folder.
#[derive(Debug)]
pub struct Folders<T>(Mutex<HashMap<PathBuf, T>>);

impl<T> Default for Folders<T> {
    fn default() -> Self {
        Folders(Mutex::default())
    }
}

impl<T: Clone> Folders<T> {
    /// The result for a folder. `read` is called once for each; other threads wait for it.
    pub fn get(&self, folder: &Path, read: impl FnOnce() -> T) -> T {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(folder) {
            return known.clone();
        }
        let found = read();
        known.insert(folder.to_owned(), found.clone());
        found
    }
}

/// The absolute path of a file without `.` and `..`, whose ancestors are the folders above it. The file need not exist.
pub fn full(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    if !path.components().any(|part| part == Component::ParentDir) {
        return Some(path);
    }
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    Some(plain)
}

/// Whether a symbolic link leads to a file in its repository, or in its folder if that is in none.
pub fn stays_in_repository(link: &Path) -> bool {
    let (Some(folder), Ok(target)) = (link.parent(), fs::canonicalize(link)) else {
        return false;
    };
    let mut above = folder.ancestors();
    let root = above.find(|folder| fs::symlink_metadata(folder.join(".git")).is_ok());
    is_below(&target, [root.unwrap_or(folder).to_owned()].into_iter())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_read_once() {
        let folders = Folders::default();
        let mut reads = 0;
        for folder in ["/a", "/b", "/a", "/a"] {
            let found = folders.get(Path::new(folder), || {
                reads += 1;
                folder
            });
            assert_eq!(found, folder);
        }
        assert_eq!(reads, 2);
    }

    #[cfg(unix)]
    #[test]
    fn full_paths_have_no_steps_up() {
        for (path, plain) in [
            ("/a/b.json", "/a/b.json"),
            ("/a/../b.json", "/b.json"),
            ("/a/b/.././c/../../d", "/d"),
            ("/../../a", "/a"),
        ] {
            assert_eq!(full(Path::new(path)), Some(PathBuf::from(plain)));
        }
        assert_eq!(full(Path::new("")), None);
    }
}
