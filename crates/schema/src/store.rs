//! The schemas of a run: read once, found by path or URL, never fetched from the network.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use jsonschema::{Draft, Retrieve, Uri, uri};
use jsonx_core::engine::Options;
use jsonx_core::jsonc::{self, Dialect};
use jsonx_core::{Document, ErrorKind, Node, SyntaxError};
use jsonx_diagnose::{Code, Diagnostic, NamedText, Span};
use percent_encoding::{
    AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode, utf8_percent_encode,
};
use serde_json::Value;

use crate::Unusable;
use crate::convert;
use crate::instance::text;
use crate::limits;
use crate::reach::{Dead, MAX_SCHEMA_SIZE, both, is_below, may_open, read_named};

/// Maximum nesting depth of schemas: they are compiled by recursion.
pub const MAX_SCHEMA_DEPTH: u64 = 256;

/// The start of the URLs of schemas in no file.
pub const TEXT: &str = "schema-text:///";

/// Maximum number of files in a schema directory that are searched by `$id`.
const MAX_INDEXED: usize = 100_000;

/// Settings for all schemas of a run.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// `--schema-dir`.
    pub dir: Option<PathBuf>,
    /// `--schema-root`: the folders below which references may open files, besides the folder of the file with the reference.
    pub roots: Vec<PathBuf>,
    /// `--draft`.
    pub draft: Option<Draft>,
    /// `--formats assert`.
    pub asserts_formats: bool,
    /// `--max-steps`: the maximum steps for checking a value; 0 for no limit.
    pub max_steps: Option<u64>,
}

/// A file as it was read.
#[derive(Debug)]
pub struct Fetched {
    /// Its name in messages.
    pub name: Vec<u8>,
    /// Its text, without a byte-order mark.
    pub text: Vec<u8>,
    /// Its dialect: whether comments are allowed.
    pub dialect: Dialect,
}

/// Reads the files of schemas.
pub trait Fetch: Send + Sync {
    /// Reads a file of at most `limit` bytes; `-` may be standard input.
    ///
    /// # Errors
    /// Those of the system; `FileTooLarge`.
    fn fetch(&self, path: &Path, limit: u64) -> io::Result<Fetched>;
}

/// A schema file.
pub struct SchemaText {
    /// Its name and bytes.
    pub source: Arc<NamedText>,
    /// The parsed text.
    pub document: Document<'static>,
    /// Its location as a URL.
    pub uri: String,
}

/// The schemas read so far, and how to find more.
pub struct Store {
    /// Their settings.
    pub settings: Settings,
    files: Box<dyn Fetch>,
    by_path: Mutex<HashMap<PathBuf, Result<&'static SchemaText, Unusable>>>,
    by_uri: Mutex<HashMap<String, &'static SchemaText>>,
    ids: OnceLock<HashMap<String, Identified>>,
}

/// The files of a schema directory with one `$id`.
struct Identified {
    path: PathBuf,
    /// Another one that differs.
    other: Option<PathBuf>,
}

