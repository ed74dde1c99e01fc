//! Decodes a block of lines into batches and rejects.
//!
//! All lines of a block are checked at once. After an error, the lines up to it are decoded, and some of the following lines
//! one by one; their number doubles each time, so a text that is not JSON Lines costs at most n log n.

use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, SchemaRef};
use jsonx_core::SyntaxError;
use jsonx_core::engine::Mode;
use jsonx_core::path::Notation;
use jsonx_diagnose::{DiagnoseOptions, Lints, diagnose};
use memchr::{memchr, memchr_iter, memrchr};

use crate::column::{Column, Struct};
use crate::elements;
use crate::mismatch::Mismatch;
use crate::options::{Mismatches, ReaderOptions};
use crate::rejects::Reject;
use crate::tokens::{Cursor, Tokens};

/// The longest record whose error is diagnosed; for a longer one, the engine's error is reported.
const EXPLAINED: usize = 1 << 20;

/// Whole lines of the input.
pub(crate) struct Block {
    pub text: Vec<u8>,
    /// The offset in the input.
    pub offset: u64,
    /// The path of the elements, if the text is one document.
    pub elements: Option<Arc<jsonx_core::Path>>,
}

/// The batches and rejects of a block.
#[derive(Default)]
pub(crate) struct Decoded {
    pub batches: Vec<RecordBatch>,
    /// Lines count from 1 in the block.
    pub rejects: Vec<Reject>,
    /// Line feeds in the block.
    pub lines: u64,
    /// Times that were cut.
    pub cut: u64,
}

pub(crate) struct Decoder {
    schema: SchemaRef,
    options: ReaderOptions,
    root: Struct,
    tokens: Tokens,
}

/// Counts the lines of a block.
#[derive(Default)]
struct Passed {
    at: usize,
    lines: u64,
}

impl Passed {
    /// The number of the line at an offset, from 1. Offsets ascend.
    fn line(&mut self, text: &[u8], offset: usize) -> u64 {
        self.lines += memchr_iter(b'\n', &text[self.at..offset]).count() as u64;
        self.at = offset;
        self.lines + 1
    }
}

impl Decoder {
    pub fn new(schema: SchemaRef, options: ReaderOptions) -> Result<Self, ArrowError> {
        Ok(Decoder {
            root: Struct::new(schema.fields().clone(), &options)?,
            tokens: Tokens {
                coerces: options.coercion.is_some(),
                ..Tokens::default()
            },
            schema,
            options,
        })
    }

    pub fn decode(&mut self, block: &Block) -> Result<Decoded, ArrowError> {
        let mut run = Run {
            text: &block.text,
            offset: block.offset,
            decoded: Decoded::default(),
            passed: Passed::default(),
        };
        let result = match &block.elements {
            Some(path) => self.elements(&mut run, path),
            None => self.lines(&mut run),
        };
        if result.is_err() {
            self.root.truncate(0);
        }
        result?;
        self.flush(&mut run)?;
        run.passed.line(&block.text, block.text.len());
        run.decoded.lines = run.passed.lines;
        run.decoded.cut = self.tokens.cut.take();
        Ok(run.decoded)
    }

    fn lines(&mut self, run: &mut Run<'_>) -> Result<(), ArrowError> {
        let (mut from, mut alone) = (0, 1);
        while from < run.text.len() {
            let checked = self.tokens.read(&run.text[from..], Mode::Stream);
            let end = match checked {
                Ok(()) => run.text.len(),
                // The tokens of a truncated record are verified, but not the record.
                Err(error) => {
                    let before = &run.text[from..][..error.offset as usize];
                    let line = memrchr(b'\n', before.trim_ascii_end()).map_or(0, |at| at + 1);
                    from + self.tokens.verified.min(line)
                }
            };
            let before = from;
            from = self.rows(run, from, end)?;
            if from == run.text.len() {
                break;
            }
            // The error is in one of these lines.
            let error = checked
                .err()
                .map_or(from, |error| before + error.offset as usize);
            alone = if from - before > 16 << 10 {
                1
            } else {
                alone * 2
            };
            let mut count = 0;
            while from < run.text.len() && (count < alone || from <= error) {
                let length =
                    memchr(b'\n', &run.text[from..]).map_or(run.text.len() - from, |at| at + 1);
                self.line(run, from, from + length)?;
                from += length;
                count += 1;
            }
        }
        Ok(())
    }

    /// Decodes lines up to `end`, whose tokens were read from `from` on. Returns the start of the first line that is not one value.
    fn rows(&mut self, run: &mut Run<'_>, from: usize, end: usize) -> Result<usize, ArrowError> {
        let tokens = std::mem::take(&mut self.tokens);
        let done = self.rows_of(run, &tokens, from, end);
        self.tokens = tokens;
        done
    }

    fn rows_of(
        &mut self,
        run: &mut Run<'_>,
        tokens: &Tokens,
        from: usize,
        end: usize,
    ) -> Result<usize, ArrowError> {
        let text = &run.text[from..];
        let mut cursor = Cursor::new(text, tokens);
        // The start of the line.
        let mut line = 0;
        while cursor.at < tokens.count() {
            let start = tokens.starts[cursor.at] as usize;
            let stop = match memchr(b'\n', &text[start..]) {
                Some(length) => start + length,
                None if end == run.text.len() => text.len(),
                None => return Ok(from + line),
            };
            if from + stop > end {
                return Ok(from + line);
            }
            let (row, first) = (self.root.len(), cursor.at);
            let appended = self.root.append(&mut cursor);
            if appended.is_err() {
                cursor.at = first;
                cursor.skip();
            }
            let last = tokens.starts[cursor.at - 1] as usize;
            let next = tokens.starts[cursor.at] as usize;
            let is_line =
                last < stop && next >= stop && !matches!(text[start], b',' | b':' | b']' | b'}');
            if !is_line {
                self.root.truncate(row);
                return Ok(from + blank_before(text, line, start));
            }
            if let Err(mismatch) = appended {
                self.root.truncate(row);
                self.misfit(run, from + start, from + stop, mismatch)?;
            }
            line = (stop + 1).min(text.len());
            if self.root.len() >= self.options.batch_rows {
                self.flush(run)?;
            }
        }
        Ok(if end == run.text.len() {
            end
        } else {
            from + line
        })
    }

