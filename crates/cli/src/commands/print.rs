//! One value that `get` found, in the look that was asked for.

use std::io;

use jsonx_core::string::decode_into;
use jsonx_core::{Formatter, Indent, Output, Style, Validator};

use super::session::{Failure, Session, push};
use crate::args::{Get, InputKind};
use crate::input::{Input, Taken};
use crate::output::Stdout;
use crate::report::escape_lines;

/// How values are printed.
pub struct Printer {
    /// `None`: exactly as they stand.
    style: Option<Style>,
    /// Strings become their text.
    raw: bool,
    /// Nothing between values.
    join: bool,
    /// A person's terminal must not obey what a string says.
    guard: bool,
}

impl Printer {
    /// The look that the flags ask for.
    pub fn new(args: &Get, session: &Session) -> Printer {
        let style = match args {
            Get { source: true, .. } => None,
            Get { compact: true, .. } => Some(Style::Compact),
            _ => Some(Style::Pretty(Indent::Spaces(2))),
        };
        Printer {
            style,
            raw: args.raw || args.join,
            join: args.join,
            guard: session.out.is_terminal(),
        }
    }

    /// Prints a value whose bytes are at hand; white space may follow it.
    ///
    /// # Errors
    /// Those of standard output and of memory.
    pub fn bytes(&self, session: &mut Session, value: &[u8]) -> Result<(), Failure> {
        let value = value.trim_ascii_end();
        if self.raw
            && let [b'"', text @ .., b'"'] = value
        {
            return self.text(&mut session.out, text);
        }
        let options = session.reading().options(InputKind::Json);
        let mut out = Lines {
            out: &mut session.out,
            join: self.join,
            held_back: false,
        };
        match self.style {
            None => out
                .write(value)
                .and_then(|()| out.write(b"\n"))
                .map_err(Failure::Write),
            Some(style) => {
                let mut formatter = Formatter::new(style, out);
                Validator::new(options).finish(value, &mut formatter)?;
                formatter.finish().map(drop).map_err(Failure::Write)
            }
        }
    }

    /// Prints a value of a file that stands between two offsets; white space may follow it.
    ///
    /// # Errors
    /// Those of the file, of standard output and of memory; `Invalid` if the file was changed since.
    pub fn span(
        &self,
        session: &mut Session,
        input: &mut Input,
        start: u64,
        end: u64,
    ) -> Result<(), Failure> {
        /// What is worth reading at once rather than in windows.
        const SMALL: u64 = 64 * 1024;
        let is_text = self.raw && input.span(start, start + 1)? == b"\"";
        if is_text || end - start <= SMALL {
            return self.bytes(session, &input.span(start, end)?);
        }
        let options = session.reading().options(InputKind::Json);
        let mut out = Lines {
            out: &mut session.out,
            join: self.join,
            held_back: false,
        };
        match self.style {
            None => {
                let end = trimmed(input, start, end)?;
                input.each_window_of(start, end, |window| -> Result<Taken, Failure> {
                    out.write(window.bytes()).map_err(Failure::Write)?;
                    Ok(window.bytes().len().into())
                })?;
                out.write(b"\n").map_err(Failure::Write)
            }
            Some(style) => {
                let mut validator = Validator::new(options);
                let mut formatter = Formatter::new(style, out);
                input.each_window_of(start, end, |window| -> Result<Taken, Failure> {
                    Ok(push(&mut validator, window, &mut formatter)?.into())
                })?;
                formatter.finish().map(drop).map_err(Failure::Write)
            }
        }
    }

    /// Prints what a string says. Halves of surrogate pairs, which UTF-8 cannot say, become U+FFFD as in jq.
    fn text(&self, mut out: &mut Stdout, text: &[u8]) -> Result<(), Failure> {
        let mut said = Vec::new();
        said.try_reserve(text.len()).map_err(io::Error::from)?;
        decode_into(text, &mut said).map_err(Failure::Invalid)?;
        if self.guard {
            said = escape_lines(&said).into_bytes();
        }
        if !self.join {
            said.push(b'\n');
        }
        out.write(&said).map_err(Failure::Write)
    }
}

/// The end of a value without the white space behind it.
fn trimmed(input: &mut Input, start: u64, mut end: u64) -> io::Result<u64> {
    while end > start {
        let from = end.saturating_sub(4096).max(start);
        let piece = input.span(from, end)?;
        let length = piece.trim_ascii_end().len();
        if length > 0 {
            return Ok(from + length as u64);
        }
        end = from;
    }
    Ok(end)
}

/// Standard output for values: for `--join` without the newline that ends each of them.
struct Lines<'a> {
    out: &'a mut Stdout,
    join: bool,
    /// A newline that is the last one unless something follows.
    held_back: bool,
}

impl Output for Lines<'_> {
    type Error = io::Error;

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if !self.join {
            return self.out.write(bytes);
        }
        if self.held_back && !bytes.is_empty() {
            self.held_back = false;
            self.out.write(b"\n")?;
        }
        match bytes {
            [most @ .., b'\n'] => {
                self.held_back = true;
                self.out.write(most)
            }
            all => self.out.write(all),
        }
    }
}