pub fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Store {
    /// An empty store; `files` reads schemas.
    pub fn new(settings: Settings, files: impl Fetch + 'static) -> Arc<Store> {
        Arc::new(Store {
            settings,
            files: Box::new(files),
            by_path: Mutex::default(),
            by_uri: Mutex::default(),
            ids: OnceLock::new(),
        })
    }

    /// The schema in a file.
    ///
    /// # Errors
    /// It cannot be read or is not JSON.
    pub fn load(&self, path: &Path) -> Result<&'static SchemaText, Unusable> {
        if let Some(known) = lock(&self.by_path).get(path) {
            return known.clone();
        }
        let loaded = self.read(path);
        // Another thread may have read it in the meantime; all share one copy.
        let mut by_path = lock(&self.by_path);
        let loaded = by_path.entry(path.to_owned()).or_insert(loaded).clone();
        drop(by_path);
        if let Ok(text) = &loaded {
            let mut by_uri = lock(&self.by_uri);
            by_uri.insert(text.uri.clone(), text);
            if let Some(id) = id_of(text.document.root(), &text.uri) {
                by_uri.entry(id).or_insert(text);
            }
        }
        loaded
    }

    /// Reads and parses a file. Its text lives as long as the process.
    fn read(&self, path: &Path) -> Result<&'static SchemaText, Unusable> {
        let name = path.to_string_lossy();
        let unreadable = |error: io::Error| Unusable::Unreadable {
            path: path.to_owned(),
            error: Arc::new(if let Some((one, other)) = self.namesakes(&name) {
                io::Error::new(io::ErrorKind::InvalidData, both(&one, &other))
            } else if name.contains("://") {
                let advice = self.advice(&name);
                io::Error::new(
                    error.kind(),
                    format!("jsonx does not use the network; {advice}"),
                )
            } else {
                error
            }),
        };
        // A folder may be called `https:`.
        if name.contains("://") {
            return Err(unreadable(io::ErrorKind::NotFound.into()));
        }
        let Fetched {
            name,
            text,
            dialect,
        } = self
            .files
            .fetch(path, MAX_SCHEMA_SIZE)
            .map_err(unreadable)?;
        let source = NamedText::new(name, text);
        let uri = if path == Path::new("-") {
            self.uri_of_text("-")
        } else {
            uri_of(path)
        };
        parse(source, dialect, uri.map_err(unreadable)?)
    }

    /// Adds a schema without a file under a file name.
    ///
    /// # Errors
    /// It is not JSON.
    pub fn add(&self, name: &str, text: &[u8]) -> Result<&'static SchemaText, Unusable> {
        let source = NamedText::new(name, text);
        let uri = self.uri_of_text(name);
        let uri = uri.unwrap_or_else(|_| format!("{TEXT}{name}"));
        let added = parse(source, Dialect::Json, uri)?;
        lock(&self.by_uri).insert(added.uri.clone(), added);
        Ok(added)
    }

    /// The URL of a schema in no file: as if it were in the root of schemas, if there is one.
    fn uri_of_text(&self, name: &str) -> io::Result<String> {
        match self.settings.roots.first() {
            Some(root) => uri_of(&root.join(name)),
            None => Ok(format!("{TEXT}{name}")),
        }
    }

    /// The schema with this URL, if read.
    pub fn known(&self, uri: &str) -> Option<&'static SchemaText> {
        lock(&self.by_uri).get(without_fragment(uri)).copied()
    }

    /// All schemas that were read.
    pub fn all(&self) -> Vec<&'static SchemaText> {
        let by_path = lock(&self.by_path);
        let texts = by_path
            .values()
            .filter_map(|text| text.as_ref().ok().copied());
        let mut all: Vec<_> = texts.collect();
        all.sort_by_key(|text| &text.uri);
        all
    }

    /// Whether schemas depend on a file, including a missing one.
    pub fn depends_on(&self, path: &Path) -> bool {
        let dir = self.settings.dir.as_ref();
        let dir = dir.and_then(|dir| std::path::absolute(dir).ok());
        if dir.is_some_and(|dir| path.starts_with(dir)) {
            return true;
        }
        let uri = uri_of(path).ok();
        lock(&self.by_path)
            .keys()
            .any(|known| uri_of(known).ok() == uri)
    }

    /// Whether a reference in the file `from`, or in a text, may open a file. Symbolic links are followed.
    pub fn reaches(&self, path: &Path, from: Option<&Path>) -> bool {
        is_below(path, self.folders(from))
    }

    /// The folders below which a reference in the file `from`, or in a text, may open files.
    fn folders(&self, from: Option<&Path>) -> impl Iterator<Item = PathBuf> {
        let folder = from.and_then(|from| {
            let path = std::path::absolute(from).ok()?;
            path.parent().map(Path::to_owned)
        });
        let named = self.settings.roots.iter().chain(&self.settings.dir);
        named.cloned().chain(folder)
    }

    /// The target of a reference in the file `from`, or in a text.
    ///
    /// # Errors
    /// It does not exist, or it may not be opened.
    pub fn refer(&self, path: &Path, from: Option<&Path>) -> Result<&'static SchemaText, Dead> {
        may_open(path, self.folders(from), MAX_SCHEMA_SIZE)?;
        self.load(path).map_err(|unusable| match &unusable {
            Unusable::Unreadable { error, .. } if error.kind() == io::ErrorKind::NotFound => {
                Dead::Missing
            }
            _ => Dead::Unusable(unusable),
        })
    }

    /// The schema with the URL of a reference, in a schema that begins with `root` and is located at `at`; `None` if there is no
    /// file with this URL.
    pub fn retrieve(
        &self,
        uri: &str,
        root: Node<'_, '_>,
        at: &str,
    ) -> Option<Result<&'static SchemaText, Dead>> {
        let path = self.find(uri, root, at)?;
        if let Some((one, other)) = self.namesakes(uri) {
            return Some(Err(Dead::Repeated(one, other)));
        }
        let found = self.refer(&path, path_of(at).as_deref());
        if let Ok(text) = found {
            lock(&self.by_uri).insert(uri.to_owned(), text);
        }
        Some(found)
    }

    /// The file of a reference, if it may be opened and is a regular file.
    pub fn is_there(&self, path: &Path, from: Option<&Path>) -> bool {
        self.reaches(path, from) && path.is_file()
    }

    /// The file of a URL: a local file, one in the schema directory, or one with the same position relative to the schema `beside`,
    /// located at `at`, as the URL has relative to its `$id`.
    pub fn find(&self, uri: &str, beside: Node<'_, '_>, at: &str) -> Option<PathBuf> {
        let uri = without_fragment(uri);
        if let Some(path) = path_of(uri) {
            return Some(path);
        }
        self.in_dir(uri).or_else(|| {
            let id = id_of(beside, at)?;
            let (mut folder, _) = id.rsplit_once('/')?;
            let path = path_of(at)?;
            let mut beside = path.parent()?;
            loop {
                let rest = uri
                    .strip_prefix(folder)
                    .and_then(|rest| rest.strip_prefix('/'));
                let path = rest.map(|rest| beside.join(decoded(rest)));
                if let Some(path) = path.filter(|path| path.is_file()) {
                    return Some(path);
                }
                // The parent folder, if it has the same name in the URL.
                let (above, name) = folder.rsplit_once('/')?;
                if above.ends_with('/') || beside.file_name()? != name {
                    return None;
                }
                (folder, beside) = (above, beside.parent()?);
            }
        })
    }

    /// The file of a URL, regardless of the schema with the reference.
    pub fn find_alone(&self, uri: &str) -> Option<PathBuf> {
        let path = path_of(uri).or_else(|| self.in_dir(uri));
        path.filter(|_| self.namesakes(uri).is_none())
    }

    /// Instructions for saving a local copy of the schema with a URL.
    pub fn advice(&self, uri: &str) -> String {
        let place = after_scheme(uri).trim_end_matches('/');
        let (to, then) = match &self.settings.dir {
            Some(dir) => (dir.join(place).display().to_string(), ""),
            None => (format!("DIR/{place}"), ", and give --schema-dir DIR"),
        };
        let is_word = |text: &str| {
            text.chars()
                .all(|c| c.is_ascii_alphanumeric() || "_./:@%+=,-".contains(c))
        };
        let is_inside = place
            .split('/')
            .all(|part| !["", ".", ".."].contains(&part));
        let is_web = uri.starts_with("https://") || uri.starts_with("http://");
        // Schemas are untrusted: nothing that a shell expands becomes part of a command.
        if is_web && is_inside && is_word(uri) && is_word(&to) {
            format!("save it with `curl -sSfL --create-dirs -o {to} {uri}`{then}")
        } else {
            format!("save it as {to}{then}")
        }
    }

    /// The file in which a missing schema with this URL is looked up.
    pub fn place(&self, uri: &str) -> Option<PathBuf> {
        if let Some(path) = path_of(uri) {
            return Some(path);
        }
        let name = decoded(after_scheme(uri));
        let dir = self.settings.dir.as_ref().filter(|_| is_inside(&name))?;
        Some(dir.join(if name.ends_with('/') {
            name + ".json"
        } else {
            name
        }))
    }

    /// Two files of the schema directory that differ and have this `$id`, if no file has its name.
    pub fn namesakes(&self, uri: &str) -> Option<(PathBuf, PathBuf)> {
        let uri = without_fragment(uri);
        if path_of(uri).is_some() || self.named_in_dir(uri).is_some() {
            return None;
        }
        let all = self.ids()?.get(uri)?;
        Some((all.path.clone(), all.other.clone()?))
    }

    fn in_dir(&self, uri: &str) -> Option<PathBuf> {
        self.named_in_dir(uri)
            .or_else(|| Some(self.ids()?.get(uri)?.path.clone()))
    }

    fn ids(&self) -> Option<&HashMap<String, Identified>> {
        let dir = self.settings.dir.as_ref()?;
        Some(self.ids.get_or_init(|| ids_in(dir)))
    }

    fn named_in_dir(&self, uri: &str) -> Option<PathBuf> {
        let dir = self.settings.dir.as_ref()?;
        let whole = decoded(after_scheme(uri));
        let tail = whole
            .split_once('/')
            .map_or(String::new(), |(_, tail)| tail.to_owned());
        for name in [&*whole, &*tail].into_iter().filter(|name| is_inside(name)) {
            for name in [name.to_owned(), format!("{name}.json")] {
                let path = dir.join(name);
                if path.is_file() {
                    return Some(path);
                }
            }
        }
        None
    }
}

