//! Strings in double quotes: where they end when a quote is missing or one too many, and what inside them
//! is not allowed.

use super::super::catalogue::Code;
use super::super::diagnostic::Applicability::{Review, Safe};
use super::super::diagnostic::{Applicability, Diagnostic, Span};
use super::super::{keys, quote};
use super::trivia::is_word;
use super::{Container, Kind, Lexer};

/// How far ahead the closing quote of a string with a raw line break is looked for, in bytes.
const REACH: usize = 4096;

/// The number of faults of one string that get a place in a report and a fix.
const PLACES: usize = 1000;

/// The number of bytes of punctuation that a lost quote may have taken into the string.
const TAIL: usize = 64;

/// Something inside a string that must be written otherwise.
struct Fault {
    span: Span,
    what: What,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Control,
    LineBreak,
    Escape,
    Unicode,
    HalfPair,
}

#[derive(Default)]
struct Faults {
    list: Vec<Fault>,
    /// Some found no place in the list.
    more: bool,
}

impl Faults {
    fn add(&mut self, what: What, start: usize, end: usize) {
        if self.list.len() < PLACES {
            self.list.push(Fault { span: Span::new(start, end), what });
        } else {
            self.more = true;
        }
    }
}

/// What a double quote inside a string turned out to be.
enum Quote {
    Closing,
    /// Quotes up to this one, which closes the string, lack a backslash.
    Inner(usize),
    /// It opens the next string; this one ended before.
    Opening(usize),
}

