//! Streams of values and JSON Lines: each value is a separate document, edited as soon as it is complete.
//!
//! Lines before a failing one are returned even if they arrived together with it: the output for a pipe does not depend on how
//! its writer divides the text.

use std::io;
use std::ops::Range;

use jsonx_core::engine::{Options, Validator};
use jsonx_core::path::Path;
use jsonx_core::query::{Answer, Query, QueryOptions};
use jsonx_core::{ErrorKind, SyntaxError, position};

use super::matches::answers;
use super::outcome::{Failed, Refusal, Warning, declined};
use super::request::Request;
use crate::check::{CheckOptions, Failure, InputKind};
use crate::exit::Exit;
use crate::input::{BYTE_ORDER_MARK, Input};

/// Maximum length of the text that is tried again with every window.
const TRIED_ALWAYS: usize = 1 << 20;

/// Maximum length of values without a match that are buffered until the first match, or the end.
const UNMATCHED: usize = 1 << 20;

/// Counts of an input.
#[derive(Default)]
struct RecordCounts {
    values: u64,
    matched: u64,
    changed: bool,
    /// The message for the first value without a match.
    miss: Option<String>,
    name: String,
    /// Line feeds before the buffered text.
    lines: u64,
    /// Whether warnings are printed: not in a second pass.
    warns: bool,
    warned: Vec<Warning>,
}

/// Edits each value of an input. `emit` receives the text of whole values and the text between them, before and
/// after. With `warns`, warnings are printed. Returns whether anything has changed.
///
/// # Errors
/// The input is invalid or cannot be read; an operation fails; `Failure::Write` if `emit` fails.
pub fn edit(
    request: &Request,
    check: &CheckOptions,
    input: &mut Input,
    kind: InputKind,
    warns: bool,
    mut emit: impl FnMut(&[u8], &[u8]) -> io::Result<()>,
) -> Result<bool, Failure> {
    // A record may lack one of several keys that are removed.
    let request = &Request {
        any_path: true,
        ..request.clone()
    };
    let name = input.name().clone();
    let mut lines = check.lines(kind);
    let mut counts = RecordCounts {
        warns,
        name: name.to_string(),
        ..RecordCounts::default()
    };
    let (mut held, mut base, mut tried) = (Vec::new(), None, 0);
    // Without any match, nothing is printed: the text before the first match is held back.
    let mut unmatched = Vec::new();
    input.each_window(|window| -> Result<_, Failure> {
        let refused = lines.as_mut().map_or(Ok(()), |lines| lines.push(window));
        if base.is_none() && window.offset() == BYTE_ORDER_MARK.len() as u64 {
            unmatched.extend_from_slice(BYTE_ORDER_MARK);
        }
        let start = *base.get_or_insert(window.offset());
        held.extend_from_slice(window.bytes());
        let whole = if window.is_last() {
            held.len()
        } else {
            after_last_line(&held)
        };
        let is_due = held.len() < TRIED_ALWAYS || held.len() >= 2 * tried || window.is_last();
        let options = check.engine(InputKind::Stream);
        let found = match refused {
            Err(failure) => Err(failure),
            Ok(()) if whole == 0 || !is_due => return Ok(window.bytes().len().into()),
            Ok(()) => match roots(&held[..whole], options) {
                Err(error)
                    if error.kind == ErrorKind::UnexpectedEnd
                        && error.offset as usize == whole
                        && !window.is_last() =>
                {
                    tried = held.len();
                    return Ok(window.bytes().len().into());
                }
                Err(error) => Err(Failure::Invalid(SyntaxError {
                    offset: error.offset + start,
                    ..error
                })),
                Ok(roots) => Ok(roots),
            },
        };
        // The lines before an error are edited, regardless of the window sizes.
        let (text, roots, failure) = match found {
            Ok(roots) => (&held[..whole], roots, None),
            Err(failure) => {
                let at = match &failure {
                    Failure::Invalid(error) => error.offset.saturating_sub(start) as usize,
                    _ => 0,
                };
                let lines = &held[..after_last_line(&held[..at.min(held.len())])];
                let (roots, end) = whole_roots(lines, options);
                (&held[..end], roots, Some(failure))
            }
        };
        let mut edited = EditedLines::default();
        let result = counts.edit(
            request,
            text,
            &roots,
            check.engine(InputKind::Json),
            &mut edited,
        );
        let result = result.map_err(|(at, failed)| match failed {
            Failed::Invalid(error) => Failure::Invalid(SyntaxError {
                offset: error.offset + start + at as u64,
                ..error
            }),
            Failed::Refused(refusal) => {
                let place = counts.place(text, at + refusal.at.unwrap_or_default());
                declined(refusal, &place)
            }
        });
        let failure = result.err().or(failure);
        let (old, new) = match failure {
            Some(_) => (&text[..edited.lines.0], &edited.new[..edited.lines.1]),
            None => (text, &edited.new[..]),
        };
        let waits = counts.matched == 0 && !request.missing_ok && failure.is_none();
        if waits && unmatched.len() + old.len() <= UNMATCHED {
            unmatched.extend_from_slice(old);
        } else {
            for (old, new) in [(&unmatched[..], &unmatched[..]), (old, new)] {
                if !old.is_empty() || !new.is_empty() {
                    emit(old, new).map_err(Failure::Write)?;
                }
            }
            unmatched.clear();
        }
        if let Some(failure) = failure {
            return Err(failure);
        }
        counts.lines += position::locate(text, text.len()).line - 1;
        held.drain(..whole);
        base = Some(start + whole as u64);
        tried = 0;
        Ok(window.bytes().len().into())
    })?;
    if counts.matched == 0 && request.missing_ok && !unmatched.is_empty() {
        emit(&unmatched, &unmatched).map_err(Failure::Write)?;
    }
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
        return Err(Failure::Declined { exit, message });
    }
    Ok(counts.changed)
}

