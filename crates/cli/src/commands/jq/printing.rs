//! Prints results.

use std::io;

use jsonx_jq::{Layout, Printer, Value};

use super::counts::Counts;
use super::rows::{Keys, Misfit, Rows};
use super::settings::{ProgramSource, STDIN};
use crate::args::Jq;
use crate::colors::Colors;
use crate::output::{self, Stdout, shown};
use crate::report::{escape, escape_lines};
use crate::session::Session;
use crate::terminal::{Color, Screen, screen};

/// What becomes of results.
pub enum Form {
    Values,
    Rows(Rows),
    Tally(Counts),
    /// The elements of one array: `jq -s .`, in constant memory.
    Elements,
}

/// Prints results.
pub struct Printing {
    pub form: Form,
    printer: Printer,
    colors: Option<Colors>,
    /// The terminal for tables.
    pub screen: Option<Screen>,
    is_raw: bool,
    /// As in jq, strings have no RS before them.
    are_texts_separated: bool,
    /// Control characters are escaped.
    is_terminal: bool,
    after: &'static [u8],
    before: &'static [u8],
    /// The name of the input is printed before each result.
    has_names: bool,
    pub unbuffered: bool,
}

/// The colors of results, if they have any.
pub fn colors(args: &Jq, session: &Session) -> Option<Colors> {
    Colors::of_stdout(color(args, session))
}

fn color(args: &Jq, session: &Session) -> Color {
    match (args.color_output, args.monochrome_output) {
        (_, true) => Color::Never,
        (true, _) => Color::Always,
        _ => session.color(),
    }
}

impl Printing {
    pub fn new(args: &Jq, source: &ProgramSource, session: &Session) -> Printing {
        // The last of these options has dropped the others.
        let layout = match args.indent {
            _ if args.compact_output => Layout::Compact,
            _ if args.tab => Layout::Tabs,
            Some(-1) => Layout::Tabs,
            None if args.with_filename => Layout::Compact,
            spaces => Layout::Spaces(spaces.map_or(2, i8::unsigned_abs)),
        };
        let is_raw = args.raw_output || args.join_output || args.raw_output0;
        let is_terminal = session.out.is_terminal();
        let screen = screen(color(args, session)).filter(|_| is_terminal);
        let rows = args.row_form().map(|form| {
            let has_all_keys = !args.inputs.selection.is_empty() && !source.has_fixed_keys;
            Rows::new(form, !args.no_header, has_all_keys, is_terminal)
        });
        let form = match (args.tally, rows) {
            (true, rows) => Form::Tally(Counts {
                rows,
                limit: args.limit,
                is_raw: args.raw_output,
                screen,
            }),
            (_, Some(rows)) => Form::Rows(rows),
            _ if source.joins => Form::Elements,
            _ => Form::Values,
        };
        Printing {
            form,
            printer: Printer {
                layout,
                sort_keys: args.sort_keys,
                ascii: args.ascii_output,
                as_written: source.joins && !args.sort_keys && !args.ascii_output,
            },
            colors: colors(args, session),
            screen,
            // As in jq, strings with escapes keep their quotes.
            is_raw: is_raw && !args.ascii_output,
            are_texts_separated: !is_raw,
            is_terminal,
            after: match (args.raw_output0, args.join_output) {
                (true, _) => b"\0",
                (_, true) => b"",
                _ => b"\n",
            },
            before: if args.seq { b"\x1e" } else { b"" },
            // The array of --slurp is of all inputs.
            has_names: args.with_filename && !args.slurp,
            unbuffered: args.unbuffered,
        }
    }

    /// Whether a result cannot be printed: the reader would take its NUL for an end.
    pub fn refuses(&self, value: &Value) -> bool {
        self.after == b"\0" && self.is_raw && value.as_str().is_some_and(|text| text.contains('\0'))
    }

    /// The format of rows, if they are printed.
    pub fn row_form(&self) -> Option<output::Form> {
        match &self.form {
            Form::Rows(rows) => Some(rows.form()),
            Form::Tally(counts) => counts.rows.as_ref().map(Rows::form),
            Form::Values | Form::Elements => None,
        }
    }

