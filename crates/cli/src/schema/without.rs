//! Replaces this module in programs built without schemas.

use std::path::Path;

use jsonx_core::SyntaxError;
use jsonx_core::diagnose::{Code, Diagnostic, Severity};
use jsonx_core::document::{Documents, Indexer};
use jsonx_core::path::Step;

use jsonx_schema::keywords::Keyword;
use jsonx_schema::{InstanceOptions, Unusable, Verdict};

use super::SchemaOptions;

/// Returns no findings for the example of a keyword.
pub fn example(_: &Keyword) -> Vec<Diagnostic> {
    Vec::new()
}

/// Depth up to which values are checked.
pub const MAX_DEPTH: u64 = 0;

/// The schemas of a run.
#[derive(Clone, Debug)]
pub struct Schemas;

/// The schema of an input.
#[derive(Clone, Debug)]
pub struct InputSchema;

impl Schemas {
    /// No schemas.
    ///
    /// # Errors
    /// One was asked for.
    pub fn new(wanted: &SchemaOptions) -> Result<Schemas, String> {
        match wanted.name_any() {
            true => Err("this jsonx was built without schemas: cargo feature `schema`".to_owned()),
            false => Ok(Schemas),
        }
    }

    /// Compiles the schema of all inputs.
    ///
    /// # Errors
    /// It cannot be used.
    pub fn prepare(&self) -> Result<(), Unusable> {
        Ok(())
    }

    /// The schema of an input.
    ///
    /// # Errors
    /// It cannot be used.
    pub fn of(&self, _: Option<&Path>) -> Result<InputSchema, Unusable> {
        Ok(InputSchema)
    }

    /// The schemas that apply at a place of an input.
    pub fn at(&self, _: &Path, _: Option<&str>, _: &[Step]) -> Vec<Subschema> {
        Vec::new()
    }

    /// Whether schemas come from a file.
    pub fn depend_on(&self, _: &Path) -> bool {
        false
    }
}

/// A schema that applies at a place.
#[derive(Clone)]
pub enum Subschema {}

/// A schema that is in no file.
pub fn of_text(_: &str, _: &str) -> Option<Subschema> {
    None
}

impl Subschema {
    /// The schemas that apply in values to which these apply.
    pub fn below(schemas: &[Subschema], _: &[Step]) -> Vec<Subschema> {
        schemas.to_vec()
    }

    /// The string of a keyword.
    pub fn text(&self, _: &str) -> Option<String> {
        match *self {}
    }

    /// The strings of a keyword.
    pub fn texts(&self, _: &str) -> Vec<String> {
        match *self {}
    }

    /// The value of a keyword, minified.
    pub fn value(&self, _: &str) -> Option<String> {
        match *self {}
    }

    /// The elements of the value of a keyword, minified.
    pub fn values(&self, _: &str) -> Vec<String> {
        match *self {}
    }

    /// The keys of `properties`.
    pub fn properties(&self) -> Vec<String> {
        match *self {}
    }
}

impl InputSchema {
    /// The severity of findings with a code.
    pub fn severity(&self, code: Code) -> Severity {
        code.severity()
    }

    /// Whether it is only for values that are schemas.
    pub fn is_for_schemas(&self) -> bool {
        true
    }

    /// Checks a text of one value.
    ///
    /// # Errors
    /// The text is not JSON.
    pub fn check(
        &self,
        _: &[u8],
        _: Option<Indexer>,
        _: &InstanceOptions,
    ) -> Result<Verdict, SyntaxError> {
        Ok(Verdict::default())
    }

    /// The starts of the values of a stream that have findings.
    pub fn mismatches(&self, _: &Documents<'_>, _: &InstanceOptions) -> Option<Vec<usize>> {
        Some(Vec::new())
    }
}
