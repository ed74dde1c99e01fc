//! Edits that write values of Rust types.

use serde_core::ser::Serialize;

use crate::document::ToPath;
use crate::edit::{Editor, SetOptions};
use crate::error::Error;

impl Editor<'_, '_> {
    /// Sets a value like [`set`](Editor::set), to a serialized Rust value.
    ///
    /// # Errors
    ///
    /// As [`set`](Editor::set) and [`to_vec`](crate::to_vec).
    ///
    /// ```
    /// use jsonx_core::{Document, Path};
    ///
    /// #[derive(serde::Serialize)]
    /// struct Server<'a> {
    ///     host: &'a str,
    ///     port: u16,
    /// }
    ///
    /// let document = Document::parse(br#"{"servers": {"a": null}, "on": true}"#)?;
    /// let (name, server) = ("b.c", Server { host: "localhost", port: 80 });
    /// let mut editor = document.edit();
    /// editor.set_value(Path::root().key("servers").key(name), &server)?.set_value(".on", &false)?;
    /// let expected = br#"{"servers": {"a": null, "b.c": {"host": "localhost", "port": 80}}, "on": false}"#;
    /// assert_eq!(editor.finish(), expected);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn set_value<T: Serialize + ?Sized>(
        &mut self,
        path: impl ToPath,
        value: &T,
    ) -> Result<&mut Self, Error> {
        self.set_value_with(path, value, SetOptions::default())
    }

    /// As [`set_value`](Editor::set_value), with options: create missing parents, or create nothing.
    ///
    /// # Errors
    ///
    /// As [`set_value`](Editor::set_value).
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::edit::SetOptions;
    ///
    /// let document = Document::parse(b"{}")?;
    /// let parents = SetOptions::default().parents(true);
    /// let edited = document.edit().set_value_with(".log.levels", &["info", "warn"], parents)?.finish();
    /// assert_eq!(edited, br#"{"log": {"levels": ["info", "warn"]}}"#);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn set_value_with<T: Serialize + ?Sized>(
        &mut self,
        path: impl ToPath,
        value: &T,
        options: SetOptions,
    ) -> Result<&mut Self, Error> {
        let text = super::to_vec(value)?;
        Ok(self.set_with(path, text, options)?)
    }
}