/// Whether the path of a URL leads out of no folder.
fn is_inside(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    !name.is_empty() && parts.all(|part| matches!(part, std::path::Component::Normal(_)))
}

/// Retrieves the schemas that a schema refers to.
pub struct Finder {
    pub store: Arc<Store>,
    pub root: &'static SchemaText,
    /// The schemas retrieved.
    pub used: Arc<Mutex<Vec<&'static SchemaText>>>,
    /// The URLs of missing and unreadable files. The validator gets `true` in their place, because it would stop at an arbitrary one.
    pub absent: Arc<Mutex<BTreeMap<String, Dead>>>,
}

impl Finder {
    fn absent(&self, uri: &str, dead: Dead) -> Value {
        lock(&self.absent).insert(uri.to_owned(), dead);
        Value::Bool(true)
    }
}

impl Retrieve for Finder {
    fn retrieve(
        &self,
        uri: &Uri<String>,
    ) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        let uri = without_fragment(uri.as_str());
        let root = self.root.document.root();
        // The schema whose fragment is compiled, by its own URL.
        if uri == self.root.uri || id_of(root, &self.root.uri).is_some_and(|id| id == uri) {
            return Ok(to_value(self.root));
        }
        match self.store.retrieve(uri, root, &self.root.uri) {
            Some(Ok(text)) => {
                lock(&self.used).push(text);
                Ok(to_value(text))
            }
            Some(Err(dead)) => Ok(self.absent(uri, dead)),
            // The schema is compiled again with the meta-schemas of all drafts.
            None => match Draft::from_schema_uri(uri) {
                Draft::Unknown => Ok(self.absent(uri, Dead::Missing)),
                _ => Err(io::Error::from(io::ErrorKind::NotFound).into()),
            },
        }
    }
}

