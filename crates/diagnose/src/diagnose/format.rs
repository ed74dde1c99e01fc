//! Detects files in a format other than JSON from their first bytes. No rule reads beyond 4 KiB, except to find the code
//! block of a Markdown text.
//!
//! Every rule requires something that cannot start a JSON text, except the one for TOML, which requires two lines.

use jsonx_core::validate;

use super::advice::Advice;
use super::code::Code;
use super::collector::Collector;
use super::diagnostic::{Applicability, Diagnostic, Fix, Span};
use super::embedded::starts_value;
use super::fix::apply;
use super::pasted::{self, Fences};
use super::printed;
use super::quote;

/// The number of bytes that the rules read.
const REACH: usize = 4096;

/// A detected format.
struct Detected {
    name: &'static str,
    /// The name with its article, for use in a sentence.
    what: &'static str,
    /// From the start of the evidence to the end of the line, or of the signature.
    span: Span,
    label: &'static str,
    note: Option<String>,
    help: Option<&'static str>,
}

impl Detected {
    fn new(name: &'static str, what: &'static str, span: Span, label: &'static str) -> Detected {
        Detected {
            name,
            what,
            span,
            label,
            note: None,
            help: None,
        }
    }

    fn help(self, help: &'static str) -> Detected {
        Detected {
            help: Some(help),
            ..self
        }
    }

    /// Moves the span by this number of bytes.
    fn after(mut self, length: usize) -> Detected {
        self.span = Span::new(self.span.start + length, self.span.end + length);
        self
    }
}

/// Reports the format of a text that is not JSON at all.
pub(super) fn report(text: &[u8], start: usize, findings: &mut Collector<'_>) -> bool {
    let Some(found) = binary(text).or_else(|| textual(text, start)) else {
        return false;
    };
    findings.report(Code::WrongFormat, found.span, |d: &mut Diagnostic| {
        d.message(format_args!("this {}, not JSON", found.what))
            .label(found.label);
        d.detected = Some(found.name);
        if found.name == "ruby" {
            d.fix = ruby_fix(text, start, found.label);
        }
        d.notes.extend(found.note);
        d.help.extend(found.help.map(String::from));
        d.advice = match found.name {
            "gzip" | "zip" | "zstd" | "bzip2" | "xz" => Some(Advice::Decompress),
            "sqlite" | "javascript" | "yaml" | "server-sent-events" => Some(Advice::Convert),
            _ => None,
        };
    });
    true
}

/// A fix, safe only if it leaves no mistake, because this is the only finding of the text.
fn ruby_fix(text: &[u8], start: usize, label: &str) -> Option<Fix> {
    let edits = printed::ruby_edits(text);
    let fixed = apply(text, &edits);
    let is_whole = validate(&fixed[start..]).is_ok();
    (!edits.is_empty()).then(|| Fix {
        description: label.to_owned(),
        applicability: if is_whole {
            Applicability::Safe
        } else {
            Applicability::Review
        },
        edits,
    })
}

const BINARY: [(&[u8], &str, &str); 18] = [
    (b"\x1F\x8B", "gzip", "is gzip data"),
    (b"PK\x03\x04", "zip", "is a zip archive"),
    (b"\x28\xB5\x2F\xFD", "zstd", "is Zstandard data"),
    (b"BZh", "bzip2", "is bzip2 data"),
    (b"\xFD7zXZ\0", "xz", "is xz data"),
    (b"\x89PNG", "png", "is a PNG image"),
    (b"%PDF-", "pdf", "is a PDF document"),
    (b"SQLite format 3\0", "sqlite", "is an SQLite database"),
    (b"\x04\x22\x4D\x18", "lz4", "is LZ4 data"),
    (b"7z\xBC\xAF\x27\x1C", "7z", "is a 7z archive"),
    (b"Rar!\x1A\x07", "rar", "is a RAR archive"),
    (b"\xFF\x06\0\0sNaPpY", "snappy", "is Snappy data"),
    (b"PAR1", "parquet", "is a Parquet file"),
    (b"Obj\x01", "avro", "is an Avro file"),
    (b"\xFF\xD8\xFF", "jpeg", "is a JPEG image"),
    (b"GIF8", "gif", "is a GIF image"),
    (b"\x7FELF", "elf", "is a program (ELF)"),
    (b"\0asm", "wasm", "is a WebAssembly module"),
];

/// Whether a text is binary data, which must not be decoded as characters.
pub(crate) fn is_binary(text: &[u8]) -> bool {
    binary(text).is_some()
}

