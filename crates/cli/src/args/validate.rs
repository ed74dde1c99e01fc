//! `jsonx validate`.

use clap::{Args, ValueEnum};

use super::Common;
use super::reporter::{self, reporter};
use super::schemas::Schemas;
use crate::diagnostics::Levels;
use crate::files::Selection;
use crate::session::Reporter;

const LONG_HELP_END: &str = "\
Exit codes:
  0  all valid
  1  a file is invalid, does not match its schema, or a denied lint has findings
  2  wrong usage, a bad glob, no file at all, or a schema that cannot be used
  4  a file or a schema could not be read, or a limit was reached (--max-depth)

Examples:
  jsonx validate .
  jsonx validate package.json config/ --ext json,webmanifest
  git diff --name-only -z --diff-filter=d '*.json' | xargs -0r jsonx validate
  curl -s https://example.com/data | jsonx validate
  jsonx validate --input stream events.log
  jsonx validate --schema app.schema.json config/*.json
  jsonx validate --schema app.schema.json --print-references
  jsonx validate --deny duplicate-key --allow unsafe-integer package.json
  jsonx validate --reporter json data.json
  jsonx validate . --reporter human --reporter sarif=findings.sarif";

/// `--print-references`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum References {
    List,
    Curl,
}

/// Check that files are valid JSON (RFC 8259, UTF-8).
///
/// Prints nothing if all files are valid and no lint has findings. Otherwise prints every error of every file to standard
/// output, with its position, cause and fix. `jsonx explain CODE` explains a finding. For values larger than 256 MB, and for
/// pipes whose first error comes after 4 MB, only the first error is reported, without its cause. Every invalid record of JSON
/// Lines is reported, for pipes as it arrives.
///
/// Guides: `jsonx help checking`, `jsonx help schemas`, `jsonx help ci`.
#[derive(Debug, Args)]
#[command(after_long_help = LONG_HELP_END)]
pub struct Validate {
    #[command(flatten)]
    pub selection: Selection,

    /// Check the staged version of the files that the next commit changes
    ///
    /// Files below the current directory are selected by name, as in directories.
    #[arg(long, conflicts_with_all = ["paths", "ext", "glob"], help_heading = "File selection")]
    pub staged: bool,

    #[arg(
        long,
        value_name = "NAME[=FILE]",
        value_parser = reporter,
        help = reporter::help("Report format"),
        long_help = reporter::long_help(
            "Report format",
            "May be repeated. The default is human; in GitHub Actions, human and github.",
        )
    )]
    pub reporter: Vec<Reporter>,

    /// Stop at the first invalid file
    #[arg(long)]
    pub fail_fast: bool,

    #[command(flatten)]
    pub schemas: Schemas,

    /// Instead of checking, print where the references of the schemas lead: list, curl [default: list]
    ///
    /// These are the schemas of the files, --schema, and files that are schemas, with everything that they refer to. list: one line
    /// for each schema with its state, URL and file, separated by tabs. The states are file, built-in, missing, outside (of
    /// --schema-root), ambiguous (two files have this $id) and unusable. curl: a configuration for `curl -K -`, which saves the
    /// missing ones in --schema-dir; these may refer to others. The exit code is 1 unless all of them can be used.
    #[arg(
        long,
        value_name = "FORM",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "list",
        hide_short_help = true,
        hide_possible_values = true
    )]
    pub print_references: Option<References>,

    #[command(flatten)]
    pub levels: Levels,

    #[command(flatten)]
    pub common: Common,
}
