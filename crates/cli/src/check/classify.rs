//! Classifies an input: one value, with or without comments, one value per line, or a stream of values. The kind is given by
//! `--input`, `jsonx.json`, the name or the content, in this order. An input that can be classified only by its content is called
//! *open*.
//!
//! ```text
//! file   one value ── a second one follows ──► a stream ── invalid ──► its lines, if most of them are one value
//! pipe   a stream; its lines, after an error, if the text began with one value per line
//! ```
//!
//! A text with one value per line is also a stream of the same values. The two differ in three respects: an invalid record does
//! not end JSON Lines, `fmt` keeps each value of a file on its line, and reports count records.

use std::io;
use std::path::Path;

use crate::check::lines::{self, Examined, LineFindings, Records};
use crate::check::{CheckOptions, Failure, InputKind, InputRule, Interrupted};
use crate::files::{LINES, compression, dialects, is_selected};
use crate::input::{Encoding, Input};
use jsonx_core::engine::{Stop, Validator, Verdict};
use jsonx_core::jsonc::Dialect;
use jsonx_core::{ErrorKind, SyntaxError};
use jsonx_msgpack::JsonOptions;

/// A reason to stop work on an input.
pub trait InvalidText: From<Failure> {
    /// The syntax error, if it is the reason.
    fn error(&self) -> Option<SyntaxError>;
}

impl InvalidText for Failure {
    fn error(&self) -> Option<SyntaxError> {
        match self {
            Failure::Invalid(error) => Some(*error),
            _ => None,
        }
    }
}

impl<Reason> InvalidText for Interrupted<Reason> {
    fn error(&self) -> Option<SyntaxError> {
        match self {
            Interrupted::Failed(failure) => failure.error(),
            Interrupted::Early(_) => None,
        }
    }
}

/// The kind of a file by its name.
pub fn by_name(path: &Path) -> InputKind {
    let text = compression::text_name(path);
    let path = text.as_deref().unwrap_or(path);
    let ends = |names: &[&str]| {
        path.extension()
            .is_some_and(|end| names.iter().any(|name| end == *name))
    };
    if ends(&LINES) {
        InputKind::Jsonl
    } else if ends(&compression::MESSAGEPACK) {
        InputKind::MessagePack
    } else {
        dialects::kind_of(path)
    }
}

impl CheckOptions {
    /// The kind of an input by `--input`, by `jsonx.json` or by its name. An open file is assumed to be one value until
    /// [`CheckOptions::by_content`] finds otherwise, an open pipe to be a stream.
    pub fn kind_of(&self, input: &Input) -> InputKind {
        let path = input.name().path();
        if input.json5().is_some() {
            return InputKind::Json5;
        }
        let is_stream = match input.encoding() {
            Some(Encoding::Sequence) => true,
            _ => self.takes_streams && !input.is_file(),
        };
        match self.kind_of_path(path) {
            kind if input.is_messagepack() || kind == InputKind::MessagePack => InputKind::Stream,
            InputKind::Json if is_stream && !self.is_explicit(input) => InputKind::Stream,
            kind => kind,
        }
    }

    /// The kind of an input with this path, before it is opened.
    pub fn kind_of_path(&self, path: Option<&Path>) -> InputKind {
        let explicit = self.explicit(path);
        explicit.unwrap_or_else(|| path.map_or(InputKind::Json, by_name))
    }

    /// An input that was opened, decoded if it is MessagePack, translated if it is JSON5, with a value if it has none and its
    /// tool takes that for one.
    ///
    /// # Errors
    /// Errors of reading it; it is too large.
    pub fn translated(&self, mut input: Input) -> io::Result<Input> {
        let path = input.name().path();
        let is_messagepack = self.kind_of_path(path) == InputKind::MessagePack
            && (self.explicit(path).is_some() || !input.begins_as_json());
        let options = JsonOptions::default().max_depth(self.max_depth);
        input.set_messagepack(is_messagepack, options.lossy(self.lossy));
        if self.kind_of(&input) != InputKind::Json5 {
            return self.completed(input);
        }
        input.translated()
    }

