//! Chooses the schema of each input; schemas are compiled when first needed.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use jsonx_core::document::{Documents, Indexer};
use jsonx_core::jsonc::Dialect;
use jsonx_core::{Document, Node, SyntaxError};
use jsonx_diagnose::{Code, Diagnostic, Severity, Span};
use jsonx_schema::keywords::{Set, is_keyword};
use jsonx_schema::{
    Dead, InstanceOptions, Schema, SchemaText, Settings, Store, Unusable, Verdict, both, decoded,
    draft_named, draft_of_uri, mistakes, outside, plain, shown, without_fragment,
};

use super::fetch::Files;
use super::map::{BadOption, Map, NamedBy, Reference, reference};
use super::{NO_LOCAL_COPY, SchemaOptions, is_url, name_of};
use crate::exit::Exit;
use crate::messages;
use crate::report::escape;

/// Maximum depth of checked values: the validator recurses, and searches all levels for cycles.
pub const MAX_DEPTH: u64 = 10_000;

/// Why a schema that a file names is not opened.
const OUTSIDE: &str =
    "outside the folder of the file that names it; --schema-root DIR allows files below DIR";

/// The schemas of a run.
#[derive(Clone)]
pub struct Schemas {
    shared: Arc<Shared>,
}

struct Shared {
    store: Arc<Store>,
    /// The schema of all inputs.
    one: Option<Reference>,
    map: Option<Map>,
    use_schema_key: bool,
    compiled: Mutex<HashMap<Reference, Slot>>,
    allowed: Set,
    warned: Set,
}

type Slot = Arc<OnceLock<Result<Arc<Schema>, Unusable>>>;

/// The schema of an input.
#[derive(Clone)]
pub struct InputSchema {
    kind: SchemaChoice,
    /// Keywords to ignore, and keywords to report as warnings.
    allowed: Set,
    warned: Set,
}

#[derive(Clone)]
enum SchemaChoice {
    One(Arc<Schema>),
    /// The schema that each value names.
    Own(Schemas, Option<PathBuf>),
    /// For a value that is a schema: the meta-schema of its draft.
    Draft(Schemas, Option<PathBuf>),
}

impl fmt::Debug for Schemas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Schemas").finish_non_exhaustive()
    }
}

impl fmt::Debug for InputSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InputSchema").finish_non_exhaustive()
    }
}

impl Schemas {
    /// The schemas requested by the options.
    ///
    /// # Errors
    /// A bad glob, or a catalog that cannot be read.
    pub fn new(options: &SchemaOptions) -> Result<Schemas, BadOption> {
        if let Some(dir) = options.dir.as_ref().filter(|dir| !dir.is_dir()) {
            let dir = escape(&*dir.to_string_lossy());
            let text = format!("--schema-dir: {dir} is not a directory");
            return Err((Exit::Failure, text));
        }
        let settings = Settings {
            dir: options.dir.clone(),
            roots: options.roots.clone(),
            draft: options.draft.as_deref().and_then(draft_named),
            asserts_formats: options.asserts_formats.unwrap_or(false),
            max_steps: options.max_steps,
        };
        let store = Store::new(settings, Files);
        let shared = Shared {
            store,
            one: options.schema.as_ref().map(|name| Reference {
                named_by: match &options.schema_named_in {
                    Some(config) => NamedBy::Input(Some(config.clone())),
                    None => NamedBy::User,
                },
                ..reference(name, NamedBy::User)
            }),
            map: if options.maps.is_empty() {
                None
            } else {
                Some(Map::new(
                    &options.maps,
                    options.catalog_named_in.as_deref(),
                )?)
            },
            use_schema_key: options.use_schema_key,
            compiled: Mutex::default(),
            allowed: options.allowed,
            warned: options.warned,
        };
        Ok(Schemas {
            shared: Arc::new(shared),
        })
    }

    /// Compiles the schema of all inputs, and warns if it is no schema, as when a document was named in its place.
    ///
    /// # Errors
    /// It cannot be used.
    pub fn prepare(&self) -> Result<(), Unusable> {
        let Some(one) = &self.shared.one else {
            return Ok(());
        };
        let one = self.local(one);
        self.compiled(&one)?;
        let text = self.text(&one).ok().filter(|_| one.fragment.is_none());
        let keys = text.iter().flat_map(|text| text.document.root().members());
        let mut keys = keys.peekable();
        if keys.peek().is_some()
            && !keys.any(|(key, _)| key.as_str().is_some_and(|key| is_keyword(&key)))
        {
            let name = escape(&*one.path.to_string_lossy());
            messages::line(&format!(
                "jsonx: warning: {name}: not one of its keys is a keyword of JSON Schema, so every document is valid"
            ));
        }
        Ok(())
    }

