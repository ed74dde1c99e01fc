//! Encoded inputs: gzip, Zstandard, bzip2 and xz, recognized by their first bytes, and MessagePack.
//!
//! ```text
//! file or pipe ──► decoder, on a thread of its own ──► buffers ──► Reader, as for any pipe
//! ```
//!
//! An encoded file is read once, in constant memory, and offsets refer to the decoded text.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Instant;

use jsonx_msgpack::JsonOptions;

mod messagepack;
mod parts;

use messagepack::Values;
pub use messagepack::{Invalid, detect as detect_messagepack};
use parts::{Frames, Members, SEPARATOR, Separated};

use crate::system;

/// Length of a read, and of a buffer of decoded text.
const BUFFER: usize = 256 * 1024;

/// Buffers that may wait to be read. A pipe, whose pages the system allocates and copies twice, took a fifth longer.
const AHEAD: usize = 4;

/// The memory limit of the xz decoder in KiB: the dictionary of `xz -9`, the largest preset, plus 2 MiB.
const XZ_MEMORY: u32 = 66 * 1024;

/// How an input is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Gzip,
    Zstd,
    Bzip2,
    Xz,
    /// A text sequence (RFC 7464), whose record separators read as white space.
    Sequence,
    /// A sequence of values in MessagePack, each of which reads as a line of JSON.
    MessagePack(JsonOptions),
}

/// The result of looking at the first bytes of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detected {
    Encoded(Encoding),
    /// More bytes are needed.
    Unknown,
    Text,
}

impl Encoding {
    /// The encoding of an input that begins with these bytes, other than MessagePack. No JSON begins like that.
    pub fn detect(first: &[u8]) -> Detected {
        if let [SEPARATOR, ..] = first {
            return Detected::Encoded(Encoding::Sequence);
        }
        // A skippable frame may come first.
        if let [0x50..=0x5f, rest @ ..] = first {
            let magic = b"\x2a\x4d\x18";
            return match (rest.starts_with(magic), magic.starts_with(rest)) {
                (true, _) => Detected::Encoded(Encoding::Zstd),
                (_, true) => Detected::Unknown,
                _ => Detected::Text,
            };
        }
        // `BZh`, a digit for the block size, then a block or the end.
        let numbered = |end: &[u8]| [b"BZh", first.get(3..4).unwrap_or(b"9"), end].concat();
        let magics = [
            (Encoding::Gzip, b"\x1f\x8b\x08".to_vec()),
            (Encoding::Zstd, b"\x28\xb5\x2f\xfd".to_vec()),
            (Encoding::Xz, b"\xfd7zXZ\0".to_vec()),
            (Encoding::Bzip2, numbered(b"1AY&SY")),
            (Encoding::Bzip2, numbered(b"\x17\x72\x45\x38\x50\x90")),
        ];
        let mut detected = Detected::Text;
        for (compression, magic) in magics {
            if first.starts_with(&magic) {
                return Detected::Encoded(compression);
            }
            if magic.starts_with(first) {
                detected = Detected::Unknown;
            }
        }
        detected
    }

    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Gzip => "gzip",
            Encoding::Zstd => "Zstandard",
            Encoding::Bzip2 => "bzip2",
            Encoding::Xz => "xz",
            Encoding::Sequence => "JSON text sequence",
            Encoding::MessagePack(_) => "MessagePack",
        }
    }

    fn decoder<'s>(self, source: &'s mut EncodedBytes) -> io::Result<Box<dyn Read + 's>> {
        Ok(match self {
            Encoding::Gzip => Box::new(Members::new(source)),
            Encoding::Zstd => Box::new(Frames::new(source)?),
            Encoding::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(source)),
            Encoding::Xz => Box::new(lzma_rust2::XzReader::new_mem_limit(source, true, XZ_MEMORY)),
            Encoding::Sequence => Box::new(Separated::new(source)),
            Encoding::MessagePack(options) => Box::new(Values::new(source, options)),
        })
    }

    /// The command for data whose decoder needs more memory than the limit.
    fn command(self) -> &'static str {
        match self {
            Encoding::Gzip => "gzip -dc FILE",
            Encoding::Zstd => "zstd -dc --long=31 FILE",
            Encoding::Bzip2 => "bzip2 -dc FILE",
            Encoding::Xz => "xz -dc FILE",
            Encoding::Sequence => "tr '\\036' ' ' < FILE",
            Encoding::MessagePack(_) => "jsonx fmt FILE",
        }
    }
}

