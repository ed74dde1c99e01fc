//! File names of encoded files.

use std::path::{Path, PathBuf};

/// Extensions of compressed files.
pub const EXTENSIONS: [&str; 4] = ["gz", "zst", "bz2", "xz"];

/// Extensions of files in MessagePack.
pub const MESSAGEPACK: [&str; 2] = ["msgpack", "mpk"];

/// The name of the text in a compressed file: `app.jsonl` for `app.jsonl.gz`.
pub fn text_name(path: &Path) -> Option<PathBuf> {
    let extension = path.extension()?;
    let is_compressed = EXTENSIONS
        .iter()
        .any(|name| extension.eq_ignore_ascii_case(name));
    is_compressed.then(|| path.with_extension(""))
}
