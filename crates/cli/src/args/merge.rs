//! `jsonx merge`.

use std::path::PathBuf;

use clap::Args;

use super::Common;

/// Merge two changed versions of a JSON document by value.
///
/// The changes from BASE to THEIRS are made in OURS, which keeps its other bytes, comments and layout; a formatted file stays
/// formatted. Changes to different values merge, wherever they are in the text, and so do equal changes. If both add an object
/// for one key, its members merge. Arrays are merged by whole elements, as diff3 merges lines: between two elements that all
/// versions have, the version that changed something wins; if both changed the only element there, its members merge.
///
/// It is a conflict if both versions change a value in different ways; in an array, also if they change neighboring elements, or
/// if one moves an element that the other removes, changes or moves elsewhere; and if a duplicate key other than the last one
/// changes. Each conflict is listed with its path in the result, and with both values and their positions; the result has the
/// value of OURS there, and is valid JSON. If only THEIRS has changed, the result is THEIRS, byte for byte; otherwise, comments
/// that only THEIRS changes are not taken.
///
/// The result is printed to standard output; with --write, it replaces OURS. As a merge driver of git: `jsonx help git`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Exit codes:
  0  merged
  1  merged, except for the conflicts
  2  wrong usage, or JSON Lines, which git merges by lines
  3  an input is not JSON
  4  it could not be read or written, exceeds --max-depth, or a comment blocks a change: nothing is written

Examples:
  jsonx merge base.json ours.json theirs.json > merged.json
  git config merge.json.driver 'jsonx merge --write -- %O %A %B %P'")]
pub struct Merge {
    /// The common ancestor; if it is empty, an empty object
    pub base: PathBuf,

    /// The version to change; if it and BASE are empty, the result is THEIRS
    pub ours: PathBuf,

    /// The other version
    pub theirs: Option<PathBuf>,

    /// The name of the file, for messages, settings and the format
    pub path: Option<PathBuf>,

    /// Replace OURS
    #[arg(short, long)]
    pub write: bool,

    /// Like --write, but overwrite a file that cannot be replaced, such as a bind mount
    #[arg(long, hide_short_help = true)]
    pub in_place: bool,

    #[command(flatten)]
    pub common: Common,
}

impl Merge {
    /// Whether OURS is replaced.
    pub fn writes(&self) -> bool {
        self.write || self.in_place
    }
}
