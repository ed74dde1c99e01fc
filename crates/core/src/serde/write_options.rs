//! How values are written.

use std::io;

use serde_core::ser::Serialize;

use super::write::Serializer;
use crate::error::Error;
use crate::format::{Indent, Style};
use crate::format::{LineEnd, RewriteOptions, Rewriter};
use crate::number::NonFinite;
use crate::window::{Options, Validator};

/// How values are written as JSON: the styles and changes of `jsonx fmt`, and what to do with floats that JSON lacks. By
/// default minified, in the order of the type, without a line feed at the end.
///
/// ```
/// use jsonx_core::format::{Indent, RewriteOptions, Style};
/// use jsonx_core::WriteOptions;
///
/// let format = RewriteOptions::from(Style::Pretty(Indent::Tab)).sort_keys(true).html_safe(true);
/// let options = WriteOptions::default().format(format).final_newline(true);
/// let text = options.to_string(&std::collections::HashMap::from([("b", 1), ("<a>", 2)]))?;
/// assert_eq!(text, "{\n\t\"\\u003ca\\u003e\": 2,\n\t\"b\": 1\n}\n");
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct WriteOptions {
    format: RewriteOptions,
    non_finite: NonFinite,
    final_newline: bool,
}

impl Default for WriteOptions {
    fn default() -> Self {
        WriteOptions {
            format: Style::Compact.into(),
            non_finite: NonFinite::Null,
            final_newline: false,
        }
    }
}

impl WriteOptions {
    /// Indented by two spaces, as `jsonx fmt` and `jq .` print it.
    ///
    /// ```
    /// use jsonx_core::WriteOptions;
    ///
    /// assert_eq!(WriteOptions::pretty().to_string(&[1])?, "[\n  1\n]");
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn pretty() -> Self {
        WriteOptions::default().format(Style::Pretty(Indent::Spaces(2)))
    }

    /// Sets white space, order and escapes: a [`Style`], or [`RewriteOptions`]. Anything but [`Style::Compact`] costs a second
    /// pass over the text.
    ///
    /// ```
    /// use jsonx_core::format::{RewriteOptions, Style};
    /// use jsonx_core::WriteOptions;
    ///
    /// let ascii = RewriteOptions::from(Style::Compact).ascii(true);
    /// assert_eq!(WriteOptions::default().format(ascii).to_string("é")?, r#""\u00e9""#);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    #[must_use]
    pub fn format(self, format: impl Into<RewriteOptions>) -> Self {
        WriteOptions {
            format: format.into(),
            ..self
        }
    }

    /// Sets what becomes of infinity and NaN.
    ///
    /// ```
    /// use jsonx_core::WriteOptions;
    /// use jsonx_core::number::NonFinite;
    ///
    /// let options = WriteOptions::default().non_finite(NonFinite::Null);
    /// assert_eq!(options.to_string(&[1.5, f64::INFINITY])?, "[1.5,null]");
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    #[must_use]
    pub fn non_finite(self, non_finite: NonFinite) -> Self {
        WriteOptions { non_finite, ..self }
    }

    /// Sets whether a line feed comes after the value, as in a file, and for each line of JSON Lines.
    ///
    /// ```
    /// use jsonx_core::WriteOptions;
    ///
    /// let line = WriteOptions::default().final_newline(true);
    /// assert_eq!(line.to_string(&1)? + &line.to_string(&2)?, "1\n2\n");
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    #[must_use]
    pub fn final_newline(self, final_newline: bool) -> Self {
        WriteOptions {
            final_newline,
            ..self
        }
    }

    /// Writes a value to a vector.
    ///
    /// # Errors
    ///
    /// As [`to_vec`](crate::to_vec); a float that is not finite, if that is to be an error; a value without a canonical form,
    /// if that is the format.
    ///
    /// ```
    /// use jsonx_core::WriteOptions;
    ///
    /// assert_eq!(WriteOptions::default().to_vec(&(1, "a"))?, b"[1,\"a\"]");
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn to_vec<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>, Error> {
        let mut writer = Serializer::default().non_finite(self.non_finite);
        value.serialize(&mut writer)?;
        let mut text = writer.into_vec();
        if self.format != Style::Compact.into() {
            let rewriter = Rewriter::new(self.format, Vec::with_capacity(text.len()));
            let written = Validator::new(Options::default()).check(&text, rewriter);
            text = written?;
            let end = text.trim_ascii_end().len();
            text.truncate(end);
        }
        if self.final_newline {
            text.extend_from_slice(match self.format.line_end {
                LineEnd::Lf => b"\n",
                LineEnd::CrLf => b"\r\n",
            });
        }
        Ok(text)
    }

    /// As [`to_vec`](WriteOptions::to_vec), to a string.
    ///
    /// # Errors
    ///
    /// As [`to_vec`](WriteOptions::to_vec).
    ///
    /// ```
    /// use jsonx_core::format::RewriteOptions;
    /// use jsonx_core::WriteOptions;
    ///
    /// let canonical = WriteOptions::default().format(RewriteOptions::default().canonical(true));
    /// assert_eq!(canonical.to_string(&[1e21, 0.5])?, "[1e+21,0.5]");
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn to_string<T: Serialize + ?Sized>(&self, value: &T) -> Result<String, Error> {
        String::from_utf8(self.to_vec(value)?).map_err(Error::data)
    }

    /// As [`to_vec`](WriteOptions::to_vec), to a writer, in one call of `write_all`.
    ///
    /// # Errors
    ///
    /// Those of the writer, and those of [`to_vec`](WriteOptions::to_vec).
    ///
    /// ```
    /// use jsonx_core::WriteOptions;
    ///
    /// let mut file = Vec::new();
    /// WriteOptions::pretty().final_newline(true).to_writer(&mut file, &[true])?;
    /// assert_eq!(file, b"[\n  true\n]\n");
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn to_writer<T: Serialize + ?Sized>(
        &self,
        mut writer: impl io::Write,
        value: &T,
    ) -> Result<(), Error> {
        Ok(writer.write_all(&self.to_vec(value)?)?)
    }
}
