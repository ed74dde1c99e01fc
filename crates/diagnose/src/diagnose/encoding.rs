//! Detects the encoding of the input and reports invalid UTF-8.

use super::advice::Advice;
use super::code::Code;
use super::collector::Collector;
use super::diagnostic::Applicability::Review;
use super::diagnostic::{Diagnostic, Span};
use super::quote;

/// An encoding other than UTF-8, recognized by its byte-order mark or by the positions of its zero bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wide {
    name: &'static str,
    unit: usize,
    little: bool,
    mark: usize,
}

/// Detects UTF-16 and UTF-32. Without a byte-order mark this relies on the first two characters of a JSON text being
/// ASCII (RFC 4627, section 3).
pub(super) fn wide(bytes: &[u8]) -> Option<Wide> {
    let of = |name, unit, little, mark| {
        Some(Wide {
            name,
            unit,
            little,
            mark,
        })
    };
    match bytes {
        [0xFF, 0xFE, 0, 0, ..] => of("UTF-32LE", 4, true, 4),
        [0, 0, 0xFE, 0xFF, ..] => of("UTF-32BE", 4, false, 4),
        [0xFF, 0xFE, ..] => of("UTF-16LE", 2, true, 2),
        [0xFE, 0xFF, ..] => of("UTF-16BE", 2, false, 2),
        [1..=0x7F, 0, 0, 0, ..] if bytes.len().is_multiple_of(4) => of("UTF-32LE", 4, true, 0),
        [0, 0, 0, 1..=0x7F, ..] if bytes.len().is_multiple_of(4) => of("UTF-32BE", 4, false, 0),
        [1..=0x7F, 0, 1..=0x7F, 0, ..] => of("UTF-16LE", 2, true, 0),
        [0, 1..=0x7F, 0, 1..=0x7F, ..] => of("UTF-16BE", 2, false, 0),
        _ => None,
    }
}

impl Wide {
    /// Decodes to UTF-8, with U+FFFD for invalid units. Returns `None` if the result would exceed `most` bytes.
    pub fn decode(self, bytes: &[u8], most: usize) -> Option<Vec<u8>> {
        let body = &bytes[self.mark..];
        let mut out = String::with_capacity(most.min(body.len() / self.unit + 16));
        let mut push = |c: Option<char>| {
            let c = c.unwrap_or(char::REPLACEMENT_CHARACTER);
            (c.len_utf8() <= most - out.len()).then(|| out.push(c))
        };
        if self.unit == 4 {
            for unit in body.chunks(4) {
                let code = unit.try_into().map(|four| {
                    if self.little {
                        u32::from_le_bytes(four)
                    } else {
                        u32::from_be_bytes(four)
                    }
                });
                push(code.ok().and_then(char::from_u32))?;
            }
        } else {
            let units = body.chunks(2).map(|unit| match (unit, self.little) {
                (&[a, b], true) => u16::from_le_bytes([a, b]),
                (&[a, b], false) => u16::from_be_bytes([a, b]),
                // An incomplete unit at the end.
                _ => 0xFFFD,
            });
            for c in char::decode_utf16(units) {
                push(c.ok())?;
            }
        }
        Some(out.into_bytes())
    }

    pub fn report(self, findings: &mut Collector<'_>, text: &[u8]) {
        let first = text
            .utf8_chunks()
            .next()
            .and_then(|chunk| chunk.valid().chars().next());
        findings.report(Code::WrongEncoding, Span::new(0, first.map_or(0, char::len_utf8)), |d| {
            d.message(format_args!("the file is encoded as {}, JSON must be UTF-8", self.name));
            d.label(if self.mark > 0 { "byte order mark found here" } else { "zero bytes found here" });
            if self.name == "UTF-16LE" {
                d.note("Windows PowerShell 5 writes UTF-16 for `>`; use `| Out-File -Encoding utf8`");
            }
            let from = if self.mark > 0 { &self.name[..6] } else { self.name };
            d.advise(Advice::Reencode(from));
            d.detected = Some(match self.name {
                "UTF-16LE" => "utf-16le",
                "UTF-16BE" => "utf-16be",
                "UTF-32LE" => "utf-32le",
                _ => "utf-32be",
            });
        });
    }
}

