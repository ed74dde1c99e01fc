//! Checks which of our crates each crate imports, by its `Cargo.toml`. Tests and build scripts may import any.

use std::fs;
use std::path::Path;

/// The folders in `crates/`, each with those that it may import: only folders listed before it, so there are no circles.
const ARROWS: &[(&str, &[&str])] = &[
    ("testing", &[]),
    ("core", &[]),
    ("query", &["core"]),
    ("msgpack", &["core"]),
    ("diagnose", &["core"]),
    ("schema", &["core", "diagnose"]),
    ("jq", &["core"]),
    (
        "cli",
        &["core", "query", "msgpack", "diagnose", "schema", "jq"],
    ),
    ("arrow", &["core", "diagnose"]),
    (
        "python",
        &["core", "diagnose", "schema", "jq", "cli", "arrow"],
    ),
];

/// Prints every crate with its imports, and returns those that are not in the table.
pub fn check(root: &Path) -> Vec<String> {
    let mut failures = Vec::new();
    for (place, (folder, allowed)) in ARROWS.iter().enumerate() {
        let file = format!("crates/{folder}/Cargo.toml");
        let manifest = fs::read_to_string(root.join(&file)).unwrap_or_default();
        let imports = imports(&manifest);
        println!("{}", format!("{folder:9} {}", imports.join(" ")).trim_end());
        for import in imports {
            let is_before = ARROWS[..place].iter().any(|(before, _)| *before == import);
            if !is_before || !allowed.contains(&import) {
                failures.push(format!(
                    "{file}: {folder} may not import {import}, see xtask/src/arrows.rs"
                ));
            }
        }
    }
    for entry in fs::read_dir(root.join("crates")).expect("the crates") {
        let name = entry.expect("a crate").file_name();
        if !ARROWS.iter().any(|(folder, _)| name == *folder) {
            failures.push(format!("xtask/src/arrows.rs lacks {}", name.display()));
        }
    }
    failures
}

/// The folders of our crates that a manifest depends on, except in tests and build scripts.
fn imports(manifest: &str) -> Vec<&str> {
    let mut is_listed = false;
    let mut imports = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_listed = line == "[dependencies]" || line.ends_with(".dependencies]");
        } else if is_listed && let Some(rest) = line.strip_prefix("jsonx-") {
            let name = rest.split([' ', '.', '=']).next().unwrap_or_default();
            imports.push(if name == "tool" { "cli" } else { name });
        }
    }
    imports
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_dependencies_of_the_library_are_imports() {
        let manifest = "[package]\nname = \"jsonx-x\"\n[dependencies]\nmemchr = \"2\"\njsonx-core.workspace = true\n\
            jsonx-tool = { path = \"../cli\" }\n[target.'cfg(unix)'.dependencies]\njsonx-jq= \"1\"\n\
            [dev-dependencies]\njsonx-testing.workspace = true\n[features]\njsonx-y = []\n";
        assert_eq!(imports(manifest), ["core", "cli", "jq"]);
    }
}
