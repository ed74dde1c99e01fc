//! Writes JSON to standard output.

use std::io::{self, Read, Seek, Write};

use jsonx_core::engine::{Stop, Validator};
use jsonx_core::format::{Output, RewriteError, RewriteOptions, Rewriter};

use super::HELD;
use super::spool::{LazyFile, failed};
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
    memory: Vec<u8>,
    file: LazyFile,
    in_file: u64,
}

impl<'a> Whole<'a> {
    pub fn new(emit: Emit<'a>) -> Self {
        Whole {
            emit,
            memory: Vec::new(),
            file: LazyFile::default(),
            in_file: 0,
        }
    }

    fn hold(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        if self.memory.len() + bytes.len() > HELD {
            self.move_to_file()
                .map_err(|error| Failure::Read(failed(error)))?;
        }
        let reserved = self.memory.try_reserve(bytes.len());
        reserved.map_err(|_| Failure::Read(io::ErrorKind::OutOfMemory.into()))?;
        self.memory.extend_from_slice(bytes);
        Ok(())
    }

    fn move_to_file(&mut self) -> io::Result<()> {
        if self.in_file == 0 {
            self.file.rewind()?;
        }
        self.file.write_all(&self.memory)?;
        self.in_file += self.memory.len() as u64;
        self.memory.clear();
        Ok(())
    }

    fn release(&mut self) -> Result<(), Failure> {
        if self.in_file > 0 {
            let read = |error| Failure::Read(failed(error));
            self.file.rewind().map_err(read)?;
            let mut buffer = vec![0; 64 << 10];
            while self.in_file > 0 {
                let count = self.in_file.min(buffer.len() as u64) as usize;
                self.file.read_exact(&mut buffer[..count]).map_err(read)?;
                self.emit.write(&buffer[..count])?;
                self.in_file -= count as u64;
            }
        }
        self.emit.write(&self.memory)?;
        self.memory.clear();
        Ok(())
    }
}

impl Output for Whole<'_> {
    type Error = Failure;

    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        // Each value ends with a line feed, and nothing else has one.
        match memchr::memrchr(b'\n', bytes) {
            None => self.hold(bytes),
            Some(end) => {
                let (complete, rest) = bytes.split_at(end + 1);
                self.release()?;
                self.emit.write(complete)?;
                self.hold(rest)
            }
        }
    }
}
