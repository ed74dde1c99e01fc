//! The layout of each file, from the settings of its sources: [`LayoutSettings`].
//!
//! | | option | `jsonx.json` | Prettier | `.editorconfig` | else |
//! |---|---|---|---|---|---|
//! | style | `--style`, `--compact` | `style` | prettier | | one element per line |
//! | indentation | `--indent`, `--tab` | `indent` | `useTabs`, `tabWidth` | `indent_style`, `indent_size`, `tab_width` | that of the file; two spaces |
//! | width | `--width` | `width` | `printWidth` | `max_line_length` | none; 80 in the style prettier |
//! | line ends | `--eol` | `eol` | `endOfLine` | `end_of_line` | those that the file has most of; LF in the style prettier |
//! | newline at the end | | `finalNewline` | | `insert_final_newline` | yes |
//! | order of keys | `--sort-keys` | `sortKeys` | | | as in the file |
//! | trailing commas | `--trailing-commas` | `trailingCommas` | `trailingComma` | | as in the file; by its name in the style prettier |

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jsonx_core::format::{Indent, LineEnd, PrettierStyle, RewriteOptions, Style};
use jsonx_core::jsonc::Dialect;

use super::commented::Comments;
use super::indentation;
use crate::args::{IndentArg, Layout, To};
use crate::check::InputKind;
use crate::config::Configs;
use crate::files::editorconfig::EditorConfigs;
use crate::files::formatters::Formatters;
use crate::files::formatters::ignored::Ignored;
use crate::files::layout::{Eol, LayoutSettings, LayoutStyle, Parser, TrailingCommas};
use crate::input::{Input, Name};

/// The number of bytes examined for line ends: some two thousand lines.
const EXAMINED: u64 = 64 << 10;

/// Finds the layout of each file.
pub struct Layouts {
    /// The settings of the command line.
    pub(super) requested: LayoutSettings,
    /// The same as options.
    pub(super) typed: String,
    rewrite: RewriteOptions,
    pub(super) to: Option<To>,
    pub(super) configs: Arc<Configs>,
    /// `None` if they are not to be read.
    formatters: Option<Formatters>,
    /// `.prettierignore` and `--ignore-path`.
    pub(super) ignored: Ignored,
    editor_configs: Option<EditorConfigs>,
}

/// The settings of each source for a file, the more specific ones first.
pub struct Sources {
    pub requested: LayoutSettings,
    pub config: LayoutSettings,
    pub formatter: LayoutSettings,
    pub editor_config: LayoutSettings,
}

/// The layout of a file, before its text is known.
#[derive(Clone, Copy)]
pub struct FileLayout {
    /// With line feeds, if the text determines the line ends.
    pub rewrite: RewriteOptions,
    /// The line ends of the text are kept.
    pub keeps_line_ends: bool,
    /// The first line end with a carriage return decides, not that of most lines.
    pub is_prettier: bool,
    /// The indentation of the text is kept.
    pub keeps_indent: bool,
    /// The treatment of comments and trailing commas.
    pub comments: Comments,
}

impl Layouts {
    /// From the options of the command line and the configs of the run.
    pub fn new(layout: &Layout, configs: Arc<Configs>) -> Layouts {
        let requested = requested(layout);
        let is_plain = layout.canonical || requested.style == Some(LayoutStyle::Compact);
        Layouts {
            typed: layout.typed(),
            rewrite: RewriteOptions::default()
                .ascii(layout.ascii)
                .unescape(layout.unescape)
                .html_safe(layout.html_safe)
                .canonical(layout.canonical),
            to: layout.to,
            formatters: (!is_plain && configs.are_read()).then(Formatters::default),
            configs,
            ignored: Ignored::new(&[]),
            editor_configs: (!layout.canonical && !layout.no_editorconfig)
                .then(EditorConfigs::default),
            requested,
        }
    }

    /// The same with the files of `--ignore-path`.
    #[must_use]
    pub fn ignoring(self, files: &[PathBuf]) -> Layouts {
        Layouts {
            ignored: Ignored::new(files),
            ..self
        }
    }

