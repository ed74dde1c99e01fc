//! JSON on a terminal: control characters are escaped, and tokens are colored.

use std::io;

use jsonx_core::format::Output;

use super::{AnyOutput, Stdout};
use crate::colors::Colors;
use crate::report::escape_json;
use crate::terminal::Color;

/// Standard output on a terminal. Control characters in strings, and other characters that change how text is
/// displayed, become `\u` escapes, so the output is the same value and can be copied. Files and pipes get the text
/// unescaped.
pub struct TerminalOutput<'a> {
    out: &'a mut Stdout,
    escapes: bool,
    colors: Option<Colors>,
    /// The start of an incomplete UTF-8 sequence.
    partial: Vec<u8>,
}

impl TerminalOutput<'_> {
    /// Standard output, wrapped without colors if it is a terminal.
    pub fn plain(out: &mut Stdout) -> Box<AnyOutput<'_>> {
        if !out.is_terminal() {
            return Box::new(out);
        }
        Box::new(TerminalOutput {
            out,
            escapes: true,
            colors: None,
            partial: Vec::new(),
        })
    }

    /// Standard output, wrapped if text is transformed there.
    pub fn any(out: &mut Stdout, color: Color) -> Box<AnyOutput<'_>> {
        match TerminalOutput::new(out, color) {
            Ok(out) => Box::new(out),
            Err(out) => Box::new(out),
        }
    }

    /// Wraps standard output.
    ///
    /// # Errors
    /// Standard output itself, if text is printed there unchanged.
    pub fn new(out: &mut Stdout, color: Color) -> Result<TerminalOutput<'_>, &mut Stdout> {
        let colors = Colors::of_stdout(color);
        let escapes = out.is_terminal();
        if escapes || colors.is_some() {
            Ok(TerminalOutput {
                out,
                escapes,
                colors,
                partial: Vec::new(),
            })
        } else {
            Err(out)
        }
    }
}

/// JSON as a terminal shows it. Carriage returns and tabs stay: strings cannot contain them unescaped.
pub fn shown(json: &[u8]) -> Vec<u8> {
    let mut shown = Vec::with_capacity(json.len());
    for line in json.split_inclusive(|byte| matches!(byte, b'\r' | b'\t')) {
        let end = line.len() - usize::from(line.ends_with(b"\r") || line.ends_with(b"\t"));
        shown.extend_from_slice(escape_json(&line[..end]).as_bytes());
        shown.extend_from_slice(&line[end..]);
    }
    shown
}

impl Drop for TerminalOutput<'_> {
    /// Text that does not end with a line feed may end in a colored token.
    fn drop(&mut self) {
        if let Some(end) = self
            .colors
            .as_mut()
            .map(Colors::end)
            .filter(|end| !end.is_empty())
        {
            // An error shows again when standard output is flushed.
            let _ = Output::write(self.out, end);
        }
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
        if self.escapes {
            text = shown(&text);
        }
        if let Some(colors) = &mut self.colors {
            text = colors.paint(&text);
        }
        Output::write(self.out, &text)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
