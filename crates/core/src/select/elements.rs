//! Decides as early as possible whether an element of an array is selected.

use super::program::Element;
use crate::path::Slice;

impl Element {
    /// Whether the element at `index` is selected in an array of at least `least` elements; `None` if that depends on
    /// the length.
    pub(super) fn selects(&self, index: u64, least: u64) -> Option<bool> {
        let is_followed_by = |distance: i64| index.saturating_add(distance.unsigned_abs()) < least;
        match *self {
            Element::None => Some(false),
            Element::Any | Element::Filter(_) => Some(true),
            Element::Index(selected) => Some(index == selected),
            Element::Last(from_end) => (index.saturating_add(from_end) < least).then_some(false),
            Element::Slice(Slice { start, end, step }) => match (start.unwrap_or(0), end) {
                _ if step == Some(0) => Some(false),
                _ if step.is_some_and(|step| step < 0) => None,
                (start @ ..0, _) => is_followed_by(start).then_some(false),
                (start, end) => {
                    let start = start.unsigned_abs();
                    let step = step.unwrap_or(1).unsigned_abs();
                    if index < start || !(index - start).is_multiple_of(step) {
                        return Some(false);
                    }
                    match end {
                        None => Some(true),
                        Some(end @ 0..) => Some(index < end.unsigned_abs()),
                        Some(end) => is_followed_by(end).then_some(true),
                    }
                }
            },
        }
    }

    /// Whether the element at `index` is selected in an array of `length` elements.
    pub(super) fn selects_of(&self, index: u64, length: u64) -> bool {
        match *self {
            Element::Last(from_end) => length.checked_sub(from_end) == Some(index),
            Element::Slice(slice) => slice_selects(slice, index, length),
            _ => self.selects(index, length) == Some(true),
        }
    }

    /// Whether it selects elements in reverse order.
    pub(super) fn is_backwards(&self) -> bool {
        matches!(self, Element::Slice(slice) if slice.step.is_some_and(|step| step < 0))
    }
}

/// Whether [`Slice::indices`] yields an index, without iterating.
fn slice_selects(slice: Slice, index: u64, length: u64) -> bool {
    let [index, length] = [index, length].map(|n| i64::try_from(n).unwrap_or(i64::MAX));
    let resolve = |at: i64| {
        if at < 0 {
            length.saturating_add(at)
        } else {
            at
        }
    };
    let step = slice.step.unwrap_or(1);
    let (first, inside) = if step > 0 {
        let first = resolve(slice.start.unwrap_or(0)).clamp(0, length);
        let end = resolve(slice.end.unwrap_or(length)).clamp(0, length);
        (first, (first..end).contains(&index))
    } else {
        let first = slice.start.map_or(length - 1, resolve).min(length - 1);
        let end = slice.end.map_or(-1, |end| resolve(end).max(-1));
        (first, end < index && index <= first)
    };
    step != 0 && inside && (index - first) % step == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_match_their_indices() {
        let bounds = [
            None,
            Some(-7),
            Some(-3),
            Some(-1),
            Some(0),
            Some(2),
            Some(9),
        ];
        let steps = [
            None,
            Some(-9),
            Some(-2),
            Some(-1),
            Some(0),
            Some(1),
            Some(3),
        ];
        for start in bounds {
            for end in bounds {
                for step in steps {
                    let slice = Slice { start, end, step };
                    for length in 0..8 {
                        let indices: Vec<u64> = slice.indices(length).collect();
                        for index in 0..length {
                            let element = Element::Slice(slice);
                            let selects = element.selects_of(index, length);
                            assert_eq!(
                                selects,
                                indices.contains(&index),
                                "{slice} {index} {length}"
                            );
                            for least in index + 1..=length {
                                let early = element.selects(index, least);
                                assert!(
                                    early.is_none_or(|early| early == selects),
                                    "{slice} {index}"
                                );
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn decides_early_far_from_the_end() {
        assert_eq!(Element::Last(2).selects(5, 7), None);
        assert_eq!(Element::Last(2).selects(5, 8), Some(false));
        let slice = |start, end| {
            Element::Slice(Slice {
                start,
                end,
                step: None,
            })
        };
        assert_eq!(slice(Some(-2), None).selects(5, 8), Some(false));
        assert_eq!(slice(None, Some(-2)).selects(5, 8), Some(true));
        assert_eq!(slice(None, Some(-2)).selects(5, 7), None);
        assert_eq!(slice(Some(1), Some(3)).selects(2, 3), Some(true));
    }
}
