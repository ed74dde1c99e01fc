//! The schemas of a run: choosing the schema of an input, and reading schema files. `jsonx_schema` checks the values.
//!
//! ```text
//! options ──► map, choose: which schema a file has ──► fetch: files ──► jsonx_schema
//! ```

mod choose;
mod fetch;
mod map;
mod references;

use std::path::PathBuf;

use jsonx_schema::Unusable;
use jsonx_schema::keywords::Set;

use crate::input::Name;

pub use choose::{InputSchema, MAX_DEPTH, Schemas};
pub use jsonx_schema::example;
pub use map::BadOption;
pub use references::Referenced;

/// The start of the message about a missing schema that a value names.
pub const NO_LOCAL_COPY: &str = "no local copy of the schema";

/// The name of a schema that cannot be used.
pub fn name_of(unusable: &Unusable) -> Vec<u8> {
    match unusable {
        Unusable::Unreadable { path, .. } => Name::new(path).bytes().to_vec(),
        Unusable::NotJson { source, .. } | Unusable::Wrong { source, .. } => source.name.clone(),
    }
}

/// Whether the name of a schema is a URL.
pub fn is_url(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, _)| {
        scheme.len() > 1 && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric())
    }) || text.starts_with("urn:")
}

/// The options of the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SchemaOptions {
    /// `--schema`: a file, perhaps with `#` and a JSON Pointer.
    pub schema: Option<String>,
    /// `--use-schema-key`.
    pub use_schema_key: bool,
    /// `--schema-map`: `GLOB=FILE`, or the name of a catalog.
    pub maps: Vec<String>,
    /// The `jsonx.json` that names the schema, and the one that names the catalog, if not the command line does. They may name files
    /// in their folders only.
    pub schema_named_in: Option<PathBuf>,
    pub catalog_named_in: Option<PathBuf>,
    /// `--schema-dir`.
    pub dir: Option<PathBuf>,
    /// `--schema-root`.
    pub roots: Vec<PathBuf>,
    /// `--draft`: one of [`DRAFTS`].
    pub draft: Option<String>,
    /// `--formats`: whether `format` is a rule.
    pub asserts_formats: Option<bool>,
    /// `--max-steps`: the steps that the check of a value may take; 0 for any number.
    pub max_steps: Option<u64>,
    /// The keywords that are not reported.
    pub allowed: Set,
    /// The keywords that are reported as warnings.
    pub warned: Set,
}

impl SchemaOptions {
    /// Whether any input can have a schema.
    pub fn name_any(&self) -> bool {
        self.schema.is_some() || self.use_schema_key || !self.maps.is_empty()
    }

    /// Rejects options that have no effect without a schema.
    ///
    /// # Errors
    /// The options that are missing.
    pub fn check(&self) -> Result<(), String> {
        if !self.name_any() && (self.dir.is_some() || self.draft.is_some()) {
            Err(
                "--schema-dir and --draft need --schema, --use-schema-key or --schema-map"
                    .to_owned(),
            )
        } else {
            Ok(())
        }
    }

    /// Whether a schema is read from standard input.
    pub fn reads_stdin(&self) -> bool {
        let name = self.schema.as_deref().unwrap_or_default();
        name == "-" || name.starts_with("-#") || self.maps.iter().any(|map| map.ends_with("=-"))
    }
}
