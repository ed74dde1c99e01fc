//! Differences between operating systems. Nothing else in the program depends on the target, except the mapping of files.
//!
//! `unix.rs` and `windows.rs` have the same items, like `input/map.rs` and `input/unmapped.rs`.

#[cfg(windows)]
#[path = "windows.rs"]
mod here;
#[cfg(unix)]
#[path = "unix.rs"]
mod here;

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::sync::OnceLock;
use std::time::Instant;

pub use here::*;

/// Metadata that could not be copied to the new file, and why.
pub type MetadataError = (&'static str, io::Error);

/// The identity of the file of an input, `-` being standard input; `None` if it is not a regular file or does not exist.
pub fn input_id(path: &Path) -> Option<FileId> {
    let id = if path == Path::new("-") {
        stdin().and_then(|file| id_of(&file))
    } else {
        file_id(path)
    };
    id.ok().flatten()
}

/// A regular file, when it was opened.
pub struct Regular {
    /// Its length in bytes.
    pub length: u64,
    /// Standard output is redirected to it.
    pub is_stdout: bool,
}

/// Reads once from a file at its own position; 0 at the end. Waits if the file is non-blocking.
///
/// # Errors
/// Errors of the system; `TimedOut` if nothing arrives before `until`, where the system supports it.
pub fn read(file: &File, buffer: &mut [u8], until: Option<Instant>) -> io::Result<usize> {
    if until.is_some() {
        wait_readable(file, until)?;
    }
    loop {
        match (&*file).read(buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => wait_readable(file, until)?,
            read => return read,
        }
    }
}

/// `Write::write_all` that also waits for room in a non-blocking pipe or terminal: Node makes the ones it shares with
/// its children non-blocking. `written` sees what each write has taken.
///
/// # Errors
/// Errors of the system.
pub fn write_all(
    out: &mut impl Write,
    mut bytes: &[u8],
    wait: impl Fn() -> io::Result<()>,
    written: impl Fn(&[u8]),
) -> io::Result<()> {
    while !bytes.is_empty() {
        match out.write(bytes) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(count) => {
                written(&bytes[..count]);
                bytes = &bytes[count..];
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => wait()?,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Whether an input, `-` being standard input, is the regular file that standard output is redirected to.
pub fn is_stdout(input: &Path) -> bool {
    stdout_id().is_some_and(|out| input_id(input) == Some(out))
}

/// The regular file that standard output is redirected to.
fn stdout_id() -> Option<FileId> {
    static STDOUT: OnceLock<Option<FileId>> = OnceLock::new();
    *STDOUT.get_or_init(|| stdout().and_then(|out| id_of(&out)).ok().flatten())
}

/// Whether standard output and standard error go to the same terminal, pipe or file.
pub fn are_outputs_one() -> bool {
    static ARE_ONE: OnceLock<bool> = OnceLock::new();
    *ARE_ONE.get_or_init(|| are_one_file().unwrap_or(false))
}

/// Unwraps the error of the system from one to which a library added the file name: messages already have it.
pub fn plain_error(error: io::Error) -> io::Error {
    let inner = error.get_ref().and_then(|around| around.source());
    let inner = inner.and_then(|inner| inner.downcast_ref::<io::Error>());
    match inner.and_then(io::Error::raw_os_error) {
        Some(code) => io::Error::from_raw_os_error(code),
        None => error,
    }
}

/// The text of an error, without the system's error number.
pub fn reason(error: &io::Error) -> String {
    let mut text = error.to_string();
    if let Some(code) = error.raw_os_error() {
        let number = format!(" (os error {code})");
        text.truncate(text.strip_suffix(&number).map_or(text.len(), str::len));
    }
    text
}