/// A schema in the validator's representation.
pub fn to_value(schema: &SchemaText) -> Value {
    /// Heap memory of the value and the validator per byte of text.
    const MEMORY: usize = 48;
    limits::reserve(schema.source.text.len() * MEMORY);
    convert::to_value(schema.document.root())
}

/// Parses a schema. Its text lives as long as the process.
fn parse(
    source: NamedText,
    dialect: Dialect,
    uri: String,
) -> Result<&'static SchemaText, Unusable> {
    let source: &'static Arc<NamedText> = Box::leak(Box::new(Arc::new(source)));
    let options = Options::default()
        .max_depth(MAX_SCHEMA_DEPTH)
        .dialect(dialect);
    let parsed = plain(&source.text, dialect).and_then(|text| {
        let text: &'static [u8] = match text {
            Cow::Borrowed(text) => text,
            Cow::Owned(text) => text.leak(),
        };
        Document::index(text, options)
    });
    match parsed {
        Ok(document) => Ok(Box::leak(Box::new(SchemaText {
            source: source.clone(),
            document,
            uri,
        }))),
        Err(error) if error.kind == ErrorKind::TooDeep => {
            let at = usize::try_from(error.offset).unwrap_or_default();
            let mut finding = Diagnostic::new(Code::Custom("schema/limit"), Span::new(at, at + 1));
            finding.message = format!("schema nested more than {MAX_SCHEMA_DEPTH} levels deep");
            finding.label = "one level too many".to_owned();
            Err(Unusable::Wrong {
                source: source.clone(),
                findings: vec![finding],
            })
        }
        Err(error) => Err(Unusable::NotJson {
            source: source.clone(),
            error,
        }),
    }
}

/// Replaces comments and trailing commas by spaces, because `Document` includes them in the preceding value.
///
/// # Errors
/// A comment is not closed.
pub fn plain(text: &[u8], dialect: Dialect) -> Result<Cow<'_, [u8]>, SyntaxError> {
    if dialect == Dialect::Json {
        return Ok(Cow::Borrowed(text));
    }
    let mut plain = text.to_vec();
    jsonc::blank(&mut plain, dialect)?;
    Ok(Cow::Owned(plain))
}

