//! Paths into a document: three notations, one compiled form.
//!
//! ```text
//! .a[3].b     dot path        dot ─────┐
//! $.a[?@.b]   JSONPath        jsonpath ├──► Path: segments of selectors ──► select
//! /a/3/b      JSON Pointer    pointer ─┘
//! ```
//!
//! [`Path::parse`] selects the notation by the first character. A [`Location`] is the reverse: the path of a given value.

mod bracket;
mod cursor;
mod dot;
mod error;
mod jsonpath;
mod location;
mod pointer;
pub(crate) mod quoted;
mod regexp;
mod slice;
mod syntax_tree;
mod warnings;

#[cfg(test)]
pub(crate) mod naive;
#[cfg(test)]
pub(crate) mod suites;

use std::fmt;
use std::sync::Arc;

pub use error::PathError;
// For the program: the parts of a path.
#[doc(hidden)]
pub use location::{Location, Step};
// For queries: the parts of filters.
#[doc(hidden)]
pub use regexp::{Regexp, RegexpError};
#[doc(hidden)]
pub use slice::Slice;
#[doc(hidden)]
pub use syntax_tree::{
    Comparison, Expression, Filter, FilterQuery, Literal, Matches, NodesFunction, Operand, Origin,
    Pattern, ValueFunction,
};
#[doc(hidden)]
pub use syntax_tree::{Reach, Segment, Selector};

#[cfg(test)]
use crate::number::compare as compare_numbers;
use error::Fault;

/// Maximum nesting of the expressions of a filter: parentheses, functions, and filters inside filters, each counted
/// once.
///
/// ```
/// use jsonx_core::path::{MAX_NESTING, Path};
///
/// let deep = format!("$[?{}@.a{}]", "(".repeat(MAX_NESTING + 1), ")".repeat(MAX_NESTING + 1));
/// assert!(Path::parse(&deep).is_err());
/// ```
#[doc(hidden)]
pub const MAX_NESTING: usize = 64;

/// The notations a path can be written in.
///
/// ```
/// use jsonx_core::path::{Notation, Path};
///
/// assert_eq!(Path::parse("/a/0")?.notation(), Notation::Pointer);
/// # Ok::<(), jsonx_core::path::PathError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Notation {
    /// `.a[3].b`: begins with `.`.
    Dot,
    /// RFC 9535: begins with `$`.
    JsonPath,
    /// RFC 6901: empty, or begins with `/`; in its URI fragment form, with `#`.
    Pointer,
}

/// A compiled path, which is cheap to clone.
///
/// Its [`Display`](fmt::Display) writes it in the notation it was parsed from. Equal paths are written identically.
///
/// ```
/// use jsonx_core::path::Path;
/// let path = Path::parse(r#".servers["0"].'a b'.dev-tools"#)?;
/// assert_eq!(path.to_string(), r#".servers["0"]["a b"].dev-tools"#);
/// # Ok::<(), jsonx_core::path::PathError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    notation: Notation,
    segments: Arc<[Segment]>,
}

impl Path {
    /// Compiles a path. The first character selects the notation: `.` for a dot path, `$` for JSONPath, `/` for a JSON
    /// Pointer and `#` for its fragment form. The empty string is the pointer to the whole document.
    ///
    /// # Errors
    ///
    /// Returns the offset, the reason and the nearest valid path if `text` is in none of these notations or is invalid
    /// in its notation.
    ///
    /// ```
    /// use jsonx_core::path::Path;
    /// let dot = Path::parse(".a[3]")?;
    /// let jsonpath = Path::parse("$.a[3]")?;
    /// assert_eq!(dot.segments(), jsonpath.segments());
    ///
    /// let error = Path::parse("name").unwrap_err();
    /// assert_eq!(error.suggestion.as_deref(), Some(".name"));
    /// # Ok::<(), jsonx_core::path::PathError>(())
    /// ```
    pub fn parse(text: &(impl AsRef<[u8]> + ?Sized)) -> Result<Path, PathError> {
        let text = std::str::from_utf8(text.as_ref()).map_err(|error| PathError {
            offset: error.valid_up_to(),
            message: "a path must be UTF-8".to_owned(),
            suggestion: None,
        })?;
        compile(text)
            .map_err(|fault| error::explain(text, fault, |repaired| compile(repaired).err()))
    }

    /// The path of the whole document, to be extended with keys and indices.
    ///
    /// ```
    /// use jsonx_core::{Document, Path};
    ///
    /// let name = r#"a.b "c""#; // Whatever it is: no character of a key has a meaning here.
    /// let path = Path::root().key("users").key(name).index(-1);
    /// assert_eq!(path.to_string(), r#".users["a.b \"c\""][-1]"#);
    ///
    /// let document = Document::parse(br#"{"users": {"a.b \"c\"": [1, 2]}}"#)?;
    /// assert_eq!(document.find(&path)?.as_u64(), Some(2));
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn root() -> Path {
        Path {
            notation: Notation::Dot,
            segments: Arc::from([]),
        }
    }

