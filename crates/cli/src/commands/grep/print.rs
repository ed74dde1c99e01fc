//! Prints a match: the position, the path, and the value with its matching parts in color.

use std::ops::Range;

use anstyle::{AnsiColor, Style};
use jsonx_core::path::Step;
use jsonx_core::string::{decode_into, decode_key};
use jsonx_query::Found;

use super::pattern::Pattern;
use crate::args::Grep;
use crate::input::Name;
use crate::report::{Object, escape_json};
use crate::terminal::{Color, is_colored};

/// Bytes of a value that are shown at a terminal before and after the start of its first match.
const SHOWN: [usize; 2] = [100, 300];

/// What is printed of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    Value,
    /// Each matching part.
    Parts,
    /// An object.
    Json,
    /// The number for each file.
    Count,
    /// The names of the files.
    Name,
    /// Nothing: only the exit code is of interest.
    Nothing,
}

impl Show {
    pub fn new(args: &Grep, quiet: bool) -> Show {
        match args {
            _ if quiet => Show::Nothing,
            Grep { count: true, .. } => Show::Count,
            Grep {
                files_with_matches: true,
                ..
            } => Show::Name,
            Grep {
                only_matching: true,
                ..
            } => Show::Parts,
            Grep { json: true, .. } => Show::Json,
            _ => Show::Value,
        }
    }

    /// Whether the first match of a file is enough.
    pub fn is_first_enough(self) -> bool {
        matches!(self, Show::Name | Show::Nothing)
    }

    /// Whether matches are printed.
    pub fn prints_matches(self) -> bool {
        matches!(self, Show::Value | Show::Parts | Show::Json)
    }
}

/// Prints matches.
pub struct Printer {
    pub pattern: Pattern,
    pub show: Show,
    is_terminal: bool,
    file: Style,
    place: Style,
    matching: Style,
}

/// The text for a match after its position, one for each line.
pub type Lines = Vec<Vec<u8>>;

impl Printer {
    pub fn new(pattern: Pattern, show: Show, is_terminal: bool, color: Color) -> Printer {
        let style = |style: Style| match is_colored(color, &std::io::stdout()) {
            true => style,
            false => Style::new(),
        };
        Printer {
            pattern,
            show,
            is_terminal,
            // The colors of ripgrep.
            file: style(AnsiColor::Magenta.on_default()),
            place: style(AnsiColor::Green.on_default()),
            matching: style(AnsiColor::Red.on_default().bold()),
        }
    }

    /// The name of a file, for a line.
    pub fn name(&self, name: &Name) -> Vec<u8> {
        let shown = match self.is_terminal {
            true => name.to_string().into_bytes(),
            false => name.bytes().to_vec(),
        };
        painted(self.file, &shown)
    }

    /// The lines for a match in a file, with their line feeds.
    pub fn lines(&self, name: &Name, (line, column): (u64, u64), lines: &[Vec<u8>]) -> Vec<u8> {
        let mut out = Vec::new();
        for text in lines {
            if self.show == Show::Json {
                let mut object = String::new();
                Object::write(&mut object, |object| {
                    object.file(name.bytes());
                    object.number("line", line);
                    object.number("column", column);
                });
                object.pop();
                out.extend(self.shown(object.as_bytes()));
            } else {
                let Printer { place, .. } = self;
                out.extend(self.name(name));
                out.extend(format!(":{place}{line}{place:#}:{place}{column}{place:#}: ").bytes());
            }
            out.extend_from_slice(text);
            out.push(b'\n');
        }
        out
    }

    /// The text for a match; `source` is a number as it is written in JSON5.
    pub fn text(&self, found: &Found, source: Option<&[u8]>) -> Lines {
        let is_container = matches!(found.value[..], [b'{' | b'[']);
        if self.show == Show::Json {
            let mut object = String::new();
            Object::write(&mut object, |object| {
                object.text("path", &found.location.to_string());
                if !is_container {
                    object.raw("value", &String::from_utf8_lossy(&found.value));
                }
            });
            let text = object.replacen('{', ",", 1);
            return vec![self.shown(text.as_bytes())];
        }
        let value = source.unwrap_or(&found.value);
        let parts = match is_container || source.is_some() {
            true => Vec::new(),
            false => parts(&self.pattern, value),
        };
        let (path, key_parts) = self.path(found);
        if self.show == Show::Parts {
            let plain = self.shown(found.location.to_string().as_bytes());
            let parts = parts.into_iter().map(|part| value[part].to_vec());
            let lines = key_parts.into_iter().chain(parts);
            let line = |part: Vec<u8>| [&plain[..], b": ", &self.painted(&part)].concat();
            return lines.map(line).collect();
        }
        let text = match value {
            b"{" => b"{\xe2\x80\xa6}".to_vec(),
            b"[" => b"[\xe2\x80\xa6]".to_vec(),
            value => self.value(value, &parts),
        };
        vec![[&path[..], b": ", &text].concat()]
    }

