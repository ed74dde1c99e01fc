//! The targets of reports: standard output, or files that are no inputs.

use std::path::{Path, PathBuf};

use super::Reporter;
use crate::files::Selection;
use crate::input::Name;
use crate::output::Guard;
use crate::report::Format;
use crate::system;

/// Rejects targets that conflict: two reports with one target, or a report that would overwrite an input.
///
/// # Errors
/// The conflict.
pub fn check_targets(reporters: &[Reporter], selection: &Selection) -> Result<(), String> {
    let files = || reporters.iter().filter_map(|it| it.file.as_ref());
    if reporters.len() > files().count() + 1 {
        return Err(
            "only one reporter can have standard output; give the others a file: --reporter NAME=FILE"
                .to_owned(),
        );
    }
    for (number, file) in files().enumerate() {
        let name = Name::of(file);
        let id = system::input_id(file);
        let is_same =
            |other: &PathBuf| other == file || id.is_some() && system::input_id(other) == id;
        if files().take(number).any(is_same) {
            return Err(format!("two reporters would be written to {name}"));
        }
        if id.is_some() && selection.named().any(is_same) {
            return Err(format!("{name} is an input, a report would overwrite it"));
        }
    }
    Ok(())
}

/// The default reports: for people, plus annotations in GitHub Actions.
pub fn default_reporters() -> Vec<Reporter> {
    let in_actions = std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true");
    let formats = match in_actions {
        true => &[Format::Human, Format::Github][..],
        false => &[Format::Human],
    };
    let reporter = |&format| Reporter { format, file: None };
    formats.iter().map(reporter).collect()
}

/// Prevents reports from overwriting an input that came from a list or a directory.
pub fn refuse_inputs(guards: &[Guard], path: &Path) {
    if guards.is_empty() {
        return;
    }
    if let Some(id) = system::input_id(path) {
        let same = guards.iter().filter(|guard| guard.id() == id);
        same.for_each(Guard::refuse);
    }
}
