//! The white space of new text, copied from its surroundings.
//!
//! ```text
//! {                         first child     lead "\n  "
//!   "a": 1,                 separator       before the comma "", after it "\n  "
//!   "b": [1, 2]             colon           before "", after " "
//! }                         layout of [1,2] on one line, "," and " "
//! ```

use std::ops::Range;
use std::sync::Arc;

use super::text::{
    LINES, Text, around_colon, back_over_white, follows, has_line_feed, indentation, member_start,
    member_value, skip_white, value_end, value_start,
};

/// The number of bytes of a sibling to read for its layout.
const NEAR: usize = 1 << 12;

/// The number of bytes to search for the start of a last child. To search 300 MB takes a second, all else a third of that.
const FAR: usize = 1 << 16;

/// The number of siblings on each side to read.
const SIBLINGS: usize = 4;

/// The white space of a new child, and the layout of its value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ChildStyle {
    /// White space before and after the comma between the child and a sibling; for a first child, before it and before
    /// the closing bracket.
    pub(super) before: Vec<u8>,
    pub(super) after: Vec<u8>,
    /// White space before and after the colon.
    pub(super) colon: (Vec<u8>, Vec<u8>),
    /// Only set for composite values.
    pub(super) layout: Arc<Layout>,
}

/// The layout of the tokens of a composite value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Layout {
    /// Set if each child has its own line: the line end, the indentation of the line of the value, and that of each
    /// level.
    pub(super) lines: Option<Lines>,
    /// White space around the colon.
    pub(super) colon: (Vec<u8>, Vec<u8>),
    /// White space after a comma on one line.
    pub(super) comma: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lines {
    pub(super) end: Vec<u8>,
    pub(super) base: Vec<u8>,
    pub(super) unit: Vec<u8>,
}

/// The style of a new child of the container at `container`, next to the child that begins at `near`, which is the last
/// one if the new child goes to the end. `near` is `None` for an empty container.
pub(super) fn of_child<T: Text + ?Sized>(
    text: &T,
    container: Range<usize>,
    near: Option<usize>,
    is_composite: bool,
) -> ChildStyle {
    let keyed = text.byte(container.start) == b'{';
    match near {
        Some(near) => of_sibling(text, &container, near, keyed, is_composite),
        None => of_first(text, &container),
    }
}

/// The style of a new element before the one that begins at `near`.
pub(super) fn of_element<T: Text + ?Sized>(
    text: &T,
    near: usize,
    is_composite: bool,
) -> ChildStyle {
    let lead = back_over_white(text, near);
    let is_first = follows(text, lead, b'[');
    let start = if is_first { lead - 1 } else { near };
    // For an only element, the end of its array is near.
    let end = value_end(text, near, usize::MAX).filter(|_| is_first);
    let end = end.map(|end| skip_white(text, end));
    let close = end.filter(|&end| end < text.length() && text.byte(end) == b']');
    let end = close.map_or(text.length(), |close| close + 1);
    of_sibling(text, &(start..end), near, false, is_composite)
}

/// The start of the child with the style for an appended one: the last child, or the first if the last is longer than `FAR`.
/// `None` if the container is empty.
pub(super) fn sibling_of_appended<T: Text + ?Sized>(
    text: &T,
    container: &Range<usize>,
) -> Option<usize> {
    let end = back_over_white(text, container.end - 1);
    (end > container.start + 1).then(|| match value_start(text, end, FAR) {
        Some(value) => member_start(text, value),
        None => skip_white(text, container.start + 1),
    })
}

/// The layout of a value that replaces the one at `old`.
pub(super) fn of_value<T: Text + ?Sized>(text: &T, old: Range<usize>) -> Layout {
    let start = member_start(text, old.start);
    let keyed = start != old.start;
    let colon = match keyed {
        true => colon_of(text, start),
        false => nearby_colon(text, old.start),
    };
    let lead = back_over_white(text, start)..start;
    let on_lines = match is_spread(text, &old) {
        Some(spread) => spread,
        None if is_root(text, &lead) => has_lines(text),
        None => siblings_are_spread(text, start, keyed)
            .unwrap_or_else(|| has_line_feed(text, lead.clone())),
    };
    Layout {
        lines: on_lines.then(|| lines(text, start)),
        comma: one_space(&colon.1),
        colon,
    }
}

fn is_root<T: Text + ?Sized>(text: &T, lead: &Range<usize>) -> bool {
    !matches!(
        lead.start.checked_sub(1).map(|at| text.byte(at)),
        Some(b'[' | b'{' | b',')
    )
}

