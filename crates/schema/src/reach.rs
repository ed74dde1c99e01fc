//! Which files references may open. A schema may be untrusted, so references open regular files of a bounded size, below the folder
//! of the file with the reference or below a folder that the user named.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

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
    /// These files both have its name as their `$id`.
    Repeated(PathBuf, PathBuf),
    /// The file cannot be read or is not a schema.
    Unusable(Unusable),
}

/// Tells whether a setting, a schema or a document may name a file: a regular one of at most `limit` bytes below one of these folders.
/// Everything that they name goes through this function, before it is opened.
///
/// # Errors
/// It may not be opened, or there is no such file.
pub fn may_open(
    path: &Path,
    folders: impl Iterator<Item = PathBuf>,
    limit: u64,
) -> Result<(), Dead> {
    let unusable = |error: io::Error| {
        Dead::Unusable(Unusable::Unreadable {
            path: path.to_owned(),
            error: Arc::new(error),
        })
    };
    if !is_below(path, folders) {
        return Err(Dead::Outside);
    }
    let about = match fs::metadata(path) {
        Ok(about) => about,
        Err(error) => {
            return Err(match error.kind() {
                ErrorKind::NotFound | ErrorKind::NotADirectory => Dead::Missing,
                _ => unusable(error),
            });
        }
    };
    if !about.is_file() {
        return Err(unusable(io::Error::other("not a regular file")));
    }
    if about.len() > limit {
        let text = format!("larger than {} MB", limit >> 20);
        return Err(unusable(io::Error::new(ErrorKind::FileTooLarge, text)));
    }
    Ok(())
}

/// The bytes of a file that a setting, a schema or a document names.
///
/// # Errors
/// Those of [`may_open`], and of reading.
pub fn read_named(
    path: &Path,
    folders: impl Iterator<Item = PathBuf>,
    limit: u64,
) -> Result<Vec<u8>, Dead> {
    may_open(path, folders, limit)?;
    fs::read(path).map_err(|error| {
        Dead::Unusable(Unusable::Unreadable {
            path: path.to_owned(),
            error: Arc::new(error),
        })
    })
}

/// Whether a file is below one of these folders. Symbolic links are followed.
pub fn is_below(path: &Path, mut folders: impl Iterator<Item = PathBuf>) -> bool {
    let plain = lexical(path);
    // Outside of the folders, not even the existence of a file is tested.
    let is_named = |folder: &Path| {
        plain.starts_with(lexical(folder))
            || fs::canonicalize(folder).is_ok_and(|folder| plain.starts_with(folder))
    };
    // Of the path as it is opened: `..` after a symbolic link leads to the parent of its target. A missing file cannot be a link.
    let is_within = |folder: &Path| match (fs::canonicalize(path), fs::canonicalize(folder)) {
        (Ok(path), Ok(folder)) => path.starts_with(folder),
        (path, _) => path.is_err(),
    };
    folders.any(|folder| is_named(&folder) && is_within(&folder))
}

/// Two files with one `$id`, in words.
pub fn both(one: &Path, other: &Path) -> String {
    let name = |path: &Path| near(&path.to_string_lossy());
    format!("the `$id` of {} and of {}", name(one), name(other))
}

/// A path relative to the current directory, if it is in it.
pub fn near(path: &str) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let near = Path::new(path).strip_prefix(here);
    near.map_or(path.to_owned(), |near| near.to_string_lossy().into_owned())
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