    /// Gives a text without a value the one that its tool takes it for, according to its name.
    fn completed(&self, mut input: Input) -> io::Result<Input> {
        /// Longer texts are not examined.
        const MAX_LENGTH: usize = 32 << 10;

        let Some(value) = input.name().path().and_then(dialects::empty_value) else {
            return Ok(input);
        };
        let kind = self.kind_of(&input);
        if kind.dialect() == Dialect::Json || input.size() > MAX_LENGTH as u64 {
            return Ok(input);
        }
        let seen = input.peek(|text, ended| {
            let first = text.trim_ascii_start().first();
            let has_value = text.len() > MAX_LENGTH || first.is_some_and(|&byte| byte != b'/');
            (has_value || ended).then(|| (!has_value).then(|| text.to_vec()))
        })?;
        let Some(text) = seen.flatten() else {
            return Ok(input);
        };
        let whole = [text.trim_ascii_end(), b"\n", value.as_bytes(), b"\n"].concat();
        // No other text is valid with an empty container at its end.
        let validator = Validator::new(self.engine(kind));
        if validator.check(&whole, Verdict).is_ok() {
            input.complete(text, &whole);
        }
        Ok(input)
    }

    /// Whether `--input` or `jsonx.json` sets the kind of an input.
    pub fn is_explicit(&self, input: &Input) -> bool {
        let explicit = self.explicit(input.name().path());
        explicit.is_some_and(|kind| kind != InputKind::MessagePack) && !input.is_messagepack()
    }

    /// The kind set by `--input`, if any.
    pub fn by_option(&self, path: Option<&Path>) -> Option<InputKind> {
        InputRule::kind_of(&self.rules, path)
    }

    fn explicit(&self, path: Option<&Path>) -> Option<InputKind> {
        let explicit = self.by_option(path).or(self.configured);
        explicit.filter(|&kind| kind != InputKind::Auto)
    }

    /// Whether an input is open, and may hold any number of values.
    pub fn is_open(&self, input: &Input) -> bool {
        let kind = self.kind_of(input);
        let is_plain = kind == InputKind::Stream || kind == InputKind::Json;
        self.takes_streams && is_plain && !self.is_explicit(input)
    }

    /// JSON Lines if the first lines of a file are records and its name is not that of a JSON file, or else `kind`. A document is
    /// not, so valid JSON need not be examined. Whether an open input is JSON Lines is left to
    /// [`CheckOptions::by_content`].
    pub fn by_first_lines(&self, input: &mut Input, kind: InputKind) -> InputKind {
        let is_unread = input.is_file() || input.encoding().is_some() && input.length() == 0;
        if kind != InputKind::Json || !is_unread || self.is_explicit(input) {
            return kind;
        }
        let is_other = !self.takes_streams
            && input.name().path().is_some_and(|path| {
                let text = compression::text_name(path);
                !is_selected(text.as_deref().unwrap_or(path))
            });
        if is_other && self.is_lines(input) {
            InputKind::Jsonl
        } else {
            kind
        }
    }

    /// Calls `work` with the kind of an input by name and, if the content turns out to be of another kind, again with that
    /// kind. Sets `kind` to the final one.
    ///
    /// # Errors
    /// Errors of `work`; the error of an open input without any value.
    pub fn by_content<T, E: InvalidText>(
        &self,
        input: &mut Input,
        kind: &mut InputKind,
        mut work: impl FnMut(&mut Input, InputKind) -> Result<T, E>,
    ) -> Result<T, E> {
        *kind = self.kind_of(input);
        let done = work(input, *kind);
        let invalid = |done: &Result<T, E>| done.as_ref().err().and_then(E::error);
        if invalid(&done).is_some() {
            let named = self.by_first_lines(input, *kind);
            if named != *kind {
                *kind = named;
                return work(input, named);
            }
        }
        if !self.is_open(input) {
            return done;
        }
        if !input.is_file() {
            // MessagePack without a value is an empty sequence.
            let may_be_empty = input.is_messagepack();
            return match self.empty(input).filter(|_| done.is_ok() && !may_be_empty) {
                Some(error) => {
                    *kind = InputKind::Json;
                    Err(Failure::Invalid(error).into())
                }
                None => done,
            };
        }
        let Some(first) = invalid(&done) else {
            return done;
        };
        let second = match first.kind {
            ErrorKind::TrailingContent => Some(work(input, InputKind::Stream)),
            _ => None,
        };
        let error = match &second {
            Some(second) => invalid(second),
            None => Some(first),
        };
        if error.is_some() && self.is_lines(input) {
            *kind = InputKind::Jsonl;
            return work(input, InputKind::Jsonl);
        }
        match (second, error) {
            (None, _) => done,
            // Text after a document is more often an error in it than a second document.
            (Some(_), Some(error)) if !self.follow_on_lines(input, first.offset, error.offset) => {
                done
            }
            (Some(second), _) => {
                *kind = InputKind::Stream;
                second
            }
        }
    }

