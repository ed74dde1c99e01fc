//! Checks the order of the modules of a crate against the list in ARCHITECTURE.md: a module imports only modules listed before
//! it.
//!
//! A list is between `<!-- layers: FOLDER -->` and `<!-- /layers -->`, a line for each top-level module of the folder. The
//! order of the lines is written by hand; `cargo xtask gen` fills in the imports. Tests may import anything.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::source::{collect, path_of, tokens};

const BEGIN: &str = "<!-- layers: ";
const END: &str = "<!-- /layers -->";

/// For each module the modules it imports, each with the first file that does.
type Imports = BTreeMap<String, BTreeMap<String, PathBuf>>;

/// Imports against the order, of every list in ARCHITECTURE.md.
pub fn check(root: &Path) -> Vec<String> {
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let mut failures = Vec::new();
    for list in text.split(BEGIN).skip(1) {
        let (folder, list) = list.split_once(" -->").expect("the end of the mark");
        let (list, _) = list.split_once(END).expect("the end of a list");
        let order: Vec<&str> = names(list).collect();
        let place = |module: &str| order.iter().position(|&name| name == module);
        for (module, imports) in imports(&root.join(folder)) {
            let Some(own) = place(&module) else {
                failures.push(format!("{folder}: ARCHITECTURE.md does not list {module}"));
                continue;
            };
            for (imported, file) in imports {
                if place(&imported).is_none_or(|other| other >= own) {
                    let file = file.strip_prefix(root).unwrap_or(&file).display();
                    failures.push(format!(
                        "{file}: {module} imports {imported}, which is not listed before it"
                    ));
                }
            }
        }
    }
    assert!(
        text.contains(BEGIN),
        "ARCHITECTURE.md has no list of modules"
    );
    failures
}

/// The text with its lists filled in.
pub fn fill(root: &Path, text: &str) -> String {
    let mut blocks = text.split(BEGIN);
    let mut filled = blocks.next().unwrap_or_default().to_owned();
    for block in blocks {
        let (folder, rest) = block.split_once(" -->").expect("the end of the mark");
        let (list, rest) = rest.split_once(END).expect("the end of a list");
        let mut imports = imports(&root.join(folder));
        let mut order: Vec<String> = names(list).map(str::to_owned).collect();
        order.retain(|name| imports.contains_key(name));
        let new = imports.keys().filter(|name| !order.contains(name));
        order.extend(new.cloned().collect::<Vec<_>>());
        let width = order.iter().map(String::len).max().unwrap_or_default();
        filled += &format!("{BEGIN}{folder} -->\n```text\n");
        for module in &order {
            let imported = imports.remove(module).unwrap_or_default();
            let mut imported: Vec<&str> = imported.keys().map(String::as_str).collect();
            imported.sort_by_key(|name| order.iter().position(|other| other == name));
            let line = format!("{module:width$}  {}", imported.join(" "));
            filled += &format!("{}\n", line.trim_end());
        }
        filled += &format!("```\n{END}{rest}");
    }
    filled
}

/// The modules of a list.
fn names(list: &str) -> impl Iterator<Item = &str> {
    let lines = list.lines().filter(|line| !line.starts_with("```"));
    lines.filter_map(|line| line.split_whitespace().next())
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

/// The names that follow `crate::`, or as many `super::` as lead to the root from a module `depth` levels below it.
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

/// The first segments of the paths at the start: one name, or those of a list in braces.
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

/// The exports of lib.rs from its modules: name and module of every `use MODULE::NAME` and `use MODULE::{NAMES}`.
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
