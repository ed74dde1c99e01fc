//! Globs in the configurations of Prettier (micromatch). A glob that the crate `globset` would interpret differently is an error.

use std::path::Path;

use globset::{GlobBuilder, GlobMatcher};

/// Some globs.
#[derive(Debug, Default)]
pub(super) struct Patterns(Vec<Pattern>);

#[derive(Debug)]
struct Pattern {
    glob: GlobMatcher,
    /// It has no `/`, and matches names at any depth.
    by_name: bool,
}

impl Patterns {
    /// Adds a glob.
    ///
    /// # Errors
    /// It is not supported.
    pub fn add(&mut self, written: &str) -> Result<(), String> {
        let unclear = || format!("the glob `{written}` is not understood");
        let mut text = written;
        while let Some(rest) = text.strip_prefix("./") {
            text = rest;
        }
        if !is_plain(text) {
            return Err(unclear());
        }
        let glob = GlobBuilder::new(text)
            .literal_separator(true)
            .build()
            .map_err(|_| unclear())?;
        self.0.push(Pattern {
            glob: glob.compile_matcher(),
            by_name: !written.contains('/'),
        });
        Ok(())
    }

    /// Whether the globs select a path, and none of `not` excludes it. Prettier matches those of `not` with the name for a glob of
    /// `files` without `/`, otherwise with the whole path.
    pub fn matches_except(&self, not: &Patterns, path: &Path) -> bool {
        if not.0.is_empty() {
            return self.matches(path);
        }
        let name = path.file_name().map_or(path, Path::new);
        self.0.iter().any(|pattern| {
            let matched = if pattern.by_name { name } else { path };
            let is_excluded = || not.0.iter().any(|not| not.glob.is_match(matched));
            pattern.glob.is_match(matched) && !is_excluded()
        })
    }

    /// Whether the globs select a path, relative to the folder of the configuration.
    pub fn matches(&self, path: &Path) -> bool {
        let name = path.file_name().map_or(path, Path::new);
        let mut globs = self.0.iter();
        globs.any(|pattern| (pattern.glob).is_match(if pattern.by_name { name } else { path }))
    }
}

/// Whether a glob has the same meaning in Prettier and here: `*`, `**` as a whole component, `{a,b}`, `?` and `[abc]`.
fn is_plain(text: &str) -> bool {
    let others = "!()\\|\"";
    let has_plain_parts = text
        .split('/')
        .all(|part| part == "**" || !part.contains("**") && part != "..");
    !text.contains(|character| others.contains(character))
        && !text.contains("[[")
        && !text.starts_with(['/', '~'])
        && has_plain_parts
        && are_alternatives(text)
}

/// Whether all braces enclose alternatives and are not nested.
fn are_alternatives(text: &str) -> bool {
    let mut parts = text.split('{');
    let before = parts.next().unwrap_or_default();
    !before.contains('}')
        && parts.all(|part| match part.split_once('}') {
            Some((inner, rest)) => {
                inner.contains(',') && !inner.contains(['/', '*']) && !rest.contains('}')
            }
            None => false,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(globs: &[&str]) -> Patterns {
        let mut patterns = Patterns::default();
        for glob in globs {
            patterns.add(glob).unwrap();
        }
        patterns
    }

    /// Expectations recorded from Prettier 3.10.
    #[test]
    fn globs_match_as_in_prettier() {
        let paths = [
            "a.json",
            "d/a.json",
            "d/e/b.json",
            "x/d/a.json",
            "d/.h.json",
        ];
        for (glob, expected) in [
            ("*.json", &paths[..]),
            ("a.json", &["a.json", "d/a.json", "x/d/a.json"]),
            ("d/*.json", &["d/a.json", "d/.h.json"]),
            ("./d/*.json", &["d/a.json", "d/.h.json"]),
            ("d/**", &["d/a.json", "d/e/b.json", "d/.h.json"]),
            ("d/**/*.json", &["d/a.json", "d/e/b.json", "d/.h.json"]),
            ("**/d/*", &["d/a.json", "x/d/a.json", "d/.h.json"]),
            ("{a,c}.json", &["a.json", "d/a.json", "x/d/a.json"]),
            (
                "[ab].?son",
                &["a.json", "d/a.json", "d/e/b.json", "x/d/a.json"],
            ),
            ("d", &[]),
        ] {
            let glob = patterns(&[glob]);
            let found = paths.iter().filter(|path| glob.matches(Path::new(path)));
            assert_eq!(found.copied().collect::<Vec<_>>(), expected, "{glob:?}");
        }
        for (files, not, expected) in [
            (&["*.json"][..], "d/*.json", &paths[..]),
            (&["*.json"], "a.json", &["d/e/b.json", "d/.h.json"]),
            (&["**/*.json"], "a.json", &paths[1..]),
            (&["**/*.json"], "d/**", &["a.json", "x/d/a.json"]),
            (
                &["a.json", "d/*"],
                "d/*",
                &["a.json", "d/a.json", "x/d/a.json"],
            ),
        ] {
            let [files, not] = [files, &[not]].map(patterns);
            let is_found = |path: &&&str| files.matches_except(&not, Path::new(path));
            let found: Vec<&str> = paths.iter().filter(is_found).copied().collect();
            assert_eq!(found, expected, "{files:?} {not:?}");
        }
        for glob in [
            "!a",
            "@(a|b)",
            "a\\b",
            "{a}",
            "{1..3}",
            "{a,{b,c}}",
            "[[:alpha:]]",
            "a**b",
            "../a",
            "/a",
            "a{",
            "}",
        ] {
            assert!(Patterns::default().add(glob).is_err(), "{glob}");
        }
    }
}
