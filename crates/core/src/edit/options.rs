//! Options of `set`.

/// Options of [`Editor::set_with`](super::Editor::set_with).
///
/// ```
/// use jsonx_core::edit::SetOptions;
///
/// assert_eq!(SetOptions::default(), SetOptions::default().parents(false).existing(false));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
// Fields that the program reads are hidden: options are set by methods.
#[non_exhaustive]
pub struct SetOptions {
    #[doc(hidden)]
    pub parents: bool,
    #[doc(hidden)]
    pub existing: bool,
}

impl SetOptions {
    /// Sets whether missing parents are created: an array for `[0]` and for `-` of a JSON Pointer, an object for every other
    /// key, even if it could be an index (`.0`, `/0`).
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::edit::SetOptions;
    ///
    /// let document = Document::parse(b"{}")?;
    /// let parents = SetOptions::default().parents(true);
    /// let edited = document.edit().set_with("/a/b", "1", parents)?.finish();
    /// assert_eq!(edited, br#"{"a": {"b": 1}}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn parents(self, parents: bool) -> Self {
        SetOptions { parents, ..self }
    }

    /// Sets whether the value must exist, so that nothing is created.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::edit::SetOptions;
    ///
    /// let document = Document::parse(b"{}")?;
    /// let existing = SetOptions::default().existing(true);
    /// assert!(document.edit().set_with("/a", "1", existing).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn existing(self, existing: bool) -> Self {
        SetOptions { existing, ..self }
    }
}
