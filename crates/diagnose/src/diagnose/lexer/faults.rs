//! Characters that are not allowed inside a string: line breaks, control characters, invalid escapes.

use jsonx_core::hex;
use jsonx_core::string::{EscapedChar, escape};
use jsonx_core::terminal::sanitize;

use super::super::character::character_at;
use super::super::code::Code;
use super::super::diagnostic::Applicability::{Review, Safe};
use super::super::diagnostic::{Applicability, Diagnostic, Span};
use super::super::{latex, lints, quote, windows_path};
use super::Lexer;

/// The maximum number of faults per string that get a fix: unescaped code has one per line.
pub(super) const MAX_SPANS: usize = 1 << 16;

/// The maximum number of different faults of one kind that a message lists.
const LISTED: usize = 4;

/// A character or escape inside a string that must be written differently.
pub(super) struct Fault {
    pub span: Span,
    pub kind: FaultKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FaultKind {
    Control,
    LineBreak,
    /// A backslash before a line break, which JavaScript and Python drop.
    Continuation,
    Escape,
    Unicode,
    LoneSurrogate,
}

#[derive(Default)]
pub(super) struct Faults {
    pub list: Vec<Fault>,
    /// Set if the list was too short for all faults.
    more: bool,
    /// The end of the content, if a backslash has escaped the closing quote.
    pub end: Option<usize>,
}

impl Faults {
    /// Whether an escape does not exist in JSON.
    pub fn has_escapes(&self) -> bool {
        let mut list = self.list.iter();
        list.any(|fault| matches!(fault.kind, FaultKind::Escape | FaultKind::Unicode))
    }

    pub fn add(&mut self, kind: FaultKind, start: usize, end: usize) {
        if self.list.len() < MAX_SPANS {
            self.list.push(Fault {
                span: Span::new(start, end),
                kind,
            });
        } else {
            self.more = true;
        }
    }
}

impl Lexer<'_> {
    /// Reports the faults, one finding for each kind.
    pub(super) fn report_faults(&mut self, start: usize, inside: usize, faults: &mut Faults) {
        let text = self.text;
        let end = faults.end.unwrap_or(self.at);
        let content = &text[inside..end.max(inside)];
        let content = content.strip_suffix(b"\"").unwrap_or(content);
        let (mut path, mut commands) = (None, None);
        if faults.has_escapes() {
            path = windows_path::backslashes(content);
            commands = latex::backslashes(content).filter(|_| path.is_none());
        }
        if path.is_some() || commands.is_some() {
            // `\u` is the start of a name.
            for fault in faults
                .list
                .iter_mut()
                .filter(|fault| fault.kind == FaultKind::Unicode)
            {
                fault.kind = FaultKind::Escape;
                fault.span.end = fault.span.start + 2;
            }
        }
        let opening = character_at(text, start);
        for (kind, code) in [
            (FaultKind::LineBreak, Code::NewlineInString),
            (FaultKind::Continuation, Code::NewlineInString),
            (FaultKind::Control, Code::ControlCharacter),
            (FaultKind::Escape, Code::BadEscape),
            (FaultKind::Unicode, Code::BadUnicodeEscape),
            (FaultKind::LoneSurrogate, Code::LoneSurrogate),
        ] {
            let spans: Vec<Span> = faults
                .list
                .iter()
                .filter(|fault| fault.kind == kind)
                .map(|fault| fault.span)
                .collect();
            let Some(&first) = spans.first() else {
                continue;
            };
            let raw = &text[first.start..first.end];
            self.report(code, first, |d| {
                d.more = spans[1..].iter().copied().take(9).collect();
                match kind {
                    FaultKind::LineBreak => {
                        d.message("string contains a raw line break")
                            .label("write `\\n` and join the lines");
                        d.related(opening, "string starts here");
                    }
                    FaultKind::Continuation => {
                        d.message("string continues on the next line")
                            .label("remove the backslash and the line break");
                        d.related(opening, "string starts here");
                    }
                    FaultKind::Control => {
                        let each = |say: fn(u8) -> String| {
                            listed(spans.iter().map(|span| say(text[span.start])))
                        };
                        let (names, _) = each(control_name);
                        let (escapes, _) = each(|byte| format!("`{}`", escape(char::from(byte))));
                        d.message(format_args!("raw {names} in a string"))
                            .label(format_args!("write {escapes}"));
                    }
                    FaultKind::Escape => {
                        describe_escapes(d, text, &spans, path.is_some(), commands.is_some())
                    }
                    FaultKind::Unicode => describe_unicode(d, raw),
                    FaultKind::LoneSurrogate => lints::describe(d, raw, None),
                }
                match path.as_ref().or(commands.as_ref()) {
                    Some(path) if kind == FaultKind::Escape => {
                        for &at in path {
                            d.replace(Review, Span::new(inside + at, inside + at + 1), "\\\\");
                        }
                    }
                    _ if faults.more || kind == FaultKind::LoneSurrogate => {}
                    _ => add_fix(d, text, &spans, kind),
                }
            });
        }
    }
}

/// The value and length of an escape such as `\u{1F600}`, or `\U0001F600` of Python, at the start of `bytes`.
pub(super) fn code_point(bytes: &[u8]) -> Option<(char, usize)> {
    let (digits, length) = match bytes {
        [b'\\', b'u', b'{', rest @ ..] => {
            let length = rest.iter().take(7).position(|&byte| byte == b'}')?;
            (&rest[..length], length + 4)
        }
        [b'\\', b'U', rest @ ..] if hex::count_digits(rest) >= 8 => (&rest[..8], 10),
        _ => return None,
    };
    let code = u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    Some((char::from_u32(code)?, length))
}

