//! The layout settings of one source: the command line, a configuration file, `.editorconfig`. Sources are merged setting by
//! setting, and the more specific one wins:
//!
//! ```text
//! command line  >  jsonx.json  >  .prettierrc, biome.json  >  .editorconfig  >  the file itself  >  default
//! ```

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::input::Name;

/// The settings of one source, or of several merged; `None` where there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LayoutSettings {
    pub style: Option<LayoutStyle>,
    /// The indentation of the text is kept.
    pub keeps_indent: Option<bool>,
    /// One tab per level, rather than spaces.
    pub tabs: Option<bool>,
    /// Columns per level.
    pub indent: Option<u8>,
    /// Columns of a line; 0 for no limit.
    pub width: Option<u16>,
    pub line_end: Option<Eol>,
    pub final_newline: Option<bool>,
    pub sort_keys: Option<bool>,
    pub bracket_spacing: Option<bool>,
    pub expand: Option<Expand>,
    pub trailing_commas: Option<TrailingCommas>,
    /// The parser of Prettier for the file.
    pub parser: Option<Parser>,
    /// Strings of JSON5 in single quotes.
    pub single_quotes: Option<bool>,
    /// Other keys of JSON5 than those that need quotes have them.
    pub quoted_keys: Option<bool>,
    /// Whether the formatter formats the file.
    pub formatted: Option<bool>,
    /// The formatter skips larger files.
    pub max_size: Option<u64>,
    /// The formatter does not read `.editorconfig`.
    pub without_editorconfig: Option<bool>,
    /// The reason why the layout is unknown.
    pub unknown: Option<Unknown>,
    /// The files with these settings, the most specific first.
    pub sources: Vec<PathBuf>,
}

/// An unsupported setting.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Unknown {
    /// Its file and line.
    pub place: String,
    /// The reason.
    pub reason: String,
}

/// `--style`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LayoutStyle {
    Lines,
    Prettier,
    /// Like Prettier, with a few differences; set only by a configuration of Biome.
    #[value(skip)]
    Biome,
    Compact,
}

/// Containers to expand although they would fit on one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expand {
    /// Objects with a line break before their first key.
    Auto,
    /// All nonempty containers.
    Always,
    Never,
}

/// `--trailing-commas`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TrailingCommas {
    Keep,
    None,
    All,
}

/// `--eol`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Eol {
    Keep,
    Lf,
    Crlf,
}

/// Prettier's parsers for JSON, which differ in layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parser {
    Json,
    /// With trailing commas.
    Jsonc,
    /// With trailing commas, and with quotes where they are needed.
    Json5,
    /// One element or member per line.
    JsonStringify,
}

impl LayoutStyle {
    /// Whether it is Prettier's or similar.
    pub fn is_prettier(self) -> bool {
        matches!(self, LayoutStyle::Prettier | LayoutStyle::Biome)
    }
}

impl LayoutSettings {
    /// An indentation of this many spaces.
    #[must_use]
    pub fn spaces(self, spaces: u8) -> LayoutSettings {
        LayoutSettings {
            keeps_indent: Some(false),
            tabs: Some(false),
            indent: Some(spaces),
            ..self
        }
    }

    /// An indentation of one tab.
    #[must_use]
    pub fn tab(self) -> LayoutSettings {
        LayoutSettings {
            keeps_indent: Some(false),
            tabs: Some(true),
            ..self
        }
    }

    /// The names of the files with these settings, relative to the current directory if they are below it.
    pub fn names(&self) -> Vec<String> {
        let shown = |source: &PathBuf| Name::relative(source).to_string();
        self.sources.iter().map(shown).collect()
    }

    /// Whether an indentation is set.
    pub fn has_indent(&self) -> bool {
        self.keeps_indent.is_some() || self.tabs.is_some() || self.indent.is_some()
    }

    /// These settings, with unset ones from a less specific source.
    #[must_use]
    pub fn or(mut self, lower: LayoutSettings) -> LayoutSettings {
        self.sources.extend(lower.sources);
        LayoutSettings {
            style: self.style.or(lower.style),
            keeps_indent: self.keeps_indent.or(lower.keeps_indent),
            tabs: self.tabs.or(lower.tabs),
            indent: self.indent.or(lower.indent),
            width: self.width.or(lower.width),
            line_end: self.line_end.or(lower.line_end),
            final_newline: self.final_newline.or(lower.final_newline),
            sort_keys: self.sort_keys.or(lower.sort_keys),
            bracket_spacing: self.bracket_spacing.or(lower.bracket_spacing),
            expand: self.expand.or(lower.expand),
            trailing_commas: self.trailing_commas.or(lower.trailing_commas),
            parser: self.parser.or(lower.parser),
            single_quotes: self.single_quotes.or(lower.single_quotes),
            quoted_keys: self.quoted_keys.or(lower.quoted_keys),
            formatted: self.formatted.or(lower.formatted),
            max_size: self.max_size.or(lower.max_size),
            without_editorconfig: self.without_editorconfig.or(lower.without_editorconfig),
            unknown: self.unknown.or(lower.unknown),
            sources: self.sources,
        }
    }
}

impl Parser {
    /// The parser for a file, by its name.
    pub fn of(path: &Path) -> Parser {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let extension = name.rsplit_once('.').map_or("", |(_, end)| end);
        match (&*name, extension) {
            ("package.json" | "package-lock.json" | "composer.json", _) | (_, "importmap") => {
                Parser::JsonStringify
            }
            (_, "json5") => Parser::Json5,
            (_, "jsonc" | "code-snippets" | "code-workspace" | "hujson") => Parser::Jsonc,
            (_, end) if end.starts_with("sublime-") || end.starts_with("sublime_") => Parser::Jsonc,
            _ => Parser::Json,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_more_specific_source_decides_each_setting() {
        let named = |name: &str| vec![PathBuf::from(name)];
        let upper = LayoutSettings {
            tabs: Some(true),
            sources: named("a"),
            ..LayoutSettings::default()
        };
        let lower = LayoutSettings {
            tabs: Some(false),
            width: Some(0),
            sources: named("b"),
            ..LayoutSettings::default()
        };
        let merged = upper.or(lower);
        assert_eq!((merged.tabs, merged.width), (Some(true), Some(0)));
        assert_eq!(merged.sources, [named("a"), named("b")].concat());
    }

    #[test]
    fn parsers_by_name() {
        for (name, parser) in [
            ("a/package.json", Parser::JsonStringify),
            ("x.importmap", Parser::JsonStringify),
            ("tsconfig.json", Parser::Json),
            ("a.jsonc", Parser::Jsonc),
            ("a.sublime-settings", Parser::Jsonc),
            (".swcrc", Parser::Json),
        ] {
            assert_eq!(Parser::of(Path::new(name)), parser, "{name}");
        }
    }
}
