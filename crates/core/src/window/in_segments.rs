//! Passes a text to a sink in segments, for tests.

use core::fmt::Debug;
use std::collections::VecDeque;

use crate::engine::{DeferredReplay, Options, SegmentedSink, TextSegment, Validator};

/// A sink and the validator before a segment.
type Checkpoint<S> = (S, Validator);

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
    let mut checkpoints: Vec<Checkpoint<S>> = Vec::new();
    let mut deferred: Option<DeferredReplay> = None;
    let mut taken = 0;
    for (number, part) in text.chunks(size).enumerate() {
        ahead.push_back(sink.for_segment());
        let mut work = ahead.pop_front().unwrap();
        let offset = (number * size) as u64;
        let segment = TextSegment::new(part, offset, options, &mut work);
        let before = sink.to_replay().map(|sink| (sink, validator.clone()));
        let is_taken = validator.join(&segment, work, &mut sink).unwrap();
        taken += usize::from(is_taken);
        match (deferred, sink.deferred().filter(|_| is_taken)) {
            (Some(DeferredReplay { container, .. }), Some(now)) if now.container != container => {
                repeat(
                    text,
                    &mut checkpoints,
                    deferred.take(),
                    &mut sink,
                    &mut validator,
                );
            }
            (_, Some(now)) => {
                deferred = Some(now);
                checkpoints.extend(before);
            }
            (_, None) => repeat(
                text,
                &mut checkpoints,
                deferred.take(),
                &mut sink,
                &mut validator,
            ),
        }
    }
    repeat(text, &mut checkpoints, deferred, &mut sink, &mut validator);
    validator.finish(&mut sink).unwrap();
    (sink, taken)
}

/// Replays deferred text from the last checkpoint that is early enough.
fn repeat<S: SegmentedSink<Error: Debug>>(
    text: &[u8],
    checkpoints: &mut Vec<Checkpoint<S>>,
    deferred: Option<DeferredReplay>,
    sink: &mut S,
    validator: &mut Validator,
) {
    let Some(deferred) = deferred else {
        return;
    };
    let end = validator.offset() as usize;
    let fits = |(sink, _): &Checkpoint<S>| sink.begun(deferred.container) <= deferred.from;
    let last = checkpoints.iter().rposition(fits).unwrap_or(0);
    (*sink, *validator) = checkpoints.swap_remove(last);
    let at = validator.offset() as usize;
    validator.write(&text[at..end], sink).unwrap();
    checkpoints.clear();
}
