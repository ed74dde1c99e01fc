//! Prints a match in the requested style.

use std::io;

use jsonx_core::engine::Options;
use jsonx_core::format::{Indent, Output, RewriteOptions, Rewriter, Style};
use jsonx_core::jsonc::Dialect;
use jsonx_core::path::{Location, Notation};
use jsonx_core::string::{Surrogates, decode_into};
use jsonx_core::validate;

use super::text::ValueText;
use crate::args::Get;
use crate::check::Failure;
use crate::colors::Colors;
use crate::input::Name;
use crate::output::AnyOutput;
use crate::report::{escape, escape_json, escape_lines};
use crate::terminal::Color;

/// The property of a match to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    Value,
    Locate,
    Count,
    /// Nothing: only the exit code is of interest.
    Nothing,
    /// The shape of all matches together.
    Shape,
}

impl Show {
    pub fn new(args: &Get, quiet: bool) -> Show {
        match args {
            _ if quiet => Show::Nothing,
            Get { locate: true, .. } => Show::Locate,
            Get { count: true, .. } => Show::Count,
            _ => Show::Value,
        }
    }
}

/// Output in memory, until its turn comes.
pub struct Buffer<'a>(pub &'a mut Vec<u8>);

impl Output for Buffer<'_> {
    type Error = io::Error;

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }
}

/// Prints matches.
pub struct Printer {
    pub show: Show,
    /// Prints the path of each match.
    pub with_path: bool,
    /// Prints the file name of each match.
    names: bool,
    /// `None`: the source text, unchanged.
    style: Option<Style>,
    /// Prints strings decoded, without quotes.
    raw: bool,
    /// Printed after each value.
    end: &'static [u8],
    /// The colors of JSON, if enabled.
    colors: Option<Colors>,
    /// Output is a terminal, so control characters are escaped.
    guard: bool,
    /// Options for validating one value.
    options: Options,
}

/// Labels printed with a match.
pub struct Labels<'l> {
    pub name: &'l Name,
    pub location: Option<&'l Location>,
    /// The language of the path that found it.
    pub notation: Notation,
    /// Line and column.
    pub place: Option<(u64, u64)>,
    /// The match in the input, if that is JSON5 and the value is translated.
    pub source: Option<&'l [u8]>,
}

impl Printer {
    /// Creates a printer of a property of each match, for one file or `several`. `options` validate one value.
    pub fn new(
        args: &Get,
        show: Show,
        several: bool,
        terminal: bool,
        color: Color,
        options: Options,
    ) -> Printer {
        let joined = args.join || args.raw_output0;
        let names = args.with_filename || several && !args.no_filename && !joined;
        let style = match args {
            Get { source: true, .. } => None,
            Get { compact: true, .. } => Some(Style::Compact),
            Get { with_path, .. } if *with_path || names => Some(Style::Compact),
            _ => Some(Style::Pretty(Indent::Spaces(2))),
        };
        Printer {
            show,
            with_path: args.with_path && !matches!(show, Show::Count | Show::Nothing),
            names,
            style,
            raw: args.raw || joined,
            end: match args {
                args if args.join => b"",
                Get {
                    raw_output0: true, ..
                } => b"\0",
                _ => b"\n",
            },
            guard: terminal,
            colors: Colors::of_stdout(color),
            options,
        }
    }

    /// Whether values are printed in the bytes of the input.
    pub fn prints_source(&self) -> bool {
        self.style.is_none()
    }

    /// Options for validating one value.
    pub fn options(&self) -> Options {
        self.options
    }

    /// Prints a match. Returns whether lone surrogates were replaced by U+FFFD.
    ///
    /// # Errors
    /// Returns an error if reading, writing or allocating fails; `Invalid` if the file was changed since it was
    /// checked.
    pub fn one(
        &self,
        target: &mut AnyOutput<'_>,
        labels: &Labels<'_>,
        value: &mut ValueText<'_>,
    ) -> Result<bool, Failure> {
        self.labels(target, labels).map_err(Failure::Write)?;
        match self.show {
            Show::Count | Show::Nothing | Show::Shape => {}
            Show::Locate => self.place(target, labels).map_err(Failure::Write)?,
            Show::Value if self.raw && value.first()? == b'"' => {
                let whole = value.whole()?;
                let quoted = whole
                    .strip_prefix(b"\"")
                    .and_then(|t| t.strip_suffix(b"\""));
                return self.string(target, quoted.unwrap_or(&whole));
            }
            Show::Value => match labels.source.filter(|_| self.style.is_none()) {
                Some(source) => self.value(target, &mut ValueText::Bytes(source))?,
                None => self.value(target, value)?,
            },
        }
        Ok(false)
    }

    /// Prints the default: JSON, or any text if strings are printed raw.
    ///
    /// # Errors
    /// See [`Printer::one`].
    pub fn default(
        &self,
        target: &mut AnyOutput<'_>,
        labels: &Labels<'_>,
        value: &[u8],
    ) -> Result<(), Failure> {
        if self.show == Show::Nothing {
            return Ok(());
        }
        if validate(value).is_ok() {
            return self
                .one(target, labels, &mut ValueText::Bytes(value))
                .map(drop);
        }
        self.labels(target, labels).map_err(Failure::Write)?;
        let written = target.write(value).and_then(|()| target.write(self.end));
        written.map_err(Failure::Write)
    }

