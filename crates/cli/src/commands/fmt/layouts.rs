//! The layout of each file: what the command line asks for, else `jsonx.json`, else `.editorconfig`, else what is usual.
//!
//! | | option | `jsonx.json` | `.editorconfig` | else |
//! |---|---|---|---|---|
//! | indentation | `--indent`, `--tab`, `--compact`, `--jsonl` | `style`, `indent` | `indent_style`, `indent_size`, `tab_width` | two spaces |
//! | width | `--width`, `--compact`, `--jsonl` | `width` | `max_line_length` | none |
//! | line ends | `--eol` | `eol` | `end_of_line` | those that the file has most of |
//! | newline at the end | | `finalNewline` | `insert_final_newline` | yes |
//! | order of keys | `--sort-keys` | `sortKeys` | | as in the file |
//! | trailing commas | `--trailing-commas` | `trailingCommas` | | as in the file |

use std::io;
use std::path::Path;
use std::sync::Arc;

use clap::ValueEnum;
use jsonx_core::format::{Indent, LineEnd, RewriteOptions, Style};
use jsonx_core::jsonc::Dialect;

use super::commented::Comments;
use crate::args::{Eol, Layout, TrailingCommas};
use crate::check::InputKind;
use crate::config::table::Key;
use crate::config::{Configs, Settings};
use crate::files::editorconfig::{EditorConfig, EditorConfigs, IndentStyle, LineEnding};
use crate::input::{Input, Name};

/// Bytes at the start of an input that tell its line ends: some two thousand lines.
const EXAMINED: u64 = 64 << 10;

/// Finds the layout of each file.
pub struct Layouts {
    /// As the command line has it.
    told: Layout,
    configs: Arc<Configs>,
    /// `None` if they are not to be read.
    editor_configs: Option<EditorConfigs>,
}

/// The layout of a file, before its text is known.
#[derive(Clone, Copy)]
pub struct FileLayout {
    /// With line feeds, if the text decides.
    pub rewrite: RewriteOptions,
    /// The text decides about its line ends.
    pub keeps_line_ends: bool,
    /// What happens to comments and trailing commas.
    pub comments: Comments,
}

impl Layouts {
    /// From the options of the command line and the configs of the run.
    pub fn new(told: &Layout, configs: Arc<Configs>) -> Layouts {
        Layouts {
            told: told.clone(),
            configs,
            editor_configs: (!told.canonical && !told.no_editorconfig).then(EditorConfigs::default),
        }
    }

    /// The layout of a file with this path; `None` for standard input without a name.
    pub fn of(&self, path: Option<&Path>, kind: InputKind) -> FileLayout {
        // A file whose config cannot be used is not formatted.
        let settings = self.configs.settings(path).ok().flatten();
        let settings = settings.filter(|_| !self.told.canonical);
        let editor_config = self.editor_config(path);
        layout(&self.told, settings.as_ref(), &editor_config, kind)
    }

    /// What `.editorconfig` files have for a file.
    pub fn editor_config(&self, path: Option<&Path>) -> EditorConfig {
        let configs = self.editor_configs.as_ref().zip(path);
        let config = configs.map(|(configs, path)| configs.of(path));
        config.unwrap_or_default()
    }

    /// The files that a layout is from, for `--verbose`.
    pub fn note(&self, path: Option<&Path>) -> Option<String> {
        let path = path?;
        let sources = self.editor_config(Some(path)).names();
        (!sources.is_empty())
            .then(|| format!("{}: layout from {}", Name::of(path), sources.join(", ")))
    }
}

impl FileLayout {
    /// The layout of an input, which is read again afterwards.
    pub fn resolve(self, input: &mut Input) -> RewriteOptions {
        match self.keeps_line_ends {
            // A failure to read shows again when it is read.
            true => self.rewrite.line_end(line_end(input).unwrap_or_default()),
            false => self.rewrite,
        }
    }
}

/// The layout of a file of this kind.
fn layout(
    told: &Layout,
    settings: Option<&Settings>,
    editor_config: &EditorConfig,
    kind: InputKind,
) -> FileLayout {
    let layout = settings.map_or_else(|| told.clone(), |settings| after(told, settings, kind));
    let is_compact = layout.compact || layout.jsonl;
    let has = |key| settings.is_some_and(|settings| settings.found(key).is_some());
    let mut rewrite = rewrite(&layout);
    if !is_compact && !layout.tab && layout.indent.is_none() {
        match editor_config.indent {
            Some(IndentStyle::Tab) => rewrite.style = Style::Pretty(Indent::Tab),
            Some(IndentStyle::Spaces(Some(spaces))) => {
                rewrite.style = Style::Pretty(Indent::Spaces(spaces));
            }
            Some(IndentStyle::Spaces(None)) | None => {}
        }
    }
    if !is_compact && layout.width.is_none() && !has(Key::Width) {
        rewrite.width = editor_config.width.filter(|&width| width > 0);
    }
    let mut keeps_line_ends = matches!(layout.eol, None | Some(Eol::Keep)) && !layout.canonical;
    if let (None, Some(end)) = (layout.eol, editor_config.line_end) {
        keeps_line_ends = false;
        rewrite.line_end = match end {
            LineEnding::Lf => LineEnd::Lf,
            LineEnding::CrLf => LineEnd::CrLf,
        };
    }
    let final_newline = settings.and_then(|settings| settings.boolean(Key::FinalNewline));
    rewrite.final_newline = final_newline
        .or(editor_config.final_newline)
        .unwrap_or(true);
    FileLayout {
        rewrite,
        keeps_line_ends,
        comments: Comments::new(&layout),
    }
}