/// The offset after the last line feed.
fn after_last_line(text: &[u8]) -> usize {
    memchr::memrchr(b'\n', text).map_or(0, |at| at + 1)
}

/// The spans of the values of a stream.
///
/// # Errors
/// It is invalid, or memory runs out.
pub fn roots(text: &[u8], options: Options) -> Result<Vec<(usize, usize)>, SyntaxError> {
    Ok(spans(answers(query_of_roots(), text, options)?))
}

fn query_of_roots() -> Query {
    let root = Path::parse(".").expect("a path");
    Query::new(&[root], QueryOptions::default())
}

/// As [`roots`], for lines that may end in an incomplete value; also returns the end of the last line before it.
fn whole_roots(lines: &[u8], options: Options) -> (Vec<(usize, usize)>, usize) {
    let mut query = query_of_roots();
    let mut validator = Validator::new(options);
    let written = validator.write(lines, &mut query);
    // They are valid so far.
    if written
        .and_then(|()| validator.flush_lines(&mut query))
        .is_err()
    {
        return (Vec::new(), 0);
    }
    let roots = spans(query.answers());
    let last = roots.last().map_or(0, |&(_, end)| end);
    let blank = lines[last..]
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace());
    (roots, last + blank.count())
}

fn spans(answers: impl IntoIterator<Item = Answer>) -> Vec<(usize, usize)> {
    let spans = answers.into_iter().filter_map(|answer| match answer {
        Answer::Match(one) => Some((one.start as usize, one.end as usize)),
        Answer::Missing { .. } => None,
    });
    spans.collect()
}

/// A text whose values are edited.
#[derive(Default)]
struct EditedLines {
    new: Vec<u8>,
    /// The lengths of both texts up to the last line feed between two values.
    lines: (usize, usize),
}

impl EditedLines {
    /// Adds the text between two values.
    fn gap(&mut self, text: &[u8], gap: Range<usize>) {
        let feed = after_last_line(&text[gap.clone()]);
        if feed > 0 {
            self.lines = (gap.start + feed, self.new.len() + feed);
        }
        self.new.extend_from_slice(&text[gap]);
    }
}

impl RecordCounts {
    /// Edits the values of a text.
    fn edit(
        &mut self,
        request: &Request,
        text: &[u8],
        roots: &[(usize, usize)],
        options: Options,
        edited: &mut EditedLines,
    ) -> Result<(), (usize, Failed)> {
        let mut at = 0;
        for &(start, end) in roots {
            self.values += 1;
            edited.gap(text, at..start);
            // With the white space before it, which is the indentation of its line.
            let line = at;
            let value = &text[line..end];
            at = end;
            match request.edit(value, options) {
                Ok(outcome) => {
                    self.matched += 1;
                    self.changed |= !outcome.splices.is_empty();
                    edited.new.truncate(edited.new.len() - (start - line));
                    edited.new.extend(outcome.splices.apply(value));
                    for warning in outcome.warnings {
                        if self.warns && !self.warned.contains(&warning) {
                            warning.print(&self.place(text, start));
                            self.warned.push(warning);
                        }
                    }
                }
                Err(Failed::Refused(refusal)) if self.is_left_alone(request, &refusal) => {
                    if self.miss.is_none() {
                        let place = self.place(text, refusal.at.map_or(start, |at| line + at));
                        self.miss = Some(message_of(refusal, &place));
                    }
                    edited.new.extend_from_slice(&text[start..end]);
                }
                Err(failed) => {
                    let has_no_place = matches!(&failed, Failed::Refused(Refusal { at: None, .. }));
                    return Err((if has_no_place { start } else { line }, failed));
                }
            }
        }
        edited.gap(text, at..text.len());
        Ok(())
    }

    /// Name, line and column of an offset in the buffered text.
    fn place(&self, text: &[u8], at: usize) -> String {
        let at = position::locate(text, at);
        format!("{}:{}:{}", self.name, self.lines + at.line, at.column)
    }

    /// A value without a match is unchanged if there are no other edits.
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
