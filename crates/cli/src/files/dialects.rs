//! Names of files that contain JSON, strict or with comments, whatever their extension.
//!
//! Each row of `dialects.txt` states what the tool that reads the file accepts, according to its documentation. Names are not listed if the
//! documentation is silent or if the tool also accepts YAML. In directories, files with these names are processed.
//!
//! Where the documentation is vague, the tool was tested with a comment and with a trailing comma: TypeScript 5.9, SWC 1.16, Nx
//! 22.7 and TypeDoc 0.28 accept both; the old configuration of ESLint (`@eslint/eslintrc` 3.3), Jest 30.5, TSLint 6.1, JSHint
//! 2.13 and the reader of Rush and API Extractor (`JsonWithComments` of `@rushstack/node-core-library` 5.25) refuse the comma.
//! Deno 2.9 and the command line of Dev Containers 0.89 accept both. Versions of Turborepo differ (2.11 accepts both): its row
//! states what all of them accept. .NET was not tested: the parser of its configuration sets `AllowTrailingCommas` and skips
//! comments. Nor was VS Code, whose documentation says that it accepts both, the comma with a warning. Babel 7.29 reads JSON5,
//! with the package of that name.
//!
//! A text without a value is an empty object for TypeScript 5.9 and, in its source, for VS Code; its key bindings are an empty
//! array. A `.code-workspace` without a value is an error there.
//!
//! CSpell 9, markdownlint 0.40, Oxlint 1, Pyright 1.1 and the readers of Angular (`@angular-devkit` 21, `jsonc-parser`) and of
//! rigs (`@rushstack/rig-package` 0.7, `jju`) accept both; TSDoc (`@microsoft/tsdoc-config` 0.18) refuses the comma, and Heft
//! behaves like Rush. Wrangler, the host of .NET and the bundler of Visual Studio were not tested; their documentation mentions
//! comments.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::input::InputKind;

/// The name of files, or the end of their path. Each part may have one `*`, which stands for any characters except `/`.
struct Pattern {
    text: &'static str,
    /// Its folders, innermost first.
    folders: Vec<Part>,
    /// Its last part.
    name: Part,
    /// The other cells of its row.
    cells: &'static str,
}

/// Files of one name, and the tool that reads them.
struct DialectRow {
    /// Their name.
    pattern: &'static Pattern,
    /// The tool.
    tool: &'static str,
    /// The kind of text that it accepts: `Json`, `Comments`, `Jsonc` or `Json5`.
    kind: InputKind,
    /// The value of a text without one, if it accepts that.
    empty: Option<&'static str>,
    /// Its documentation.
    documentation: &'static str,
}

/// One part of a pattern: a name, or the texts before and after the star.
enum Part {
    Name(&'static str),
    Star(&'static str, &'static str),
}

/// The patterns of all rows; the first that matches counts. They are split once, because each file of a directory is compared with
/// all of them; the other cells are read when one matches.
static PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let lines = include_str!("dialects.txt").lines();
    lines.filter_map(Pattern::parse).collect()
});

/// All rows.
fn rows() -> impl Iterator<Item = DialectRow> {
    PATTERNS.iter().filter_map(Pattern::row)
}

impl Pattern {
    /// The pattern of a row of the table; `None` for a comment.
    fn parse(line: &'static str) -> Option<Pattern> {
        let (pattern, cells) = line.split_once('|')?;
        let text = pattern.trim_end();
        let mut parts = text.rsplit('/').map(Part::parse);
        Some(Pattern {
            text,
            name: parts.next()?,
            folders: parts.collect(),
            cells,
        })
    }

    /// Its row.
    fn row(&'static self) -> Option<DialectRow> {
        let mut cells = self.cells.split('|').map(str::trim);
        let tool = cells.next()?;
        let mut accepted = cells.next()?.split(' ');
        let kind = match accepted.next()? {
            "JSON5" => InputKind::Json5,
            "JSONC" => InputKind::Jsonc,
            "comments" => InputKind::Comments,
            _ => InputKind::Json,
        };
        Some(DialectRow {
            pattern: self,
            tool,
            kind,
            empty: accepted.next(),
            documentation: cells.next()?,
        })
    }

    /// Whether it describes the file with this path and this last component.
    fn matches(&self, path: &Path, name: &[u8]) -> bool {
        self.name.matches(name) && (self.folders.is_empty() || self.matches_folders(path))
    }

    fn matches_folders(&self, path: &Path) -> bool {
        // A name without a directory is in the current directory, whose name may matter.
        static CURRENT: LazyLock<PathBuf> =
            LazyLock::new(|| std::env::current_dir().unwrap_or_default());
        let full = match path.parent() {
            Some(parent) if parent.as_os_str().is_empty() => Some(CURRENT.join(path)),
            _ => None,
        };
        let mut parts = full.as_deref().unwrap_or(path).iter().rev().skip(1);
        self.folders.iter().all(|folder| {
            let name = parts.next().map(|name| name.as_encoded_bytes());
            name.is_some_and(|name| folder.matches(name))
        })
    }
}

impl Part {
    fn parse(pattern: &'static str) -> Part {
        match pattern.split_once('*') {
            Some((start, end)) => Part::Star(start, end),
            None => Part::Name(pattern),
        }
    }

    /// Whether it is this part of a path.
    fn matches(&self, name: &[u8]) -> bool {
        match self {
            Part::Name(pattern) => name == pattern.as_bytes(),
            Part::Star(start, end) => {
                name.len() >= start.len() + end.len()
                    && name.starts_with(start.as_bytes())
                    && name.ends_with(end.as_bytes())
            }
        }
    }
}

/// The kind of a file by its name.
pub fn kind_of(path: &Path) -> InputKind {
    row_of(path).map_or(InputKind::Json, |row| row.kind)
}