    /// The schema of an input, or the meta-schema if the input may be a schema.
    ///
    /// # Errors
    /// It cannot be used.
    pub fn schema_for(&self, path: Option<&Path>) -> Result<InputSchema, Unusable> {
        let input = |kind| InputSchema {
            kind,
            allowed: self.shared.allowed,
            warned: self.shared.warned,
        };
        if let Some(reference) = self.chosen(path) {
            return Ok(input(SchemaChoice::One(self.compiled(&reference)?)));
        }
        let path = path.map(Path::to_owned);
        Ok(input(if self.shared.use_schema_key {
            SchemaChoice::Own(self.clone(), path)
        } else {
            SchemaChoice::Draft(self.clone(), path)
        }))
    }

    /// The schema that the options assign to an input.
    pub(super) fn chosen(&self, path: Option<&Path>) -> Option<Reference> {
        if let Some(reference) = &self.shared.one {
            return Some(self.local(reference));
        }
        let (map, path) = self.shared.map.as_ref().zip(path)?;
        let (name, named_by) = map.target(path)?;
        Some(if is_url(&name) {
            self.by_url(&name, named_by)
        } else {
            reference(&name, named_by)
        })
    }

    /// The schema that the value of a file names, if files do.
    pub(super) fn named_in(&self, value: Node<'_, '_>, path: Option<&Path>) -> Option<Reference> {
        let own = value
            .get("$schema")
            .filter(|_| self.shared.use_schema_key)?;
        Some(self.named(&own.as_str()?, path))
    }

    pub(super) fn store(&self) -> &Store {
        &self.shared.store
    }

    /// Whether schemas come from a file.
    pub fn depend_on(&self, path: &Path) -> bool {
        self.shared.store.depends_on(path)
    }

    /// The schema with a URL.
    fn by_url(&self, url: &str, named_by: NamedBy) -> Reference {
        let (url, fragment) = url.split_once('#').unwrap_or((url, ""));
        let path = self.path_of_url(url);
        Reference {
            named_by: if path == Path::new(url) {
                // There is no such file.
                NamedBy::User
            } else {
                named_by
            },
            url: Some(url.to_owned()),
            path,
            fragment: Some(fragment.to_owned()).filter(|it| !it.is_empty()),
        }
    }

    /// The schema that a file at `path` names.
    fn named(&self, name: &str, path: Option<&Path>) -> Reference {
        let named_by = NamedBy::Input(path.map(Path::to_owned));
        if is_url(name) {
            self.by_url(name, named_by)
        } else {
            reference(&decoded(name), named_by)
        }
    }

    /// Resolves a URL to a file in the directory of schemas, if it is there.
    fn local(&self, reference: &Reference) -> Reference {
        let name = reference.path.to_string_lossy();
        if !is_url(&name) {
            return reference.clone();
        }
        match self.shared.store.find_alone(&name) {
            Some(path) => Reference {
                path,
                ..reference.clone()
            },
            // There is no such file, whoever named it.
            None => Reference {
                named_by: NamedBy::User,
                ..reference.clone()
            },
        }
    }

    /// The expected path of the schema with a URL.
    fn path_of_url(&self, url: &str) -> PathBuf {
        let store = &self.shared.store;
        if store.namesakes(url).is_some() {
            return PathBuf::from(url);
        }
        store
            .find_alone(url)
            .unwrap_or_else(|| store.place(url).unwrap_or_else(|| PathBuf::from(url)))
    }

    fn slot(&self, reference: &Reference) -> Slot {
        let all = self.shared.compiled.lock();
        let mut all = all.unwrap_or_else(PoisonError::into_inner);
        all.entry(reference.clone()).or_default().clone()
    }

    fn compiled(&self, reference: &Reference) -> Result<Arc<Schema>, Unusable> {
        let slot = self.slot(reference);
        let compile = || {
            let (store, fragment) = (&self.shared.store, reference.fragment.as_deref());
            let draft = reference.path.to_str().and_then(draft_of_uri);
            // A built-in meta-schema needs no file.
            let built = draft.filter(|_| fragment.is_none());
            if let Some(built) = built.and_then(|draft| Schema::of_draft(store, draft)) {
                return Ok(Arc::new(built));
            }
            let text = self.text(reference)?;
            Schema::of_text(store, text, fragment).map(Arc::new)
        };
        slot.get_or_init(compile).clone()
    }

