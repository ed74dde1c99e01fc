//! `jsonx lsp`.

use clap::Args;

use super::schemas::Schemas;
use super::{Common, Layout};
use crate::diagnostics::Levels;

const LONG_HELP_END: &str = "\
Exit codes:
  0  the client asked for shutdown, then exit
  1  the client ended without shutdown
  2  wrong usage
  4  standard output could not be written

Examples:
  jsonx lsp
  jsonx lsp --use-schema-key --schema-dir schemas";

/// Serve an editor (LSP): diagnostics, fixes, formatting and navigation
///
/// An editor starts this command and communicates over standard input and output. Diagnostics, fixes and formatting are those
/// of validate, fix and fmt, with the settings of jsonx.json. The options of these commands are accepted and take precedence.
/// The network is never used.
///
/// Guide, with the configuration of each editor: `jsonx help editors`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = LONG_HELP_END)]
pub struct Lsp {
    /// Accepted because some clients pass it: standard input and output are always used
    #[arg(long, hide = true)]
    pub stdio: bool,

    #[command(flatten)]
    pub layout: Layout,

    #[command(flatten)]
    pub schemas: Schemas,

    #[command(flatten)]
    pub levels: Levels,

    #[command(flatten)]
    pub common: Common,
}