/// Whether the value of the text has several lines. White space around it is ignored.
fn has_lines<T: Text + ?Sized>(text: &T) -> bool {
    let end = back_over_white(text, text.length());
    has_line_feed(text, skip_white(text, 0)..end)
}

fn of_sibling<T: Text + ?Sized>(
    text: &T,
    container: &Range<usize>,
    near: usize,
    keyed: bool,
    is_composite: bool,
) -> ChildStyle {
    let colon = match keyed {
        true => colon_of(text, near),
        false if is_composite => nearby_colon(text, container.start),
        false => Default::default(),
    };
    let lead = back_over_white(text, near)..near;
    let is_first = lead.start == container.start + 1;
    // The white space on both sides of the nearest comma.
    let comma = match is_first {
        false => Some((
            back_over_white(text, lead.start - 1)..lead.start - 1,
            lead.clone(),
        )),
        true => {
            let end = value_end(text, member_value(text, near, keyed), usize::MAX);
            let end = end.unwrap_or(container.end - 1);
            let comma = skip_white(text, end);
            let next = skip_white(text, comma + 1);
            (text.byte(comma) == b',').then_some((end..comma, comma + 1..next))
        }
    };
    let (before, after) = match comma {
        Some((before, after)) => (one_break(text, before), one_break(text, after)),
        None if has_line_feed(text, lead.clone()) => (Vec::new(), one_break(text, lead.clone())),
        None if keyed => (Vec::new(), one_space(&colon.1)),
        None => (Vec::new(), nearby_comma(text, container)),
    };
    if !is_composite {
        let layout = Arc::default();
        return ChildStyle {
            before,
            after,
            colon,
            layout,
        };
    }
    let own_line = has_line_feed(text, lead.clone()) || after.contains(&b'\n');
    let on_lines = siblings_are_spread(text, near, keyed).unwrap_or(own_line);
    let comma = match after.contains(&b'\n') || before.contains(&b'\n') {
        true => one_space(&colon.1),
        false => after.clone(),
    };
    let layout = Layout {
        lines: on_lines.then(|| {
            let found = lines(text, near);
            // A sibling that shares a line has the indentation of that line.
            let base = after.iter().rposition(|byte| *byte == b'\n');
            Lines {
                base: base.map_or(found.base, |at| after[at + 1..].to_vec()),
                ..found
            }
        }),
        comma,
        colon: colon.clone(),
    };
    ChildStyle {
        before,
        after,
        colon,
        layout: Arc::new(layout),
    }
}

/// The style of the first child of an empty container: on its own line if the text has several lines. `before` and
/// `after` are the white space on both sides of it.
fn of_first<T: Text + ?Sized>(text: &T, container: &Range<usize>) -> ChildStyle {
    let colon = nearby_colon(text, container.start);
    let comma = nearby_comma(text, container);
    if !has_lines(text) {
        return ChildStyle {
            before: Vec::new(),
            after: Vec::new(),
            colon: colon.clone(),
            layout: Arc::new(Layout {
                lines: None,
                colon,
                comma,
            }),
        };
    }
    let around = lines(text, container.start);
    let outer = [&around.end[..], &around.base].concat();
    let inner = [&outer[..], &around.unit].concat();
    let base = [&around.base[..], &around.unit].concat();
    ChildStyle {
        before: inner,
        after: outer,
        colon: colon.clone(),
        layout: Arc::new(Layout {
            lines: Some(Lines { base, ..around }),
            colon,
            comma,
        }),
    }
}

/// White space with at most one line break, and the indentation after it.
fn one_break<T: Text + ?Sized>(text: &T, span: Range<usize>) -> Vec<u8> {
    let bytes = text.copy(span);
    match bytes.iter().rposition(|byte| *byte == b'\n') {
        Some(at) if at > 0 && bytes[at - 1] == b'\r' => bytes[at - 1..].to_vec(),
        Some(at) => bytes[at..].to_vec(),
        None => bytes,
    }
}

/// At most one space: alignment is not copied.
fn one_space(bytes: &[u8]) -> Vec<u8> {
    match bytes {
        [] => Vec::new(),
        [one] if *one != b'\n' => vec![*one],
        _ => b" ".to_vec(),
    }
}

/// The white space around the colon of a member that begins at `start`.
fn colon_of<T: Text + ?Sized>(text: &T, start: usize) -> (Vec<u8>, Vec<u8>) {
    let (before, after) = around_colon(text, start);
    // `"key"   : 1` is aligned, `"key" : 1` is a style.
    (one_space(&text.copy(before)), one_space(&text.copy(after)))
}

