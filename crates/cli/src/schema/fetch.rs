//! Reads the files of schemas, as those of inputs are read.

use std::io;
use std::path::Path;

use jsonx_schema::{Fetch, Fetched};

use crate::files::dialects;
use crate::input::{BYTE_ORDER_MARK, Input, Name};

/// Files of this machine, and standard input for `-`.
#[derive(Debug)]
pub struct Files;

impl Fetch for Files {
    fn fetch(&self, path: &Path) -> io::Result<Fetched> {
        let mut text = Input::open(path)?.read_all(u64::MAX)?;
        if text.starts_with(BYTE_ORDER_MARK) {
            text.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(Fetched {
            name: Name::of(path).bytes().to_vec(),
            text,
            dialect: dialects::of(path).dialect(),
        })
    }
}
