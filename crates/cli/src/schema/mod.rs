//! Checks values with JSON Schemas.
//!
//! ```text
//! options ──► choose: which schema a file has ──► store: files, read once ──► compile ──► Schema, shared by all threads
//!                                                    ▲ references, local only      │
//! text ──► Document ──► instance: as the validator reads it, without copies ──► valid? ──► findings/: places and words
//! ```
//!
//! The validator is the crate `jsonschema`. It recurses, so `limits` bounds the stack and the steps; it rounds numbers, so
//! `exact` and `listed` have the keywords that compare them.

#[cfg(all(test, feature = "schema"))]
mod agreement;
#[cfg(feature = "schema")]
mod choose;
#[cfg(feature = "schema")]
mod compile;
#[cfg(feature = "schema")]
mod convert;
#[cfg(feature = "schema")]
mod exact;
#[cfg(feature = "schema")]
mod findings;
#[cfg(feature = "schema")]
mod instance;
#[cfg(feature = "schema")]
mod limits;
#[cfg(feature = "schema")]
mod listed;
#[cfg(feature = "schema")]
mod patterns;
#[cfg(feature = "schema")]
mod references;
#[cfg(feature = "schema")]
mod store;
#[cfg(feature = "schema")]
mod validate;
#[cfg(not(feature = "schema"))]
mod without;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use jsonx_core::diagnose::{Diagnostic, Source};
use jsonx_core::{Options, SyntaxError};

use crate::keywords::Set;

#[cfg(feature = "schema")]
pub use choose::{InputSchema, Schemas};
#[cfg(feature = "schema")]
pub use validate::example;
#[cfg(not(feature = "schema"))]
pub use without::{InputSchema, Schemas, example};

/// What was asked for on the command line.
#[derive(Clone, Debug, Default)]
pub struct SchemaOptions {
    /// `--schema`: a file, perhaps with `#` and a JSON Pointer.
    pub schema: Option<String>,
    /// `--use-schema-key`.
    pub use_schema_key: bool,
    /// `--schema-map`: `GLOB=FILE`, or the name of a catalogue.
    pub maps: Vec<String>,
    /// `--schema-dir`.
    pub dir: Option<PathBuf>,
    /// `--draft`: one of [`DRAFTS`].
    pub draft: Option<String>,
    /// `--formats assert`.
    pub asserts_formats: bool,
    /// The keywords that are not reported.
    pub allowed: Set,
    /// The keywords that are reported as warnings.
    pub warned: Set,
}

impl SchemaOptions {
    /// Whether a schema is read from standard input.
    pub fn reads_stdin(&self) -> bool {
        let name = self.schema.as_deref().unwrap_or_default();
        name == "-" || name.starts_with("-#") || self.maps.iter().any(|map| map.ends_with("=-"))
    }
}

/// The drafts, as they are called in `--draft`.
pub const DRAFTS: [&str; 5] = ["4", "6", "7", "2019-09", "2020-12"];

/// Why a schema cannot be used.
#[derive(Clone)]
pub enum Unusable {
    /// It cannot be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: Arc<io::Error>,
    },
    /// It is not JSON.
    NotJson {
        /// The file.
        source: Arc<Source>,
        /// The first error.
        error: SyntaxError,
    },
    /// It is JSON, but no schema.
    Wrong {
        /// The file.
        source: Arc<Source>,
        /// What is wrong.
        findings: Vec<Diagnostic>,
    },
}

impl Unusable {
    /// The name of the file.
    pub fn name(&self) -> Vec<u8> {
        match self {
            Unusable::Unreadable { path, .. } => crate::input::Name::of(path).bytes().to_vec(),
            Unusable::NotJson { source, .. } | Unusable::Wrong { source, .. } => {
                source.name.clone()
            }
        }
    }
}

/// How to check a value.
#[derive(Clone, Copy)]
pub struct Asked {
    /// The options of the engine.
    pub options: Options,
    /// Whether objects may have equal keys, if that is known.
    pub repeats: Option<bool>,
    /// What the value is called: [`DOCUMENT`] or [`RECORD`].
    pub whole: &'static str,
}

/// What the value of a file is called.
pub const DOCUMENT: &str = "the document";

/// What one of several values is called.
pub const RECORD: &str = "the record";

/// What a schema says of a value.
#[derive(Default)]
pub struct Verdict {
    /// What is wrong, in the order of the text.
    pub findings: Vec<Diagnostic>,
    /// A limit was reached, so that there may be more.
    pub limited: bool,
}
