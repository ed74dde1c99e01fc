//! The location of the conformance suites.

use std::path::{Path, PathBuf};

/// Data that is not part of the published suites, so `tests/fetch.py` does not fetch it.
const NOT_PUBLIC: [&str; 4] = [
    "JSONTestSuite/grammar-verdicts.jsonl",
    "diagnostics",
    "rfc6901-pointer/pointer.json",
    "rfc8785-numbers",
];

/// The folder of a suite, or a file in it, in the folder named by `JSONX_SUITES`, which may be relative to the workspace. `None`,
/// with a note on stderr, if the variable is not set or the data is not public.
pub fn suite(name: &str) -> Option<PathBuf> {
    let Some(suites) = std::env::var_os("JSONX_SUITES").filter(|suites| !suites.is_empty()) else {
        eprintln!("skipped: JSONX_SUITES does not name the folder that holds {name}");
        return None;
    };
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = workspace.join(suites).join(name);
    if !folder.exists() && NOT_PUBLIC.contains(&name) {
        eprintln!("not public: {name}");
        return None;
    }
    assert!(
        folder.exists(),
        "JSONX_SUITES is set, but there is no {}",
        folder.display()
    );
    Some(folder)
}
