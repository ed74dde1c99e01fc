//! Everything that systems do differently: nothing outside this folder, but for the mapping of files, asks which one
//! it is compiled for.
//!
//! `unix.rs` and `windows.rs` have the same items. `input/map.rs`, with the program's only `unsafe`, has
//! `input/unmapped.rs` beside it in the same way.

#[cfg(windows)]
#[path = "windows.rs"]
mod here;
#[cfg(unix)]
#[path = "unix.rs"]
mod here;

use std::io;
use std::path::Path;

pub use here::*;

/// What could not be kept of a file that is replaced, and why.
pub type MetadataError = (&'static str, io::Error);

/// Whether an input, `-` for standard input, is the regular file that standard output goes into.
pub fn is_stdout(input: &Path) -> bool {
    let out = stdout().and_then(|out| id_of(&out)).ok().flatten();
    out.is_some_and(|out| {
        let id = match input == Path::new("-") {
            true => stdin().and_then(|file| id_of(&file)),
            false => file_id(input),
        };
        id.is_ok_and(|id| id == Some(out))
    })
}
