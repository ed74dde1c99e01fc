//! Writes JSON to standard output.

use std::io::{self, BufRead, BufReader, Seek, Write};

use jsonx_core::engine::{Stop, Validator};
use jsonx_core::format::{Output, RewriteError, RewriteOptions, Rewriter};
use tempfile::SpooledTempFile;

use super::{HELD, spool_failed};
use crate::check::Failure;
use crate::output::{AnyOutput, Stdout, TerminalOutput};
use crate::terminal::Color;

/// Standard output, in the decoder's layout or another one.
pub enum Emit<'a> {
    Plain(Box<AnyOutput<'a>>),
    Laid {
        validator: Box<Validator>,
        rewriter: Box<Rewriter<Box<AnyOutput<'a>>>>,
    },
}

impl<'a> Emit<'a> {
    /// An output in this layout; the validator is for a stream of values.
    pub fn new(
        out: &'a mut Stdout,
        color: Color,
        rewrite: Option<RewriteOptions>,
        validator: Validator,
    ) -> Self {
        let text = TerminalOutput::any(out, color);
        match rewrite {
            None => Emit::Plain(text),
            Some(options) => Emit::Laid {
                validator: Box::new(validator),
                rewriter: Box::new(Rewriter::new(options, text)),
            },
        }
    }

    /// Prints the complete values.
    pub fn flush(&mut self) -> Result<(), Failure> {
        let text = match self {
            Emit::Plain(text) => text,
            Emit::Laid {
                validator,
                rewriter,
            } => {
                validator.flush_lines(&mut **rewriter).map_err(stopped)?;
                rewriter.flush().map_err(halted)?;
                rewriter.output()
            }
        };
        text.flush().map_err(Failure::Write)
    }

    /// Prints the rest.
    pub fn finish(self) -> Result<(), Failure> {
        match self {
            Emit::Plain(_) => Ok(()),
            Emit::Laid {
                validator,
                mut rewriter,
            } => {
                validator.finish(&mut *rewriter).map_err(stopped)?;
                rewriter.finish().map(drop).map_err(halted)
            }
        }
    }
}

impl Output for Emit<'_> {
    type Error = Failure;

    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        match self {
            Emit::Plain(text) => text.write(bytes).map_err(Failure::Write),
            Emit::Laid {
                validator,
                rewriter,
            } => validator.write(bytes, &mut **rewriter).map_err(stopped),
        }
    }
}

fn halted(error: RewriteError<io::Error>) -> Failure {
    error.into()
}

fn stopped(stop: Stop<RewriteError<io::Error>>) -> Failure {
    match stop {
        Stop::Sink(error) => error.into(),
        Stop::Invalid(error) => Failure::Read(io::Error::other(format!(
            "the output is not valid JSON; this is a bug in jsonx, please report it ({error:?})"
        ))),
    }
}

/// Holds the text of a value until it is complete: in memory, and in a temporary file if it is long.
pub struct Whole<'a> {
    pub emit: Emit<'a>,
    spooled: SpooledTempFile,
}

impl<'a> Whole<'a> {
    pub fn new(emit: Emit<'a>) -> Self {
        Whole {
            emit,
            spooled: SpooledTempFile::new(HELD),
        }
    }

    fn release(&mut self) -> Result<(), Failure> {
        let mut spooled = std::mem::replace(&mut self.spooled, SpooledTempFile::new(HELD));
        spooled.rewind().map_err(spool_failed)?;
        let mut spooled = BufReader::with_capacity(64 << 10, spooled);
        loop {
            let bytes = spooled.fill_buf().map_err(spool_failed)?;
            if bytes.is_empty() {
                return Ok(());
            }
            self.emit.write(bytes)?;
            let count = bytes.len();
            spooled.consume(count);
        }
    }
}

impl Output for Whole<'_> {
    type Error = Failure;

    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        // Each value ends with a line feed, and nothing else has one.
        match memchr::memrchr(b'\n', bytes) {
            None => self.spooled.write_all(bytes).map_err(spool_failed),
            Some(end) => {
                let (complete, rest) = bytes.split_at(end + 1);
                self.release()?;
                self.emit.write(complete)?;
                self.spooled.write_all(rest).map_err(spool_failed)
            }
        }
    }
}
