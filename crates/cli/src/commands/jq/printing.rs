//! Prints results.

use std::io;

use jsonx_jq::{Layout, Printer, Value};

use crate::args::Jq;
use crate::colors::Colors;
use crate::output::{Stdout, TerminalOutput};
use crate::session::Session;
use crate::terminal::Color;

/// Prints results.
pub struct Printing {
    printer: Printer,
    colors: Option<Colors>,
    is_raw: bool,
    after: &'static [u8],
    before: &'static [u8],
    pub unbuffered: bool,
}

impl Printing {
    pub fn new(args: &Jq, session: &Session) -> Printing {
        // The last of these options has dropped the others.
        let layout = match args.indent {
            _ if args.compact_output => Layout::Compact,
            _ if args.tab => Layout::Tabs,
            Some(0) => Layout::Compact,
            spaces => Layout::Spaces(spaces.unwrap_or(2)),
        };
        let color = match (args.color_output, args.monochrome_output) {
            (true, _) => Color::Always,
            (_, true) => Color::Never,
            _ => session.color(),
        };
        Printing {
            printer: Printer {
                layout,
                sort_keys: args.sort_keys,
                ascii: args.ascii_output,
            },
            colors: Colors::of_stdout(color),
            // As in jq, strings with escapes keep their quotes.
            is_raw: !args.ascii_output && (args.raw_output || args.join_output || args.raw_output0),
            after: match (args.raw_output0, args.join_output) {
                (true, _) => b"\0",
                (_, true) => b"",
                _ => b"\n",
            },
            before: if args.seq { b"\x1e" } else { b"" },
            unbuffered: args.unbuffered,
        }
    }

    /// Appends a result to a buffer.
    pub fn push(&self, value: &Value, out: &mut Vec<u8>) {
        out.extend_from_slice(self.before);
        let raw = value.as_str().filter(|_| self.is_raw);
        match (raw, &self.colors) {
            (Some(text), _) => out.extend_from_slice(text.as_bytes()),
            (None, None) => self.printer.push(value, out),
            (None, Some(colors)) => {
                let mut plain = Vec::new();
                self.printer.push(value, &mut plain);
                let mut colors = colors.clone();
                out.extend_from_slice(&colors.paint(&plain));
                out.extend_from_slice(colors.end());
            }
        }
        out.extend_from_slice(self.after);
    }

    /// Prints a result. `buffer` is scratch space.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn print(&self, value: &Value, buffer: &mut Vec<u8>, out: &mut Stdout) -> io::Result<()> {
        buffer.clear();
        self.push(value, buffer);
        if self.is_raw && out.is_terminal() {
            // Control characters of raw strings are shown.
            TerminalOutput::plain(out).write(buffer)?;
        } else {
            io::Write::write_all(out, buffer)?;
        }
        if self.unbuffered {
            Stdout::flush(out)?;
        }
        Ok(())
    }
}
