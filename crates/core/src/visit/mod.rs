//! Visits a text as a series of events: a push parser.
//!
//! ```text
//! text ──► Validator ──► Events ──► Visitor      constant memory, the text in windows of any size
//! Document ──► Node::visit ──► Visitor           exact lengths, parts of a document
//! ```

mod events;
mod lengths;
mod nodes;
#[cfg(test)]
mod tests;

pub use events::Events;

use crate::number::Number;
use crate::token::Stop;
use crate::window::{Options, Validator};

/// Receives the values of a text in document order: one event for each scalar and key, two for each container. By default,
/// every method does nothing.
///
/// An error stops the visit at once and is returned.
///
/// ```
/// use std::convert::Infallible;
///
/// use jsonx_core::visit::{Visitor, visit};
/// use jsonx_core::number::Number;
///
/// /// Adds up the numbers of a text, wherever they are.
/// struct Sum(f64);
///
/// impl Visitor for Sum {
///     type Error = Infallible;
///
///     fn number(&mut self, number: Number<'_>) -> Result<(), Infallible> {
///         self.0 += number.as_f64().unwrap_or(f64::NAN);
///         Ok(())
///     }
/// }
///
/// let mut sum = Sum(0.0);
/// visit(br#"{"a": [1, 2.5], "b": {"c": 3, "d": "4"}}"#, &mut sum).unwrap();
/// assert_eq!(sum.0, 6.5);
/// ```
pub trait Visitor {
    /// The error with which the visitor stops; [`Infallible`](core::convert::Infallible) if it never does.
    type Error;

