//! Options for writing values.

use std::io;

use serde_core::ser::Serialize;

use super::write::Serializer;
use crate::error::Error;
use crate::format::Indent;
#[cfg(feature = "format")]
use crate::format::{LineEnd, RewriteOptions, Rewriter, Style};
use crate::number::NonFinite;
#[cfg(feature = "format")]
use crate::window::{Options, Validator};

/// Options for writing values as JSON: the styles and changes of `jsonx fmt`, and the treatment of infinity and NaN. The
/// default is minified, in the order of the type, without a final line feed.
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
    /// The indentation of a level; `None` for minified text.
    indent: Option<Indent>,
    /// Options that need a second pass.
    #[cfg(feature = "format")]
    format: Option<RewriteOptions>,
    non_finite: NonFinite,
    final_newline: bool,
}

impl Default for WriteOptions {
    fn default() -> Self {
        WriteOptions {
            indent: None,
            #[cfg(feature = "format")]
            format: None,
            non_finite: NonFinite::Null,
            final_newline: false,
        }
    }
}

impl WriteOptions {
    /// Indented by two spaces, as `jsonx fmt` and `jq .` print it. A [`Raw`](crate::Raw) keeps its own layout.
    ///
    /// ```
    /// use jsonx_core::WriteOptions;
    ///
    /// assert_eq!(WriteOptions::pretty().to_string(&[1])?, "[\n  1\n]");
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn pretty() -> Self {
        WriteOptions {
            indent: Some(Indent::Spaces(2)),
            ..WriteOptions::default()
        }
    }

    /// Sets white space, order and escapes: a [`Style`], or [`RewriteOptions`]. Anything beyond a style needs the whole text in
    /// memory and a second pass over it, which also formats the content of a [`Raw`](crate::Raw). Needs the feature `format`.
    ///
    /// ```
    /// use jsonx_core::format::{RewriteOptions, Style};
    /// use jsonx_core::WriteOptions;
    ///
    /// let ascii = RewriteOptions::from(Style::Compact).ascii(true);
    /// assert_eq!(WriteOptions::default().format(ascii).to_string("é")?, r#""\u00e9""#);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    #[cfg(feature = "format")]
    #[must_use]
    pub fn format(self, format: impl Into<RewriteOptions>) -> Self {
        let format = format.into();
        let indent = match format.style {
            Style::Compact => None,
            Style::Pretty(indent) => Some(indent),
        };
        WriteOptions {
            indent,
            format: (format != format.style.into()).then_some(format),
            ..self
        }
    }

    /// Sets the treatment of infinity and NaN.
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

    /// Sets whether a line feed follows the value, as in a file and in JSON Lines.
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
    /// As [`to_vec`](crate::to_vec); a non-finite float with [`NonFinite::Error`]; a value without a canonical form, if that is
    /// the format.
    ///
    /// ```
    /// use jsonx_core::WriteOptions;
    ///
    /// assert_eq!(WriteOptions::default().to_vec(&(1, "a"))?, b"[1,\"a\"]");
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn to_vec<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>, Error> {
        let mut writer = self.serializer(Serializer::default());
        value.serialize(&mut writer)?;
        let mut text = writer.into_vec();
        #[cfg(feature = "format")]
        if let Some(format) = self.format {
            let rewriter = Rewriter::new(format, Vec::with_capacity(text.len()));
            let written = Validator::new(Options::default()).check(&text, rewriter);
            text = written?;
            let end = text.trim_ascii_end().len();
            text.truncate(end);
        }
        text.extend_from_slice(self.end());
        Ok(text)
    }

    /// Applies the layout that needs no second pass.
    fn serializer<'w>(&self, mut writer: Serializer<'w>) -> Serializer<'w> {
        #[cfg(feature = "format")]
        let is_final = self.format.is_none();
        #[cfg(not(feature = "format"))]
        let is_final = true;
        if let Some(indent) = self.indent.filter(|_| is_final) {
            writer = writer.indent(indent);
        }
        writer.non_finite(self.non_finite)
    }

    /// The text after the value.
    fn end(&self) -> &'static [u8] {
        #[cfg(feature = "format")]
        if let (true, Some(LineEnd::CrLf)) = (self.final_newline, self.format.map(|f| f.line_end)) {
            return b"\r\n";
        }
        if self.final_newline { b"\n" } else { b"" }
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

    /// As [`to_vec`](WriteOptions::to_vec), to a writer, with the memory use of [`to_writer`](crate::to_writer), unless the
    /// format needs a second pass.
    ///
    /// # Errors
    ///
    /// Those of the writer, and those of [`to_vec`](WriteOptions::to_vec), after which part of the text may have been written.
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
        #[cfg(feature = "format")]
        if self.format.is_some() {
            return Ok(writer.write_all(&self.to_vec(value)?)?);
        }
        let mut text = self.serializer(Serializer::to(&mut writer));
        value.serialize(&mut text)?;
        text.append(self.end());
        text.finish()
    }
}
