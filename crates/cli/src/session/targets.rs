//! The targets of reports: standard output, or files that are not inputs.

use std::fs;
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
            "only one reporter can write to standard output; give the others a file: --reporter NAME=FILE"
                .to_owned(),
        );
    }
    for (number, file) in files().enumerate() {
        let name = Name::new(file);
        let id = system::input_id(file);
        let is_same =
            |other: &PathBuf| other == file || id.is_some() && system::input_id(other) == id;
        let target = target_of(file);
        if files()
            .take(number)
            .any(|other| is_same(other) || target_of(other) == target)
        {
            return Err(format!("two reporters would write to {name}"));
        }
        if id.is_some() && selection.paths.iter().any(is_same) {
            return Err(format!(
                "{name} is an input, which the report would overwrite"
            ));
        }
    }
    Ok(())
}

/// The path at which a report would be created, independent of spelling: links are followed, even dangling ones.
fn target_of(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    // The maximum number of links that systems follow.
    for _ in 0..40 {
        match (fs::canonicalize(&path), fs::read_link(&path)) {
            (Ok(target), _) => return target,
            (Err(_), Ok(target)) => path = path.parent().unwrap_or(Path::new("")).join(target),
            (Err(_), Err(_)) => break,
        }
    }
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let (Ok(folder), Some(name)) = (fs::canonicalize(folder), path.file_name()) else {
        return path;
    };
    // These systems do not distinguish case.
    if cfg!(any(windows, target_os = "macos")) {
        folder.join(name.to_ascii_lowercase())
    } else {
        folder.join(name)
    }
}

/// The default reports: for people, plus annotations in GitHub Actions.
pub fn default_reporters() -> Vec<Reporter> {
    let in_actions = std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true");
    let formats = if in_actions {
        &[Format::Human, Format::Github][..]
    } else {
        &[Format::Human]
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
