//! `jsonx.json`: the settings of a repository.
//!
//! ```text
//! a/b/data.json    a/b/jsonx.json ─► a/jsonx.json ─► … up to the first one, or the root of the repository
//!
//! table.rs ─► read.rs    the text, by the table ─► blocks of settings, or diagnostics
//!          ─► schema.rs  the JSON Schema for editors
//! file.rs, find.rs       a config, and those that apply to a file
//! settings.rs            the settings of a file, as the structures of the command line
//! options.rs, schemas.rs the options of a run, as they are for a file
//! ```

mod file;
mod find;
mod options;
mod read;
mod schema;
mod schemas;
mod settings;
pub mod table;

use std::path::PathBuf;

use clap::Args;
use jsonx_diagnose::Diagnostic;

pub use file::Config;
pub use find::Configs;
pub use options::{FileOptions, RunOptions};
use read::Mistakes;
pub use read::Value;
pub use schema::json_schema;
pub use schemas::{FileSchemas, Unchecked};
pub use settings::{Setting, Settings, shown_layout};

/// The name of the files.
pub const NAME: &str = "jsonx.json";

/// The choice of configs to read.
#[derive(Clone, Debug, Default, Args)]
pub struct ConfigOptions {
    /// Read settings from FILE instead of jsonx.json
    ///
    /// For all files, and for standard input; globs in FILE are relative to the current directory. Without this option, the
    /// nearest jsonx.json above each file is read, up to the root of the repository. `jsonx explain config` lists the settings.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "no_config",
        help_heading = "Input and messages",
        hide_short_help = true
    )]
    pub config: Option<PathBuf>,

    /// Ignore jsonx.json and the configurations of Prettier and Biome
    #[arg(long, help_heading = "Input and messages", hide_short_help = true)]
    pub no_config: bool,
}

/// The mistakes in the text of a `jsonx.json`, unless it is not JSON.
pub fn mistakes(text: &[u8]) -> Vec<Diagnostic> {
    match read::read(text) {
        Err(Mistakes::Findings(findings)) => findings,
        Err(Mistakes::Syntax(_)) | Ok(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