    /// The path of a match, and the matching parts of its key if that matches.
    fn path(&self, found: &Found) -> (Vec<u8>, Lines) {
        let whole = found.location.to_string();
        let mut around = found.location.clone();
        let (true, Some(Step::Key(key))) = (found.is_key, around.pop()) else {
            return (self.shown(whole.as_bytes()), Vec::new());
        };
        let parts: Vec<Range<usize>> = self.pattern.matches(&key).collect();
        let lines = parts.iter().map(|part| key[part.clone()].to_vec());
        // The root is a dot.
        let before = match around.steps() {
            [] => 0,
            _ => around.to_string().len(),
        };
        let (before, step) = whole.as_bytes().split_at(before.min(whole.len()));
        let step = match step.strip_prefix(b".") {
            Some(bare) if *bare == *key => [b".", &self.marked(bare, &parts)[..]].concat(),
            _ => self.painted(step),
        };
        ([self.shown(before), step].concat(), lines.collect())
    }

    /// A value, at a terminal only what is around its first match.
    fn value(&self, value: &[u8], parts: &[Range<usize>]) -> Vec<u8> {
        let [before, after] = SHOWN;
        let first = parts.first().map_or(0, |part| part.start);
        let is_long = self.is_terminal && value.len() > before + after;
        let (mut from, mut to) = (0, value.len());
        if is_long {
            from = first.saturating_sub(before);
            to = (first + after).min(to);
            let continues = |at: usize| value.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
            while continues(from) {
                from += 1;
            }
            while continues(to) {
                to += 1;
            }
        }
        let within = |part: &Range<usize>| part.start.max(from)..part.end.min(to);
        let parts: Vec<Range<usize>> = parts
            .iter()
            .map(within)
            .filter(|it| it.start <= it.end)
            .collect();
        let shifted: Vec<Range<usize>> = parts
            .iter()
            .map(|part| part.start - from..part.end - from)
            .collect();
        let mut out = Vec::new();
        if from > 0 {
            out.extend_from_slice("…".as_bytes());
        }
        out.extend(self.marked(&value[from..to], &shifted));
        if to < value.len() {
            out.extend_from_slice("…".as_bytes());
        }
        out
    }

    /// Text with its parts in color.
    fn marked(&self, text: &[u8], parts: &[Range<usize>]) -> Vec<u8> {
        let (mut out, mut at) = (Vec::new(), 0);
        for part in parts.iter().filter(|part| !part.is_empty()) {
            out.extend(self.shown(&text[at..part.start]));
            out.extend(self.painted(&text[part.clone()]));
            at = part.end;
        }
        out.extend(self.shown(&text[at..]));
        out
    }

    fn painted(&self, text: &[u8]) -> Vec<u8> {
        painted(self.matching, &self.shown(text))
    }

    /// Text without control characters, if it is for a terminal.
    fn shown(&self, text: &[u8]) -> Vec<u8> {
        match self.is_terminal {
            true => escape_json(text).into_bytes(),
            false => text.to_vec(),
        }
    }
}

fn painted(style: Style, text: &[u8]) -> Vec<u8> {
    let (begin, end) = (style.render().to_string(), style.render_reset().to_string());
    [begin.as_bytes(), text, end.as_bytes()].concat()
}

/// The parts of a scalar that match, as ranges of its text in the input.
fn parts(pattern: &Pattern, raw: &[u8]) -> Vec<Range<usize>> {
    let [b'"', text @ .., b'"'] = raw else {
        return pattern.matches(raw).collect();
    };
    let in_raw = |part: Range<usize>| part.start + 1..part.end + 1;
    if memchr::memchr(b'\\', text).is_none() {
        return pattern.matches(text).map(in_raw).collect();
    }
    let mut decoded = Vec::new();
    let _ = decode_into(text, &mut decoded);
    let mut place = Place::default();
    let mut at = |offset| place.find(text, offset);
    let parts = pattern.matches(&decoded);
    let parts = parts.map(|part| at(part.start)..at(part.end));
    parts.map(in_raw).collect()
}

/// A place in a string, in its text and decoded.
#[derive(Default)]
struct Place {
    raw: usize,
    decoded: usize,
}

impl Place {
    /// Goes on to the character or escape at an offset in the decoded string. Returns its offset in the text.
    fn find(&mut self, text: &[u8], offset: usize) -> usize {
        while self.decoded < offset && self.raw < text.len() {
            let rest = &text[self.raw..];
            // Not further: each of many parts asks.
            let near = &rest[..rest.len().min(offset - self.decoded)];
            let step = memchr::memchr(b'\\', near).unwrap_or(near.len());
            if step > 0 {
                self.raw += step;
                self.decoded += step;
                continue;
            }
            let length = escape_length(rest);
            self.raw += length;
            self.decoded += decode_key(&rest[..length]).len();
        }
        self.raw
    }
}

/// The length of the escape at the start of a text, with that of the low surrogate after a high one.
fn escape_length(text: &[u8]) -> usize {
    let is_surrogate = |text: &[u8], digits: &[u8]| matches!(text, [b'\\', b'u', b'd' | b'D', digit, ..] if digits.contains(digit));
    let length = if text.get(1) == Some(&b'u') { 6 } else { 2 };
    let is_pair = is_surrogate(text, b"89abAB")
        && text
            .get(6..)
            .is_some_and(|low| is_surrogate(low, b"cdefCDEF"));
    let length = if is_pair { 12 } else { length };
    length.min(text.len())
}