impl Lexer<'_> {
    pub(super) fn string(&mut self) -> Kind {
        let start = self.at;
        self.string_body(start, start + 1)
    }

    /// Reads a string that starts at `start` and whose text starts at `inside`.
    pub(super) fn string_body(&mut self, start: usize, inside: usize) -> Kind {
        let mut faults = Faults::default();
        // Up to here, quotes and line breaks are known to be inside.
        let mut known = inside;
        let mut at = inside;
        let mut line = None;
        let end = loop {
            at += plain(&self.text[at..]);
            match self.text.get(at) {
                None => {
                    break self.string_at_end(start, inside);
                }
                Some(b'"') if at < known => at += 1,
                Some(b'"') => match self.classify(inside, at) {
                    Quote::Closing => break at + 1,
                    Quote::Opening(end) => {
                        self.unterminated(start, end);
                        break end;
                    }
                    Quote::Inner(close) => {
                        self.unescaped(start, at, close);
                        known = close;
                        at += 1;
                        if at > close {
                            break at;
                        }
                    }
                },
                Some(b'\\') => at = self.escape(at, &mut faults),
                Some(&byte @ (b'\n' | b'\r')) => {
                    if at >= known {
                        match self.string_goes_on(at) {
                            Some(close) => known = close,
                            None => break self.ends_on_line(start, inside, at),
                        }
                    }
                    let crlf = byte == b'\r' && self.text.get(at + 1) == Some(&b'\n');
                    let length = if crlf { 2 } else { 1 };
                    faults.add(What::LineBreak, at, at + length);
                    at += length;
                    line = Some(at);
                }
                Some(_) => {
                    faults.add(What::Control, at, at + 1);
                    at += 1;
                }
            }
        };
        self.at = end.max(start + 1).min(self.text.len());
        if let Some(line) = line {
            let breaks = super::super::line_breaks(&self.text[start..self.at]);
            self.line_number += (breaks as u32).saturating_sub(1);
            self.start_line(line.min(self.at));
            self.first = false;
        }
        faults.list.retain(|fault| fault.span.start < self.at);
        if !faults.list.is_empty() {
            self.report_faults(start, inside, &faults);
        }
        Kind::String
    }

    /// What the double quote at `at` is, which would close the string that began at `inside`.
    fn classify(&mut self, inside: usize, at: usize) -> Quote {
        let next = self.text.get(at + 1).copied();
        let tight = !matches!(
            next,
            None | Some(b' ' | b'\t' | b'\n' | b'\r' | b',' | b':' | b'}' | b']' | b'"' | b'{' | b'[' | b';' | b'=' | b'/')
        );
        let key = self.in_key_position();
        let after = self.ahead.nonblank(at + 1);
        let after_byte = self.text.get(after).copied();
        if key {
            if matches!(after_byte, Some(b':' | b'=')) {
                return Quote::Closing;
            }
            if !matches!(after_byte, Some(b',' | b'}' | b']' | b'\n' | b'\r') | None)
                && let Some(colon) = self.key_colon(inside, at)
            {
                return Quote::Opening(colon);
            }
        }
        let value = self.in_value_position();
        // A word after a blank is suspicious only where a value would have ended.
        let loose = (value || key)
            && matches!(next, Some(b' ' | b'\t'))
            && after_byte.is_some_and(|byte| is_word(byte) && !byte.is_ascii_digit());
        if !tight && !loose {
            return Quote::Closing;
        }
        let line_end = self.ahead.line_end(at);
        let end = self.tail(inside, at);
        let next_quote = self.ahead.quote(at + 1);
        if tight
            && self.text[end..at].contains(&b',')
            && next_quote < line_end
            && self.ahead.closes(next_quote + 1)
        {
            return Quote::Opening(end);
        }
        let mut closing = self.ahead.closing(at + 1);
        if let Some(close) = closing {
            let colon = self.text.get(self.ahead.nonblank(close + 1)) == Some(&b':');
            // In a value, that is the next key, and this string ended before; a key goes up to its colon.
            let apart = key && close - at < REACH && self.text[at..close].contains(&b',');
            if key != colon || apart {
                closing = None;
            }
        }
        if next == Some(b'\'') && value {
            closing = None;
        }
        match closing {
            Some(close) => Quote::Inner(close),
            None => Quote::Closing,
        }
    }

    /// If the text of a key from `inside` on goes `word: …`, the place of the colon: the quote before it is
    /// missing.
    fn key_colon(&self, inside: usize, end: usize) -> Option<usize> {
        let key = &self.text[inside..end.min(inside + 256)];
        let colon = key.iter().position(|byte| matches!(byte, b':' | b',' | b'{' | b'}' | b'[' | b']'))?;
        (colon > 0 && key[colon] == b':').then(|| inside + key[..colon].trim_ascii_end().len())
    }

    /// Where the text of a string ends that lost its closing quote somewhere before `end`: what follows it
    /// there, separators and closers of containers that are open, is left to the document.
    pub(super) fn tail(&self, inside: usize, end: usize) -> usize {
        let floor = inside.max(end.saturating_sub(TAIL));
        let mut start = end;
        while start > floor && b" \t,{}[]".contains(&self.text[start - 1]) {
            start -= 1;
        }
        let (mut closed, mut opened) = (0, 0usize);
        let mut comma = false;
        for at in start..end {
            let fits = match self.text[at] {
                b'}' | b']' if opened > 0 => {
                    opened -= 1;
                    true
                }
                byte @ (b'}' | b']') => {
                    let kind = if byte == b'}' { Container::Object } else { Container::Array };
                    closed += 1;
                    self.nesting.up(closed - 1) == Some(kind)
                }
                b',' => {
                    // Two separators in a row are text.
                    let again = comma && opened == 0;
                    comma = true;
                    !again
                }
                b'{' | b'[' => {
                    opened += 1;
                    comma
                }
                _ => true,
            };
            if !fits {
                start = at + 1;
                (closed, opened, comma) = (0, 0, false);
            }
        }
        start
    }

    /// At a raw line break: the quote that closes the string on a later line, or `None` if the string was
    /// meant to end on this one.
    fn string_goes_on(&self, at: usize) -> Option<usize> {
        let close = self.ahead.quote(at);
        if close >= self.text.len() || close - at > REACH {
            return None;
        }
        let before = self.text[at..close].trim_ascii_end();
        let first = self.text[at..close].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let first_on_line = matches!(self.text[close - first - 1], b'\n' | b'\r');
        let closes = self.ahead.closes(close + 1);
        if first_on_line {
            let second = self.ahead.quote(close + 1);
            if second < self.ahead.line_end(close) && self.ahead.closes(second + 1) {
                return None;
            }
            return closes.then_some(close);
        }
        let last = before.last().copied().unwrap_or(b' ');
        (closes && !matches!(last, b':' | b',' | b'{' | b'[')).then_some(close)
    }

    /// The end of a string that was to end before the line break at `at`.
    fn ends_on_line(&mut self, start: usize, inside: usize, at: usize) -> usize {
        if self.in_key_position()
            && let Some(colon) = self.key_colon(inside, at)
        {
            self.unterminated(start, colon);
            return colon;
        }
        let end = self.tail(inside, at);
        // `"C:\dir\",`: the closing quote is there, and the backslash before it was to be one.
        if end >= inside + 2 && &self.text[end - 2..end] == b"\\\"" {
            let span = Span::new(end - 2, end - 1);
            self.report(Code::BadEscape, span, |d| {
                d.message("this backslash escapes the closing quote")
                    .label("write `\\\\`")
                    .replace(Review, span, "\\\\")
                    .help("in a Windows path every backslash must be doubled, also in `\\n`, `\\t`, …");
            });
            return end;
        }
        self.unterminated(start, end);
        end
    }

    /// The end of a string that the end of the text cut off.
    fn string_at_end(&mut self, start: usize, inside: usize) -> usize {
        let length = self.text.len();
        let end = self.tail(inside, length);
        let closers = self.text[end..].iter().filter(|byte| matches!(byte, b'}' | b']')).count();
        if closers > 0 && closers == self.nesting.len() {
            // Everything is closed behind it: only the quote is missing.
            if self.in_key_position()
                && let Some(colon) = self.key_colon(inside, length)
            {
                self.unterminated(start, colon);
                return colon;
            }
            self.unterminated(start, end);
            return end;
        }
        if self.in_key_position()
            && let Some(colon) = self.key_colon(inside, length)
        {
            self.unterminated(start, colon);
            return colon;
        }
        self.truncated = true;
        length
    }

    fn unterminated(&mut self, start: usize, end: usize) {
        let key = self.in_key_position();
        let lost_both = self.text[start] != b'"';
        self.report(Code::UnterminatedString, Span::point(end), |d| {
            d.message(if key { "key is missing its closing quote" } else { "string is never closed" })
                .label("insert `\"` here")
                .replace(Review, Span::point(end), "\"");
            if !lost_both {
                d.related(Span::new(start, start + 1), "string starts here");
            }
        });
    }

    fn unescaped(&mut self, start: usize, first: usize, close: usize) {
        let mut places = Vec::new();
        let mut at = first;
        while at < close && places.len() <= PLACES {
            places.push(Span::new(at, at + 1));
            at = self.ahead.quote(at + 1);
        }
        let _ = start;
        self.report(Code::UnescapedQuote, places[0], |d| {
            d.message("double quote inside a string is not escaped").label("write `\\\"`");
            if places.len() <= PLACES {
                for &place in &places {
                    d.replace(Review, Span::point(place.start), "\\");
                }
            }
            d.more = places[1..].iter().copied().take(9).collect();
        });
    }

    /// Reads the escape at `at` and returns the place after it.
    fn escape(&mut self, at: usize, faults: &mut Faults) -> usize {
        let rest = &self.text[at..];
        match rest.get(1) {
            None => at + 1,
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => at + 2,
            Some(b'u') => match keys::code_point(rest) {
                Some((c, length)) => {
                    if c.is_none() && self.surrogates {
                        faults.add(What::HalfPair, at, at + length);
                    }
                    at + length
                }
                None => {
                    let digits = rest[2..].iter().take(4).take_while(|byte| byte.is_ascii_hexdigit()).count();
                    let braced = braced(rest);
                    if at + 2 + digits == self.text.len() {
                        // The end of the text cut it off.
                        return self.text.len();
                    }
                    let (what, length) = match braced {
                        Some((_, length)) => (What::Unicode, length),
                        None if digits > 0 => (What::Unicode, 2 + digits),
                        None => (What::Escape, 2),
                    };
                    faults.add(what, at, at + length);
                    at + length
                }
            },
            Some(b'\n' | b'\r') => {
                let length = if rest.starts_with(b"\\\r\n") { 3 } else { 2 };
                match self.string_goes_on(at + 1) {
                    Some(_) => {
                        faults.add(What::LineBreak, at, at + length);
                        at + length
                    }
                    None => {
                        faults.add(What::Escape, at, at + 1);
                        at + 1
                    }
                }
            }
            Some(_) => {
                let length = escape_length(rest);
                faults.add(What::Escape, at, at + length);
                at + length
            }
        }
    }

    fn report_faults(&mut self, start: usize, inside: usize, faults: &Faults) {
        let text = self.text;
        let windows_path = matches!(&text[inside..], [letter, b':', b'\\', ..] if letter.is_ascii_alphabetic());
        let opening = Span::new(start, start + 1);
        for (what, code) in [
            (What::LineBreak, Code::NewlineInString),
            (What::Control, Code::ControlCharacter),
            (What::Escape, Code::BadEscape),
            (What::Unicode, Code::BadUnicodeEscape),
            (What::HalfPair, Code::LoneSurrogate),
        ] {
            let spans: Vec<Span> = faults.list.iter().filter(|fault| fault.what == what).map(|fault| fault.span).collect();
            let Some(&first) = spans.first() else { continue };
            let raw = &text[first.start..first.end];
            self.report(code, first, |d| {
                d.more = spans[1..].iter().copied().take(9).collect();
                match what {
                    What::LineBreak => {
                        d.message("string contains a raw line break").label("write `\\n` and join the lines");
                        d.related(opening, "string starts here");
                    }
                    What::Control => {
                        let name = control_name(raw[0]);
                        d.message(format!("raw {name} in a string"));
                        d.label(format!("write `{}`", control_escape(raw[0])));
                    }
                    What::Escape => describe_escape(d, raw, windows_path),
                    What::Unicode => describe_unicode(d, raw),
                    What::HalfPair => {
                        d.message(format!("{} is half of a surrogate pair", quote::ticked(raw))).label("has no partner");
                    }
                }
                if !faults.more && what != What::HalfPair {
                    add_fix(d, text, &spans, what, windows_path);
                }
            });
        }
    }
}

