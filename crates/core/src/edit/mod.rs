//! Edits of verified text that keep every other byte.
//!
//! ```text
//! Document ──► Editor ──► Tree ──► write ──► Splices ──► the new text, in one pass
//!              set …      lists of children  spans that are replaced
//!                         on the way to an edit only
//!
//! matches ───► local ──────────────────────► Splices     one edit of any number of places
//!              white space around each
//! ```
//!
//! - `editor`: the edits; `relocate`: those with two paths; `ask`: lookups between edits; `apply`: applies them to the tree;
//! - `text`: short walks over the tokens around an offset; `style`: the white space of new text, copied from there;
//! - `tree`: the document while it is edited; `blocks`: the children of a container; `write`: writes the tree as text;
//! - `local`: one edit at many positions, given only their offsets, for texts that are not in memory;
//! - `commented`: replacements in a text with comments; `with_comments`: a sequence of them, in `pieces` of the text.

mod apply;
mod ask;
mod blocks;
mod commented;
#[cfg(test)]
mod commented_tests;
mod editor;
mod error;
#[cfg(test)]
pub(crate) mod laws;
mod local;
mod options;
mod pieces;
mod relocate;
#[cfg(test)]
mod sequence_tests;
mod splices;
mod step;
mod style;
#[cfg(test)]
mod tests;
mod text;
mod tree;
mod with_comments;
mod write;

pub use commented::{Commented, CommentedOptions};
pub use editor::Editor;
pub use error::EditError;
pub use local::Action;
pub use options::SetOptions;
pub use splices::{Splice, Splices};
pub use step::nested;
pub use text::Text;
pub(crate) use tree::Slot;
