//! Messages as bytes: `Content-Length: N`, an empty line, N bytes.
//!
//! The crate `lsp-server` (0.10.0) is not used: it allocates as many bytes as a header claims before any of them arrive, ends
//! at the first malformed header or message, and holds three copies of a text while reading it. Without it, `lsp-types` would
//! only name the keys of the few structures that `json!` writes; messages are read by the engine.

use std::io::{self, BufRead, Read, Write};

/// The longest message, in bytes: a text of 512 MB with every byte escaped.
const LONGEST: u64 = 1 << 30;

/// The longest line of a header.
const LINE: u64 = 4096;

/// The relevant header.
const NAME: &[u8] = b"Content-Length:";

/// A message of the client, or other bytes.
#[derive(Debug, PartialEq, Eq)]
pub enum Frame {
    /// The bytes of a message.
    Message(Vec<u8>),
    /// Other bytes were dropped, for this reason.
    Dropped(&'static str),
}

/// Reads the next message; `None` at the end.
///
/// # Errors
/// Errors of the system.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Frame>> {
    let mut length = None;
    let length = loop {
        let mut line = Vec::new();
        if input.by_ref().take(LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = field(&line);
        if line.is_empty() {
            match length {
                Some(length) => break length,
                // Between messages.
                None => continue,
            }
        }
        let name = line.get(..NAME.len()).unwrap_or_default();
        if name.eq_ignore_ascii_case(NAME) {
            let number = std::str::from_utf8(line[NAME.len()..].trim_ascii()).ok();
            length = number.and_then(|number| number.parse::<u64>().ok());
            if length.is_none() {
                return Ok(Some(Frame::Dropped("Content-Length is not a number")));
            }
        }
    };
    if length > LONGEST {
        io::copy(&mut input.by_ref().take(length), &mut io::sink())?;
        return Ok(Some(Frame::Dropped("the message is longer than 1 GiB")));
    }
    // Grows as bytes arrive: those announced may never do.
    let mut message = Vec::new();
    input.by_ref().take(length).read_to_end(&mut message)?;
    Ok((message.len() as u64 == length).then_some(Frame::Message(message)))
}

/// The header in a line: after a message that was longer than its header claimed, the next header follows the rest of it.
fn field(line: &[u8]) -> &[u8] {
    let is_here = |name: &[u8]| name.eq_ignore_ascii_case(NAME);
    let start = line.windows(NAME.len()).rposition(is_here);
    line[start.unwrap_or(0)..].trim_ascii()
}

/// Writes a message.
///
/// # Errors
/// Errors of the system.
pub fn write(output: &mut impl Write, message: &[u8]) -> io::Result<()> {
    write!(output, "Content-Length: {}\r\n\r\n", message.len())?;
    output.write_all(message)?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_between_messages_are_skipped() {
        let mut sent = Vec::new();
        write(&mut sent, b"{}").unwrap();
        sent.extend_from_slice(b"\r\nnonsense\r\ncontent-length:1\nX: y\r\n\r\n1");
        sent.extend_from_slice(b"Content-Length: 2\r\n\r\n[]]]Content-Length: 1\r\n\r\n2");
        sent.extend_from_slice(b"Content-Length: -1\r\n\r\n");
        sent.extend_from_slice(b"Content-Length: 99999999999\r\n\r\nabc");
        let mut input = &sent[..];
        let mut frames = std::iter::from_fn(|| read(&mut input).unwrap());
        assert_eq!(frames.next(), Some(Frame::Message(b"{}".to_vec())));
        assert_eq!(frames.next(), Some(Frame::Message(b"1".to_vec())));
        assert_eq!(frames.next(), Some(Frame::Message(b"[]".to_vec())));
        assert_eq!(frames.next(), Some(Frame::Message(b"2".to_vec())));
        assert!(matches!(frames.next(), Some(Frame::Dropped(_))));
        assert!(matches!(frames.next(), Some(Frame::Dropped(_))));
        assert_eq!(frames.next(), None);
    }

    #[test]
    fn a_truncated_message_is_ignored() {
        let mut input = &b"Content-Length: 1000000000\r\n\r\n{}"[..];
        assert_eq!(read(&mut input).unwrap(), None);
    }
}
