//! What a program is compiled with.

use std::path::PathBuf;
use std::rc::Rc;

use crate::value::Value;

/// The variables and search path of a program.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Variables: names that begin with `$`, and values.
    pub variables: Vec<(Rc<str>, Value)>,
    /// Folders to search for modules, after the current one.
    pub search: Vec<PathBuf>,
    /// The folder of the program's file, for modules whose metadata names a folder relative to it.
    pub folder: Option<PathBuf>,
    /// A file of definitions for every program, such as `~/.jq`; need not exist.
    pub home: Option<PathBuf>,
}
