//! Prints results.

use std::io;

use jsonx_jq::{Layout, Printer, Value};

use super::counts::Counts;
use super::rows::{Keys, Misfit, Rows};
use super::settings::ProgramSource;
use crate::args::Jq;
use crate::colors::Colors;
use crate::output::{self, Stdout, TerminalOutput};
use crate::session::Session;
use crate::terminal::Color;

/// What becomes of results.
pub enum Form {
    Values,
    Rows(Rows),
    Tally(Counts),
}

/// Prints results.
pub struct Printing {
    pub form: Form,
    printer: Printer,
    colors: Option<Colors>,
    is_raw: bool,
    after: &'static [u8],
    before: &'static [u8],
    pub unbuffered: bool,
}

impl Printing {
    pub fn new(args: &Jq, source: &ProgramSource, session: &Session) -> Printing {
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
        let is_terminal = session.out.is_terminal();
        let rows = args.row_form().map(|form| {
            let has_all_keys = !args.inputs.selection.is_empty() && !source.has_fixed_keys;
            Rows::new(form, !args.no_header, has_all_keys, is_terminal)
        });
        let form = match (args.tally, rows) {
            (true, rows) => Form::Tally(Counts {
                rows,
                limit: args.limit,
                is_raw: args.raw_output,
                is_terminal,
            }),
            (_, Some(rows)) => Form::Rows(rows),
            _ => Form::Values,
        };
        Printing {
            form,
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

    /// The format of rows, if they are printed.
    pub fn row_form(&self) -> Option<output::Form> {
        match &self.form {
            Form::Rows(rows) => Some(rows.form()),
            Form::Tally(counts) => counts.rows.as_ref().map(Rows::form),
            Form::Values => None,
        }
    }

    /// Appends a result to a buffer: as it is printed, as a row, or to be counted on a line. Adds the keys of an object that waits
    /// for the header of all rows.
    ///
    /// # Errors
    /// It is no row.
    pub fn push(&self, value: &Value, out: &mut Vec<u8>, keys: &mut Keys) -> Result<(), Misfit> {
        match &self.form {
            Form::Values => self.push_value(value, out),
            Form::Rows(rows) => return rows.push(value, out, keys),
            Form::Tally(_) => {
                Printer::default().push(value, out);
                out.push(b'\n');
            }
        }
        Ok(())
    }

    fn push_value(&self, value: &Value, out: &mut Vec<u8>) {
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
        self.push_value(value, buffer);
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
