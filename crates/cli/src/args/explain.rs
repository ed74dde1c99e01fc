//! `jsonx explain`.

use clap::Args;

/// Explain the code of a finding, with a wrong and a right example, or list the files that may have comments.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Exit codes:
  0  explained
  2  wrong usage, or an unknown code

Examples:
  jsonx explain
  jsonx explain trailing-comma
  jsonx explain jsonc")]
pub struct Explain {
    /// The code, as in `error[trailing-comma]`; `jsonc` for the files that may have comments; without it, lists all codes
    pub code: Option<String>,
}
