//! The layout of each file, from the settings of its sources: [`LayoutSettings`].
//!
//! | | option | Prettier | Biome | `.editorconfig` | else |
//! |---|---|---|---|---|---|
//! | style | `--style` | prettier | prettier | | one element per line |
//! | indentation | `--indent`, `--tab`, `--compact`, `--jsonl` | `useTabs`, `tabWidth` | `indentStyle`, `indentWidth` | `indent_style`, `indent_size`, `tab_width` | that of the file; two spaces |
//! | width | `--width`, `--compact`, `--jsonl` | `printWidth` | `lineWidth` | `max_line_length` | none; 80 in the style prettier |
//! | line ends | `--eol` | `endOfLine` | `lineEnding` | `end_of_line` | those that the file has most of; LF in the style prettier |
//! | newline at the end | | | | `insert_final_newline` | yes |

use std::io;
use std::path::{Path, PathBuf};

use jsonx_core::format::{Indent, LineEnd, PrettierStyle, RewriteOptions, Style};

use super::indentation;
use crate::args::{IndentArg, Layout};
use crate::files::editorconfig::EditorConfigs;
use crate::files::formatters::Formatters;
use crate::files::layout::{Eol, LayoutSettings, LayoutStyle, Parser, TrailingCommas};
use crate::input::{Input, Name};

/// Bytes at the start of an input that tell its line ends: some two thousand lines.
const EXAMINED: u64 = 64 << 10;

/// Finds the layout of each file.
pub struct Layouts {
    /// What the command line says.
    options: LayoutSettings,
    rewrite: RewriteOptions,
    keeps_indent: bool,
    /// `None` if they are not to be read.
    configs: Option<EditorConfigs>,
    formatters: Option<Formatters>,
}

/// The layout of a file, before its text is known.
#[derive(Clone, Copy)]
pub struct FileLayout {
    /// With line feeds, if the text decides.
    pub rewrite: RewriteOptions,
    /// The text decides about its line ends.
    pub keeps_line_ends: bool,
    /// The text decides about its indentation.
    pub keeps_indent: bool,
    /// The treatment of trailing commas, if a source has it.
    pub trailing_commas: Option<TrailingCommas>,
}

impl Layouts {
    /// From the options of the command line.
    pub fn new(layout: &Layout) -> Layouts {
        let is_compact =
            layout.compact || layout.jsonl || layout.indent == Some(IndentArg::Spaces(0));
        let spaces = match layout.indent {
            Some(IndentArg::Spaces(spaces)) => Some(spaces),
            _ => None,
        };
        let style = match is_compact {
            true => Style::Compact,
            false => Style::Pretty(Indent::Spaces(2)),
        };
        Layouts {
            options: LayoutSettings {
                style: layout.style,
                tabs: match (layout.tab, spaces) {
                    (true, _) => Some(true),
                    (false, spaces) => spaces.map(|_| false),
                },
                indent: spaces,
                width: layout.width,
                line_end: layout.eol,
                trailing_commas: layout.trailing_commas,
                ..LayoutSettings::default()
            },
            rewrite: RewriteOptions::from(style)
                .sort_keys(layout.sort_keys)
                .ascii(layout.ascii)
                .html_safe(layout.html_safe)
                .canonical(layout.canonical),
            keeps_indent: layout.indent == Some(IndentArg::Keep),
            configs: (!layout.canonical && !layout.no_editorconfig).then(EditorConfigs::default),
            formatters: (!layout.canonical).then(Formatters::default),
        }
    }

    /// All settings for a file with this path; `None` for standard input without a name.
    fn settings(&self, path: Option<&Path>) -> LayoutSettings {
        let mut settings = self.options.clone();
        let Some(path) = path else {
            return settings;
        };
        if let Some(formatters) = &self.formatters {
            let mut lower = formatters.of(path);
            // Their width is that of the style prettier.
            if settings.style == Some(LayoutStyle::Lines) {
                lower.width = None;
            }
            settings = settings.or(lower);
        }
        if let Some(configs) = &self.configs {
            settings = settings.or(configs.of(path).into());
        }
        settings
    }

