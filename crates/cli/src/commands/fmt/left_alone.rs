//! The files that `fmt` leaves alone in a repository with Prettier or Biome: those that the formatter does not take, and those whose
//! layout is not known.

use std::path::Path;

use ignore::Match;
use jsonx_core::jsonc::Dialect;
use jsonx_diagnose::json5::is_spelled_by_prettier;

use super::layouts::Layouts;
use crate::check::InputKind;
use crate::files::layout::{LayoutStyle, Parser, TrailingCommas, Unknown};
use crate::files::{Exceptions, SOURCE_MAP};
use crate::input::Input;

impl Layouts {
    /// What keeps the layout of a file from being known, unless the command line or `jsonx.json` sets the style.
    pub fn unknown(&self, path: Option<&Path>, kind: InputKind) -> Option<Unknown> {
        // No formatter takes JSON Lines.
        let path = path.filter(|_| kind != InputKind::Jsonl)?;
        let sources = self.sources(Some(path), kind);
        if sources.formatter.unknown.is_some() {
            return sources.formatter.unknown;
        }
        let is_styled = sources.requested.style.or(sources.config.style).is_some();
        let mut settings = sources.merged();
        if settings.unknown.is_some() && settings.line_end.is_none() && !is_styled {
            return settings.unknown.take();
        }
        let has_comments = kind.dialect() != Dialect::Json;
        let asks_for_commas = match settings.trailing_commas {
            _ if self.requested.trailing_commas.is_some() => false,
            Some(TrailingCommas::All | TrailingCommas::None) => false,
            _ => matches!(settings.parser, Some(Parser::Jsonc | Parser::Json5)),
        };
        let is_prettier = settings.style == Some(LayoutStyle::Prettier);
        let parser = match settings.parser {
            None if is_prettier && Parser::by_name(path) == Parser::JsonStringify => {
                Some(Parser::JsonStringify)
            }
            parser => parser,
        };
        let has_quotes = settings.single_quotes == Some(true) || settings.quoted_keys == Some(true);
        let reason = match parser {
            _ if asks_for_commas && !kind.dialect().allows_trailing_commas() => {
                "the configuration asks for trailing commas where JSON has none"
            }
            _ if kind == InputKind::Json5 && is_prettier && has_quotes => {
                "the configuration asks for other quotes in JSON5 than the default"
            }
            Some(Parser::Json5) if kind == InputKind::Json5 => return None,
            Some(Parser::Json5) => "the configuration asks for JSON5 in a file that is JSON",
            Some(_) if kind == InputKind::Json5 => {
                "the configuration asks for JSON in a file that is JSON5"
            }
            Some(Parser::JsonStringify) if has_comments => {
                "the configuration asks for JSON without comments in a file that may have them"
            }
            _ => return None,
        };
        Some(Unknown {
            place: settings.names().into_iter().next().unwrap_or_default(),
            reason: reason.to_owned(),
            is_of_biome: false,
        })
    }

    /// Whether the formatter of the repository may write other tokens than a text in JSON5 has, which `fmt` does not.
    pub fn respells(&self, input: &Input) -> bool {
        let Some((translation, path)) = input.json5().zip(input.name().path()) else {
            return false;
        };
        let sources = self.sources(Some(path), InputKind::Json5);
        if sources.requested.style.or(sources.config.style).is_some() {
            return false;
        }
        let formatter = sources.formatter;
        match formatter.style {
            Some(LayoutStyle::Prettier)
                if formatter.parser.unwrap_or_else(|| Parser::by_name(path)) == Parser::Json5 =>
            {
                !is_spelled_by_prettier(translation.source())
            }
            Some(LayoutStyle::Prettier) => !translation.has_json_tokens(),
            _ => false,
        }
    }

    /// What excludes a file from those that the formatter of the repository takes.
    pub fn left_out(&self, path: &Path, is_dir: bool) -> Option<String> {
        let reason = self.ignored.reason(path, is_dir);
        if reason.is_some() || is_dir {
            return reason;
        }
        if path.extension().is_some_and(|name| name == SOURCE_MAP) {
            return Some("fmt, as a source map".to_owned());
        }
        let formatter = self.sources(Some(path), InputKind::Json).formatter;
        (formatter.formatted == Some(false)).then(|| formatter.names().join(", "))
    }
}

impl Exceptions for Layouts {
    fn decision(&self, path: &Path, is_dir: bool) -> Match<()> {
        match self.configs.decision(path, is_dir) {
            Match::None if self.left_out(path, is_dir).is_some() => Match::Ignore(()),
            decision => decision,
        }
    }

    fn reason(&self, path: &Path, is_dir: bool) -> Option<String> {
        let reason = self.configs.reason(path, is_dir);
        reason.or_else(|| self.left_out(path, is_dir))
    }
}
