//! The globs of section headers.
//!
//! | glob | matches |
//! |---|---|
//! | `*` | any characters except `/` |
//! | `**` | any characters |
//! | `?` | one character except `/` |
//! | `[abc]`, `[!abc]`, `[a-z]` | one of these characters, or none of them |
//! | `{a,b}` | any of these globs |
//! | `{1..10}` | an integer between these |
//! | `\` | the next character itself |
//!
//! A glob without `/` matches names at any depth; other globs are relative to the directory of the file.

use std::path::{Component, Path};

use regex::{Regex, RegexBuilder};

/// Characters of the longest glob; the specification asks for 1024.
const MAX_GLOB: usize = 1024;

/// Size limit of a compiled glob in bytes, against hostile files.
const LARGEST: usize = 1 << 20;

/// A glob.
#[derive(Debug)]
pub struct Glob {
    regex: Regex,
    /// The bounds of the numbers, in the order of the groups of the expression.
    ranges: Vec<(i64, i64)>,
}

impl Glob {
    /// Reads the text of a header; `None` if it is too long.
    pub fn new(glob: &str) -> Option<Glob> {
        if glob.len() > MAX_GLOB {
            return None;
        }
        let mut translation = Translation {
            regex: String::from(r"(?s)\A"),
            ranges: Vec::new(),
        };
        if !glob.contains('/') {
            translation.regex += "(?:.*/)?";
        }
        translation.glob(glob.strip_prefix('/').unwrap_or(glob));
        translation.regex += r"\z";
        let regex = RegexBuilder::new(&translation.regex)
            .size_limit(LARGEST)
            .build();
        Some(Glob {
            regex: regex.ok()?,
            ranges: translation.ranges,
        })
    }

    /// Whether it matches a path that begins in the directory of the file.
    pub fn matches(&self, path: &Path) -> bool {
        let parts = path.components().filter_map(|part| match part {
            Component::Normal(part) => Some(part.to_string_lossy()),
            _ => None,
        });
        let path = parts.collect::<Vec<_>>().join("/");
        if self.ranges.is_empty() {
            return self.regex.is_match(&path);
        }
        let Some(found) = self.regex.captures(&path) else {
            return false;
        };
        let numbers = found.iter().skip(1).zip(&self.ranges);
        numbers.into_iter().all(|(number, &(low, high))| {
            // The group of an alternative that was not taken has no match.
            number.is_none_or(|number| {
                let number = number.as_str().parse();
                number.is_ok_and(|number: i64| (low..=high).contains(&number))
            })
        })
    }
}

/// A glob being translated to a regular expression.
struct Translation {
    regex: String,
    ranges: Vec<(i64, i64)>,
}

impl Translation {
    fn glob(&mut self, glob: &str) {
        // The ends of the open alternatives.
        let mut open = Vec::new();
        let mut rest = glob.char_indices().peekable();
        while let Some((at, character)) = rest.next() {
            match character {
                '\\' => match rest.next() {
                    Some((_, escaped)) => literal(&mut self.regex, escaped),
                    None => literal(&mut self.regex, '\\'),
                },
                '*' if rest.next_if(|(_, next)| *next == '*').is_some() => {
                    self.regex += ".*";
                }
                '*' => self.regex += "[^/]*",
                '?' => self.regex += "[^/]",
                '[' => match class(&glob[at + 1..]) {
                    Some((class, length)) => {
                        self.regex += &class;
                        while rest.next_if(|(next, _)| *next <= at + length).is_some() {}
                    }
                    None => literal(&mut self.regex, '['),
                },
                '{' => match braces(glob, at) {
                    Some((end, true)) => {
                        self.regex += "(?:";
                        open.push(end);
                    }
                    Some((end, false)) if let Some((low, high)) = range(&glob[at + 1..end]) => {
                        self.ranges.push((low.min(high), low.max(high)));
                        self.regex += "([+-]?[0-9]+)";
                        while rest.next_if(|(next, _)| *next <= end).is_some() {}
                    }
                    _ => literal(&mut self.regex, '{'),
                },
                '}' if open.last() == Some(&at) => {
                    self.regex.push(')');
                    open.pop();
                }
                ',' if !open.is_empty() => self.regex.push('|'),
                // `/**/` is one slash too.
                '/' if glob[at..].starts_with("/**/") => {
                    self.regex += "/(?:.*/)?";
                    rest.next();
                    rest.next();
                    rest.next();
                }
                other => literal(&mut self.regex, other),
            }
        }
    }
}

/// Appends a character that stands for itself, also in a class.
fn literal(regex: &mut String, character: char) {
    *regex += &regex::escape(character.encode_utf8(&mut [0; 4]));
}

