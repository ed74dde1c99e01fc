//! `--schema` and related options.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use crate::diagnostics::Levels;
use crate::schema::SchemaOptions;
use jsonx_schema::DRAFTS;

/// Whether `format` is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Formats {
    /// A string in another format is an error.
    Assert,
    /// Formats are not checked.
    Annotate,
}

/// The schemas to check with.
#[derive(Clone, Debug, Args)]
pub struct Schemas {
    /// Check values with the JSON Schema in FILE, at POINTER
    ///
    /// Drafts 4, 6, 7, 2019-09 and 2020-12. Each error has a position in the file and one in the schema, and a code
    /// schema/KEYWORD, such as schema/required, which `jsonx explain` explains. Each value of JSON Lines and streams is
    /// checked. A file that is not JSON is reported as such. jsonx never uses the network: references by URL are looked up in
    /// --schema-dir.
    #[arg(
        long,
        value_name = "FILE[#POINTER]",
        conflicts_with_all = ["use_schema_key", "schema_map"]
    )]
    pub schema: Option<String>,

    /// Check each file with the schema named by its key "$schema"
    ///
    /// Paths are relative to the file; URLs are looked up in --schema-dir. Files without the key are checked for syntax only.
    #[arg(long, hide_short_help = true)]
    pub use_schema_key: bool,

    /// Check files that match GLOB with the schema in FILE, or files with the schemas of a catalog
    ///
    /// CATALOG is a file in the format of SchemaStore's catalog: {"schemas": [{"fileMatch": [GLOB, ...], "url": FILE}]}, where
    /// FILE is relative to the catalog, or a URL that is looked up in --schema-dir. Globs have the syntax of .gitignore. May be
    /// repeated; the last matching glob counts. With --use-schema-key, files that match no glob use their own schema.
    #[arg(long, value_name = "GLOB=FILE|CATALOG", hide_short_help = true)]
    pub schema_map: Vec<String>,

    /// Look up the URLs of schemas in DIR: as DIR/HOST/PATH or DIR/PATH, or by "$id"
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub schema_dir: Option<PathBuf>,

    /// Let references open files below DIR, in addition to those below the folder of the referring file
    ///
    /// Schemas may be untrusted: a "$ref", a "$schema" or an entry of a catalog opens nothing else. In a schema from standard input,
    /// references are relative to DIR. May be repeated.
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub schema_root: Vec<PathBuf>,

    /// The draft of the schemas, overriding their "$schema": 4, 6, 7, 2019-09 or 2020-12 [default: their "$schema", or 2020-12]
    #[arg(
        long,
        value_name = "DRAFT",
        hide_short_help = true,
        hide_possible_values = true,
        value_parser = PossibleValuesParser::new(DRAFTS)
    )]
    pub draft: Option<String>,

    /// Whether "format" is checked: assert (yes), annotate (no) [default: annotate]
    #[arg(
        long,
        value_name = "WHAT",
        hide_short_help = true,
        hide_possible_values = true
    )]
    pub formats: Option<Formats>,

    /// Limit the check of a value to N steps; 0 for no limit [default: 5 million, and 500 per byte]
    ///
    /// A step examines one value once. Schemas exceed the limit (schema/limit) through nested alternatives, or a pattern
    /// that backtracks too much.
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub max_steps: Option<u64>,
}

impl Schemas {
    /// The options, with the levels of schema/KEYWORD.
    pub fn options(&self, levels: Levels) -> SchemaOptions {
        SchemaOptions {
            schema: self.schema.clone(),
            use_schema_key: self.use_schema_key,
            maps: self.schema_map.clone(),
            schema_named_in: None,
            catalog_named_in: None,
            dir: self.schema_dir.clone(),
            roots: self.schema_root.clone(),
            draft: self.draft.clone(),
            asserts_formats: self.formats.map(|formats| formats == Formats::Assert),
            max_steps: self.max_steps,
            allowed: levels.schema_allowed,
            warned: levels.schema_warned,
        }
    }
}