/// The absolute `$id` of a schema, or `id` of draft 4.
pub fn id_of(schema: Node<'_, '_>, base: &str) -> Option<String> {
    let id = schema.get("$id").or_else(|| schema.get("id"))?.as_str()?;
    let base = uri::from_str(base).ok()?;
    let id = uri::resolve_against(&base.borrow(), &id).ok()?;
    Some(without_fragment(id.as_str()).to_owned())
}

/// A URL up to `#`.
pub fn without_fragment(uri: &str) -> &str {
    uri.split_once('#').map_or(uri, |(uri, _)| uri)
}

/// A URL without `https://`.
pub fn after_scheme(uri: &str) -> &str {
    uri.split_once("://").map_or(uri, |(_, rest)| rest)
}

/// The URL of a file.
pub fn uri_of(path: &Path) -> io::Result<String> {
    let path = std::path::absolute(path)?;
    let text = path.to_string_lossy().replace('\\', "/");
    let mut uri = String::from("file://");
    if !text.starts_with('/') {
        uri.push('/');
    }
    // A colon follows the drive of Windows.
    const BUT_COLONS: AsciiSet = ENCODED.remove(b':');
    uri.extend(utf8_percent_encode(&text, &BUT_COLONS));
    // Without `.` and `..`, like the validator's normalized URLs.
    Ok(uri::from_str(&uri).map_or(uri, |uri| uri.as_str().to_owned()))
}

/// The path of a `file:` URL.
pub fn path_of(uri: &str) -> Option<PathBuf> {
    let path = decoded(uri.strip_prefix("file://")?);
    Some(match path.as_bytes() {
        [b'/', _, b':', ..] => PathBuf::from(&path[1..]),
        _ => PathBuf::from(path),
    })
}

/// The bytes that are encoded in the path of a URI.
const ENCODED: AsciiSet = NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// Encodes a path for a URI.
pub fn encoded(path: &[u8]) -> String {
    percent_encode(path, &ENCODED).to_string()
}

/// Decodes percent-encoding. Invalid UTF-8 becomes U+FFFD.
pub fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// Decodes percent-encoding.
pub fn decoded_bytes(text: &str) -> Vec<u8> {
    percent_decode_str(text).collect()
}

/// The schemas of a directory by `$id`.
fn ids_in(dir: &Path) -> HashMap<String, Identified> {
    let read = |path: &Path| read_named(path, [dir.to_owned()].into_iter(), MAX_SCHEMA_SIZE);
    let mut ids: HashMap<String, Identified> = HashMap::new();
    let mut folders = vec![dir.to_owned()];
    let mut looked_at = 0;
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            looked_at += 1;
            if looked_at > MAX_INDEXED {
                return ids;
            }
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "json")
                && let Ok(bytes) = read(&path)
                && let Ok(document) = Document::parse(&bytes)
            {
                let root = document.root();
                let id = root.get("$id").or_else(|| root.get("id"));
                if let Some(id) = id.filter(|id| id.as_str().is_some()) {
                    let known = ids.entry(without_fragment(&text(id)).to_owned());
                    let known = known.or_insert_with(|| Identified {
                        path: path.clone(),
                        other: None,
                    });
                    let differs = || !read(&known.path).is_ok_and(|it| it == bytes);
                    if known.other.is_none() && known.path != path && differs() {
                        known.other = Some(path);
                    }
                }
            }
        }
    }
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    struct None;

    impl Fetch for None {
        fn fetch(&self, _: &Path, _: u64) -> io::Result<Fetched> {
            Err(io::ErrorKind::NotFound.into())
        }
    }

    #[test]
    fn a_url_that_a_shell_would_expand_is_not_in_a_command() {
        let store = Store::new(Settings::default(), None);
        assert_eq!(
            store.advice("https://example.com/a.json"),
            "save it with `curl -sSfL --create-dirs -o DIR/example.com/a.json https://example.com/a.json`, and give \
             --schema-dir DIR"
        );
        assert_eq!(
            store.advice("urn:a"),
            "save it as DIR/urn:a, and give --schema-dir DIR"
        );
        for hostile in [
            "https://example.com/$(touch a)",
            "https://example.com/`touch a`",
            "https://example.com/a;b",
            "https://example.com/a?b&c",
            "https://example.com/a b",
            "https://example.com/'a'",
            "https://example.com/../../a",
            "https:///etc/a",
            "ftp://example.com/a",
        ] {
            assert!(!store.advice(hostile).contains("curl"), "{hostile}");
        }
    }
}