    /// Receives `null`.
    ///
    /// # Errors
    ///
    /// An error of any method stops the visit.
    fn null(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Receives `true` or `false`.
    ///
    /// # Errors
    ///
    /// The visitor's own.
    fn boolean(&mut self, value: bool) -> Result<(), Self::Error> {
        let _ = value;
        Ok(())
    }

    /// Receives a number. [`Number::as_i64`], [`Number::as_f64`] and others convert it; [`Number::raw`] is its text.
    ///
    /// # Errors
    ///
    /// The visitor's own.
    fn number(&mut self, number: Number<'_>) -> Result<(), Self::Error> {
        let _ = number;
        Ok(())
    }

    /// Receives a string, decoded. A lone surrogate becomes U+FFFD.
    ///
    /// # Errors
    ///
    /// The visitor's own.
    fn string(&mut self, text: &str) -> Result<(), Self::Error> {
        let _ = text;
        Ok(())
    }

    /// Receives a string as UTF-8, and passes it to [`string`](Visitor::string). A visitor that needs no `str` implements this
    /// instead, which spares a check.
    ///
    /// # Errors
    ///
    /// The visitor's own.
    fn string_bytes(&mut self, text: &[u8]) -> Result<(), Self::Error> {
        self.string(core::str::from_utf8(text).unwrap_or_default())
    }

    /// Whether [`begin_array`](Visitor::begin_array) and [`begin_object`](Visitor::begin_object) use the length. Otherwise
    /// [`visit`] and [`Events`] do not count, and pass `None`.
    fn needs_lengths(&self) -> bool {
        true
    }

    /// Begins an array. `len` is the number of its elements, if known: [`visit`] and [`Events`] know it for arrays that end in
    /// the same 8 KiB, [`Node::visit`](crate::Node::visit) for all arrays.
    ///
    /// # Errors
    ///
    /// The visitor's own.
    fn begin_array(&mut self, len: Option<u64>) -> Result<(), Self::Error> {
        let _ = len;
        Ok(())
    }

    /// Ends the innermost open array.
    ///
    /// # Errors
    ///
    /// The visitor's own.
    fn end_array(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Begins an object. `len` is the number of its members, duplicates included, if known: see
    /// [`begin_array`](Visitor::begin_array).
    ///
    /// # Errors
    ///
    /// The visitor's own.
    fn begin_object(&mut self, len: Option<u64>) -> Result<(), Self::Error> {
        let _ = len;
        Ok(())
    }

    /// Receives the key of a member, decoded like a [`string`](Visitor::string). Its value follows.
    ///
    /// # Errors
    ///
    /// The visitor's own.
    fn key(&mut self, key: &str) -> Result<(), Self::Error> {
        let _ = key;
        Ok(())
    }

    /// As [`string_bytes`](Visitor::string_bytes), for [`key`](Visitor::key).
    ///
    /// # Errors
    ///
    /// The visitor's own.
    fn key_bytes(&mut self, key: &[u8]) -> Result<(), Self::Error> {
        self.key(core::str::from_utf8(key).unwrap_or_default())
    }

    /// Ends the innermost open object.
    ///
    /// # Errors
    ///
    /// The visitor's own.
    fn end_object(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// Passes the values of a text in memory to a visitor, in one pass and in constant memory, except for a buffer for the longest
/// string with escapes. Depth costs one bit per level and no stack. [`Events`] does the same for text in windows, for streams
/// of values and for JSON with comments.
///
/// The text is verified 8 KiB at a time, so the visitor may have received values before an error.
///
/// # Errors
///
/// The first error of the text, or the error of the visitor, whichever comes first.
///
/// ```
/// use jsonx_core::engine::Stop;
/// use jsonx_core::visit::{Visitor, visit};
///
/// /// Finds the first member with a key, and reads no further.
/// struct Find<'k>(&'k str);
///
/// struct Found;
///
/// impl Visitor for Find<'_> {
///     type Error = Found;
///
///     fn key(&mut self, key: &str) -> Result<(), Found> {
///         if key == self.0 { Err(Found) } else { Ok(()) }
///     }
/// }
///
/// let text = br#"{"a": {"id": 1}}"#;
/// assert!(matches!(visit(text, &mut Find("id")), Err(Stop::Sink(Found))));
/// assert!(visit(text, &mut Find("x")).is_ok());
/// assert!(matches!(visit(b"{]", &mut Find("x")), Err(Stop::Invalid(error)) if error.offset == 1));
/// ```
pub fn visit<V: Visitor>(text: &[u8], visitor: &mut V) -> Result<(), Stop<V::Error>> {
    let checked = Validator::new(Options::default()).check(text, Events::new(visitor));
    checked.map(drop).map_err(Stop::flatten)
}

/// A visitor can be passed by reference.
impl<V: Visitor> Visitor for &mut V {
    type Error = V::Error;

    fn null(&mut self) -> Result<(), V::Error> {
        (**self).null()
    }

    fn boolean(&mut self, value: bool) -> Result<(), V::Error> {
        (**self).boolean(value)
    }

    fn number(&mut self, number: Number<'_>) -> Result<(), V::Error> {
        (**self).number(number)
    }

    fn string(&mut self, text: &str) -> Result<(), V::Error> {
        (**self).string(text)
    }

    fn string_bytes(&mut self, text: &[u8]) -> Result<(), V::Error> {
        (**self).string_bytes(text)
    }

    fn needs_lengths(&self) -> bool {
        (**self).needs_lengths()
    }

    fn begin_array(&mut self, len: Option<u64>) -> Result<(), V::Error> {
        (**self).begin_array(len)
    }

    fn end_array(&mut self) -> Result<(), V::Error> {
        (**self).end_array()
    }

    fn begin_object(&mut self, len: Option<u64>) -> Result<(), V::Error> {
        (**self).begin_object(len)
    }

    fn key(&mut self, key: &str) -> Result<(), V::Error> {
        (**self).key(key)
    }

    fn key_bytes(&mut self, key: &[u8]) -> Result<(), V::Error> {
        (**self).key_bytes(key)
    }

    fn end_object(&mut self) -> Result<(), V::Error> {
        (**self).end_object()
    }
}
