//! `jsonx diff`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Common;
use crate::files::WalkOptions;

const LONG_HELP_END: &str = "\
Exit codes:
  0  the documents are equal
  1  they differ
  2  wrong usage, a bad path, a --key that no array has, no files, or --format merge where the patch would have to set a null
  3  an input is not JSON
  4  it could not be read, or exceeds --max-depth

Examples:
  jsonx diff old.json new.json
  jsonx diff --format patch old.json new.json > change.json
  jsonx diff --key id --ignore ..updated_at old.json new.json
  jsonx diff --set .tags old.json new.json
  jsonx diff --context 2 old.json new.json
  jsonx diff v1 v2
  curl -s https://example.com/config.json | jsonx diff config.json -";

/// Print the differences between two JSON documents, or two directories of them.
///
/// Documents are compared by value: objects by key in any order, arrays by a longest common subsequence, strings after
/// decoding, numbers by exact decimal value. Of duplicate keys, the last one counts, with a warning. The records of JSON Lines
/// are compared like the elements of an array.
///
/// The names of the two files come first, then each change on one line: the position of the value in both files (of its
/// container, if a file lacks the value), its path, and the old and new values. The path is the one in NEW, or in OLD for a
/// removed value.
///
/// Of two directories, the files with the same relative path are compared; a file without a counterpart is `added` or
/// `deleted`. If one of the two is a directory, the file in it that has the name of the other is compared.
///
/// Called by git as an external diff, with seven arguments, it compares the two files among them, and the exit code is 0:
/// `jsonx help git`.
///
/// Guide: `jsonx help differences`.
#[derive(Debug, Args)]
#[command(after_long_help = LONG_HELP_END)]
pub struct Diff {
    /// The old document or directory; `-` is standard input
    pub old: PathBuf,

    /// The new document or directory; `-` is standard input
    pub new: PathBuf,

    /// The other arguments of a program that git calls for differences, which begin with the path: OLD and NEW are then the
    /// second and the fifth.
    #[arg(hide = true, num_args = 0..=7)]
    pub git: Vec<PathBuf>,

    /// Output format: human, patch, merge, json
    ///
    /// human: one line per change. patch: a JSON Patch (RFC 6902) that turns OLD into NEW. merge: a JSON Merge Patch (RFC
    /// 7396). json: one JSON object per change, one per line; in directories, with the relative path as `file`.
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "human",
        hide_possible_values = true
    )]
    pub format: DiffFormat,

    /// Compare numbers as written: `1` and `1.0` differ
    #[arg(long)]
    pub exact: bool,

    /// Match elements of arrays of objects by the member at KEY; may be repeated
    ///
    /// KEY is a name or a path of keys: `id`, `metadata.name`, `."a.b"`. It applies to arrays whose first object has this key;
    /// it is an error if no array does.
    #[arg(long, value_name = "KEY")]
    pub key: Vec<String>,

    /// Ignore the order and repetitions of elements in the arrays at PATH; may be repeated
    #[arg(long, value_name = "PATH")]
    pub set: Vec<OsString>,

    /// Ignore the values at PATH; may be repeated
    #[arg(long, value_name = "PATH")]
    pub ignore: Vec<OsString>,

    /// Print up to N members or elements before and after each change, with their paths
    #[arg(
        short = 'U',
        long,
        visible_alias = "unified",
        value_name = "N",
        default_value_t = 0,
        hide_default_value = true
    )]
    pub context: usize,

    /// The default; accepted because other programs have the option.
    #[arg(short, long, hide = true)]
    pub recursive: bool,

    #[command(flatten)]
    pub walk: WalkOptions,

    #[command(flatten)]
    pub common: Common,
}

/// `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    Human,
    Patch,
    Merge,
    Json,
}

impl Diff {
    /// The path of the file, its old and its new text; for git, which calls the program with seven arguments or more: `PATH
    /// OLD-FILE OLD-HEX OLD-MODE NEW-FILE NEW-HEX NEW-MODE`.
    pub fn texts(&self) -> (Option<&PathBuf>, &PathBuf, &PathBuf) {
        match &self.git[..] {
            [_, _, new, ..] => (Some(&self.old), &self.new, new),
            _ => (None, &self.old, &self.new),
        }
    }
}
