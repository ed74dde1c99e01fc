//! Files with comments: which of them keep these, and how they are formatted.

use std::io;

use jsonx_core::jsonc::Dialect;
use jsonx_core::{
    Chunk, CommentFormatter, CommentStyle, Interest, LineEnd, Mode, Output, RewriteOptions, Sink,
    Stop, Style, Validator,
};

use super::transform::Expected;
use crate::args::{Layout, To, TrailingCommas};
use crate::check::{CheckOptions, Failure, InputKind, push};
use crate::input::Input;

/// The options for files with comments.
#[derive(Clone, Copy)]
pub struct Comments {
    trailing_commas: jsonx_core::TrailingCommas,
    to_json: bool,
    /// An option that does not keep comments.
    loses: Option<&'static str>,
}

impl Comments {
    /// From the options of a layout.
    pub fn new(layout: &Layout) -> Comments {
        Comments {
            trailing_commas: match layout.trailing_commas {
                TrailingCommas::Keep => jsonx_core::TrailingCommas::Keep,
                TrailingCommas::None => jsonx_core::TrailingCommas::None,
                TrailingCommas::All => jsonx_core::TrailingCommas::All,
            },
            to_json: layout.to == Some(To::Json),
            loses: match layout {
                Layout {
                    sort_keys: true, ..
                } => Some("--sort-keys"),
                Layout { width: Some(_), .. } => Some("--width"),
                Layout { ascii: true, .. } => Some("--ascii"),
                Layout {
                    html_safe: true, ..
                } => Some("--html-safe"),
                _ => None,
            },
        }
    }

    /// The style of an input whose comments are kept; `None` where it becomes plain JSON.
    ///
    /// # Errors
    /// It has comments, and an option does not keep them; or it cannot be read.
    pub fn style(
        self,
        options: &CheckOptions,
        rewrite: RewriteOptions,
        kind: InputKind,
        input: &mut Input,
    ) -> Result<Option<CommentStyle>, Failure> {
        let Style::Pretty(indent) = rewrite.style else {
            return Ok(None);
        };
        if kind.dialect() == Dialect::Json || self.to_json || rewrite.canonical {
            return Ok(None);
        }
        if let Some(option) = self.loses {
            return match input.is_file() && !has_comments(options, kind, input)? {
                true => Ok(None),
                false => Err(Failure::Read(io::Error::other(format!(
                    "{option} does not keep comments; add `--to json` to write plain JSON, without them"
                )))),
            };
        }
        let all = self.trailing_commas == jsonx_core::TrailingCommas::All;
        Ok(Some(
            CommentStyle::default()
                .indent(indent)
                .trailing_commas(match all && !kind.dialect().allows_trailing_commas() {
                    true => jsonx_core::TrailingCommas::None,
                    false => self.trailing_commas,
                })
                .crlf(rewrite.line_end == LineEnd::CrLf)
                .final_newline(rewrite.final_newline),
        ))
    }
}

/// Whether a file has comments or trailing commas.
fn has_comments(
    options: &CheckOptions,
    kind: InputKind,
    input: &mut Input,
) -> Result<bool, Failure> {
    /// Compares the filtered text with its source.
    struct Differs(bool);

    impl Sink for Differs {
        type Error = io::Error;
        type Output = ();

        fn interest(&self, _: Mode) -> Interest {
            Interest {
                source: true,
                ..Interest::default()
            }
        }

        fn chunk(&mut self, chunk: &Chunk<'_>) -> io::Result<()> {
            self.0 |= chunk.bytes != chunk.source;
            Ok(())
        }

        fn finish(self) -> io::Result<()> {
            Ok(())
        }
    }

    let mut differs = Differs(false);
    let mut validator = Validator::new(options.engine(kind));
    input.each_window(|window| Ok::<_, Failure>(push(&mut validator, window, &mut differs)?))?;
    Ok(differs.0)
}

/// Formats an input with its comments, and passes its bytes to `source`.
///
/// # Errors
/// `E` of what went wrong: the input is invalid or cannot be read, or the output cannot be written.
pub fn write<O: Output, E: From<io::Error>>(
    options: &CheckOptions,
    style: CommentStyle,
    kind: InputKind,
    input: &mut Input,
    output: O,
    mut source: impl FnMut(&[u8]) -> Result<(), O::Error>,
    failed: impl Fn(Stop<O::Error>) -> E,
) -> Result<O, E> {
    let mut formatter = CommentFormatter::new(style, output);
    let mut validator = Validator::new(options.engine(kind));
    input.each_window(|window| {
        let taken = push(&mut validator, window, &mut formatter).map_err(&failed)?;
        source(window.bytes()).map_err(|error| failed(Stop::Sink(error)))?;
        Ok::<_, E>(taken)
    })?;
    formatter
        .finish()
        .map_err(|error| failed(Stop::Sink(error)))
}

/// Whether an input is formatted in this style.
///
/// # Errors
/// It is invalid or cannot be read.
pub fn is_formatted(
    options: &CheckOptions,
    style: CommentStyle,
    kind: InputKind,
    input: &mut Input,
) -> Result<bool, Failure> {
    let mut comparison = Comparison(CommentFormatter::new(style, Expected::default()));
    let mut validator = Validator::new(options.engine(kind));
    input.each_window(|window| Ok::<_, Failure>(push(&mut validator, window, &mut comparison)?))?;
    let Ok(expected) = comparison.0.finish();
    Ok(expected.is_equal() && !input.has_byte_order_mark())
}

/// A sink that formats its input and compares the result with it.
struct Comparison(CommentFormatter<Expected>);

impl Sink for Comparison {
    type Error = std::convert::Infallible;
    type Output = Self;

    fn interest(&self, mode: Mode) -> Interest {
        self.0.interest(mode)
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Self::Error> {
        // The buffer is compared with the text that has come by then.
        self.0.output().extend(chunk.source);
        self.0.chunk(chunk)?;
        self.0.flush()
    }

    fn finish(self) -> Result<Self, Self::Error> {
        Ok(self)
    }
}
