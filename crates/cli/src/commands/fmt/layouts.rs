//! The layout of each file: what the command line asks for, else `.editorconfig`, else what is usual.
//!
//! | | option | `.editorconfig` | else |
//! |---|---|---|---|
//! | indentation | `--indent`, `--tab`, `--compact`, `--jsonl` | `indent_style`, `indent_size`, `tab_width` | two spaces |
//! | width | `--width`, `--compact`, `--jsonl` | `max_line_length` | none |
//! | line ends | `--eol` | `end_of_line` | those that the file has most of |
//! | newline at the end | | `insert_final_newline` | yes |

use std::io;
use std::path::{Path, PathBuf};

use jsonx_core::format::{Indent, LineEnd, RewriteOptions, Style};

use crate::args::{Eol, Layout};
use crate::files::editorconfig::{EditorConfigs, IndentStyle, LineEnding};
use crate::input::{Input, Name};

/// Bytes at the start of an input that tell its line ends: some two thousand lines.
const EXAMINED: u64 = 64 << 10;

/// Finds the layout of each file.
pub struct Layouts {
    /// As the command line has it.
    rewrite: RewriteOptions,
    keeps_line_ends: bool,
    has_indent: bool,
    has_width: bool,
    has_line_end: bool,
    /// `None` if they are not to be read.
    configs: Option<EditorConfigs>,
}

/// The layout of a file, before its text is known.
#[derive(Clone, Copy)]
pub struct FileLayout {
    /// With line feeds, if the text decides.
    pub rewrite: RewriteOptions,
    /// The text decides about its line ends.
    pub keeps_line_ends: bool,
}

impl Layouts {
    /// From the options of the command line.
    pub fn new(layout: &Layout) -> Layouts {
        let is_compact = layout.compact || layout.jsonl;
        Layouts {
            rewrite: rewrite(layout),
            keeps_line_ends: matches!(layout.eol, None | Some(Eol::Keep)) && !layout.canonical,
            has_indent: is_compact || layout.tab || layout.indent.is_some(),
            has_width: is_compact || layout.width.is_some(),
            has_line_end: layout.eol.is_some(),
            configs: (!layout.canonical && !layout.no_editorconfig).then(EditorConfigs::default),
        }
    }

    /// The layout of a file with this path; `None` for standard input without a name.
    pub fn of(&self, path: Option<&Path>) -> FileLayout {
        let mut layout = FileLayout {
            rewrite: self.rewrite,
            keeps_line_ends: self.keeps_line_ends,
        };
        let (Some(configs), Some(path)) = (&self.configs, path) else {
            return layout;
        };
        let config = configs.of(path);
        if !self.has_indent {
            match config.indent {
                Some(IndentStyle::Tab) => {
                    layout.rewrite = layout.rewrite.style(Style::Pretty(Indent::Tab));
                }
                Some(IndentStyle::Spaces(Some(spaces))) => {
                    let style = Style::Pretty(Indent::Spaces(spaces));
                    layout.rewrite = layout.rewrite.style(style);
                }
                Some(IndentStyle::Spaces(None)) | None => {}
            }
        }
        if !self.has_width {
            let width = config.width.filter(|&width| width > 0);
            layout.rewrite = layout.rewrite.width(width);
        }
        if let (false, Some(end)) = (self.has_line_end, config.line_end) {
            layout.keeps_line_ends = false;
            layout.rewrite = layout.rewrite.line_end(match end {
                LineEnding::Lf => LineEnd::Lf,
                LineEnding::CrLf => LineEnd::CrLf,
            });
        }
        let final_newline = config.final_newline.unwrap_or(true);
        layout.rewrite = layout.rewrite.final_newline(final_newline);
        layout
    }

    /// The files that a layout is from, for `--verbose`.
    pub fn note(&self, path: Option<&Path>) -> Option<String> {
        let (configs, path) = (self.configs.as_ref()?, path?);
        let sources = configs.of(path).sources;
        let here = std::env::current_dir().unwrap_or_default();
        let shown =
            |source: &PathBuf| Name::of(source.strip_prefix(&here).unwrap_or(source)).to_string();
        let sources: Vec<String> = sources.iter().map(shown).collect();
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
