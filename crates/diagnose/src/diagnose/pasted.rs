//! Formats that JSON is pasted into or copied from, and the position of the data: Markdown, colored terminal output, diffs,
//! escaped text, answers with a guard.

use super::diagnostic::Span;
use super::embedded;

/// The code blocks of a Markdown text.
pub(crate) struct Fences {
    /// The content of the block with the data.
    pub content: Span,
    /// The line that opens it.
    pub opening: Span,
    /// The number of blocks.
    pub count: usize,
    /// There are JSON values outside the content.
    pub has_more_values: bool,
    /// The other blocks that are no data.
    pub code: Vec<Span>,
}

/// Finds the code blocks of a text that does not start like JSON. The content is that of the first block marked as JSON, else the
/// first that starts like it, else the first.
pub(crate) fn fences(text: &[u8]) -> Option<Fences> {
    let first = text.iter().find(|byte| !byte.is_ascii_whitespace())?;
    if matches!(first, b'{' | b'[' | b'"') {
        return None;
    }
    let mut best: Option<(u8, Fences)> = None;
    let (mut count, mut marked, mut code) = (0, 0, Vec::new());
    let mut at = 0;
    while let Some(fence) = next_fence(text, at) {
        let (content, end) = block(text, fence);
        at = end;
        count += 1;
        let inside = text[content.start..content.end].trim_ascii();
        let info = text[fence.start..content.start].trim_ascii();
        let name = info
            .iter()
            .skip_while(|&&byte| byte == b'`' || byte == b'~');
        let name: Vec<u8> = name.take(4).map(u8::to_ascii_lowercase).collect();
        marked += usize::from(!inside.is_empty() && name.starts_with(b"json"));
        let is_code = name.first().is_some_and(u8::is_ascii_alphabetic);
        code.push((content, is_code && !name.starts_with(b"json")));
        let rank = match (inside.first(), name.starts_with(b"json")) {
            (None, _) => 0,
            (Some(b'{' | b'['), true) => 4,
            (Some(_), true) => 3,
            (Some(b'{' | b'['), false) => 2,
            (Some(_), false) => 1,
        };
        if best.as_ref().is_none_or(|(other, _)| rank > *other) {
            let opening = Span::new(fence.start, fence.end);
            best = Some((
                rank,
                Fences {
                    content,
                    opening,
                    count: 0,
                    has_more_values: false,
                    code: Vec::new(),
                },
            ));
        }
    }
    let (rank, fences) = best?;
    let is_only = marked == 1 && rank >= 3;
    let mut done = 0;
    let mut has_values_before = |block: Span| {
        let outside = &text[done..block.start];
        done = block.end;
        !embedded::values(outside, 0).values.is_empty()
    };
    // Nothing in a block is data if its language is another one, or if only one block is marked as JSON.
    code.retain(|&(block, is_code)| block != fences.content && (is_code || is_only));
    let code: Vec<Span> = code.into_iter().map(|(block, _)| block).collect();
    let mut blocks = [&code[..], &[fences.content]].concat();
    blocks.sort_unstable();
    blocks.push(Span::point(text.len()));
    (rank > 0).then(|| Fences {
        count,
        has_more_values: marked > usize::from(rank >= 3)
            || blocks.into_iter().any(&mut has_values_before),
        code,
        ..fences
    })
}

/// The number of bytes inspected before a fence on its line.
const INDENT: usize = 64;

/// The next line that starts with a fence; its end is that of the line.
fn next_fence(text: &[u8], from: usize) -> Option<Span> {
    let mut at = from;
    loop {
        at += memchr::memmem::find(&text[at..], b"```")?;
        // A line may have many: searching for its start each time would be quadratic.
        let near = &text[at.saturating_sub(INDENT)..at];
        let line = memchr::memrchr2(b'\n', b'\r', near).map_or(0, |i| i + 1);
        let indent = &near[line..];
        if indent
            .iter()
            .all(|byte| matches!(byte, b' ' | b'\t' | b'>'))
        {
            return Some(Span::new(at, line_end(text, at)));
        }
        at += 3;
    }
}

