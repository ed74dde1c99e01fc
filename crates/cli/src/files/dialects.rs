//! The names of files that may have comments.
//!
//! Each row says what the tool that reads the file takes, after its documentation. Where that is strict, or says
//! nothing, the name is not here.

use std::path::Path;

use jsonx_core::jsonc::Dialect;

/// Files of one name, and the tool that reads them.
pub struct Row {
    /// The name, or the end of a path. `*` stands for any characters but `/`, once in each part.
    pub pattern: &'static str,
    /// The tool.
    pub tool: &'static str,
    /// Whether it takes trailing commas too.
    pub trailing_commas: bool,
    /// Its documentation.
    pub documentation: &'static str,
}

/// A row of the table.
const fn row(
    pattern: &'static str,
    tool: &'static str,
    trailing_commas: bool,
    documentation: &'static str,
) -> Row {
    Row {
        pattern,
        tool,
        trailing_commas,
        documentation,
    }
}

const VS_CODE: &str = "https://code.visualstudio.com/docs/languages/json#_json-with-comments";
const TYPESCRIPT: &str = "https://www.typescriptlang.org/docs/handbook/tsconfig-json.html";
const ESLINT: &str = "https://eslint.org/docs/latest/use/configure/configuration-files-deprecated";
const BABEL: &str = "https://babeljs.io/docs/config-files";
const RUSH: &str = "https://rushjs.io/pages/configs/rush_json/";

/// All of them; the first that matches counts.
pub const ROWS: &[Row] = &[
    row("*.jsonc", "any", true, "https://jsonc.org/"),
    row("*.code-workspace", "VS Code", true, VS_CODE),
    row(".vscode/*.json", "VS Code", true, VS_CODE),
    row(
        "language-configuration.json",
        "VS Code",
        true,
        "https://code.visualstudio.com/api/language-extensions/language-configuration-guide",
    ),
    row("tsconfig*.json", "TypeScript", true, TYPESCRIPT),
    row("jsconfig*.json", "TypeScript", true, TYPESCRIPT),
    row(
        "devcontainer.json",
        "Dev Containers",
        true,
        "https://containers.dev/implementors/json_reference/",
    ),
    row(
        ".devcontainer.json",
        "Dev Containers",
        true,
        "https://containers.dev/implementors/json_reference/",
    ),
    row(
        "deno.json",
        "Deno",
        true,
        "https://docs.deno.com/runtime/fundamentals/configuration/",
    ),
    row(".babelrc", "Babel", true, BABEL),
    row(".babelrc.json", "Babel", true, BABEL),
    row("babel.config.json", "Babel", true, BABEL),
    row(
        ".swcrc",
        "SWC",
        true,
        "https://swc.rs/docs/configuration/swcrc",
    ),
    row("nx.json", "Nx", true, "https://nx.dev/reference/nx-json"),
    row(
        "typedoc.json",
        "TypeDoc",
        true,
        "https://typedoc.org/documents/Options.Configuration.html",
    ),
    row(
        "appsettings*.json",
        ".NET",
        true,
        "https://learn.microsoft.com/aspnet/core/fundamentals/configuration/",
    ),
    row(".eslintrc", "ESLint", false, ESLINT),
    row(".eslintrc.json", "ESLint", false, ESLINT),
    row(".jshintrc", "JSHint", false, "https://jshint.com/docs/"),
    row(
        "jest.config.json",
        "Jest",
        false,
        "https://jestjs.io/docs/configuration",
    ),
    row(
        "tslint.json",
        "TSLint",
        false,
        "https://palantir.github.io/tslint/usage/configuration/",
    ),
    row(
        "turbo.json",
        "Turborepo",
        false,
        "https://turborepo.com/docs/reference/configuration",
    ),
    row("rush.json", "Rush", false, RUSH),
    row("common/config/rush/*.json", "Rush", false, RUSH),
    row(
        "api-extractor*.json",
        "API Extractor",
        false,
        "https://api-extractor.com/pages/configs/api-extractor_json/",
    ),
];

impl Row {
    /// The dialect of such a file.
    pub fn dialect(&self) -> Dialect {
        match self.trailing_commas {
            true => Dialect::Jsonc,
            false => Dialect::Comments,
        }
    }

    fn matches(&self, path: &Path) -> bool {
        let mut parts = path.iter().rev();
        let mut patterns = self.pattern.rsplit('/');
        patterns.all(|pattern| {
            let part = parts.next().map(|part| part.as_encoded_bytes());
            part.is_some_and(|part| is_match(pattern, part))
        })
    }
}

/// Whether a part of a path matches one of a pattern.
fn is_match(pattern: &str, part: &[u8]) -> bool {
    match pattern.split_once('*') {
        None => part == pattern.as_bytes(),
        Some((start, end)) => {
            part.len() >= start.len() + end.len()
                && part.starts_with(start.as_bytes())
                && part.ends_with(end.as_bytes())
        }
    }
}

/// The dialect of a file by its name.
pub fn of(path: &Path) -> Dialect {
    // A name without a directory is one in the current directory, whose name may count.
    let full = match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => std::path::absolute(path).ok(),
        _ => None,
    };
    let path = full.as_deref().unwrap_or(path);
    let row = ROWS.iter().find(|row| row.matches(path));
    row.map_or(Dialect::Json, Row::dialect)
}

/// Whether a file in a directory is one of these, whatever its extension.
pub fn has(name: &std::ffi::OsStr) -> bool {
    ROWS.iter().any(|row| row.matches(Path::new(name)))
}

/// The table for people, as `jsonx explain jsonc` prints it.
pub fn explain() -> String {
    let mut text = "\
jsonc: JSON with comments (`//` and `/* */`) and trailing commas

Files of these names are read as JSONC; the others that end in .json are strict. `--input json` makes all strict,
`--input jsonc` allows comments in all, and `--input 'GLOB=jsonc'` in those that match.

"
    .to_owned();
    let width = |text: fn(&Row) -> &'static str| ROWS.iter().map(|row| text(row).len()).max();
    let names = width(|row| row.pattern).unwrap_or(0);
    let tools = width(|row| row.tool).unwrap_or(0);
    for row in ROWS {
        let allowed = match row.trailing_commas {
            true => "comments, trailing commas",
            false => "comments",
        };
        text += &format!(
            "  {:names$}  {:tools$}  {allowed:25}  {}\n",
            row.pattern, row.tool, row.documentation
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (path, dialect) in [
            ("tsconfig.json", Dialect::Jsonc),
            ("packages/a/tsconfig.build.json", Dialect::Jsonc),
            ("/home/a/.vscode/settings.json", Dialect::Jsonc),
            (".vscode/a/settings.json", Dialect::Json),
            ("a.jsonc", Dialect::Jsonc),
            (".swcrc", Dialect::Jsonc),
            ("turbo.json", Dialect::Comments),
            ("a/.eslintrc.json", Dialect::Comments),
            (
                "common/config/rush/version-policies.json",
                Dialect::Comments,
            ),
            ("package.json", Dialect::Json),
            ("composer.json", Dialect::Json),
            ("my-tsconfig.json", Dialect::Json),
            ("tsconfig.json/a.json", Dialect::Json),
        ] {
            assert_eq!(of(Path::new(path)), dialect, "{path}");
        }
    }

    #[test]
    fn each_row_has_one_star_in_a_part_and_a_document() {
        for row in ROWS {
            for part in row.pattern.split('/') {
                assert!(part.matches('*').count() <= 1, "{}", row.pattern);
            }
            assert!(row.documentation.starts_with("https://"), "{}", row.pattern);
        }
    }
}