    /// The text of a schema.
    pub(super) fn text(&self, reference: &Reference) -> Result<&'static SchemaText, Unusable> {
        let store = &self.shared.store;
        let path = &reference.path;
        let NamedBy::Input(from) = &reference.named_by else {
            return store.load(path);
        };
        let (kind, why) = match store.refer(path, from.as_deref()) {
            Ok(text) => return Ok(text),
            Err(Dead::Missing) => return store.load(path),
            Err(Dead::Outside) => (ErrorKind::PermissionDenied, OUTSIDE.to_owned()),
            // An input may name any file, so its contents are not shown.
            Err(Dead::Unusable(Unusable::NotJson { error, .. })) => {
                let why = format!("not JSON: first error at byte {}", error.offset);
                (ErrorKind::InvalidData, why)
            }
            Err(Dead::Repeated(one, other)) => (ErrorKind::InvalidData, both(&one, &other)),
            Err(Dead::Unusable(unusable)) => return Err(unusable),
        };
        Err(Unusable::Unreadable {
            path: path.clone(),
            error: Arc::new(io::Error::new(kind, why)),
        })
    }

    /// The schema that a value names in `$schema`, in a file at `path`; `None` if it names none.
    fn own(
        &self,
        root: Node<'_, '_>,
        path: Option<&Path>,
    ) -> Option<Result<Arc<Schema>, Box<Diagnostic>>> {
        let named = root.get("$schema")?;
        let name = named.as_str()?.into_owned();
        if draft_of_uri(&name).is_some() {
            let meta = Reference {
                path: PathBuf::from(without_fragment(&name)),
                url: None,
                fragment: None,
                named_by: NamedBy::User,
            };
            return Some(Ok(self.compiled(&meta).ok()?));
        }
        let named_schema = self.named(&name, path);
        let span = named.span();
        let mut finding = Diagnostic::new(
            Code::Custom("schema/$schema"),
            Span::new(span.start, span.end),
        );
        finding.path.push_key(b"$schema");
        let store = &self.shared.store;
        let is_remote = is_url(&name) && !name.starts_with("file:");
        if !is_remote && !store.reaches(&named_schema.path, path) {
            outside(&mut finding, &shown(named));
            return Some(Err(Box::new(finding)));
        }
        if !store.is_there(&named_schema.path, path) {
            finding.message = if is_url(&name) {
                format!("{NO_LOCAL_COPY} \"{}\"", escape(&*name))
            } else {
                format!("{NO_LOCAL_COPY} {}", shown(named))
            };
            let name = escape(&*named_schema.path.to_string_lossy());
            if let Some((one, other)) = store.namesakes(&name).filter(|_| is_url(&name)) {
                finding.message = format!("{} is the name of two schemas", shown(named));
                finding.label = both(&one, &other);
            } else if is_url(&name) {
                finding.label = "jsonx does not use the network".to_owned();
                finding.help.push(store.advice(without_fragment(&name)));
            } else {
                finding.label = format!("there is no file {name}");
            }
            return Some(Err(Box::new(finding)));
        }
        Some(self.compiled(&named_schema).map_err(|unusable| {
            let name = String::from_utf8_lossy(&name_of(&unusable)).into_owned();
            finding.message = format!("the schema {} cannot be used", shown(named));
            finding.label = match &unusable {
                Unusable::Unreadable { error, .. } => format!("{name}: {error}"),
                Unusable::NotJson { .. } => format!("{name} is not JSON"),
                Unusable::Wrong { findings, .. } => match findings.first() {
                    Some(first) => format!("{name}: {}", first.message),
                    None => format!("{name} is not a schema"),
                },
            };
            finding.help.push(format!(
                "`jsonx validate --schema {name}` shows what is wrong with it"
            ));
            Box::new(finding)
        }))
    }
}