    /// Appends a result to a buffer: as it is printed, as a row, or to be counted on a line. Adds the keys of an object that waits
    /// for the header of all rows.
    ///
    /// # Errors
    /// It is no row.
    pub fn push(
        &self,
        value: &Value,
        name: Option<&str>,
        out: &mut Vec<u8>,
        keys: &mut Keys,
    ) -> Result<(), Misfit> {
        match &self.form {
            Form::Values => self.push_value(value, name, out),
            Form::Elements => self.printer.push_element(value, out),
            Form::Rows(rows) => return rows.push(value, out, keys),
            Form::Tally(_) => {
                Printer::default().push(value, out);
                out.push(b'\n');
            }
        }
        Ok(())
    }

    /// The text before and after the first element of an array, without the comma that precedes each.
    pub fn around(&self, is_empty: bool) -> (Vec<u8>, Vec<u8>) {
        let (mut before, mut after) = (self.before.to_vec(), Vec::new());
        before.push(b'[');
        if is_empty {
            after.push(b']');
        } else {
            self.printer.push_end(&mut after);
        }
        after.extend_from_slice(self.after);
        (before, after)
    }

    /// Appends a result whose verified text is known. Returns false, and appends nothing, if its value is needed.
    pub fn push_text(&self, text: &[u8], name: Option<&str>, out: &mut Vec<u8>) -> bool {
        let begin = out.len();
        let is_separated = self.are_texts_separated || text.first() != Some(&b'"');
        let is_printed = match (&self.form, text) {
            (Form::Tally(_), _) => {
                let is_printed = Printer::default().push_text(text, out);
                out.push(b'\n');
                is_printed
            }
            (Form::Values, _) if self.is_terminal || self.colors.is_some() => false,
            (Form::Values, [b'"', content @ .., b'"']) if self.is_raw => {
                self.push_before(name, is_separated, out);
                out.extend_from_slice(content);
                out.extend_from_slice(self.after);
                !content.contains(&b'\\')
            }
            (Form::Values, _) => {
                self.push_before(name, is_separated, out);
                let is_printed = self.printer.push_text(text, out);
                out.extend_from_slice(self.after);
                is_printed
            }
            _ => false,
        };
        if !is_printed {
            out.truncate(begin);
        }
        is_printed
    }

    /// Appends what precedes a result.
    fn push_before(&self, name: Option<&str>, is_separated: bool, out: &mut Vec<u8>) {
        if self.has_names {
            out.extend(escape(name.unwrap_or(STDIN)).bytes());
            out.push(b':');
        }
        if is_separated {
            out.extend_from_slice(self.before);
        }
    }

    fn push_value(&self, value: &Value, name: Option<&str>, out: &mut Vec<u8>) {
        let is_separated = self.are_texts_separated || value.as_str().is_none();
        self.push_before(name, is_separated, out);
        match value.as_str().filter(|_| self.is_raw) {
            Some(text) if self.is_terminal => out.extend(escape_lines(text.as_bytes()).bytes()),
            Some(text) => out.extend_from_slice(text.as_bytes()),
            None if self.colors.is_none() && !self.is_terminal => self.printer.push(value, out),
            None => {
                let mut text = Vec::new();
                self.printer.push(value, &mut text);
                if self.is_terminal {
                    text = shown(&text);
                }
                if let Some(mut colors) = self.colors.clone() {
                    text = colors.paint(&text);
                    text.extend_from_slice(colors.end());
                }
                out.extend_from_slice(&text);
            }
        }
        out.extend_from_slice(self.after);
    }

    /// Prints a result. `buffer` is scratch space.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn print(
        &self,
        value: &Value,
        name: Option<&str>,
        buffer: &mut Vec<u8>,
        out: &mut Stdout,
    ) -> io::Result<()> {
        buffer.clear();
        self.push_value(value, name, buffer);
        io::Write::write_all(out, buffer)?;
        if self.unbuffered {
            Stdout::flush(out)?;
        }
        Ok(())
    }
}
