//! MessagePack to JSON.

use std::io;

use jsonx_core::engine::{Options, Validator};
use jsonx_core::format::{Output, RewriteOptions, WriteTo};
use jsonx_core::msgpack::{Decoder, JsonError, JsonOptions};

use super::emit::{Emit, Whole};
use super::{HELD, Interrupted, Unconverted};
use crate::check::Failure;
use crate::input::{BYTE_ORDER_MARK, Input, Window};
use crate::output::Stdout;
use crate::session::Session;
use crate::terminal::Color;

/// Options for converting MessagePack.
#[derive(Clone, Copy)]
pub struct Decoding {
    pub options: JsonOptions,
    /// The layout, unless it is the decoder's.
    pub rewrite: Option<RewriteOptions>,
    /// Options for a stream of the decoder's values.
    pub engine: Options,
    /// `--color`.
    pub color: Color,
}

impl Decoding {
    /// Converts a file. Nothing is printed unless all of it can be converted.
    pub fn file(self, session: &mut Session, input: &mut Input) -> Result<(), Interrupted> {
        if input.size() <= HELD as u64 {
            let text = self.pass(input, Vec::new())?;
            let mut emit = self.emit(&mut session.out);
            emit.write(&text)?;
            emit.finish()?;
        } else {
            self.pass(input, WriteTo(io::sink()))?;
            let emit = self.pass(input, self.emit(&mut session.out))?;
            emit.finish()?;
        }
        Ok(())
    }

    fn emit(self, out: &mut Stdout) -> Emit<'_> {
        Emit::new(out, self.color, self.rewrite, Validator::new(self.engine))
    }

    /// Passes all of a file to a decoder, and returns its output.
    fn pass<O: Output<Error: Into<Failure>>>(
        self,
        input: &mut Input,
        output: O,
    ) -> Result<O, Interrupted> {
        let mut decoder = Decoder::new(self.options, output);
        input.each_window(|window| -> Result<_, Interrupted> {
            write(&mut decoder, window)?;
            Ok(window.bytes().len().into())
        })?;
        finish(decoder)
    }

    /// Starts the conversion of a pipe.
    pub fn pipe(self, out: &mut Stdout) -> Pipe<'_> {
        Pipe(Decoder::new(self.options, Whole::new(self.emit(out))))
    }
}

/// Converts values as they arrive.
pub struct Pipe<'a>(Decoder<Whole<'a>>);

impl Pipe<'_> {
    /// Converts a window.
    pub fn window(&mut self, window: &Window<'_>) -> Result<(), Interrupted> {
        let written = write(&mut self.0, window);
        // A reader may be waiting for the value that has just arrived; values before an error are printed too.
        let flushed = self.0.flush();
        flushed.map_err(|error| stopped(&self.0, error))?;
        self.0.output().emit.flush()?;
        written
    }

    /// Ends the conversion.
    pub fn finish(self) -> Result<(), Interrupted> {
        finish(self.0)?.emit.finish()?;
        Ok(())
    }
}

/// Writes a window to a decoder.
fn write<O: Output<Error: Into<Failure>>>(
    decoder: &mut Decoder<O>,
    window: &Window<'_>,
) -> Result<(), Interrupted> {
    // The bytes of a byte-order mark are three numbers in MessagePack, so no window has one.
    let mark = if window.offset() == BYTE_ORDER_MARK.len() as u64 && decoder.offset() == 0 {
        BYTE_ORDER_MARK
    } else {
        b""
    };
    let written = decoder
        .write(mark)
        .and_then(|()| decoder.write(window.bytes()));
    written.map_err(|error| stopped(decoder, error))
}

/// Ends the input of a decoder, and returns its output.
fn finish<O: Output<Error: Into<Failure>>>(decoder: Decoder<O>) -> Result<O, Interrupted> {
    if let Err(error) = decoder.end() {
        return Err(Interrupted::Early(Unconverted::Invalid(
            error,
            decoder.location(),
        )));
    }
    if decoder.offset() == 0 {
        return Err(Interrupted::Early(Unconverted::Empty));
    }
    decoder.finish().map_err(|error| match error {
        JsonError::Invalid(error) => {
            Interrupted::Early(Unconverted::Invalid(error, Default::default()))
        }
        JsonError::Output(error) => Interrupted::Failed(error.into()),
    })
}

/// The error of a decoder, with its position.
fn stopped<O: Output<Error: Into<Failure>>>(
    decoder: &Decoder<O>,
    error: JsonError<O::Error>,
) -> Interrupted {
    match error {
        JsonError::Invalid(error) => {
            Interrupted::Early(Unconverted::Invalid(error, decoder.location()))
        }
        JsonError::Output(error) => Interrupted::Failed(error.into()),
    }
}