fn binary(text: &[u8]) -> Option<Detected> {
    let &(magic, name, what) = BINARY.iter().find(|(magic, ..)| text.starts_with(magic))?;
    let span = Span::new(0, magic.len());
    Some(Detected::new(name, what, span, "signature of the format"))
}

fn textual(text: &[u8], start: usize) -> Option<Detected> {
    let blank = text[start..]
        .iter()
        .take(REACH)
        .take_while(|byte| byte.is_ascii_whitespace())
        .count();
    let at = start + blank;
    let head = &text[at..text.len().min(at + REACH)];
    let line = first_line(head);
    let found =
        |name, what, length, label| Detected::new(name, what, Span::new(at, at + length), label);
    let starts = |prefix: &str| head.starts_with(prefix.as_bytes());
    if starts("<") {
        let lower = head.to_ascii_lowercase();
        let has = |needle: &[u8]| memchr::memmem::find(&lower, needle).is_some();
        if lower.starts_with(b"<!doctype html") || has(b"<html") || lower.starts_with(b"<head") {
            let html = found("html", "is an HTML page", line, "HTML starts here").help(
                "the server probably answered with an error or login page: check the URL, status code and authentication",
            );
            return Some(Detected {
                note: title(head, &lower).map(|title| format!("page title: {title}")),
                ..html
            });
        }
    }
    if starts("<?xml") || starts("<svg") || is_element(head) {
        return Some(found("xml", "is XML", line, "XML starts here"));
    }
    if starts("version https://git-lfs") {
        let help =
            "fetch the file itself: `git lfs pull`; in CI, `actions/checkout` with `lfs: true`";
        let what = "is a Git LFS pointer";
        return Some(found("git-lfs", what, line, "pointer to the real file").help(help));
    }
    if let Some(markdown) = markdown(text, starts("```").then(|| Span::new(at, at + line))) {
        return Some(markdown);
    }
    if let Some(length) = pasted::guard_prefix(head) {
        let what = "is an API response with a guard prefix";
        let help = "the API guards its responses with this prefix: strip it";
        return Some(found("xssi", what, length, "remove this").help(help));
    }
    if pasted::is_colored(head) {
        let what = "is terminal output with colors";
        let help = "save the output without colors: many programs have `--color=never`, or honor `NO_COLOR`";
        let escape = memchr::memchr(0x1B, head).unwrap_or(0);
        let sequence = pasted::escape_sequences(&head[escape..]).next();
        let length = sequence.map_or(1, |span| span.end);
        let colored = found("terminal", what, length, "escape sequence of a color");
        return Some(colored.after(escape).help(help));
    }
    if let Some(what) = printed::stack_trace(head) {
        let help = "a program failed: find the cause in this text, and keep standard error out of the file";
        return Some(found("stack-trace", what, line, "its first line").help(help));
    }
    if printed::is_event_stream(head) {
        let what = "is a stream of server-sent events";
        return Some(found("server-sent-events", what, line, "field of an event"));
    }
    if let Some(arrow) = printed::ruby_hash(head) {
        let what = "is a hash printed by Ruby";
        let ruby = found(
            "ruby",
            what,
            arrow.end - arrow.start,
            "write `:`, strings and `null`",
        );
        let help = "`puts hash.to_json` prints JSON";
        return Some(ruby.after(arrow.start).help(help));
    }
    if let Some((name, what)) = printed::dump(head) {
        let help = match name {
            "ruby-object" => "`puts object.to_json` prints JSON",
            "javascript-object" => "`JSON.stringify(object)` returns JSON",
            _ => "`json.dumps(object)` returns JSON",
        };
        return Some(found(name, what, line, "its first line").help(help));
    }
    if pasted::starts_like_diff(head) && pasted::diff_lines(&text[at..]).is_some() {
        let help = "apply the diff instead of saving it, or keep the lines with `+` and without their first column";
        return Some(found("diff", "is a diff", line, "line of a diff").help(help));
    }
    if pasted::is_escaped(head) {
        let backslash = memchr::memchr(b'"', head).map_or(0, |quote| quote.saturating_sub(1));
        let what = "is JSON that was escaped as a string";
        let escaped = found("escaped-json", what, 2, "escaped quote").after(backslash);
        return Some(escaped.help("decode the string that contained it"));
    }
    if pasted::is_html(head) {
        let entity = memchr::memchr(b'&', head).unwrap_or(0);
        let what = "is JSON that was escaped for HTML";
        let escaped = found("html-escaped-json", what, 1, "escaped quote").after(entity);
        return Some(escaped.help("decode the attribute or element that contained it"));
    }
    if let Some(table) = table(head) {
        let (name, what) = match table {
            b',' => ("csv", "looks like CSV"),
            b';' => ("csv", "looks like CSV with semicolons"),
            _ => ("tsv", "looks like tab-separated values"),
        };
        return Some(found(name, what, line, "header of a table"));
    }
    if let Some(length) = javascript(head) {
        return Some(found(
            "javascript",
            "is JavaScript",
            length,
            "JavaScript statement",
        ));
    }
    let found = jsonp(head).or_else(|| yaml(head)).or_else(|| toml(head))?;
    Some(found.after(at))
}

