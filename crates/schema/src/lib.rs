//! Validates values against JSON Schemas. Each finding has a position in the document and the position of the rule in the
//! schema.
//!
//! ```text
//! Store: files, read once by a Fetch ──► compile ──► Schema, shared by all threads
//!    ▲ references, local only                          │
//! Document ──► instance: presented to the validator without copies ──► valid? ──► findings/: places and messages
//! ```
//!
//! The crate `jsonschema` validates. It recurses, so `limits` bounds the stack and the steps; it rounds numbers, so `exact` and
//! `listed` replace the keywords that compare them.

#[cfg(test)]
mod agreement;
mod authoring;
mod backtracking;
mod compile;
mod contradictions;
mod convert;
mod ecma;
mod exact;
mod findings;
mod instance;
pub mod keywords;
mod limits;
mod listed;
mod own;
mod patterns;
mod pointer;
mod reach;
mod references;
mod refused;
mod resources;
mod store;
mod validate;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use jsonx_core::SyntaxError;
use jsonx_core::engine::Options;
use jsonx_diagnose::{Diagnostic, NamedText};

pub use authoring::mistakes;
pub use compile::{Schema, draft_named, draft_of_uri};
pub use findings::shown;
pub use jsonschema::Draft;
pub use reach::{Dead, MAX_SCHEMA_SIZE, both, is_below, may_open, read_named};
pub use references::{Target, outside, targets};
pub use store::{
    Fetch, Fetched, SchemaText, Settings, Store, after_scheme, decoded, decoded_bytes, encoded,
    plain, without_fragment,
};
pub use validate::example;

/// The values of `--draft`.
pub const DRAFTS: [&str; 5] = ["4", "6", "7", "2019-09", "2020-12"];

/// The URLs of their meta-schemas for `$schema`, the latest first.
pub const DRAFT_URIS: [&str; 5] = [
    "https://json-schema.org/draft/2020-12/schema",
    "https://json-schema.org/draft/2019-09/schema",
    "http://json-schema.org/draft-07/schema#",
    "http://json-schema.org/draft-06/schema#",
    "http://json-schema.org/draft-04/schema#",
];

/// The reason why a schema cannot be used.
#[derive(Clone, Debug)]
pub enum Unusable {
    /// It cannot be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: Arc<io::Error>,
    },
    /// It is not JSON.
    NotJson {
        /// The file.
        source: Arc<NamedText>,
        /// The first error.
        error: SyntaxError,
    },
    /// It is JSON, but not a schema.
    Wrong {
        /// The file.
        source: Arc<NamedText>,
        /// The findings.
        findings: Vec<Diagnostic>,
    },
}

/// How to check a value.
#[derive(Clone, Copy, Debug)]
pub struct InstanceOptions {
    /// The options of the engine.
    pub options: Options,
    /// Whether objects may have duplicate keys, if known.
    pub repeats: Option<bool>,
    /// The name of the value in messages: [`DOCUMENT`] or [`RECORD`].
    pub whole: &'static str,
}

/// The name of the value of a file in messages.
pub const DOCUMENT: &str = "the document";

/// The name of one of several values in messages.
pub const RECORD: &str = "the record";

/// The result of validating a value.
#[derive(Debug, Default)]
pub struct Verdict {
    /// The findings, in text order.
    pub findings: Vec<Diagnostic>,
    /// A limit was reached, so there may be more findings.
    pub limited: bool,
    /// The value is itself a schema, because it names a draft.
    pub is_schema: bool,
}