/// The white space around the colon that is nearest to a value without one, looking backwards first.
fn nearby_colon<T: Text + ?Sized>(text: &T, at: usize) -> (Vec<u8>, Vec<u8>) {
    let own = member_start(text, at);
    if own != at {
        return colon_of(text, own);
    }
    let colon = |colon: usize| {
        let before = back_over_white(text, colon)..colon;
        let after = colon + 1..skip_white(text, colon + 1);
        (one_space(&text.copy(before)), one_space(&text.copy(after)))
    };
    // Has a quote before it and the start of a value after it. A match inside a string is possible and harmless.
    let is_colon = |at: usize| {
        let key = back_over_white(text, at);
        text.byte(at) == b':' && follows(text, key, b'"') && !follows(text, key - 1, b'\\')
    };
    let back = (at.saturating_sub(NEAR)..at).rev().find(|&at| is_colon(at));
    let near = back.or_else(|| (at..text.length().min(at + NEAR)).find(|&at| is_colon(at)));
    near.map_or_else(|| (Vec::new(), b" ".to_vec()), colon)
}

/// The white space after a comma on one line, for a container without one.
fn nearby_comma<T: Text + ?Sized>(text: &T, container: &Range<usize>) -> Vec<u8> {
    let lead = back_over_white(text, container.start)..container.start;
    let next = skip_white(text, container.end);
    let after = next + 1..skip_white(text, (next + 1).min(text.length()));
    let plain = |span: Range<usize>| Some(text.copy(span)).filter(|space| !space.contains(&b'\n'));
    let copied = match () {
        () if follows(text, lead.start, b',') || follows(text, lead.start, b':') => plain(lead),
        () if next < text.length() && text.byte(next) == b',' => plain(after),
        () => None,
    };
    copied.map_or_else(
        || one_space(&nearby_colon(text, container.start).1),
        |space| one_space(&space),
    )
}

/// Whether a composite value has its first child on its own line; `None` for a scalar or an empty container.
fn is_spread<T: Text + ?Sized>(text: &T, value: &Range<usize>) -> Option<bool> {
    if !matches!(text.byte(value.start), b'{' | b'[') {
        return None;
    }
    let first = skip_white(text, value.start + 1);
    (first < value.end - 1).then(|| has_line_feed(text, value.start + 1..first))
}

/// Whether the nearest composite sibling has one child per line: tries the child at `near`, those before it, then those
/// after it.
fn siblings_are_spread<T: Text + ?Sized>(text: &T, near: usize, keyed: bool) -> Option<bool> {
    let spread = |start: usize| is_spread_at(text, member_value(text, start, keyed));
    spread(near)
        .or_else(|| {
            let mut start = near;
            (0..SIBLINGS).find_map(|_| {
                let comma = back_over_white(text, start);
                if !follows(text, comma, b',') {
                    return None;
                }
                let end = back_over_white(text, comma - 1);
                let value = value_start(text, end, NEAR)?;
                start = member_start(text, value);
                spread(start)
            })
        })
        .or_else(|| {
            let mut start = near;
            (0..SIBLINGS).find_map(|_| {
                let end = value_end(text, member_value(text, start, keyed), NEAR)?;
                let comma = skip_white(text, end);
                if comma >= text.length() || text.byte(comma) != b',' {
                    return None;
                }
                start = skip_white(text, comma + 1);
                spread(start)
            })
        })
}

/// As `is_spread`, for the value that begins at `start`.
fn is_spread_at<T: Text + ?Sized>(text: &T, start: usize) -> Option<bool> {
    if !matches!(text.byte(start), b'{' | b'[') {
        return None;
    }
    let first = skip_white(text, start + 1);
    (!matches!(text.byte(first), b'}' | b']')).then(|| has_line_feed(text, start + 1..first))
}

/// The line end, the indentation of the line of `at`, and the unit of indentation: the difference to the nearest line
/// before it with less, or else to the next line with more; two spaces if there is neither.
fn lines<T: Text + ?Sized>(text: &T, at: usize) -> Lines {
    let base = indentation(text, at);
    let own = text.copy(base.clone());
    let outer = match own[..] {
        [] => None,
        _ => text.outer_line(base.start, own.len()),
    };
    let unit = outer.and_then(|line| own.strip_prefix(&text.copy(line)[..]).map(<[u8]>::to_vec));
    let unit = unit.or_else(|| next_unit(text, at, &own));
    Lines {
        end: line_end(text, at),
        unit: unit.unwrap_or_else(|| b"  ".to_vec()),
        base: own,
    }
}

