//! Passes a text to a sink in segments, for tests.

use core::fmt::Debug;
use std::collections::VecDeque;

use crate::engine::{Options, SegmentedSink, TextSegment, Validator};

/// Passes a valid text to a sink in segments of `size` bytes. Each segment sink is created `lag` segments ahead, as on several
/// threads. Also returns the number of segments that were taken.
pub(crate) fn in_segments<S>(
    text: &[u8],
    sink: S,
    options: Options,
    size: usize,
    lag: usize,
) -> (S, usize)
where
    S: SegmentedSink<Segment: Clone, Error: Debug>,
{
    let mut sink = sink;
    let mut validator = Validator::new(options);
    let mut ahead: VecDeque<_> = core::iter::repeat_n(sink.for_segment(), lag).collect();
    let mut taken = 0;
    for (number, part) in text.chunks(size).enumerate() {
        ahead.push_back(sink.for_segment());
        let mut work = ahead.pop_front().unwrap();
        let offset = (number * size) as u64;
        let segment = TextSegment::new(part, offset, options, &mut work);
        taken += usize::from(validator.join(&segment, work, &mut sink).unwrap());
    }
    validator.finish(&mut sink).unwrap();
    (sink, taken)
}
