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

use std::path::Path;

use super::folders::full;
use crate::input::InputKind;

/// The name of files, or the end of their path. Each part may have one `*`, which stands for any characters except `/`.
struct Pattern {
    text: &'static str,
    /// The start of its last part.
    name_at: usize,
    /// The place of a `*` in its last part.
    star_at: Option<usize>,
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

const TABLE: &str = include_str!("dialects.txt");

/// The patterns of all rows; the first that matches counts. They are split by the compiler, because a command reads the name of each
/// file: at run time, it took a fifth of the instructions of `jsonx get` on a small file.
static PATTERNS: [Pattern; count()] = patterns();

/// The number of rows: lines with cells.
const fn count() -> usize {
    let (text, mut at, mut rows, mut is_row) = (TABLE.as_bytes(), 0, 0, false);
    while at < text.len() {
        if text[at] == b'|' {
            is_row = true;
        } else if text[at] == b'\n' {
            rows += is_row as usize;
            is_row = false;
        }
        at += 1;
    }
    rows
}

const fn patterns() -> [Pattern; count()] {
    const NONE: Pattern = Pattern {
        text: "",
        name_at: 0,
        star_at: None,
        cells: "",
    };
    let mut patterns = [NONE; count()];
    let (mut rest, mut row) = (TABLE, 0);
    while !rest.is_empty() {
        let (mut line, mut bar) = (0, None);
        while rest.as_bytes()[line] != b'\n' {
            if rest.as_bytes()[line] == b'|' && bar.is_none() {
                bar = Some(line);
            }
            line += 1;
        }
        let (current, next) = rest.split_at(line);
        if let Some(bar) = bar {
            let (pattern, cells) = current.split_at(bar);
            patterns[row] = Pattern::new(pattern, cells.split_at(1).1);
            row += 1;
        }
        rest = next.split_at(1).1;
    }
    patterns
}

/// All rows.
fn rows() -> impl Iterator<Item = DialectRow> {
    PATTERNS.iter().filter_map(Pattern::row)
}

impl Pattern {
    /// A pattern, with blanks after it, and the other cells of its row.
    const fn new(pattern: &'static str, cells: &'static str) -> Pattern {
        let mut end = pattern.len();
        while pattern.as_bytes()[end - 1] == b' ' {
            end -= 1;
        }
        let (mut at, mut name_at, mut star_at) = (0, 0, None);
        while at < end {
            match pattern.as_bytes()[at] {
                b'/' => (name_at, star_at) = (at + 1, None),
                b'*' => star_at = Some(at),
                _ => {}
            }
            at += 1;
        }
        Pattern {
            text: pattern.split_at(end).0,
            name_at,
            star_at,
            cells,
        }
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
        self.matches_name(name) && (self.name_at == 0 || self.matches_folders(path))
    }

    /// The last part, split at its star.
    fn name(&self) -> (&'static str, Option<&'static str>) {
        match self.star_at {
            Some(star) => (&self.text[self.name_at..star], Some(&self.text[star + 1..])),
            None => (&self.text[self.name_at..], None),
        }
    }

    fn matches_name(&self, name: &[u8]) -> bool {
        is_like(self.name(), name)
    }

    fn matches_folders(&self, path: &Path) -> bool {
        // A relative path does not name all of its directories.
        let full = full(path);
        let mut parts = full.as_deref().unwrap_or(path).iter().rev().skip(1);
        // Innermost first.
        let folders = self.text[..self.name_at - 1].rsplit('/');
        folders.into_iter().all(|folder| {
            let pattern = match folder.split_once('*') {
                Some((start, end)) => (start, Some(end)),
                None => (folder, None),
            };
            let name = parts.next().map(|name| name.as_encoded_bytes());
            name.is_some_and(|name| is_like(pattern, name))
        })
    }
}

/// Whether a component of a path is `pattern`: a name, or the texts before and after a star.
fn is_like((start, end): (&str, Option<&str>), name: &[u8]) -> bool {
    match end {
        None => name == start.as_bytes(),
        Some(end) => {
            name.len() >= start.len() + end.len()
                && name.starts_with(start.as_bytes())
                && name.ends_with(end.as_bytes())
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
    let has = |pattern: &Pattern| pattern.name_at == 0 && pattern.matches_name(name);
    PATTERNS.iter().any(has)
}

/// Regular expressions for the ends of the paths that have no extension of `extensions`. A pattern with folders has one.
pub fn expressions(extensions: &[&str]) -> Vec<String> {
    let is_other = |pattern: &&Pattern| {
        let end = pattern.text.rsplit('.').next().unwrap_or_default();
        !extensions.contains(&end)
    };
    let expression = |pattern: &Pattern| match pattern.name() {
        (name, None) => format!("(^|/){}", regex::escape(name)),
        ("", Some(end)) => regex::escape(end),
        (start, Some(end)) => {
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
