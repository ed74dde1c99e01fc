//! Events from verified tokens, in windows.

use std::collections::TryReserveError;

use super::Visitor;
use super::lengths::Lengths;
use crate::assembler::{Token, TokenAssembler, Walk};
use crate::stack::Stack;
use crate::string::decode_into;
use crate::syntax::{ErrorKind, SyntaxError};
use crate::token::{Chunk, Sink, Stop};

/// A [`Sink`] that passes the values of a text to a [`Visitor`], for text that arrives in windows. [`visit`](crate::visit::visit()) is
/// the shortcut for text in memory.
///
/// Memory does not depend on the length of the text, except for a string or number that crosses a chunk boundary, which is
/// buffered. An error of the visitor is a [`Stop::Sink`] in a [`Stop::Sink`]; an inner [`Stop::Invalid`] means that memory ran
/// out. [`Stop::flatten`] merges the two.
///
/// ```
/// use std::convert::Infallible;
///
/// use jsonx_core::engine::{Mode, Options, Validator};
/// use jsonx_core::visit::{Events, Visitor};
///
/// #[derive(Default)]
/// struct Strings(Vec<String>);
///
/// impl Visitor for Strings {
///     type Error = Infallible;
///
///     fn string(&mut self, text: &str) -> Result<(), Infallible> {
///         self.0.push(text.to_owned());
///         Ok(())
///     }
/// }
///
/// let mut events = Events::new(Strings::default());
/// let mut validator = Validator::new(Options::default().mode(Mode::Stream));
/// for window in [&b"[\"one\", \"tw"[..], b"o\"]\n\"thr", b"ee\""] {
///     validator.write(window, &mut events).unwrap();
/// }
/// let strings = validator.finish(events).unwrap();
/// assert_eq!(strings.0, ["one", "two", "three"]);
/// ```
#[derive(Debug)]
pub struct Events<V> {
    walker: Walker<V>,
}

impl<V: Visitor> Events<V> {
    /// Creates events for `visitor`.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::visit::{Events, Visitor};
    ///
    /// struct Nothing;
    ///
    /// impl Visitor for Nothing {
    ///     type Error = std::convert::Infallible;
    /// }
    ///
    /// assert!(Validator::new(Options::default()).check(b"[1]", Events::new(Nothing)).is_ok());
    /// ```
    pub fn new(visitor: V) -> Self {
        Events {
            walker: Walker {
                visitor,
                cursor: TokenAssembler::default(),
                stack: Stack::default(),
                lengths: Lengths::default(),
                is_value: false,
                plain: 0,
                offset: 0,
                decoded: Vec::new(),
            },
        }
    }

    /// The offset of the token of the last event, in bytes from the start of the text: where the visitor stopped.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::visit::{Events, Visitor};
    ///
    /// struct NoNulls;
    ///
    /// impl Visitor for NoNulls {
    ///     type Error = ();
    ///
    ///     fn null(&mut self) -> Result<(), ()> {
    ///         Err(())
    ///     }
    /// }
    ///
    /// let mut events = Events::new(NoNulls);
    /// assert!(Validator::new(Options::default()).check(b"[1, null, 2]", &mut events).is_err());
    /// assert_eq!(events.offset(), 4);
    /// ```
    pub fn offset(&self) -> u64 {
        self.walker.offset
    }
}

impl<V: Visitor> Sink for Events<V> {
    type Error = Stop<V::Error>;
    type Output = V;

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Stop<V::Error>> {
        let counted = if self.walker.visitor.needs_lengths() {
            self.walker.lengths.count(chunk.kinds)
        } else {
            Ok(())
        };
        let walked = counted
            .map_err(Failure::from)
            .and_then(|()| self.walker.walk(chunk));
        walked.map_err(|failure| failure.stop(chunk.offset))
    }

    fn finish(mut self) -> Result<V, Stop<V::Error>> {
        let ended = self.walker.end();
        ended.map_err(|failure| failure.stop(self.walker.offset))?;
        Ok(self.walker.visitor)
    }
}

enum Failure<E> {
    OutOfMemory,
    Visitor(E),
}

impl<E> Failure<E> {
    fn stop(self, offset: u64) -> Stop<E> {
        match self {
            Failure::OutOfMemory => Stop::Invalid(SyntaxError {
                kind: ErrorKind::OutOfMemory,
                offset,
            }),
            Failure::Visitor(error) => Stop::Sink(error),
        }
    }
}

impl<E> From<TryReserveError> for Failure<E> {
    fn from(_: TryReserveError) -> Self {
        Failure::OutOfMemory
    }
}

#[derive(Debug)]
struct Walker<V> {
    visitor: V,
    cursor: TokenAssembler,
    /// The open containers.
    stack: Stack,
    lengths: Lengths,
    /// Whether a string in an object is a value, after its key.
    is_value: bool,
    /// There is no backslash between the last string with one and this offset.
    plain: u64,
    offset: u64,
    decoded: Vec<u8>,
}

impl<V: Visitor> Walker<V> {
    /// Closes a container. If none is open, it was opened before the first chunk.
    fn close(&mut self) {
        if self.stack.depth > 0 {
            self.stack.pop();
        }
    }

    #[inline]
    fn string(&mut self, token: Token<'_>) -> Result<(), Failure<V::Error>> {
        let raw = token.raw();
        // Always UTF-8: the text was verified, and decoding yields only characters.
        let mut content = raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default();
        let end = token.start() + raw.len() as u64;
        if end > self.plain {
            if memchr::memchr(b'\\', content).is_some() {
                self.decoded.clear();
                self.decoded.try_reserve(content.len())?;
                // The engine has checked the escapes.
                let _ = decode_into(content, &mut self.decoded);
                content = &self.decoded;
            }
            // One search for many strings.
            let rest = token.rest();
            let next = memchr::memchr(b'\\', rest).unwrap_or(rest.len());
            self.plain = end + next as u64;
        }
        let is_key = self.stack.object() == 1 && !self.is_value;
        self.is_value = is_key;
        let visited = if is_key {
            self.visitor.key_bytes(content)
        } else {
            self.visitor.string_bytes(content)
        };
        visited.map_err(Failure::Visitor)
    }
}

impl<V: Visitor> Walk for Walker<V> {
    type Error = Failure<V::Error>;

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
    fn token(&mut self, token: Token<'_>) -> Result<(), Self::Error> {
        self.offset = token.start();
        if token.kind == b'"' {
            return self.string(token);
        }
        self.is_value = false;
        let visited = match token.kind {
            b'{' | b'[' => {
                let is_object = token.kind == b'{';
                self.stack.push(u64::from(is_object));
                if self.stack.exhausted {
                    return Err(Failure::OutOfMemory);
                }
                let len = self.lengths.next();
                if is_object {
                    self.visitor.begin_object(len)
                } else {
                    self.visitor.begin_array(len)
                }
            }
            b'}' => {
                self.close();
                self.visitor.end_object()
            }
            b']' => {
                self.close();
                self.visitor.end_array()
            }
            b',' | b':' => Ok(()),
            kind @ (b't' | b'f') => self.visitor.boolean(kind == b't'),
            b'n' => self.visitor.null(),
            _ => self.visitor.number(token.number()),
        };
        visited.map_err(Failure::Visitor)
    }
}
