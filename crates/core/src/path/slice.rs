//! Slices of arrays.

use std::fmt;

/// Elements of an array from `start` up to `end`, every `step`th: RFC 9535, section 2.3.4. As in Python, except that a
/// step of 0 selects nothing.
///
/// ```
/// use jsonx_core::path::{Path, Slice};
///
/// let path = Path::parse(".[1:-1]")?;
/// let slice = Slice { start: Some(1), end: Some(-1), step: None };
/// assert_eq!(path.segments()[0].selectors[0].slice(), Some(slice));
/// # Ok::<(), jsonx_core::path::PathError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// First element; negative counts from the end. None: the first one in the direction of `step`.
    pub start: Option<i64>,
    /// Exclusive end; negative counts from the end. None: up to and including the last one in the direction of `step`.
    pub end: Option<i64>,
    /// Distance between elements; negative goes backwards; None is 1.
    pub step: Option<i64>,
}

impl Slice {
    /// The indices selected in an array of `length` elements, in selection order.
    ///
    /// ```
    /// use jsonx_core::path::Slice;
    /// let slice = Slice { start: None, end: Some(0), step: Some(-2) };
    /// assert_eq!(slice.indices(6).collect::<Vec<_>>(), [5, 3, 1]);
    /// ```
    pub fn indices(&self, length: u64) -> impl Iterator<Item = u64> + use<> {
        // All bounds fit: the parser limits them to 2^53 - 1, and no array has 2^62 elements. Values set by a caller
        // saturate.
        let length = i64::try_from(length).unwrap_or(i64::MAX);
        let step = self.step.unwrap_or(1);
        let from_front = |at: i64| {
            if at < 0 {
                length.saturating_add(at)
            } else {
                at
            }
        };
        let (mut next, stop) = if step >= 0 {
            (
                from_front(self.start.unwrap_or(0)).clamp(0, length),
                from_front(self.end.unwrap_or(length)).clamp(0, length),
            )
        } else {
            (
                self.start
                    .map_or(length - 1, from_front)
                    .clamp(-1, length - 1),
                self.end
                    .map_or(-1, |end| from_front(end).clamp(-1, length - 1)),
            )
        };
        std::iter::from_fn(move || {
            let more = (step > 0 && next < stop) || (step < 0 && next > stop);
            let index = more.then(|| u64::try_from(next).unwrap_or(0))?;
            next = next.saturating_add(step);
            Some(index)
        })
    }
}

/// Writes it as in the brackets of JSONPath and the dot path: `1:5`, `:-1`, `::2`.
impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(start) = self.start {
            write!(f, "{start}")?;
        }
        f.write_str(":")?;
        if let Some(end) = self.end {
            write!(f, "{end}")?;
        }
        if let Some(step) = self.step {
            write!(f, ":{step}")?;
        }
        Ok(())
    }
}
