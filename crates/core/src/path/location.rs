//! The location of one value: its normalized path, displayed in any notation.

use std::fmt;
use std::sync::Arc;

use super::{Notation, dot, pointer, quoted};

/// The keys and indices from the root of a document to one value.
///
/// A walk maintains one with [`push_key`](Location::push_key), [`push_index`](Location::push_index) and
/// [`pop`](Location::pop).
///
/// ```
/// use jsonx_core::path::{Notation, Location};
/// let mut location = Location::default();
/// location.push_key(b"a b");
/// location.push_index(3);
/// location.push_key(b"c/d");
/// assert_eq!(location.display(Notation::Dot).to_string(), r#".["a b"][3].c/d"#);
/// assert_eq!(location.display(Notation::JsonPath).to_string(), "$['a b'][3]['c/d']");
/// assert_eq!(location.display(Notation::Pointer).to_string(), "/a b/3/c~1d");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Location {
    steps: Vec<Step>,
    truncated: bool,
}

/// One step of a [`Location`].
///
/// ```
/// use jsonx_core::path::{Location, Step};
///
/// let mut location = Location::default();
/// location.push_key(b"a");
/// location.push_index(3);
/// assert_eq!(location.steps(), [Step::Key(b"a"[..].into()), Step::Index(3)]);
/// assert_eq!(location.pop(), Some(Step::Index(3)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The member of an object with this key, decoded.
    Key(Arc<[u8]>),
    /// The element of an array at this index, counted from 0.
    Index(u64),
}

/// Creates a location from its steps.
impl From<Vec<Step>> for Location {
    fn from(steps: Vec<Step>) -> Location {
        Location {
            steps,
            truncated: false,
        }
    }
}

/// In [`Notation::Dot`].
///
/// ```
/// let error = jsonx_core::from_str::<Vec<Vec<u8>>>("[[], [1, true]]").unwrap_err();
/// assert_eq!(error.path().to_string(), ".[1][1]");
/// ```
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display(Notation::Dot).fmt(f)
    }
}

impl Location {
    /// The steps from the root, outermost first; none at the root.
    ///
    /// ```
    /// use jsonx_core::path::{Location, Step};
    ///
    /// let mut location = Location::default();
    /// assert_eq!(location.steps(), []);
    /// location.push_key(b"name");
    /// location.push_index(0);
    /// assert!(matches!(location.steps(), [Step::Key(key), Step::Index(0)] if **key == *b"name"));
    /// ```
    #[inline]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Enters the member with this key: decoded bytes in UTF-8, with lone surrogates in their three-byte WTF-8 form.
    /// Any key can be displayed; it is quoted where necessary.
    ///
    /// ```
    /// use jsonx_core::path::{Notation, Location};
    ///
    /// let dot = |key: &[u8]| {
    ///     let mut location = Location::default();
    ///     location.push_key(key);
    ///     location.display(Notation::Dot).to_string()
    /// };
    /// assert_eq!(dot(b"name"), ".name");
    /// assert_eq!(dot(b""), r#".[""]"#);
    /// // Digits are a key here, and quoted to distinguish them from an index.
    /// assert_eq!(dot(b"0"), r#".["0"]"#);
    /// assert_eq!(dot(b"\xed\xa0\xbd"), r#".["\ud83d"]"#);
    /// ```
    pub fn push_key(&mut self, key: &[u8]) {
        self.steps.push(Step::Key(key.into()));
    }

    /// Enters the element at this index, counted from 0.
    ///
    /// ```
    /// use jsonx_core::path::{Notation, Location};
    ///
    /// let mut location = Location::default();
    /// for index in 0..3 {
    ///     location.push_index(index);
    ///     if index < 2 {
    ///         location.pop();
    ///     }
    /// }
    /// assert_eq!(location.display(Notation::Dot).to_string(), ".[2]");
    /// assert_eq!(location.display(Notation::Pointer).to_string(), "/2");
    /// ```
    pub fn push_index(&mut self, index: u64) {
        self.steps.push(Step::Index(index));
    }

    /// Leaves the value. Returns the step that led into it, or `None` at the root.
    ///
    /// ```
    /// use jsonx_core::path::{Location, Step};
    ///
    /// let mut location = Location::default();
    /// location.push_key(b"a");
    /// assert_eq!(location.pop(), Some(Step::Key(b"a"[..].into())));
    /// assert_eq!(location.pop(), None);
    /// assert_eq!(location, Location::default());
    /// ```
    pub fn pop(&mut self) -> Option<Step> {
        self.steps.pop()
    }

