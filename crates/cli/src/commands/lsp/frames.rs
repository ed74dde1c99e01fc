//! Messages as bytes: `Content-Length: N`, an empty line, N bytes.
//!
//! The crate `lsp-server` is not used: it allocates as much as the header claims, ends at the first message that is not JSON, and
//! holds a text three times while it reads it.

use std::io::{self, BufRead, Read, Write};

/// The longest message, in bytes: a text of 512 MB with every byte escaped.
const LONGEST: u64 = 1 << 30;

/// The longest line of a header.
const LINE: u64 = 4096;

/// What the client sent.
#[derive(Debug, PartialEq, Eq)]
pub enum Frame {
    /// A message.
    Message(Vec<u8>),
    /// Something else, and why it was dropped.
    Dropped(&'static str),
}

/// Reads the next message; `None` at the end.
///
/// # Errors
/// Errors of the system.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Frame>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_ascii();
        if line.is_empty() {
            match length {
                Some(_) => break,
                // Between messages.
                None => continue,
            }
        }
        let mut halves = line.splitn(2, |&byte| byte == b':');
        let name = halves.next().unwrap_or_default().trim_ascii();
        if name.eq_ignore_ascii_case(b"Content-Length") {
            let value = halves.next().unwrap_or_default().trim_ascii();
            let number = std::str::from_utf8(value).ok();
            length = number.and_then(|number| number.parse::<u64>().ok());
            if length.is_none() {
                return Ok(Some(Frame::Dropped("Content-Length is no number")));
            }
        }
    }
    let length = length.unwrap_or(0);
    if length > LONGEST {
        io::copy(&mut input.by_ref().take(length), &mut io::sink())?;
        return Ok(Some(Frame::Dropped("the message is longer than 1 GiB")));
    }
    let mut message = Vec::new();
    // What the header claims need not come.
    let size = usize::try_from(length).unwrap_or(usize::MAX);
    if message.try_reserve_exact(size).is_err() {
        io::copy(&mut input.by_ref().take(length), &mut io::sink())?;
        return Ok(Some(Frame::Dropped("there is not enough memory")));
    }
    input.by_ref().take(length).read_to_end(&mut message)?;
    match message.len() == size {
        true => Ok(Some(Frame::Message(message))),
        false => Ok(None),
    }
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
    fn whatever_is_between_messages_is_skipped() {
        let mut sent = Vec::new();
        write(&mut sent, b"{}").unwrap();
        sent.extend_from_slice(b"\r\nnonsense\r\ncontent-length:1\nX: y\r\n\r\n1");
        sent.extend_from_slice(b"Content-Length: -1\r\n\r\n");
        sent.extend_from_slice(b"Content-Length: 99999999999\r\n\r\nabc");
        let mut input = &sent[..];
        let mut frames = std::iter::from_fn(|| read(&mut input).unwrap());
        assert_eq!(frames.next(), Some(Frame::Message(b"{}".to_vec())));
        assert_eq!(frames.next(), Some(Frame::Message(b"1".to_vec())));
        assert!(matches!(frames.next(), Some(Frame::Dropped(_))));
        assert!(matches!(frames.next(), Some(Frame::Dropped(_))));
        assert_eq!(frames.next(), None);
    }

    #[test]
    fn a_message_that_is_cut_off_is_none() {
        let mut input = &b"Content-Length: 1000000000\r\n\r\n{}"[..];
        assert_eq!(read(&mut input).unwrap(), None);
    }
}
