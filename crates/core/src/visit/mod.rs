//! A text as a series of events, in constant memory: a push parser.
//!
//! ```text
//! text ──► Validator ──► Events ──► a function      the text in windows of any size
//! ```

#[cfg(test)]
mod tests;

use std::fmt;

use crate::assembler::{Token, TokenAssembler, Walk};
use crate::number::Number;
use crate::stack::Stack;
use crate::string::decode_into;
use crate::token::{Chunk, Sink, Stop};

/// A part of a text, in document order: one event for each scalar and key, two for each container.
///
/// Strings and keys are decoded UTF-8, in which a lone surrogate is U+FFFD.
///
/// ```
/// use jsonx_core::engine::Validator;
/// use jsonx_core::visit::{Event, Events};
///
/// let mut depth = 0;
/// let mut deepest = 0;
/// let events = Events::new(|event: Event<'_>| -> Result<(), std::convert::Infallible> {
///     match event {
///         Event::BeginArray | Event::BeginObject => depth += 1,
///         Event::EndArray | Event::EndObject => depth -= 1,
///         _ => {}
///     }
///     deepest = deepest.max(depth);
///     Ok(())
/// });
/// Validator::default().check(br#"[{"a": [1, 2.5]}, []]"#, events).unwrap();
/// assert_eq!(deepest, 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A number. [`Number::as_i64`], [`Number::as_f64`] and others convert it; [`Number::raw`] is its text.
    Number(Number<'a>),
    /// A string.
    String(&'a [u8]),
    /// The key of a member. Its value follows.
    Key(&'a [u8]),
    /// An array begins.
    BeginArray,
    /// The innermost open array ends.
    EndArray,
    /// An object begins.
    BeginObject,
    /// The innermost open object ends.
    EndObject,
}

/// A [`Sink`] that passes the events of a text, of a stream of values or of JSON with comments to a function.
///
/// Memory does not depend on the length of the text, except for a string or number that crosses a chunk boundary, which is
/// buffered. Depth costs one bit per level and no stack. The text is verified 8 KiB at a time, so the function may have
/// received events before a syntax error.
///
/// An error of the function stops the check at once.
///
/// ```
/// use std::convert::Infallible;
///
/// use jsonx_core::engine::{Mode, Options, Validator};
/// use jsonx_core::visit::{Event, Events};
///
/// let mut strings = Vec::new();
/// let mut events = Events::new(|event: Event<'_>| -> Result<(), Infallible> {
///     if let Event::String(text) = event {
///         strings.push(String::from_utf8_lossy(text).into_owned());
///     }
///     Ok(())
/// });
/// let mut validator = Validator::new(Options::default().mode(Mode::Stream));
/// for window in [&b"[\"one\", \"tw"[..], b"o\"]\n\"thr", b"ee\""] {
///     validator.write(window, &mut events).unwrap();
/// }
/// validator.finish(events).unwrap();
/// assert_eq!(strings, ["one", "two", "three"]);
/// ```
pub struct Events<F> {
    each: F,
    cursor: TokenAssembler,
    /// The open containers.
    stack: Stack,
    /// Whether a string in an object is a value, after its key.
    is_value: bool,
    offset: u64,
    strings: Strings,
}

impl<F> Events<F> {
    /// Passes events to `each`.
    ///
    /// ```
    /// use jsonx_core::engine::Validator;
    /// use jsonx_core::visit::{Event, Events};
    ///
    /// let events = Events::new(|_: Event<'_>| Ok::<(), std::convert::Infallible>(()));
    /// assert!(Validator::default().check(b"[1]", events).is_ok());
    /// ```
    pub fn new(each: F) -> Self {
        Events {
            each,
            cursor: TokenAssembler::default(),
            stack: Stack::default(),
            is_value: false,
            offset: 0,
            strings: Strings::default(),
        }
    }

    /// The offset of the token of the last event, in bytes from the start of the text: where the function stopped.
    ///
    /// ```
    /// use jsonx_core::engine::{Stop, Validator};
    /// use jsonx_core::visit::{Event, Events};
    ///
    /// let null = |event: Event<'_>| if event == Event::Null { Err("null") } else { Ok(()) };
    /// let mut events = Events::new(null);
    /// let stop = Validator::default().check(b"[1, null, 2]", &mut events).unwrap_err();
    /// assert_eq!((stop, events.offset()), (Stop::Sink(Stop::Sink("null")), 4));
    /// ```
    pub fn offset(&self) -> u64 {
        self.offset
    }
}

impl<E, F: FnMut(Event<'_>) -> Result<(), E>> Sink for Events<F> {
    type Error = Stop<E>;
    type Output = ();

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Stop<E>> {
        self.walk(chunk)
    }

    fn finish(mut self) -> Result<(), Stop<E>> {
        self.end()
    }
}

impl<E, F: FnMut(Event<'_>) -> Result<(), E>> Walk for Events<F> {
    type Error = Stop<E>;

    fn assembler(&mut self) -> &mut TokenAssembler {
        &mut self.cursor
    }

    fn retains(&self, kind: u8) -> usize {
        match kind {
            b'"' | b'-' | b'0'..=b'9' => usize::MAX,
            _ => 0,
        }
    }

    /// Separators make no event.
    #[inline(always)]
    fn next(&mut self, chunk: &Chunk<'_>, mut index: usize) -> usize {
        while let Some(b',' | b':') = chunk.kinds.get(index) {
            index += 1;
        }
        index
    }

    #[inline(always)]
    fn token(&mut self, token: Token<'_>) -> Result<(), Stop<E>> {
        self.offset = token.start();
        let is_key = token.kind == b'"' && self.stack.object() == 1 && !self.is_value;
        self.is_value = is_key;
        let event = match token.kind {
            b'"' => {
                let content = self.strings.content(token);
                if is_key {
                    Event::Key(content)
                } else {
                    Event::String(content)
                }
            }
            kind @ (b'{' | b'[') => {
                self.stack.push(u64::from(kind == b'{'));
                if kind == b'{' {
                    Event::BeginObject
                } else {
                    Event::BeginArray
                }
            }
            kind @ (b'}' | b']') => {
                // A container may have been opened before the first chunk.
                if self.stack.depth > 0 {
                    self.stack.pop();
                }
                if kind == b'}' {
                    Event::EndObject
                } else {
                    Event::EndArray
                }
            }
            b',' | b':' => return Ok(()),
            kind @ (b't' | b'f') => Event::Boolean(kind == b't'),
            b'n' => Event::Null,
            _ => Event::Number(token.number()),
        };
        (self.each)(event).map_err(Stop::Sink)
    }
}

impl<F> fmt::Debug for Events<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Events").finish_non_exhaustive()
    }
}

/// Decodes strings.
#[derive(Default)]
struct Strings {
    /// There is no backslash between the last string with one and this offset.
    plain: u64,
    decoded: Vec<u8>,
}

impl Strings {
    #[inline]
    fn content<'a>(&'a mut self, token: Token<'a>) -> &'a [u8] {
        let raw = token.raw();
        // Always UTF-8: the text was verified, and decoding yields only characters.
        let mut content = raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default();
        let end = token.start() + raw.len() as u64;
        if end > self.plain {
            // One search for many strings.
            let rest = token.rest();
            let next = memchr::memchr(b'\\', rest).unwrap_or(rest.len());
            self.plain = end + next as u64;
            if memchr::memchr(b'\\', content).is_some() {
                self.decoded.clear();
                // The engine has checked the escapes.
                let _ = decode_into(content, &mut self.decoded);
                content = &self.decoded;
            }
        }
        content
    }
}