/// The content of the block that a fence opens, and where the search for the next one continues.
fn block(text: &[u8], fence: Span) -> (Span, usize) {
    let ticks = text[fence.start..fence.end]
        .iter()
        .take_while(|&&byte| byte == b'`');
    let info = &text[fence.start + ticks.count()..fence.end];
    let word = info.iter().take_while(|byte| byte.is_ascii_alphanumeric());
    let word = word.count();
    let rest = info[word..].trim_ascii_start();
    // "```json {}```": all of it on one line.
    if matches!(rest.first(), Some(b'{' | b'[')) {
        let start = fence.end - rest.len();
        let close = memchr::memmem::find(&text[start..], b"```").map(|i| start + i);
        let end = close.unwrap_or(text.len());
        return (Span::new(start, end), line_end(text, end));
    }
    let start = (fence.end + 1).min(text.len());
    let mut closing = next_fence(text, start);
    // In `"code": "```…```",`, a string goes on: only the name of a language follows a fence.
    while let Some(fence) = closing
        && let info = text[fence.start..fence.end].trim_ascii_end()
        && !info
            .iter()
            .all(|byte| *byte == b'`' || byte.is_ascii_alphanumeric())
    {
        closing = next_fence(text, fence.end);
    }
    match closing {
        Some(close) => (Span::new(start, close.start), close.end),
        None => {
            // The closing fence may follow the data on its line.
            let body = text[start..].trim_ascii_end();
            let body = body.strip_suffix(b"```").unwrap_or(body);
            (Span::new(start, start + body.len()), text.len())
        }
    }
}

fn line_end(text: &[u8], at: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &text[at..]).map_or(text.len(), |i| at + i)
}

/// The escape sequences of colored terminal output: `ESC [ … letter` and `ESC ] … BEL`.
pub(crate) fn escape_sequences(text: &[u8]) -> impl Iterator<Item = Span> {
    let mut done = 0;
    memchr::memchr_iter(0x1B, text).filter_map(move |at| {
        if at < done {
            return None;
        }
        let rest = &text[at + 1..];
        let length = match rest.first() {
            Some(b'[') => {
                let parameters = rest[1..].iter();
                2 + parameters
                    .take_while(|byte| (0x20..0x40).contains(*byte))
                    .count()
            }
            Some(b']') => memchr::memchr2(0x07, b'\n', rest).unwrap_or(rest.len()),
            _ => 1,
        };
        done = (at + 1 + length).min(text.len());
        Some(Span::new(at, done))
    })
}

/// Whether an escape sequence is outside tokens within `head`.
pub(super) fn is_colored(head: &[u8]) -> bool {
    memchr::memmem::find_iter(head, b"\x1B[").any(|at| {
        let before = head[..at].trim_ascii_end().last();
        matches!(before, None | Some(b'{' | b'[' | b':' | b','))
    })
}

/// The lines of a diff, each with the byte that marks it: `+`, `-`, a space, or `@` for a header. `None` if `text` is
/// not a diff.
pub(crate) fn diff_lines(text: &[u8]) -> Option<Vec<(u8, Span)>> {
    let mut lines = Vec::new();
    let (mut at, mut added, mut headers) = (0, 0, 0);
    // Lines before the first `@@` are headers, if there is one.
    let mut is_header = memchr::memmem::find(text, b"\n@@ ").is_some() || text.starts_with(b"@@ ");
    while at < text.len() {
        let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |i| at + i + 1);
        let line = &text[at..end];
        let header = is_header
            || line.starts_with(b"@@ ")
            || line.starts_with(b"\\ No newline")
            || line.starts_with(b"diff --git ");
        if line.starts_with(b"@@ ") {
            is_header = false;
        } else if line.starts_with(b"diff --git ") {
            is_header = true;
        }
        let mark = match line[0] {
            _ if header => b'@',
            mark @ (b'+' | b'-' | b' ') => mark,
            b'\n' | b'\r' => b' ',
            _ => return None,
        };
        added += usize::from(mark == b'+');
        headers += usize::from(mark == b'@');
        lines.push((mark, Span::new(at, end)));
        at = end;
    }
    // Lines with `-` alone are a list.
    (headers > 0 || added > 0 && lines.len() > 1).then_some(lines)
}

