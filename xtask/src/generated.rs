//! The committed generated files: the list, their contents, and whether they are up to date.

use std::collections::BTreeMap;
use std::fs;

use crate::{man, picture, root};

/// Folders in which every file of this extension is generated.
const WHOLLY: [(&str, &str); 1] = [("man", "1")];

/// The hooks of pre-commit.
const HOOKS: &str = ".pre-commit-hooks.yaml";

/// The path, relative to the root of the repository, and content of every generated file.
fn files() -> BTreeMap<String, String> {
    let root = root();
    let mut files = BTreeMap::new();
    for (name, page) in man::pages(&root.join("man/sections")) {
        files.insert(format!("man/{name}.1"), page);
    }
    files.insert("docs/diagnostic.svg".to_owned(), picture::svg());
    files.insert(
        "docs/jsonx.schema.json".to_owned(),
        jsonx_cli::config_schema(),
    );
    let guide = fs::read_to_string(root.join("docs/config.md")).expect("docs/config.md");
    files.insert("docs/config.md".to_owned(), with_settings(&guide));
    let hooks = fs::read_to_string(root.join(HOOKS)).expect(HOOKS);
    files.insert(HOOKS.to_owned(), with_patterns(&hooks));
    files
}

/// The guide with the table of settings.
fn with_settings(guide: &str) -> String {
    const MARKS: [&str; 2] = ["<!-- settings -->\n", "<!-- /settings -->"];
    let [begin, end] = MARKS;
    let guide = guide.replace('\r', "");
    let (before, rest) = guide.split_once(begin).expect("the mark of the settings");
    let (_, after) = rest.split_once(end).expect("the end of the settings");
    let settings = jsonx_cli::config_guide();
    format!("{before}{begin}\n{settings}\n{end}{after}")
}

/// The hooks with the names that the program selects: `&files` of those that it checks, `&rewritten` of those that it rewrites.
fn with_patterns(hooks: &str) -> String {
    let lines = hooks.lines().map(|line| {
        for (mark, rewritten) in [("  files: &files ", false), ("  files: &rewritten ", true)] {
            if line.starts_with(mark) {
                return format!("{mark}'{}'\n", jsonx_cli::hook_pattern(rewritten));
            }
        }
        format!("{line}\n")
    });
    lines.collect()
}

/// Writes what is out of date, and removes what is no longer generated.
pub fn write() -> Vec<String> {
    let files = files();
    for (path, content) in &files {
        if !is_current(path, content) {
            fs::write(root().join(path), content).unwrap_or_else(|e| panic!("{path}: {e}"));
            println!("wrote {path}");
        }
    }
    for path in leftovers(&files) {
        fs::remove_file(root().join(&path)).unwrap_or_else(|e| panic!("{path}: {e}"));
        println!("removed {path}");
    }
    Vec::new()
}

/// The outdated files.
pub fn check() -> Vec<String> {
    let files = files();
    let stale = files
        .iter()
        .filter(|(path, content)| !is_current(path, content))
        .map(|(path, _)| format!("{path} is out of date: run `cargo xtask gen`"));
    let leftovers = leftovers(&files)
        .into_iter()
        .map(|path| format!("{path} is no longer generated: run `cargo xtask gen`"));
    stale.chain(leftovers).collect()
}

/// A checkout on Windows may have other line ends.
fn is_current(path: &str, content: &str) -> bool {
    fs::read_to_string(root().join(path)).is_ok_and(|there| there.replace('\r', "") == content)
}

/// Files in the generated folders that are not generated.
fn leftovers(files: &BTreeMap<String, String>) -> Vec<String> {
    let mut leftovers = Vec::new();
    for (folder, extension) in WHOLLY {
        for entry in fs::read_dir(root().join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let of_folder = extension.is_empty() || name.ends_with(&format!(".{extension}"));
            let path_here = format!("{folder}/{name}");
            if path.is_file() && of_folder && !files.contains_key(&path_here) {
                leftovers.push(path_here);
            }
        }
    }
    leftovers
}
