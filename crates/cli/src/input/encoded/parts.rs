//! The parts of a file, joined: members of gzip, frames of Zstandard, texts of a sequence.

use std::io::{self, BufRead, ErrorKind, Read};

use flate2::bufread::GzDecoder;
use zstd_safe::zstd_sys::ZSTD_ErrorCode;
use zstd_safe::{DCtx, InBuffer, OutBuffer};

use super::{EncodedBytes, Fault};

/// The record separator of a text sequence, which no JSON string contains.
pub(super) const SEPARATOR: u8 = 0x1e;

/// A text sequence. Each separator becomes white space: a line feed after a truncated value, to end it.
pub(super) struct Separated<'s> {
    source: &'s mut EncodedBytes,
    /// The previous byte.
    last: u8,
}

impl<'s> Separated<'s> {
    pub(super) fn new(source: &'s mut EncodedBytes) -> Self {
        Separated {
            source,
            last: b'\n',
        }
    }
}

impl Read for Separated<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        let mut from = 0;
        while let Some(at) = memchr::memchr(SEPARATOR, &buffer[from..count]) {
            let at = from + at;
            let before = at.checked_sub(1).map_or(self.last, |before| buffer[before]);
            buffer[at] = match before {
                b'\n' | b' ' => b' ',
                _ => b'\n',
            };
            from = at + 1;
        }
        self.last = buffer[..count].last().copied().unwrap_or(self.last);
        Ok(count)
    }
}

/// The members of gzip, one after another, and zeros at the end, which fill the last block of a tape.
pub(super) struct Members<'s>(Option<GzDecoder<&'s mut EncodedBytes>>);

impl<'s> Members<'s> {
    pub(super) fn new(source: &'s mut EncodedBytes) -> Self {
        Members(Some(GzDecoder::new(source)))
    }
}

impl Read for Members<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let Some(decoder) = &mut self.0 else {
                return Ok(0);
            };
            let read = decoder.read(buffer)?;
            if read > 0 {
                return Ok(read);
            }
            let Some(source) = self.0.take().map(GzDecoder::into_inner) else {
                return Ok(0);
            };
            loop {
                let bytes = source.bytes.fill_buf()?;
                let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
                match bytes.get(zeros) {
                    None if zeros == 0 => return Ok(0),
                    None => source.bytes.consume(zeros),
                    Some(b'\x1f') if zeros == 0 => break,
                    Some(_) => {
                        source.fault = Some(Fault::Followed);
                        return Err(ErrorKind::InvalidData.into());
                    }
                }
            }
            self.0 = Some(GzDecoder::new(source));
        }
    }
}

/// The frames of Zstandard, one after another. `libzstd` skips frames without text, verifies checksums, and rejects windows larger
/// than 128 MiB.
pub(super) struct Frames<'s> {
    source: &'s mut EncodedBytes,
    decoder: DCtx<'static>,
    /// A frame has begun and not ended.
    is_open: bool,
}

impl<'s> Frames<'s> {
    pub(super) fn new(source: &'s mut EncodedBytes) -> io::Result<Self> {
        Ok(Frames {
            source,
            decoder: DCtx::try_create().ok_or(ErrorKind::OutOfMemory)?,
            is_open: false,
        })
    }
}

impl Read for Frames<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let bytes = self.source.fill_buf()?;
            let is_last = bytes.is_empty();
            if is_last && !self.is_open {
                return Ok(0);
            }
            let mut input = InBuffer::around(bytes);
            let mut output = OutBuffer::around(&mut *buffer);
            let decoded = self.decoder.decompress_stream(&mut output, &mut input);
            let (consumed, written) = (input.pos, output.pos());
            self.source.consume(consumed);
            match decoded {
                Ok(left) => self.is_open = left > 0,
                Err(code) => return Err(self.failure(code)),
            }
            if written > 0 {
                return Ok(written);
            }
            if is_last {
                return Err(ErrorKind::UnexpectedEof.into());
            }
        }
    }
}

impl Frames<'_> {
    fn failure(&mut self, code: usize) -> io::Error {
        let is = |error: ZSTD_ErrorCode| code == (error as usize).wrapping_neg();
        if is(ZSTD_ErrorCode::ZSTD_error_frameParameter_windowTooLarge)
            || is(ZSTD_ErrorCode::ZSTD_error_memory_allocation)
        {
            return ErrorKind::OutOfMemory.into();
        }
        if is(ZSTD_ErrorCode::ZSTD_error_dictionary_wrong) {
            self.source.fault = Some(Fault::Dictionary);
        }
        // The first frame was recognized.
        if is(ZSTD_ErrorCode::ZSTD_error_prefix_unknown) {
            self.source.fault = Some(Fault::Followed);
        }
        io::Error::other(zstd_safe::get_error_name(code))
    }
}
