//! Options of a comparison.

use crate::path::Path;

/// The keys of a nested member of an element.
pub(super) type KeyPath = Box<[Box<[u8]>]>;

/// Options of [`diff`](super::diff): the values to treat as equal.
///
/// ```
/// use jsonx_core::Document;
/// use jsonx_core::diff::{DiffOptions, diff};
/// use jsonx_core::path::Path;
///
/// let old = Document::parse(br#"{"time": 1, "users": [{"id": 1, "n": "a"}, {"id": 2, "n": "b"}], "tags": ["x", "y"]}"#)?;
/// let new = Document::parse(br#"{"time": 2, "users": [{"id": 2, "n": "c"}], "tags": ["y", "x"]}"#)?;
/// let options = DiffOptions::default()
///     .key("id")
///     .set(Path::parse(".tags").unwrap())
///     .ignore(Path::parse(".time").unwrap());
/// assert_eq!(
///     String::from_utf8_lossy(&diff(&old, &new, &options).to_patch()),
///     "[\n  {\"op\":\"remove\",\"path\":\"/users/0\"},\n  {\"op\":\"replace\",\"path\":\"/users/0/n\",\"value\":\"c\"}\n]\n"
/// );
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct DiffOptions {
    pub(super) exact: bool,
    pub(super) keys: Vec<KeyPath>,
    pub(super) sets: Vec<Path>,
    pub(super) ignored: Vec<Path>,
}

impl DiffOptions {
    /// Sets whether numbers are compared as written, so that `1` and `1.0` differ. Off by default.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::diff::{DiffOptions, diff};
    ///
    /// let (old, new) = (Document::parse(b"1")?, Document::parse(b"1.0")?);
    /// assert!(diff(&old, &new, &DiffOptions::default()).is_empty());
    /// assert!(!diff(&old, &new, &DiffOptions::default().exact(true)).is_empty());
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn exact(self, exact: bool) -> Self {
        DiffOptions { exact, ..self }
    }

    /// Matches the elements of arrays of objects by the member with this key. May be called repeatedly: the first of these keys
    /// that an object has is used. Applies to an array if its first object, in either document, has one of the keys.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::diff::{DiffOptions, diff};
    ///
    /// let old = Document::parse(br#"[{"id": 1, "v": 1}, {"id": 2, "v": 1}]"#)?;
    /// let new = Document::parse(br#"[{"id": 2, "v": 2}]"#)?;
    /// assert_eq!(diff(&old, &new, &DiffOptions::default().key("id")).changes().count(), 2);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn key(mut self, name: &str) -> Self {
        self.keys.push([name.as_bytes().into()].into());
        self
    }

    /// As [`key`](DiffOptions::key), for a nested member: the keys are its path in the element.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::diff::{DiffOptions, diff};
    ///
    /// let old = Document::parse(br#"[{"metadata": {"name": "a"}, "v": 1}, {"metadata": {"name": "b"}, "v": 1}]"#)?;
    /// let new = Document::parse(br#"[{"metadata": {"name": "b"}, "v": 2}]"#)?;
    /// let options = DiffOptions::default().key_path(["metadata", "name"]);
    /// assert_eq!(diff(&old, &new, &options).changes().count(), 2);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn key_path<K: AsRef<[u8]>>(mut self, keys: impl IntoIterator<Item = K>) -> Self {
        let keys = keys.into_iter().map(|key| key.as_ref().into());
        self.keys.push(keys.collect());
        self
    }

    /// Treats the arrays at a path as sets: the order and repetitions of elements are ignored.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::diff::{DiffOptions, diff};
    /// use jsonx_core::path::Path;
    ///
    /// let (old, new) = (Document::parse(b"[1, 2, 2]")?, Document::parse(b"[2, 1]")?);
    /// assert!(diff(&old, &new, &DiffOptions::default().set(Path::parse(".").unwrap())).is_empty());
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn set(mut self, path: Path) -> Self {
        self.sets.push(path);
        self
    }

    /// Ignores the values at a path, in both documents.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::diff::{DiffOptions, diff};
    /// use jsonx_core::path::Path;
    ///
    /// let old = Document::parse(br#"{"a": {"time": 1}, "b": {}}"#)?;
    /// let new = Document::parse(br#"{"a": {"time": 2}, "b": {"time": 3}}"#)?;
    /// assert!(diff(&old, &new, &DiffOptions::default().ignore(Path::parse("..time").unwrap())).is_empty());
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn ignore(mut self, path: Path) -> Self {
        self.ignored.push(path);
        self
    }
}
