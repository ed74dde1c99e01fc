//! Checks the order of the modules of each crate against `xtask/layers.txt`: a module imports only modules listed before it.
//!
//! A list begins with its folder; the indented lines after it have the top-level modules of the folder. Tests may import anything.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::source::{collect, path_of, tokens};

/// The folders, each with its modules in order.
const LISTS: &str = include_str!("../layers.txt");

/// For each module, the modules it imports, each with the first file that imports it.
type Imports = BTreeMap<String, BTreeMap<String, PathBuf>>;

/// Prints every module with its imports, and returns the violations of the order.
pub fn check(root: &Path) -> Vec<String> {
    let mut failures = Vec::new();
    for (folder, order) in lists(LISTS) {
        println!("{folder}");
        let mut all = imports(&root.join(folder));
        let place = |module: &str| order.iter().position(|&name| name == module);
        let width = order
            .iter()
            .map(|name| name.len())
            .max()
            .unwrap_or_default();
        for (own, module) in order.iter().enumerate() {
            let Some(imports) = all.remove(*module) else {
                failures.push(format!("xtask/layers.txt: {folder} has no module {module}"));
                continue;
            };
            let mut names: Vec<&str> = imports.keys().map(String::as_str).collect();
            names.sort_by_key(|name| place(name));
            println!(
                "{}",
                format!("    {module:width$}  {}", names.join(" ")).trim_end()
            );
            for (imported, file) in &imports {
                if place(imported).is_none_or(|other| other >= own) {
                    let file = file.strip_prefix(root).unwrap_or(file).display();
                    failures.push(format!(
                        "{file}: {module} imports {imported}, which is not listed before it"
                    ));
                }
            }
        }
        let missing = all.into_keys();
        failures.extend(missing.map(|it| format!("xtask/layers.txt: {folder} lacks {it}")));
    }
    failures
}

/// The folders and modules of the lists.
fn lists(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut lists: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        match (line.starts_with(' '), lists.last_mut()) {
            (true, Some((_, modules))) => modules.extend(line.split_whitespace()),
            _ => lists.push((line, Vec::new())),
        }
    }
    lists
}

fn imports(folder: &Path) -> Imports {
    let mut files = Vec::new();
    collect(folder, &mut files);
    files.sort();
    let modules: BTreeSet<String> = files
        .iter()
        .filter_map(|file| path_of(folder, file).into_iter().next())
        .collect();
    let root = fs::read_to_string(folder.join("lib.rs")).expect("lib.rs");
    let exports = exports(&tokens(&root));
    let mut imports: Imports = modules
        .iter()
        .cloned()
        .map(|m| (m, BTreeMap::new()))
        .collect();
    for file in files {
        let path = path_of(folder, &file);
        let Some(own) = path.first() else { continue };
        let text = fs::read_to_string(&file).expect("a source file");
        for name in from_root(&tokens(&text), path.len()) {
            let imported = exports.get(&name).unwrap_or(&name);
            if imported != own && modules.contains(imported) {
                let of_own = imports.get_mut(own).expect("a module");
                of_own
                    .entry(imported.clone())
                    .or_insert_with(|| file.clone());
            }
        }
    }
    imports
}

/// The names that follow `crate::`, or enough `super::` to reach the root from a module `depth` levels below it.
fn from_root(tokens: &[String], depth: usize) -> Vec<String> {
    let mut names = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let start = at;
        let mut above = 0;
        while tokens[at..].starts_with(&["super".to_owned(), "::".to_owned()]) {
            above += 1;
            at += 2;
        }
        let root = above > 0 && above == depth;
        let named = tokens[at..].starts_with(&["crate".to_owned(), "::".to_owned()]);
        if root || named {
            at += if named { 2 } else { 0 };
            names.extend(heads(&tokens[at..]));
        }
        at = at.max(start + 1);
    }
    names
}

/// The first segments of the paths at the start: one name, or a list in braces.
fn heads(tokens: &[String]) -> Vec<String> {
    let Some(first) = tokens.first() else {
        return Vec::new();
    };
    if first != "{" {
        return vec![first.clone()];
    }
    let mut names = Vec::new();
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "{" => depth += 1,
            "}" if depth == 1 => break,
            "}" => depth -= 1,
            _ if depth == 1 && ["{", ","].contains(&tokens[at - 1].as_str()) => {
                names.push(token.clone());
            }
            _ => {}
        }
    }
    names
}

/// The re-exports of lib.rs: name and module of every `use MODULE::NAME` and `use MODULE::{NAMES}`.
fn exports(tokens: &[String]) -> BTreeMap<String, String> {
    let mut exports = BTreeMap::new();
    for (at, token) in tokens.iter().enumerate() {
        if token == "use" && at > 0 && ["pub", ")"].contains(&tokens[at - 1].as_str()) {
            let module = &tokens[at + 1];
            let mut end = at;
            while tokens[end] != ";" {
                end += 1;
            }
            for name in &tokens[at + 2..end] {
                exports.insert(name.clone(), module.clone());
            }
        }
    }
    exports
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_at_the_root_are_found() {
        let text = "use crate::{a::B, c}; // use crate::x;\n fn f(d: crate::d::D<'_>) { super::e::e(\"crate::x\") }";
        assert_eq!(from_root(&tokens(text), 1), ["a", "c", "d", "e"]);
        assert_eq!(
            from_root(&tokens("use super::super::a; use super::b;"), 2),
            ["a"]
        );
    }

    #[test]
    fn items_for_tests_may_import_anything() {
        let text = "#[cfg(test)] mod tests { use crate::x; fn f() {} } use crate::a; #[cfg(test)] use crate::y;";
        assert_eq!(from_root(&tokens(text), 1), ["a"]);
    }

    #[test]
    fn literals_are_skipped() {
        let text = r####"let (a, b, c) = ('"', b'\'', r#"crate::x " crate::y"#); crate::z"####;
        assert_eq!(from_root(&tokens(text), 1), ["z"]);
    }

    #[test]
    fn exports_lead_to_their_modules() {
        let exports = exports(&tokens("pub use a::{B, C}; pub(crate) use d::E; use f::G;"));
        assert_eq!(exports["B"], "a");
        assert_eq!(exports["E"], "d");
        assert!(!exports.contains_key("G"));
    }
}
