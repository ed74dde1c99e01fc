//! Queries over segments of a text on several threads, before the state of the query at the segment is known.
//!
//! The work for a segment depends on the query's state in the enclosing container:
//!
//! | the query in the container | work for a segment |
//! |---|---|
//! | selects nothing | none: only the depth at the end |
//! | selects elements by index, outside the segment | counts elements |
//! | selects members or elements anywhere | runs a copy of the walk from another position in the container |
//!
//! The copied walk has no undecided match and waits for no key: keys so far are assumed to be unique, and
//! [`Query::had_late_duplicates`](super::Query::had_late_duplicates) reports a repeated one. So the final state of the copy can
//! replace the walk of the query, except for the number of children of the container (`join.rs`).

#[cfg(test)]
mod tests;

use core::convert::Infallible;
use std::sync::Arc;

use super::frame::Frame;
use super::plan::Indices;
use super::program::Program;
use super::walk::{Expected, PathWalk};
use crate::skip::Elements;
use crate::token::{Chunk, Interest, Kind, Mode, Sink};
use crate::window::{SegmentScope, SegmentSink};

/// Limit of matches in a segment. A segment with more is searched again when it is joined.
const MAX_MATCHES: usize = 1 << 15;

/// The same limit for matches with locations.
const MAX_LOCATED: usize = 1 << 13;

/// The work of a [`Query`](super::Query) for one segment of a text, on any thread. Created by
/// [`for_segment`](crate::engine::SegmentedSink::for_segment); see
/// [`TextSegment::new`](crate::engine::TextSegment::new).
///
/// ```
/// use jsonx_core::path::Path;
/// use jsonx_core::engine::{Options, SegmentedSink, TextSegment};
/// use jsonx_core::query::{Query, QueryOptions};
///
/// let query = Query::new(&[Path::parse("..name")?], QueryOptions::default());
/// let segment = TextSegment::new("1, 2", 1000, Options::default(), &mut query.for_segment());
/// assert!(segment.is_guessed());
/// # Ok::<(), jsonx_core::path::PathError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct QuerySegment(pub(super) Work);

#[derive(Clone, Debug, Default)]
pub(super) enum Work {
    /// The segment cannot be searched before the state of the query is known.
    #[default]
    Unknown,
    /// No path selects anything in the segment.
    Pass,
    Count(Elements),
    PathWalk(Copied),
}

/// A copy of a walk.
#[derive(Clone, Debug)]
pub(super) struct Copied {
    pub(super) program: Arc<Program>,
    /// The walk at the position of the copy.
    pub(super) origin: Arc<PathWalk>,
    /// Its current state; `None` if it does not match the container, or has too many matches.
    pub(super) walk: Option<Box<PathWalk>>,
}

impl PathWalk {
    /// Whether the next token is in an open container, and no token is being assembled.
    fn is_between(&self) -> bool {
        self.state == Expected::Inside
            && !self.frames.is_empty()
            && self.pending_filters.capturing() == 0
            && self.scalar.is_none()
            && !self.assembler.is_open()
    }

    /// Whether nothing can match until the innermost open container ends.
    pub(super) fn passes(&self) -> bool {
        let idle = |frame: &Frame| {
            frame.plan.idle || frame.spent || self.depth > 0 && !self.scans_for_keys()
        };
        self.is_between() && self.frames.last().is_some_and(idle)
    }

    /// Whether the innermost frame only needs a search for keys, at any depth.
    pub(super) fn scans_for_keys(&self) -> bool {
        let only_keys = |frame: &Frame| frame.plan.only_keys && !frame.counts;
        self.scans && self.frames.last().is_some_and(only_keys)
    }

    /// The element indices that paths depend on in the innermost open container.
    pub(super) fn indices(&self) -> Indices {
        match self.frames.last() {
            Some(frame)
                if self.is_between()
                    && self.depth == 0
                    && frame.kind == Kind::Array
                    && !self.scans_for_keys() =>
            {
                match frame.plan.indices {
                    Indices::Known { rest, .. } | Indices::Before(rest)
                        if frame.children >= rest =>
                    {
                        Indices::Unused
                    }
                    indices => indices,
                }
            }
            _ => Indices::Unused,
        }
    }

    /// Whether a copy of this walk may replace it elsewhere in the container: nothing is pending until the container ends.
    pub(super) fn is_divisible(&self) -> bool {
        self.is_between()
            && self.sorting == 0
            && self.results.is_empty()
            && self.pending_filters.is_idle()
            && self.frames.iter().all(|frame| frame.pending.is_settled())
    }

    /// Whether `origin`, which must be divisible, is this walk at another position in the same container.
    pub(super) fn is_like(&self, origin: &PathWalk) -> bool {
        let is_same = |(one, other): (&Frame, &Frame)| {
            (one.kind, one.threads, one.spent, one.depth, one.start())
                == (
                    other.kind,
                    other.threads,
                    other.spent,
                    other.depth,
                    other.start(),
                )
                && one.plan.states == other.plan.states
        };
        self.is_divisible()
            && (self.depth == origin.depth || self.depth > 0 && origin.depth > 0)
            && self.frames.len() == origin.frames.len()
            && self.frames.iter().zip(&origin.frames).all(is_same)
            && self.threads.len() == origin.threads.len()
            && self
                .threads
                .iter()
                .zip(&origin.threads)
                .all(|(one, other)| {
                    one.identity() == other.identity()
                        && (one.condition, one.copies, one.owns)
                            == (other.condition, other.copies, other.owns)
                })
            && self.conditions.equals_in_use(&origin.conditions)
    }
}

impl Sink for QuerySegment {
    type Error = Infallible;
    type Output = ();

    fn interest(&self, _: Mode) -> Interest {
        match &self.0 {
            Work::PathWalk(copied) if copied.walk.is_some() => copied.program.interest(),
            _ => Interest::default(),
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
        match &mut self.0 {
            Work::Count(elements) => *elements = elements.after(chunk),
            Work::PathWalk(copied) => {
                let Copied { program, walk, .. } = copied;
                let fits = walk.as_mut().is_some_and(|walk| {
                    let most = if walk.options.locations {
                        MAX_LOCATED
                    } else {
                        MAX_MATCHES
                    };
                    walk.chunk(program, chunk);
                    walk.results.len() <= most
                });
                if !fits {
                    *walk = None;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn finish(self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl SegmentSink for QuerySegment {
    fn scope(&self) -> SegmentScope {
        SegmentScope::LastContainer
    }

    fn begin(&mut self, container: Option<Kind>, after_comma: bool, _: u64) {
        match &mut self.0 {
            Work::Unknown | Work::Pass => {}
            Work::Count(elements) => {
                *elements = Elements::new(container == Some(Kind::Array), after_comma);
            }
            Work::PathWalk(Copied {
                program,
                origin,
                walk,
            }) => {
                // Threads that share a regular expression contend for its caches; a clone has its own.
                if program.has_regexps {
                    *program = Arc::new((**program).clone());
                }
                let known =
                    (origin.depth == 0).then(|| origin.frames.last().map(|frame| frame.kind));
                let fits = container.is_some() && known.is_none_or(|kind| kind == container);
                *walk = fits.then(|| Box::new((**origin).clone()));
                // Counts from here on.
                if let Some(walk) = walk
                    && origin.depth > 0
                    && let Some(commas) = walk.commas.last_mut()
                {
                    *commas = 0;
                }
            }
        }
    }
}
