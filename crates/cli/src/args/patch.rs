//! `jsonx patch`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::{Changes, Common};
use crate::files::Selection;

const LONG_HELP_END: &str = "\
Exit codes (with several files, the highest one):
  0  done, or nothing to do
  1  an operation or a test fails, or --check or --diff: something would change
  2  wrong usage, or PATCH is JSON but not a patch
  3  a file, or PATCH, is not JSON
  4  a file could not be read or written, or a limit was reached: --max-depth, the size of copies

Examples:
  jsonx patch change.json package.json
  jsonx patch change.json package.json --write
  jsonx patch '{\"private\": true, \"scripts\": {\"test\": null}}' package.json
  jsonx patch '[{\"op\": \"remove\", \"path\": \"/dependencies/a\"}]' package.json
  jsonx patch '{\"seen\": true}' events.ndjson --diff
  jsonx diff --format patch old.json new.json | jsonx patch - old.json";

/// Apply a JSON Patch (RFC 6902) or a JSON Merge Patch (RFC 7396).
///
/// PATCH is a file, `-` for standard input, or the text itself if it begins with `[` or `{`. An array is a JSON Patch, an
/// object is a merge patch, unless it is an operation without its array; with --merge, any value is a merge patch. Only the bytes of changed values change: order, white
/// space, escapes, numbers, line ends and a byte-order mark are kept.
///
/// A file is patched as a whole or not at all. `test` compares numbers by their exact value, strings after decoding, objects in
/// any order. A patch with duplicate keys is refused. In streams and JSON Lines, each value is patched separately.
///
/// A single input is printed to standard output. --write replaces each file atomically.
///
/// Guide: `jsonx help differences`.
#[derive(Debug, Args)]
#[command(after_long_help = LONG_HELP_END)]
pub struct Patch {
    /// The patch: a file, `-`, or a text that begins with `[` or `{`
    #[arg(value_name = "PATCH")]
    pub patch: OsString,

    #[command(flatten)]
    pub selection: Selection,

    /// Read PATCH as a JSON Merge Patch, whatever its type
    #[arg(long)]
    pub merge: bool,

    #[command(flatten)]
    pub changes: Changes,

    #[command(flatten)]
    pub common: Common,
}

impl Patch {
    /// Whether PATCH is the text itself.
    pub fn is_text(&self) -> bool {
        matches!(self.patch.as_encoded_bytes().first(), Some(b'[' | b'{'))
    }

    /// The reason why the combination of options and inputs is wrong, if it is.
    pub fn usage_error(&self) -> Option<&'static str> {
        let has_stdin = self.selection.is_empty() || self.selection.has_stdin();
        let is_text = |path: &PathBuf| {
            let text = path.as_os_str().as_encoded_bytes();
            matches!(text.first(), Some(b'[' | b'{')) && !path.exists()
        };
        match () {
            () if self.selection.paths.iter().any(is_text) => {
                Some("a FILE looks like a patch: PATCH comes first")
            }
            () if self.patch == "-" && has_stdin => {
                Some("standard input is the patch: name the FILE to apply it to")
            }
            () => self.changes.usage_error(&self.selection),
        }
    }
}
