//! Locates an offset in segments of a text on several threads: segments before the offset are skipped.
//!
//! For a segment that ends before the offset, only the number of elements that begin in the enclosing container matters. The
//! containers open at its end are unknown, so the caller replays the last segment before the one with the offset ([`DeferredReplay`]).

use core::convert::Infallible;

use super::{Locator, LocatorState, OpenContainer};
use crate::skip::Elements;
use crate::token::{Chunk, Interest, Kind, Mode, Sink};
use crate::window::{DeferredReplay, SegmentScope, SegmentSink, SegmentedSink};

/// The start of a container whose start was skipped.
const UNKNOWN: u64 = u64::MAX;

/// Limit of containers with unknown starts.
const MAX_UNKNOWN: u64 = 1 << 10;

/// The state of a locator for segments.
#[derive(Clone, Debug, Default)]
pub(super) struct Segments {
    defers: bool,
    owes: bool,
}

/// The work of a [`Locator`] for one segment of a text, on any thread. Created by [`for_segment`](SegmentedSink::for_segment).
///
/// ```
/// use jsonx_core::engine::{Locator, Options, SegmentedSink, TextSegment};
///
/// let locator = Locator::new(2000).deferring();
/// let segment = TextSegment::new("1, 2", 1000, Options::default(), &mut locator.for_segment());
/// assert!(segment.is_guessed());
/// ```
#[derive(Clone, Debug, Default)]
pub struct LocatorSegment {
    elements: Elements,
    /// The offset from which the container is known, or the end of the text after that.
    end: u64,
}

impl Locator {
    /// Lets the locator skip segments before the offset. The caller must then replay [`deferred`](SegmentedSink::deferred) text.
    ///
    /// ```
    /// use jsonx_core::engine::{Locator, SegmentedSink};
    ///
    /// assert_eq!(Locator::new(2000).deferring().deferred(), None);
    /// ```
    #[must_use]
    pub fn deferring(mut self) -> Locator {
        self.segments.defers = true;
        self
    }
}

impl SegmentedSink for Locator {
    type Segment = LocatorSegment;

    fn for_segment(&self) -> LocatorSegment {
        LocatorSegment::default()
    }

    fn take(&mut self, segment: LocatorSegment, levels: u64) -> bool {
        self.segments.owes = false;
        match &mut self.state {
            LocatorState::Done => return true,
            LocatorState::Inside(depth) => {
                *depth += levels;
                return true;
            }
            LocatorState::Looking => {}
        }
        let is_before =
            self.segments.defers && segment.end <= self.target && !self.cursor.is_open();
        let is_known = |open: &OpenContainer| open.start != UNKNOWN;
        let Some(innermost) = self.open.last() else {
            return false;
        };
        // The key of a member that has ended is not known at the end.
        let fits = match innermost.elements {
            Some(_) => segment.elements.is_array,
            None => !segment.elements.is_array && levels > 0,
        };
        if !is_before || !fits || levels > MAX_UNKNOWN || !self.open.iter().all(is_known) {
            return false;
        }
        if self.open.try_reserve(levels as usize).is_err() {
            return false;
        }
        if let Some(count) = self.open.last_mut().and_then(|open| open.elements.as_mut()) {
            *count += segment.elements.begun;
        }
        let key = self.keys.len();
        for _ in 0..levels {
            self.open.push(OpenContainer {
                start: UNKNOWN,
                key,
                elements: Some(0),
            });
        }
        self.expects_key = false;
        self.segments.owes = true;
        true
    }

    fn to_replay(&self) -> Option<Locator> {
        let may_defer = self.segments.defers && self.state == LocatorState::Looking;
        may_defer.then(|| self.clone())
    }

    fn deferred(&self) -> Option<DeferredReplay> {
        self.segments.owes.then_some(DeferredReplay {
            container: 0,
            from: u64::MAX,
        })
    }
}

impl Sink for LocatorSegment {
    type Error = Infallible;
    type Output = ();

    fn interest(&self, _: Mode) -> Interest {
        Interest::default()
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
        self.elements = self.elements.after(chunk);
        self.end = chunk.offset + chunk.bytes.len() as u64;
        Ok(())
    }

    fn finish(self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl SegmentSink for LocatorSegment {
    fn scope(&self) -> SegmentScope {
        SegmentScope::LastContainer
    }

    fn begin(&mut self, container: Option<Kind>, after_comma: bool, offset: u64) {
        self.end = offset;
        self.elements = Elements::new(container == Some(Kind::Array), after_comma);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::agreement::valid_text;
    use crate::engine::{Kernel, Mode, Options, Place, Validator};
    use crate::window::in_segments;
    use jsonx_testing::cases;

    /// Locates `offset`, which is set when its segment is read.
    fn locate(
        text: &[u8],
        offset: u64,
        options: Options,
        size: usize,
        lag: usize,
    ) -> Option<Place> {
        let locator = Locator::new(offset).deferring();
        in_segments(text, locator, options, size, lag)
            .0
            .finish()
            .unwrap()
    }

    proptest! {
        #![proptest_config(cases(1500))]

        #[test]
        fn segments_change_nothing(
            choices in prop::collection::vec(any::<u32>(), 0..100),
            form in 0..5,
            at in any::<prop::sample::Index>(),
            lag in 0..4usize,
            size in prop::sample::select(vec![64, 77, 128, 500]),
            kernel in 0..Kernel::available().count(),
        ) {
            let value = String::from_utf8(valid_text(&choices)).unwrap();
            let text = match form {
                0 => format!("[{}]", vec![value; 5].join(",")),
                1 => format!("{{\"a\":[{}], \"b\": 1}}", vec![value; 5].join(" ,")),
                2 => format!("{{\"a\":{}}}", vec![value; 5].join(", \"long key with , and \\\" \": ")),
                3 => format!("[[{value}],[{value}],{{\"a\": [{value}]}}]"),
                _ => vec![value; 5].join("\n"),
            };
            let mode = if form == 4 { Mode::Stream } else { Mode::One };
            let options = Options::default().mode(mode).kernel(Kernel::available().nth(kernel).unwrap());
            let offset = at.index(text.len() + 2) as u64;
            let mut locator = Locator::new(offset);
            if Validator::new(options).check(text.as_bytes(), &mut locator).is_ok() {
                let expected = locator.finish().unwrap();
                prop_assert_eq!(locate(text.as_bytes(), offset, options, size, lag), expected, "{} {}", offset, text);
            }
        }
    }

    #[test]
    fn segments_before_the_offset_are_merged() {
        let text = format!(
            "{{\"all\": [{}1]}}",
            "{\"a\": [1, {\"b\": 2}]}, ".repeat(1000)
        );
        let at = text.len() as u64 - 10;
        let locator = Locator::new(at).deferring();
        let (locator, taken) = in_segments(text.as_bytes(), locator, Options::default(), 1000, 3);
        assert!(taken >= text.len() / 1000 - 2, "{taken}");
        let place = locator.finish().unwrap().unwrap();
        assert_eq!(
            place
                .location
                .display(crate::path::Notation::Dot)
                .to_string(),
            ".all[999].a[1]"
        );
    }
}