/// The error of MessagePack that ended an input, if it is the reason of this one.
pub fn invalid(error: &io::Error) -> Option<&Invalid> {
    let outer: &Arc<io::Error> = error.get_ref()?.downcast_ref()?;
    outer.get_ref()?.downcast_ref()
}

/// The text of a source, decompressed if its first bytes are those of compressed data.
///
/// # Errors
/// Errors of reading; the system cannot start a thread.
pub fn decompressed(mut source: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    let mut first = Vec::new();
    loop {
        match Encoding::detect(&first) {
            Detected::Encoded(encoding) => {
                let source = Cursor::new(first).chain(source);
                return Ok(Box::new(Decoded::new(encoding, Box::new(source))?));
            }
            Detected::Unknown if source.by_ref().take(1).read_to_end(&mut first)? > 0 => {}
            _ => return Ok(Box::new(Cursor::new(first).chain(source))),
        }
    }
}

/// The text of an encoded input, which another thread decodes.
pub struct Decoded {
    full: Receiver<Buffer>,
    /// Consumed buffers, to be filled again.
    empty: Sender<Buffer>,
    /// The buffer being read, and the number of its bytes already read.
    current: Buffer,
    taken: usize,
    /// Whether everything was decoded; set at the end, unless the other thread panicked.
    outcome: Arc<OnceLock<Result<(), Arc<io::Error>>>>,
}

/// Bytes, and the length of the text in them.
type Buffer = (Vec<u8>, usize);

impl Decoded {
    /// Decodes an input.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub fn new(encoding: Encoding, source: Box<dyn Read + Send>) -> io::Result<Decoded> {
        let (to_read, full) = sync_channel(AHEAD);
        let (empty, to_fill) = channel();
        let outcome = Arc::<OnceLock<_>>::default();
        let slot = outcome.clone();
        let work = move || {
            let mut source = EncodedBytes {
                bytes: BufReader::with_capacity(BUFFER, source),
                has_ended: false,
                fault: None,
                error: None,
            };
            let copied = copy(encoding, &mut source, &to_read, &to_fill);
            // Set only here, before the end of the text is sent, when the reader checks it.
            let _ = slot.set(copied.map_err(Arc::new));
            drop(to_read);
        };
        thread::Builder::new().name("decode".into()).spawn(work)?;
        Ok(Decoded {
            full,
            empty,
            current: Buffer::default(),
            taken: 0,
            outcome,
        })
    }

    /// Reads once; 0 at the end.
    ///
    /// # Errors
    /// `TimedOut` if nothing arrives until then.
    pub fn read(&mut self, buffer: &mut [u8], until: Option<Instant>) -> io::Result<usize> {
        if self.taken == self.current.1 {
            let received = match until {
                None => self.full.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(until) => self
                    .full
                    .recv_timeout(until.saturating_duration_since(Instant::now())),
            };
            let over = match received {
                Ok(next) => std::mem::replace(&mut self.current, next),
                Err(RecvTimeoutError::Timeout) => return Err(ErrorKind::TimedOut.into()),
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            };
            self.taken = 0;
            // The other thread may have ended.
            let _ = self.empty.send(over);
        }
        let (bytes, filled) = &self.current;
        let rest = &bytes[self.taken..*filled];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.taken += count;
        Ok(count)
    }

    /// At the end of the text, checks that everything was decoded. May be called repeatedly.
    ///
    /// # Errors
    /// The failure of the decoder.
    pub fn check(&self) -> io::Result<()> {
        match self.outcome.get() {
            Some(Ok(())) => Ok(()),
            Some(Err(error)) => Err(io::Error::new(error.kind(), error.clone())),
            None => Err(io::Error::other("the decoder has panicked")),
        }
    }
}

impl Default for Decoded {
    /// No text.
    fn default() -> Decoded {
        Decoded {
            full: sync_channel(0).1,
            empty: channel().0,
            current: Buffer::default(),
            taken: 0,
            outcome: Arc::default(),
        }
    }
}

impl Read for Decoded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = Decoded::read(self, buffer, None)?;
        if read == 0 && !buffer.is_empty() {
            self.check()?;
        }
        Ok(read)
    }
}

