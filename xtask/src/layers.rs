//! The order of the modules of a crate, as ARCHITECTURE.md lists them: a module imports only modules listed before it.
//!
//! A list is between `<!-- layers: FOLDER -->` and `<!-- /layers -->`, a line for each top-level module of the folder. The
//! order of the lines is written by hand; `cargo xtask gen` fills in the imports. Tests may import anything.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

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

/// The source files below a folder that are compiled without `cfg(test)`.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|e| panic!("{folder:?}: {e}")) {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    // `#[cfg(test)] mod NAME;` in the file of the folder, or in lib.rs.
    for parent in ["mod.rs", "lib.rs"] {
        let Ok(text) = fs::read_to_string(folder.join(parent)) else {
            continue;
        };
        for name in test_modules(&words(&text)) {
            let [file, inner] = [folder.join(format!("{name}.rs")), folder.join(&name)];
            files.retain(|path| *path != file && !path.starts_with(&inner));
        }
    }
    // The same in `NAME.rs` next to the folder `NAME`.
    let tests = |path: &PathBuf| path.file_name().is_some_and(|name| name == "tests.rs");
    files.retain(|path| !tests(path));
}

/// The path of the module in a file, without `crate`.
fn path_of(folder: &Path, file: &Path) -> Vec<String> {
    let relative = file.strip_prefix(folder).expect("a file of the folder");
    let relative = relative.with_extension("");
    let mut path: Vec<String> = relative
        .iter()
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    path.pop_if(|last| ["mod", "lib", "main"].contains(&last.as_str()));
    path
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

/// What lib.rs exports of its modules: name and module, of every `use MODULE::NAME` and `use MODULE::{NAMES}`.
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

/// Tokens without those of items under `#[cfg(test)]`.
fn tokens(text: &str) -> Vec<String> {
    let words = words(text);
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < words.len() {
        if is_test_attribute(&words[at..]) {
            at = end_of_item(&words, at);
        } else {
            tokens.push(words[at].clone());
            at += 1;
        }
    }
    tokens
}

fn is_test_attribute(words: &[String]) -> bool {
    let plain = ["#", "[", "cfg", "(", "test", ")", "]"];
    let with_others = ["#", "[", "cfg", "(", "all", "(", "test", ","];
    let begins =
        |with: &[&str]| words.len() >= with.len() && words.iter().zip(with).all(|(a, b)| a == b);
    begins(&plain) || begins(&with_others)
}

/// The end of the item whose attribute begins at `at`.
fn end_of_item(words: &[String], mut at: usize) -> usize {
    let mut depth = 0;
    while at < words.len() {
        match words[at].as_str() {
            "{" | "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            "}" => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            ";" if depth == 0 => return at + 1,
            _ => {}
        }
        at += 1;
    }
    at
}

/// The modules in files of their own that are compiled for tests only.
fn test_modules(words: &[String]) -> Vec<String> {
    let mut modules = Vec::new();
    for at in 0..words.len() {
        if is_test_attribute(&words[at..]) {
            let item = &words[at..end_of_item(words, at)];
            if let [.., module, name, end] = item
                && module == "mod"
                && end == ";"
            {
                modules.push(name.clone());
            }
        }
    }
    modules
}

/// The text as words and signs, without comments, strings and characters.
fn words(text: &str) -> Vec<String> {
    let bytes = text.as_bytes();
    let mut words = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let length = match bytes[at] {
            _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            b'"' => string(rest),
            b'r' if rest.starts_with("r\"") || rest.starts_with("r#") => raw_string(rest),
            b'\'' => character(rest),
            byte if byte.is_ascii_alphanumeric() || byte == b'_' => {
                let is_word = |c: char| c.is_alphanumeric() || c == '_';
                let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                words.push(rest[..length].to_owned());
                length
            }
            b':' if rest.starts_with("::") => {
                words.push("::".to_owned());
                2
            }
            byte if byte.is_ascii_whitespace() => 1,
            _ => {
                let sign = rest.chars().next().expect("a character");
                words.push(sign.to_string());
                sign.len_utf8()
            }
        };
        at += length;
    }
    words
}

fn string(rest: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in rest.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

fn raw_string(rest: &str) -> usize {
    let hashes = rest[1..].bytes().take_while(|&byte| byte == b'#').count();
    if rest.as_bytes().get(1 + hashes) != Some(&b'"') {
        return 1 + hashes;
    }
    let end = format!("\"{}", "#".repeat(hashes));
    let start = 2 + hashes;
    rest[start..]
        .find(&end)
        .map_or(rest.len(), |found| start + found + end.len())
}

/// A character, or the sign of a lifetime.
fn character(rest: &str) -> usize {
    let mut chars = rest[1..].char_indices();
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), _) => rest[3..].find('\'').map_or(rest.len(), |end| end + 4),
        (Some(_), Some((at, '\''))) => at + 2,
        _ => 1,
    }
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
        assert_eq!(test_modules(&words("#[cfg(test)]\nmod a;\nmod b;")), ["a"]);
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
