//! The format around the JSON: the text it was pasted into, or the answer that contained it.

use jsonx_core::validate;

use crate::diagnose::{
    Edit, Fences, Span, diff_lines, embedded_values, escape_sequences, fences, guard_prefix,
    unescaped, without_entities,
};

/// The maximum offset of the first value in a text.
const REACH: usize = 4096;

/// The edits that leave the data of a text in a detected format.
pub(super) struct Removal {
    /// Their assumption.
    pub message: String,
    pub edits: Vec<Edit>,
    /// The data is several values, one per line.
    pub is_lines: bool,
}

impl Removal {
    /// Drops some spans; `None` if there are none.
    fn new(message: impl Into<String>, dropped: impl IntoIterator<Item = Span>) -> Option<Removal> {
        let edits = dropped.into_iter().map(|span| Edit::new(span, ""));
        let edits: Vec<Edit> = edits.collect();
        (!edits.is_empty()).then(|| Removal {
            message: message.into(),
            edits,
            is_lines: false,
        })
    }

    fn lines(self) -> Option<Removal> {
        Some(Removal {
            is_lines: true,
            ..self
        })
    }
}

/// The edits that leave the data of a text in a detected format, and all of it; `None` if there are none.
pub(super) fn remove(text: &[u8], detected: &str) -> Option<Removal> {
    match detected {
        "log" => log(text, None),
        "server-sent-events" => events(text),
        "markdown" => match fences(text)? {
            fences if fences.has_more_values => log(text, Some(&fences.code)),
            fences => markdown(text, &fences),
        },
        "terminal" => Removal::new(
            "terminal colors are not part of the data",
            escape_sequences(text),
        ),
        "diff" => diff(text),
        "escaped-json" => Some(Removal {
            message: "the text was escaped as the content of a string".to_owned(),
            edits: vec![Edit::new(0..text.len(), unescaped(text)?)],
            is_lines: false,
        }),
        "html-escaped-json" => Some(Removal {
            message: "the text was escaped for HTML".to_owned(),
            edits: vec![Edit::new(0..text.len(), without_entities(text)?)],
            is_lines: false,
        }),
        "xssi" => {
            let start = text.len() - text.trim_ascii_start().len();
            let length = start + guard_prefix(&text[start..])?;
            // `)]}',`
            let comma = usize::from(text.get(length) == Some(&b','));
            Removal::new(
                "a guard prefix precedes the data",
                [Span::new(0, length + comma)],
            )
        }
        "jsonp" => jsonp(text),
        "javascript" => javascript(text),
        _ => None,
    }
}

/// The edits that undo a template of Python, whose braces are all doubled, or the quotes of a CSV field, or remove the
/// backticks of Markdown around a text.
pub(super) fn template(text: &[u8]) -> Option<Removal> {
    let start = text.len() - text.trim_ascii_start().len();
    let end = start + text.trim_ascii().len();
    let (message, spans) = match text.get(start..end)? {
        [b'`', b'{' | b'[', .., b'}' | b']', b'`'] => (
            "backticks around the JSON document",
            vec![Span::new(start, start + 1), Span::new(end - 1, end)],
        ),
        whole if memchr::memmem::find(whole, b"{{").is_some() => {
            let spans = halves(whole, start, b"{}")?;
            ("all braces are doubled, as in a template", spans)
        }
        [b'"', field @ .., b'"'] if matches!(field, [b'{' | b'[', .., b'}' | b']']) => {
            let mut spans = halves(field, start + 1, b"\"")?;
            spans.extend([Span::new(start, start + 1), Span::new(end - 1, end)]);
            ("all quotes are doubled, as in a CSV field", spans)
        }
        _ => return None,
    };
    Removal::new(message, spans)
}

/// The first half of each run of one of these bytes in `text`, which begins at `at`; `None` if one has an odd length.
fn halves(text: &[u8], mut at: usize, bytes: &[u8]) -> Option<Vec<Span>> {
    let mut spans = Vec::new();
    for run in text.chunk_by(|a, b| a == b) {
        if bytes.contains(&run[0]) {
            if run.len() % 2 == 1 {
                return None;
            }
            spans.push(Span::new(at, at + run.len() / 2));
        }
        at += run.len();
    }
    Some(spans)
}

/// Values in the lines of a log or a list, or in Markdown, outside `code`: there, valid values that span lines are put on one
/// line each.
fn log(text: &[u8], code: Option<&[Span]>) -> Option<Removal> {
    let mut found = embedded_values(text, 0);
    let is_code = |value: &Span| {
        let code = code.unwrap_or_default();
        let next = code.partition_point(|block| block.start <= value.start);
        next > 0 && value.start < code[next - 1].end
    };
    found.values.retain(|value| !is_code(value));
    let joins = !found.one_a_line;
    if joins && !(code.is_some() && are_apart(text, &found.values)) || found.values.len() < 2 {
        return None;
    }
    let mut edits = Vec::new();
    let mut done = 0;
    for value in &found.values {
        let before = Span::new(done, value.start);
        // The line break before the value stays.
        let line = memchr::memrchr(b'\n', &text[before.start..before.end]);
        match line.filter(|_| done > 0) {
            Some(at) => {
                let at = done + at;
                edits.extend([Span::new(done, at), Span::new(at + 1, value.start)]);
            }
            None => edits.push(before),
        }
        done = value.end;
    }
    let last = text.len() - usize::from(text.ends_with(b"\n"));
    edits.push(Span::new(done, last.max(done)));
    edits.retain(|span| !text[span.start..span.end].trim_ascii().is_empty());
    if joins {
        let breaks = found
            .values
            .iter()
            .flat_map(|value| line_breaks(text, *value));
        edits.extend(breaks);
        edits.sort_by_key(|span| span.start);
    }
    let one_a_line = if joins { "" } else { ", one per line" };
    let mut message = format!(
        "text around {} JSON values{one_a_line}: kept as JSON Lines",
        found.values.len()
    );
    match found.other_lines {
        0 => {}
        1 => message += "; one line has none",
        count => message += &format!("; {count} lines have none"),
    }
    Removal::new(message, edits)?.lines()
}

