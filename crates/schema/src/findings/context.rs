//! What errors refer to, and what has been found out about it for other errors: what one value or one list costs is paid once,
//! however many errors there are.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use jsonschema::ValidationError;
use jsonx_core::Node;
use jsonx_core::diagnose::Span;

use super::children::Children;
use crate::store::{SchemaText, Store};
use jsonx_core::diagnose::nearest::Nearest;

/// A file, or what has an `$id` of its own in one.
pub type Resource = (&'static SchemaText, Node<'static, 'static>);

/// Names that are compared for one instance to find the one that was meant. Millions of comparisons, each up to a
/// microsecond, are more than a hint is worth; in a text that somebody reads, there are a few thousand.
const COMPARED: u32 = 1_000_000;

/// What errors refer to.
pub struct Context<'a> {
    /// The schemas; `None` if those are not files.
    pub store: Option<&'a Store>,
    /// What is known about the schemas.
    pub known: &'a Known,
    /// The instance.
    pub root: Node<'a, 'a>,
    /// What the instance is called.
    pub whole: &'static str,
    /// The children of its values.
    pub children: Children<'a>,
    /// How many names may still be compared.
    left: Cell<u32>,
}

/// What was found out about schemas, for all errors of all instances.
#[derive(Default)]
pub struct Known {
    /// The children of its values.
    pub children: Children<'static>,
    /// What has a URL of its own.
    pub resources: Memo<Option<Resource>>,
    /// The values that a `const` or an `enum` lists, by the URL of the keyword.
    pub listed: Memo<Listed>,
    /// What several alternatives list together, by their paths.
    pub unions: Memo<Listed>,
    /// The properties that tell alternatives apart, by the URL of one.
    pub discriminators: Memo<Vec<String>>,
    /// The properties that a schema knows, by its URL.
    pub names: Memo<Listed>,
    /// Where a name is in a list of names, by the URL of the list.
    pub places: Memo<HashMap<String, Span>>,
}

/// Results by the text that they belong to.
pub struct Memo<T>(Mutex<HashMap<String, Arc<T>>>);

impl<T> Default for Memo<T> {
    fn default() -> Self {
        Memo(Mutex::default())
    }
}

impl<T> Memo<T> {
    /// The result for a text: the one that is known, or this.
    pub fn get(&self, key: &str, make: impl FnOnce() -> T) -> Arc<T> {
        let all = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all().get(key).cloned();
        known.unwrap_or_else(|| {
            // Not under the lock, as this may ask for others.
            let made = Arc::new(make());
            all().entry(key.to_owned()).or_insert(made).clone()
        })
    }
}

/// Distinct texts in their order, and what is to be compared of them.
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

    /// Whether a text is among them.
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
            left: Cell::new(COMPARED),
        }
    }

    /// The name that may have been meant by another, if one is near and there are not too many of them.
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
    /// What was chosen, and between what.
    pub notes: Vec<String>,
    /// What the alternatives allow together, if they differ in nothing else.
    pub union: Option<Arc<Listed>>,
}
