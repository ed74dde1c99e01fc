//! Reads schema files in the same way as inputs.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use jsonx_schema::{Fetch, Fetched};

use crate::files::dialects;
use crate::files::folders::full;
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
            name: Name::new(&shortest(path)).bytes().to_vec(),
            text,
            // Only the JSONC subset of JSON5 is supported in schemas.
            dialect: dialects::kind_of(path).dialect(),
        })
    }
}

/// The shortest name of a file from the working directory: a file has one name, however references and settings name it.
fn shortest(path: &Path) -> PathBuf {
    let climbs = |path: &Path| path.components().any(|part| part == Component::ParentDir);
    if !path.is_absolute() && !climbs(path) {
        return path.strip_prefix(".").unwrap_or(path).to_owned();
    }
    let near = || {
        let here = fs::canonicalize(".").ok()?;
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
        let file = folder.join(path.file_name()?);
        let both = here.components().zip(file.components());
        let common = both.take_while(|(one, other)| one == other).count();
        let up = here.components().skip(common).map(|_| Component::ParentDir);
        let near: PathBuf = up.chain(file.components().skip(common)).collect();
        let is_nearer = near.as_os_str().len() < file.as_os_str().len();
        (common > 0 && is_nearer).then_some(near)
    };
    near().or_else(|| full(path)).unwrap_or(path.to_owned())
}
