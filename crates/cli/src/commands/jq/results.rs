//! The results of a run in order: printed, as rows, or counted.

use std::io::{self, Read, Seek, SeekFrom, Write};

use jsonx_core::engine::{Mode, Options};
use jsonx_jq::{IndexedText, TextBytes, Value};
use tempfile::SpooledTempFile;

use super::printing::{Form, Printing};
use super::rows::{Keys, Misfit, Rows};
use super::tally::Tally;
use crate::output::{self, Stdout, Table};

/// What waits is written to a file beyond this length.
const HELD: usize = 8 << 20;

/// Bytes of such a file that are read at once.
const READ: usize = 1 << 20;

/// The destination of all results.
pub struct Results<'a> {
    pub printing: &'a Printing,
    pub out: Stdout,
    buffer: Vec<u8>,
    keys: Keys,
    /// Objects that wait for the header, one a line, or elements that wait for the end.
    waiting: Option<SpooledTempFile>,
    tally: Tally,
}

impl<'a> Results<'a> {
    pub fn new(printing: &'a Printing, mut out: Stdout) -> Results<'a> {
        if let Some(form @ (output::Form::Table | output::Form::Markdown)) = printing.row_form() {
            let table = Table::new(form == output::Form::Markdown);
            out.begin_table(table.on(printing.screen));
        }
        Results {
            printing,
            out,
            buffer: Vec::new(),
            keys: Keys::default(),
            waiting: None,
            tally: Tally::default(),
        }
    }

    /// Takes a result of the interpreter.
    ///
    /// # Errors
    /// Errors of the output; the inner one: the reason why it is no row, or why it is not counted.
    pub fn push(&mut self, value: &Value, name: Option<&str>) -> io::Result<Result<(), String>> {
        let printing = self.printing;
        let mut text = std::mem::take(&mut self.buffer);
        text.clear();
        let taken = match &printing.form {
            Form::Values => printing
                .print(value, name, &mut text, &mut self.out)
                .map(Ok),
            form => {
                let decided = match form {
                    Form::Rows(rows) => rows.decide(value, &mut text),
                    _ => Ok(()),
                };
                if matches!(form, Form::Rows(rows) if rows.have_names()) {
                    self.out.note_header();
                }
                match decided.and_then(|()| printing.push(value, name, &mut text, &mut self.keys)) {
                    Ok(()) => self.take(&text),
                    Err(misfit) => Ok(Err(self.message(&misfit))),
                }
            }
        };
        self.buffer = text;
        taken
    }

    fn message(&self, misfit: &Misfit) -> String {
        match &self.printing.form {
            Form::Rows(rows) => rows.message(misfit),
            _ => String::new(),
        }
    }

    /// Takes the texts of results, in the form of the run; those to be counted, on one line each.
    fn take(&mut self, text: &[u8]) -> io::Result<Result<(), String>> {
        match &self.printing.form {
            Form::Tally(_) => return Ok(count(text, &mut self.tally)),
            Form::Rows(rows) if rows.are_waiting() => self.wait(text)?,
            // As in jq, nothing is printed if the rest is invalid.
            Form::Elements => self.wait(text)?,
            _ => self.out.write_all(text)?,
        }
        Ok(Ok(()))
    }

    fn wait(&mut self, text: &[u8]) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        let waiting = self
            .waiting
            .get_or_insert_with(|| SpooledTempFile::new(HELD));
        waiting.write_all(text)
    }

    /// Takes the results of a batch.
    ///
    /// # Errors
    /// As for [`Results::push`].
    pub fn append(&mut self, text: &[u8]) -> io::Result<()> {
        self.take(text).map(drop)
    }

    /// Takes the keys and the counts of a batch.
    ///
    /// # Errors
    /// There are too many.
    pub fn merge(&mut self, keys: &Keys, tally: Tally) -> Result<(), String> {
        self.keys
            .merge(keys)
            .map_err(|misfit| self.message(&misfit))?;
        self.tally.merge(tally)
    }

    /// Prints what has waited for the end.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn end(mut self, is_invalid: bool) -> io::Result<()> {
        let printing = self.printing;
        match &printing.form {
            Form::Elements if is_invalid => {}
            Form::Elements => {
                let waiting = self.waiting.take();
                let (before, after) = printing.around(waiting.is_none());
                self.out.write_all(&before)?;
                if let Some(mut elements) = waiting {
                    elements.seek(SeekFrom::Start(1))?;
                    io::copy(&mut elements, &mut self.out)?;
                }
                self.out.write_all(&after)?;
            }
            Form::Rows(rows) => {
                if let Some(waiting) = self.waiting.take() {
                    self.release(rows, waiting)?;
                }
            }
            Form::Tally(tally) => {
                let counts = std::mem::take(&mut self.tally).into_counts();
                tally.print(
                    counts.take(tally.limit.unwrap_or(usize::MAX)),
                    &mut self.out,
                )?;
            }
            Form::Values => {}
        }
        self.out.end_table()?;
        self.out.flush()
    }

    /// Prints the rows of objects that have waited.
    fn release(&mut self, rows: &Rows, mut waiting: SpooledTempFile) -> io::Result<()> {
        let mut text = Vec::new();
        let rows = rows.released(&self.keys, &mut text);
        if rows.have_names() {
            self.out.note_header();
        }
        self.out.write_all(&text)?;
        waiting.rewind()?;
        let mut lines = Vec::new();
        loop {
            let read = Read::take(&mut waiting, READ as u64).read_to_end(&mut lines)?;
            let end = memchr::memrchr(b'\n', &lines).map_or(0, |at| at + 1);
            let rest = lines.split_off(end);
            text.clear();
            for value in values(std::mem::replace(&mut lines, rest))? {
                // They have fitted before.
                let _ = rows.push(&value, &mut text, &mut Keys::default());
            }
            self.out.write_all(&text)?;
            if read == 0 {
                return Ok(());
            }
        }
    }
}

/// The values that were printed to lines.
fn values(lines: Vec<u8>) -> io::Result<impl Iterator<Item = Value>> {
    let options = Options::default().max_depth(u64::MAX).mode(Mode::Stream);
    let text = IndexedText::new(TextBytes::Owned(lines), options);
    let text = text.map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
    Ok(std::rc::Rc::new(text).values())
}

/// Counts values that were printed to lines.
pub fn count(lines: &[u8], tally: &mut Tally) -> Result<(), String> {
    let mut from = 0;
    for end in memchr::memchr_iter(b'\n', lines) {
        tally.add(&lines[from..end], Options::default())?;
        from = end + 1;
    }
    Ok(())
}
