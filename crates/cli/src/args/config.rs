//! `jsonx config`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use clap::builder::TypedValueParser;

use super::schemas::Schemas;
use super::{Common, Layout, hints};
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

/// A file name; an error if there is no such file and the name is a `config` subcommand of other programs.
fn file(name: OsString) -> Result<PathBuf, String> {
    match hints::advice(&format!("config {}", name.display())) {
        Some(advice) if !std::fs::exists(&name).unwrap_or(true) => {
            Err(format!("there is no such file or command; {advice}"))
        }
        _ => Ok(name.into()),
    }
}

/// Print the settings that apply to a file, and the source of each.
///
/// Each line has a setting, its value, and its source: the command line, a line of jsonx.json, the configuration of Prettier,
/// .editorconfig, or the default. The file need not exist. The options of the other commands are accepted. `jsonx
/// explain config` describes the settings.
///
/// Guide: `jsonx help settings`.
#[derive(Debug, Args)]
#[command(after_long_help = LONG_HELP_END)]
pub struct Config {
    /// The files
    #[arg(value_name = "FILE", required = true, value_parser = clap::builder::OsStringValueParser::new().try_map(file))]
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
