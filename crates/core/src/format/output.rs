//! Outputs of formatted text.

use core::convert::Infallible;
use std::io;

/// A destination for formatted text: a `Vec<u8>`, any [`io::Write`] through [`WriteTo`], or your own type.
///
/// ```
/// use jsonx_core::engine::{Options, Validator};
/// use jsonx_core::format::{Formatter, Indent, Output, Style};
///
/// /// Measures the formatted text without storing it.
/// struct Length(usize);
///
/// impl Output for Length {
///     type Error = std::convert::Infallible;
///
///     fn write(&mut self, bytes: &[u8]) -> Result<(), Self::Error> {
///         self.0 += bytes.len();
///         Ok(())
///     }
/// }
///
/// let mut formatter = Formatter::new(Style::Pretty(Indent::Tab), Length(0));
/// Validator::new(Options::default()).check(b"[1,2]", &mut formatter).unwrap();
/// assert_eq!(formatter.finish().unwrap().0, "[\n\t1,\n\t2\n]\n".len());
/// ```
pub trait Output {
    /// The error of a write.
    type Error;

    /// Writes all of `bytes`. A formatter calls it with up to 128 KiB at a time, or with a longer run of text that it
    /// did not have to copy; either may end in the middle of a character.
    ///
    /// # Errors
    ///
    /// If the bytes could not be written. The formatter returns the error and must not be used again.
    fn write(&mut self, bytes: &[u8]) -> Result<(), Self::Error>;

    /// Forwards buffered bytes, because a reader may be waiting for them. No formatter calls it.
    ///
    /// # Errors
    ///
    /// If the bytes could not be forwarded.
    fn flush(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

impl<O: Output + ?Sized> Output for &mut O {
    type Error = O::Error;

    fn write(&mut self, bytes: &[u8]) -> Result<(), O::Error> {
        (**self).write(bytes)
    }

    fn flush(&mut self) -> Result<(), O::Error> {
        (**self).flush()
    }
}

impl<O: Output + ?Sized> Output for Box<O> {
    type Error = O::Error;

    fn write(&mut self, bytes: &[u8]) -> Result<(), O::Error> {
        (**self).write(bytes)
    }

    fn flush(&mut self) -> Result<(), O::Error> {
        (**self).flush()
    }
}

impl Output for Vec<u8> {
    type Error = Infallible;

    fn write(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.extend_from_slice(bytes);
        Ok(())
    }
}

/// Writes to any [`io::Write`]: a file, a socket, standard output. A formatter buffers its output, so wrapping the
/// writer in an [`io::BufWriter`] gains nothing. No formatter flushes the writer itself.
///
/// ```
/// use std::io;
///
/// use jsonx_core::engine::{Options, Validator};
/// use jsonx_core::format::{Formatter, Style, WriteTo};
///
/// fn compact(json: &[u8], writer: impl io::Write) -> io::Result<()> {
///     let mut formatter = Formatter::new(Style::Compact, WriteTo(writer));
///     Validator::new(Options::default()).check(json, &mut formatter)?;
///     formatter.finish().map(|_| ())
/// }
///
/// let mut buffer = [0; 6];
/// compact(b"[1, 2]", &mut buffer[..])?;
/// assert_eq!(&buffer, b"[1,2]\n");
/// assert_eq!(compact(b"[1, 2]", &mut buffer[..3]).unwrap_err().kind(), io::ErrorKind::WriteZero);
/// assert_eq!(compact(b"[1, 2", io::sink()).unwrap_err().kind(), io::ErrorKind::InvalidData);
/// # Ok::<(), io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct WriteTo<W>(pub W);

impl<W: io::Write> Output for WriteTo<W> {
    type Error = io::Error;

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