    /// The layout of a file with this path; `None` for standard input without a name.
    pub fn of(&self, path: Option<&Path>) -> FileLayout {
        let settings = self.settings(path);
        let is_plain = self.rewrite.style == Style::Compact || self.rewrite.canonical;
        let is_prettier = settings.style == Some(LayoutStyle::Prettier) && !is_plain;
        let has_indent = settings.tabs.is_some() || settings.indent.is_some();
        let mut rewrite = self.rewrite;
        if !is_plain {
            rewrite.style = Style::Pretty(match settings.tabs {
                Some(true) => Indent::Tab,
                _ => Indent::Spaces(settings.indent.unwrap_or(2)),
            });
            rewrite.width = settings.width.filter(|&width| width > 0);
        }
        if is_prettier {
            prettier(&mut rewrite, &settings, path);
        }
        let line_end = settings.line_end.unwrap_or(match is_prettier {
            true => Eol::Lf,
            false => Eol::Keep,
        });
        if line_end == Eol::Crlf {
            rewrite.line_end = LineEnd::CrLf;
        }
        rewrite.final_newline = is_prettier || settings.final_newline.unwrap_or(true);
        FileLayout {
            rewrite,
            keeps_line_ends: line_end == Eol::Keep && !rewrite.canonical,
            keeps_indent: !is_plain
                && (self.keeps_indent || path.is_some() && !has_indent && !is_prettier),
            trailing_commas: settings.trailing_commas,
        }
    }

    /// The files that a layout is from, for `--verbose`.
    pub fn note(&self, path: Option<&Path>) -> Option<String> {
        let path = path?;
        let sources = self.settings(Some(path)).sources;
        let here = std::env::current_dir().unwrap_or_default();
        let shown =
            |source: &PathBuf| Name::of(source.strip_prefix(&here).unwrap_or(source)).to_string();
        let sources: Vec<String> = sources.iter().map(shown).collect();
        (!sources.is_empty())
            .then(|| format!("{}: layout from {}", Name::of(path), sources.join(", ")))
    }
}

impl FileLayout {
    /// Whether the text decides about anything.
    pub fn is_open(self) -> bool {
        self.keeps_line_ends || self.keeps_indent
    }

    /// The layout of an input, which is read again afterwards.
    pub fn resolve(self, input: &mut Input) -> RewriteOptions {
        if !self.is_open() {
            return self.rewrite;
        }
        // A failure to read shows again when it is read.
        let Ok((line_end, indent)) = examined(input, self) else {
            return self.rewrite;
        };
        let rewrite = match (self.keeps_indent, indent) {
            (true, Some(indent)) => self.rewrite.style(Style::Pretty(indent)),
            _ => self.rewrite,
        };
        match self.keeps_line_ends {
            true => rewrite.line_end(line_end),
            false => rewrite,
        }
    }
}

/// Sets the style of Prettier.
fn prettier(rewrite: &mut RewriteOptions, settings: &LayoutSettings, path: Option<&Path>) {
    let parser = settings.parser;
    let parser = parser.unwrap_or_else(|| path.map_or(Parser::Json, Parser::of));
    if parser == Parser::JsonStringify {
        rewrite.width = None;
        return;
    }
    let all = match settings.trailing_commas {
        Some(commas) => commas == TrailingCommas::All,
        None => true,
    };
    rewrite.width = Some(match settings.width {
        Some(0) => u16::MAX,
        Some(width) => width,
        None => 80,
    });
    let style = PrettierStyle::default()
        .tab_width(settings.indent.unwrap_or(2))
        .bracket_spacing(settings.bracket_spacing.unwrap_or(true))
        .collapse(settings.collapse.unwrap_or(false))
        .trailing_commas(all && parser == Parser::Jsonc);
    rewrite.prettier = Some(style);
}

/// The line ends and the indentation of an input, by its first bytes. Bytes read from a pipe are delivered again.
fn examined(input: &mut Input, layout: FileLayout) -> io::Result<(LineEnd, Option<Indent>)> {
    /// Ends the reading of a pipe.
    enum Ended {
        Seen(LineEnd, Option<Indent>),
        Failed(io::Error),
    }

    impl From<io::Error> for Ended {
        fn from(error: io::Error) -> Ended {
            Ended::Failed(error)
        }
    }

    let seen = |text: &[u8]| {
        let line_end = match layout.keeps_line_ends {
            true => most(text),
            false => LineEnd::Lf,
        };
        let indent = match layout.keeps_indent {
            true => indentation::of(text),
            false => None,
        };
        (line_end, indent)
    };
    if input.is_file() {
        let end = input.length().min(EXAMINED);
        return Ok(seen(&input.span(0, end)?));
    }
    let read = input.each_chunk(false, |window| {
        let (line_end, indent) = seen(window.bytes());
        Err(Ended::Seen(line_end, indent))
    });
    match read {
        Ok(()) => Ok((LineEnd::Lf, None)),
        Err(Ended::Seen(line_end, indent)) => Ok((line_end, indent)),
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
