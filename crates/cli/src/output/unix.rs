//! What replacing a file asks of a Unix system.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use rustix::fs::{Access, AtFlags, CWD, accessat};
use signal_hook::consts::signal::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use xattr::FileExt;

use super::interrupt;
use super::replace::ReplaceError;

/// What tells that a file is still the same and was not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
}

impl Identity {
    /// That of a file with this metadata.
    pub fn of(metadata: &Metadata) -> Identity {
        Identity {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.size(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
        }
    }
}

/// Asks whether this user may write a file. A file that nobody may write is read-only for the superuser too: somebody
/// has said so on purpose.
///
/// # Errors
/// It may not.
pub fn may_be_written(path: &Path, metadata: &Metadata) -> io::Result<()> {
    if metadata.mode() & 0o222 == 0 {
        return Err(ErrorKind::PermissionDenied.into());
    }
    Ok(accessat(CWD, path, Access::WRITE_OK, AtFlags::EACCESS)?)
}

/// Gives a new file the owner, the extended attributes and the mode of another.
///
/// # Errors
/// One of them could not be kept.
pub fn make_alike(original: &File, metadata: &Metadata, new: &File) -> Result<(), ReplaceError> {
    let made = new.metadata().map_err(ReplaceError::at("not rewritten"))?;
    if (made.uid(), made.gid()) != (metadata.uid(), metadata.gid()) {
        fchown(new, Some(metadata.uid()), Some(metadata.gid())).map_err(ReplaceError::at(
            "not rewritten: its owner or group cannot be kept",
        ))?;
    }
    copy_attributes(original, new).map_err(ReplaceError::at(
        "not rewritten: an extended attribute cannot be kept",
    ))?;
    // After the owner, because a change of owner takes bits of the mode away, and after the attributes, because an
    // access control list has a part of the mode in it.
    let mode = PermissionsExt::from_mode(metadata.mode() & 0o7777);
    new.set_permissions(mode)
        .map_err(ReplaceError::at("not rewritten: its mode cannot be kept"))
}

fn copy_attributes(original: &File, new: &File) -> io::Result<()> {
    let names = match original.list_xattr() {
        Ok(names) => names,
        // A file system without them.
        Err(error) if error.kind() == ErrorKind::Unsupported => return Ok(()),
        Err(error) => return Err(error),
    };
    for name in names {
        // A security label that the system has given the new file too need not, and often may not, be set.
        if let Some(value) = original.get_xattr(&name)?
            && new.get_xattr(&name).ok().flatten().as_ref() != Some(&value)
        {
            new.set_xattr(&name, &value)?;
        }
    }
    Ok(())
}

/// Makes the names in a directory as durable as the files.
///
/// # Errors
/// Those of the system, but for a file system that has no such thing.
pub fn synchronise_directory(path: &Path) -> io::Result<()> {
    match File::open(path)?.sync_all() {
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::InvalidInput | ErrorKind::Unsupported
            ) =>
        {
            Ok(())
        }
        synchronised => synchronised,
    }
}

/// From now on, signals that end the process remove the temporary files first. A file that grows beyond the limit of
/// the process is an error of `write`, and no signal.
///
/// # Errors
/// The handlers cannot be installed.
pub fn remove_pending_on_signals() -> io::Result<()> {
    let ignored = ignored_signals();
    let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT];
    // `nohup` and background jobs of scripts are protected from some of them, and stay so.
    let ours = ending
        .into_iter()
        .filter(|signal| ignored & (1 << (signal - 1)) == 0);
    let mut signals = Signals::new(ours)?;
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            if let Some(signal) = signals.forever().next() {
                let _held = interrupt::remove_all();
                // The parent sees the signal, as if nobody had caught it.
                let _ = emulate_default_handler(signal);
                std::process::abort();
            }
        })?;
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    Ok(())
}

/// The signals that the process was started to ignore, bit `n - 1` for signal `n`, where the system tells.
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}