/// A text with code blocks, or one that starts with the line `fence`.
fn markdown(text: &[u8], fence: Option<Span>) -> Option<Detected> {
    let fences = pasted::fences(text);
    let span = fences.as_ref().map(|fences| fences.opening).or(fence)?;
    let (note, help) = match fences {
        Some(Fences {
            has_more_values: true,
            ..
        }) => (
            Some("there is JSON in several places".to_owned()),
            "keep one of them, or put each value on its own line",
        ),
        Some(Fences { count: 2.., .. }) => (
            Some("there are several code blocks".to_owned()),
            "keep the content of one block",
        ),
        Some(_) if fence.is_none() => (None, "keep the content of the block"),
        _ => (None, "remove the lines with ```"),
    };
    let markdown = Detected::new("markdown", "is Markdown", span, "code fence").help(help);
    Some(Detected { note, ..markdown })
}

/// The separator of a table: a header of names, and a line with as many separators.
fn table(head: &[u8]) -> Option<u8> {
    let mut lines = head.split(|&byte| byte == b'\n');
    let header = lines.next()?.trim_ascii();
    let first = *header.first()?;
    if !first.is_ascii_alphanumeric() && !b"\"-".contains(&first) {
        return None;
    }
    let second = lines.next()?.trim_ascii();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-. ()#/%\"".contains(byte);
    let columns = |line: &[u8], separator: u8| {
        let mut quoted = false;
        let unquoted = line.iter().filter(|&&byte| {
            quoted ^= byte == b'"';
            byte == separator && !quoted
        });
        unquoted.count()
    };
    [b',', b';', b'\t'].into_iter().find(|&separator| {
        let mut cells = header.split(|&byte| byte == separator);
        columns(header, separator) > 0
            && columns(header, separator) == columns(second, separator)
            && cells.all(|cell| !cell.is_empty() && cell.iter().all(is_name))
            && if first.is_ascii_alphabetic() {
                !matches!(second.first(), Some(b'{' | b'['))
            } else {
                // Rows of values, not an array without its brackets, which has commas between its lines.
                memchr::memchr3(b'{', b'[', b']', head).is_none() && !second.ends_with(&[separator])
            }
    })
}

/// The length of the first line without trailing blanks.
fn first_line(text: &[u8]) -> usize {
    let end = memchr::memchr2(b'\n', b'\r', text).unwrap_or(text.len());
    text[..end].trim_ascii_end().len()
}

fn title(head: &[u8], lower: &[u8]) -> Option<String> {
    let open = memchr::memmem::find(lower, b"<title")?;
    let start = open + memchr::memchr(b'>', &lower[open..])? + 1;
    let end = start + memchr::memchr(b'<', &lower[start..])?;
    let title = head[start..end].trim_ascii();
    (!title.is_empty()).then(|| quote::excerpt(title))
}

/// Whether an element starts here, `<letter …` with a closing tag somewhere after it, other than one around a value, as language models put it into `<tool_call>`.
fn is_element(head: &[u8]) -> bool {
    let inside = memchr::memchr(b'>', head).map(|end| head[end + 1..].trim_ascii_start());
    let is_value = |inside: &[u8]| match inside.first() {
        Some(b'{' | b'[') => starts_value(inside, 0),
        _ => inside.starts_with(b"```"),
    };
    matches!(head, [b'<', letter, ..] if letter.is_ascii_alphabetic())
        && !inside.is_some_and(is_value)
        && memchr::memmem::find(head, b"</").is_some()
}

