//! The schema files that options and catalogs name, and the files that they are for.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use jsonx_core::engine::Options;
use jsonx_core::{Document, Node};
use jsonx_schema::{Dead, MAX_SCHEMA_SIZE, Unusable, read_named};

use super::is_url;
use crate::exit::Exit;
use crate::files::globs::Globs;
use crate::input::Name;
use crate::output::reason;
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

/// Globs, and the schemas of the files that match: a file or a URL, and who named it.
pub(super) struct Map(Globs<NamedSchema>);

pub(super) type NamedSchema = (String, NamedBy);

/// An option of schemas that cannot be used: a file of it cannot be read, or it is wrong.
pub type BadOption = (Exit, String);

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
    let url = is_url(path).then(|| path.to_owned());
    let mut path = folder.map_or(PathBuf::from(path), |folder| folder.join(path));
    if named_by != NamedBy::User && Name::new(&path).is_stdin() {
        // Only a user names standard input.
        path = Path::new(".").join(path);
    }
    Reference {
        url,
        path,
        fragment: fragment.filter(|it| !it.is_empty()).map(str::to_owned),
        named_by,
    }
}

impl Map {
    /// The map of these arguments, or of the catalog of a `jsonx.json`.
    pub(super) fn new(arguments: &[String], named_in: Option<&Path>) -> Result<Map, BadOption> {
        let wrong = |text: &str| (Exit::Usage, format!("--schema-map: {text}"));
        let mut globs = Vec::new();
        for argument in arguments {
            match argument.rsplit_once('=') {
                Some(("", _)) => return Err(wrong("GLOB is missing before `=`")),
                Some((_, "")) => return Err(wrong("FILE is missing after `=`")),
                Some((glob, file)) if !Path::new(argument).is_file() => {
                    globs.push((glob.to_owned(), (file.to_owned(), NamedBy::User)));
                }
                _ => globs.extend(catalog(Path::new(argument), named_in)?),
            }
        }
        let globs = Globs::new(globs).map_err(|error| wrong(&error.to_string()))?;
        Ok(Map(globs))
    }

    /// The schema of the last matching glob for a file.
    pub(super) fn target(&self, path: &Path) -> Option<NamedSchema> {
        self.0.find(path).cloned()
    }
}

/// The globs and schemas of a catalog like that of SchemaStore.
fn catalog(path: &Path, named_in: Option<&Path>) -> Result<Vec<(String, NamedSchema)>, BadOption> {
    let name = escape(&*path.to_string_lossy());
    let bytes = read(path, named_in).map_err(|error| {
        let hint = match error.kind() {
            ErrorKind::NotFound => "; a map is GLOB=FILE, or a catalog",
            _ => "",
        };
        let text = format!("--schema-map: {name}: {}{hint}", reason(&error));
        (Exit::Failure, text)
    })?;
    let document = Document::index(&bytes, Options::default()).map_err(|error| {
        let text = format!(
            "--schema-map: {name} is not JSON (byte {}); `jsonx validate {name}` shows why",
            error.offset
        );
        (Exit::Usage, text)
    })?;
    let schemas = document.root().get("schemas");
    let schemas = schemas.ok_or_else(|| {
        let text = format!("--schema-map: {name} is not a catalog: it lacks the key `schemas`");
        (Exit::Usage, text)
    })?;
    let named_by = NamedBy::Input(Some(path.to_owned()));
    let mut entries = Vec::new();
    for schema in schemas.elements() {
        let url = schema.get("url").and_then(Node::as_str);
        let (Some(url), Some(globs)) = (url, schema.get("fileMatch")) else {
            continue;
        };
        for glob in globs.elements() {
            let glob = glob.as_str().unwrap_or_default().into_owned();
            entries.push((glob, (url.clone().into_owned(), named_by.clone())));
        }
    }
    Ok(entries)
}

/// The bytes of a catalog. One that a `jsonx.json` names is a regular file in its folder.
fn read(path: &Path, named_in: Option<&Path>) -> io::Result<Vec<u8>> {
    let Some(config) = named_in else {
        return read_at_most(path, MAX_SCHEMA_SIZE);
    };
    let folder = std::path::absolute(config)?;
    let folder = folder.parent().map(Path::to_owned);
    read_named(path, folder.into_iter(), MAX_SCHEMA_SIZE).map_err(|dead| match dead {
        Dead::Missing => io::Error::new(ErrorKind::NotFound, "No such file or directory"),
        Dead::Outside => {
            let text = "outside the folder of jsonx.json; --schema-map CATALOG allows it";
            io::Error::new(ErrorKind::PermissionDenied, text)
        }
        Dead::Unusable(Unusable::Unreadable { error, .. }) => {
            io::Error::new(error.kind(), error.to_string())
        }
        Dead::Repeated(..) | Dead::Unusable(_) => ErrorKind::InvalidData.into(),
    })
}

/// The bytes of a file that the user names: a pipe, too.
fn read_at_most(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        let text = format!("larger than {} MB", limit >> 20);
        return Err(io::Error::new(ErrorKind::FileTooLarge, text));
    }
    Ok(bytes)
}