/// The length of the invalid escape at the start of `bytes`.
pub(super) fn escape_length(bytes: &[u8]) -> usize {
    match bytes[1] {
        b'x' => 2 + hex::count_digits(&bytes[2..]).min(2),
        // The escape includes a character of several bytes as a whole, complete or truncated.
        0xC0.. => {
            2 + bytes[2..]
                .iter()
                .take(3)
                .take_while(|&&byte| (0x80..0xC0).contains(&byte))
                .count()
        }
        // A control character is a separate fault.
        ..0x20 => 1,
        _ => 2,
    }
}

/// The replacement for an invalid escape, and whether it is certain. `keeps`: the backslash is meant.
fn corrected(text: &[u8], span: Span, keeps: bool) -> (String, Applicability) {
    let (raw, next) = (&text[span.start..span.end], text.get(span.end));
    let safe = |text: &str| (text.to_string(), Safe);
    if !keeps {
        match raw {
            [b'\\', b'x', digits @ ..] if hex::count_digits(digits) == 2 => {
                return (format!("\\u00{}", String::from_utf8_lossy(digits)), Safe);
            }
            b"\\'" => return safe("'"),
            b"\\v" => return safe("\\u000b"),
            b"\\0" if !next.is_some_and(u8::is_ascii_digit) => return safe("\\u0000"),
            // JavaScript drops the backslash, other languages have a character for it.
            b"\\`" => return ("`".to_owned(), Review),
            b"\\0" => return ("\\u0000".to_owned(), Review),
            b"\\a" => return ("\\u0007".to_owned(), Review),
            b"\\e" => return ("\\u001b".to_owned(), Review),
            _ => {}
        }
    }
    (format!("\\{}", String::from_utf8_lossy(raw)), Review)
}

fn describe_escapes(
    d: &mut Diagnostic,
    text: &[u8],
    spans: &[Span],
    windows_path: bool,
    are_commands: bool,
) {
    let each = || spans.iter().map(|span| &text[span.start..span.end]);
    let (wrong, several) = listed(each().map(|raw| quote::ticked(raw).to_string()));
    let keeps = windows_path || are_commands;
    let fixed = |span: &Span| corrected(text, *span, keeps).0;
    let (right, _) = listed(spans.iter().map(|span| format!("`{}`", fixed(span))));
    let first = fixed(&spans[0]);
    if several {
        d.message(format_args!("{wrong} are not JSON escapes"))
            .label(format_args!("write {}", sanitize(&right)));
    } else {
        d.message(format_args!("{wrong} is not a JSON escape"))
            .label(quote::write(&first, "write `\\\\`"));
    }
    if windows_path {
        d.help("in a Windows path every backslash must be doubled, also in `\\n`, `\\t`, …");
    }
    if are_commands {
        d.help("in LaTeX every backslash must be doubled, also in `\\frac`, `\\theta`, …");
    }
}

/// The distinct texts in order, joined, and whether there are several; `…` replaces those after the first
/// [`LISTED`].
fn listed(texts: impl Iterator<Item = String>) -> (String, bool) {
    let mut different: Vec<String> = Vec::new();
    for text in texts {
        if different.contains(&text) {
            continue;
        }
        if different.len() == LISTED {
            different.push("…".into());
            break;
        }
        different.push(text);
    }
    (different.join(", "), different.len() > 1)
}

fn describe_unicode(d: &mut Diagnostic, raw: &[u8]) {
    if let Some((c, _)) = code_point(raw) {
        let form = if raw[1] == b'U' {
            "\\UXXXXXXXX"
        } else {
            "\\u{...}"
        };
        d.message(format_args!("`{form}` is not a JSON escape"))
            .label(format_args!("write `{}`", EscapedChar::utf16(c)));
        return;
    }
    let digits = raw.len() - 2;
    d.message("incomplete `\\u` escape")
        .label(format_args!("needs 4 hex digits, found {digits}"));
    d.help(format_args!(
        "pad it on the left (`{}`) if that is the code point you mean",
        padded(raw)
    ));
}

fn padded(raw: &[u8]) -> String {
    format!("\\u{:0>4}", String::from_utf8_lossy(&raw[2..]))
}

fn add_fix(d: &mut Diagnostic, text: &[u8], spans: &[Span], kind: FaultKind) {
    for &span in spans {
        let raw = &text[span.start..span.end];
        let (new, applicability) = match kind {
            // A Windows line break is kept.
            FaultKind::LineBreak => {
                let new = String::from_utf8_lossy(raw);
                (new.replace('\r', "\\r").replace('\n', "\\n"), Safe)
            }
            FaultKind::Continuation => (String::new(), Safe),
            FaultKind::Control => (escape(char::from(raw[0])).to_string(), Safe),
            FaultKind::Escape => corrected(text, span, false),
            FaultKind::Unicode => match code_point(raw) {
                Some((c, _)) => (EscapedChar::utf16(c).to_string(), Safe),
                // Nobody means a control character.
                None if padded(raw).starts_with("\\u000") || padded(raw).starts_with("\\u001") => {
                    (format!("\\{}", String::from_utf8_lossy(raw)), Review)
                }
                None => (padded(raw), Review),
            },
            FaultKind::LoneSurrogate => return,
        };
        d.replace(Safe, span, new);
        if applicability == Review
            && let Some(fix) = &mut d.fix
        {
            fix.applicability = Review;
        }
    }
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