fn copy(
    encoding: Encoding,
    source: &mut EncodedBytes,
    full: &SyncSender<Buffer>,
    empty: &Receiver<Buffer>,
) -> io::Result<()> {
    let mut length = 0;
    let mut decoder = encoding.decoder(source)?;
    let (mut buffer, _) = Buffer::default();
    let error = loop {
        buffer.resize(BUFFER, 0);
        match decoder.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(read) => {
                length += read as u64;
                if full.send((buffer, read)).is_err() {
                    // The reader has seen enough.
                    return Ok(());
                }
                (buffer, _) = empty.try_recv().unwrap_or_default();
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => break error,
        }
    };
    drop(decoder);
    if let Some(error) = source.error.take() {
        return Err(error);
    }
    let (fault, command) = match source.fault {
        _ if error.kind() == ErrorKind::OutOfMemory => (
            "needs more memory than its decoder may use",
            Some(encoding.command()),
        ),
        Some(Fault::Dictionary) => (
            "was compressed with a dictionary",
            Some("zstd -dc -D DICTIONARY FILE"),
        ),
        Some(Fault::Followed) => ("is followed by other data", None),
        None if matches!(encoding, Encoding::MessagePack(_)) => return Err(error),
        None if source.has_ended => ("is truncated", None),
        None => ("is corrupt", None),
    };
    let mut message = format!("the {} data {fault}", encoding.name());
    match length {
        0 if command.is_some() => {}
        0 => message += " before any text",
        1 => message += " after 1 byte of text",
        _ => message += &format!(" after {length} bytes of text"),
    }
    if let Some(command) = command {
        message += &format!("; decompress it first: `{command}`");
    }
    Err(io::Error::new(ErrorKind::InvalidData, message))
}

/// A file that is read at its own position.
pub(super) struct Shared(pub Arc<File>);

impl Read for Shared {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        system::read(&self.0, buffer, None)
    }
}

/// A fault of the data that the decoder does not report.
enum Fault {
    /// The last member is followed by data that is not a member.
    Followed,
    Dictionary,
}

/// The encoded bytes, and faults that decoders do not report.
struct EncodedBytes {
    bytes: BufReader<Box<dyn Read>>,
    /// The decoder requested bytes after the last one.
    has_ended: bool,
    fault: Option<Fault>,
    /// Reading has failed.
    error: Option<io::Error>,
}

impl BufRead for EncodedBytes {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self.bytes.fill_buf() {
            Ok(bytes) => {
                self.has_ended |= bytes.is_empty();
                Ok(bytes)
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => Err(error),
            Err(error) => {
                let kind = error.kind();
                self.error = Some(error);
                Err(kind.into())
            }
        }
    }

    fn consume(&mut self, count: usize) {
        self.bytes.consume(count);
    }
}