    /// Decodes one line.
    fn line(&mut self, run: &mut Run<'_>, from: usize, to: usize) -> Result<(), ArrowError> {
        let line = &run.text[from..to];
        let record = line.trim_ascii();
        if record.is_empty() {
            return Ok(());
        }
        if let Err(error) = self.tokens.read(line, Mode::One) {
            return self.broken(run, from, to, error);
        }
        let row = self.root.len();
        let appended = self.root.append(&mut Cursor::new(line, &self.tokens));
        if let Err(mismatch) = appended {
            self.root.truncate(row);
            self.misfit(run, from, to, mismatch)?;
        }
        if self.root.len() >= self.options.batch_rows {
            self.flush(run)?;
        }
        Ok(())
    }

    /// Decodes the elements at a path of a document, or the values selected by it.
    fn elements(&mut self, run: &mut Run<'_>, path: &jsonx_core::Path) -> Result<(), ArrowError> {
        let found = elements::find(run.text, path)?;
        let read = self.tokens.read(run.text, Mode::One);
        read.map_err(|error| ArrowError::JsonError(error.to_string()))?;
        let tokens = std::mem::take(&mut self.tokens);
        let mut cursor = Cursor::new(run.text, &tokens);
        for start in found {
            while (cursor.starts[cursor.at] as usize) < start {
                cursor.at += 1;
            }
            let row = self.root.len();
            // The next value may be inside this one.
            if let Err(mismatch) = self.root.append(&mut cursor.clone()) {
                self.root.truncate(row);
                self.misfit(run, start, start + cursor.value().len(), mismatch)?;
            }
            if self.root.len() >= self.options.batch_rows {
                self.flush(run)?;
            }
        }
        self.tokens = tokens;
        Ok(())
    }

    /// Rejects a valid record that does not fit.
    #[cold]
    fn misfit(
        &mut self,
        run: &mut Run<'_>,
        from: usize,
        to: usize,
        mismatch: Mismatch,
    ) -> Result<(), ArrowError> {
        let path = mismatch.pointer();
        run.reject(
            self.options.mismatches,
            from,
            to,
            path,
            mismatch.code,
            mismatch.message,
        )
    }

    /// Rejects a line that is not JSON.
    #[cold]
    fn broken(
        &mut self,
        run: &mut Run<'_>,
        from: usize,
        to: usize,
        error: SyntaxError,
    ) -> Result<(), ArrowError> {
        let record = run.text[from..to].trim_ascii();
        let options = DiagnoseOptions::default().lints(Lints::NONE).limit(1);
        let report = match record.len() {
            ..=EXPLAINED => diagnose(record, &options),
            _ => Default::default(),
        };
        match report.diagnostics.first() {
            Some(first) => {
                let path = first.path.display(Notation::Pointer).to_string();
                let message = first.message.clone();
                run.reject(
                    self.options.mismatches,
                    from,
                    to,
                    path,
                    first.code.as_str(),
                    message,
                )
            }
            None => {
                let message = error.kind.to_string();
                run.reject(
                    self.options.mismatches,
                    from,
                    to,
                    String::new(),
                    "syntax-error",
                    message,
                )
            }
        }
    }

    /// Ends a batch.
    fn flush(&mut self, run: &mut Run<'_>) -> Result<(), ArrowError> {
        let rows = self.root.len();
        if rows == 0 {
            return Ok(());
        }
        let columns = self.root.finish_columns()?;
        self.root.truncate(0);
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let batch = RecordBatch::try_new_with_options(self.schema.clone(), columns, &options)?;
        run.decoded.batches.push(batch);
        Ok(())
    }
}

/// The start of the line of `start`, not before `from`: blank lines may precede it.
fn blank_before(text: &[u8], from: usize, start: usize) -> usize {
    memrchr(b'\n', &text[from..start]).map_or(from, |at| from + at + 1)
}

/// The work on a block.
struct Run<'t> {
    text: &'t [u8],
    offset: u64,
    decoded: Decoded,
    passed: Passed,
}

impl Run<'_> {
    fn reject(
        &mut self,
        mismatches: Mismatches,
        from: usize,
        to: usize,
        path: String,
        code: &str,
        message: String,
    ) -> Result<(), ArrowError> {
        let line = self.passed.line(self.text, from);
        if mismatches == Mismatches::Error {
            let offset = self.offset + from as u64;
            let place = if path.is_empty() {
                path
            } else {
                format!(" at {path}")
            };
            let message = format!("record at byte {offset}: {message}{place} [{code}]");
            return Err(ArrowError::JsonError(message));
        }
        self.decoded.rejects.push(Reject {
            line,
            offset: self.offset + from as u64,
            path,
            code: code.to_owned(),
            message,
            record: self.text[from..to].trim_ascii_end().to_vec(),
        });
        Ok(())
    }
}