/// The layout of the command line, and for the rest the settings.
pub fn after(told: &Layout, settings: &Settings, kind: InputKind) -> Layout {
    let mut layout = told.clone();
    let has_style = told.compact || told.jsonl || told.tab || told.indent.is_some();
    if !has_style {
        // Comments of a file are not lost because of a style that is for all files.
        let may_be_compact = told.width.is_none() && kind.dialect() == Dialect::Json;
        layout.compact = may_be_compact && settings.text(Key::Style) == Some("compact");
        if !layout.compact {
            let indent = settings.integer(Key::Indent);
            layout.indent = indent.and_then(|spaces| u8::try_from(spaces).ok());
            layout.indent = layout.indent.filter(|&spaces| spaces > 0 || may_be_compact);
            layout.tab = settings.text(Key::Indent) == Some("tab");
        }
    }
    if !layout.compact && !layout.jsonl && told.width.is_none() {
        let width = settings.integer(Key::Width);
        layout.width = width.and_then(|width| u16::try_from(width).ok());
    }
    let word = |key| settings.text(key);
    layout.eol = told
        .eol
        .or_else(|| Eol::from_str(word(Key::Eol)?, false).ok());
    layout.trailing_commas = told
        .trailing_commas
        .or_else(|| TrailingCommas::from_str(word(Key::TrailingCommas)?, false).ok());
    layout.sort_keys |= settings.boolean(Key::SortKeys).unwrap_or(false);
    layout
}

/// Converts the layout to options of the engine. Of options that override one another, clap keeps only the last.
fn rewrite(layout: &Layout) -> RewriteOptions {
    let style = match layout {
        Layout { compact: true, .. }
        | Layout { jsonl: true, .. }
        | Layout {
            tab: false,
            indent: Some(0),
            ..
        } => Style::Compact,
        Layout { tab: true, .. } => Style::Pretty(Indent::Tab),
        Layout { indent, .. } => Style::Pretty(Indent::Spaces(indent.unwrap_or(2))),
    };
    let options = RewriteOptions::from(style)
        .line_end(match layout.eol {
            Some(Eol::Crlf) => LineEnd::CrLf,
            Some(Eol::Lf | Eol::Keep) | None => LineEnd::Lf,
        })
        .sort_keys(layout.sort_keys)
        .ascii(layout.ascii)
        .html_safe(layout.html_safe)
        .canonical(layout.canonical);
    options.width(layout.width)
}

/// The line ends of an input, by its first bytes. Bytes read from a pipe are delivered again.
fn line_end(input: &mut Input) -> io::Result<LineEnd> {
    /// Ends the reading of a pipe.
    enum Ended {
        Seen(LineEnd),
        Failed(io::Error),
    }

    impl From<io::Error> for Ended {
        fn from(error: io::Error) -> Ended {
            Ended::Failed(error)
        }
    }

    if input.is_file() {
        let end = input.length().min(EXAMINED);
        return Ok(most(&input.span(0, end)?));
    }
    let seen = input.each_chunk(false, |window| Err(Ended::Seen(most(window.bytes()))));
    match seen {
        Ok(()) => Ok(LineEnd::Lf),
        Err(Ended::Seen(end)) => Ok(end),
        Err(Ended::Failed(error)) => Err(error),
    }
}

/// The line ends that a text has most of; the first one, if it has as many of both.
fn most(text: &[u8]) -> LineEnd {
    // Usually there is none.
    if memchr::memchr(b'\r', text).is_none() {
        return LineEnd::Lf;
    }
    let (mut lf, mut crlf) = (0u64, 0u64);
    let mut first = None;
    for at in memchr::memchr_iter(b'\n', text) {
        let end = match text[..at].ends_with(b"\r") {
            true => LineEnd::CrLf,
            false => LineEnd::Lf,
        };
        match end {
            LineEnd::CrLf => crlf += 1,
            LineEnd::Lf => lf += 1,
        }
        first.get_or_insert(end);
    }
    match crlf.cmp(&lf) {
        std::cmp::Ordering::Greater => LineEnd::CrLf,
        std::cmp::Ordering::Less => LineEnd::Lf,
        std::cmp::Ordering::Equal => first.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_ends_that_there_are_most_of() {
        for (text, end) in [
            (&b""[..], LineEnd::Lf),
            (b"[1]", LineEnd::Lf),
            (b"[1]\r", LineEnd::Lf),
            (b"[1]\r\n", LineEnd::CrLf),
            (b"[\r\n1\r\n]\n", LineEnd::CrLf),
            (b"[\n1\r\n]\n", LineEnd::Lf),
            (b"[\r\n1]\n", LineEnd::CrLf),
            (b"[\n1]\r\n", LineEnd::Lf),
        ] {
            assert_eq!(most(text), end, "{text:?}");
        }
    }
}
