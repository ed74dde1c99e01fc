//! One value of a document.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use super::index::Index;
use crate::format::{Formatter, Indent, Style};
use crate::jsonc::Dialect;
use crate::kernel::short_ascii;
use crate::number::Number;
use crate::path::Location;
use crate::string::{decode, decode_key, find_special, key_equals};
use crate::token::Kind;
use crate::window::{Options, Validator};

/// A value of a [`Document`](super::Document), or the key of a member. Cheap to copy. Results borrow from the text and may outlive
/// the document.
///
/// ```
/// use jsonx_core::{Document, Kind};
///
/// let text = br#"{"id": 7, "tags": ["a", "b"]}"#;
/// let document = Document::parse(text)?;
/// let tags = document.root().get("tags").unwrap();
/// assert_eq!(tags.kind(), Kind::Array);
/// assert_eq!(&text[tags.span()], br#"["a", "b"]"#);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Node<'d, 't> {
    /// The text of the document.
    pub(super) text: &'t [u8],
    pub(super) index: &'d Index,
    /// The index of its first word.
    pub(super) at: usize,
}

/// A key or value of [`Documents`](super::Documents): see [`Node::id`].
///
/// ```
/// use jsonx_core::Document;
///
/// let document = Document::parse(b"[1, 2]")?;
/// assert_ne!(document.root().id(), document.get(0).unwrap().id());
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(super) usize);

impl<'d, 't> Node<'d, 't> {
    pub(super) fn root_of(text: &'t [u8], index: &'d Index) -> Self {
        Node { text, index, at: 0 }
    }

    /// The key or value at a word of the same index, which must not be the second word of a container.
    #[inline]
    pub(crate) fn at_word(self, at: usize) -> Self {
        Node { at, ..self }
    }

    /// The index of its first word. The value of a member follows its key; the first child of a container follows the two words
    /// of the container.
    pub(crate) fn word(self) -> usize {
        self.at
    }

    /// Identifies the value within its document, without borrowing it.
    ///
    /// ```
    /// use jsonx_core::document::Documents;
    /// use jsonx_core::engine::Options;
    ///
    /// let documents = Documents::index("[1, 2]", Options::default())?;
    /// let root = documents.node(documents.first().unwrap());
    /// assert_eq!(root.id(), documents.first().unwrap());
    /// # Ok::<(), jsonx_core::SyntaxError>(())
    /// ```
    pub fn id(self) -> NodeId {
        NodeId(self.at)
    }

    /// The index of the first word after it and its contents.
    #[inline]
    pub(crate) fn end_word(self) -> usize {
        self.index.skip(self.at)
    }

