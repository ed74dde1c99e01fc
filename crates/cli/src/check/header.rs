//! Reads the format from a comment on the first line: `// -*- mode: jsonc -*-`, `// vim: ft=jsonc`, `// @ts-check`.

use crate::check::InputKind;

/// Bytes at the start of a file in which the line must end.
pub const EXAMINED: u64 = 4096;

/// The kind that the comment on the first line names, as Emacs or Vim read it, or that a pragma for another tool, `@` and a
/// word, implies.
pub fn kind(text: &[u8]) -> Option<InputKind> {
    let text = text.trim_ascii_start();
    let comment = text.strip_prefix(b"//").or(text.strip_prefix(b"/*"))?;
    let end = memchr::memchr2(b'\n', b'\r', comment).unwrap_or(comment.len());
    let line = std::str::from_utf8(&comment[..end]).ok()?.trim();
    let pragma = line.trim_start_matches(['*', ' ']).strip_prefix('@');
    if pragma.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic())) {
        return Some(InputKind::Jsonc);
    }
    named(emacs(line).or_else(|| vim(line))?)
}

/// The mode in `-*- mode: jsonc; … -*-` or `-*- jsonc -*-`.
fn emacs(line: &str) -> Option<&str> {
    let (_, settings) = line.split_once("-*-")?;
    let (settings, _) = settings.split_once("-*-")?;
    let mut settings = settings.split(';').map(str::trim);
    settings.find_map(|setting| match setting.split_once(':') {
        Some((key, value)) => key.eq_ignore_ascii_case("mode").then_some(value.trim()),
        None => Some(setting),
    })
}

/// The file type in `vim: set ft=jsonc:` or `vi: filetype=jsonc`.
fn vim(line: &str) -> Option<&str> {
    let (before, settings) = line.split_once("vim:").or(line.split_once("vi:"))?;
    let is_word = before.is_empty() || before.ends_with([' ', '\t']);
    let mut settings = settings.split([' ', ':', '\t']).filter(|_| is_word);
    settings.find_map(|setting| {
        let (key, value) = setting.split_once('=')?;
        ["ft", "filetype"].contains(&key).then_some(value)
    })
}

fn named(mode: &str) -> Option<InputKind> {
    let mode = mode.trim_end_matches("-mode").trim_end_matches("-ts");
    mode.eq_ignore_ascii_case("jsonc")
        .then_some(InputKind::Jsonc)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers() {
        for text in [
            "// -*- mode: jsonc -*-\n{}",
            "\n  /* -*- JSONC -*- */\n{}",
            "// -*- coding: utf-8; mode: jsonc; tab-width: 2 -*-",
            "// -*-jsonc-mode-*-",
            "// vim: set ft=jsonc :\n",
            "// vim:filetype=jsonc",
            "/* vi: sw=2 ft=jsonc */",
            "// @ts-check\n",
            "/** @format */\n{}",
            "//@ts-nocheck",
        ] {
            assert_eq!(kind(text.as_bytes()), Some(InputKind::Jsonc), "{text}");
        }
        for text in [
            "",
            "{}",
            "// comment\n{}",
            "// mail me @ home",
            "// @ 5",
            "{} // -*- mode: jsonc -*-",
            "// one\n// -*- mode: jsonc -*-",
            "// -*- mode: json -*-",
            "// -*- mode: jsonc",
            "// -*- -*-",
            "// envim: ft=jsonc",
            "// vim: ft=json",
            "# -*- mode: jsonc -*-",
            "/",
            "//",
            "// \u{0}@",
        ] {
            assert_eq!(kind(text.as_bytes()), None, "{text}");
        }
        assert_eq!(kind(b"// \xFF @ts-check"), None);
    }
}
