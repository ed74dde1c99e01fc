//! The settings of `jsonx.json`: one table defines the reader, the JSON Schema, the guide and `jsonx config`.

use jsonx_diagnose::Lints;
use jsonx_schema::DRAFTS;
use jsonx_schema::keywords::KEYWORDS;

use crate::files::layout::{Eol, LayoutStyle, TrailingCommas};
use crate::input::InputKind;
use crate::words::Words;

/// The places that allow a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllowedIn {
    /// At the root of `jsonx.json`.
    Root,
    /// Only in an element of `overrides`.
    Override,
    /// In both.
    Both,
}

impl AllowedIn {
    /// Whether a setting of this place is allowed in the other.
    pub fn allows(self, other: AllowedIn) -> bool {
        self == AllowedIn::Both || self == other
    }
}

/// The values of a setting.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    Boolean,
    /// An integer from the first to the last number, or one of these words.
    Integer(u64, u64, &'static [&'static str]),
    /// One of these words.
    Word(fn() -> Vec<String>),
    /// The name of a file or directory, relative to the folder of `jsonx.json`.
    Path,
    /// A path or a URL, or `null` for none.
    Schema,
    /// A path or a URL without effect.
    Anything,
    /// A key of an object.
    Key,
    /// A list of globs; whether it may be empty.
    Globs(bool),
    /// An object from names of lints to levels.
    Levels,
    /// A list of objects with settings.
    Overrides,
}

/// A row of the table.
pub struct SettingRow {
    pub key: Key,
    pub name: &'static str,
    pub place: AllowedIn,
    pub takes: Takes,
    /// The option of the command line that sets the same and takes precedence.
    pub option: &'static str,
    /// The default.
    pub default: &'static str,
    pub description: &'static str,
}

/// The levels of lints, in the order of [`Level`](crate::diagnostics::Level).
pub const LEVELS: [&str; 3] = ["off", "warn", "deny"];

/// The largest number of levels and of findings.
const MANY: u64 = u32::MAX as u64;

/// The names of lints and of everything else with a level.
pub fn lints() -> Vec<&'static str> {
    let groups = ["all", "schema"];
    let lints = Lints::CODES.into_iter().map(|code| code.as_str());
    let keywords = KEYWORDS.iter().map(|keyword| keyword.code);
    groups.into_iter().chain(lints).chain(keywords).collect()
}

fn drafts() -> Vec<String> {
    DRAFTS.map(str::to_owned).to_vec()
}

/// Defines [`Key`] and the table of all settings: key, name, place, the values, the default and the option, either of which may be
/// empty, and the description.
macro_rules! settings {
    ($($key:ident $name:literal $place:ident, $takes:expr, $default:literal, $option:literal $description:literal)*) => {
        /// A setting.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Key {
            $($key,)*
        }

        /// All settings, in the order of [`Key`].
        pub const ROWS: &[SettingRow] = &[$(SettingRow {
            key: Key::$key,
            name: $name,
            place: AllowedIn::$place,
            takes: $takes,
            option: $option,
            default: $default,
            description: $description,
        }),*];
    };
}

settings! {
    SchemaOfConfig "$schema" Root, Takes::Anything, "", ""
    "The JSON Schema of this file, for editors. jsonx does not read it."

    Root "root" Root, Takes::Boolean, "true", ""
    "Whether the search for jsonx.json ends here. If false, the next one above, up to the root of the repository, supplies missing settings."

    Ignore "ignore" Root, Takes::Globs(true), "", "--glob"
    "Globs of files and directories to skip, as in .gitignore: the last match decides, and `!` before a glob includes files again. validate, and other commands with --write, --check or --diff, skip such files even if they are named on the command line."

    Files "files" Override, Takes::Globs(false), "", ""
    "Globs of the files that the override applies to."

    Overrides "overrides" Root, Takes::Overrides, "", ""
    "Settings for files that match a glob. If several of them have a setting, the last one counts."

    Input "input" Both, Takes::Word(InputKind::words), "auto", "--input"
    "The format of files: one value (json), one with comments and trailing commas (jsonc), one in JSON5 (json5), one value per line (jsonl), any number of values (stream); auto: by name, then by content."

    Lints "lints" Both, Takes::Levels, "warn; deny for schema/KEYWORD", "--allow, --warn, --deny"
    "The level of findings (off, warn or deny) for a lint, for a rule of JSON Schemas (schema/KEYWORD), for all lints (all) or all rules (schema). A specific name takes precedence over all and schema."

    Repeatable "repeatableKey" Both, Takes::Key, "", ""
    "A key that may occur twice in an object, for duplicate-key: `//` allows the comments of npm in package.json."

    Schema "schema" Both, Takes::Schema, "", "--schema, --schema-map"
    "The JSON Schema to check values with: a file in the folder of jsonx.json, or a URL, which is looked up in schemaDir; #POINTER selects a subschema. null: none."

    Catalog "catalog" Both, Takes::Path, "", "--schema-map"
    "A catalog in the format of SchemaStore in the folder of jsonx.json, for files that have no `schema`."

    SchemaDir "schemaDir" Both, Takes::Path, "", "--schema-dir"
    "A directory in the folder of jsonx.json with copies of schemas that are referenced by URL: as DIR/HOST/PATH, as DIR/PATH, or by \"$id\". jsonx does not use the network."

    SchemaRoot "schemaRoot" Both, Takes::Path, "", "--schema-root"
    "A directory in the folder of jsonx.json below which references of schemas may open files, besides the folder of the file with the reference."

    FollowSchema "useSchemaKey" Both, Takes::Boolean, "false", "--use-schema-key"
    "Whether files without another schema are checked with the one named by their key \"$schema\"."

    Draft "draft" Both, Takes::Word(drafts), "2020-12 if the schema does not say", "--draft"
    "The draft of the schemas; overrides their \"$schema\"."

    Formats "formats" Both, Takes::Word(|| vec!["assert".to_owned(), "annotate".to_owned()]), "annotate", "--formats"
    "Whether \"format\" in a schema is checked (assert) or not (annotate)."

    Style "style" Both, Takes::Word(LayoutStyle::words), "lines", "--style, --compact"
    "The layout that fmt writes: one element per line (lines), that of Prettier (prettier, the default if a configuration of Prettier applies), or no white space (compact, which ignores indent and width)."

    Indent "indent" Both, Takes::Integer(1, 255, &["tab", "keep"]), "keep", "--indent, --tab"
    "Spaces per level, or \"tab\" for one tab; \"keep\": the indentation of the file, if it is consistent, otherwise 2."

    Width "width" Both, Takes::Integer(1, 10_000, &["off"]), "off", "--width"
    "Arrays and objects are written on one line if they fit in this many characters; \"off\": one element per line."

    Eol "eol" Both, Takes::Word(Eol::words), "keep", "--eol"
    "Line ends; keep: the most frequent ones of the file."

    FinalNewline "finalNewline" Both, Takes::Boolean, "true", ""
    "Whether formatted files end with a line break."

    SortKeys "sortKeys" Both, Takes::Boolean, "false", "--sort-keys"
    "Whether fmt sorts the members of objects by key."

    TrailingCommas "trailingCommas" Both, Takes::Word(TrailingCommas::words), "keep", "--trailing-commas"
    "Trailing commas in files that may have them."

    MaxDepth "maxDepth" Both, Takes::Integer(1, MANY, &[]), "10000", "--max-depth"
    "Maximum nesting depth."

    MaxErrors "maxErrors" Both, Takes::Integer(0, MANY, &[]), "20, in machine-readable reports 1000", "--max-errors"
    "Maximum number of findings to show per file; 0 shows all, up to 100,000."
}

