//! The roles of quotes and line breaks if only strings have mistakes: the whole text decides, before any guess by lines.
//!
//! ```text
//! {"code": "f("x", "y")⏎", "ok": true}
//!            o c   o c  │    quotes around words come in pairs, and `"y")` is no key:
//!                       │    only the quote before `, "ok":` can close the string
//!                       └    content, as is all before the closing quote
//! ```

use jsonx_core::ErrorKind;
use jsonx_core::engine::{Mode, Options, Stop, Validator, Verdict};
use jsonx_core::jsonc::Dialect;

use super::Container;
use super::trivia::is_word;
use core::convert::Infallible;

/// The maximum length of a text, in bytes.
const LONGEST: usize = 1 << 24;

/// The minimum number of bytes that are validated at once.
const WRITTEN: usize = 1 << 15;

/// The maximum length of a string that is decided by its own quotes, in bytes.
const REACH: usize = 4096;

/// The maximum length of a key that marks the start of a member, in bytes.
const KEY: usize = 256;

/// The maximum number of quotes whose other role can still be tried.
const CHOICES: usize = 64;

/// The quotes inside strings, ascending, in a text that is JSON if these are escaped and all other characters are allowed in
/// strings; or in the start of such a text, if there are none. `None` if the text has other mistakes.
pub fn inner_quotes(text: &[u8], dialect: Dialect, mode: Mode) -> Option<Vec<usize>> {
    if text.len() > LONGEST {
        return None;
    }
    let options = Options::default().mode(mode).dialect(dialect);
    match validate_around_strings(text, &[], options) {
        Ok(()) => return Some(Vec::new()),
        // Not if only brackets follow a line break: then the string should end before it.
        Err((ErrorKind::UnexpectedEnd, last))
            if text[last..].iter().any(|byte| !b" \t,]}".contains(byte)) =>
        {
            return Some(Vec::new());
        }
        Err(_) => {}
    }
    let inner = Scan::new(text).run()?;
    match validate_around_strings(text, &inner, options) {
        Err((kind, _)) if kind != ErrorKind::UnexpectedEnd => None,
        _ => Some(inner),
    }
}

/// The closing quote of a value that begins at `inside`, in a container, if the quotes in it are paired, and only the last one
/// can close it. `Err` has the offset up to which there is none.
pub fn closing_quote(text: &[u8], inside: usize, container: Container) -> Result<usize, usize> {
    let mut scan = Scan::new(&text[..text.len().min(inside + REACH)]);
    scan.open.push(container);
    (scan.state.at, scan.state.quotes) = (inside, Some(0));
    while let Some(quotes) = scan.state.quotes {
        let content = scan.content(quotes);
        let at = scan.state.at;
        content.map_err(|Fails| at)?;
        let is_first = || {
            let mut before = text[inside..at - 1].iter().rev();
            before.find(|byte| !matches!(byte, b' ' | b'\t')) == Some(&b'\n')
        };
        // `"key":` at the start of a line begins a member; the string before it lacks its closing quote.
        if scan.state.quotes.is_some() && is_key_at(text, at - 1) && is_first() {
            return Err(at);
        }
    }
    Ok(scan.state.at - 1)
}

/// Validates a text with spaces as the content of strings, because its mistakes are reported separately; the quotes `inner` are
/// content too. An error comes with the offset after the last control character in a string before it.
fn validate_around_strings(
    text: &[u8],
    inner: &[usize],
    options: Options,
) -> Result<(), (ErrorKind, usize)> {
    let mut validator = Validator::new(options);
    let (mut plain, mut at, mut last) = (Vec::new(), 0, 0);
    while at < text.len() {
        let opening = memchr::memchr(b'"', &text[at..]);
        let inside = opening.map_or(text.len(), |opening| at + opening + 1);
        plain.extend_from_slice(&text[at..inside]);
        at = inside;
        loop {
            let rest = &text[at..];
            let length = memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len());
            if let Some(control) = rest[..length].iter().rposition(|&byte| byte < 0x20) {
                last = at + control + 1;
            }
            at += length;
            match text.get(at) {
                Some(b'\\') => at = text.len().min(at + 2),
                Some(_) if inner.binary_search(&at).is_ok() => at += 1,
                _ => break,
            }
        }
        plain.resize(plain.len() + at - inside, b' ');
        if at < text.len() {
            plain.push(b'"');
            at += 1;
        }
        if plain.len() >= WRITTEN {
            let written = validator.write(&plain, &mut Verdict);
            written.map_err(|stop| (kind_of(stop), last))?;
            plain.clear();
        }
    }
    let checked = validator.check(&plain, Verdict);
    checked.map_err(|stop| (kind_of(stop), last))
}

fn kind_of(stop: Stop<Infallible>) -> ErrorKind {
    match stop {
        Stop::Invalid(error) => error.kind,
        Stop::Sink(never) => match never {},
    }
}

