//! Edits of verified text that keep every other byte.
//!
//! ```text
//! Document ──► Editor ──► local ──► Splices ──► Rope ──► the new text
//!              set …      │         spans that are replaced
//!              Tree       white space around each place
//!              where a path leads now
//!
//! matches ───► local ───────────────► Splices     one edit of any number of places
//! ```
//!
//! - `editor`: the edits; `relocate`: those with two paths; `ask`: lookups between edits; `apply`: applies them to the tree;
//! - `text`: short walks over the tokens around an offset; `style`: the white space of new text, copied from there;
//! - `shape`: the layout of values like a new one;
//! - `tree`: resolves paths in the edited document; `blocks`: the children of a container;
//! - `local`: edits at positions, given only their offsets, for texts that need not be in memory;
//! - `rope`: the text while it is edited, in `pieces`; `commented`: replacements in a text with comments.

mod apply;
mod ask;
mod blocks;
mod commented;
#[cfg(test)]
mod commented_tests;
mod editor;
mod error;
#[cfg(test)]
mod formatted_tests;
#[cfg(test)]
pub(crate) mod laws;
mod local;
mod options;
mod pieces;
mod relocate;
mod rope;
#[cfg(test)]
mod sequence_tests;
mod shape;
mod step;
mod style;
#[cfg(test)]
mod tests;
mod text;
mod tree;

// For the program.
pub(crate) use ask::equal;
pub use editor::Editor;
pub use error::EditError;
pub use local::Action;
pub use options::SetOptions;
#[doc(hidden)]
pub use step::nested;
pub use text::Text;
pub(crate) use tree::Slot;