    /// Whether this is the root of the document, which has no steps.
    ///
    /// ```
    /// use jsonx_core::path::Location;
    ///
    /// let mut location = Location::default();
    /// assert!(location.is_root());
    /// location.push_index(0);
    /// assert!(!location.is_root());
    /// ```
    pub fn is_root(&self) -> bool {
        self.steps.is_empty()
    }

    /// Marks the location as incomplete: further steps are missing, or a key is truncated.
    ///
    /// ```
    /// use jsonx_core::path::{Notation, Location};
    ///
    /// let mut location = Location::default();
    /// location.push_key(b"a");
    /// location.truncate();
    /// assert!(location.is_truncated());
    /// assert_eq!(location.display(Notation::Dot).to_string(), ".a…");
    /// assert!(!location.is_expressible(Notation::Dot));
    /// ```
    pub fn truncate(&mut self) {
        self.truncated = true;
    }

    /// Whether steps are missing or a key is truncated: see [`truncate`](Location::truncate).
    ///
    /// ```
    /// let mut location = jsonx_core::path::Location::default();
    /// assert!(!location.is_truncated());
    /// location.truncate();
    /// assert!(location.is_truncated());
    /// ```
    pub fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// Whether a path of the given notation can express this location, and only this one. JSONPath and JSON Pointer
    /// cannot express a key with a lone surrogate; no notation can express a truncated location.
    ///
    /// ```
    /// use jsonx_core::path::{Notation, Location};
    ///
    /// let mut location = Location::default();
    /// location.push_key(b"\xed\xa0\xbd");
    /// assert_eq!(location.display(Notation::Dot).to_string(), r#".["\ud83d"]"#);
    /// assert!(location.is_expressible(Notation::Dot));
    /// assert!(!location.is_expressible(Notation::Pointer) && !location.is_expressible(Notation::JsonPath));
    /// ```
    pub fn is_expressible(&self, notation: Notation) -> bool {
        let is_text = |step: &Step| match step {
            Step::Key(key) => std::str::from_utf8(key).is_ok(),
            Step::Index(_) => true,
        };
        !self.truncated && (notation == Notation::Dot || self.steps.iter().all(is_text))
    }

    /// Displays this location as a path of the given notation:
    ///
    /// - [`Notation::Dot`]: quotes only where necessary; it always parses back to this location and contains no control
    ///   characters, so it is safe to print on a terminal;
    /// - [`Notation::JsonPath`]: the normalized path of RFC 9535, section 2.7;
    /// - [`Notation::Pointer`]: RFC 6901.
    ///
    /// The latter two cannot express a key with a lone surrogate, see [`is_expressible`](Location::is_expressible): it
    /// is displayed as its `\u` escape or as U+FFFD. They do not escape everything that a terminal may interpret. A
    /// [truncated](Location::is_truncated) location ends in `…`.
    ///
    /// ```
    /// use jsonx_core::path::{Notation, Location};
    ///
    /// let mut location = Location::default();
    /// let in_all = |location: &Location| {
    ///     [Notation::Dot, Notation::JsonPath, Notation::Pointer].map(|notation| location.display(notation).to_string())
    /// };
    /// assert_eq!(in_all(&location), [".", "$", ""]);
    /// location.push_key(b"a/b\x1b'");
    /// assert_eq!(in_all(&location), [r#".["a/b\u001b'"]"#, r"$['a/b\u001b\'']", "/a~1b\x1b'"]);
    /// ```
    pub fn display(&self, notation: Notation) -> impl fmt::Display + '_ {
        super::display(move |f| {
            match notation {
                Notation::Dot => self.write_dot(f)?,
                Notation::JsonPath => self.write_normalized(f)?,
                Notation::Pointer => self.write_pointer(f)?,
            }
            f.write_str(if self.truncated { "…" } else { "" })
        })
    }

    fn write_dot(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.steps.iter().enumerate() {
            match step {
                Step::Key(key) => dot::write_key(f, key, true, i == 0)?,
                Step::Index(index) if i == 0 => write!(f, ".[{index}]")?,
                Step::Index(index) => write!(f, "[{index}]")?,
            }
        }
        if self.steps.is_empty() {
            f.write_str(".")?;
        }
        Ok(())
    }

    fn write_normalized(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("$")?;
        for step in &self.steps {
            f.write_str("[")?;
            match step {
                Step::Key(key) => quoted::write_normalized(f, key)?,
                Step::Index(index) => write!(f, "{index}")?,
            }
            f.write_str("]")?;
        }
        Ok(())
    }

    fn write_pointer(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.steps {
            match step {
                Step::Key(key) => pointer::write_token(f, key)?,
                Step::Index(index) => write!(f, "/{index}")?,
            }
        }
        Ok(())
    }
}