/// The additional indentation of the next line with more than `own`.
fn next_unit<T: Text + ?Sized>(text: &T, at: usize, own: &[u8]) -> Option<Vec<u8>> {
    let near = at.saturating_sub(NEAR)..text.length().min(at + LINES);
    near.filter(|&at| text.byte(at) == b'\n').find_map(|feed| {
        let mut end = feed + 1;
        while end < text.length() && matches!(text.byte(end), b' ' | b'\t') {
            end += 1;
        }
        let line = text.copy(feed + 1..end);
        let more = line.strip_prefix(own)?;
        let is_text = end < text.length() && !matches!(text.byte(end), b'\r' | b'\n');
        (!more.is_empty() && is_text).then(|| more.to_vec())
    })
}

/// The line end nearest before `at`, or else after it.
fn line_end<T: Text + ?Sized>(text: &T, at: usize) -> Vec<u8> {
    let before = (0..at).rev().find(|&at| text.byte(at) == b'\n');
    let feed = before.or_else(|| (at..text.length()).find(|&at| text.byte(at) == b'\n'));
    match feed {
        Some(feed) if follows(text, feed, b'\r') => b"\r\n".to_vec(),
        _ => b"\n".to_vec(),
    }
}

impl Layout {
    /// Writes a verified value in this layout: keeps its tokens and replaces the white space between them. A scalar is
    /// unchanged.
    pub(super) fn write(&self, value: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(value.len());
        let (mut at, mut depth) = (0, 0_usize);
        let separate = |out: &mut Vec<u8>, depth: usize, on_line: &[u8]| match &self.lines {
            None => out.extend_from_slice(on_line),
            Some(lines) => {
                out.extend_from_slice(&lines.end);
                out.extend_from_slice(&lines.base);
                (0..depth).for_each(|_| out.extend_from_slice(&lines.unit));
            }
        };
        while at < value.len() {
            match value[at] {
                b' ' | b'\t' | b'\n' | b'\r' => at += 1,
                byte @ (b'{' | b'[') => {
                    out.push(byte);
                    let next = skip_white(value, at + 1);
                    if matches!(value.get(next), Some(b'}' | b']')) {
                        out.push(value[next]);
                        at = next + 1;
                        continue;
                    }
                    depth += 1;
                    separate(&mut out, depth, b"");
                    at = next;
                }
                byte @ (b'}' | b']') => {
                    depth = depth.saturating_sub(1);
                    separate(&mut out, depth, b"");
                    out.push(byte);
                    at += 1;
                }
                b',' => {
                    out.push(b',');
                    separate(&mut out, depth, &self.comma);
                    at += 1;
                }
                b':' => {
                    out.extend_from_slice(&self.colon.0);
                    out.push(b':');
                    out.extend_from_slice(&self.colon.1);
                    at += 1;
                }
                _ => {
                    let end = value_end(value, at, usize::MAX).unwrap_or(value.len());
                    out.extend_from_slice(&value[at..end]);
                    at = end;
                }
            }
        }
        out
    }
}

/// A value from another position, with its lines indented for the new one; on one line if the layout has no lines.
pub(super) fn indented(text: &[u8], layout: &Layout) -> Vec<u8> {
    let Some(feed) = text.iter().rposition(|byte| *byte == b'\n') else {
        return text.to_vec();
    };
    let Some(lines) = &layout.lines else {
        return layout.write(text);
    };
    // The last line has the closing bracket, and the same indentation as the first line of the value.
    let last = &text[feed + 1..text.len() - 1];
    let old = match last.iter().all(|byte| matches!(byte, b' ' | b'\t')) {
        true => last,
        false => &[],
    };
    reindent(text, old, lines)
}

/// Reindents the lines of a text: replaces `old` by `lines.base`, and the line ends.
fn reindent(text: &[u8], old: &[u8], lines: &Lines) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for (number, line) in text.split(|byte| *byte == b'\n').enumerate() {
        let mut line = line;
        if number > 0 {
            out.extend_from_slice(&lines.end);
            if let Some(rest) = line.strip_prefix(old) {
                out.extend_from_slice(&lines.base);
                line = rest;
            }
        }
        out.extend_from_slice(line.strip_suffix(b"\r").unwrap_or(line));
    }
    out
}
