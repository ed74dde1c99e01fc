//! `jsonx explain`.

use clap::Args;

use super::Color;

/// Say what the code of a finding means, with a wrong and a right example.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes:
  0  explained
  2  wrong usage, or no such code

Examples:
  jsonx explain
  jsonx explain trailing-comma")]
pub struct Explain {
    /// The code, as in `error[trailing-comma]`; without it, all codes are listed
    pub code: Option<String>,

    /// Colours: auto, always, never
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true
    )]
    pub color: Color,
}
