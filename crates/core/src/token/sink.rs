//! Consumers of verified text.

use core::fmt;
use std::io;

use super::{Chunk, Interest, Mode};
use crate::syntax::SyntaxError;

/// A consumer of verified text. It receives each chunk after it has been verified, so it walks over tokens and never parses.
///
/// A verified chunk implies nothing about the text after it: until [`finish`](crate::engine::Validator::finish) returns, the
/// text may still turn out to be invalid. [`sink_fn`] turns a function into a sink without a result.
///
/// ```
/// use jsonx_core::engine::{Chunk, Options, Sink, Validator};
///
/// /// Counts commas between values, not those in strings.
/// struct Commas(usize);
///
/// impl Sink for Commas {
///     type Error = std::convert::Infallible;
///     type Output = Self;
///
///     fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Self::Error> {
///         self.0 += chunk.tokens().filter(|(kind, _)| *kind == b',').count();
///         Ok(())
///     }
///
///     fn finish(self) -> Result<Self, Self::Error> {
///         Ok(self)
///     }
/// }
///
/// let mut commas = Commas(0);
/// Validator::new(Options::default()).check(br#"["a, b", 1, 2]"#, &mut commas).unwrap();
/// assert_eq!(commas.0, 2);
/// ```
pub trait Sink {
    /// The error with which the sink stops before the end of the text.
    type Error;

    /// The result of a text.
    type Output;

    /// The streams to fill for a text of this mode; by default, the offsets of tokens. Called before every chunk. Streams that
    /// were not requested are empty, so a caller of [`chunk`](Sink::chunk) passes only chunks that were made for these.
    fn interest(&self, mode: Mode) -> Interest {
        let _ = mode;
        Interest {
            offsets: true,
            ..Interest::default()
        }
    }

    /// Receives the next chunk.
    ///
    /// # Errors
    ///
    /// An error stops the validator, which returns it as [`Stop::Sink`]; neither may be used again.
    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Self::Error>;

    /// Ends the text, which is now known to be valid, and returns the result.
    ///
    /// # Errors
    ///
    /// As for [`chunk`](Sink::chunk). [`Validator::finish`](crate::engine::Validator::finish) returns them as [`Stop::Sink`].
    fn finish(self) -> Result<Self::Output, Self::Error>
    where
        Self: Sized;
}

/// Turns a function that receives each chunk, with the offsets of its tokens, into a [`Sink`].
///
/// ```
/// use std::convert::Infallible;
///
/// use jsonx_core::engine::{Validator, sink_fn};
///
/// let mut numbers = Vec::new();
/// let sink = sink_fn(|chunk| {
///     let tokens = chunk.tokens().filter(|(kind, _)| matches!(kind, b'-' | b'0'..=b'9'));
///     numbers.extend(tokens.map(|(_, raw)| String::from_utf8_lossy(raw).into_owned()));
///     Ok::<_, Infallible>(())
/// });
/// Validator::default().check(br#"[1.50 , "2", {"3": -4e5}]"#, sink).unwrap();
/// assert_eq!(numbers, ["1.50", "-4e5"]);
/// ```
pub fn sink_fn<E, F>(each: F) -> SinkFn<F>
where
    F: FnMut(&Chunk<'_>) -> Result<(), E>,
{
    SinkFn { each }
}

/// A sink made of a function: see [`sink_fn`].
///
/// ```
/// use jsonx_core::engine::{Options, Validator, sink_fn};
///
/// let sink = sink_fn(|_| Ok::<_, std::convert::Infallible>(()));
/// assert!(Validator::new(Options::default()).check(b"[1]", sink).is_ok());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SinkFn<F> {
    each: F,
}

impl<E, F> Sink for SinkFn<F>
where
    F: FnMut(&Chunk<'_>) -> Result<(), E>,
{
    type Error = E;
    type Output = ();

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), E> {
        (self.each)(chunk)
    }

    fn finish(self) -> Result<(), E> {
        Ok(())
    }
}

/// A borrowed sink receives the chunks, but not the end of the text.
///
/// ```
/// use std::convert::Infallible;
///
/// use jsonx_core::engine::{Options, Validator, sink_fn};
///
/// let mut tokens = 0;
/// let mut sink = sink_fn(|chunk| {
///     tokens += chunk.tokens().count();
///     Ok::<_, Infallible>(())
/// });
/// let valid = Validator::new(Options::default()).check(b"[1, 2", &mut sink).is_ok();
/// // The valid prefix of an invalid text.
/// assert_eq!((valid, tokens), (false, 4));
/// ```
impl<S: Sink> Sink for &mut S {
    type Error = S::Error;
    type Output = ();

    fn interest(&self, mode: Mode) -> Interest {
        (**self).interest(mode)
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), S::Error> {
        (**self).chunk(chunk)
    }

    fn finish(self) -> Result<(), S::Error> {
        Ok(())
    }
}

/// The reason why a [`Validator`](crate::engine::Validator) stopped.
///
/// ```
/// use jsonx_core::engine::{Options, Stop, Validator, Verdict};
///
/// let stop = Validator::new(Options::default()).check(b"[1", &mut Verdict).unwrap_err();
/// assert!(matches!(stop, Stop::Invalid(error) if error.offset == 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop<E> {
    /// The text is not JSON.
    Invalid(SyntaxError),
    /// The sink stopped.
    Sink(E),
}

impl<E: fmt::Display> fmt::Display for Stop<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Invalid(error) => write!(f, "{error} at offset {}", error.offset),
            Stop::Sink(error) => error.fmt(f),
        }
    }
}

impl<E: core::error::Error> core::error::Error for Stop<E> {}

impl<E: Into<io::Error>> From<Stop<E>> for io::Error {
    /// A syntax error becomes invalid data; an error of the sink is returned as is.
    fn from(stop: Stop<E>) -> io::Error {
        match stop {
            Stop::Invalid(error) => error.into(),
            Stop::Sink(error) => error.into(),
        }
    }
}