impl Read for EncodedBytes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?;
        let count = bytes.len().min(buffer.len());
        buffer[..count].copy_from_slice(&bytes[..count]);
        self.consume(count);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::collection::vec;
    use proptest::prelude::*;
    use zstd_safe::{CCtx, CParameter};

    use super::super::Input;
    use super::*;

    /// Number of bytes that distinguish all compressions.
    const FIRST: usize = 10;

    fn compress(compression: Encoding, text: &[u8]) -> Vec<u8> {
        let written = "memory takes everything";
        match compression {
            Encoding::Gzip => {
                let level = flate2::Compression::fast();
                let mut out = flate2::write::GzEncoder::new(Vec::new(), level);
                out.write_all(text).expect(written);
                out.finish().expect(written)
            }
            Encoding::Zstd => zstd_frame(text, &[CParameter::ChecksumFlag(true)]),
            Encoding::Bzip2 => {
                let level = bzip2::Compression::fast();
                let mut out = bzip2::write::BzEncoder::new(Vec::new(), level);
                out.write_all(text).expect(written);
                out.finish().expect(written)
            }
            Encoding::Xz => {
                let options = lzma_rust2::XzOptions::with_preset(0);
                let mut out = lzma_rust2::XzWriter::new(Vec::new(), options).expect(written);
                out.write_all(text).expect(written);
                out.finish().expect(written)
            }
            Encoding::Sequence => [&[SEPARATOR], text].concat(),
            Encoding::MessagePack(_) => unreachable!("not a compression"),
        }
    }

    fn zstd_frame(text: &[u8], parameters: &[CParameter]) -> Vec<u8> {
        let mut encoder = CCtx::create();
        for &parameter in parameters {
            encoder.set_parameter(parameter).expect("a valid parameter");
        }
        let mut out = Vec::with_capacity(zstd_safe::compress_bound(text.len()));
        encoder.compress2(&mut out, text).expect("there is room");
        out
    }

    const ALL: [Encoding; 4] = [
        Encoding::Gzip,
        Encoding::Zstd,
        Encoding::Bzip2,
        Encoding::Xz,
    ];

    fn read(data: &[u8]) -> io::Result<Vec<u8>> {
        let file = tempfile::NamedTempFile::new()?;
        std::fs::write(file.path(), data)?;
        Input::open(file.path())?.read_all(u64::MAX)
    }

    proptest! {
        #![proptest_config(jsonx_testing::cases(192))]

        /// Whole members are read, a truncated one is an error, and a changed byte never changes the text.
        #[test]
        fn all_of_the_text_or_an_error(
            compression in prop::sample::select(&ALL[..]),
            parts in vec(vec(prop::sample::select(&b"[]{},:1e \n\"\xc3\xa9"[..]), 0..400), 1..4),
            place in any::<prop::sample::Index>(),
            bit in 0..8_u32,
        ) {
            let members: Vec<_> = parts.iter().map(|part| compress(compression, part)).collect();
            let text = parts.concat();
            let data = members.concat();
            prop_assert_eq!(&read(&data).unwrap(), &text);

            let cut = place.index(data.len() - 1) + 1;
            let mut ends = members.iter().scan(0, |at, member| {
                *at += member.len();
                Some(*at)
            });
            let whole = ends.position(|end| end == cut).map(|last| parts[..=last].concat());
            // With fewer bytes, no compression is recognized.
            if cut >= FIRST {
                let read = read(&data[..cut]);
                prop_assert_eq!(read.ok(), whole, "{:?} {} of {}", compression, cut, data.len());
            }

            let mut changed = data.clone();
            let at = FIRST + place.index(data.len() - FIRST);
            changed[at] ^= 1 << bit;
            if let Ok(read) = read(&changed) {
                prop_assert_eq!(&read, &text, "{:?} {} of {}", compression, at, data.len());
            }
        }
    }

    #[test]
    fn skippable_frames_and_padding_are_ignored() {
        let text = b"[1, 2]\n";
        let frame = compress(Encoding::Zstd, text);
        let skipped = [&b"\x5f\x2a\x4d\x18\x03\0\0\0abc"[..], &frame].concat();
        assert_eq!(read(&skipped).unwrap(), text);
        let member = compress(Encoding::Gzip, text);
        let padded = [&member[..], &[0; 1000]].concat();
        assert_eq!(read(&padded).unwrap(), text);
        for other in [&b"\0\0x"[..], b"other"] {
            let error = read(&[&member[..], other].concat())
                .unwrap_err()
                .to_string();
            let expected = "the gzip data is followed by other data after 7 bytes of text";
            assert_eq!(error, expected);
        }
    }

    #[test]
    fn a_frame_that_needs_more_than_its_bytes_is_refused() {
        let frame = |descriptor: &[u8]| [b"\x28\xb5\x2f\xfd", descriptor, b"\x01\0\0"].concat();
        // Windows of 128 and of 144 MiB, and a dictionary.
        assert_eq!(read(&frame(b"\x00\x88")).unwrap(), b"");
        for (descriptor, expected) in [
            (
                &b"\x00\x89"[..],
                "the Zstandard data needs more memory than its decoder may use; decompress it first: \
                 `zstd -dc --long=31 FILE`",
            ),
            (
                b"\x01\x00\x07",
                "the Zstandard data was compressed with a dictionary; decompress it first: \
                 `zstd -dc -D DICTIONARY FILE`",
            ),
        ] {
            let error = read(&frame(descriptor)).unwrap_err().to_string();
            assert_eq!(error, expected);
        }
    }

    #[test]
    fn no_json_looks_compressed() {
        for text in [
            "",
            "[",
            "{\"a\":1}",
            "B",
            "BZ",
            "(1)",
            "\u{feff}[1]",
            "BZhello",
            "null",
        ] {
            let detected = Encoding::detect(text.as_bytes());
            // `[` may begin a frame that is skipped, until the next byte comes.
            let is_prefix = ["", "B", "BZ", "["].contains(&text);
            let expected = if is_prefix {
                Detected::Unknown
            } else {
                Detected::Text
            };
            assert_eq!(detected, expected, "{text}");
        }
        for compression in ALL {
            let data = compress(compression, b"");
            let detected = Encoding::detect(&data[..FIRST]);
            assert_eq!(detected, Detected::Encoded(compression));
        }
    }
}