    /// Whether a second value begins on a separate line and the error is in a later line.
    fn follow_on_lines(&self, input: &mut Input, second: u64, error: u64) -> bool {
        /// Number of bytes examined on either side.
        const NEAR: u64 = 4096;

        let start = input.text_start();
        let before = input.span(second.saturating_sub(NEAR).max(start), second);
        let after = input.span(second, error.min(second + NEAR));
        let (Ok(before), Ok(after)) = (before, after) else {
            return false;
        };
        let blank = before.trim_ascii_end().len();
        before[blank..].contains(&b'\n') && (after.contains(&b'\n') || error - second > NEAR)
    }

    /// Whether an input is JSON Lines, judged by its first lines.
    pub fn is_lines(&self, input: &mut Input) -> bool {
        let engine = self.engine(InputKind::Json);
        let examined = self.examined(input, |text, ended| {
            lines::are_lines(text, ended, engine, self.takes_streams)
        });
        // Errors of reading are found again.
        examined.unwrap_or(false)
    }

    /// The lines with several values in a file that is a stream of this number of `values`, if known, and if most of its lines
    /// have one.
    ///
    /// # Errors
    /// Errors of reading.
    pub fn several_on_lines(
        &self,
        input: &mut Input,
        values: Option<u64>,
        search: lines::Search,
    ) -> Result<LineFindings, Failure> {
        let engine = self.engine(InputKind::Json);
        let begins = |text: &[u8], ended| lines::begins_with_lines(text, ended, engine);
        let is_log = input.is_file() && self.is_open(input) && self.examined(input, begins)?;
        if !is_log || values.is_some_and(|values| values < 2) {
            return Ok(LineFindings::default());
        }
        if let Some(mut further) = values {
            input.each_window(|window| -> io::Result<_> {
                further = further.saturating_sub(lines::line_feeds(window.bytes()));
                let is_open = window.is_last() && !window.bytes().ends_with(b"\n");
                further = further.saturating_sub(u64::from(is_open));
                Ok(window.bytes().len().into())
            })?;
            if further == 0 {
                return Ok(LineFindings::default());
            }
        }
        let mut records = Records::new(search, input.text_start());
        input.each_window(|window| -> io::Result<_> {
            records.push(window.bytes());
            Ok(window.bytes().len().into())
        })?;
        let found = records.finish();
        let are_few = found.first.is_none() && 2 * found.error_prone() <= found.records;
        Ok(if are_few {
            found
        } else {
            LineFindings::default()
        })
    }

    /// Whether `fmt` keeps each value of an input on its line: in JSON Lines, and in an open file that begins with them.
    /// Standard input without a name is formatted as a stream. Reads only as much of a pipe as needed.
    ///
    /// # Errors
    /// Errors of reading.
    pub fn keeps_lines(&self, input: &mut Input, kind: InputKind) -> Result<bool, Failure> {
        let is_open = self.is_open(input);
        match kind {
            InputKind::Jsonl if !is_open => return Ok(true),
            InputKind::Jsonl | InputKind::Stream if is_open && !input.name().is_stdin() => {}
            _ => return Ok(false),
        }
        let engine = self.engine(InputKind::Json);
        let begins = |text: &[u8], ended| lines::begins_with_lines(text, ended, engine);
        Ok(kind == InputKind::Jsonl || self.examined(input, begins)?)
    }

    /// Classifies the start of a file, or of a stream of which nothing has been consumed, with `tell`.
    fn examined(
        &self,
        input: &mut Input,
        tell: impl Fn(&[u8], bool) -> Examined,
    ) -> Result<bool, Failure> {
        if input.is_file() {
            let start = input.text_start();
            let end = input.length().min(start + lines::EXAMINED as u64);
            let ended = end == input.length();
            let first = input.span(start, end);
            return Ok(first.is_ok_and(|text| tell(&text, ended) == Some(true)));
        }
        Ok(input.peek(tell)?.unwrap_or(false))
    }

    /// The error of an input without any value, which has been read.
    fn empty(&self, input: &mut Input) -> Option<SyntaxError> {
        /// Maximum length of white space that is examined.
        const MAX_BLANK: u64 = 4096;

        if input.length() > MAX_BLANK {
            return None;
        }
        let head = input.head();
        let text = head.get(input.text_start() as usize..)?;
        let checked = Validator::new(self.engine(InputKind::Json)).check(text, Verdict);
        match checked {
            Err(Stop::Invalid(error)) if text.trim_ascii().is_empty() => Some(error),
            _ => None,
        }
    }
}
