//! Which files references may open. A schema may be untrusted, so references open regular files of a bounded size, below the folder
//! of the file with the reference or below a folder that the user named.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::Unusable;

/// The maximum size of a schema file in bytes.
pub const MAX_SCHEMA_SIZE: u64 = 64 << 20;

/// The reason why a reference has no target.
#[derive(Clone, Debug)]
pub enum Dead {
    /// There is no such file.
    Missing,
    /// The file may not be opened.
    Outside,
    /// The file cannot be read or is not a schema.
    Unusable(Unusable),
}

/// Whether a file is below one of these folders. Symbolic links are followed.
pub fn is_below(path: &Path, mut folders: impl Iterator<Item = PathBuf>) -> bool {
    let path = lexical(path);
    // Outside of the folders, not even the existence of a file is tested.
    let is_named = |folder: &Path| {
        path.starts_with(lexical(folder))
            || fs::canonicalize(folder).is_ok_and(|folder| path.starts_with(folder))
    };
    // A missing file cannot be a symbolic link.
    let is_within = |folder: &Path| match (fs::canonicalize(&path), fs::canonicalize(folder)) {
        (Ok(path), Ok(folder)) => path.starts_with(folder),
        (path, _) => path.is_err(),
    };
    folders.any(|folder| is_named(&folder) && is_within(&folder))
}

/// The bytes of a regular file of a bounded size.
pub fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    let about = fs::metadata(path)?;
    if about.is_file() && about.len() <= MAX_SCHEMA_SIZE {
        fs::read(path)
    } else {
        Err(io::ErrorKind::InvalidInput.into())
    }
}

/// An absolute path without `.` and `..`.
fn lexical(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in std::path::absolute(path).unwrap_or_default().components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            _ => plain.push(part),
        }
    }
    plain
}
