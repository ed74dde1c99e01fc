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

use super::shape::{Forms, NEAR, Shape, is_on_lines, is_spread};
use super::text::{
    LINES, Text, around_colon, follows, has_line_feed, indentation, member_start, member_value,
    skip_white, skip_white_back, value_end, value_start,
};

/// The number of bytes to search for the start of a last child, and to copy of white space. Searching 300 MB takes a second,
/// everything else a third of that.
const FAR: usize = 1 << 16;

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
    /// The layouts of the containers inside.
    pub(super) forms: Forms,
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
    value: &[u8],
) -> ChildStyle {
    let keyed = text.byte(container.start) == b'{';
    match near {
        Some(near) => of_sibling(text, &container, near, keyed, value),
        None => of_first(text, &container, keyed, value),
    }
}

/// The style of a new element or member before the one that begins at `near`.
pub(super) fn of_inserted<T: Text + ?Sized>(
    text: &T,
    near: usize,
    keyed: bool,
    value: &[u8],
) -> ChildStyle {
    let lead = skip_white_back(text, near);
    let is_first = follows(text, lead, b'[') || follows(text, lead, b'{');
    let start = if is_first { lead - 1 } else { near };
    // For an only child, the end of its container is near.
    let only = member_value(text, near, keyed);
    let end = value_end(text, only, usize::MAX).filter(|_| is_first);
    let end = end.map(|end| skip_white(text, end));
    let is_close = |end: usize| end < text.length() && matches!(text.byte(end), b']' | b'}');
    let close = end.filter(|&end| is_close(end));
    let end = close.map_or(text.length(), |close| close + 1);
    of_sibling(text, &(start..end), near, keyed, value)
}

/// The start of the child with the style for an appended one: the last child, or the first if the last is longer than `FAR`.
/// `None` if the container is empty.
pub(super) fn sibling_of_appended<T: Text + ?Sized>(
    text: &T,
    container: &Range<usize>,
) -> Option<usize> {
    let end = skip_white_back(text, container.end - 1);
    (end > container.start + 1).then(|| match value_start(text, end, FAR) {
        Some(value) => member_start(text, value),
        None => skip_white(text, container.start + 1),
    })
}

/// The layout of a value that replaces the one at `old`.
pub(super) fn of_value<T: Text + ?Sized>(text: &T, old: Range<usize>, value: &[u8]) -> Layout {
    let start = member_start(text, old.start);
    let keyed = start != old.start;
    let colon = if keyed {
        colon_of(text, start)
    } else {
        nearby_colon(text, old.start)
    };
    let lead = skip_white_back(text, start)..start;
    let forms = Forms::near(text, old.end, value);
    let on_lines = match is_spread(text, old.start) {
        Some(spread) => spread,
        None if is_root(text, &lead) => has_lines(text),
        None => {
            let begins_line = has_line_feed(text, lead.clone());
            is_on_lines(
                text,
                (start, keyed),
                Shape::at(value, 0),
                &forms,
                begins_line,
            )
        }
    };
    Layout {
        lines: on_lines.then(|| lines(text, start)),
        comma: one_space(&colon.1),
        colon,
        forms,
    }
}

fn is_root<T: Text + ?Sized>(text: &T, lead: &Range<usize>) -> bool {
    !matches!(
        lead.start.checked_sub(1).map(|at| text.byte(at)),
        Some(b'[' | b'{' | b',')
    )
}

/// Whether the value of the text has several lines near its start. White space around it is ignored.
fn has_lines<T: Text + ?Sized>(text: &T) -> bool {
    let start = skip_white(text, 0);
    let end = skip_white_back(text, text.length());
    has_line_feed(text, start..end.min(start + LINES))
}

