//! Unix.

use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Write};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{FileExt as _, MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Access, AtFlags, CWD, accessat};
use signal_hook::consts::signal::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use xattr::FileExt;

use super::{MetadataError, Regular, stdout_id};

/// A duplicate descriptor of standard input, without a buffer.
///
/// # Errors
/// No file descriptor is available.
pub fn stdin() -> io::Result<File> {
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

/// Standard output for data.
pub struct Output(File);

impl Output {
    /// Standard output.
    ///
    /// # Errors
    /// No file descriptor is available.
    pub fn new() -> io::Result<Output> {
        stdout().map(Output)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A duplicate descriptor of standard output, without a buffer.
///
/// # Errors
/// No file descriptor is available.
pub fn stdout() -> io::Result<File> {
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

/// Standard error, locked until this is dropped.
pub type Stderr = io::StderrLock<'static>;

/// Locks standard error.
pub fn stderr() -> Stderr {
    io::stderr().lock()
}

/// Writes to standard error without its lock, and without allocating.
pub fn write_error(bytes: &[u8]) {
    let _ = rustix::io::write(io::stderr(), bytes);
}

/// Ends the process, without what [`std::process::exit`] runs before.
#[allow(unsafe_code)]
pub fn exit_at_once(code: i32) -> ! {
    // SAFETY: it may be called at any time, from any thread.
    unsafe { libc::_exit(code) }
}

/// Whether standard output and standard error are the same file of any kind.
pub(super) fn are_one_file() -> io::Result<bool> {
    let out = rustix::fs::fstat(io::stdout())?;
    let err = rustix::fs::fstat(io::stderr())?;
    Ok((out.st_dev, out.st_ino) == (err.st_dev, err.st_ino))
}

/// Opens a file for reading. Opening a FIFO does not wait for a writer, and reading without data is an error.
///
/// # Errors
/// Errors of the system.
pub fn open_without_waiting(path: &Path) -> io::Result<File> {
    let flags = rustix::fs::OFlags::NONBLOCK.bits();
    File::options()
        .read(true)
        .custom_flags(flags as i32)
        .open(path)
}

/// Whether an attribute hides a file: never on Unix.
pub fn has_hidden_attribute(_: impl FnOnce() -> Option<Metadata>) -> bool {
    false
}

/// The identity of a file, regardless of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileId {
    device: u64,
    inode: u64,
}

impl FileId {
    fn new(metadata: &Metadata) -> FileId {
        FileId {
            device: metadata.dev(),
            inode: metadata.ino(),
        }
    }
}

/// The identity of the file at a path; `None` if it is not a regular file.
///
/// # Errors
/// Errors of the system.
pub fn file_id(path: &Path) -> io::Result<Option<FileId>> {
    let metadata = std::fs::metadata(path)?;
    Ok(metadata.is_file().then(|| FileId::new(&metadata)))
}

/// The same, but `None` also for a file with hard links, because each of its names can be replaced separately.
///
/// # Errors
/// Errors of the system.
pub fn single_file_id(path: &Path) -> io::Result<Option<FileId>> {
    let metadata = std::fs::metadata(path)?;
    Ok((metadata.nlink() == 1).then(|| FileId::new(&metadata)))
}

/// Creates a new file with the default mode.
///
/// # Errors
/// Errors of the system.
pub fn create(path: &Path) -> io::Result<File> {
    create_with(path, 0o666)
}

/// Creates a new file that only its owner may read.
///
/// # Errors
/// Errors of the system.
pub fn create_private(path: &Path) -> io::Result<File> {
    create_with(path, 0o600)
}

fn create_with(path: &Path, mode: u32) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    options.mode(mode).open(path)
}

/// The identity of this file; `None` if it is not a regular file.
///
/// # Errors
/// Errors of the system.
pub fn id_of(file: &File) -> io::Result<Option<FileId>> {
    let metadata = file.metadata()?;
    Ok(metadata.is_file().then(|| FileId::new(&metadata)))
}

/// A regular file, which can be read at any offset and again; `None` for a stream. One system call.
///
/// # Errors
/// Errors of the system; `IsADirectory`.
pub fn regular(file: &File) -> io::Result<Option<Regular>> {
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        Err(ErrorKind::IsADirectory.into())
    } else {
        Ok(metadata.is_file().then(|| Regular {
            length: metadata.len(),
            is_stdout: stdout_id() == Some(FileId::new(&metadata)),
        }))
    }
}

/// Reads the bytes at an offset.
///
/// # Errors
/// Errors of the system.
pub fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    file.read_at(buffer, at)
}

/// The name of a file in a list or before a position: any bytes.
///
/// # Errors
/// None.
pub fn file_name(bytes: Vec<u8>) -> io::Result<OsString> {
    Ok(OsString::from_vec(bytes))
}

/// Grows the buffer of a pipe to the size of one read, so that its writer continues while a chunk is checked. No effect on
/// other files.
#[cfg(target_os = "linux")]
pub fn grow_pipe(file: &File, bytes: usize) {
    let _ = rustix::pipe::fcntl_setpipe_size(file, bytes);
}

/// Does nothing: only Linux has adjustable pipes.
#[cfg(not(target_os = "linux"))]
pub fn grow_pipe(_: &File, _: usize) {}