fn javascript(head: &[u8]) -> Option<usize> {
    const STARTS: [&str; 13] = [
        "module.exports",
        "exports.",
        "export ",
        "const ",
        "let ",
        "var ",
        "import ",
        "window.",
        "define(",
        "return {",
        "'use strict'",
        "\"use strict\";",
        "function ",
    ];
    let start = STARTS
        .iter()
        .find(|start| head.starts_with(start.as_bytes()))?;
    let line = &head[..first_line(head)];
    // Up to and including the `=`, if the statement has one.
    let length = memchr::memchr(b'=', line).map_or(start.trim_end().len(), |equals| equals + 1);
    // A sentence may begin with "let " or "return"; code also has punctuation.
    (line.iter().any(|byte| b"={(;'\".".contains(byte))).then_some(length)
}

/// `name(` followed by a container; a comment may precede it.
fn jsonp(head: &[u8]) -> Option<Detected> {
    if let Some(comment) = head.strip_prefix(b"/*") {
        let end = memchr::memmem::find(comment, b"*/")? + 4;
        let blank = head[end..]
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace());
        let start = end + blank.count();
        let found = jsonp(&head[start..]).filter(|_| !head[start..].starts_with(b"/"))?;
        return Some(found.after(start));
    }
    let name = head
        .iter()
        .take_while(|&&byte| byte.is_ascii_alphanumeric() || b"_$.".contains(&byte))
        .count();
    let rest = head.get(name..)?.strip_prefix(b"(")?;
    if name == 0
        || head[0].is_ascii_digit()
        || !matches!(rest.trim_ascii_start().first(), Some(b'{' | b'['))
    {
        return None;
    }
    let span = Span::new(0, name + 1);
    let what = "is JSONP (JavaScript)";
    let jsonp = Detected::new("jsonp", what, span, "function call around the data");
    Some(jsonp.help("drop the `callback` parameter from the request"))
}

/// Whether each line is an object of JSON after a dash.
fn is_list_of_json(head: &[u8]) -> bool {
    let lines = head
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii_end);
    let mut lines = lines.filter(|line| !line.is_empty());
    lines.all(|line| {
        let item = line.strip_prefix(b"- ");
        item.is_some_and(|item| item.starts_with(b"{\"") && jsonx_core::validate(item).is_ok())
    })
}

fn yaml(head: &[u8]) -> Option<Detected> {
    let found = |span, label| Some(Detected::new("yaml", "looks like YAML", span, label));
    let mut lines = Vec::new();
    let mut at = 0;
    while at < head.len() && lines.len() < 2 {
        let length = first_line(&head[at..]);
        let line = &head[at..at + length];
        if !line.is_empty() && !line.starts_with(b"#") {
            lines.push((at, line));
        }
        at += memchr::memchr2(b'\n', b'\r', &head[at..]).map_or(head.len(), |end| end + 1);
    }
    let &(at, first) = lines.first()?;
    let span = Span::new(at, at + first.len());
    if first == b"---" || first.starts_with(b"%YAML") {
        return found(span, "YAML document");
    }
    let looks = |line: &[u8]| {
        let line = line.trim_ascii();
        let word = line
            .iter()
            .take_while(|&&byte| byte.is_ascii_alphanumeric() || b"_-./".contains(&byte))
            .count();
        let mapping = word > 0 && matches!(&line[word..], [b':'] | [b':', b' ', ..]);
        (mapping || line.starts_with(b"- "))
            && !line.ends_with(b",")
            && !line[word..].ends_with(b"{")
    };
    // The second line may be anything if it is indented below a key without a value.
    let second = lines.get(1)?;
    if !looks(first) || !looks(second.1) || is_list_of_json(head) {
        return None;
    }
    found(
        span,
        if first.starts_with(b"- ") {
            "YAML sequence"
        } else {
            "YAML mapping"
        },
    )
}

/// `[name]`, with `key = …` on the next line.
fn toml(head: &[u8]) -> Option<Detected> {
    let length = first_line(head);
    let line = &head[..length];
    let name = line.strip_prefix(b"[")?.strip_suffix(b"]")?;
    let key = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    let plain = !name.is_empty()
        && name.iter().all(|byte| key(byte) || *byte == b' ')
        && name[0].is_ascii_alphabetic();
    let next = head[length..].trim_ascii_start();
    let word = next.iter().take_while(|byte| key(byte)).count();
    if !plain || word == 0 || !next[word..].trim_ascii_start().starts_with(b"=") {
        return None;
    }
    let span = Span::new(0, length);
    let what = "looks like TOML or INI";
    Some(Detected::new("toml", what, span, "section header"))
}