/// Decodes a text that is not UTF-8, and names its encoding; `None` if it is UTF-8, or no encoding fits, or the result
/// would exceed `most` bytes, or only truncated characters are not UTF-8. Truncated characters stay as they are.
pub(crate) fn decode(text: &[u8], most: usize) -> Option<(&'static str, Vec<u8>)> {
    if let Some(wide) = wide(text) {
        return Some((wide.name, wide.decode(text, most)?));
    }
    let (cuts, others) = invalid(text);
    if others == 0 {
        return None;
    }
    let mut cuts = cuts.into_iter().peekable();
    let (mut out, mut at) = (Vec::new(), 0);
    for chunk in text.utf8_chunks() {
        out.extend_from_slice(chunk.valid().as_bytes());
        at += chunk.valid().len();
        if cuts.next_if(|cut| cut.start == at).is_some() {
            out.extend_from_slice(chunk.invalid());
        } else {
            for &byte in chunk.invalid() {
                let c = windows_1252(byte)?;
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        at += chunk.invalid().len();
        if out.len() > most {
            return None;
        }
    }
    Some(("Windows-1252", out))
}

/// The maximum number of further spans to show.
const SHOWN: usize = 9;

/// Reports invalid UTF-8, as one finding for the whole text.
pub(super) fn check_utf8(text: &[u8], findings: &mut Collector<'_>) {
    if std::str::from_utf8(text).is_ok() {
        return;
    }
    let mut runs: Vec<Span> = Vec::new();
    let (mut count, mut at, mut last) = (0u64, 0, None);
    for chunk in text.utf8_chunks() {
        let start = at + chunk.valid().len();
        at = start + chunk.invalid().len();
        if chunk.invalid().is_empty() {
            continue;
        }
        let is_new = last.replace(at) != Some(start);
        count += u64::from(is_new);
        if is_new && runs.len() <= SHOWN {
            runs.push(Span::new(start, at));
        } else if let Some(run) = runs.last_mut().filter(|run| run.end == start) {
            run.end = at;
        }
    }
    let first = runs[0];
    let (cuts, others) = invalid(text);
    let cut_off = count == 1 && first.end == text.len() && is_cut_off(&text[first.start..]);
    findings.report(Code::InvalidUtf8, first, |d| {
        d.more = runs[1..].to_vec();
        if cut_off {
            d.message("invalid UTF-8 at the end")
                .label("the last character is truncated");
        } else {
            d.message(if count == 1 {
                "invalid UTF-8".into()
            } else {
                format!("invalid UTF-8 in {count} places")
            });
            if first.end - first.start > 1 && is_cut_off(&text[first.start..first.end]) {
                d.label("a character is truncated here");
            } else {
                describe_byte(d, text[first.start]);
            }
        }
        // Otherwise the text is converted first.
        for cut in cuts.into_iter().filter(|_| others == 0) {
            let is_last = cut.end == text.len();
            d.replace(Review, cut, if is_last { "" } else { "\u{FFFD}" });
        }
    });
}

/// The truncated characters, and the number of other sequences that are not UTF-8. A single byte may also be a letter of
/// Windows-1252: it counts as truncated only at the end of the text, or at the end of a string if the text has other
/// characters in UTF-8; if all of those are truncated, not after a letter.
fn invalid(text: &[u8]) -> (Vec<Span>, usize) {
    let has_whole = text.utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
    let is_long = |bytes: &[u8]| bytes.len() > 1 && is_cut_off(bytes);
    let has_long = text.utf8_chunks().any(|chunk| is_long(chunk.invalid()));
    let (mut cuts, mut others, mut at) = (Vec::new(), 0, 0);
    for chunk in text.utf8_chunks() {
        let start = at + chunk.valid().len();
        at = start + chunk.invalid().len();
        let is_after_letter = || text[..start].last().is_some_and(u8::is_ascii_alphabetic);
        let may_be_cut = match (chunk.invalid().len(), text.get(at)) {
            (0, _) => continue,
            (1, Some(b'"')) => has_whole || has_long && !is_after_letter(),
            (1, Some(_)) => false,
            _ => true,
        };
        if may_be_cut && is_cut_off(chunk.invalid()) {
            cuts.push(Span::new(start, at));
        } else {
            others += 1;
        }
    }
    (cuts, others)
}

/// Whether `bytes` is an incomplete character.
fn is_cut_off(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes)
        .is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
}

fn describe_byte(d: &mut Diagnostic, byte: u8) {
    match windows_1252(byte) {
        Some(c) => {
            let c = quote::excerpt(c.encode_utf8(&mut [0; 4]).as_bytes());
            d.label(format_args!(
                "byte {byte:02X} is `{c}` in Windows-1252/Latin-1"
            ));
            d.advise(Advice::Reencode("WINDOWS-1252"));
        }
        None => {
            d.label(format_args!("byte {byte:02X} is not UTF-8"));
        }
    }
}

/// Decodes a byte from 0x80 up as Windows-1252.
fn windows_1252(byte: u8) -> Option<char> {
    const C1: [u16; 32] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
        0x0152, 0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC,
        0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
    ];
    match byte {
        0x80..=0x9F => {
            char::from_u32(u32::from(C1[usize::from(byte - 0x80)])).filter(|&c| c != '\0')
        }
        _ => Some(char::from(byte)),
    }
}