    /// The settings of each source for a file with this path; `None` for standard input without a name.
    pub fn sources(&self, path: Option<&Path>, kind: InputKind) -> Sources {
        let mut sources = Sources {
            requested: self.requested.clone(),
            config: LayoutSettings::default(),
            formatter: LayoutSettings::default(),
            editor_config: LayoutSettings::default(),
        };
        if self.rewrite.canonical {
            return sources;
        }
        // A file whose config cannot be used is not formatted.
        if let Ok(Some(settings)) = self.configs.settings(path) {
            sources.config = settings.layout();
        }
        // A global layout neither removes comments from a file nor overrides the command line.
        let requested = &self.requested;
        let has_lines = requested.has_indent() || requested.width.is_some();
        if sources.config.style == Some(LayoutStyle::Compact)
            && (has_lines || kind.dialect() != Dialect::Json)
        {
            sources.config.style = Some(LayoutStyle::Lines);
        }
        let Some(path) = path else {
            return sources;
        };
        if let Some(formatters) = &self.formatters {
            sources.formatter = formatters.settings(path);
            // An explicit style needs no other, and ignores its width.
            if requested.style.or(sources.config.style).is_some() {
                sources.formatter.unknown = None;
                sources.formatter.formatted = None;
                if !sources.is_prettier() {
                    sources.formatter.width = None;
                }
            }
        }
        if let Some(configs) = &self.editor_configs {
            let found = configs.settings(path);
            let settings = &mut sources.editor_config;
            *settings = found.layout;
            if sources.formatter.style == Some(LayoutStyle::Prettier) {
                (settings.tabs, settings.indent) = found.prettier;
            }
        }
        sources
    }

    /// The layout of a file with this path; `None` for standard input without a name.
    pub fn for_file(&self, path: Option<&Path>, kind: InputKind) -> FileLayout {
        let settings = self.sources(path, kind).merged();
        let style = if self.rewrite.canonical {
            LayoutStyle::Compact
        } else {
            settings.style.unwrap_or(LayoutStyle::Lines)
        };
        let mut rewrite = self.rewrite.sort_keys(settings.sort_keys.unwrap_or(false));
        rewrite = match style {
            LayoutStyle::Compact => rewrite.style(Style::Compact),
            LayoutStyle::Lines | LayoutStyle::Prettier => rewrite
                .style(Style::Pretty(match settings.tabs {
                    Some(true) => Indent::Tab,
                    _ => Indent::Spaces(settings.indent.unwrap_or(2)),
                }))
                .width(settings.width.filter(|&width| width > 0)),
        };
        let is_prettier = style == LayoutStyle::Prettier;
        if is_prettier {
            prettier(&mut rewrite, &settings, path);
        }
        let line_end = settings
            .line_end
            .unwrap_or(if is_prettier { Eol::Lf } else { Eol::Keep });
        if line_end == Eol::Crlf {
            rewrite = rewrite.line_end(LineEnd::CrLf);
        }
        rewrite.final_newline = is_prettier || settings.final_newline.unwrap_or(true);
        let is_kept = || path.is_some() && !settings.has_indent() && !is_prettier;
        FileLayout {
            rewrite,
            keeps_line_ends: line_end == Eol::Keep && !rewrite.canonical,
            is_prettier,
            keeps_indent: style != LayoutStyle::Compact
                && settings.keeps_indent.unwrap_or_else(is_kept),
            comments: Comments::new(settings.trailing_commas, self.to.is_some()),
        }
    }

    /// The sources of a layout, for `--verbose`.
    pub fn note(&self, path: Option<&Path>) -> Option<String> {
        let path = path?;
        let sources = self.sources(Some(path), InputKind::Json).merged().names();
        (!sources.is_empty())
            .then(|| format!("{}: layout from {}", Name::new(path), sources.join(", ")))
    }
}

impl Sources {
    /// Whether an explicit style is Prettier's.
    fn is_prettier(&self) -> bool {
        self.requested.style.or(self.config.style) == Some(LayoutStyle::Prettier)
    }

