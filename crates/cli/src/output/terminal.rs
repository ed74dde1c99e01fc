//! Escapes control characters in JSON that is printed on a terminal.

use std::io;

use jsonx_core::Output;

use super::Stdout;
use crate::report::escape_json;

/// Standard output on a terminal. Control characters in strings, and other characters that change how text is
/// displayed, become `\u` escapes, so the output is the same value and can be copied. Files and pipes get the text
/// unescaped.
pub struct TerminalOutput<'a> {
    out: &'a mut Stdout,
    /// The start of an incomplete UTF-8 sequence.
    partial: Vec<u8>,
}

impl TerminalOutput<'_> {
    /// Wraps standard output.
    pub fn new(out: &mut Stdout) -> TerminalOutput<'_> {
        TerminalOutput {
            out,
            partial: Vec::new(),
        }
    }

    /// Flushes the output.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Output for TerminalOutput<'_> {
    type Error = io::Error;

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut text = std::mem::take(&mut self.partial);
        text.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&text) {
            Ok(text) => text.len(),
            Err(error) => error.valid_up_to(),
        };
        self.partial = text.split_off(whole);
        // The formatter writes these between tokens; strings cannot contain them unescaped.
        for line in text.split_inclusive(|byte| matches!(byte, b'\r' | b'\t')) {
            let (content, end) = match line {
                [content @ .., b'\r' | b'\t'] => (content, &line[content.len()..]),
                content => (content, &b""[..]),
            };
            let mut out = &mut *self.out;
            out.write(escape_json(content).as_bytes())?;
            out.write(end)?;
        }
        Ok(())
    }
}
