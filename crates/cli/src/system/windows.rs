//! Windows, to the extent possible without `unsafe`.

use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::os::windows::fs::{FileExt, MetadataExt};
use std::os::windows::io::AsHandle;
use std::path::Path;
use std::time::{Instant, SystemTime};

use super::{MetadataError, Regular, stdout_id};

/// Standard output for data. A console gets text as UTF-16, which shows every character whatever its code page is; colors
/// are drawn by console calls if it does not support escape sequences. A file or a pipe gets the bytes.
pub enum Output {
    /// A console.
    Console(anstream::AutoStream<io::Stdout>),
    /// Anything else.
    Bytes(File),
}

impl Output {
    /// Standard output.
    ///
    /// # Errors
    /// No handle is available.
    pub fn new() -> io::Result<Output> {
        if io::stdout().is_terminal() {
            Ok(Output::Console(anstream::AutoStream::always(io::stdout())))
        } else {
            stdout().map(Output::Bytes)
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            // All bytes are consumed: the library keeps the start of an incomplete character.
            Output::Console(console) => {
                console.write_all(bytes)?;
                console.flush().map(|()| bytes.len())
            }
            Output::Bytes(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes to standard error.
pub fn write_error(bytes: &[u8]) {
    let _ = io::stderr().write_all(bytes);
}

/// Ends the process.
pub fn exit_at_once(code: i32) -> ! {
    std::process::exit(code)
}

/// Whether standard output and standard error are the same console.
pub(super) fn are_one_file() -> io::Result<bool> {
    Ok(io::stdout().is_terminal() && io::stderr().is_terminal())
}

/// A duplicate handle of standard input, without a buffer.
///
/// # Errors
/// No handle is available.
pub fn stdin() -> io::Result<File> {
    Ok(File::from(io::stdin().as_handle().try_clone_to_owned()?))
}

/// A duplicate handle of standard output, without a buffer.
///
/// # Errors
/// No handle is available.
pub fn stdout() -> io::Result<File> {
    Ok(File::from(io::stdout().as_handle().try_clone_to_owned()?))
}

/// Standard error. Colors are drawn by console calls if the console does not support escape sequences, and text goes
/// to a console as UTF-16.
pub type Stderr = anstream::AutoStream<io::StderrLock<'static>>;

/// Locks standard error.
pub fn stderr() -> Stderr {
    anstream::AutoStream::always(io::stderr().lock())
}

/// Opens a file for reading.
///
/// # Errors
/// Errors of the system.
pub fn open_without_waiting(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Whether an attribute hides a file.
pub fn has_hidden_attribute(metadata: impl FnOnce() -> Option<Metadata>) -> bool {
    metadata()
        .is_some_and(|metadata| winapi_util::file::is_hidden(u64::from(metadata.file_attributes())))
}

/// The identity of a file, regardless of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileId {
    volume: u64,
    index: u64,
}

fn information(file: &File) -> io::Result<(FileId, u64)> {
    let information = winapi_util::file::information(file)?;
    let id = FileId {
        volume: information.volume_serial_number(),
        index: information.file_index(),
    };
    Ok((id, information.number_of_links()))
}

/// The identity of the file at a path; `None` if it is not a regular file.
///
/// # Errors
/// Errors of the system.
pub fn file_id(path: &Path) -> io::Result<Option<FileId>> {
    if std::fs::metadata(path)?.is_file() {
        information(&File::open(path)?).map(|(id, _)| Some(id))
    } else {
        Ok(None)
    }
}

/// The same, but `None` also for a file with hard links, because each of its names can be replaced separately.
///
/// # Errors
/// Errors of the system.
pub fn single_file_id(path: &Path) -> io::Result<Option<FileId>> {
    if std::fs::metadata(path)?.is_file() {
        information(&File::open(path)?).map(|(id, links)| (links == 1).then_some(id))
    } else {
        Ok(None)
    }
}

/// Creates a new file.
///
/// # Errors
/// Errors of the system.
pub fn create(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create_new(true).open(path)
}

/// Creates a new file. Its permissions are inherited from the directory.
///
/// # Errors
/// Errors of the system.
pub fn create_private(path: &Path) -> io::Result<File> {
    create(path)
}

/// The identity of this file; `None` if it is not a regular file.
///
/// # Errors
/// Errors of the system.
pub fn id_of(file: &File) -> io::Result<Option<FileId>> {
    if winapi_util::file::typ(file)?.is_disk() {
        information(file).map(|(id, _)| Some(id))
    } else {
        Ok(None)
    }
}

/// A regular file, which can be read at any offset and again; `None` for a stream.
///
/// # Errors
/// Errors of the system; `IsADirectory`.
pub fn regular(file: &File) -> io::Result<Option<Regular>> {
    // The metadata of a pipe, if available, look like those of a regular file.
    if !winapi_util::file::typ(file)?.is_disk() {
        return Ok(None);
    }
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        Err(ErrorKind::IsADirectory.into())
    } else {
        Ok(metadata.is_file().then(|| Regular {
            length: metadata.len(),
            is_stdout: stdout_id().is_some_and(|out| id_of(file).is_ok_and(|id| id == Some(out))),
        }))
    }
}

/// Reads the bytes at an offset. Moves the position of the handle: a sequential reader seeks first and does not share
/// the handle.
///
/// # Errors
/// Errors of the system.
pub fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    file.seek_read(buffer, at)
}

/// The name of a file in a list or before a position.
///
/// # Errors
/// It is not UTF-8: lists cannot encode other names.
pub fn file_name(bytes: Vec<u8>) -> io::Result<OsString> {
    String::from_utf8(bytes)
        .map(OsString::from)
        .map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
}

/// Does nothing: the size of a pipe cannot be changed.
pub fn grow_pipe(_: &File, _: usize) {}

/// Waits until there are bytes to read. Does nothing here, because a read waits too.
///
/// # Errors
/// `TimedOut` if the deadline has passed.
pub fn wait_readable(_: &impl AsHandle, until: Option<Instant>) -> io::Result<()> {
    match until {
        Some(until) if until <= Instant::now() => Err(ErrorKind::TimedOut.into()),
        _ => Ok(()),
    }
}

/// Waits until bytes can be written, which is not possible here.
///
/// # Errors
/// Always.
pub fn wait_writable(_: &impl AsHandle) -> io::Result<()> {
    Err(ErrorKind::WouldBlock.into())
}

/// Identifies a version of a file, less precisely than on Unix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    size: u64,
    modified: Option<SystemTime>,
}

impl Identity {
    /// The identity of a file with this metadata.
    pub fn new(metadata: &Metadata) -> Identity {
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
pub fn check_writable(_: &Path, metadata: &Metadata) -> io::Result<()> {
    if metadata.permissions().readonly() {
        Err(ErrorKind::PermissionDenied.into())
    } else {
        Ok(())
    }
}

/// Copies permissions to a new file.
///
/// # Errors
/// They could not be copied.
pub fn copy_metadata(_: &File, metadata: &Metadata, new: &File) -> Result<(), MetadataError> {
    new.set_permissions(metadata.permissions())
        .map_err(|error| ("not rewritten: cannot preserve its mode", error))
}

/// Does nothing: Windows has no equivalent.
///
/// # Errors
/// None.
pub fn sync_directory(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Does nothing: the pager decides what Ctrl-C does.
///
/// # Errors
/// None.
pub fn outlive_interrupts() -> io::Result<()> {
    Ok(())
}

/// From now on, runs `last` before Ctrl-C, Ctrl-Break or the end of the console ends the process, and keeps its
/// result alive until then.
///
/// # Errors
/// The handler cannot be installed.
pub fn on_termination<G>(last: impl FnOnce() -> G + Send + 'static) -> io::Result<()> {
    /// The exit status that the system gives a process ended by Ctrl-C.
    const STATUS_CONTROL_C_EXIT: u32 = 0xC000_013A;
    let mut last = Some(last);
    let end = move || {
        let _held = last.take().map(|last| last());
        std::process::exit(STATUS_CONTROL_C_EXIT.cast_signed());
    };
    ctrlc::set_handler(end).map_err(io::Error::other)
}