/// Whether a text starts like a diff.
pub(super) fn starts_like_diff(head: &[u8]) -> bool {
    let hunk = |head: &[u8]| head.starts_with(b"@@ -");
    hunk(head)
        || head.starts_with(b"diff --git ")
        || head.starts_with(b"--- ") && memchr::memmem::find(head, b"\n+++ ").is_some()
        || matches!(
            head,
            [
                b'+' | b'-',
                b'{' | b'[' | b' ' | b'\t' | b'}' | b']' | b'"',
                ..
            ]
        )
}

/// The entities of HTML that escape the characters of JSON.
const ENTITIES: [(&str, &str); 8] = [
    ("&quot;", "\""),
    ("&#34;", "\""),
    ("&#x22;", "\""),
    ("&#39;", "'"),
    ("&apos;", "'"),
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&amp;", "&"),
];

/// Whether a text begins with brackets and a quote that is escaped for HTML: `{&quot;a&quot;: 1}`.
pub(super) fn is_html(text: &[u8]) -> bool {
    let start = text.trim_ascii_start();
    let is_blank = |byte: &&u8| b"[{ \t\r\n".contains(byte);
    let inside = &start[start.iter().take_while(is_blank).count()..];
    let mut quotes = ENTITIES.iter().filter(|(_, meant)| *meant == "\"");
    matches!(start.first(), Some(b'{' | b'['))
        && quotes.any(|(entity, _)| inside.starts_with(entity.as_bytes()))
}

/// A text without the escapes of HTML.
pub(crate) fn without_entities(text: &[u8]) -> Option<String> {
    let mut rest = std::str::from_utf8(text).ok()?;
    let mut out = String::with_capacity(rest.len());
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let entity = &rest[before.len()..];
        let known = ENTITIES.iter().find(|(name, _)| entity.starts_with(name));
        let (name, meant) = known.copied().unwrap_or(("&", "&"));
        out.push_str(meant);
        rest = &after[name.len() - 1..];
    }
    out.push_str(rest);
    Some(out)
}

/// Unescapes a text that was escaped as the content of a string without quotes: `{\"a\": 1}`.
pub(crate) fn unescaped(text: &[u8]) -> Option<String> {
    if !is_escaped(text) {
        return None;
    }
    let text = std::str::from_utf8(text).ok()?.trim();
    let mut out = String::with_capacity(text.len());
    let mut chars = text
        .strip_suffix('"')
        .filter(|rest| !rest.ends_with('\\'))
        .unwrap_or(text)
        .chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some('r') => out.push('\r'),
                Some('t') => out.push('\t'),
                Some(c @ ('"' | '\\' | '/' | '\'')) => out.push(c),
                Some(c) => out.extend(['\\', c]),
                None => {}
            },
            c => out.push(c),
        }
    }
    Some(out)
}

/// Whether a text starts with brackets and an escaped quote, and has no other quotes nearby.
pub(super) fn is_escaped(text: &[u8]) -> bool {
    let start = text.trim_ascii_start();
    let Some(quote) = memchr::memchr(b'"', &start[..start.len().min(256)]) else {
        return false;
    };
    let Some(before) = start[..quote].strip_suffix(b"\\") else {
        return false;
    };
    // `\n` and `\t` may be between the brackets.
    let mut rest = before;
    let mut brackets = 0;
    while let Some((&byte, after)) = rest.split_first() {
        rest = match (byte, after.first()) {
            (b'{' | b'[', _) => {
                brackets += 1;
                after
            }
            (b' ', _) => after,
            (b'\\', Some(b'n' | b't' | b'r')) => &after[1..],
            _ => return false,
        };
    }
    brackets > 0
}

const GUARDS: [&str; 5] = [")]}'", "while(1);", "while (1);", "for(;;);", "for (;;);"];

/// The length of the guard at the start of an answer: `)]}'` and the like.
pub(crate) fn guard_prefix(text: &[u8]) -> Option<usize> {
    let guard = GUARDS
        .iter()
        .find(|guard| text.starts_with(guard.as_bytes()))?;
    Some(guard.len())
}