    /// The settings, each from the most specific source.
    pub fn merged(self) -> LayoutSettings {
        let lower = self.formatter.or(self.editor_config);
        self.requested.or(self.config).or(lower)
    }
}

/// The settings of the command line. Of options that override each other, clap keeps only the last.
fn requested(layout: &Layout) -> LayoutSettings {
    let settings = LayoutSettings {
        style: layout.style,
        width: layout.width,
        line_end: layout.eol,
        sort_keys: layout.sort_keys.then_some(true),
        trailing_commas: layout.trailing_commas,
        ..LayoutSettings::default()
    };
    let compact = LayoutSettings {
        style: Some(LayoutStyle::Compact),
        ..settings.clone()
    };
    match layout.indent {
        _ if layout.compact => compact,
        _ if layout.tab => settings.tab(),
        Some(IndentArg::Tab) => settings.tab(),
        Some(IndentArg::Spaces(spaces)) => settings.spaces(spaces),
        Some(IndentArg::Keep) => LayoutSettings {
            keeps_indent: Some(true),
            ..settings
        },
        None => settings,
    }
}

impl FileLayout {
    /// Whether the layout depends on the text.
    pub fn is_open(self) -> bool {
        self.keeps_line_ends || self.keeps_indent
    }

    /// The layout of an input, which is read again afterward.
    pub fn resolve(self, input: &mut Input) -> RewriteOptions {
        if !self.is_open() {
            return self.rewrite;
        }
        // A read error recurs when the input is read.
        let Ok((line_end, indent)) = examined(input, self) else {
            return self.rewrite;
        };
        let rewrite = match (self.keeps_indent, indent) {
            (true, Some(indent)) => self.rewrite.style(Style::Pretty(indent)),
            _ => self.rewrite,
        };
        if self.keeps_line_ends {
            rewrite.line_end(line_end)
        } else {
            rewrite
        }
    }
}

/// Sets the style of Prettier.
fn prettier(rewrite: &mut RewriteOptions, settings: &LayoutSettings, path: Option<&Path>) {
    let by_name = || path.map_or(Parser::Json, Parser::by_name);
    let parser = settings.parser.unwrap_or_else(by_name);
    if parser == Parser::JsonStringify {
        rewrite.width = None;
        return;
    }
    let has_commas = match settings.trailing_commas {
        Some(TrailingCommas::All) => true,
        Some(TrailingCommas::None) => false,
        // This style cannot keep them.
        Some(TrailingCommas::Keep) | None => matches!(parser, Parser::Jsonc | Parser::Json5),
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
        .trailing_commas(has_commas);
    rewrite.prettier = Some(style);
}

/// The line ends and the indentation of an input, by its first bytes. Bytes read from a pipe are delivered again.
fn examined(input: &mut Input, layout: FileLayout) -> io::Result<(LineEnd, Option<Indent>)> {
    let seen = |text: &[u8]| {
        let line_end = match layout.keeps_line_ends {
            true if layout.is_prettier && memchr::memmem::find(text, b"\r\n").is_some() => {
                LineEnd::CrLf
            }
            true => most(text),
            false => LineEnd::Lf,
        };
        let indent = if layout.keeps_indent {
            indentation::find(text)
        } else {
            None
        };
        (line_end, indent)
    };
    if input.is_file() {
        let end = input.length().min(EXAMINED);
        return Ok(seen(&input.span(0, end)?));
    }
    let first = input.peek(|text, _| Some(seen(text)))?;
    Ok(first.unwrap_or((LineEnd::Lf, None)))
}

/// The more frequent line ends of a text; the first one in a tie.
fn most(text: &[u8]) -> LineEnd {
    // Usually there is none.
    if !text.contains(&b'\r') {
        return LineEnd::Lf;
    }
    let (mut lf, mut crlf) = (0u64, 0u64);
    let mut first = None;
    for at in memchr::memchr_iter(b'\n', text) {
        let end = if text[..at].ends_with(b"\r") {
            LineEnd::CrLf
        } else {
            LineEnd::Lf
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
