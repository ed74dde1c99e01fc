//! The layout settings of one source: the command line, a configuration file, `.editorconfig`. Sources are merged setting by
//! setting, and the more specific one wins:
//!
//! ```text
//! command line  >  jsonx.json  >  .prettierrc  >  .editorconfig  >  the file itself  >  default
//! ```

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::input::Name;

/// Defines the settings.
macro_rules! settings {
    ($($(#[$doc:meta])* $name:ident: $type:ty,)*) => {
        /// The settings of one source, or of several merged; `None` where there is none.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct LayoutSettings {
            $($(#[$doc])* pub $name: Option<$type>,)*
            /// The files with these settings, the most specific first.
            pub sources: Vec<PathBuf>,
        }

        impl LayoutSettings {
            /// These settings, with unset ones from a less specific source.
            #[must_use]
            pub fn or(mut self, lower: LayoutSettings) -> LayoutSettings {
                self.sources.extend(lower.sources);
                $(self.$name = self.$name.or(lower.$name);)*
                self
            }
        }
    };
}

settings! {
    style: LayoutStyle,
    /// The indentation of the text is kept.
    keeps_indent: bool,
    /// One tab per level, rather than spaces.
    tabs: bool,
    /// Columns per level.
    indent: u8,
    /// Columns of a line; 0 for no limit.
    width: u16,
    line_end: Eol,
    final_newline: bool,
    sort_keys: bool,
    bracket_spacing: bool,
    /// Objects are on one line if they fit, in spite of a line break before the first key.
    collapse: bool,
    trailing_commas: TrailingCommas,
    /// The parser of Prettier for the file.
    parser: Parser,
    /// Strings of JSON5 in single quotes.
    single_quotes: bool,
    /// Other keys of JSON5 than those that need quotes have them.
    quoted_keys: bool,
    /// Whether the formatter formats the file.
    formatted: bool,
    /// The reason why the layout is unknown.
    unknown: Unknown,
}

/// An unsupported setting.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Unknown {
    /// Its file and line.
    pub place: String,
    /// The reason.
    pub reason: String,
    /// Biome formats the files, and leaving them alone is no failure.
    pub is_of_biome: bool,
}

/// `--style`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LayoutStyle {
    Lines,
    Prettier,
    Compact,
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
        let shown = |source: &PathBuf| Name::new(source).to_string();
        self.sources.iter().map(shown).collect()
    }

    /// Whether an indentation is set.
    pub fn has_indent(&self) -> bool {
        self.keeps_indent.is_some() || self.tabs.is_some() || self.indent.is_some()
    }
}

impl Parser {
    /// The parser for a file, by its name.
    pub fn by_name(path: &Path) -> Parser {
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
            assert_eq!(Parser::by_name(Path::new(name)), parser, "{name}");
        }
    }
}
