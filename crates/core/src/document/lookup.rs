//! Looks up a value inside another one: by key, by index, by path.

use std::borrow::Cow;
use std::fmt;

use super::node::Node;
use crate::path::{Path, PathError, Selector};
use crate::string::decode_key;
use crate::string::nearest::{Nearest, SHORT};
use crate::terminal::sanitize;
use crate::token::Kind;

/// The error of [`Document::find`](super::Document::find) and [`Node::find`].
///
/// ```
/// use jsonx_core::Document;
///
/// let document = Document::parse(br#"{"a": 1}"#)?;
/// let error = document.find(".a.b.c").unwrap_err();
/// assert_eq!(error.to_string(), ".a.b.c: .a is a number");
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LookupError {
    /// The text is not a path.
    Path(PathError),
    /// The path may select several values: [`Query`](crate::query::Query) finds all of them.
    NotSingular,
    /// There is no such value.
    #[non_exhaustive]
    Missing {
        /// The path.
        path: Path,
        /// Number of its steps that matched.
        steps: usize,
        /// The kind of the value that they lead to.
        kind: Kind,
        /// The number of its elements or members.
        length: usize,
        /// The nearest key of that object, if the path was given as text.
        nearest: Option<Box<str>>,
    },
}

impl fmt::Display for LookupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LookupError::Path(error) => error.fmt(f),
            LookupError::NotSingular => f.write_str("the path may lead to several values"),
            LookupError::Missing {
                path,
                steps,
                kind,
                length,
                nearest,
            } => Stop {
                path,
                steps: *steps,
                kind: *kind,
                length: selects_element(path, *steps).then_some(*length),
                nearest: nearest.as_deref(),
            }
            .fmt(f),
        }
    }
}

/// Whether the next step of a path selects an element, `-` of a JSON Pointer included.
fn selects_element(path: &Path, steps: usize) -> bool {
    let segment = path.segments().get(steps);
    let selector = segment.and_then(|segment| segment.selectors.first());
    selector.is_some_and(|selector| selector.index().is_some()) || path.is_end(steps)
}

/// Displays the first step of a path without a match, and the reason.
pub(crate) struct Stop<'a> {
    pub(crate) path: &'a Path,
    /// Number of its steps that matched.
    pub(crate) steps: usize,
    /// The kind of the value that they lead to.
    pub(crate) kind: Kind,
    /// The number of its elements, if it is an array and the next step selects an element.
    pub(crate) length: Option<usize>,
    /// The key of the object that was probably meant.
    pub(crate) nearest: Option<&'a str>,
}

impl fmt::Display for Stop<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Stop { path, steps, .. } = *self;
        write!(f, "{path}: ")?;
        match steps {
            0 => f.write_str("the root")?,
            _ => path.first(steps).fmt(f)?,
        }
        let segment = path.segments().get(steps);
        let key = segment.and_then(|segment| segment.selectors.first()?.key());
        match (self.kind, self.length, key) {
            (Kind::Object, _, Some(key)) => {
                let key = String::from_utf8_lossy(key);
                write!(f, " has no key `{}`", sanitize(&key))?;
            }
            (Kind::Object, ..) => f.write_str(" is an object, not an array")?,
            (Kind::Array, Some(1), _) => f.write_str(" has 1 element")?,
            (Kind::Array, Some(length), _) => write!(f, " has {length} elements")?,
            (Kind::Array, None, _) => f.write_str(" is an array, not an object")?,
            (other, ..) => write!(f, " is {other}")?,
        }
        match self.nearest {
            Some(nearest) => write!(f, "; did you mean `{}`?", sanitize(nearest)),
            None => Ok(()),
        }
    }
}

impl std::error::Error for LookupError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            LookupError::Path(error) => Some(error),
            _ => None,
        }
    }
}

crate::error::wrap! { LookupError }

/// An argument of [`Node::get`]: the key of a member (`&str`), or the index of an element (`usize`).
///
/// ```
/// use jsonx_core::Document;
///
/// let document = Document::parse(br#"{"a": [1, 2]}"#)?;
/// assert_eq!(document.root().get("a").and_then(|a| a.get(1)?.as_i64()), Some(2));
/// # Ok::<(), jsonx_core::Error>(())
/// ```
pub trait NodeIndex {
    #[doc(hidden)]
    fn child<'d, 't>(self, of: Node<'d, 't>) -> Option<Node<'d, 't>>;
}

/// A path of [`Node::find`] and of edits: a [`Path`], or the text of one.
///
/// ```
/// use jsonx_core::{Document, Path};
///
/// let document = Document::parse(br#"{"a": [1, 2]}"#)?;
/// let path = Path::parse("/a/1")?;
/// assert_eq!(document.find(&path)?.raw(), document.find(".a[1]")?.raw());
/// # Ok::<(), jsonx_core::Error>(())
/// ```
pub trait ToPath {
    #[doc(hidden)]
    fn to_path(&self) -> Result<Cow<'_, Path>, PathError>;
}

impl<T: AsRef<[u8]>> ToPath for T {
    fn to_path(&self) -> Result<Cow<'_, Path>, PathError> {
        Path::parse(self).map(Cow::Owned)
    }
}

impl ToPath for Path {
    fn to_path(&self) -> Result<Cow<'_, Path>, PathError> {
        Ok(Cow::Borrowed(self))
    }
}

impl ToPath for &Path {
    fn to_path(&self) -> Result<Cow<'_, Path>, PathError> {
        Ok(Cow::Borrowed(self))
    }
}

impl NodeIndex for &str {
    fn child<'d, 't>(self, of: Node<'d, 't>) -> Option<Node<'d, 't>> {
        of.member(self.as_bytes())
    }
}

