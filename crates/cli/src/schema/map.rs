//! The schema files that options and catalogs name, and the files that they are for.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use jsonx_core::engine::Options;
use jsonx_core::{Document, Node};
use jsonx_schema::{MAX_SCHEMA_SIZE, is_below};

use super::is_url;
use crate::files::globs::Globs;
use crate::report::escape;

/// A schema file, or the URL of one, and the fragment of the URL.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Reference {
    pub(super) path: PathBuf,
    /// The URL, if it was named by one.
    pub(super) url: Option<String>,
    pub(super) fragment: Option<String>,
    pub(super) named_by: NamedBy,
}

/// Who named a schema, which decides what may be opened.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum NamedBy {
    /// An option or `jsonx.json`.
    User,
    /// A file; `None` for a text without a file.
    Input(Option<PathBuf>),
}

/// Globs, and the schemas of the files that match.
pub(super) struct Map(Globs<MappedSchema>);

/// The schema that a map assigns to a file.
#[derive(Clone)]
pub(super) enum MappedSchema {
    File(Reference),
    Url(String, NamedBy),
}

/// Splits `FILE#FRAGMENT`. A file whose name has a `#` is that file.
pub(super) fn reference(name: &str, named_by: NamedBy) -> Reference {
    let (path, fragment) = match name.split_once('#') {
        Some((path, fragment)) if !Path::new(name).is_file() => (path, Some(fragment)),
        _ => (name, None),
    };
    let folder = match &named_by {
        NamedBy::Input(Some(file)) => file.parent(),
        _ => None,
    };
    Reference {
        url: is_url(path).then(|| path.to_owned()),
        path: folder.map_or(PathBuf::from(path), |folder| folder.join(path)),
        fragment: fragment.filter(|it| !it.is_empty()).map(str::to_owned),
        named_by,
    }
}

impl Map {
    /// The map of these arguments, or of the catalog of a `jsonx.json`.
    pub(super) fn new(arguments: &[String], named_in: Option<&Path>) -> Result<Map, String> {
        let mut globs = Vec::new();
        for argument in arguments {
            match argument.rsplit_once('=') {
                Some(("", _)) => return Err("--schema-map: GLOB is missing before `=`".to_owned()),
                Some((_, "")) => return Err("--schema-map: FILE is missing after `=`".to_owned()),
                Some((glob, file)) if !Path::new(argument).is_file() => {
                    let target = if is_url(file) {
                        MappedSchema::Url(file.to_owned(), NamedBy::User)
                    } else {
                        MappedSchema::File(reference(file, NamedBy::User))
                    };
                    globs.push((glob.to_owned(), target));
                }
                _ => globs.extend(catalog(Path::new(argument), named_in)?),
            }
        }
        let globs = Globs::new(globs).map_err(|error| format!("--schema-map: {error}"))?;
        Ok(Map(globs))
    }

    /// The schema of the last matching glob for a file.
    pub(super) fn target(&self, path: &Path) -> Option<MappedSchema> {
        self.0.find(path).cloned()
    }
}

/// The globs and schemas of a catalog like that of SchemaStore.
fn catalog(path: &Path, named_in: Option<&Path>) -> Result<Vec<(String, MappedSchema)>, String> {
    let name = escape(&*path.to_string_lossy());
    let bytes = read(path, named_in).map_err(|error| {
        let hint = match error.kind() {
            ErrorKind::NotFound => "; a map is GLOB=FILE, or a catalog",
            _ => "",
        };
        format!("--schema-map: {name}: {}{hint}", error)
    })?;
    let document = Document::index(&bytes, Options::default()).map_err(|error| {
        format!(
            "--schema-map: {name} is not JSON (byte {}); `jsonx validate {name}` shows why",
            error.offset
        )
    })?;
    let schemas = document.root().get("schemas");
    let schemas = schemas.ok_or_else(|| {
        format!("--schema-map: {name} is not a catalog: it lacks the key `schemas`")
    })?;
    let named_by = NamedBy::Input(Some(path.to_owned()));
    let mut entries = Vec::new();
    for schema in schemas.elements() {
        let url = schema.get("url").and_then(Node::as_str);
        let (Some(url), Some(globs)) = (url, schema.get("fileMatch")) else {
            continue;
        };
        let target = if is_url(&url) {
            MappedSchema::Url(url.into_owned(), named_by.clone())
        } else {
            MappedSchema::File(reference(&url, named_by.clone()))
        };
        for glob in globs.elements() {
            entries.push((
                glob.as_str().unwrap_or_default().into_owned(),
                target.clone(),
            ));
        }
    }
    Ok(entries)
}

/// The bytes of a catalog. One that a `jsonx.json` names is a regular file in its folder.
fn read(path: &Path, named_in: Option<&Path>) -> io::Result<Vec<u8>> {
    if let Some(config) = named_in {
        let folder = std::path::absolute(config)?;
        if !is_below(path, folder.parent().map(Path::to_owned).into_iter()) {
            let text = "outside the folder of jsonx.json; --schema-map CATALOG allows it";
            return Err(io::Error::new(ErrorKind::PermissionDenied, text));
        }
        if !path.metadata()?.is_file() {
            return Err(io::Error::other("not a regular file"));
        }
    }
    let mut bytes = Vec::new();
    File::open(path)?
        .take(MAX_SCHEMA_SIZE + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_SCHEMA_SIZE {
        let most = MAX_SCHEMA_SIZE >> 20;
        return Err(io::Error::new(
            ErrorKind::FileTooLarge,
            format!("larger than {most} MB"),
        ));
    }
    Ok(bytes)
}
