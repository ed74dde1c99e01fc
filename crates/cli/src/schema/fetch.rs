//! Reads schema files in the same way as inputs.

use std::io;
use std::path::Path;

use jsonx_core::jsonc::Dialect;
use jsonx_schema::{Fetch, Fetched};

use crate::files::dialects::{self, Language};
use crate::input::{BYTE_ORDER_MARK, Input, Name};

/// Files of this machine, and standard input for `-`.
#[derive(Debug)]
pub struct Files;

impl Fetch for Files {
    fn fetch(&self, path: &Path, limit: u64) -> io::Result<Fetched> {
        let mut text = Input::open(path)?.read_all(limit)?;
        if text.starts_with(BYTE_ORDER_MARK) {
            text.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(Fetched {
            name: Name::new(path).bytes().to_vec(),
            text,
            dialect: match dialects::of(path) {
                Language::Json => Dialect::Json,
                Language::Comments => Dialect::Comments,
                // Only the JSONC subset of JSON5 is supported in schemas.
                Language::Jsonc | Language::Json5 => Dialect::Jsonc,
            },
        })
    }
}
