//! What an edit may create.

/// What [`Editor::set_with`](super::Editor::set_with) may create.
///
/// ```
/// use jsonx_core::edit::SetOptions;
///
/// assert!(!SetOptions::default().parents && !SetOptions::default().existing);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetOptions {
    /// Missing objects on the way are created.
    pub parents: bool,
    /// Nothing is created: the value must exist.
    pub existing: bool,
}
