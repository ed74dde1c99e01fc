//! `jsonx config`.

use std::path::PathBuf;

use clap::Args;

use super::schemas::Schemas;
use super::{Common, Layout};
use crate::diagnostics::Levels;

const LONG_HELP_END: &str = "\
Exit codes:
  0  printed
  2  wrong usage, or an error in a jsonx.json
  4  a jsonx.json could not be read

Examples:
  jsonx config package.json
  jsonx config --indent 4 src/data.json
  jsonx config --no-config package.json";

/// Print the settings that apply to a file, and the source of each.
///
/// Each line has a setting, its value, and its source: the command line, a line of jsonx.json, the configuration of Prettier or
/// Biome, .editorconfig, or the default. The file need not exist. The options of the other commands are accepted. `jsonx
/// explain config` describes the settings.
///
/// Guide: `jsonx help settings`.
#[derive(Debug, Args)]
#[command(after_long_help = LONG_HELP_END)]
pub struct Config {
    /// The files
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub layout: Layout,

    #[command(flatten)]
    pub schemas: Schemas,

    #[command(flatten)]
    pub levels: Levels,

    #[command(flatten)]
    pub common: Common,
}
