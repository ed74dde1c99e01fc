//! Formats files with comments, or refuses to.

use std::io;

use jsonx_core::engine::{Chunk, Interest, Mode, Sink, Validator, Verdict};
use jsonx_core::format::{
    CommentFormatter, CommentStyle, LineEnd, Output, RewriteError, RewriteOptions, Rewriter, Style,
    WriteTo, sort_commented,
};
use jsonx_core::json5::{Translation, respell, stand_ins};
use jsonx_core::jsonc::Dialect;

use super::expected::Expected;
use crate::check::{CheckOptions, Failure, InputKind, push};
use crate::exit::Exit;
use crate::files::layout::TrailingCommas;
use crate::input::{Input, MAX_EVIDENCE, Name};
use crate::output::AnyOutput;

/// The options for files with comments.
#[derive(Clone, Copy)]
pub struct Comments {
    trailing_commas: jsonx_core::format::TrailingCommas,
    to_json: bool,
}

impl Comments {
    /// From the settings of a file; with `to_json`, comments are omitted.
    pub fn new(trailing_commas: Option<TrailingCommas>, to_json: bool) -> Comments {
        Comments {
            trailing_commas: match trailing_commas {
                Some(TrailingCommas::Keep) | None => jsonx_core::format::TrailingCommas::Keep,
                Some(TrailingCommas::None) => jsonx_core::format::TrailingCommas::None,
                Some(TrailingCommas::All) => jsonx_core::format::TrailingCommas::All,
            },
            to_json,
        }
    }

    /// How to write an input.
    pub fn writing(self, rewrite: RewriteOptions, kind: InputKind) -> Writing {
        let is_plain = kind.dialect() == Dialect::Json || self.to_json || rewrite.canonical;
        let (indent, prettier) = match (rewrite.style, rewrite.prettier) {
            // The line breaks of the text matter in this style, also if it is sorted.
            (Style::Pretty(indent), prettier)
                if !is_plain || prettier.is_some() && rewrite.sort_keys =>
            {
                (indent, prettier)
            }
            (_, prettier) => {
                let prettier = prettier.map(|style| style.trailing_commas(false));
                return Writing::Plain(rewrite.prettier(prettier));
            }
        };
        let all = self.trailing_commas == jsonx_core::format::TrailingCommas::All;
        let style = CommentStyle::default()
            .indent(indent)
            .trailing_commas(match all && !kind.dialect().allows_trailing_commas() {
                true => jsonx_core::format::TrailingCommas::None,
                false => self.trailing_commas,
            })
            .crlf(rewrite.line_end == LineEnd::CrLf)
            .final_newline(rewrite.final_newline)
            .width(rewrite.width)
            .ascii(rewrite.ascii)
            .html_safe(rewrite.html_safe);
        let commas = kind.dialect().allows_trailing_commas() && !is_plain;
        Writing::Commented(Commented {
            style,
            prettier: prettier.map(|prettier| {
                let commas = prettier.trailing_commas && commas;
                rewrite
                    .sort_keys(false)
                    .prettier(Some(prettier.comments(!is_plain).trailing_commas(commas)))
            }),
            sorts: rewrite.sort_keys,
            changes_tokens: rewrite.sort_keys || rewrite.ascii || rewrite.html_safe,
        })
    }
}

/// How an input is written.
pub enum Writing {
    /// As plain JSON.
    Plain(RewriteOptions),
    /// With its comments, or sorted with its line breaks.
    Commented(Commented),
}

/// The layout of an input whose comments are kept.
#[derive(Clone, Copy)]
pub struct Commented {
    style: CommentStyle,
    /// The options for the style of Prettier.
    prettier: Option<RewriteOptions>,
    sorts: bool,
    /// More than white space and commas may change.
    changes_tokens: bool,
}

/// A sink that writes an input with its comments.
enum Formatter<O> {
    Lines(CommentFormatter<O>),
    Prettier(Rewriter<O>),
}

impl<O: Output> Formatter<O> {
    fn new(commented: Commented, output: O) -> Self {
        match commented.prettier {
            Some(rewrite) => Formatter::Prettier(Rewriter::new(rewrite, output)),
            None => Formatter::Lines(CommentFormatter::new(commented.style, output)),
        }
    }

    fn output(&mut self) -> &mut O {
        match self {
            Formatter::Lines(formatter) => formatter.output(),
            Formatter::Prettier(rewriter) => rewriter.output(),
        }
    }

    /// Writes what is in the buffer, but for the line end of a complete value.
    fn flush(&mut self) -> Result<(), O::Error> {
        match self {
            Formatter::Lines(formatter) => formatter.flush(),
            Formatter::Prettier(_) => Ok(()),
        }
    }
}

/// The error of the output. A layout has no others.
fn output_error<E>(error: RewriteError<E>) -> E {
    match error {
        RewriteError::Output(error) => error,
        _ => unreachable!("a change of tokens without its option"),
    }
}

impl<O: Output> Sink for Formatter<O> {
    type Error = O::Error;
    type Output = O;