/// The tokens that may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Value,
    /// A key, or the end of an empty object.
    Key,
    Colon,
    /// A comma, or the end of the container or the text.
    Comma,
}

/// A position between tokens or, if `quotes` is set, in the content of a string after this many quotes.
#[derive(Clone, Copy)]
struct State {
    at: usize,
    next: Next,
    quotes: Option<usize>,
}

/// A pass over a text that assigns roles to its quotes, trying the more likely role first.
struct Scan<'a> {
    text: &'a [u8],
    state: State,
    open: Vec<Container>,
    inner: Vec<usize>,
    /// Untried roles of quotes: the state after the quote, the open containers, and the number of inner quotes before it.
    choices: Vec<(State, Vec<Container>, usize)>,
    /// The remaining number of bytes to read.
    patience: usize,
}

/// No assignment of roles so far makes the text JSON.
struct Fails;

impl<'a> Scan<'a> {
    fn new(text: &'a [u8]) -> Self {
        Scan {
            text,
            state: State {
                at: 0,
                next: Next::Value,
                quotes: None,
            },
            open: Vec::new(),
            inner: Vec::new(),
            choices: Vec::new(),
            patience: 4 * text.len(),
        }
    }

    fn run(mut self) -> Option<Vec<usize>> {
        loop {
            match self.step() {
                Ok(false) => {}
                Ok(true) => return Some(self.inner),
                Err(Fails) => {
                    let (state, open, count) = self.choices.pop()?;
                    self.open = open;
                    self.inner.truncate(count);
                    self.take(state);
                }
            }
            self.patience = self.patience.checked_sub(1)?;
        }
    }

    /// Reads a token, or as far as the next quote. Returns whether the text ends.
    fn step(&mut self) -> Result<bool, Fails> {
        if let Some(quotes) = self.state.quotes {
            return self.content(quotes).map(|()| false);
        }
        let start = nonblank(self.text, self.state.at);
        self.read(start - self.state.at);
        self.state.at = start + 1;
        let Some(&byte) = self.text.get(start) else {
            return match self.state.next {
                Next::Comma => Ok(true),
                _ => Err(Fails),
            };
        };
        let innermost = self.open.last().copied();
        self.state.next = match (byte, self.state.next) {
            (b'"', Next::Value | Next::Key) => {
                self.state.quotes = Some(0);
                return Ok(false);
            }
            (b'{', Next::Value) => {
                self.open.push(Container::Object);
                Next::Key
            }
            (b'[', Next::Value) => {
                self.open.push(Container::Array);
                Next::Value
            }
            // Trailing commas are left to the validator.
            (b'}', Next::Key | Next::Comma) if innermost == Some(Container::Object) => {
                self.open.pop();
                Next::Comma
            }
            (b']', Next::Value | Next::Comma) if innermost == Some(Container::Array) => {
                self.open.pop();
                Next::Comma
            }
            (b',', Next::Comma) if innermost == Some(Container::Object) => Next::Key,
            (b',', Next::Comma) if innermost.is_some() => Next::Value,
            (b':', Next::Colon) => Next::Value,
            (byte, Next::Value) if is_scalar(byte) => {
                let rest = &self.text[start..];
                self.state.at = start + rest.iter().take_while(|byte| is_scalar(**byte)).count();
                Next::Comma
            }
            _ => return Err(Fails),
        };
        Ok(false)
    }

    /// Reads the content of a string up to its next quote.
    fn content(&mut self, quotes: usize) -> Result<(), Fails> {
        let start = self.state.at;
        let mut at = start;
        loop {
            let rest = self.text.get(at..).unwrap_or_default();
            let Some(next) = memchr::memchr2(b'"', b'\\', rest) else {
                self.state.at = self.text.len();
                return Err(Fails);
            };
            at += next;
            if self.text[at] == b'"' {
                break;
            }
            at += 2;
        }
        self.read(at - start);
        self.state.at = at + 1;
        let (before, after) = (self.before(at), self.text.get(at + 1).copied());
        let is_key = self.state.next == Next::Key;
        let length = self.unpaired(at, is_key);
        if length > 0 {
            self.inner.extend(at..at + length);
            self.state.at = at + length;
            return Ok(());
        }
        let ends = quotes.is_multiple_of(2) && self.closes(at, is_key);
        // `"", b: 1` begins with an empty string, and no quotation.
        let is_empty =
            quotes == 0 && before == b'"' && matches!(after, Some(b',' | b':' | b'}' | b']'));
        let goes_on = !is_key && !is_empty && is_in_pair(quotes, before, after);
        let next = if is_key { Next::Colon } else { Next::Comma };
        let ended = State {
            at: at + 1,
            next,
            quotes: None,
        };
        let inside = State {
            quotes: Some(quotes + 1),
            ..self.state
        };
        // An opening quote of a pair is rarely followed by the end of its line, except for a comma.
        let rest = &self.text[at + 1..];
        let ends_line = rest.strip_prefix(b",").unwrap_or(rest);
        let opens = !matches!(ends_line.first(), Some(b'\n' | b'\r'))
            && (before.is_ascii_whitespace() || b"([{<=+".contains(&before));
        let (role, other) = match (ends, goes_on) {
            (false, false) => return Err(Fails),
            (true, false) => (ended, None),
            (false, true) => (inside, None),
            (true, true) if opens => (inside, Some(ended)),
            (true, true) => (ended, Some(inside)),
        };
        if let Some(other) = other.filter(|_| self.choices.len() < CHOICES) {
            self.read(self.open.len());
            self.choices
                .push((other, self.open.clone(), self.inner.len()));
        }
        self.take(role);
        Ok(())
    }