    /// Appends a step to the member with this key, which may have any characters. A JSON Pointer becomes a dot path, in which `-`
    /// is a key.
    ///
    /// ```
    /// use jsonx_core::Path;
    ///
    /// assert_eq!(Path::parse(".servers[0]")?.key("max.size").to_string(), r#".servers[0]["max.size"]"#);
    /// assert_eq!(Path::parse("$.servers[*]")?.key("it's").to_string(), r"$['servers'][*]['it\'s']");
    /// // A key, and never an index.
    /// assert_eq!(Path::parse("/servers")?.key("0").to_string(), r#".servers["0"]"#);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    #[must_use]
    pub fn key(self, key: &str) -> Path {
        self.then(Selector::Key(key.as_bytes().into()))
    }

    /// Appends a step to the element at this index; -1 is the last. A JSON Pointer becomes a dot path.
    ///
    /// ```
    /// use jsonx_core::Path;
    ///
    /// assert_eq!(Path::parse("$.a")?.index(0).to_string(), "$['a'][0]");
    /// assert_eq!(Path::root().index(-1).to_string(), ".[-1]");
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    #[must_use]
    pub fn index(self, index: i64) -> Path {
        self.then(Selector::Index(index))
    }

    /// Appends a step to each element or member. A JSON Pointer becomes a dot path.
    ///
    /// ```
    /// use jsonx_core::{Document, Path};
    ///
    /// let document = Document::parse(br#"{"a": [1, 2]}"#)?;
    /// assert_eq!(document.query(Path::parse("/a")?.each())?.len(), 2);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    #[must_use]
    pub fn each(self) -> Path {
        self.then(Selector::Wildcard)
    }

    fn then(mut self, selector: Selector) -> Path {
        if self.notation == Notation::Pointer {
            self.notation = Notation::Dot;
        }
        let child = Segment {
            reach: Reach::Child,
            selectors: vec![selector],
            optional: false,
        };
        self.segments = self.segments.iter().cloned().chain([child]).collect();
        self
    }

    /// Compiles only a JSON Pointer. Unlike for [`parse`](Path::parse), the text may have lone surrogates, in their three-byte
    /// WTF-8 form.
    ///
    /// # Errors
    ///
    /// The offset of the first invalid byte.
    pub(crate) fn pointer(text: &[u8]) -> Result<Path, usize> {
        let segments = pointer::parse_bytes(text)?;
        Ok(Path::of_segments(segments))
    }

    /// The pointer with these segments.
    pub(crate) fn of_segments(segments: Vec<Segment>) -> Path {
        Path {
            notation: Notation::Pointer,
            segments: segments.into(),
        }
    }

    /// The notation of the path. Paths of different notations are never equal, even if they select the same values.
    ///
    /// ```
    /// use jsonx_core::path::{Notation, Path};
    ///
    /// let (dot, jsonpath) = (Path::parse(".a[0]")?, Path::parse("$.a[0]")?);
    /// assert_eq!((dot.notation(), jsonpath.notation()), (Notation::Dot, Notation::JsonPath));
    /// assert_ne!(dot, jsonpath);
    /// assert_eq!(Path::parse("")?.notation(), Notation::Pointer);
    /// # Ok::<(), jsonx_core::path::PathError>(())
    /// ```
    pub fn notation(&self) -> Notation {
        self.notation
    }

    /// The segments, from the root; empty for the path of the whole document.
    ///
    /// ```
    /// use jsonx_core::path::{Path, Selector};
    ///
    /// let path = Path::parse("/items/0")?;
    /// let [items, first] = path.segments() else { unreachable!() };
    /// assert_eq!(items.selectors[0].key(), Some(&b"items"[..]));
    /// // Only the document decides whether this is an element or a member.
    /// assert_eq!(first.selectors, [Selector::KeyOrIndex { key: b"0"[..].into(), index: 0 }]);
    /// assert!([".", "$", ""].iter().all(|root| Path::parse(root).is_ok_and(|path| path.segments().is_empty())));
    /// # Ok::<(), jsonx_core::path::PathError>(())
    /// ```
    #[doc(hidden)]
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Whether it can select at most one value.
    ///
    /// ```
    /// use jsonx_core::path::Path;
    /// assert!(Path::parse(".a.3[-1]")?.is_singular());
    /// assert!(!Path::parse(".a[0:1]")?.is_singular());
    /// # Ok::<(), jsonx_core::path::PathError>(())
    /// ```
    pub fn is_singular(&self) -> bool {
        syntax_tree::are_singular(&self.segments)
    }

    /// Whether the segment at an index is `-` of a JSON Pointer: the place after the last element of an array.
    #[doc(hidden)]
    pub fn is_end(&self, segment: usize) -> bool {
        let selector = self
            .segments
            .get(segment)
            .and_then(|segment| segment.selectors.first());
        self.notation == Notation::Pointer && selector.and_then(Selector::key) == Some(b"-")
    }

