//! `jsonx validate`.

use clap::Args;

use super::Common;
use crate::files::Selection;
use crate::report::Format;

/// Check that files are valid JSON (RFC 8259, in UTF-8).
///
/// Silent when everything is valid. Otherwise every error of every file is printed on standard output: what is wrong,
/// where to edit, and what to type instead. `jsonx explain CODE` says more about the code of a finding. Of a file of
/// more than 256 MB, and a pipe of more than 4 MB, the first error is shown, without its cause.
#[derive(Debug, Args)]
#[command(
    alias = "check",
    after_help = "\
Exit codes:
  0  all valid
  1  something is invalid
  2  wrong usage, a bad glob, or no file at all
  4  a file could not be read, or is nested deeper than --max-depth

Examples:
  jsonx validate .
  jsonx validate package.json config/ --ext json,webmanifest
  git diff --name-only -z --diff-filter=d '*.json' | jsonx validate --allow-no-files --files0-from -
  curl -s https://example.com/data | jsonx validate
  jsonx validate --input stream events.log
  jsonx validate --reporter json data.json"
)]
pub struct Validate {
    #[command(flatten)]
    pub selection: Selection,

    /// How findings are printed: human (with source lines), concise (one line each), json (one record each, one for
    /// each file, one at the end)
    #[arg(
        long,
        value_name = "NAME",
        default_value = "human",
        hide_possible_values = true
    )]
    pub reporter: Format,

    #[command(flatten)]
    pub common: Common,
}
