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

pub use here::*;

/// What could not be kept of a file that is replaced, and why.
pub type MetadataError = (&'static str, io::Error);
