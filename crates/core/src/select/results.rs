//! What was found, from its first byte until it may be handed out: complete, certain, and in order.

use std::collections::VecDeque;

use super::conditions::{Conditions, Truth};
use super::{Found, Missing};
use crate::path::Location;

/// What a [`Query`](super::Query) has to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A path leads to a value.
    Match(Match),
    /// A path of single steps (keys and indices) leads nowhere in this value at the root.
    Missing {
        /// The index of the path.
        path: usize,
        /// The index of the value at the root, counted from 0.
        root: u64,
        /// Where it stops.
        missing: Missing,
    },
}

/// A value that a path leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The index of the path.
    pub path: usize,
    /// The index of the value at the root, counted from 0.
    pub root: u64,
    /// Where the value is. Its end is exact: no white space is part of it.
    pub found: Found,
    /// How often the path leads there: `$[0, 0]` does so twice. Never 0; capped at `u64::MAX`.
    pub copies: u64,
    /// The one path that leads there and nowhere else, when it was asked for.
    pub location: Option<Location>,
}

#[derive(Debug)]
struct Entry {
    path: u32,
    condition: u32,
    /// Where the match begins; of a miss, the end of the value that it stops at, which nobody has to keep.
    start: u64,
    copies: u64,
    what: What,
}

#[derive(Debug)]
enum What {
    /// A match, as long as it has no end.
    Open(Option<Location>),
    /// A match and its end.
    Match(Option<Location>, u64),
    Missing(Missing),
}

/// Entries in the order in which their values begin, each known by its number.
#[derive(Debug, Default)]
pub(super) struct Results {
    entries: VecDeque<Entry>,
    /// The number of the first entry.
    first: u64,
    /// Entries from this number on wait to be sorted, when there are any such.
    unsorted: Option<u64>,
    /// Something has been sorted, or will be.
    sorts: bool,
    /// No entry begins before this.
    low: u64,
    root: u64,
    ready: VecDeque<Answer>,
}

impl Results {
    /// The number that the next entry will have.
    pub(super) fn next(&self) -> u64 {
        self.first + self.entries.len() as u64
    }

    /// A match that begins here. It uses the condition.
    pub(super) fn begin(
        &mut self,
        path: u32,
        condition: u32,
        start: u64,
        copies: u64,
        location: Option<Location>,
    ) {
        self.push(path, condition, start, copies, What::Open(location));
    }

    /// A path that stops at a value that ends here. It uses the condition.
    pub(super) fn missing(&mut self, path: u32, condition: u32, missing: Missing, end: u64) {
        self.push(path, condition, end, 1, What::Missing(missing));
    }

    fn push(&mut self, path: u32, condition: u32, start: u64, copies: u64, what: What) {
        if self.entries.is_empty() {
            self.low = start;
        }
        self.entries.push_back(Entry {
            path,
            condition,
            start,
            copies,
            what,
        });
    }

    /// The `count` matches from `number` on end here.
    pub(super) fn end(&mut self, number: u64, count: usize, end: u64) {
        let from = (number - self.first) as usize;
        for entry in self.entries.range_mut(from..from + count) {
            if let What::Open(location) = &mut entry.what {
                entry.what = What::Match(location.take(), end);
            }
        }
    }

    /// From here on, nothing is handed out until [`sort`](Results::sort).
    pub(super) fn gather(&mut self) {
        self.sorts = true;
        let next = self.next();
        self.unsorted.get_or_insert(next);
    }

    /// Puts what came since [`gather`](Results::gather) into the order of RFC 9535, path by path. All of it is complete.
    pub(super) fn sort(&mut self, conditions: &Conditions, is_ordered: impl Fn(u32) -> bool) {
        let Some(from) = self.unsorted.take() else {
            return;
        };
        let rank = |entry: &Entry| {
            let mut ranks = match is_ordered(entry.path) {
                true => conditions.ranks(entry.condition),
                false => vec![[entry.start, 0, 0]],
            };
            ranks.reverse();
            (entry.path, ranks)
        };
        let from = (from - self.first) as usize;
        self.entries.make_contiguous()[from..].sort_by_cached_key(rank);
    }

    /// Moves what is complete and certain to the answers, as far as nothing before it is not.
    #[inline]
    pub(super) fn flush(&mut self, conditions: &mut Conditions) {
        while let Some(entry) = self.entries.front() {
            if self.unsorted.is_some_and(|from| self.first >= from) {
                break;
            }
            let truth = conditions.truth(entry.condition);
            if matches!(entry.what, What::Open(_)) || truth == Truth::Open {
                break;
            }
            self.first += 1;
            if let Some(entry) = self.entries.pop_front() {
                let condition = entry.condition;
                if truth == Truth::Holds {
                    self.answer(entry, conditions.again(condition));
                }
                conditions.release(condition);
            }
        }
        if self.unsorted.is_none() {
            // What has fallen at the other end need not wait: of many elements only the last may be wanted.
            while let Some(entry) = self.entries.back()
                && !matches!(entry.what, What::Open(_))
                && conditions.truth(entry.condition) == Truth::Fails
            {
                conditions.release(entry.condition);
                self.entries.pop_back();
            }
        }
        if let (false, Some(entry)) = (self.sorts, self.entries.front()) {
            self.low = entry.start;
        }
    }

    fn answer(&mut self, entry: Entry, duplicate: bool) {
        let path = entry.path as usize;
        let root = self.root;
        self.ready.push_back(match entry.what {
            What::Open(_) => return,
            What::Missing(missing) => Answer::Missing {
                path,
                root,
                missing,
            },
            What::Match(location, end) => Answer::Match(Match {
                path,
                root,
                found: Found {
                    start: entry.start,
                    end,
                    duplicate,
                },
                copies: entry.copies,
                location,
            }),
        });
    }

    /// The value at the root has ended, and all conditions are decided.
    pub(super) fn end_root(&mut self, conditions: &mut Conditions) {
        self.flush(conditions);
        self.root += 1;
    }

    pub(super) fn roots(&self) -> u64 {
        self.root
    }

    pub(super) fn ready(&mut self) -> impl Iterator<Item = Answer> + '_ {
        self.ready.drain(..)
    }

    /// The first byte that an answer which has not been taken may speak of, `at` being where the walk is.
    pub(super) fn keep_from(&self, at: u64) -> u64 {
        let start = |answer: &Answer| match answer {
            Answer::Match(one) => one.found.start,
            Answer::Missing { .. } => at,
        };
        let to_come = if self.entries.is_empty() { at } else { self.low };
        self.ready.iter().map(start).fold(to_come, u64::min)
    }
}