#[cfg(test)]
mod tests {
    use crate::diagnose::{Code, DiagnoseOptions, diagnose};

    /// A single byte is a letter of Windows-1252, unless other characters are in UTF-8 or the text ends there.
    #[test]
    fn truncated_characters_are_replaced() {
        use crate::repair::{RepairOptions, repair};

        let options = RepairOptions::default().with(crate::diagnose::Applicability::Review);
        for (text, expected) in [
            (&b"{\"a\":\"x\xe2\x82\"}"[..], "{\"a\":\"x\u{fffd}\"}"),
            (
                b"[\"\xe2\",\"\xf0\x9f\x98\"]",
                "[\"\u{fffd}\",\"\u{fffd}\"]",
            ),
            (b"[\"\xe4\xb8\xad\xe4\xb8\"]", "[\"中\u{fffd}\"]"),
            (b"[\"\xc3\xa9\",\"\xc3\"]", "[\"é\",\"\u{fffd}\"]"),
            (b"[\"x\xe2\x82", "[\"x\"]"),
            (b"[\"caf\xe9\"]", "[\"café\"]"),
            (b"[\"\xe9t\xe9\"]", "[\"été\"]"),
            (b"[\"caf\xe9 \xe2\x82\"]", "[\"café \u{fffd}\"]"),
            (b"[\"caf\xe9\",\"\xe2\x82\"]", "[\"café\",\"\u{fffd}\"]"),
            (b"[\"caf\xe9\",\"x\xe2\x82", "[\"café\",\"x\"]"),
        ] {
            let repaired = repair(text, &options);
            assert_eq!(String::from_utf8_lossy(&repaired.text), expected);
            assert!(!repaired.changes.is_empty());
        }
    }

    /// The limit comes from 32-bit offsets; a small one takes the same branch.
    #[test]
    fn decoded_text_over_the_limit_is_only_an_encoding_error() {
        let text = format!("[\"{}\"]", "\u{20ac}".repeat(100));
        let units = || text.encode_utf16();
        let long: [(&str, Vec<u8>); 3] = [
            ("utf-16le", units().flat_map(u16::to_le_bytes).collect()),
            (
                "utf-16be",
                [0xFEFF]
                    .into_iter()
                    .chain(units())
                    .flat_map(u16::to_be_bytes)
                    .collect(),
            ),
            (
                "utf-32le",
                text.chars()
                    .flat_map(|c| u32::from(c).to_le_bytes())
                    .collect(),
            ),
        ];
        for (name, bytes) in long {
            for most in [bytes.len(), text.len() - 1, text.len(), text.len() + 1] {
                let options = DiagnoseOptions::default().max_input(most);
                let report = diagnose(&bytes, &options);
                let [finding] = &report.diagnostics[..] else {
                    panic!("{name}, {most}: {:?}", report.diagnostics);
                };
                let fits = bytes.len().max(text.len()) <= most;
                let expected = if bytes.len() <= most {
                    Code::WrongEncoding
                } else {
                    Code::SyntaxError
                };
                assert_eq!(finding.code, expected, "{name}, {most}");
                assert_eq!(
                    report.text.as_deref(),
                    fits.then_some(text.as_bytes()),
                    "{name}, {most}"
                );
                assert!(finding.span.end <= report.text.as_deref().unwrap_or(&bytes).len());
            }
        }
    }
}
