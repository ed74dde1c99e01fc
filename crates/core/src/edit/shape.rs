//! The layout of values of the same shape nearby, for new ones.

use super::text::{
    Text, comma_before, has_line_feed, member_start, member_value, next_child, skip_white,
    skip_white_back, value_end, value_start,
};

/// The number of bytes on each side to search for a value of a shape, and the longest sibling that is read.
pub(super) const NEAR: usize = 1 << 12;

/// The number of siblings on each side to read.
const SIBLINGS: usize = 4;

/// The contents of a container that is not empty: formatters lay these out alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Members,
    Scalars,
    Containers,
}

impl Shape {
    const ALL: [Shape; 3] = [Shape::Members, Shape::Scalars, Shape::Containers];

    /// The shape of the value that begins at `start`; `None` for a scalar and an empty container.
    pub(super) fn at<T: Text + ?Sized>(text: &T, start: usize) -> Option<Shape> {
        let open = text.byte(start);
        if !matches!(open, b'{' | b'[') {
            return None;
        }
        let first = skip_white(text, start + 1);
        match text.byte(Some(first).filter(|&first| first < text.length())?) {
            b'}' | b']' => None,
            b'"' if open == b'{' => Some(Shape::Members),
            _ if open == b'{' => None,
            b'{' | b'[' => Some(Shape::Containers),
            b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => Some(Shape::Scalars),
            _ => None,
        }
    }

    /// The shape of a container with this value in it.
    pub(super) fn around(value: &[u8], keyed: bool) -> Shape {
        match value.first() {
            _ if keyed => Shape::Members,
            Some(b'{' | b'[') => Shape::Containers,
            _ => Shape::Scalars,
        }
    }
}

/// Whether the container that begins at `start` has its first child on its own line; `None` for a scalar or an empty container.
pub(super) fn is_spread<T: Text + ?Sized>(text: &T, start: usize) -> Option<bool> {
    Shape::at(text, start)?;
    let first = skip_white(text, start + 1);
    Some(has_line_feed(text, start + 1..first))
}

/// Whether the nearest sibling of a shape, or of any, has one child per line: tries the child at `near`, those before it, then
/// those after it.
pub(super) fn siblings_are_spread<T: Text + ?Sized>(
    text: &T,
    near: usize,
    keyed: bool,
    shape: Option<Shape>,
) -> Option<bool> {
    let spread = |start: usize| {
        let value = member_value(text, start, keyed);
        let found = Shape::at(text, value)?;
        is_spread(text, value).filter(|_| shape.is_none_or(|shape| shape == found))
    };
    spread(near)
        .or_else(|| {
            let mut start = near;
            (0..SIBLINGS).find_map(|_| {
                let end = skip_white_back(text, comma_before(text, start)?);
                let value = value_start(text, end, NEAR)?;
                start = member_start(text, value);
                spread(start)
            })
        })
        .or_else(|| {
            let mut start = near;
            (0..SIBLINGS).find_map(|_| {
                let end = value_end(text, member_value(text, start, keyed), NEAR)?;
                start = next_child(text, end)?;
                spread(start)
            })
        })
}

/// The layout of the containers of a shape.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Form {
    /// Whether the nearest one has one child per line.
    pub(super) is_spread: Option<bool>,
    /// The white space inside the brackets of the nearest one on one line.
    pub(super) pad: Vec<u8>,
}

/// The layouts of the containers nearest to an offset, for each shape.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Forms([Form; 3]);

impl Forms {
    /// The layouts for the shapes in a value, those before `at` first.
    pub(super) fn near<T: Text + ?Sized>(text: &T, at: usize, value: &[u8]) -> Forms {
        let mut wanted: Vec<Shape> = Vec::new();
        let mut inside = (false, false);
        for (at, &byte) in value.iter().enumerate() {
            let (in_string, escaped) = inside;
            inside = match byte {
                b'"' if !escaped => (!in_string, false),
                b'\\' => (in_string, in_string && !escaped),
                _ => (in_string, false),
            };
            if !in_string
                && let Some(shape) = Shape::at(value, at)
                && !wanted.contains(&shape)
            {
                wanted.push(shape);
                if wanted.len() == Shape::ALL.len() {
                    break;
                }
            }
        }
        Forms::new(text, at, &mut wanted)
    }

    /// The layouts for these shapes.
    pub(super) fn new<T: Text + ?Sized>(text: &T, at: usize, wanted: &mut Vec<Shape>) -> Forms {
        let mut forms = Forms::default();
        let start = at.saturating_sub(NEAR);
        let end = text.length().min(at + NEAR);
        let near = text.copy(start..end);
        let offsets = (0..at - start).rev().chain(at - start..near.len());
        for at in offsets {
            if wanted.is_empty() {
                break;
            }
            if !matches!(near[at], b'{' | b'[') {
                continue;
            }
            // A match inside a string is possible and harmless.
            let before = skip_white_back(&near[..], at);
            let is_value = before == 0 || matches!(near[before - 1], b'[' | b',' | b':');
            let Some(shape) = Shape::at(&near[..], at).filter(|_| is_value) else {
                continue;
            };
            let form = &mut forms.0[shape as usize];
            let spread = is_spread(&near[..], at);
            form.is_spread = form.is_spread.or(spread);
            if spread == Some(false) {
                let pad = near[at + 1..skip_white(&near[..], at + 1)].len();
                form.pad = vec![b' '; pad.min(1)];
                wanted.retain(|wanted| *wanted != shape);
            }
        }
        forms
    }

    pub(super) fn get(&self, shape: Shape) -> &Form {
        &self.0[shape as usize]
    }
}

/// Whether a new value has one child per line, next to the child at `near`, which begins a line or not.
pub(super) fn is_on_lines<T: Text + ?Sized>(
    text: &T,
    (near, keyed): (usize, bool),
    shape: Option<Shape>,
    forms: &Forms,
    begins_line: bool,
) -> bool {
    let same = shape.and_then(|shape| siblings_are_spread(text, near, keyed, Some(shape)));
    let nearby = || {
        forms
            .get(shape?)
            .is_spread
            .map(|spread| spread && begins_line)
    };
    same.or_else(nearby)
        .or_else(|| siblings_are_spread(text, near, keyed, None))
        .unwrap_or(begins_line)
}
