//! Reads schema files in the same way as inputs.

use std::io;
use std::path::Path;

use jsonx_schema::{Fetch, Fetched};

use crate::files::dialects;
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
            // Only the JSONC subset of JSON5 is supported in schemas.
            dialect: dialects::kind_of(path).dialect(),
        })
    }
}