/// Translates a character class from after its `[`, and returns its length up to and including `]`. A class that contains `/`
/// is not a class.
fn class(text: &str) -> Option<(String, usize)> {
    let mut regex = String::from("[");
    let mut start = 0;
    if text.starts_with(['!', '^']) {
        regex += "^/";
        start = 1;
    }
    let mut escaped = false;
    for (offset, character) in text[start..].char_indices() {
        let after = start + offset + character.len_utf8();
        match character {
            _ if std::mem::take(&mut escaped) => literal(&mut regex, character),
            '\\' => escaped = true,
            '/' => return None,
            ']' if offset > 0 => {
                regex.push(']');
                return Some((regex, after));
            }
            '-' if offset > 0 && !text[after..].starts_with(']') => regex.push('-'),
            other => literal(&mut regex, other),
        }
    }
    None
}

/// The end of the braces that open at `start`, and whether they have a comma outside of inner braces; `None` if they are not
/// closed.
fn braces(glob: &str, start: usize) -> Option<(usize, bool)> {
    let (mut depth, mut has_comma, mut escaped) = (0, false, false);
    for (offset, character) in glob[start..].char_indices() {
        match character {
            _ if std::mem::take(&mut escaped) => {}
            '\\' => escaped = true,
            '{' => depth += 1,
            '}' if depth == 1 => return Some((start + offset, has_comma)),
            '}' => depth -= 1,
            ',' => has_comma |= depth == 1,
            _ => {}
        }
    }
    None
}

/// The bounds in `1..10`.
fn range(text: &str) -> Option<(i64, i64)> {
    let (low, high) = text.split_once("..")?;
    low.parse().ok().zip(high.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_match_as_the_specification_says() {
        for (glob, matching, others) in [
            ("*", &["a", "a/b.json"][..], &[][..]),
            (
                "*.json",
                &["a.json", "x/y/a.json", ".json"],
                &["a.jsonl", "a.json/b"],
            ),
            ("/*.json", &["a.json"], &["x/a.json"]),
            ("x/*.json", &["x/a.json"], &["x/y/a.json", "y/x/a.json"]),
            ("x/**.json", &["x/a.json", "x/y/a.json"], &["a.json"]),
            ("x/**/a.json", &["x/a.json", "x/y/z/a.json"], &["xa.json"]),
            ("**/a.json", &["x/a.json", "x/y/a.json"], &["b.json"]),
            ("?.json", &["a.json", "é.json"], &["ab.json"]),
            ("[abc].json", &["a.json"], &["d.json"]),
            ("[!abc].json", &["d.json"], &["a.json"]),
            (
                "[a-c&&~].json",
                &["b.json", "&.json", "~.json"],
                &["d.json"],
            ),
            ("*.{json,jsonc}", &["a.json", "a.jsonc"], &["a.js"]),
            (
                "{package,{a,b}.lock}.json",
                &["package.json", "b.lock.json"],
                &["c.json"],
            ),
            (
                "{package.json,.babelrc}",
                &["package.json", "x/.babelrc"],
                &["package"],
            ),
            (
                "a{1..10}.json",
                &["a1.json", "a10.json"],
                &["a0.json", "a11.json", "ab.json"],
            ),
            ("a{3..-3}.json", &["a-2.json", "a+3.json"], &["a4.json"]),
            ("{single}.json", &["{single}.json"], &["single.json"]),
            ("a{.json", &["a{.json"], &["a.json"]),
            ("a].json", &["a].json"], &[]),
            ("[a.json", &["[a.json"], &[]),
            (r"\*.json", &["*.json"], &["a.json"]),
            (r"a\{b,c\}", &["a{b,c}"], &["ab"]),
            ("a.json", &["a.json", "b/a.json"], &["aXjson"]),
        ] {
            let read = Glob::new(glob).expect(glob);
            for path in matching {
                assert!(
                    read.matches(Path::new(path)),
                    "{glob}: {path}: {:?}",
                    read.regex
                );
            }
            for path in others {
                assert!(
                    !read.matches(Path::new(path)),
                    "{glob}: {path}: {:?}",
                    read.regex
                );
            }
        }
    }

    /// A backtracking matcher would take years.
    #[test]
    fn a_hostile_glob_ends() {
        let name = "a".repeat(4000);
        for glob in [
            "*a".repeat(500) + "b",
            "{a,*}".repeat(200),
            "{".repeat(1000),
            "[".repeat(1000),
            "{a,".repeat(300) + &"}".repeat(300),
            "?".repeat(1000),
        ] {
            let matched = Glob::new(&glob).is_some_and(|glob| glob.matches(Path::new(&name)));
            assert!(!matched || glob.starts_with("{a,*}"), "{glob}");
        }
        assert!(Glob::new(&"a".repeat(MAX_GLOB + 1)).is_none());
    }
}