/// The number of bytes before the next quote, backslash or control character.
fn plain(bytes: &[u8]) -> usize {
    bytes.iter().position(|&byte| byte == b'"' || byte == b'\\' || byte < 0x20).unwrap_or(bytes.len())
}

/// The value and length of an escape such as `\u{1F600}` at the start of `bytes`.
fn braced(bytes: &[u8]) -> Option<(char, usize)> {
    let digits = bytes.strip_prefix(b"\\u{")?;
    let length = digits.iter().take(7).position(|&byte| byte == b'}')?;
    let code = u32::from_str_radix(std::str::from_utf8(&digits[..length]).ok()?, 16).ok()?;
    Some((char::from_u32(code)?, length + 4))
}

fn escape_length(bytes: &[u8]) -> usize {
    match bytes[1] {
        b'x' => 2 + bytes[2..].iter().take(2).take_while(|byte| byte.is_ascii_hexdigit()).count(),
        // A character of several bytes is escaped, or broken off, as a whole.
        0xC0.. => 2 + bytes[2..].iter().take(3).take_while(|&&byte| (0x80..0xC0).contains(&byte)).count(),
        // A control character counts for itself.
        ..0x20 => 1,
        _ => 2,
    }
}

/// What to write for an escape that is none, and whether that is sure.
fn mended(raw: &[u8], windows_path: bool) -> (String, Applicability) {
    let safe = |text: &str| (text.to_string(), Safe);
    if !windows_path {
        match raw {
            [b'\\', b'x', a, b] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => {
                return (format!("\\u00{}{}", *a as char, *b as char), Safe);
            }
            b"\\'" => return safe("'"),
            b"\\`" => return safe("`"),
            b"\\0" => return safe("\\u0000"),
            b"\\a" => return safe("\\u0007"),
            b"\\v" => return safe("\\u000b"),
            b"\\e" => return safe("\\u001b"),
            _ => {}
        }
    }
    (format!("\\{}", String::from_utf8_lossy(raw)), Review)
}

