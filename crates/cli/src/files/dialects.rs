//! Names of files that contain JSON, with comments or strict, in addition to the extensions that always do.
//!
//! Each row states what the tool that reads the file accepts, according to its documentation. Names are not listed if the
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
//! CSpell 9, markdownlint 0.40, Oxlint 1, Pyright 1.1 and the readers of Angular (`@angular-devkit` 21, `jsonc-parser`) and of
//! rigs (`@rushstack/rig-package` 0.7, `jju`) accept both; TSDoc (`@microsoft/tsdoc-config` 0.18) refuses the comma, and Heft
//! behaves like Rush. Wrangler, the host of .NET and the bundler of Visual Studio were not tested; their documentation mentions
//! comments.

use std::path::Path;

/// A file name, and the dialect that its tool reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// JSON alone.
    Json,
    /// With comments.
    Comments,
    /// With comments and trailing commas.
    Jsonc,
    Json5,
}

/// Files of one name, and the tool that reads them.
pub struct Row {
    /// The name, or the end of a path. `*` stands for any characters but `/`, once in each part.
    pub pattern: &'static str,
    /// The tool.
    pub tool: &'static str,
    /// The dialect that it accepts.
    pub language: Language,
    /// Its documentation.
    pub documentation: &'static str,
    /// The folders of the pattern.
    folders: Option<&'static str>,
    /// Its last part.
    name: Part,
}

