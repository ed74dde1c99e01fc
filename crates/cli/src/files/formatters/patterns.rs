//! Globs in the configurations of Prettier and Biome. A glob that the crate `globset` would interpret differently is an error.

use std::path::Path;

use globset::{GlobBuilder, GlobMatcher};

/// The program that interprets the globs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum GlobSyntax {
    /// micromatch; a glob without `/` matches names at any depth.
    Prettier,
    /// All globs are paths; `!` excludes. The last match decides.
    Biome,
}

/// Some globs.
#[derive(Debug, Default)]
pub(super) struct Patterns(Vec<Pattern>);

#[derive(Debug)]
struct Pattern {
    glob: GlobMatcher,
    by_name: bool,
    excludes: bool,
}

impl Patterns {
    /// Adds a glob.
    ///
    /// # Errors
    /// It is not supported.
    pub fn add(&mut self, written: &str, syntax: GlobSyntax) -> Result<(), String> {
        let unclear = || format!("the glob `{written}` is not understood");
        let mut text = written;
        if syntax == GlobSyntax::Biome {
            text = text.trim_start_matches('!');
            // It excludes nothing.
            if text != written && text.starts_with("./") {
                return Err(unclear());
            }
        }
        while let Some(rest) = text.strip_prefix("./") {
            text = rest;
        }
        if !is_plain(text, syntax) {
            return Err(unclear());
        }
        let glob = GlobBuilder::new(text)
            .literal_separator(true)
            .build()
            .map_err(|_| unclear())?;
        self.0.push(Pattern {
            glob: glob.compile_matcher(),
            by_name: syntax == GlobSyntax::Prettier && !written.contains('/'),
            excludes: syntax == GlobSyntax::Biome && written.starts_with('!'),
        });
        Ok(())
    }

    /// Adds the globs of a later file.
    pub fn extend(&mut self, later: Patterns) {
        self.0.extend(later.0);
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
        self.last_match(path) == Some(true)
    }

    /// Whether Biome visits a path: files in an excluded folder cannot be included again.
    pub fn reaches(&self, path: &Path) -> bool {
        let mut folders = path.ancestors().skip(1);
        folders.all(|folder| self.last_match(folder) != Some(false))
    }

    /// Whether the last glob that matches a path selects it.
    fn last_match(&self, path: &Path) -> Option<bool> {
        let name = path.file_name().map_or(path, Path::new);
        let matches = |pattern: &&Pattern| {
            if pattern.by_name {
                pattern.glob.is_match(name)
            } else {
                pattern.glob.is_match(path)
            }
        };
        let last = self.0.iter().rev().find(matches)?;
        Some(!last.excludes)
    }
}

/// Whether a glob has the same meaning in its program and here: `*`, `**` as a whole component, `{a,b}`, and for Prettier `?`
/// and `[abc]`.
fn is_plain(text: &str, syntax: GlobSyntax) -> bool {
    let others = match syntax {
        GlobSyntax::Prettier => "!()\\|\"",
        GlobSyntax::Biome => "!\\?[]",
    };
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

    fn patterns(globs: &[&str], syntax: GlobSyntax) -> Patterns {
        let mut patterns = Patterns::default();
        for glob in globs {
            patterns.add(glob, syntax).unwrap();
        }
        patterns
    }

    /// Expectations recorded from Prettier 3.10 and Biome 2.6.
    #[test]
    fn globs_match_as_in_their_programs() {
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
            let glob = patterns(&[glob], GlobSyntax::Prettier);
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
            let [files, not] = [files, &[not]].map(|globs| patterns(globs, GlobSyntax::Prettier));
            let is_found = |path: &&&str| files.matches_except(&not, Path::new(path));
            let found: Vec<&str> = paths.iter().filter(is_found).copied().collect();
            assert_eq!(found, expected, "{files:?} {not:?}");
        }
        for (globs, expected) in [
            (&["*.json"][..], &["a.json"][..]),
            (&["**/*.json"], &paths),
            (&["d"], &[]),
            (&["d/*"], &["d/a.json", "d/.h.json"]),
            (&["**", "!d"], &["a.json", "x/d/a.json"]),
            (&["**", "!!d"], &["a.json", "x/d/a.json"]),
            (&["**", "!d/**"], &["a.json", "x/d/a.json"]),
            (&["**", "!**/d"], &["a.json"]),
            (&["!d"], &[]),
            (&["**", "!d", "d/e"], &["a.json", "x/d/a.json"]),
            (&["**", "!d/**", "d/e/**"], &["a.json", "x/d/a.json"]),
            (
                &["**", "!d/**", "d/e", "d/e/*"],
                &["a.json", "d/e/b.json", "x/d/a.json"],
            ),
            (&["!d", "**"], &paths),
            (&["**", "!*.json"], &paths[1..]),
            (&[], &[]),
        ] {
            let patterns = patterns(globs, GlobSyntax::Biome);
            let selects = |path: &Path| patterns.reaches(path) && patterns.matches(path);
            let found = paths.iter().filter(|path| selects(Path::new(path)));
            assert_eq!(found.copied().collect::<Vec<_>>(), expected, "{globs:?}");
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
            assert!(
                Patterns::default().add(glob, GlobSyntax::Prettier).is_err(),
                "{glob}"
            );
        }
        for glob in ["a?", "[a]", "\\a", "!./a"] {
            assert!(
                Patterns::default().add(glob, GlobSyntax::Biome).is_err(),
                "{glob}"
            );
        }
    }
}