/// Waits until there are bytes to read, or until the deadline.
///
/// # Errors
/// Errors of `poll` except `EINTR`; `TimedOut`.
pub fn wait_readable(file: &impl AsFd, until: Option<Instant>) -> io::Result<()> {
    wait_for(file, PollFlags::IN, until)
}

/// Waits until bytes can be written.
///
/// # Errors
/// Errors of `poll` except `EINTR`.
pub fn wait_writable(file: &impl AsFd) -> io::Result<()> {
    wait_for(file, PollFlags::OUT, None)
}

fn wait_for(file: &impl AsFd, what: PollFlags, until: Option<Instant>) -> io::Result<()> {
    loop {
        let longest = until.map(|until| {
            let left = until.saturating_duration_since(Instant::now());
            Timespec {
                tv_sec: left.as_secs() as i64,
                tv_nsec: left.subsec_nanos().into(),
            }
        });
        match poll(&mut [PollFd::new(file, what)], longest.as_ref()) {
            Err(rustix::io::Errno::INTR) => {}
            Ok(0) => return Err(ErrorKind::TimedOut.into()),
            ready => return ready.map(drop).map_err(io::Error::from),
        }
    }
}

/// Identifies a version of a file: it changes when the file is written or replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
}

impl Identity {
    /// The identity of a file with this metadata.
    pub fn new(metadata: &Metadata) -> Identity {
        Identity {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.size(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
        }
    }
}

/// Checks that this user may write a file. A file without any write permission is read-only for the superuser too: that
/// was done on purpose.
///
/// # Errors
/// It may not.
pub fn check_writable(path: &Path, metadata: &Metadata) -> io::Result<()> {
    if metadata.mode() & 0o222 == 0 {
        return Err(ErrorKind::PermissionDenied.into());
    }
    Ok(accessat(CWD, path, Access::WRITE_OK, AtFlags::EACCESS)?)
}

/// Copies owner, extended attributes and mode to a new file.
///
/// # Errors
/// One of them could not be kept.
pub fn copy_metadata(
    original: &File,
    metadata: &Metadata,
    new: &File,
) -> Result<(), MetadataError> {
    let made = new.metadata().map_err(|error| ("not rewritten", error))?;
    if (made.uid(), made.gid()) != (metadata.uid(), metadata.gid()) {
        fchown(new, Some(metadata.uid()), Some(metadata.gid()))
            .map_err(|error| ("not rewritten: cannot preserve its owner or group", error))?;
    }
    copy_attributes(original, new).map_err(|error| {
        (
            "not rewritten: cannot preserve an extended attribute",
            error,
        )
    })?;
    // After the owner, because a change of owner clears bits of the mode, and after the attributes, because an
    // access control list contains part of the mode.
    let mode = PermissionsExt::from_mode(metadata.mode() & 0o7777);
    new.set_permissions(mode)
        .map_err(|error| ("not rewritten: cannot preserve its mode", error))
}

fn copy_attributes(original: &File, new: &File) -> io::Result<()> {
    let names = match original.list_xattr() {
        Ok(names) => names,
        // The file system has no extended attributes.
        Err(error) if error.kind() == ErrorKind::Unsupported => return Ok(()),
        Err(error) => return Err(error),
    };
    for name in names {
        // A security label that the system also gave the new file need not be set, and often may not be.
        if let Some(value) = original.get_xattr(&name)?
            && new.get_xattr(&name).ok().flatten().as_ref() != Some(&value)
        {
            new.set_xattr(&name, &value)?;
        }
    }
    Ok(())
}

/// Syncs a directory, so that renames in it are durable.
///
/// # Errors
/// Errors of the system, except on file systems that cannot sync directories.
pub fn sync_directory(path: &Path) -> io::Result<()> {
    match File::open(path)?.sync_all() {
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::InvalidInput | ErrorKind::Unsupported
            ) =>
        {
            Ok(())
        }
        synchronized => synchronized,
    }
}

/// From now on, runs `last` before a signal ends the process, and keeps its result alive until then. Exceeding
/// the file size limit becomes an error of `write` instead of a signal.
///
/// # Errors
/// The handlers cannot be installed.
pub fn on_termination<G>(last: impl FnOnce() -> G + Send + 'static) -> io::Result<()> {
    let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT];
    // `nohup` and background jobs of scripts ignore some signals, and continue to.
    let ours = ending.into_iter().filter(|&signal| !is_ignored(signal));
    let mut signals = Signals::new(ours)?;
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            if let Some(signal) = signals.forever().next() {
                let _held = last();
                // To the parent, the process was ended by the signal.
                let _ = emulate_default_handler(signal);
                std::process::abort();
            }
        })?;
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    Ok(())
}

/// From now on, Ctrl-C ends only the programs that this process starts.
///
/// # Errors
/// The handler cannot be installed.
pub fn outlive_interrupts() -> io::Result<()> {
    signal_hook::flag::register(SIGINT, Arc::new(AtomicBool::new(false))).map(drop)
}

/// Whether the process was started to ignore a signal.
#[allow(unsafe_code)]
fn is_ignored(signal: libc::c_int) -> bool {
    // SAFETY: an all-zero `sigaction` is a valid value, and one that is read changes nothing: the new action is null.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut action) == 0
            && action.sa_sigaction == libc::SIG_IGN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_signals_are_detected() {
        // Rust's runtime ignores it in every program.
        assert!(is_ignored(signal_hook::consts::signal::SIGPIPE));
        assert!(!is_ignored(SIGXFSZ));
    }
}