/// One part of a pattern: a name, or the texts before and after the star.
enum Part {
    Name(&'static str),
    Star(&'static str, &'static str),
}

/// A row of the table. Patterns are split here, when the program is compiled, because each file of a directory is compared with
/// all of them.
const fn row(
    pattern: &'static str,
    tool: &'static str,
    language: Language,
    documentation: &'static str,
) -> Row {
    let (folders, name) = match last(pattern, b'/') {
        Some((folders, name)) => (Some(folders), name),
        None => (None, pattern),
    };
    Row {
        pattern,
        tool,
        language,
        documentation,
        folders,
        name: part(name),
    }
}

const fn part(pattern: &'static str) -> Part {
    match last(pattern, b'*') {
        Some((start, end)) => Part::Star(start, end),
        None => Part::Name(pattern),
    }
}

/// The texts before and after the last occurrence of an ASCII character.
const fn last(text: &str, byte: u8) -> Option<(&str, &str)> {
    let mut at = text.len();
    while at > 0 {
        at -= 1;
        if text.as_bytes()[at] == byte {
            return Some((text.split_at(at).0, text.split_at(at + 1).1));
        }
    }
    None
}

const JSON5: Language = Language::Json5;
/// Comments and trailing commas.
const JSONC: Language = Language::Jsonc;
/// Comments.
const COMMENTS: Language = Language::Comments;
/// Neither.
const JSON: Language = Language::Json;

const VS_CODE: &str = "https://code.visualstudio.com/docs/languages/json#_json-with-comments";
const TYPESCRIPT: &str = "https://www.typescriptlang.org/docs/handbook/tsconfig-json.html";
const ESLINT: &str = "https://eslint.org/docs/latest/use/configure/configuration-files-deprecated";
const BABEL: &str = "https://babeljs.io/docs/config-files";
const NIX: &str = "https://nix.dev/manual/nix/latest/command-ref/new-cli/nix3-flake#lock-files";
const SOURCE_MAP: &str = "https://tc39.es/ecma426/";
const AVRO: &str = "https://avro.apache.org/docs/current/specification/";
const RUSH: &str = "https://rushjs.io/pages/configs/rush_json/";
const HEFT: &str = "https://heft.rushstack.io/pages/configs/heft_json/";
const CSPELL: &str = "https://cspell.org/docs/Configuration";
const ANGULAR: &str = "https://angular.dev/reference/configs/workspace-config";
const VS_CODE_THEMES: &str = "https://code.visualstudio.com/api/extension-guides/color-theme";

/// All of them; the first that matches counts.
pub const ROWS: &[Row] = &[
    row("*.jsonc", "any", JSONC, "https://jsonc.org/"),
    row("jsonx.json", "jsonx", JSONC, "https://jsonc.org/"),
    row("*.code-workspace", "VS Code", JSONC, VS_CODE),
    row(".vscode/*.json", "VS Code", JSONC, VS_CODE),
    row(
        "language-configuration.json",
        "VS Code",
        JSONC,
        "https://code.visualstudio.com/api/language-extensions/language-configuration-guide",
    ),
    row(
        "*.code-snippets",
        "VS Code",
        JSONC,
        "https://code.visualstudio.com/docs/editing/userdefinedsnippets",
    ),
    row(
        "*.code-profile",
        "VS Code",
        JSONC,
        "https://code.visualstudio.com/docs/configure/profiles",
    ),
    row("*-color-theme.json", "VS Code", JSONC, VS_CODE_THEMES),
    row("*-icon-theme.json", "VS Code", JSONC, VS_CODE_THEMES),
    row("tsconfig*.json", "TypeScript", JSONC, TYPESCRIPT),
    row("jsconfig*.json", "TypeScript", JSONC, TYPESCRIPT),
    row(
        "devcontainer.json",
        "Dev Containers",
        JSONC,
        "https://containers.dev/implementors/json_reference/",
    ),
    row(
        ".devcontainer.json",
        "Dev Containers",
        JSONC,
        "https://containers.dev/implementors/json_reference/",
    ),
    row(
        "deno.json",
        "Deno",
        JSONC,
        "https://docs.deno.com/runtime/fundamentals/configuration/",
    ),
    row("*.json5", "any", JSON5, "https://json5.org/"),
    row(".babelrc", "Babel", JSON5, BABEL),
    row(".babelrc.json", "Babel", JSON5, BABEL),
    row("babel.config.json", "Babel", JSON5, BABEL),
    row(
        ".swcrc",
        "SWC",
        JSONC,
        "https://swc.rs/docs/configuration/swcrc",
    ),
    row("nx.json", "Nx", JSONC, "https://nx.dev/reference/nx-json"),
    row(
        "typedoc.json",
        "TypeDoc",
        JSONC,
        "https://typedoc.org/documents/Options.Configuration.html",
    ),
    row(
        "*.typedoc.json",
        "TypeDoc",
        JSONC,
        "https://typedoc.org/documents/Options.Configuration.html",
    ),
    row(
        "pyrightconfig.json",
        "Pyright",
        JSONC,
        "https://microsoft.github.io/pyright/#/configuration",
    ),
    row("cspell.json", "CSpell", JSONC, CSPELL),
    row(".cspell.json", "CSpell", JSONC, CSPELL),
    row("cspell.config.json", "CSpell", JSONC, CSPELL),
    // The settings in packages of dictionaries.
    row("cspell-ext.json", "CSpell", JSONC, CSPELL),
    row(
        ".oxlintrc.json",
        "Oxlint",
        JSONC,
        "https://oxc.rs/docs/guide/usage/linter/config.html",
    ),
    row(
        ".markdownlint.json",
        "markdownlint",
        JSONC,
        "https://github.com/DavidAnson/markdownlint-cli2#configuration",
    ),
    row("angular.json", "Angular", JSONC, ANGULAR),
    row(
        "collection.json",
        "Angular",
        JSONC,
        "https://angular.dev/tools/cli/schematics-authoring",
    ),
    row(
        "wrangler.json",
        "Wrangler",
        JSONC,
        "https://developers.cloudflare.com/workers/wrangler/configuration/",
    ),
    row(
        "config/rig.json",
        "Heft",
        JSONC,
        "https://heft.rushstack.io/pages/configs/rig_json/",
    ),
    row(
        "appsettings*.json",
        ".NET",
        JSONC,
        "https://learn.microsoft.com/aspnet/core/fundamentals/configuration/",
    ),
    row(".eslintrc", "ESLint", COMMENTS, ESLINT),
    row(".eslintrc.json", "ESLint", COMMENTS, ESLINT),
    row("*.eslintrc.json", "ESLint", COMMENTS, ESLINT),
    row(".jshintrc", "JSHint", COMMENTS, "https://jshint.com/docs/"),
    row(
        "jest.config.json",
        "Jest",
        COMMENTS,
        "https://jestjs.io/docs/configuration",
    ),
    row(
        "tslint.json",
        "TSLint",
        COMMENTS,
        "https://palantir.github.io/tslint/usage/configuration/",
    ),
    row(
        "turbo.json",
        "Turborepo",
        COMMENTS,
        "https://turborepo.com/docs/reference/configuration",
    ),
    row("rush.json", "Rush", COMMENTS, RUSH),
    row("common/config/rush/*.json", "Rush", COMMENTS, RUSH),
    row("common/config/rush-plugins/*.json", "Rush", COMMENTS, RUSH),
    row("common/config/subspaces/*/*.json", "Rush", COMMENTS, RUSH),
    row("config/rush-project.json", "Rush", COMMENTS, RUSH),
    row("config/heft.json", "Heft", COMMENTS, HEFT),
    row("config/typescript.json", "Heft", COMMENTS, HEFT),
    row("config/sass.json", "Heft", COMMENTS, HEFT),
    row("config/node-service.json", "Heft", COMMENTS, HEFT),
    row("config/api-extractor-task.json", "Heft", COMMENTS, HEFT),
    row(
        "tsdoc.json",
        "TSDoc",
        COMMENTS,
        "https://tsdoc.org/pages/packages/tsdoc-config/",
    ),
    row(
        "global.json",
        ".NET",
        COMMENTS,
        "https://learn.microsoft.com/dotnet/core/tools/global-json",
    ),
    row(
        "bundleconfig.json",
        "Visual Studio",
        COMMENTS,
        "https://learn.microsoft.com/aspnet/core/client-side/bundling-and-minification",
    ),
    row(
        "api-extractor*.json",
        "API Extractor",
        COMMENTS,
        "https://api-extractor.com/pages/configs/api-extractor_json/",
    ),
    row(
        "tsdoc-metadata.json",
        "API Extractor",
        COMMENTS,
        "https://api-extractor.com/pages/configs/api-extractor_json/",
    ),
    row(
        "bun.lock",
        "Bun",
        JSONC,
        "https://bun.com/docs/install/lockfile",
    ),
    row(
        "*.ipynb",
        "Jupyter",
        JSON,
        "https://nbformat.readthedocs.io/",
    ),
    row(
        "composer.lock",
        "Composer",
        JSON,
        "https://getcomposer.org/doc/",
    ),
    row("flake.lock", "Nix", JSON, NIX),
    row(
        "deno.lock",
        "Deno",
        JSON,
        "https://docs.deno.com/runtime/fundamentals/modules/",
    ),
    row(
        "Pipfile.lock",
        "Pipenv",
        JSON,
        "https://pipenv.pypa.io/en/latest/pipfile.html",
    ),
    row(
        "conan.lock",
        "Conan",
        JSON,
        "https://docs.conan.io/2/tutorial/versioning/lockfiles.html",
    ),
    row(
        "Package.resolved",
        "SwiftPM",
        JSON,
        "https://docs.swift.org/package-manager/",
    ),
    row("*.js.map", "source map", JSON, SOURCE_MAP),
    row("*.mjs.map", "source map", JSON, SOURCE_MAP),
    row("*.cjs.map", "source map", JSON, SOURCE_MAP),
    row("*.ts.map", "source map", JSON, SOURCE_MAP),
    row("*.css.map", "source map", JSON, SOURCE_MAP),
    row("*.avsc", "Avro", JSON, AVRO),
    row("*.avpr", "Avro", JSON, AVRO),
    row(
        "*.gltf",
        "glTF",
        JSON,
        "https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html",
    ),
    row(
        "*.tfstate",
        "Terraform",
        JSON,
        "https://developer.hashicorp.com/terraform/language/state",
    ),
    row(".bowerrc", "Bower", JSON, "https://bower.io/docs/config/"),
    row(
        ".watchmanconfig",
        "Watchman",
        JSON,
        "https://facebook.github.io/watchman/docs/config",
    ),
    row(
        ".all-contributorsrc",
        "All Contributors",
        JSON,
        "https://allcontributors.org/docs/en/bot/configuration",
    ),
];

impl Row {
    /// Whether it is the row of a file with this path, which ends in this name.
    fn matches(&self, path: &Path, name: &[u8]) -> bool {
        if !self.name.matches(name) {
            return false;
        }
        let Some(folders) = self.folders else {
            return true;
        };
        let mut parts = path.iter().rev().skip(1);
        folders.rsplit('/').all(|folder| {
            let name = parts.next().map(|name| name.as_encoded_bytes());
            name.is_some_and(|name| part(folder).matches(name))
        })
    }
}

impl Part {
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

/// The language of a file by its name.
pub fn of(path: &Path) -> Language {
    // A name without a directory is one in the current directory, whose name may count.
    let full = match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => std::path::absolute(path).ok(),
        _ => None,
    };
    let path = full.as_deref().unwrap_or(path);
    row_of(path).map_or(Language::Json, |row| row.language)
}

/// The row of a file by its path, if there is one.
fn row_of(path: &Path) -> Option<&'static Row> {
    let name = path.iter().next_back()?.as_encoded_bytes();
    ROWS.iter().find(|row| row.matches(path, name))
}