/// The value that the tool of a file takes a text without a value for, if it does not refuse that.
pub fn empty_value(path: &Path) -> Option<&'static str> {
    row_of(path)?.empty
}

/// The first row that matches a path.
fn row_of(path: &Path) -> Option<DialectRow> {
    let name = path.iter().next_back()?.as_encoded_bytes();
    PATTERNS.iter().find(|row| row.matches(path, name))?.row()
}

/// Whether a file in a directory is one of these, whatever its extension.
pub fn has(name: &std::ffi::OsStr) -> bool {
    let name = name.as_encoded_bytes();
    let has = |pattern: &Pattern| pattern.folders.is_empty() && pattern.name.matches(name);
    PATTERNS.iter().any(has)
}

/// Regular expressions for the ends of the paths that have no extension of `extensions`. A pattern with folders has one.
pub fn expressions(extensions: &[&str]) -> Vec<String> {
    let is_other = |pattern: &&Pattern| {
        let end = pattern.text.rsplit('.').next().unwrap_or_default();
        !extensions.contains(&end)
    };
    let expression = |pattern: &Pattern| match &pattern.name {
        Part::Name(name) => format!("(^|/){}", regex::escape(name)),
        Part::Star("", end) => regex::escape(end),
        Part::Star(start, end) => {
            format!("(^|/){}[^/]*{}", regex::escape(start), regex::escape(end))
        }
    };
    PATTERNS.iter().filter(is_other).map(expression).collect()
}

/// The table for people, as `jsonx explain jsonc` prints it.
pub fn explain() -> String {
    let mut text = "\
jsonc: JSON with comments (`//` and `/* */`) and trailing commas

Files of these names are read as JSONC or JSON5; the others that end in .json are strict. `--input json` makes all strict,
`--input jsonc` allows comments in all, and `--input 'GLOB=jsonc'` in those that match; `json5` stands for JSON5 there.

"
    .to_owned();
    let commented = || rows().filter(|row| row.kind != InputKind::Json);
    let width =
        |text: fn(&DialectRow) -> &'static str| commented().map(|row| text(&row).len()).max();
    let names = width(|row| row.pattern.text).unwrap_or(0);
    let tools = width(|row| row.tool).unwrap_or(0);
    for row in commented() {
        let allowed = match row.kind {
            InputKind::Json5 => "JSON5",
            InputKind::Jsonc => "comments, trailing commas",
            _ => "comments",
        };
        let allowed = match row.empty {
            Some(value) => format!("{allowed}, empty: {value}"),
            None => allowed.to_owned(),
        };
        text += &format!(
            "  {:names$}  {:tools$}  {allowed:36}  {}\n",
            row.pattern.text, row.tool, row.documentation
        );
    }
    text += "\nWhere it says `empty: {}`, the tool takes a text without a value for an empty object, and so do the commands.\n";
    text += "\nIn directories, files with these names are selected as strict JSON, besides the extensions of --ext:\n\n";
    for row in rows().filter(|row| row.kind == InputKind::Json) {
        text += &format!(
            "  {:names$}  {:tools$}  {}\n",
            row.pattern.text, row.tool, row.documentation
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (path, kind) in [
            ("tsconfig.json", InputKind::Jsonc),
            ("packages/a/tsconfig.build.json", InputKind::Jsonc),
            ("/home/a/.vscode/settings.json", InputKind::Jsonc),
            (".vscode/a/settings.json", InputKind::Json),
            ("a.jsonc", InputKind::Jsonc),
            (".swcrc", InputKind::Jsonc),
            ("renovate.json5", InputKind::Json5),
            ("a/.babelrc", InputKind::Json5),
            ("turbo.json", InputKind::Comments),
            ("a/.eslintrc.json", InputKind::Comments),
            (
                "common/config/rush/version-policies.json",
                InputKind::Comments,
            ),
            ("a/config/rig.json", InputKind::Jsonc),
            ("a/config/heft.json", InputKind::Comments),
            ("a/heft.json", InputKind::Json),
            (
                "common/config/subspaces/a/common-versions.json",
                InputKind::Comments,
            ),
            ("angular.json", InputKind::Jsonc),
            ("global.json", InputKind::Comments),
            ("themes/dark-color-theme.json", InputKind::Jsonc),
            ("base.eslintrc.json", InputKind::Comments),
            ("package.json", InputKind::Json),
            ("composer.json", InputKind::Json),
            ("composer.lock", InputKind::Json),
            ("bun.lock", InputKind::Jsonc),
            ("my-tsconfig.json", InputKind::Json),
            ("tsconfig.json/a.json", InputKind::Json),
        ] {
            assert_eq!(kind_of(Path::new(path)), kind, "{path}");
        }
    }

    #[test]
    fn names_that_hold_json() {
        for name in [
            "a.ipynb",
            "a.code-workspace",
            "a.js.map",
            "composer.lock",
            "flake.lock",
            "a.avsc",
            "Pipfile.lock",
        ] {
            assert!(has(std::ffi::OsStr::new(name)), "{name}");
        }
        for name in ["a.map", "Cargo.lock", "yarn.lock", "a.txt"] {
            assert!(!has(std::ffi::OsStr::new(name)), "{name}");
        }
    }

    #[test]
    fn each_row_has_one_star_in_a_part_and_a_document() {
        assert!(rows().count() > 50 && rows().count() == PATTERNS.len());
        for row in rows() {
            let pattern = row.pattern.text;
            for part in pattern.split('/') {
                assert!(part.matches('*').count() <= 1, "{pattern}");
            }
            assert!(row.documentation.starts_with("https://"), "{pattern}");
        }
    }
}