fn describe_escape(d: &mut Diagnostic, raw: &[u8], windows_path: bool) {
    let (text, _) = mended(raw, windows_path);
    d.message(format!("{} is not a JSON escape", quote::ticked(raw)));
    d.label(quote::write(&text, "write `\\\\`"));
    if windows_path {
        d.help("in a Windows path every backslash must be doubled, also in `\\n`, `\\t`, …");
    }
}

fn describe_unicode(d: &mut Diagnostic, raw: &[u8]) {
    if let Some((c, _)) = braced(raw) {
        d.message("`\\u{...}` is not a JSON escape").label(format!("write `{}`", utf16_escapes(c)));
        return;
    }
    let digits = raw.len() - 2;
    d.message("incomplete `\\u` escape").label(format!("needs 4 hex digits, found {digits}"));
    d.help(format!("pad it on the left (`{}`) if that is the code point you mean", padded(raw)));
}

fn padded(raw: &[u8]) -> String {
    format!("\\u{:0>4}", String::from_utf8_lossy(&raw[2..]))
}

fn utf16_escapes(c: char) -> String {
    c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect()
}

fn add_fix(d: &mut Diagnostic, text: &[u8], spans: &[Span], what: What, windows_path: bool) {
    for &span in spans {
        let raw = &text[span.start..span.end];
        let (new, applicability) = match what {
            What::LineBreak => ("\\n".to_string(), Safe),
            What::Control => (control_escape(raw[0]), Safe),
            What::Escape => mended(raw, windows_path),
            What::Unicode => match braced(raw) {
                Some((c, _)) => (utf16_escapes(c), Safe),
                None => (padded(raw), Review),
            },
            What::HalfPair => return,
        };
        d.replace(Safe, span, new);
        if applicability == Review
            && let Some(fix) = &mut d.fix
        {
            fix.applicability = Review;
        }
    }
}

fn control_escape(byte: u8) -> String {
    let mut out = String::new();
    quote::json_character(byte as char, &mut out);
    out
}

fn control_name(byte: u8) -> String {
    match byte {
        b'\t' => "tab".into(),
        0 => "NUL byte".into(),
        0x08 => "backspace".into(),
        0x0B => "vertical tab".into(),
        0x0C => "form feed".into(),
        0x1B => "escape character".into(),
        _ => format!("control character U+{byte:04X}"),
    }
}
