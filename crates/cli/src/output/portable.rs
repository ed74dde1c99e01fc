//! What replacing a file asks of a system of which only the standard library is known.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::SystemTime;

use super::replace::ReplaceError;

/// What tells that a file was not written: less than a Unix system knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    size: u64,
    modified: Option<SystemTime>,
}

impl Identity {
    /// That of a file with this metadata.
    pub fn of(metadata: &Metadata) -> Identity {
        Identity {
            size: metadata.len(),
            modified: metadata.modified().ok(),
        }
    }
}

/// Asks whether a file may be written.
///
/// # Errors
/// It may not.
pub fn may_be_written(_: &Path, metadata: &Metadata) -> io::Result<()> {
    match metadata.permissions().readonly() {
        true => Err(ErrorKind::PermissionDenied.into()),
        false => Ok(()),
    }
}

/// Gives a new file the permissions of another.
///
/// # Errors
/// They could not be kept.
pub fn make_alike(_: &File, metadata: &Metadata, new: &File) -> Result<(), ReplaceError> {
    new.set_permissions(metadata.permissions())
        .map_err(ReplaceError::at("not rewritten: its mode cannot be kept"))
}

/// Nothing: there is no portable way.
///
/// # Errors
/// None.
pub fn synchronise_directory(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Nothing: there is no portable way. What is interrupted may leave a temporary file.
///
/// # Errors
/// None.
pub fn remove_pending_on_signals() -> io::Result<()> {
    Ok(())
}
