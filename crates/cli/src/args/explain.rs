//! `jsonx explain`.

use clap::Args;

/// Explain the code of a finding, with a wrong and a right example.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Exit codes:
  0  explained
  2  wrong usage, or an unknown code

Examples:
  jsonx explain
  jsonx explain trailing-comma")]
pub struct Explain {
    /// The code, as in `error[trailing-comma]`; without it, lists all codes
    pub code: Option<String>,
}