/// The number of settings.
pub const COUNT: usize = ROWS.len();

impl Key {
    /// Its row.
    pub fn row(self) -> &'static SettingRow {
        &ROWS[self as usize]
    }
}

/// The settings allowed in a place.
pub fn rows(place: AllowedIn) -> impl Iterator<Item = &'static SettingRow> {
    ROWS.iter().filter(move |row| row.place.allows(place))
}

impl Takes {
    /// The words among its values.
    pub fn words(self) -> Vec<String> {
        match self {
            Takes::Word(words) => words(),
            Takes::Integer(_, _, words) => words.iter().map(|&word| word.to_owned()).collect(),
            _ => Vec::new(),
        }
    }

    /// A description of the values.
    pub fn describe(self) -> String {
        let quoted = |words: Vec<String>| words.into_iter().map(|word| format!("\"{word}\""));
        let any_of = |all: Vec<String>| match all.split_last() {
            Some((last, others)) if !others.is_empty() => {
                format!("{} or {last}", others.join(", "))
            }
            _ => all.concat(),
        };
        match self {
            Takes::Boolean => "true or false".to_owned(),
            Takes::Integer(first, last, _) => {
                let numbers = format!("an integer from {first} to {last}");
                any_of([numbers].into_iter().chain(quoted(self.words())).collect())
            }
            Takes::Word(words) => any_of(quoted(words()).collect()),
            Takes::Path => "a path".to_owned(),
            Takes::Schema => "a path or a URL, or null".to_owned(),
            Takes::Anything => "a path or a URL".to_owned(),
            Takes::Key => "a key".to_owned(),
            Takes::Globs(_) => "a list of globs".to_owned(),
            Takes::Levels => {
                "an object from names of lints to \"off\", \"warn\" or \"deny\"".to_owned()
            }
            Takes::Overrides => "a list of objects with `files` and settings".to_owned(),
        }
    }
}

/// The table of the guide, in Markdown.
pub fn guide() -> String {
    let code = |text: &str| match text {
        "" => String::new(),
        text => format!("`{}`", text.replace(", ", "`, `")),
    };
    let mut table =
        String::from("| setting | value | default | option | |\n|---|---|---|---|---|\n");
    for row in ROWS {
        table += &format!(
            "| `{}` | {} | {} | {} | {} |\n",
            row.name,
            row.takes.describe(),
            row.default,
            code(row.option),
            row.description
        );
    }
    table
}

/// The settings as printed by `jsonx explain config`.
pub fn explain() -> String {
    let mut text = "\
jsonx.json: the settings of a repository (JSON with comments)

The nearest jsonx.json above a file applies, up to the root of the repository. Options of the command line take precedence
over it; it takes precedence over the configuration of Prettier, which takes precedence over .editorconfig.
`jsonx config FILE` prints the settings that apply to a file.
"
    .to_owned();
    for row in ROWS {
        text += &format!("\n  {}\n      {}\n", row.name, row.description);
        text += &format!("      value: {}\n", row.takes.describe());
        for (called, what) in [("default", row.default), ("option", row.option)] {
            if !what.is_empty() {
                text += &format!("      {called}: {what}\n");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_are_sentences() {
        for row in ROWS {
            assert!(row.description.ends_with('.'), "{}", row.name);
            assert!(!row.description.contains('|'), "{}", row.name);
        }
    }

    #[test]
    fn every_name_of_a_lint_has_a_meaning() {
        for name in lints() {
            assert!(
                crate::diagnostics::LintSelection::named(name).is_some(),
                "{name}"
            );
        }
    }
}
