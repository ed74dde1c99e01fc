//! The schemas and instance of errors, with caches: the cost of a value or a list is paid once for all errors.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use jsonschema::ValidationError;
use jsonx_core::Node;
use jsonx_diagnose::Span;

use super::children::Children;
use crate::backtracking::Pattern;
use crate::store::{SchemaText, Store};
use jsonx_core::string::nearest::Nearest;

/// A file, or a subschema with an `$id`.
pub type Resource = (&'static SchemaText, Node<'static, 'static>);

/// Maximum number of names compared for did-you-mean in one instance. A comparison takes up to a microsecond; texts written by people
/// need a few thousand.
const COMPARED: u32 = 1_000_000;

/// The schemas and the instance of errors.
pub struct Context<'a> {
    /// The schemas; `None` if those are not files.
    pub store: Option<&'a Store>,
    /// Caches for the schemas.
    pub known: &'a Known,
    /// The instance.
    pub root: Node<'a, 'a>,
    /// The name of the instance in messages.
    pub whole: &'static str,
    /// The children of its values.
    pub children: Children<'a>,
    /// Finds the first keyword without effect in a list of alternatives: its place, and why it has none.
    pub without_effect: Option<WithoutEffect>,
    /// The remaining comparisons of names.
    left: Cell<u32>,
}

/// A function of `authoring`, which makes findings and thus cannot be imported here.
type WithoutEffect = fn(&Store, &SchemaText, Node<'_, '_>) -> Option<(Span, String)>;

/// Caches for schemas, shared by all errors of all instances.
#[derive(Default)]
pub struct Known {
    /// The files of the schema.
    pub texts: Vec<&'static SchemaText>,
    /// The children of its values.
    pub children: Children<'static>,
    /// Subschemas with a URL.
    pub resources: Memo<Option<Resource>>,
    /// The values that a `const` or an `enum` lists, by the URL of the keyword.
    pub listed: Memo<Listed>,
    /// The combined lists of several alternatives, by their paths.
    pub unions: Memo<Listed>,
    /// The keys of alternatives, by the URL of one.
    pub alternatives: Memo<AlternativeKeys>,
    /// The known properties of a schema, by its URL.
    pub names: Memo<Declared>,
    /// The first keyword without effect in a list of alternatives, by the URL of the list.
    pub without_effect: Memo<Option<(Span, String)>>,
    /// The places of names in a list, by the URL of the list.
    pub places: Memo<HashMap<String, Span>>,
}

/// The keys that a schema declares.
#[derive(Default)]
pub struct Declared {
    /// The names of `properties`.
    pub names: Listed,
    /// The patterns of `patternProperties`.
    pub patterns: Vec<Pattern>,
}

/// The keys that tell an alternative from others.
#[derive(Default)]
pub struct AlternativeKeys {
    /// Those of `properties` and `required`.
    pub names: Listed,
    /// Those whose values are listed by `const` or `enum`.
    pub discriminators: Vec<String>,
}

impl Known {
    /// Caches for the schema in these files.
    pub fn of(texts: Vec<&'static SchemaText>) -> Known {
        Known {
            texts,
            ..Known::default()
        }
    }
}

impl Declared {
    /// Whether a name or a pattern declares a key.
    pub fn contains(&self, key: &str) -> bool {
        self.names.contains(key) || self.patterns.iter().any(|it| it.matches(key, None))
    }
}

/// Results by key.
pub struct Memo<T>(Mutex<HashMap<String, Arc<T>>>);

impl<T> Default for Memo<T> {
    fn default() -> Self {
        Memo(Mutex::default())
    }
}

impl<T> Memo<T> {
    /// The cached result for a key, or the computed one.
    pub fn get(&self, key: &str, make: impl FnOnce() -> T) -> Arc<T> {
        let all = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all().get(key).cloned();
        known.unwrap_or_else(|| {
            // Without the lock, because this may need other results.
            let made = Arc::new(make());
            all().entry(key.to_owned()).or_insert(made).clone()
        })
    }
}

/// Distinct texts in order, and the parts to compare.
#[derive(Default)]
pub struct Listed {
    /// The texts: JSON, names or types.
    pub texts: Vec<String>,
    /// The names among them: of JSON, the contents of strings.
    pub names: Vec<String>,
    distinct: HashSet<String>,
}

impl Listed {
    /// Values as JSON.
    pub fn of_json(texts: impl IntoIterator<Item = String>) -> Listed {
        let mut listed = Listed::default();
        for text in texts {
            listed.push(text, |text| serde_json::from_str(text).ok());
        }
        listed
    }

    /// Names.
    pub fn of_names(names: impl IntoIterator<Item = String>) -> Listed {
        let mut listed = Listed::default();
        for name in names {
            listed.push(name, |_| None);
        }
        listed
    }

    fn push(&mut self, text: String, name: impl Fn(&str) -> Option<String>) {
        if self.distinct.insert(text.clone()) {
            self.names.extend(name(&text));
            self.texts.push(text);
        }
    }

    /// Whether they contain a text.
    pub fn contains(&self, text: &str) -> bool {
        self.distinct.contains(text)
    }
}

impl<'a> Context<'a> {
    pub fn new(
        store: Option<&'a Store>,
        known: &'a Known,
        root: Node<'a, 'a>,
        whole: &'static str,
    ) -> Context<'a> {
        Context {
            store,
            known,
            root,
            whole,
            children: Children::default(),
            without_effect: None,
            left: Cell::new(COMPARED),
        }
    }

    /// A similar name, unless too many names were compared.
    pub fn nearest<S: AsRef<str>>(
        &self,
        name: &str,
        candidates: impl IntoIterator<Item = S>,
    ) -> Option<String> {
        let mut nearest = Nearest::new(name.as_bytes());
        for candidate in candidates {
            self.left.set(self.left.get().checked_sub(1)?);
            nearest.offer(candidate.as_ref().as_bytes());
        }
        let found = nearest.found()?;
        Some(String::from_utf8_lossy(found).into_owned())
    }
}

/// An error without alternatives.
pub struct Leaf<'e> {
    pub error: &'e ValidationError<'e>,
    /// Notes on the chosen alternatives.
    pub notes: Vec<String>,
    /// The values allowed by all alternatives, if they do not differ otherwise.
    pub union: Option<Arc<Listed>>,
}
