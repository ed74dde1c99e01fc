//! JSON to MessagePack.

use std::io::{self, Write};

use jsonx_core::engine::{Chunk, Interest, Mode, Sink, Stop, Validator};
use jsonx_core::format::{Output, WriteTo};
use jsonx_core::lint::{Findings, Linter};
use jsonx_core::msgpack::{EncodeError, EncodeOptions, Encoder};
use tempfile::SpooledTempFile;

use super::{HELD, Interrupted, spool_failed};
use crate::check::lines::LineValidator;
use crate::check::{CheckOptions, Checks, Failure, InputKind, push};
use crate::input::{Consumed, Input, Window};
use crate::output::Stdout;
use crate::session::Session;

/// Options for converting JSON.
pub struct Encoding {
    pub options: CheckOptions,
    pub kind: InputKind,
    pub encode: EncodeOptions,
}

impl Encoding {
    /// Converts a file. Nothing is printed unless all of it can be converted.
    pub fn file(&self, session: &mut Session, input: &mut Input) -> Result<(), Interrupted> {
        let lints = Checks::new(
            session.diagnoser().lints(),
            None,
            session.diagnoser().limit(),
        );
        let findings = self.options.run(input, self.kind, &lints)?;
        // A single value is printed once it is complete; before the first of several, all are converted.
        if self.kind != InputKind::Json || self.encode.unwrap {
            self.pass(input, self.encoder(WriteTo(io::sink())))?;
        }
        self.pass(input, self.encoder(Out(&mut session.out)))?;
        self.report(session, input, &findings.linted)?;
        Ok(())
    }

    /// An encoder that holds values up to a size in memory.
    fn encoder<O: Output>(&self, output: O) -> Encoder<O> {
        // The encoder holds as much in memory itself.
        let spool = Box::new(SpooledTempFile::new(0));
        Encoder::new(self.encode, output).spool(HELD, spool)
    }

    /// Passes a file that has been checked to an encoder.
    fn pass<O: Output<Error: Into<Failure>>>(
        &self,
        input: &mut Input,
        mut encoder: Encoder<O>,
    ) -> Result<(), Failure> {
        let mut validator = Validator::new(self.options.engine(self.kind));
        input.each_window(|window| {
            push(&mut validator, window, &mut encoder).map_err(|stop| match stop {
                Stop::Invalid(error) => Failure::Invalid(error),
                Stop::Sink(error) => failure(error),
            })
        })?;
        encoder.finish().map(drop).map_err(failure)
    }

    /// A linter of duplicate keys.
    pub fn linter(&self, session: &Session) -> Linter {
        Linter::new(session.diagnoser().lints(), session.diagnoser().limit())
    }

    /// Starts the conversion of a pipe.
    pub fn pipe<'o>(&self, linter: Linter, out: &'o mut Stdout) -> Pipe<'o> {
        Pipe {
            validator: Validator::new(self.options.engine(self.kind)),
            lines: self.options.lines(self.kind),
            sink: Linted {
                linter,
                sink: self.encoder(Out(out)),
            },
        }
    }

    /// Reports duplicate keys.
    pub fn report(
        &self,
        session: &mut Session,
        input: &mut Input,
        findings: &Findings,
    ) -> Result<(), Failure> {
        let report = session.diagnoser().valid(input, self.kind, findings);
        session.print_report(report).map_err(Failure::Write)
    }
}

/// Converts values as they arrive.
pub struct Pipe<'a> {
    validator: Validator,
    lines: Option<LineValidator>,
    sink: Linted<Encoder<Out<'a>>>,
}

impl Pipe<'_> {
    /// Converts a window. Returns the offset of the first finding.
    pub fn window(&mut self, window: &Window<'_>) -> Result<Option<u64>, Failure> {
        if let Some(lines) = &mut self.lines {
            lines.push(window)?;
        }
        self.sink.window(&mut self.validator, window)?;
        // A reader may be waiting for the record that has just arrived.
        self.sink.sink.flush().map_err(failure)?;
        self.sink.sink.output().0.flush().map_err(Failure::Write)?;
        Ok(self.sink.linter.first())
    }

    /// Ends the conversion.
    pub fn finish(self) -> Result<Findings, Failure> {
        let (findings, _) = self.sink.finish().map_err(failure)?;
        Ok(findings)
    }

    /// Prints the complete values before an error.
    pub fn abandon(mut self) -> Result<(), Failure> {
        self.sink.sink.flush().map_err(failure)
    }
}

/// A sink, combined with the linter.
struct Linted<S> {
    linter: Linter,
    sink: S,
}

impl<S: Sink> Linted<S> {
    fn window<E>(
        &mut self,
        validator: &mut Validator,
        window: &Window<'_>,
    ) -> Result<Consumed, Failure>
    where
        S: Sink<Error = EncodeError<E>>,
        E: Into<Failure>,
    {
        if validator.offset() == 0 {
            self.linter.begin(window.offset(), None);
        }
        push(validator, window, self).map_err(|stop| match stop {
            Stop::Invalid(error) => Failure::Invalid(error),
            Stop::Sink(error) => failure(error),
        })
    }

    fn finish(self) -> Result<(Findings, S::Output), S::Error> {
        Ok((self.linter.finish(), self.sink.finish()?))
    }
}

impl<S: Sink> Sink for Linted<S> {
    type Error = S::Error;
    type Output = (Findings, S::Output);

    fn interest(&self, mode: Mode) -> Interest {
        self.linter.interest(mode).union(self.sink.interest(mode))
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), S::Error> {
        match self.linter.chunk(chunk) {
            Ok(()) => self.sink.chunk(chunk),
            Err(never) => match never {},
        }
    }

    fn finish(self) -> Result<Self::Output, S::Error> {
        Linted::finish(self)
    }
}

fn failure<E: Into<Failure>>(error: EncodeError<E>) -> Failure {
    match error {
        EncodeError::Value { kind, offset } => Failure::NotEncodable { kind, offset },
        EncodeError::Output(error) => error.into(),
        EncodeError::OutOfMemory => Failure::Read(io::ErrorKind::OutOfMemory.into()),
        EncodeError::Spool(kind) => spool_failed(kind.into()),
        // Between two passes over it.
        _ => Failure::Read(io::Error::other("file was modified by another process")),
    }
}

/// Standard output, whose errors end the run.
struct Out<'a>(&'a mut Stdout);

impl Output for Out<'_> {
    type Error = Failure;

    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.0.write_all(bytes).map_err(Failure::Write)
    }
}
