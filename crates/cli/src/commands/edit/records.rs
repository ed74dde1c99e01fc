//! Streams of values and JSON Lines: each value is a document of its own, edited as soon as it is there.

use jsonx_core::path::Path;
use jsonx_core::{
    Answer, ErrorKind, Options, OutOfMemory, Query, QueryOptions, Stop, SyntaxError, Validator,
    position,
};

use super::outcome::{Failed, Refusal, out_of_memory};
use super::request::Request;
use super::transform::{declined, warn_of_duplicates};
use crate::check::{CheckOptions, Failure, InputKind};
use crate::edit_in_place::TransformError;
use crate::exit::Exit;
use crate::input::{BYTE_ORDER_MARK, Input};

/// Up to this length, what has come is tried again with every window.
const TRIED_ALWAYS: usize = 1 << 20;

/// Counts of an input.
#[derive(Default)]
struct RecordCounts {
    values: u64,
    matched: u64,
    changed: bool,
    /// Why the first value without a match has none.
    miss: Option<String>,
    name: String,
    /// Line feeds before the buffered text.
    lines: u64,
    /// Whether duplicate keys are warned of: not in a second pass.
    warns: bool,
    warned: Vec<String>,
}

/// Edits each value of an input. `emit` gets the text of whole values and all between them, before and after. With
/// `warns`, duplicate keys are warned of. Returns whether anything has changed.
///
/// # Errors
/// The input is invalid or cannot be read; an operation cannot be made; `emit` fails.
pub fn edit<E>(
    request: &Request,
    check: &CheckOptions,
    input: &mut Input,
    kind: InputKind,
    warns: bool,
    mut emit: impl FnMut(&[u8], &[u8]) -> Result<(), E>,
) -> Result<bool, TransformError<E>> {
    let name = input.name().clone();
    let mut lines = check.lines(kind);
    let mut counts = RecordCounts {
        warns,
        name: name.to_string(),
        ..RecordCounts::default()
    };
    let (mut held, mut base, mut tried) = (Vec::new(), None, 0);
    input.each_window(|window| -> Result<_, TransformError<E>> {
        if let Some(lines) = &mut lines {
            lines.look(window)?;
        }
        if base.is_none() && window.offset() == BYTE_ORDER_MARK.len() as u64 {
            emit(BYTE_ORDER_MARK, BYTE_ORDER_MARK).map_err(TransformError::Output)?;
        }
        let start = *base.get_or_insert(window.offset());
        held.extend_from_slice(window.bytes());
        let whole = match window.is_last() {
            true => held.len(),
            false => memrchr(&held),
        };
        let is_due = held.len() < TRIED_ALWAYS || held.len() >= 2 * tried || window.is_last();
        if whole > 0 && is_due {
            tried = held.len();
            let roots = roots(&held[..whole], check.engine(InputKind::Stream));
            match roots {
                Ok(roots) => {
                    let text = &held[..whole];
                    let options = check.engine(InputKind::Json);
                    let new =
                        counts
                            .edit(request, text, &roots, options)
                            .map_err(|(at, failed)| match failed {
                                Failed::Invalid(error) => Failure::Invalid(SyntaxError {
                                    offset: error.offset + start + at as u64,
                                    ..error
                                }),
                                Failed::Refused(refusal) => {
                                    let place =
                                        counts.place(text, at + refusal.at.unwrap_or_default());
                                    declined(refusal, &place)
                                }
                            })?;
                    emit(text, &new).map_err(TransformError::Output)?;
                    counts.lines += position::locate(text, text.len()).line - 1;
                    held.drain(..whole);
                    base = Some(start + whole as u64);
                    tried = 0;
                }
                Err(error)
                    if error.kind == ErrorKind::UnexpectedEnd
                        && error.offset as usize == whole
                        && !window.is_last() => {}
                Err(error) => {
                    return Err(Failure::Invalid(SyntaxError {
                        offset: error.offset + start,
                        ..error
                    })
                    .into());
                }
            }
        }
        Ok(window.bytes().len().into())
    })?;
    // An open input without any value is an error in every command.
    let is_empty = counts.values == 0 && check.is_open(input);
    if counts.matched == 0 && !request.missing_ok && !is_empty {
        let message = match counts.miss {
            Some(miss) if counts.values > 1 => {
                format!("{miss}\nnone of the {} values has a match", counts.values)
            }
            Some(miss) => miss,
            None => format!("jsonx: {name}: holds no value"),
        };
        let exit = Exit::No;
        return Err(Failure::Declined { exit, message }.into());
    }
    Ok(counts.changed)
}

/// The offset after the last line feed.
fn memrchr(text: &[u8]) -> usize {
    text.iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1)
}

/// The spans of the values of a stream.
fn roots(text: &[u8], options: Options) -> Result<Vec<(usize, usize)>, SyntaxError> {
    let all = Path::parse(".").map(|path| vec![path]).unwrap_or_default();
    let mut query = Query::new(&all, QueryOptions::default());
    match Validator::new(options).check(text, &mut query) {
        Ok(()) => {}
        Err(Stop::Invalid(error)) => return Err(error),
        Err(Stop::Sink(OutOfMemory)) => return Err(out_of_memory()),
    }
    query.end();
    let spans = query.answers().filter_map(|answer| match answer {
        Answer::Match(one) => Some((one.start as usize, one.end as usize)),
        Answer::Missing { .. } => None,
    });
    Ok(spans.collect())
}

impl RecordCounts {
    /// The text with its values edited.
    fn edit(
        &mut self,
        request: &Request,
        text: &[u8],
        roots: &[(usize, usize)],
        options: Options,
    ) -> Result<Vec<u8>, (usize, Failed)> {
        let mut new = Vec::with_capacity(text.len());
        let mut at = 0;
        for &(start, end) in roots {
            self.values += 1;
            new.extend_from_slice(&text[at..start]);
            at = end;
            let value = &text[start..end];
            match request.edit(value, options) {
                Ok(outcome) => {
                    self.matched += 1;
                    self.changed |= !outcome.edited.is_unchanged(value);
                    new.extend(outcome.edited.apply(value));
                    for (path, removed) in outcome.duplicates {
                        if self.warns && !self.warned.contains(&path) {
                            let place = self.place(text, start);
                            warn_of_duplicates(&place, &path, removed);
                            self.warned.push(path);
                        }
                    }
                }
                Err(Failed::Refused(refusal)) if self.is_left_alone(request, &refusal) => {
                    if self.miss.is_none() {
                        let place = self.place(text, start + refusal.at.unwrap_or_default());
                        self.miss = Some(message_of(refusal, &place));
                    }
                    new.extend_from_slice(value);
                }
                Err(failed) => return Err((start, failed)),
            }
        }
        new.extend_from_slice(&text[at..]);
        Ok(new)
    }

    /// Name, line and column of an offset in the buffered text.
    fn place(&self, text: &[u8], at: usize) -> String {
        let at = position::locate(text, at);
        format!("{}:{}:{}", self.name, self.lines + at.line, at.column)
    }

    /// A value without a match stays as it is, if that is all there is to do.
    fn is_left_alone(&self, request: &Request, refusal: &Refusal) -> bool {
        refusal.is_missing && request.operations.len() == 1
    }
}

fn message_of(refusal: Refusal, place: &str) -> String {
    match declined(refusal, place) {
        Failure::Declined { message, .. } => message,
        _ => String::new(),
    }
}
