//! Joins segments to the text before them, in order.

use super::guess::EnclosingContainer;
use super::segment::Guess;
use super::segment_sink::{SegmentScope, SegmentSink, SegmentedSink};
use super::{TextSegment, Validator};
use crate::chunk::CheckState;
use crate::stack::Stack;
use crate::token::Stop;
use crate::token::consume::catch;
use crate::verify::grammar::Grammar;
use crate::verify::machine::{Expect, Lexical, Machine};

impl Validator {
    /// Equivalent to [`write`](Validator::write) with the text of the segment: `sink` either receives its tokens or merges the work
    /// of `work`, the sink with which [`TextSegment::new`] checked it. Returns whether it merged.
    ///
    /// If so, only the bytes before the first token that `work` has seen are read again. Otherwise a guess was wrong, the sink
    /// declined, or the segment begins at another offset than was stated.
    ///
    /// # Errors
    ///
    /// As for [`write`](Validator::write).
    ///
    /// With a query:
    pub fn join<T: AsRef<[u8]>, S: SegmentedSink>(
        &mut self,
        segment: &TextSegment<T>,
        work: S::Segment,
        sink: &mut S,
    ) -> Result<bool, Stop<S::Error>> {
        let text = segment.text.as_ref();
        let guess = segment.guess.as_ref();
        let Some(guess) = guess.filter(|guess| guess.origin == self.offset()) else {
            self.write(text, sink)?;
            return Ok(false);
        };
        let is_last = work.scope() == SegmentScope::LastContainer;
        let (before, rest) = text.split_at(if is_last {
            guess.last_start
        } else {
            guess.start
        });
        self.write(before, sink)?;
        let joined = if is_last {
            self.after_last(guess)
        } else {
            self.after(guess, sink)
        };
        let Some(joined) = joined else {
            self.write(rest, sink)?;
            return Ok(false);
        };
        // Outside all tokens, so white space may be inserted.
        let tail = self.tail;
        let held = core::mem::take(&mut self.tail_length);
        if held > 0 {
            let tail = &tail[..held];
            catch(sink, |consumer| self.padded(tail, tail, consumer))?;
        }
        // The enclosing container counts as a level, unless the segment ends with its bracket.
        let levels = guess.end.state.stack.depth.checked_sub(1);
        if is_last && levels.is_none() || !sink.take(work, levels.unwrap_or(0)) {
            self.write(rest, sink)?;
            return Ok(false);
        }
        let streams = self.streams.take();
        let checked = (joined.offset() - guess.origin) as usize;
        *self = Validator { streams, ..joined };
        self.write(&text[checked..], sink)?;
        Ok(true)
    }

    /// The state after a segment, if its guesses are right.
    fn after<S: SegmentedSink>(&self, guess: &Guess, sink: &mut S) -> Option<Validator> {
        let mut machine = Machine::resume(&self.state.carry, self.state.stack.clone()).ok()?;
        machine.run(&self.tail[..self.tail_length]).ok()?;
        let expected = match guess.enclosing.first() {
            Some(EnclosingContainer::Object) => Expect::Key,
            _ => Expect::Value,
        };
        let same = machine.lexical == Lexical::Between && machine.expect == expected;
        if !same || guess.mode != self.mode || self.feed.is_some() {
            return None;
        }
        let mut below = machine.stack;
        if !self.fits(guess, &below) {
            return None;
        }
        let mut checkpoints = guess.checkpoints.iter().peekable();
        for (number, &enclosing) in guess.enclosing.iter().enumerate() {
            if number > 0 {
                below.pop();
            }
            let right = match enclosing {
                EnclosingContainer::Array => below.depth > 0 && below.object() == 0,
                EnclosingContainer::Object => below.depth > 0 && below.object() == 1,
                EnclosingContainer::Root => below.depth == 0,
                EnclosingContainer::Unknown => true,
            };
            if !right {
                return None;
            }
            // Checkpoints before a wrong guess are right too.
            while let Some((_, state)) = checkpoints.next_if(|(enclosing, _)| *enclosing == number)
            {
                sink.checkpoint(&self.above(&below, enclosing, state));
            }
        }
        Some(self.above(&below, *guess.enclosing.last()?, &guess.end))
    }

    /// The state after a segment, if `self` is the state at the start of its last enclosing container, which must be an array or
    /// an object.
    fn after_last(&self, guess: &Guess) -> Option<Validator> {
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
        machine.run(&self.tail[..self.tail_length]).ok()?;
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
        Some(self.above(below, enclosing, &guess.end))
    }

    /// Whether the depth limit holds with the containers `below`.
    fn fits(&self, guess: &Guess, below: &Stack) -> bool {
        let max_depth = self.state.carry.grammar.max_depth;
        max_depth == u64::MAX
            || below
                .depth
                .checked_add(guess.max_levels)
                .is_some_and(|levels| levels <= max_depth)
    }

    /// Combines `state` with the containers `below`, the innermost of which encloses it.
    fn above(&self, below: &Stack, enclosing: EnclosingContainer, state: &Validator) -> Validator {
        let mut stack = below.clone();
        match enclosing {
            EnclosingContainer::Unknown => {}
            EnclosingContainer::Root => stack.append(&state.state.stack, 0),
            _ if state.state.stack.depth == 0 => stack.pop(),
            _ => stack.append(&state.state.stack, 1),
        }
        let Grammar {
            stream, max_depth, ..
        } = self.state.carry.grammar;
        let mut carry = state.state.carry;
        carry.grammar = Grammar {
            stream,
            max_depth,
            ..carry.grammar
        };
        Validator {
            kernel: self.kernel,
            mode: self.mode,
            state: CheckState { carry, stack },
            streams: None,
            offset: state.offset,
            last_kind: state.last_kind,
            tail_length: state.tail_length,
            tail: state.tail,
            padded: Vec::new(),
            feed: None,
            blanked: Vec::new(),
        }
    }
}
