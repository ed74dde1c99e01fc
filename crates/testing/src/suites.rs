//! Where the conformance suites are.

use std::path::{Path, PathBuf};

/// The folder of a suite in the folder that `JSONX_SUITES` names, which may be given relative to the workspace. None,
/// after saying so on stderr, when the variable is not set.
pub fn suite(name: &str) -> Option<PathBuf> {
    let Some(suites) = std::env::var_os("JSONX_SUITES").filter(|suites| !suites.is_empty()) else {
        eprintln!("skipped: JSONX_SUITES does not name the folder that holds {name}");
        return None;
    };
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = workspace.join(suites).join(name);
    assert!(
        folder.exists(),
        "JSONX_SUITES is set, but there is no {}",
        folder.display()
    );
    Some(folder)
}
