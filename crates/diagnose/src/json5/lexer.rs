//! Splits a text into the lexical elements of JSON5, whether they are well-formed or not.
//!
//! The elements are contiguous and cover the text. No byte is read more than twice: a word is followed by one gap, which is
//! searched for a colon.

use jsonx_core::internal::Stack;
use jsonx_core::jsonc::comment_length;

use super::space;

/// The kind of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementKind {
    /// White space of JSON.
    Space,
    /// A character that is white space only in JSON5.
    OtherSpace,
    Comment,
    /// A string, to its closing quote, or to the end of the line if that is missing.
    String,
    /// A key without quotes, if it is well-formed.
    Key,
    /// Any other run of characters: a number, a literal, or invalid text.
    Word,
    /// One character of punctuation.
    Punctuation,
}

/// An element of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: ElementKind,
    pub start: usize,
    pub end: usize,
}

/// The elements of a text, in order.
pub(super) struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    open: Stack,
    /// A key may begin here: after the bracket of an object, or after a comma in it.
    at_key: bool,
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        Lexer {
            text,
            at: 0,
            open: Stack::default(),
            at_key: false,
        }
    }

    /// The kind and the end of the element at `self.at`, which is not the end of the text.
    fn scan(&mut self) -> (ElementKind, usize) {
        let rest = &self.text[self.at..];
        let (kind, length) = match gap(rest) {
            Some(gap) => return (gap.0, self.at + gap.1),
            None => match rest[0] {
                quote @ (b'"' | b'\'') => (ElementKind::String, string(rest, quote)),
                byte @ (b'{' | b'[') => {
                    self.open.push(u64::from(byte == b'{'));
                    self.at_key = byte == b'{';
                    return (ElementKind::Punctuation, self.at + 1);
                }
                b'}' | b']' => {
                    if self.open.depth > 0 {
                        self.open.pop();
                    }
                    (ElementKind::Punctuation, 1)
                }
                b',' => {
                    self.at_key = self.open.object() == 1;
                    return (ElementKind::Punctuation, self.at + 1);
                }
                b':' | b'/' => (ElementKind::Punctuation, 1),
                _ => {
                    let length = word(rest);
                    let is_key = self.at_key || has_colon(&rest[length..]);
                    (
                        if is_key {
                            ElementKind::Key
                        } else {
                            ElementKind::Word
                        },
                        length,
                    )
                }
            },
        };
        self.at_key = false;
        (kind, self.at + length)
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let start = self.at;
        if start == self.text.len() {
            return None;
        }
        let (kind, end) = self.scan();
        self.at = end;
        Some(Token { kind, start, end })
    }
}

/// The element at the start of a text, if it is white space or a comment.
fn gap(text: &[u8]) -> Option<(ElementKind, usize)> {
    let blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    match text {
        [b' ' | b'\t' | b'\n' | b'\r', ..] => {
            Some((ElementKind::Space, text.iter().take_while(blank).count()))
        }
        [b'/', b'/', ..] => Some((ElementKind::Comment, line(text))),
        [b'/', b'*', ..] => Some((ElementKind::Comment, comment_length(text))),
        _ => space::other(text).map(|length| (ElementKind::OtherSpace, length)),
    }
}

/// The number of bytes before the end of a line. A line and a paragraph separator end it too.
fn line(text: &[u8]) -> usize {
    let ends = memchr::memchr3_iter(b'\n', b'\r', 0xE2, text);
    let mut ends = ends.filter(|&at| text[at] != 0xE2 || space::is_separator(&text[at..]));
    ends.next().unwrap_or(text.len())
}

/// The length of the string that begins a text.
fn string(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while let Some(found) = text[at..]
        .iter()
        .position(|&byte| byte == quote || byte == b'\\' || byte == b'\n' || byte == b'\r')
    {
        at += found;
        match &text[at..] {
            [b'\\', b'\r', b'\n', ..] => at += 3,
            [b'\\', _, ..] => at += 2,
            [byte, ..] if *byte == quote => return at + 1,
            [b'\\'] => break,
            _ => return at,
        }
    }
    text.len()
}

/// The length of the word that begins a text: at least one byte.
fn word(text: &[u8]) -> usize {
    let ends = |at: &usize| {
        matches!(
            text[*at],
            b'"' | b'\'' | b'{' | b'}' | b'[' | b']' | b':' | b',' | b'/'
        ) || gap(&text[*at..]).is_some()
    };
    (1..text.len()).find(ends).unwrap_or(text.len())
}

/// Whether a colon is next, after white space and comments.
fn has_colon(text: &[u8]) -> bool {
    let mut at = 0;
    while let Some((_, length)) = gap(&text[at..]) {
        at += length;
    }
    text.get(at) == Some(&b':')
}