    fn interest(&self, mode: Mode) -> Interest {
        match self {
            Formatter::Lines(formatter) => formatter.interest(mode),
            Formatter::Prettier(rewriter) => rewriter.interest(mode),
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), O::Error> {
        match self {
            Formatter::Lines(formatter) => formatter.chunk(chunk),
            Formatter::Prettier(rewriter) => rewriter.chunk(chunk).map_err(output_error),
        }
    }

    fn finish(self) -> Result<O, O::Error> {
        match self {
            Formatter::Lines(formatter) => formatter.finish(),
            Formatter::Prettier(rewriter) => rewriter.finish().map_err(output_error),
        }
    }
}

/// A text in JSON5 in this layout, token for token.
///
/// # Errors
/// It is invalid, or the layout changes tokens.
fn respelled(
    options: &CheckOptions,
    commented: Commented,
    name: &Name,
    translation: &Translation,
) -> Result<Vec<u8>, Failure> {
    if commented.changes_tokens {
        return Err(Failure::Declined {
            exit: Exit::Usage,
            message: format!(
                "jsonx: {name}: only the white space of JSON5 can be formatted, without --sort-keys, --ascii or --html-safe; \
                 `jsonx fix {name}` converts it to JSON"
            ),
        });
    }
    let engine = options.engine(InputKind::Json5);
    Validator::new(engine).check(translation.text(), Verdict)?;
    let formatter = Formatter::new(commented, Vec::new());
    let source = translation.source();
    let formatted = Validator::new(engine).check(&stand_ins(source), formatter)?;
    Ok(respell(source, &formatted))
}

/// Formats an input with its comments, and writes its bytes to `source`.
///
/// # Errors
/// The input is invalid or cannot be read; `Failure::Write` if the output or `source` fails.
pub fn write(
    options: &CheckOptions,
    commented: Commented,
    kind: InputKind,
    input: &mut Input,
    output: &mut AnyOutput<'_>,
    source: &mut AnyOutput<'_>,
) -> Result<(), Failure> {
    let translation = input.json5().cloned();
    let mut no_source = WriteTo(io::sink());
    let source = match &translation {
        Some(translation) => {
            source.write(translation.source()).map_err(Failure::Write)?;
            &mut no_source
        }
        None => source,
    };
    if let Some(translation) = translation.filter(|it| !it.has_json_tokens()) {
        let formatted = respelled(options, commented, input.name(), &translation)?;
        return output.write(&formatted).map_err(Failure::Write);
    }
    let mut formatter = Formatter::new(commented, output);
    let mut validator = Validator::new(options.engine(kind));
    if commented.sorts {
        let mut text = Vec::new();
        input.each_window(|window| {
            let taken = push(&mut validator, window, &mut Verdict)?;
            hold(&mut text, window.bytes())?;
            source.write(window.bytes()).map_err(Failure::Write)?;
            Ok::<_, Failure>(taken)
        })?;
        let engine = options.engine(kind);
        let sorted = sort_commented(&text, engine).map_err(Failure::Invalid)?;
        let validator = Validator::new(engine);
        return Ok(validator.check(&sorted, formatter).map(drop)?);
    }
    input.each_window(|window| {
        let taken = push(&mut validator, window, &mut formatter)?;
        source.write(window.bytes()).map_err(Failure::Write)?;
        Ok::<_, Failure>(taken)
    })?;
    formatter.finish().map(drop).map_err(Failure::Write)
}

/// Appends to a text that is held in memory to be sorted.
fn hold(text: &mut Vec<u8>, bytes: &[u8]) -> io::Result<()> {
    let is_too_large = (text.len() + bytes.len()) as u64 > MAX_EVIDENCE;
    if is_too_large || text.try_reserve(bytes.len()).is_err() {
        let reason = "too large to be sorted with its comments: more than 256 MB";
        return Err(io::Error::other(reason));
    }
    text.extend_from_slice(bytes);
    Ok(())
}

/// Whether an input is formatted in this layout.
///
/// # Errors
/// It is invalid or cannot be read.
pub fn is_formatted(
    options: &CheckOptions,
    commented: Commented,
    kind: InputKind,
    input: &mut Input,
) -> Result<bool, Failure> {
    if let Some(translation) = input.json5().filter(|it| !it.is_jsonc()) {
        // Other white space is replaced, and never part of formatted text.
        if translation.has_json_tokens() {
            return options.check(input, kind).map(|()| false);
        }
        let formatted = respelled(options, commented, input.name(), translation)?;
        return Ok(formatted == translation.source());
    }
    if commented.sorts {
        let (mut formatted, mut text) = (WriteTo(Vec::new()), WriteTo(Vec::new()));
        write(options, commented, kind, input, &mut formatted, &mut text)?;
        return Ok(formatted.0 == text.0 && !input.has_byte_order_mark());
    }
    let mut comparison = Comparison(Formatter::new(commented, Expected::default()));
    let mut validator = Validator::new(options.engine(kind));
    input.each_window(|window| Ok::<_, Failure>(push(&mut validator, window, &mut comparison)?))?;
    if let Formatter::Prettier(rewriter) = &comparison.0
        && rewriter.is_unclear()
    {
        return Err(Failure::Declined {
            exit: Exit::Failure,
            message: format!(
                "jsonx: {}: left alone: Biome's layout of comments in arrays of numbers is not known",
                input.name()
            ),
        });
    }
    let Ok(expected) = comparison.0.finish();
    Ok(expected.is_equal() && !input.has_byte_order_mark())
}

/// A sink that formats its input and compares the result with it.
struct Comparison(Formatter<Expected>);

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
