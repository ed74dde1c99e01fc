//! A terminal is shown JSON, and does not obey it.

use std::io;

use jsonx_core::Output;

use crate::output::Stdout;
use crate::report::escape_json;

/// Standard output that is a terminal: control characters in strings, and what else changes how text is shown, become
/// `\u` escapes. What is printed is the same value, so that it can be copied; into files and pipes it goes as it is.
pub struct Guard<'a> {
    out: &'a mut Stdout,
    /// The beginning of a character whose end has not come.
    partial: Vec<u8>,
}

impl Guard<'_> {
    /// A guard of this output.
    pub fn new(out: &mut Stdout) -> Guard<'_> {
        Guard {
            out,
            partial: Vec::new(),
        }
    }

    /// Writes what was gathered.
    ///
    /// # Errors
    /// Those of the system.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Output for Guard<'_> {
    type Error = io::Error;

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut text = std::mem::take(&mut self.partial);
        text.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&text) {
            Ok(text) => text.len(),
            Err(error) => error.valid_up_to(),
        };
        self.partial = text.split_off(whole);
        // Between tokens these are our own; in strings they do not stand.
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