fn of_sibling<T: Text + ?Sized>(
    text: &T,
    container: &Range<usize>,
    near: usize,
    keyed: bool,
    value: &[u8],
) -> ChildStyle {
    let is_composite = matches!(value.first(), Some(b'{' | b'['));
    let colon = match keyed {
        true => colon_of(text, near),
        false if is_composite => nearby_colon(text, container.start),
        false => Default::default(),
    };
    let lead = skip_white_back(text, near)..near;
    let is_first = lead.start == container.start + 1;
    // The white space on both sides of the nearest comma.
    let comma = if !is_first {
        Some((
            skip_white_back(text, lead.start - 1)..lead.start - 1,
            lead.clone(),
        ))
    } else {
        let end = value_end(text, member_value(text, near, keyed), usize::MAX);
        let end = end.unwrap_or(container.end - 1);
        let comma = skip_white(text, end);
        let next = skip_white(text, comma + 1);
        (text.byte(comma) == b',').then_some((end..comma, comma + 1..next))
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
    // Callers do not all know the end of the container.
    let end = value_end(text, member_value(text, near, keyed), NEAR);
    let forms = Forms::near(text, end.unwrap_or(near + NEAR), value);
    let on_lines = is_on_lines(text, (near, keyed), Shape::at(value, 0), &forms, own_line);
    let comma = if after.contains(&b'\n') || before.contains(&b'\n') {
        one_space(&colon.1)
    } else {
        after.clone()
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
        forms,
    };
    ChildStyle {
        before,
        after,
        colon,
        layout: Arc::new(layout),
    }
}

/// The style of the first child of an empty container: on its own line if the text has several lines, and the nearest container
/// with such a child. `before` and `after` are the white space on both sides of it.
fn of_first<T: Text + ?Sized>(
    text: &T,
    container: &Range<usize>,
    keyed: bool,
    value: &[u8],
) -> ChildStyle {
    let colon = nearby_colon(text, container.start);
    let comma = nearby_comma(text, container);
    let shape = Shape::around(value, keyed);
    let nearest = Forms::new(text, container.start, &mut vec![shape]);
    let forms = Forms::near(text, container.start, value);
    let (before, after, lines) = match nearest.get(shape) {
        form if !has_lines(text) || form.is_spread == Some(false) => {
            (form.pad.clone(), form.pad.clone(), None)
        }
        _ => {
            let around = lines(text, container.start);
            let outer = [&around.end[..], &around.base].concat();
            let inner = [&outer[..], &around.unit].concat();
            let base = [&around.base[..], &around.unit].concat();
            let on_lines = Shape::at(value, 0).and_then(|shape| forms.get(shape).is_spread);
            let lines = on_lines.unwrap_or(true).then_some(Lines { base, ..around });
            (inner, outer, lines)
        }
    };
    let layout = Layout {
        lines,
        comma,
        colon: colon.clone(),
        forms,
    };
    ChildStyle {
        before,
        after,
        colon,
        layout: Arc::new(layout),
    }
}

/// White space, or the end of it.
fn white<T: Text + ?Sized>(text: &T, span: Range<usize>) -> Vec<u8> {
    text.copy(span.start.max(span.end.saturating_sub(FAR))..span.end)
}

/// White space with at most one line break, and the indentation after it.
fn one_break<T: Text + ?Sized>(text: &T, span: Range<usize>) -> Vec<u8> {
    let is_far = span.len() > FAR;
    let bytes = white(text, span);
    match bytes.iter().rposition(|byte| *byte == b'\n') {
        Some(at) if at > 0 && bytes[at - 1] == b'\r' => bytes[at - 1..].to_vec(),
        Some(at) => bytes[at..].to_vec(),
        None if is_far => b" ".to_vec(),
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
    (
        one_space(&white(text, before)),
        one_space(&white(text, after)),
    )
}

/// The white space around the colon that is nearest to a value without one, looking backwards first.
fn nearby_colon<T: Text + ?Sized>(text: &T, at: usize) -> (Vec<u8>, Vec<u8>) {
    let own = member_start(text, at);
    if own != at {
        return colon_of(text, own);
    }
    let colon = |colon: usize| {
        let before = skip_white_back(text, colon)..colon;
        let after = colon + 1..skip_white(text, colon + 1);
        (
            one_space(&white(text, before)),
            one_space(&white(text, after)),
        )
    };
    // Has a quote before it and the start of a value after it. A match inside a string is possible and harmless.
    let is_colon = |at: usize| {
        let key = skip_white_back(text, at);
        text.byte(at) == b':' && follows(text, key, b'"') && !follows(text, key - 1, b'\\')
    };
    let back = (at.saturating_sub(NEAR)..at).rev().find(|&at| is_colon(at));
    let near = back.or_else(|| (at..text.length().min(at + NEAR)).find(|&at| is_colon(at)));
    near.map_or_else(|| (Vec::new(), b" ".to_vec()), colon)
}

/// The white space after a comma on one line, for a container without one.
fn nearby_comma<T: Text + ?Sized>(text: &T, container: &Range<usize>) -> Vec<u8> {
    let lead = skip_white_back(text, container.start)..container.start;
    let next = skip_white(text, container.end);
    let after = next + 1..skip_white(text, (next + 1).min(text.length()));
    let plain =
        |span: Range<usize>| Some(white(text, span)).filter(|space| !space.contains(&b'\n'));
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

/// The number of bytes to search for a line with less indentation.
const OUTER: usize = 1 << 10;

/// The line end, the indentation of the line of `at`, and the unit of indentation: the difference to the nearest line
/// before it with less, or else to the next line with more; two spaces if there is neither.
fn lines<T: Text + ?Sized>(text: &T, at: usize) -> Lines {
    let base = text.indentation(at);
    let own = white(text, base.clone());
    let outer = match own[..] {
        [] => None,
        _ => outer_unit(text, base.start, &own),
    };
    let unit = outer.or_else(|| next_unit(text, at, &own));
    Lines {
        end: line_end(text, at),
        unit: unit.unwrap_or_else(|| b"  ".to_vec()),
        base: own,
    }
}

/// The difference of `own`, the indentation of the line at `start`, to the nearest line before it with less. If there is none
/// nearby, as in a long array, the indentation of the first indented line of the text.
fn outer_unit<T: Text + ?Sized>(text: &T, start: usize, own: &[u8]) -> Option<Vec<u8>> {
    let mut at = start;
    while at > 0 {
        if start - at > OUTER {
            return deeper_lines(text, 0..text.length().min(LINES), &[]).next();
        }
        let line = indentation(text, at - 1);
        let is_blank = line.end == at - 1 || text.byte(line.end) == b'\r';
        if !is_blank && line.len() < own.len() {
            return own.strip_prefix(&text.copy(line)[..]).map(<[u8]>::to_vec);
        }
        at = line.start;
    }
    None
}

/// The least additional indentation of the lines nearby with more than `own`, or that of the next one.
fn next_unit<T: Text + ?Sized>(text: &T, at: usize, own: &[u8]) -> Option<Vec<u8>> {
    let end = |length: usize| text.length().min(at + length);
    let near = deeper_lines(text, at.saturating_sub(NEAR)..end(NEAR), own);
    let least = near.min_by_key(Vec::len);
    least.or_else(|| deeper_lines(text, end(NEAR)..end(LINES), own).next())
}

/// The additional indentation of the lines after the line feeds of a span that have more than `own`.
fn deeper_lines<T: Text + ?Sized>(
    text: &T,
    span: Range<usize>,
    own: &[u8],
) -> impl Iterator<Item = Vec<u8>> {
    let feeds = span.filter(|&at| text.byte(at) == b'\n');
    feeds.filter_map(|feed| {
        let end = indentation_end(text, feed + 1);
        let line = white(text, feed + 1..end);
        let more = line.strip_prefix(own)?;
        let is_text = end < text.length() && !matches!(text.byte(end), b'\r' | b'\n');
        (!more.is_empty() && is_text).then(|| more.to_vec())
    })
}

fn indentation_end<T: Text + ?Sized>(text: &T, mut at: usize) -> usize {
    while at < text.length() && matches!(text.byte(at), b' ' | b'\t') {
        at += 1;
    }
    at
}

/// The line end nearest before `at`, or else after it.
fn line_end<T: Text + ?Sized>(text: &T, at: usize) -> Vec<u8> {
    let (start, end) = (at.saturating_sub(LINES), text.length().min(at + LINES));
    let mut near = (start..at).rev().chain(at..end);
    let feed = near.find(|&at| text.byte(at) == b'\n');
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
        let mut at = 0;
        // Of each open container, whether it has lines, and the white space inside its brackets if not.
        let mut open: Vec<(bool, &[u8])> = Vec::new();
        let line = |out: &mut Vec<u8>, depth: usize| {
            if let Some(lines) = &self.lines {
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
                    let Some(shape) = Shape::at(value, at) else {
                        at = skip_white(value, at + 1);
                        out.push(value[at]);
                        at += 1;
                        continue;
                    };
                    let form = self.forms.get(shape);
                    let on_lines = match open.last() {
                        None => self.lines.is_some(),
                        Some((around, _)) => *around && form.is_spread.unwrap_or(true),
                    };
                    open.push((on_lines, &form.pad));
                    if on_lines {
                        line(&mut out, open.len())
                    } else {
                        out.extend_from_slice(&form.pad)
                    }
                    at += 1;
                }
                byte @ (b'}' | b']') => {
                    match open.pop() {
                        Some((false, pad)) => out.extend_from_slice(pad),
                        _ => line(&mut out, open.len()),
                    }
                    out.push(byte);
                    at += 1;
                }
                b',' => {
                    out.push(b',');
                    match open.last() {
                        Some((true, _)) => line(&mut out, open.len()),
                        _ => out.extend_from_slice(&self.comma),
                    }
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
    let old = if last.iter().all(|byte| matches!(byte, b' ' | b'\t')) {
        last
    } else {
        &[]
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
