//! Streams of values and JSON Lines: each value is a separate document, edited as soon as its line is complete.
//!
//! Lines before a failing one are returned even if they arrived together with it: the output for a pipe does not depend on how
//! its writer divides the text.

use std::io;
use std::mem::take;
use std::ops::ControlFlow;

use jsonx_core::engine::Mode;
use jsonx_core::position;

use super::outcome::{Failed, ValueEditor, Warning};
use crate::check::lines::{
    Batch, Batching, Collector, Counts, Flow, Handler, LineFindings, Records, Search, each_batch,
    query_of_roots, roots,
};
use crate::check::{CheckOptions, Checks, Failure, InputKind, moved};
use crate::exit::Exit;
use crate::input::{BYTE_ORDER_MARK, Input, Task};

/// Maximum length of values without a match that are buffered until the first match, or the end.
const UNMATCHED: usize = 1 << 20;

/// Edits each value of an input. `emit` receives the new text in pieces that end where a value does. With `warns`, warnings are
/// printed. Returns whether anything has changed.
///
/// # Errors
/// The input is invalid or cannot be read; an operation fails; `Failure::Write` if `emit` fails.
pub fn edit<E: ValueEditor>(
    editor: &E,
    check: &CheckOptions,
    input: &mut Input,
    kind: InputKind,
    warns: bool,
    emit: impl FnMut(&[u8]) -> io::Result<()>,
) -> Result<bool, Failure> {
    let name = input.name().to_string();
    let search = Search {
        options: check.engine(InputKind::Json),
        checks: Checks::default(),
        limit: 0,
        takes_several: false,
    };
    let batching = Batching {
        stops: true,
        // A warning is printed once, and messages have positions.
        is_divisible: false,
        reports_early: false,
        ..Batching::new(Task::Format, search, kind)
    };
    let editing = Editing {
        editor,
        name: &name,
        warns,
    };
    let mut emitting = Emitting {
        emit,
        waiting: Some(Vec::new()),
        takes_misses: editor.takes_misses(),
        counts: RecordCounts::default(),
    };
    each_batch(input, &batching, &editing, &mut emitting)?;
    let counts = emitting.counts;
    // An open input without any value is an error in every command.
    let is_empty = counts.values == 0 && check.is_open(input) && !input.is_messagepack();
    if counts.matched == 0 && !editor.takes_misses() && !is_empty {
        let message = match counts.miss {
            Some(miss) if counts.values > 1 => {
                format!("{miss}\nnone of the {} values has a match", counts.values)
            }
            Some(miss) => miss,
            None => format!("jsonx: {name}: holds no value"),
        };
        let exit = Exit::No;
        return Err(Failure::Declined { exit, message });
    }
    if let Some(text) = emitting
        .waiting
        .filter(|text| !is_empty && !text.is_empty())
    {
        (emitting.emit)(&text).map_err(Failure::Write)?;
    }
    Ok(counts.changed)
}

/// Counts of the values so far.
#[derive(Clone, Default)]
struct RecordCounts {
    values: u64,
    matched: u64,
    changed: bool,
    /// The message for the first value without a match.
    miss: Option<String>,
}

/// The edit of each value.
struct Editing<'a, E> {
    editor: &'a E,
    name: &'a str,
    warns: bool,
}

/// The new text of a batch, and the state of the work on the input.
#[derive(Default)]
struct Part {
    text: Vec<u8>,
    counts: RecordCounts,
    warned: Vec<Warning>,
    is_begun: bool,
    has_failed: bool,
}

impl<E: ValueEditor> Handler for Editing<'_, E> {
    type Part = Part;

    fn begin(&self) -> Part {
        Part::default()
    }

    fn batch(&self, batch: Batch<'_>, records: &mut Records, part: &mut Part) -> Flow {
        let is_begun = std::mem::replace(&mut part.is_begun, true);
        if !is_begun && batch.start == BYTE_ORDER_MARK.len() as u64 {
            part.text.extend_from_slice(BYTE_ORDER_MARK);
        }
        let flow = batch.each_valid(records, |batch, mode| self.edit(batch, mode, part));
        part.has_failed = flow.is_err();
        flow
    }
}

impl<E: ValueEditor> Editing<'_, E> {
    /// Edits the values of a text; `None` if it is invalid.
    fn edit(
        &self,
        batch: Batch<'_>,
        mode: Mode,
        part: &mut Part,
    ) -> Result<Option<Counts>, Failure> {
        let Some((mut query, counts)) = batch.checked(mode, query_of_roots())? else {
            return Ok(None);
        };
        query.end();
        let text = batch.text;
        let place = |at: usize| {
            let at = position::locate(text, at);
            format!("{}:{}:{}", self.name, batch.line + at.line, at.column)
        };
        let counted = &mut part.counts;
        let (mut at, mut whole_lines) = (0, part.text.len());
        for (start, end) in roots(&mut query) {
            if let Some(feed) = memchr::memrchr(b'\n', &text[at..start]) {
                whole_lines = part.text.len() + feed + 1;
            }
            // With the white space before it, which is the indentation of its line.
            let (line, value) = (at, &text[at..end]);
            at = end;
            counted.values += 1;
            let refused = match self.editor.edit(value, batch.options, true) {
                Ok(outcome) => {
                    counted.matched += 1;
                    let edited = outcome.splices.apply(value);
                    counted.changed |= edited != value;
                    part.text.extend_from_slice(&edited);
                    for warning in outcome.warnings {
                        if self.warns && !part.warned.contains(&warning) {
                            warning.print(&place(start));
                            part.warned.push(warning);
                        }
                    }
                    continue;
                }
                Err(Failed::Invalid(error)) => {
                    moved(Failure::Invalid(error), batch.offset + line as u64)
                }
                Err(Failed::Refused(refusal)) => {
                    let place = place(refusal.at.map_or(start, |at| line + at));
                    let message = self.editor.message(&refusal, &place);
                    if refusal.is_missing {
                        counted.miss.get_or_insert(message);
                        part.text.extend_from_slice(value);
                        continue;
                    }
                    let exit = refusal.exit;
                    Failure::Declined { exit, message }
                }
            };
            part.text.extend_from_slice(&text[line..start]);
            part.text.truncate(whole_lines);
            return Err(refused);
        }
        part.text.extend_from_slice(&text[at..]);
        Ok(Some(counts))
    }
}

/// Passes on the text.
struct Emitting<F> {
    emit: F,
    /// The text before the first match, or before the first value if none needs a match: without any, nothing is printed.
    waiting: Option<Vec<u8>>,
    takes_misses: bool,
    counts: RecordCounts,
}

impl<F: FnMut(&[u8]) -> io::Result<()>> Collector for Emitting<F> {
    type Part = Part;

    fn join(&mut self, part: &mut Part, _: u64, _: bool) -> Result<ControlFlow<()>, Failure> {
        self.counts.clone_from(&part.counts);
        let mut text = take(&mut part.text);
        if let Some(mut waiting) = self.waiting.take() {
            waiting.append(&mut text);
            let RecordCounts {
                values, matched, ..
            } = part.counts;
            let decisive = if self.takes_misses { values } else { matched };
            let is_decided = decisive > 0 || part.has_failed;
            if !is_decided && waiting.len() <= UNMATCHED {
                self.waiting = Some(waiting);
                return Ok(ControlFlow::Continue(()));
            }
            text = waiting;
        }
        if !text.is_empty() {
            (self.emit)(&text).map_err(Failure::Write)?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn report(&mut self, _: &mut Input, _: LineFindings) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests;