impl InputSchema {
    /// Checks a text of one value, whose index may already exist.
    ///
    /// # Errors
    /// The text is not JSON.
    pub fn check(
        &self,
        text: &[u8],
        index: Option<Indexer>,
        asked: &InstanceOptions,
    ) -> Result<Verdict, SyntaxError> {
        let dialect = asked.options.dialect;
        let text = plain(text, dialect)?;
        let index = index.filter(|_| dialect == Dialect::Json);
        let indexed = index.and_then(|index| index.document(&text, MAX_DEPTH));
        let index = || Document::index(&text, asked.options.max_depth(MAX_DEPTH));
        let document = match indexed.map_or_else(index, Ok) {
            Ok(document) => document,
            // It was validated with a higher limit.
            Err(error) if error.kind == jsonx_core::ErrorKind::TooDeep => {
                let verdict = too_deep(error.offset, asked.whole);
                return Ok(self.leveled(verdict));
            }
            Err(error) => return Err(error),
        };
        let root = document.root();
        let is_schema = is_schema(root);
        let (schema, own) = match &self.kind {
            SchemaChoice::One(schema) => (schema.clone(), None),
            SchemaChoice::Draft(..) if !is_schema => return Ok(Verdict::default()),
            SchemaChoice::Own(schemas, path) | SchemaChoice::Draft(schemas, path) => {
                match schemas.own(root, path.as_deref()) {
                    None => return Ok(Verdict::default()),
                    Some(Ok(schema)) => (schema, Some((schemas, path.as_deref()))),
                    Some(Err(finding)) => {
                        let verdict = Verdict {
                            findings: vec![*finding],
                            is_schema,
                            ..Verdict::default()
                        };
                        return Ok(self.leveled(verdict));
                    }
                }
            }
        };
        let mut verdict = schema.check(&document, asked);
        verdict.is_schema = is_schema;
        if let Some((schemas, path)) = own {
            if is_schema {
                let more = mistakes(&schemas.shared.store, &document, path);
                verdict.findings.extend(more);
                verdict.findings.sort_by_key(|finding| finding.span.start);
            }
            // `$schema` is not a mistake even if the schema does not allow it.
            let key = root
                .members()
                .find(|(key, _)| key.as_str().is_some_and(|key| key == "$schema"))
                .map(|(key, _)| key.span().start);
            verdict.findings.retain(|finding| {
                let forbids = [
                    "schema/additionalProperties",
                    "schema/unevaluatedProperties",
                ]
                .contains(&finding.code.as_str());
                !(forbids && Some(finding.span.start) == key)
            });
        }
        Ok(self.leveled(verdict))
    }

    /// The starts of the values of a stream that have findings; `None` if each value names its schema.
    pub fn mismatches(
        &self,
        values: &Documents<&[u8]>,
        asked: &InstanceOptions,
    ) -> Option<Vec<usize>> {
        match &self.kind {
            SchemaChoice::One(schema) => Some(schema.mismatches(values, asked)),
            SchemaChoice::Own(..) | SchemaChoice::Draft(..) => None,
        }
    }

    /// Whether it applies only to values that are schemas.
    pub fn is_for_schemas(&self) -> bool {
        matches!(self.kind, SchemaChoice::Draft(..))
    }

    /// The severity of findings with a code.
    pub fn severity(&self, code: Code) -> Severity {
        if self.warned.contains(code.as_str()) {
            Severity::Warning
        } else {
            code.severity()
        }
    }

    /// Drops the allowed findings.
    fn leveled(&self, mut verdict: Verdict) -> Verdict {
        let allowed = |finding: &Diagnostic| self.allowed.contains(finding.code.as_str());
        verdict.findings.retain(|finding| !allowed(finding));
        for finding in &mut verdict.findings {
            finding.severity = self.severity(finding.code);
        }
        verdict
    }
}

/// Whether a value is a schema, by the draft that it names.
pub(super) fn is_schema(root: Node<'_, '_>) -> bool {
    let named = root.get("$schema").and_then(Node::as_str);
    named.is_some_and(|uri| draft_of_uri(&uri).is_some())
}

/// The verdict on a value nested deeper than [`MAX_DEPTH`].
fn too_deep(offset: u64, whole: &str) -> Verdict {
    let at = usize::try_from(offset).unwrap_or_default();
    let mut finding = Diagnostic::new(Code::Custom("schema/limit"), Span::new(at, at + 1));
    finding.message = format!(
        "{whole} cannot be checked with the schema: nested more than {MAX_DEPTH} levels deep"
    );
    finding.label = "one level too many".to_owned();
    finding
        .notes
        .push("this limit is fixed: the validator recurses".to_owned());
    Verdict {
        findings: vec![finding],
        limited: true,
        ..Verdict::default()
    }
}
