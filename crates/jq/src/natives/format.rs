//! `@csv`, `@base64` and other formats.

use data_encoding::{BASE32, BASE32_NOPAD, BASE64};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::error::{Result, about, described, error};
use crate::value::{Type, Value};

/// The formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    Json,
    Csv,
    Tsv,
    Html,
    Uri,
    UriDecode,
    Sh,
    Base64,
    Base64Decode,
    Base32,
    Base32Decode,
}

/// Their names in programs.
pub(crate) const FORMATS: [(&str, Format); 12] = [
    ("@text", Format::Text),
    ("@json", Format::Json),
    ("@csv", Format::Csv),
    ("@tsv", Format::Tsv),
    ("@html", Format::Html),
    ("@uri", Format::Uri),
    ("@urid", Format::UriDecode),
    ("@sh", Format::Sh),
    ("@base64", Format::Base64),
    ("@base64d", Format::Base64Decode),
    ("@base32", Format::Base32),
    ("@base32d", Format::Base32Decode),
];

/// A value in the format with a name, without its `@`.
pub(super) fn by_name(value: &Value, name: &Value) -> Result<Value> {
    let text = name.as_str();
    let found = FORMATS
        .iter()
        .find(|(format, _)| text.as_deref() == Some(&format[1..]));
    match found {
        Some(&(_, found)) => Ok(format(found, value)?.into()),
        None if text.is_none() => Err(about(name, "is not a valid format")),
        None => Err(error(format!("{} is not a valid format", name.to_text())).of(value)),
    }
}

/// A value in a format.
pub(crate) fn format(format: Format, value: &Value) -> Result<String> {
    match format {
        Format::Text => Ok(value.to_text()),
        Format::Json => Ok(value.to_string()),
        Format::Csv => row(value, "csv", ',', |text, row| {
            row.push('"');
            push_escaped(text, row, |byte| match byte {
                b'"' => "\"\"",
                0 => "\\0",
                _ => "",
            });
            row.push('"');
        }),
        Format::Tsv => row(value, "tsv", '\t', |text, row| {
            push_escaped(text, row, |byte| match byte {
                b'\\' => "\\\\",
                b'\t' => "\\t",
                b'\n' => "\\n",
                b'\r' => "\\r",
                0 => "\\0",
                _ => "",
            });
        }),
        Format::Html => Ok(html(&value.to_text())),
        Format::Uri => Ok(utf8_percent_encode(&value.to_text(), RESERVED).to_string()),
        Format::UriDecode => {
            let text = value.to_text();
            percent_decoded(&text).ok_or_else(|| {
                error(format!(
                    "{} is not a valid uri encoding",
                    described(&Value::from(text))
                ))
                .of(value)
            })
        }
        Format::Sh => shell(value),
        Format::Base64 => Ok(BASE64.encode(value.to_text().as_bytes())),
        Format::Base64Decode => base64(value),
        Format::Base32 => Ok(BASE32.encode(value.to_text().as_bytes())),
        Format::Base32Decode => {
            let text = value.to_text();
            match BASE32_NOPAD.decode(text.trim_end_matches('=').as_bytes()) {
                Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
                Err(_) => Err(about(value, "is not valid base32 data")),
            }
        }
    }
}

/// An array as a line of a table.
fn row(
    value: &Value,
    name: &str,
    separator: char,
    push_text: impl Fn(&str, &mut String),
) -> Result<String> {
    let Some(cells) = value.elements() else {
        return Err(about(
            value,
            &format!("cannot be {name}-formatted, only array"),
        ));
    };
    let mut row = String::with_capacity(64);
    for (at, cell) in cells.iter().enumerate() {
        if at > 0 {
            row.push(separator);
        }
        match (cell.type_of(), cell) {
            (Type::Null, _) => {}
            (Type::Number, Value::Number(number)) if number.is_nan() => {}
            (_, Value::Literal(text)) => row.push_str(text),
            (Type::String, _) => push_text(&cell.as_str().unwrap_or_default(), &mut row),
            (Type::Array | Type::Object, _) => {
                return Err(about(cell, "is not valid in a csv row"));
            }
            _ => row.push_str(&cell.to_string()),
        }
    }
    Ok(row)
}

/// Appends a text with what replaces its ASCII characters, unless that is empty.
fn push_escaped(text: &str, out: &mut String, escaped: impl Fn(u8) -> &'static str) {
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = escaped(byte);
        if !escape.is_empty() {
            out.push_str(&text[from..at]);
            out.push_str(escape);
            from = at + 1;
        }
    }
    out.push_str(&text[from..]);
}

fn html(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    push_escaped(text, &mut html, |byte| match byte {
        b'<' => "&lt;",
        b'>' => "&gt;",
        b'&' => "&amp;",
        b'\'' => "&apos;",
        b'"' => "&quot;",
        0 => "\\0",
        _ => "",
    });
    html
}

/// All bytes but the unreserved characters of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// `None` if a `%` is not followed by two digits, or the bytes are not UTF-8.
fn percent_decoded(text: &str) -> Option<String> {
    let is_byte = |rest: &str| {
        rest.get(..2)
            .is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
    };
    let is_encoded = text.split('%').skip(1).all(is_byte);
    let decoded = is_encoded.then(|| percent_decode_str(text).decode_utf8())?;
    Some(decoded.ok()?.into_owned())
}

fn shell(value: &Value) -> Result<String> {
    let word = |value: &Value| match value.type_of() {
        Type::Array | Type::Object => Err(about(value, "can not be escaped for shell")),
        Type::String => Ok(format!(
            "'{}'",
            value
                .as_str()
                .unwrap_or_default()
                .replace('\'', "'\\''")
                .replace('\0', "\\0")
        )),
        _ => Ok(value.to_string()),
    };
    match value.type_of() {
        Type::Array => {
            let words: Result<Vec<String>> = value
                .clone()
                .items()
                .unwrap_or_default()
                .iter()
                .map(word)
                .collect();
            Ok(words?.join(" "))
        }
        _ => word(value),
    }
}

fn base64(value: &Value) -> Result<String> {
    let text = value.to_text();
    // Padding ends the text.
    let digits = text.split('=').next().unwrap_or_default();
    let mut encoding = data_encoding::Specification::new();
    encoding
        .symbols
        .push_str("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
    // Leftover bits are ignored, as in jq.
    encoding.check_trailing_bits = false;
    let failed =
        |what: &str| error(format!("{} {what}", described(&Value::from(&*text)))).of(value);
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    if digits.bytes().all(is_digit) && digits.len() % 4 == 1 {
        return Err(failed("trailing base64 byte found"));
    }
    let decoded = encoding
        .encoding()
        .ok()
        .and_then(|encoding| encoding.decode(digits.as_bytes()).ok());
    match decoded {
        Some(bytes) => Ok(lossy(&bytes)),
        None => Err(failed("is not valid base64 data")),
    }
}

/// Bytes as text. What is not UTF-8 is replaced as in jq: a sequence that the end cuts off counts once, with all that follows.
fn lossy(bytes: &[u8]) -> String {
    let (mut text, mut at) = (String::new(), 0);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        at += chunk.valid().len();
        let Some(&first) = chunk.invalid().first() else {
            continue;
        };
        text.push(char::REPLACEMENT_CHARACTER);
        let length = match first {
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => 1,
        };
        if at + length > bytes.len() {
            break;
        }
        at += chunk.invalid().len();
    }
    text
}
