//! A list of replacements of spans, and the resulting text.

use crate::order::sort_by_place;
use std::ops::Range;

use super::text::Text;

/// One replacement: the bytes of a span by others.
///
/// ```
/// use jsonx_core::Document;
///
/// let document = Document::parse(br#"{"a": 1}"#)?;
/// let splices = document.edit().set("/a", "20").unwrap().splices();
/// assert_eq!((splices.list()[0].span(), splices.list()[0].text()), (6..7, &b"20"[..]));
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    span: Range<usize>,
    text: Vec<u8>,
}

impl Splice {
    /// The bytes of the old text to replace; empty for an insertion.
    ///
    /// ```
    /// # let document = jsonx_core::Document::parse(b"[1, 2]").unwrap();
    /// let splices = document.edit().append("", "3").unwrap().splices();
    /// assert_eq!(splices.list()[0].span(), 5..5);
    /// ```
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The replacement.
    ///
    /// ```
    /// # let document = jsonx_core::Document::parse(b"[1, 2]").unwrap();
    /// let splices = document.edit().append("", "3").unwrap().splices();
    /// assert_eq!(splices.list()[0].text(), b", 3");
    /// ```
    pub fn text(&self) -> &[u8] {
        &self.text
    }
}

/// Replacements of spans of one text, in ascending order, none inside another and none without effect.
///
/// Memory is proportional to their number and their new text, not to the length of the old text.
///
/// ```
/// use jsonx_core::Document;
///
/// let text = br#"{"a": 1, "b": [2, 3]}"#;
/// let document = Document::parse(text)?;
/// let mut editor = document.edit();
/// editor.set("/a", "10").unwrap().delete("/b/0").unwrap();
/// let splices = editor.splices();
/// assert_eq!(splices.list().len(), 2);
/// assert_eq!(splices.apply(text), br#"{"a": 10, "b": [3]}"#);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Splices {
    list: Vec<Splice>,
}

impl Splices {
    /// One replacement, even without effect.
    pub(super) fn one(span: Range<usize>, text: Vec<u8>) -> Splices {
        Splices {
            list: vec![Splice { span, text }],
        }
    }

    /// Merges others, each entirely inside or outside one of these; adjacent ones become one.
    pub(super) fn and<T: Text + ?Sized>(self, others: Splices, old: &T) -> Splices {
        let mut all = [self.list, others.list].concat();
        sort_by_place(&mut all, |splice| (splice.span.start, splice.span.end));
        let mut list: Vec<Splice> = Vec::new();
        for splice in all {
            match list.last_mut() {
                Some(last) if splice.span.start < last.span.end => {}
                Some(last) if splice.span.start == last.span.end => {
                    last.span.end = splice.span.end;
                    last.text.extend(splice.text);
                }
                _ => list.push(splice),
            }
        }
        let mut splices = Splices::default();
        for splice in list {
            splices.push(old, splice.span, splice.text);
        }
        splices
    }

    /// The same replacements with other offsets.
    pub(super) fn moved(&self, offset: impl Fn(usize) -> usize) -> Splices {
        let list = self.list.iter().map(|splice| Splice {
            span: offset(splice.span.start)..offset(splice.span.end),
            text: splice.text.clone(),
        });
        Splices {
            list: list.collect(),
        }
    }

    /// The replacements, in the order of the text.
    ///
    /// ```
    /// # let document = jsonx_core::Document::parse(b"[1, 2]").unwrap();
    /// assert_eq!(document.edit().set("/0", "1").unwrap().splices().list(), []);
    /// ```
    pub fn list(&self) -> &[Splice] {
        &self.list
    }

    /// Whether there are no replacements, so the text is unchanged.
    ///
    /// ```
    /// # let document = jsonx_core::Document::parse(b"[1, 2]").unwrap();
    /// assert!(document.edit().set("/0", "1").unwrap().splices().is_empty());
    /// assert!(!document.edit().set("/0", "1.0").unwrap().splices().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The text with the replacements applied, in one pass.
    ///
    /// ```
    /// # let document = jsonx_core::Document::parse(b"[1, 2]").unwrap();
    /// let splices = document.edit().delete("/0").unwrap().splices();
    /// assert_eq!(splices.apply(document.text()), b"[2]");
    /// ```
    pub fn apply(&self, text: &[u8]) -> Vec<u8> {
        let added: usize = self.list.iter().map(|splice| splice.text.len()).sum();
        let removed: usize = self.list.iter().map(|splice| splice.span.len()).sum();
        let mut out = Vec::with_capacity((text.len() + added).saturating_sub(removed));
        let mut at = 0;
        for splice in &self.list {
            out.extend_from_slice(&text[at..splice.span.start]);
            out.extend_from_slice(&splice.text);
            at = splice.span.end;
        }
        out.extend_from_slice(&text[at..]);
        out
    }

    /// Adds a replacement after all others, unless it has no effect. One that begins inside the last one is dropped,
    /// because its text is already replaced.
    pub(super) fn push<T: Text + ?Sized>(&mut self, old: &T, span: Range<usize>, text: Vec<u8>) {
        if self
            .list
            .last()
            .is_some_and(|last| span.start < last.span.end)
        {
            return;
        }
        let is_same = span.len() == text.len()
            && span
                .clone()
                .zip(&text)
                .all(|(at, byte)| old.byte(at) == *byte);
        if !is_same {
            self.list.push(Splice { span, text });
        }
    }
}
