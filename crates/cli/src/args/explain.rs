//! `jsonx explain`.

use clap::Args;

/// Explain the code of a finding, with a wrong example and its correction
///
/// CODE can also be `config`, which lists the settings of jsonx.json, `jsonc`, which lists the files that may have comments, or
/// the name of a guide, such as `paths`; `jsonx --help` lists the guides.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Exit codes:
  0  explained
  2  wrong usage, or an unknown code

Examples:
  jsonx explain
  jsonx explain trailing-comma
  jsonx explain config
  jsonx explain jsonc
  jsonx explain paths")]
pub struct Explain {
    /// The code, as in `error[trailing-comma]`; `config` for the settings of jsonx.json; `jsonc` for the files that may have
    /// comments or are JSON5; or a guide, such as `paths`. If omitted, all codes are listed
    pub code: Option<String>,
}
