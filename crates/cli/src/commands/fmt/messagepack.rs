//! `--to msgpack`: each value of an input becomes one of a sequence.
//!
//! MessagePack has lengths first, so a file is read twice: it is checked, and the lengths in long values are noted. A pipe is
//! converted as it arrives, each value once it is complete.

use std::io::{self, Write};

use jsonx_core::format::WriteTo;
use jsonx_msgpack::{EncodeError, EncodeOptions, Encoder, Lengths, LongValues};

use crate::check::{CheckOptions, Failure, InputKind, SinkError, json5};
use crate::exit::Exit;
use crate::input::{Consumed, Input};
use crate::session::Session;

/// Maximum length of a value that is held in memory.
const HELD: usize = 16 << 20;

/// Converts an input to standard output.
///
/// # Errors
/// It is invalid, cannot be read, or has a value that MessagePack does not have; the output is a terminal, or cannot be written.
pub fn write(session: &mut Session, input: &mut Input, kind: InputKind) -> Result<(), Failure> {
    if session.out.is_terminal() {
        return Err(Failure::Declined {
            exit: Exit::Usage,
            message: "jsonx: MessagePack is not printed to a terminal; redirect it: `--to msgpack FILE > NEW`".to_owned(),
        });
    }
    json5::finite(input)?;
    let options = session.check_options();
    let long = match input.is_file() {
        true => {
            let long = LongValues::Measure(Lengths::default());
            let encoder = encode(&options, input, kind, WriteTo(io::sink()), long)?;
            LongValues::Write(encoder.lengths().map_err(SinkError::failure)?)
        }
        false => LongValues::Refuse,
    };
    let encoder = encode(&options, input, kind, WriteTo(&mut session.out), long)?;
    encoder.finish().map(drop).map_err(SinkError::failure)
}

/// Passes an input to an encoder. Complete values before an error are written.
fn encode<W: Write>(
    options: &CheckOptions,
    input: &mut Input,
    kind: InputKind,
    output: WriteTo<W>,
    long: LongValues,
) -> Result<Encoder<WriteTo<W>>, Failure> {
    let encoding = EncodeOptions::default().lossy(options.lossy);
    let mut encoder = Encoder::new(encoding, output).limit(HELD, long);
    let mut validator = options.validator(kind);
    let live = !input.is_file();
    let read = input.each_window(|window| -> Result<Consumed, Failure> {
        let taken = validator.push(window, &mut encoder)?;
        // A reader may be waiting for the record that has just arrived.
        if live {
            encoder.flush().map_err(SinkError::failure)?;
            encoder.output().0.flush().map_err(Failure::Write)?;
        }
        Ok(taken)
    });
    if let Err(failure) = read {
        encoder.flush().map_err(SinkError::failure)?;
        return Err(failure);
    }
    Ok(encoder)
}

impl<E: SinkError> SinkError for EncodeError<E> {
    fn failure(self) -> Failure {
        let error = match self {
            EncodeError::Value { kind, offset } => return Failure::NotEncodable { kind, offset },
            EncodeError::Output(error) => return error.failure(),
            EncodeError::TooLarge => io::Error::other(
                "a value of more than 16 MiB can be converted to MessagePack only from a file, because its lengths come first",
            ),
            // Between two passes over it.
            _ => io::Error::other("file was modified by another process"),
        };
        Failure::Read(error)
    }
}