    /// Assigns a role to the quote before a state.
    fn take(&mut self, state: State) {
        if state.quotes.is_some() {
            self.inner.push(state.at - 1);
        }
        self.state = state;
    }

    /// The number of quotes at `at` that are not paired: one between two words, a character, `'"'`, or Python's triple quotes around a multi-line string,
    /// which truncated code may lack on one side.
    fn unpaired(&self, at: usize, is_key: bool) -> usize {
        let quotes = self.text[at..].iter().take(5);
        let run = quotes.take_while(|&&it| it == b'"').count();
        match (self.text[at - 1], run) {
            (b'\'', 1) if self.text.get(at + 1) == Some(&b'\'') => 1,
            (b' ', 1) if self.is_between_words(at) => 1,
            (b'"', _) => 0,
            // `""` before the end of the string.
            (_, 3) if self.closes(at + 2, is_key) => 0,
            (_, 3) => 3,
            (_, 4) if self.closes(at + 3, is_key) => 3,
            _ => 0,
        }
    }

    /// Whether a quote is between two words, with blanks around it.
    fn is_between_words(&self, at: usize) -> bool {
        let before = self.text[..at].strip_suffix(b" ").and_then(<[u8]>::last);
        let after = self.text[at + 1..]
            .strip_prefix(b" ")
            .and_then(<[u8]>::first);
        let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| is_word(*byte));
        is_word(before) && is_word(after)
    }

    /// The byte before a quote, or before the prefix of a string in code: `b"`, `f"`.
    fn before(&self, at: usize) -> u8 {
        match self.text[..at] {
            [.., byte, b'b' | b'f' | b'r' | b'u' | b'L'] if byte != b'"' && !is_word(byte) => byte,
            [.., byte] => byte,
            [] => 0,
        }
    }

    fn read(&mut self, bytes: usize) {
        self.patience = self.patience.saturating_sub(bytes);
    }

    fn closes(&self, at: usize, is_key: bool) -> bool {
        closes(self.text, at, is_key, self.open.last().copied())
    }
}

/// Whether the text after the quote at `at` may follow a string in this container, as in JSON without other mistakes.
pub fn closes(text: &[u8], at: usize, is_key: bool, container: Option<Container>) -> bool {
    let next = nonblank(text, at + 1);
    let byte = text.get(next).copied();
    if is_key {
        return byte == Some(b':');
    }
    match (byte, container) {
        (None, _) => true,
        (Some(b','), Some(Container::Object)) => is_key_at(text, next + 1),
        (Some(b','), Some(Container::Array)) => {
            let value = text.get(nonblank(text, next + 1));
            value.is_some_and(|&byte| is_scalar(byte) || b"\"{[".contains(&byte))
        }
        (Some(b'}'), Some(Container::Object)) | (Some(b']'), Some(Container::Array)) => {
            let after = text.get(nonblank(text, next + 1));
            matches!(after, None | Some(b',' | b'}' | b']'))
        }
        _ => false,
    }
}

/// Whether a short key and a colon follow white space.
fn is_key_at(text: &[u8], at: usize) -> bool {
    let rest = &text[nonblank(text, at)..];
    let Some(key) = rest.strip_prefix(b"\"") else {
        return false;
    };
    let key = &key[..key.len().min(KEY)];
    let length = memchr::memchr2(b'"', b'\n', key);
    length.is_some_and(|length| {
        key[length] == b'"' && key[length + 1..].trim_ascii_start().starts_with(b":")
    })
}

fn nonblank(text: &[u8], at: usize) -> usize {
    let rest = &text[at.min(text.len())..];
    text.len() - rest.trim_ascii_start().len()
}

/// Whether a byte may be part of a number or literal.
fn is_scalar(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)
}

/// Whether a quote, after this many others in its string, may be part of a pair around words rather than a quote of another
/// string.
fn is_in_pair(quotes: usize, before: u8, after: Option<u8>) -> bool {
    let starts = after.is_some_and(is_word);
    if quotes.is_multiple_of(2) {
        starts || before.is_ascii_whitespace() || b"([{<=:+&|\"".contains(&before)
    } else {
        !starts || !before.is_ascii_whitespace()
    }
}