/// The data of server-sent events, one per line. Lines of the same event are joined.
fn events(text: &[u8]) -> Option<Removal> {
    let (mut edits, mut at, mut done) = (Vec::new(), 0, 0);
    let mut is_same_event = false;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let data = line.strip_prefix(b"data:").map(<[u8]>::trim_ascii);
        if let Some(data) = data.filter(|data| !data.is_empty() && *data != b"[DONE]") {
            let end = at + line.trim_ascii_end().len();
            if !is_same_event && done > 0 {
                done = keep_line_break(text, done, &mut edits);
            }
            edits.push(Span::new(done, end - data.len()));
            done = end;
            is_same_event = true;
        }
        is_same_event &= !line.trim_ascii().is_empty();
        at += line.len();
    }
    if done == 0 {
        return None;
    }
    done = keep_line_break(text, done, &mut edits);
    edits.push(Span::new(done, text.len()));
    edits.retain(|span| !text[span.start..span.end].trim_ascii().is_empty());
    let message = "only the data of server-sent events was kept, as JSON Lines";
    Removal::new(message, edits)?.lines()
}

/// Drops the rest of the line at `done` up to its line feed, and returns the start of the next line.
fn keep_line_break(text: &[u8], done: usize, edits: &mut Vec<Span>) -> usize {
    let rest = &text[done..];
    let line = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    edits.push(Span::new(done, done + line));
    text.len().min(done + line + 1)
}

/// Whether all values are valid, and begin on different lines.
fn are_apart(text: &[u8], values: &[Span]) -> bool {
    let is_valid = |value: &Span| validate(&text[value.start..value.end]).is_ok();
    let mut pairs = values.windows(2);
    values.iter().all(is_valid)
        && pairs.all(|pair| text[pair[0].end..pair[1].start].contains(&b'\n'))
}

/// The white space around the line breaks of a valid value.
fn line_breaks(text: &[u8], value: Span) -> impl Iterator<Item = Span> {
    let inside = &text[value.start..value.end];
    let mut done = 0;
    memchr::memchr_iter(b'\n', inside).filter_map(move |at| {
        let start = inside[..at].trim_ascii_end().len();
        let end = inside.len() - inside[at..].trim_ascii_start().len();
        let is_new = start >= done;
        done = end;
        is_new.then(|| Span::new(value.start + start, value.start + end))
    })
}

/// Drops everything except `inside` and the final line feed.
fn keep(message: impl Into<String>, text: &[u8], inside: Span) -> Option<Removal> {
    let end = text.len() - usize::from(text.ends_with(b"\n") && inside.end < text.len());
    let outside = [
        Span::new(0, inside.start),
        Span::new(inside.end, end.max(inside.end)),
    ];
    let outside = outside.into_iter().filter(|span| !span.is_empty());
    Removal::new(message, outside)
}

fn markdown(text: &[u8], fences: &Fences) -> Option<Removal> {
    let content = fences.content;
    let inside = &text[content.start..content.end];
    let start = content.end - inside.trim_ascii_start().len();
    let end = start + text[start..content.end].trim_ascii_end().len();
    let message = match fences.count {
        1 => "only the code block was kept".to_owned(),
        count => format!("only one of {count} code blocks was kept"),
    };
    keep(message, text, Span::new(start, end))
}

/// Keeps the new side of a diff.
fn diff(text: &[u8]) -> Option<Removal> {
    let lines = diff_lines(text)?;
    let dropped = lines.into_iter().filter_map(|(mark, line)| match mark {
        b'+' => Some(Span::new(line.start, line.start + 1)),
        b' ' if text[line.start] == b' ' => Some(Span::new(line.start, line.start + 1)),
        b' ' => None,
        _ => Some(line),
    });
    Removal::new("only the new side of the diff was kept", dropped)
}

/// `name({…});`
fn jsonp(text: &[u8]) -> Option<Removal> {
    let head = &text[..text.len().min(REACH)];
    let open = memchr::memchr(b'(', head)? + 1;
    statement("a function call surrounds the data", text, open)
}

/// `const name = {…};`, `module.exports = {…};`, `export default {…};`
fn javascript(text: &[u8]) -> Option<Removal> {
    let head = &text[..text.len().min(REACH)];
    let value = memchr::memchr2_iter(b'{', b'[', head).find(|&at| {
        let before = head[..at].trim_ascii_end();
        before.ends_with(b"=") && !before.ends_with(b"==")
            || before.ends_with(b"default")
            || before.ends_with(b"return")
            || before.ends_with(b"(")
    })?;
    statement("a JavaScript statement surrounds the data", text, value)
}

/// Drops what surrounds a value that begins at `start`.
fn statement(message: &str, text: &[u8], start: usize) -> Option<Removal> {
    let after = text[start..].iter().rev();
    let after = after.take_while(|byte| b";) \t\n\r".contains(byte));
    let end = text.len() - after.count();
    keep(message, text, Span::new(start, end))
}