    /// Returns warnings about valid but error-prone parts, each one sentence without control characters. For example,
    /// RFC 9535 lets an invalid pattern silently match nothing.
    ///
    /// ```
    /// # #[cfg(feature = "regex")] {
    /// use jsonx_core::path::Path;
    /// let path = Path::parse("$[?match(@.id, 'a(b')]").unwrap();
    /// assert_eq!(path.warnings(), ["match() is always false: in `a(b`, unclosed group"]);
    /// # }
    /// ```
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        warnings::warn_of_segments(&self.segments, &mut warnings);
        warnings
    }

    /// Displays the first `count` segments in the notation of the path, such as the part of it that a lookup matched.
    ///
    /// ```
    /// use jsonx_core::path::Path;
    /// let path = Path::parse(".servers[7].name")?;
    /// assert_eq!(path.first(1).to_string(), ".servers");
    /// # Ok::<(), jsonx_core::path::PathError>(())
    /// ```
    pub fn first(&self, count: usize) -> impl fmt::Display + '_ {
        let segments = &self.segments[..count.min(self.segments.len())];
        display(move |f| match self.notation {
            Notation::Dot => dot::write(f, segments),
            Notation::JsonPath => {
                f.write_str("$")?;
                jsonpath::write(f, segments)
            }
            Notation::Pointer => pointer::write(f, segments),
        })
    }
}

/// The dot path of one value. The steps missing from a [truncated](Location::is_truncated) location are missing here too.
///
/// ```
/// use jsonx_core::{Document, Path};
///
/// let text = br#"{"ports": [80, "443"]}"#;
/// let error = jsonx_core::from_slice::<std::collections::HashMap<String, Vec<u16>>>(text).unwrap_err();
/// let path = Path::from(error.path());
/// assert_eq!(path.to_string(), ".ports[1]");
/// assert_eq!(Document::parse(text)?.edit().set(&path, "443")?.finish(), br#"{"ports": [80, 443]}"#);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
impl From<Location> for Path {
    fn from(location: Location) -> Path {
        let steps = location.steps().iter();
        steps.fold(Path::root(), |path, step| match step {
            Step::Key(key) => path.then(Selector::Key(key[..].into())),
            Step::Index(index) => path.index(i64::try_from(*index).unwrap_or(i64::MAX)),
        })
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.first(self.segments.len()).fmt(f)
    }
}

fn compile(text: &str) -> Result<Path, Fault> {
    let (notation, segments) = match text.chars().next() {
        Some('.') => (Notation::Dot, dot::parse(text)?),
        Some('$') => (Notation::JsonPath, jsonpath::parse(text)?),
        None | Some('/') => (Notation::Pointer, pointer::parse(text)?),
        Some('#') => (Notation::Pointer, pointer::parse_fragment(text)?),
        Some('@') => {
            return Err(Fault::at(
                0,
                "a path begins at `$`, the whole document; `@` is for filters",
            )
            .repair(0..1, "$"));
        }
        Some(c) if cursor::is_blank(c) => {
            let blank = text.len() - text.trim_start_matches(cursor::is_blank).len();
            return Err(Fault::at(0, "a space before the path").repair(0..blank, ""));
        }
        Some(c) => {
            let fault = Fault::at(
                0,
                "a path begins with `.`, with `$` (JSONPath) or with `/` (JSON Pointer)",
            );
            let could_follow_a_dot = dot::is_bare(c) || matches!(c, '[' | '*' | '"' | '\'' | '\\');
            let inside = text
                .strip_prefix('{')
                .and_then(|rest| rest.strip_suffix('}'));
            let call = text
                .strip_suffix(')')
                .and_then(|call| call.split_once('('))
                .filter(|(name, _)| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'));
            if let Some((name, argument)) = call {
                // As in jq.
                let fault = Fault::at(
                    0,
                    "a path has no pipes and no functions: its steps follow one another",
                );
                return Err(match name {
                    "map" if argument.starts_with(['.', '[']) => {
                        fault.repair(0..text.len(), format!(".[]{argument}"))
                    }
                    _ => fault,
                });
            }
            return Err(
                if let Some(inside) = inside.filter(|inside| inside.starts_with(['.', '$'])) {
                    // As for kubectl.
                    Fault::at(0, "a path is written without braces").repair(0..text.len(), inside)
                } else if text.contains('/') && !text.contains(['.', '[', '"', '\'']) {
                    fault.repair(0..0, "/")
                } else if could_follow_a_dot {
                    fault.repair(0..0, ".")
                } else {
                    fault
                },
            );
        }
    };
    let segments = segments.into();
    Ok(Path { notation, segments })
}

/// A key as a JSON string, with only the required escapes.
pub(crate) fn key_text(key: &[u8]) -> String {
    display(|f| quoted::write_json_text(f, key)).to_string()
}

/// Wraps a function as a value that implements `Display`.
fn display(write: impl Fn(&mut fmt::Formatter<'_>) -> fmt::Result) -> impl fmt::Display {
    struct Written<F>(F);
    impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> fmt::Display for Written<F> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            (self.0)(f)
        }
    }
    Written(write)
}