impl NodeIndex for usize {
    fn child<'d, 't>(self, of: Node<'d, 't>) -> Option<Node<'d, 't>> {
        of.elements().nth(self)
    }
}

impl<'d, 't> Node<'d, 't> {
    /// The member of an object with this key, or the element of an array at this index, counted from 0. The last of duplicate
    /// keys counts, so an object is scanned to its end, an array up to the index. Each member or element takes one step,
    /// regardless of its size.
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(br#"{"a": [10, 20], "\u0062": 1, "b": 2}"#)?;
    /// let root = document.root();
    /// assert_eq!(root.get("a").and_then(|a| a.get(0)?.as_i64()), Some(10));
    /// assert_eq!(root.get("b").and_then(|b| b.as_i64()), Some(2));
    /// // An index selects nothing in an object, nor a key in an array.
    /// assert!(root.get(0).is_none() && root.get("a").unwrap().get("0").is_none());
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn get(self, index: impl NodeIndex) -> Option<Node<'d, 't>> {
        index.child(self)
    }

    /// The last member whose key is `key`, as decoded bytes: UTF-8, with lone surrogates in their three-byte WTF-8 form.
    fn member(self, key: &[u8]) -> Option<Node<'d, 't>> {
        let members = self.members().filter(|(node, _)| node.is_key(key));
        members.last().map(|(_, value)| value)
    }

    /// The element that an index selects; -1 is the last.
    fn element(self, index: i64) -> Option<Node<'d, 't>> {
        let place = match usize::try_from(index) {
            Ok(place) => place,
            Err(_) => {
                let back = usize::try_from(index.unsigned_abs()).ok()?;
                self.len().checked_sub(back)?
            }
        };
        self.elements().nth(place)
    }

    /// The value that a path selects, with this value as the root: a parsed [`Path`], or its text in any
    /// [notation](crate::path::Notation), which is parsed each time. Each step takes as long as [`get`](Node::get).
    ///
    /// # Errors
    ///
    /// [`LookupError::Path`] for a text that is not a path; [`LookupError::NotSingular`] for a path with a wildcard, a slice, a
    /// filter, a descent or a union; [`LookupError::Missing`] if there is no such value.
    ///
    /// ```
    /// use jsonx_core::path::Path;
    /// use jsonx_core::{Document, LookupError};
    ///
    /// let path = Path::parse(".name.-1")?;
    /// let document = Document::parse(br#"[{"name": ["a", "b"]}, {"name": {"-1": "c"}}, {}]"#).unwrap();
    /// let found: Vec<_> = document.root().elements().map(|node| node.find(&path)).collect();
    /// assert_eq!(found[0].as_ref().unwrap().raw(), br#""b""#);
    /// // The kind of the value decides the meaning of a step.
    /// assert_eq!(found[1].as_ref().unwrap().raw(), br#""c""#);
    /// assert!(matches!(found[2], Err(LookupError::Missing { steps: 0, .. })));
    /// // The path as text.
    /// let error = document.find("/0/nmae").unwrap_err();
    /// assert_eq!(error.to_string(), "/0/nmae: /0 has no key `nmae`; did you mean `name`?");
    /// # Ok::<(), jsonx_core::path::PathError>(())
    /// ```
    pub fn find(self, path: impl ToPath) -> Result<Node<'d, 't>, LookupError> {
        let path = path.to_path().map_err(LookupError::Path)?;
        if !path.is_singular() {
            return Err(LookupError::NotSingular);
        }
        let mut node = self;
        for (steps, segment) in path.segments().iter().enumerate() {
            let selector = segment.selectors.first();
            match selector.and_then(|selector| node.step(selector)) {
                Some(child) => node = child,
                None => return Err(node.missing(path, steps)),
            }
        }
        Ok(node)
    }

    /// The error of a path whose first `steps` steps lead to this value and whose next step has no match.
    #[cold]
    fn missing(self, path: Cow<'_, Path>, steps: usize) -> LookupError {
        let step = path.segments().get(steps);
        let key = step.and_then(|step| step.selectors.first()?.key());
        let nearest = match (&path, key) {
            // Not for a compiled path, which may be looked up often.
            (Cow::Owned(_), Some(key)) => self.nearest(key),
            _ => None,
        };
        LookupError::Missing {
            steps,
            kind: self.kind(),
            length: self.len(),
            nearest,
            path: path.into_owned(),
        }
    }

    /// The key of this object that is nearest to a missing one.
    fn nearest(self, missing: &[u8]) -> Option<Box<str>> {
        let contents = self.members().filter_map(|(key, _)| key.string_content());
        nearest_key(missing, contents.map(decode_key))
    }

    fn step(self, selector: &Selector) -> Option<Node<'d, 't>> {
        match (selector.key(), selector.index()) {
            (Some(key), index) => {
                let member = self.member(key);
                member.or_else(|| index.and_then(|index| self.element(index)))
            }
            (None, Some(index)) => self.element(index),
            (None, None) => None,
        }
    }
}

/// The key that is nearest to a missing one, among the first thousand.
pub(crate) fn nearest_key<K: AsRef<[u8]>>(
    missing: &[u8],
    keys: impl Iterator<Item = K>,
) -> Option<Box<str>> {
    const OFFERED: usize = 1000;
    let mut search = Nearest::new(missing);
    for key in keys.take(OFFERED) {
        search.offer(key.as_ref());
    }
    let found = search.found()?;
    let is_offered = missing.len() >= SHORT || found.eq_ignore_ascii_case(missing);
    let found = str::from_utf8(found).ok().filter(|_| is_offered);
    found.map(Box::from)
}
