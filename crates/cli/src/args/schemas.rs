//! `--schema` and what goes with it.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use crate::diagnostics::Levels;
use crate::schema::SchemaOptions;
use jsonx_schema::DRAFTS;

/// Whether `format` is a rule or a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Formats {
    /// A string in another format is an error.
    Assert,
    /// Formats are not checked.
    Annotate,
}

/// Which schemas to check with.
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

    /// Check each file with the schema that it names itself, in its key "$schema"
    ///
    /// A relative name is relative to the file, a URL is looked up in --schema-dir. Files without the key are checked for JSON only.
    #[arg(long, hide_short_help = true)]
    pub use_schema_key: bool,

    /// Check the files that match GLOB with the schema in FILE, or all that a catalog has a schema for
    ///
    /// CATALOG is a file like the catalog of SchemaStore: {"schemas": [{"fileMatch": [GLOB, ...], "url": FILE}]}, with FILE relative to it or a URL, which is looked up in --schema-dir. Globs are those of .gitignore. May be given several times; of the globs that match, the last one counts. With --use-schema-key, files that match none use their own.
    #[arg(long, value_name = "GLOB=FILE|CATALOG", hide_short_help = true)]
    pub schema_map: Vec<String>,

    /// Look up the URLs of schemas in DIR: as DIR/HOST/PATH or DIR/PATH, or by "$id"
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub schema_dir: Option<PathBuf>,

    /// The draft of the schemas, whatever "$schema" says in them: 4, 6, 7, 2019-09 or 2020-12 [default: 2020-12 if they do not say]
    #[arg(
        long,
        value_name = "DRAFT",
        hide_short_help = true,
        hide_possible_values = true,
        value_parser = PossibleValuesParser::new(DRAFTS)
    )]
    pub draft: Option<String>,

    /// Whether "format" is a rule: assert, or annotate, which does not check it [default: annotate]
    #[arg(
        long,
        value_name = "WHAT",
        hide_short_help = true,
        hide_possible_values = true
    )]
    pub formats: Option<Formats>,

    /// Allow N steps for the check of a value with its schema; 0 for any number [default: 5 million, and 500 per byte]
    ///
    /// A step looks at one value once. Schemas that need more (schema/limit) try alternatives within alternatives, or have a pattern that tries again and again.
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
            dir: self.schema_dir.clone(),
            draft: self.draft.clone(),
            asserts_formats: self.formats.map(|formats| formats == Formats::Assert),
            max_steps: self.max_steps,
            allowed: levels.schema_allowed,
            warned: levels.schema_warned,
        }
    }
}
