//! The source files of a crate and their tokens, without code compiled only for tests.

use std::fs;
use std::path::{Path, PathBuf};

/// The source files below a folder that are compiled without `cfg(test)`.
pub fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
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
pub fn path_of(folder: &Path, file: &Path) -> Vec<String> {
    let relative = file.strip_prefix(folder).expect("a file of the folder");
    let relative = relative.with_extension("");
    let mut path: Vec<String> = relative
        .iter()
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    path.pop_if(|last| ["mod", "lib", "main"].contains(&last.as_str()));
    path
}

/// Tokens without those of items under `#[cfg(test)]`.
pub fn tokens(text: &str) -> Vec<String> {
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

/// Modules in separate files that are compiled only for tests.
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
    fn modules_for_tests_are_found() {
        assert_eq!(test_modules(&words("#[cfg(test)]\nmod a;\nmod b;")), ["a"]);
    }
}