/// Whether a file in a directory is one of these, whatever its extension.
pub fn has(name: &std::ffi::OsStr) -> bool {
    row_of(Path::new(name)).is_some()
}

/// The table for people, as `jsonx explain jsonc` prints it.
pub fn explain() -> String {
    let mut text = "\
jsonc: JSON with comments (`//` and `/* */`) and trailing commas

Files of these names are read as JSONC or JSON5; the others that end in .json are strict, unless their first line is a
comment for tools: `// -*- mode: jsonc -*-`, `// vim: ft=jsonc`, `// @ts-check`. `--input json` makes all strict,
`--input jsonc` allows comments in all, and `--input 'GLOB=jsonc'` in those that match; `json5` stands for JSON5 there.

"
    .to_owned();
    let rows = || ROWS.iter().filter(|row| row.language != JSON);
    let width = |text: fn(&Row) -> &'static str| rows().map(|row| text(row).len()).max();
    let names = width(|row| row.pattern).unwrap_or(0);
    let tools = width(|row| row.tool).unwrap_or(0);
    for row in rows() {
        let allowed = match row.language {
            Language::Json5 => "JSON5",
            Language::Jsonc => "comments, trailing commas",
            Language::Comments | Language::Json => "comments",
        };
        text += &format!(
            "  {:names$}  {:tools$}  {allowed:25}  {}\n",
            row.pattern, row.tool, row.documentation
        );
    }
    text += "\nIn directories, files of these names hold strict JSON, beside those that --ext lists:\n\n";
    for row in ROWS.iter().filter(|row| row.language == JSON) {
        text += &format!(
            "  {:names$}  {:tools$}  {}\n",
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
        for (path, language) in [
            ("tsconfig.json", Language::Jsonc),
            ("packages/a/tsconfig.build.json", Language::Jsonc),
            ("/home/a/.vscode/settings.json", Language::Jsonc),
            (".vscode/a/settings.json", Language::Json),
            ("a.jsonc", Language::Jsonc),
            (".swcrc", Language::Jsonc),
            ("renovate.json5", Language::Json5),
            ("a/.babelrc", Language::Json5),
            ("turbo.json", Language::Comments),
            ("a/.eslintrc.json", Language::Comments),
            (
                "common/config/rush/version-policies.json",
                Language::Comments,
            ),
            ("a/config/rig.json", Language::Jsonc),
            ("a/config/heft.json", Language::Comments),
            ("a/heft.json", Language::Json),
            (
                "common/config/subspaces/a/common-versions.json",
                Language::Comments,
            ),
            ("angular.json", Language::Jsonc),
            ("global.json", Language::Comments),
            ("themes/dark-color-theme.json", Language::Jsonc),
            ("base.eslintrc.json", Language::Comments),
            ("package.json", Language::Json),
            ("composer.json", Language::Json),
            ("composer.lock", Language::Json),
            ("bun.lock", Language::Jsonc),
            ("my-tsconfig.json", Language::Json),
            ("tsconfig.json/a.json", Language::Json),
        ] {
            assert_eq!(of(Path::new(path)), language, "{path}");
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
        for row in ROWS {
            for part in row.pattern.split('/') {
                assert!(part.matches('*').count() <= 1, "{}", row.pattern);
            }
            assert!(row.documentation.starts_with("https://"), "{}", row.pattern);
        }
    }
}