    /// The text of the document.
    #[cfg(feature = "serde")]
    pub(crate) fn whole_text(self) -> &'t [u8] {
        self.text
    }

    /// Whether the document may have comments.
    pub(crate) fn dialect(self) -> Dialect {
        self.index.dialect()
    }

    /// The offset of its first byte.
    #[inline]
    pub(crate) fn start(self) -> usize {
        self.index.start(self.at)
    }

    /// Whether it is an array or an object.
    pub(crate) fn is_container(self) -> bool {
        matches!(self.kind(), Kind::Array | Kind::Object)
    }

    /// The kind of the value. Takes constant time.
    ///
    /// ```
    /// use jsonx_core::{Document, Kind};
    ///
    /// let document = Document::parse(b"[null, true, -1, \"\", [], {}]")?;
    /// let kinds: Vec<Kind> = document.root().elements().map(|node| node.kind()).collect();
    /// let all = [Kind::Null, Kind::Boolean, Kind::Number, Kind::String, Kind::Array, Kind::Object];
    /// assert_eq!(kinds, all);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    #[inline]
    pub fn kind(self) -> Kind {
        self.index.kind(self.at)
    }

    /// Its bytes in the text, including quotes and brackets, excluding surrounding white space. Takes as long as
    /// [`span`](Node::span).
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(br#"[ 1.50 , "a\n" ]"#)?;
    /// let raw: Vec<&[u8]> = document.root().elements().map(|node| node.raw()).collect();
    /// assert_eq!(raw, [&b"1.50"[..], br#""a\n""#]);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    #[inline]
    pub fn raw(self) -> &'t [u8] {
        &self.text[self.span()]
    }

    /// Its text without white space and comments between tokens: borrowed for a scalar, a copy for a container. Always JSON,
    /// even in a document with comments: `from_slice(&node.minified())` reads it into a type.
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(br#"{"a": [ 1.0, "b c" ]}"#)?;
    /// assert_eq!(&*document.root().minified(), br#"{"a":[1.0,"b c"]}"#);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn minified(self) -> Cow<'t, [u8]> {
        if self.is_container() {
            Cow::Owned(self.formatted(Style::Compact))
        } else {
            Cow::Borrowed(self.raw())
        }
    }

    fn formatted(self, style: Style) -> Vec<u8> {
        let raw = self.raw();
        let formatter = Formatter::new(style, Vec::new());
        // The depth was checked when the document was parsed.
        let options = Options::default()
            .max_depth(u64::MAX)
            .dialect(self.index.dialect());
        let written = Validator::new(options).check(raw, formatter);
        written.map_or_else(
            |_| raw.to_vec(),
            |mut text| {
                text.truncate(text.trim_ascii_end().len());
                text
            },
        )
    }

    /// The path from the root of the document to this value; for a key, the path of its member. Takes a step for each value
    /// before it in the enclosing arrays and objects.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::path::Notation;
    ///
    /// let document = Document::parse(br#"{"a": [1, {"b c": 2}]}"#)?;
    /// let node = document.find(".a[1]['b c']")?;
    /// assert_eq!(node.path().display(Notation::Dot).to_string(), r#".a[1]["b c"]"#);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn path(self) -> Location {
        let mut path = Location::default();
        let mut around = self.at_word(0);
        while around.at < self.at {
            let is_around = |node: Node<'_, '_>| self.at < node.end_word();
            let element = (0..).zip(around.elements()).find(|pair| is_around(pair.1));
            let member = around.members().find(|pair| is_around(pair.1));
            around = match (element, member) {
                (Some((index, element)), _) => {
                    path.push_index(index);
                    element
                }
                (None, Some((key, value))) => {
                    path.push_key(&decode_key(key.string_content().unwrap_or_default()));
                    if key.at == self.at { key } else { value }
                }
                (None, None) => break,
            };
        }
        path
    }

    /// The range of its bytes in the text. Takes constant time for a container, a binary search for a container of 2 MiB or
    /// more, and for a scalar the time to find its end.
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(br#"{"a" : [1] }"#)?;
    /// let (key, value) = document.root().members().next().unwrap();
    /// assert_eq!((key.span(), value.span()), (1..4, 7..10));
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    #[inline]
    pub fn span(self) -> Range<usize> {
        self.index.span(self.text, self.at)
    }

    /// The number of elements of an array, or of members of an object, duplicate keys included; 0 for any other value. Takes
    /// constant time up to 16 million, beyond that one step per child.
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let length = |text: &[u8]| Document::parse(text).unwrap().root().len();
    /// assert_eq!((length(b"[1, [2, 3]]"), length(br#"{"a": 1, "a": 2}"#), length(b"[]")), (2, 2, 0));
    /// assert_eq!(length(b"\"text\""), 0);
    /// ```
    #[inline]
    pub fn len(self) -> usize {
        self.index.children(self.at)
    }

    /// Whether it has no children: `[]`, `{}`, and every scalar.
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// assert!(Document::parse(b"{ }")?.root().is_empty());
    /// assert!(!Document::parse(b"[null]")?.root().is_empty());
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn is_empty(self) -> bool {
        self.index.inside(self.at).is_empty()
    }

    /// Whether it is `null`.
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// assert!(Document::parse(b"null")?.root().is_null());
    /// assert!(!Document::parse(b"false")?.root().is_null());
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// The value of `true` or `false`.
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// assert_eq!(Document::parse(b"true")?.root().as_bool(), Some(true));
    /// assert_eq!(Document::parse(b"1")?.root().as_bool(), None);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn as_bool(self) -> Option<bool> {
        (self.kind() == Kind::Boolean).then(|| self.raw().starts_with(b"t"))
    }

    /// The number, as its exact text: [`Number`] converts it to integers and floats.
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(b"12345678901234567890.10")?;
    /// let number = document.root().number().unwrap();
    /// assert_eq!(number.raw(), b"12345678901234567890.10");
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    #[inline]
    pub fn number(self) -> Option<Number<'t>> {
        (self.kind() == Kind::Number).then(|| Number::new(self.raw()))
    }

    /// The value of a number that is an `i64` without fraction and exponent: what `read::<i64>()` returns, and `as_i64` of
    /// `serde_json`. [`Number::as_i64`] converts any notation, as `1e2`.
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(b"[-5, 1e2, \"1\"]")?;
    /// let integers: Vec<_> = document.root().elements().map(|node| node.as_i64()).collect();
    /// assert_eq!(integers, [Some(-5), None, None]);
    /// assert_eq!(document.get(1).unwrap().number().unwrap().as_i64(), Some(100));
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn as_i64(self) -> Option<i64> {
        self.integer()?.as_i64()
    }

    /// The value of a number that is a `u64` without fraction and exponent, as [`Node::as_i64`].
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// assert_eq!(Document::parse(b"18446744073709551615")?.root().as_u64(), Some(u64::MAX));
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn as_u64(self) -> Option<u64> {
        self.integer()?.as_u64()
    }

    fn integer(self) -> Option<Number<'t>> {
        self.number().filter(|number| number.is_integer())
    }

    /// The double nearest to a number; `None` if the number is too large. See [`Number::as_f64`].
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// assert_eq!(Document::parse(b"0.1")?.root().as_f64(), Some(0.1));
    /// assert_eq!(Document::parse(b"1e400")?.root().as_f64(), None);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn as_f64(self) -> Option<f64> {
        self.number()?.as_f64()
    }

    /// The text of a string or key, borrowed if it has no escapes. A lone surrogate, which a `\u` escape can encode and UTF-8
    /// cannot, becomes U+FFFD; [`decode`] detects it.
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(br#"["plain", "caf\u00e9", 1]"#)?;
    /// let texts: Vec<_> = document.root().elements().map(|node| node.as_str()).collect();
    /// assert_eq!(texts, [Some("plain".into()), Some("café".into()), None]);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    #[inline]
    pub fn as_str(self) -> Option<Cow<'t, str>> {
        if self.kind() != Kind::String {
            return None;
        }
        // Most are short and have no escapes: one pass finds that and the end.
        let rest = &self.text[self.start() + 1..];
        let end = find_special(rest, 0);
        if rest.get(end) == Some(&b'"') {
            let plain = short_ascii(rest, end).or_else(|| str::from_utf8(&rest[..end]).ok());
            if let Some(plain) = plain {
                return Some(Cow::Borrowed(plain));
            }
        }
        self.decoded()
    }

    /// The text of a string that may have escapes.
    fn decoded(self) -> Option<Cow<'t, str>> {
        let decoded = decode(self.string_content()?).ok()?;
        Some(match decoded.text {
            // Both are UTF-8: the text was verified, and decoding yields only characters.
            Cow::Borrowed(text) => String::from_utf8_lossy(text),
            Cow::Owned(text) => match String::from_utf8(text) {
                Ok(text) => Cow::Owned(text),
                Err(error) => Cow::Owned(String::from_utf8_lossy(error.as_bytes()).into_owned()),
            },
        })
    }

    /// Whether it is a string or key with this text. Faster than [`as_str`](Node::as_str): most strings differ in their first
    /// bytes.
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(br#"["ab", "a\u0062", "abc", 1]"#)?;
    /// let are_equal: Vec<bool> = document.root().elements().map(|node| node.is_str("ab")).collect();
    /// assert_eq!(are_equal, [true, true, false, false]);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn is_str(self, text: &str) -> bool {
        let equals = || self.as_str().is_some_and(|decoded| decoded == text);
        self.kind() == Kind::String && self.is_literally(text.as_bytes()).unwrap_or_else(equals)
    }

    /// Whether a key has this text, with lone surrogates in their three-byte WTF-8 form.
    pub(super) fn is_key(self, text: &[u8]) -> bool {
        self.is_literally(text).unwrap_or_else(|| {
            let content = self.string_content();
            content.is_some_and(|content| key_equals(content, text))
        })
    }

    /// Whether a string has this text; `None` if they are equal up to an escape.
    fn is_literally(self, text: &[u8]) -> Option<bool> {
        let start = self.index.start(self.at) + 1;
        let raw = self.text.get(start..).unwrap_or_default();
        let is_same = |(a, b): &(&u8, &u8)| a == b && !matches!(a, b'"' | b'\\');
        let same = raw.iter().zip(text).take_while(is_same).count();
        match raw.get(same) {
            Some(b'"') => Some(same == text.len()),
            Some(b'\\') => None,
            _ => Some(false),
        }
    }

    /// The raw text between the quotes of a string, with its escapes.
    pub(crate) fn string_content(self) -> Option<&'t [u8]> {
        match (self.kind(), self.raw()) {
            (Kind::String, [b'"', content @ .., b'"']) => Some(content),
            _ => None,
        }
    }
}

/// The value as minified JSON; with the flag `#`, indented by two spaces. Comments are omitted.
///
/// ```
/// use jsonx_core::Document;
///
/// let document = Document::parse(br#"{"a": [1, 2.0], "b": {}}"#)?;
/// assert_eq!(document.get("a").unwrap().to_string(), "[1,2.0]");
/// assert_eq!(format!("{:#}", document.root()), "{\n  \"a\": [\n    1,\n    2.0\n  ],\n  \"b\": {}\n}");
/// # Ok::<(), jsonx_core::Error>(())
/// ```
impl fmt::Display for Node<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = if f.alternate() {
            Cow::Owned(self.formatted(Style::Pretty(Indent::Spaces(2))))
        } else {
            self.minified()
        };
        f.write_str(&String::from_utf8_lossy(&text))
    }
}

/// Prints the kind, the span and the start of the text.
impl fmt::Debug for Node<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 64;
        let raw = self.raw();
        f.debug_struct("Node")
            .field("kind", &self.kind())
            .field("span", &self.span())
            .field(
                "raw",
                &String::from_utf8_lossy(&raw[..raw.len().min(SHOWN)]),
            )
            .finish()
    }
}
