//! Formats files with comments, or refuses to.

use std::io;

use jsonx_core::engine::{Validator, Verdict};
use jsonx_core::format::{RewriteOptions, Rewriter, Style, WriteTo, sort_commented};
use jsonx_core::jsonc::Dialect;
use jsonx_diagnose::json5::{Translation, respell, stand_ins};

use crate::check::{CheckOptions, Failure, InputKind, push};
use crate::exit::Exit;
use crate::files::layout::TrailingCommas;
use crate::input::{BYTE_ORDER_MARK, Input, MAX_EVIDENCE, Name};
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
        let prettier = match (rewrite.style, rewrite.prettier) {
            // The line breaks of the text matter in this style, also if it is sorted.
            (Style::Pretty(_), prettier)
                if !is_plain || prettier.is_some() && rewrite.sort_keys =>
            {
                prettier
            }
            (_, prettier) => {
                let prettier = prettier.map(|style| style.trailing_commas(false));
                return Writing::Plain(rewrite.prettier(prettier));
            }
        };
        let allows_commas = kind.dialect().allows_trailing_commas();
        let all = self.trailing_commas == jsonx_core::format::TrailingCommas::All;
        let trailing_commas = if all && !allows_commas {
            jsonx_core::format::TrailingCommas::None
        } else {
            self.trailing_commas
        };
        let prettier = prettier.map(|prettier| {
            let commas = prettier.trailing_commas && allows_commas && !is_plain;
            prettier.comments(!is_plain).trailing_commas(commas)
        });
        Writing::Commented(Commented {
            rewrite: rewrite
                .sort_keys(false)
                .prettier(prettier)
                .comments(Some(trailing_commas)),
            sorts: rewrite.sort_keys,
            changes_tokens: rewrite.sort_keys
                || rewrite.ascii
                || rewrite.unescape
                || rewrite.html_safe,
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
    pub rewrite: RewriteOptions,
    sorts: bool,
    /// More than white space and commas may change.
    changes_tokens: bool,
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
                "jsonx: {name}: only the white space of JSON5 can be formatted, without --sort-keys, --ascii, --unescape or --html-safe; \
                 `jsonx fix {name}` converts it to JSON"
            ),
        });
    }
    let engine = options.engine(InputKind::Json5);
    Validator::new(engine).check(translation.text(), Verdict)?;
    let formatter = Rewriter::new(commented.rewrite, Vec::new());
    let source = translation.source();
    let formatted = Validator::new(engine).check(&stand_ins(source), formatter)?;
    Ok(respell(source, &formatted))
}

/// Formats an input with its comments. One that was given a value stays as it is.
///
/// # Errors
/// The input is invalid or cannot be read; `Failure::Write` if the output fails.
pub fn write(
    options: &CheckOptions,
    commented: Commented,
    kind: InputKind,
    input: &mut Input,
    output: &mut AnyOutput<'_>,
) -> Result<(), Failure> {
    if let Some(text) = input.without_value() {
        return output.write(text).map_err(Failure::Write);
    }
    if let Some(translation) = input.json5().filter(|it| !it.has_json_tokens()) {
        let formatted = respelled(options, commented, input.name(), translation)?;
        return output.write(&formatted).map_err(Failure::Write);
    }
    let mut formatter = Rewriter::new(commented.rewrite, output);
    let mut validator = Validator::new(options.engine(kind));
    if commented.sorts {
        let mut text = Vec::new();
        input.each_window(|window| {
            let taken = push(&mut validator, window, &mut Verdict)?;
            hold(&mut text, window.bytes())?;
            Ok::<_, Failure>(taken)
        })?;
        let engine = options.engine(kind);
        let sorted = sort_commented(&text, engine).map_err(Failure::Invalid)?;
        let validator = Validator::new(engine);
        return Ok(validator.check(&sorted, formatter).map(drop)?);
    }
    input.each_window(|window| {
        push(&mut validator, window, &mut formatter).map_err(Failure::from)
    })?;
    Ok(formatter.finish().map(drop)?)
}

/// Appends to a text that is held in memory to be sorted.
fn hold(text: &mut Vec<u8>, bytes: &[u8]) -> io::Result<()> {
    if (text.len() + bytes.len()) as u64 > MAX_EVIDENCE {
        let reason = "too large to be sorted with its comments: more than 256 MB";
        return Err(io::Error::other(reason));
    }
    text.extend_from_slice(bytes);
    Ok(())
}

/// Whether an input is formatted already; `None` if this can be checked in constant memory.
///
/// # Errors
/// The input is invalid or cannot be read.
pub fn is_formatted(
    options: &CheckOptions,
    commented: Commented,
    kind: InputKind,
    input: &mut Input,
) -> Result<Option<bool>, Failure> {
    if input.without_value().is_some() {
        return Ok(Some(true));
    }
    if let Some(translation) = input.json5().filter(|it| !it.is_jsonc()) {
        // Other white space is replaced, and never part of formatted text.
        if translation.has_json_tokens() {
            return options.check(input, kind).map(|()| Some(false));
        }
        let formatted = respelled(options, commented, input.name(), translation)?;
        let source = translation.source();
        let source = source.strip_prefix(BYTE_ORDER_MARK).unwrap_or(source);
        return Ok(Some(formatted == source));
    }
    if !commented.sorts {
        return Ok(None);
    }
    input.keep();
    let mut formatted = WriteTo(Vec::new());
    write(options, commented, kind, input, &mut formatted)?;
    let original = input.original(usize::MAX)?;
    let original = original.map(|text| match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => rest == formatted.0,
        None => text == formatted.0,
    });
    Ok(Some(original.unwrap_or(false)))
}
