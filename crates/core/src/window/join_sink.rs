//! Joins a segment to a text by merging the work of its sink.

use super::guess::EnclosingContainer;
use super::segment::Guess;
use super::segment_sink::SegmentedSink;
use super::{TextSegment, Validator};
use crate::token::Stop;
use crate::verify::machine::{Expect, Lexical, Machine};

impl Validator {
    /// Equivalent to [`write`](Validator::write) with the text of the segment: `sink` either receives the tokens or merges the
    /// work of `segment_sink`, the sink of [`TextSegment::with_segment_sink`]. Returns whether it merged.
    ///
    /// If so, only the bytes before the last enclosing container of the segment were read again.
    ///
    /// # Errors
    ///
    /// As for [`write`](Validator::write).
    ///
    /// ```
    /// use jsonx_core::path::Path;
    /// use jsonx_core::engine::{Options, SegmentedSink, TextSegment, Validator};
    /// use jsonx_core::query::{Query, QueryOptions};
    ///
    /// let mut query = Query::new(&[Path::parse("$[*].a")?], QueryOptions::default());
    /// let mut validator = Validator::default();
    /// for (number, part) in ["[{\"a\": 1}, 2, ", "{\"b\": 3}, 4, {\"a\": 5}, 6]"].iter().enumerate() {
    ///     let mut sink = query.for_segment();
    ///     let segment = TextSegment::with_segment_sink(part, 15 * number as u64, Options::default(), &mut sink);
    ///     validator.join_sink(&segment, sink, &mut query).unwrap();
    /// }
    /// validator.finish(&mut query).unwrap();
    /// query.end();
    /// assert_eq!(query.answers().count(), 2);
    /// # Ok::<(), jsonx_core::path::PathError>(())
    /// ```
    pub fn join_sink<T: AsRef<[u8]>, S: SegmentedSink>(
        &mut self,
        segment: &TextSegment<T>,
        segment_sink: S::Segment,
        sink: &mut S,
    ) -> Result<bool, Stop<S::Error>> {
        let take = |sink: &mut S, guess: &Guess, _| {
            // The enclosing container counts as a level, unless the segment ends with its bracket.
            let levels = guess.end.state.stack.depth.checked_sub(1);
            levels.is_some_and(|levels| sink.take(segment_sink, levels))
        };
        self.join_from(
            segment,
            sink,
            |guess| guess.last_start,
            Validator::after_last,
            take,
        )
    }

    /// The state after a segment that begins at `origin`, if `self` is the state where its last enclosing container was
    /// guessed, and that is an array or an object.
    fn after_last(&self, guess: &Guess, origin: u64) -> Option<Validator> {
        let enclosing = *guess.enclosing.last()?;
        let object = match enclosing {
            EnclosingContainer::Array => 0,
            EnclosingContainer::Object => 1,
            EnclosingContainer::Root | EnclosingContainer::Unknown => return None,
        };
        if guess.mode != self.mode || self.feed.is_some() {
            return None;
        }
        let mut machine = Machine::resume(&self.state.carry, self.state.stack.clone()).ok()?;
        machine.run(&self.tail[..self.held]).ok()?;
        let expected = match (guess.enclosing.len(), object) {
            (1, 1) => Expect::Key,
            (1, _) => Expect::Value,
            _ => Expect::Comma,
        };
        let below = &machine.stack;
        let same = machine.lexical == Lexical::Between
            && machine.expect == expected
            && below.depth > 0
            && below.object() == object;
        if !same || !self.fits(guess, below) {
            return None;
        }
        self.above(below, enclosing, &guess.end, origin)
    }
}