    /// Prints the number of matches.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn count(&self, target: &mut AnyOutput<'_>, name: &Name, count: u64) -> io::Result<()> {
        let labels = Labels {
            name,
            location: None,
            notation: Notation::Dot,
            place: None,
            source: None,
        };
        self.labels(target, &labels)?;
        target.write(count.to_string().as_bytes())?;
        target.write(self.end_of_line())
    }

    fn labels(&self, target: &mut AnyOutput<'_>, labels: &Labels<'_>) -> io::Result<()> {
        if self.names && self.show != Show::Locate {
            self.name(target, labels.name)?;
            target.write(b":")?;
        }
        if let Some(location) = labels.location {
            let path = location.display(labels.notation).to_string();
            let path = if self.guard { escape(&path) } else { path };
            target.write(path.as_bytes())?;
            target.write(b"\t")?;
        }
        Ok(())
    }

    fn name(&self, target: &mut AnyOutput<'_>, name: &Name) -> io::Result<()> {
        if self.guard {
            target.write(name.to_string().as_bytes())
        } else {
            target.write(name.bytes())
        }
    }

    fn place(&self, target: &mut AnyOutput<'_>, labels: &Labels<'_>) -> io::Result<()> {
        let (line, column) = labels.place.unwrap_or_default();
        self.name(target, labels.name)?;
        target.write(format!(":{line}:{column}").as_bytes())?;
        target.write(self.end_of_line())
    }

    /// The terminator of a position or a count. `--join` still prints a newline, because adjacent numbers could not be
    /// told apart.
    fn end_of_line(&self) -> &'static [u8] {
        match self.end {
            b"" => b"\n",
            end => end,
        }
    }

    /// Prints a value as JSON.
    fn value(&self, target: &mut AnyOutput<'_>, value: &mut ValueText<'_>) -> Result<(), Failure> {
        if self.guard || self.colors.is_some() {
            let mut buffer = Vec::new();
            self.unguarded(&mut Buffer(&mut buffer), value)?;
            let shown = if self.guard {
                escape_json(&buffer).into_bytes()
            } else {
                buffer
            };
            let shown = match self.colors.clone() {
                Some(mut colors) => [&colors.paint(&shown)[..], colors.end()].concat(),
                None => shown,
            };
            return target.write(&shown).map_err(Failure::Write);
        }
        self.unguarded(target, value)
    }

    fn unguarded(
        &self,
        target: &mut AnyOutput<'_>,
        value: &mut ValueText<'_>,
    ) -> Result<(), Failure> {
        let is_container = matches!(value.first()?, b'{' | b'[');
        // JSON without white space is minified; JSON with comments may still have comments and trailing commas.
        let is_compact = match (&*value, self.style) {
            (ValueText::Bytes(text), Some(Style::Compact)) => {
                self.options.dialect == Dialect::Json && !has_space(text)
            }
            _ => false,
        };
        match self.style {
            Some(style) if is_container && !is_compact => {
                let rewrite = RewriteOptions::from(style).final_newline(false);
                let mut rewriter = Rewriter::new(rewrite, &mut *target);
                value.push(self.options, &mut rewriter)?;
                rewriter.finish()?;
            }
            _ => value.each_part(|part| target.write(part).map_err(Failure::Write))?,
        }
        target.write(self.end).map_err(Failure::Write)
    }

    /// Prints a decoded string. Returns whether lone surrogates, which UTF-8 cannot encode, were replaced by U+FFFD, as
    /// in jq.
    fn string(&self, target: &mut AnyOutput<'_>, raw: &[u8]) -> Result<bool, Failure> {
        // Most strings contain no escapes.
        if !self.guard && self.end != b"\0" && memchr::memchr(b'\\', raw).is_none() {
            target.write(raw).map_err(Failure::Write)?;
            return target
                .write(self.end)
                .map(|()| false)
                .map_err(Failure::Write);
        }
        let mut decoded = Vec::with_capacity(raw.len());
        let surrogates = decode_into(raw, &mut decoded).map_err(Failure::Invalid)?;
        if self.end == b"\0" && decoded.contains(&0) {
            let text = "a string holds a NUL, which --raw-output0 cannot print";
            return Err(Failure::Read(io::Error::other(text)));
        }
        if self.guard {
            decoded = escape_lines(&decoded).into_bytes();
        }
        decoded.extend_from_slice(self.end);
        target.write(&decoded).map_err(Failure::Write)?;
        Ok(matches!(surrogates, Surrogates::Replaced { .. }))
    }
}

/// Whether there is white space, in a string or between tokens.
fn has_space(text: &[u8]) -> bool {
    // The least byte, because it is found in a few instructions for many bytes.
    text.iter().fold(u8::MAX, |least, &byte| least.min(byte)) <= b' '
}
