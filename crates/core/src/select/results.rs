//! Matches, from their first byte until they are complete, decided and in order, so that they can be returned.

use std::collections::VecDeque;

use super::Missing;
use super::conditions::{Conditions, Truth};
use super::locations::Locations;
use crate::path::Location;

/// A result of a [`Query`](super::Query).
///
/// ```
/// use jsonx_core::path::Path;
/// use jsonx_core::engine::{Options, Validator};
/// use jsonx_core::query::{Answer, Query, QueryOptions};
///
/// let mut query = Query::new(&[Path::parse(".b").unwrap()], QueryOptions::default());
/// Validator::new(Options::default()).check(br#"{"a": 1}"#, &mut query).unwrap();
/// query.end();
/// assert!(matches!(query.answers().next(), Some(Answer::Missing { path: 0, root: 0, .. })));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A path selects a value.
    Match(Match),
    /// A path of keys and indices selects nothing in this value at the root.
    Missing {
        /// The index of the path.
        path: usize,
        /// The index of the value at the root, counted from 0.
        root: u64,
        /// The value at which the path stops.
        missing: Missing,
    },
}

/// A value that a path selects.
///
/// ```
/// use jsonx_core::path::{Notation, Path};
/// use jsonx_core::engine::{Options, Validator};
/// use jsonx_core::query::{Answer, Query, QueryOptions};
///
/// let options = QueryOptions::default().locations(true);
/// let mut query = Query::new(&[Path::parse("..n").unwrap()], options);
/// Validator::new(Options::default()).check(br#"[{"n": 1}]"#, &mut query).unwrap();
/// query.end();
/// let Some(Answer::Match(one)) = query.answers().next() else { unreachable!() };
/// let location = one.location.unwrap();
/// assert_eq!(location.display(Notation::JsonPath).to_string(), "$[0]['n']");
/// assert_eq!((one.start, one.end, one.copies), (7, 8, 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The index of the path.
    pub path: usize,
    /// The index of the value at the root, counted from 0.
    pub root: u64,
    /// Offset of the first byte of the value from the start of the input.
    pub start: u64,
    /// Offset of the byte after the value. White space around the value is not included.
    pub end: u64,
    /// Whether a key on the way occurs more than once in its object; this is the last occurrence.
    pub duplicate: bool,
    /// Number of times the path selects the value: 2 for `$[0, 0]`. Never 0; saturates at `u64::MAX`.
    pub copies: u64,
    /// The normalized path of the value, if locations were requested.
    pub location: Option<Location>,
}

#[derive(Clone, Debug)]
struct Entry {
    /// Offset of the match; for a miss, the position at which it was detected, since no input has to be retained for
    /// it.
    start: u64,
    /// `OPEN` while the match is incomplete.
    end: u64,
    path: u32,
    condition: u32,
    /// `PLAIN`, or the index of its extra fields.
    extra: u32,
}

/// The entry is a match without a location, with one copy.
const PLAIN: u32 = u32::MAX;

/// Fields of few entries. There may be an entry for every other byte of the input, so these are stored separately.
#[derive(Clone, Debug)]
struct Extra {
    copies: u64,
    location: Option<u32>,
    missing: Option<Box<Missing>>,
}

/// The end of an incomplete match: larger than any offset.
const OPEN: u64 = u64::MAX;

/// Entries in the order in which their values begin, identified by number.
#[derive(Clone, Debug, Default)]
pub(super) struct Results {
    entries: VecDeque<Entry>,
    extras: Vec<Extra>,
    free: Vec<u32>,
    pub(super) locations: Locations,
    /// The number of the first entry.
    first: u64,
    /// Entries from this number on are to be sorted.
    unsorted: Option<u64>,
    /// Some entries have been or will be sorted, so their offsets may not ascend.
    sorts: bool,
    /// Lower bound of the offsets of all entries.
    low: u64,
    /// Number of failed conditions at the last call of `trim`.
    failures: u64,
    /// Index of the value at the root of the first entry.
    root: u64,
    /// For each root that has ended since, the number of the first entry after it.
    ends: VecDeque<u64>,
}

impl Results {
    /// Number of the next entry.
    pub(super) fn next(&self) -> u64 {
        self.first + self.entries.len() as u64
    }

    /// Adds an incomplete match. Consumes a use of the condition.
    pub(super) fn begin(
        &mut self,
        path: u32,
        condition: u32,
        start: u64,
        copies: u64,
        with_location: bool,
    ) {
        let location = with_location.then(|| self.locations.hold_here());
        let extra = self.extra(copies, location, None);
        self.push(Entry {
            start,
            end: OPEN,
            path,
            condition,
            extra,
        });
    }

    fn extra(&mut self, copies: u64, location: Option<u32>, missing: Option<Box<Missing>>) -> u32 {
        if copies == 1 && location.is_none() && missing.is_none() {
            return PLAIN;
        }
        let extra = Extra {
            copies,
            location,
            missing,
        };
        match self.free.pop() {
            Some(number) => {
                self.extras[number as usize] = extra;
                number
            }
            None => {
                self.extras.push(extra);
                self.extras.len() as u32 - 1
            }
        }
    }

    /// Adds a miss, detected at the position `position`. Consumes a use of the condition.
    pub(super) fn missing(&mut self, path: u32, condition: u32, missing: Missing, position: u64) {
        let extra = self.extra(1, None, Some(Box::new(missing)));
        self.push(Entry {
            start: position,
            end: position,
            path,
            condition,
            extra,
        });
    }

    fn push(&mut self, entry: Entry) {
        if self.entries.is_empty() {
            self.low = entry.start;
        }
        self.entries.push_back(entry);
    }

    /// Adds a complete match. Consumes a use of the condition.
    #[inline]
    pub(super) fn add(&mut self, path: u32, condition: u32, span: (u64, u64), copies: u64) {
        let extra = self.extra(copies, None, None);
        self.push(Entry {
            start: span.0,
            end: span.1,
            path,
            condition,
            extra,
        });
    }

    /// Completes the `count` matches from `number` on.
    pub(super) fn end(&mut self, number: u64, count: usize, end: u64) {
        let from = (number - self.first) as usize;
        for entry in self.entries.range_mut(from..from + count) {
            entry.end = end;
        }
    }

    /// Buffers all further entries until [`sort`](Results::sort).
    pub(super) fn begin_sort(&mut self) {
        self.sorts = true;
        let next = self.next();
        self.unsorted.get_or_insert(next);
    }

    /// Sorts the entries since [`begin_sort`](Results::begin_sort), all complete, into the order of RFC 9535, path by
    /// path.
    pub(super) fn sort(&mut self, conditions: &Conditions, is_ordered: impl Fn(u32) -> bool) {
        let Some(from) = self.unsorted.take() else {
            return;
        };
        let rank = |entry: &Entry| {
            let mut ranks = if is_ordered(entry.path) {
                conditions.ranks(entry.condition)
            } else {
                vec![[entry.start, 0, 0]]
            };
            ranks.reverse();
            (entry.path, ranks)
        };
        let from = (from - self.first) as usize;
        self.entries.make_contiguous()[from..].sort_by_cached_key(rank);
    }

    /// Drops failed entries at either end: of many elements only the last may be selected.
    #[inline]
    pub(super) fn trim(&mut self, conditions: &mut Conditions) {
        // Numbers must not change while entries wait to be sorted.
        if self.failures == conditions.failures || self.unsorted.is_some() {
            return;
        }
        self.failures = conditions.failures;
        while self
            .entries
            .front()
            .is_some_and(|entry| entry.has_failed(conditions))
        {
            if let Some(entry) = self.pop(conditions) {
                self.forget(&entry);
            }
        }
        while self
            .entries
            .back()
            .is_some_and(|entry| entry.has_failed(conditions))
            && let Some(entry) = self.entries.pop_back()
        {
            conditions.release(entry.condition);
            self.forget(&entry);
        }
    }

    fn forget(&mut self, entry: &Entry) {
        if let Some(Extra {
            location: Some(location),
            ..
        }) = self.take_extra(entry)
        {
            self.locations.release(location);
        }
    }

    fn take_extra(&mut self, entry: &Entry) -> Option<Extra> {
        let extra = self.extras.get_mut(entry.extra as usize)?;
        self.free.push(entry.extra);
        Some(Extra {
            missing: extra.missing.take(),
            ..*extra
        })
    }

    fn pop(&mut self, conditions: &mut Conditions) -> Option<Entry> {
        let entry = self.entries.pop_front()?;
        conditions.release(entry.condition);
        self.first += 1;
        if let (false, Some(next)) = (self.sorts, self.entries.front()) {
            self.low = next.start;
        }
        Some(entry)
    }

    /// The next answer, if the first entry is complete and decided.
    pub(super) fn next_answer(&mut self, conditions: &mut Conditions) -> Option<Answer> {
        let (mut answer, location) = self.next_unresolved(conditions)?;
        if let Answer::Match(one) = &mut answer {
            one.location = location.map(|location| self.locations.take(location));
        }
        Some(answer)
    }

    /// The same, with the number of its location, which [`Locations::take`] resolves and [`Locations::release`] gives up.
    pub(super) fn next_unresolved(
        &mut self,
        conditions: &mut Conditions,
    ) -> Option<(Answer, Option<u32>)> {
        loop {
            let first = self.entries.front()?;
            let waits = self.unsorted.is_some_and(|from| self.first >= from);
            if waits || first.end == OPEN {
                return None;
            }
            let holds = conditions.count(first.condition)?;
            while self.ends.front().is_some_and(|&end| end <= self.first) {
                self.ends.pop_front();
                self.root += 1;
            }
            let duplicate = conditions.is_duplicate(first.condition);
            let entry = self.pop(conditions)?;
            if holds > 0 {
                return Some(self.answer(&entry, holds, duplicate));
            }
            self.forget(&entry);
        }
    }

    /// Ends the value at the root. All conditions are decided.
    pub(super) fn end_root(&mut self, conditions: &mut Conditions) {
        self.trim(conditions);
        self.ends.push_back(self.next());
        if self.entries.is_empty() {
            self.root += self.ends.len() as u64;
            self.ends.clear();
        }
    }

    /// Number of values at the root that have ended.
    pub(super) fn roots(&self) -> u64 {
        self.root + self.ends.len() as u64
    }

    /// The spans of complete but undecided matches, in document order.
    pub(super) fn waiting<'r>(
        &'r self,
        conditions: &'r Conditions,
    ) -> impl Iterator<Item = (u64, u64)> + 'r {
        let waits = |entry: &&Entry| {
            entry.end != OPEN
                && !self.is_missing(entry)
                && conditions.truth_so_far(entry.condition) != Truth::Fails
        };
        let span = |entry: &Entry| (entry.start, entry.end);
        self.entries.iter().filter(waits).map(span)
    }

    fn is_missing(&self, entry: &Entry) -> bool {
        let extra = self.extras.get(entry.extra as usize);
        extra.is_some_and(|extra| extra.missing.is_some())
    }

    /// Converts a removed entry, of which `holds` derivations hold, to an answer.
    fn answer(&mut self, entry: &Entry, holds: u64, duplicate: bool) -> (Answer, Option<u32>) {
        let (path, root) = (entry.path as usize, self.root);
        let extra = self.take_extra(entry);
        let copies = extra.as_ref().map_or(1, |extra| extra.copies);
        let copies = copies.saturating_mul(holds);
        let location = extra.as_ref().and_then(|extra| extra.location);
        if let Some(missing) = extra.and_then(|extra| extra.missing) {
            let missing = *missing;
            return (
                Answer::Missing {
                    path,
                    root,
                    missing,
                },
                None,
            );
        }
        let one = Match {
            path,
            root,
            start: entry.start,
            end: entry.end,
            duplicate,
            copies,
            location: None,
        };
        (Answer::Match(one), location)
    }

    /// Whether no answer is left, and none is waiting for the end of an open value.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.ends.is_empty() && self.unsorted.is_none()
    }

    /// Number of answers not yet taken.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Offset of the first byte of the earliest incomplete match, or `at`, the position of the walk.
    pub(super) fn incomplete_from(&self, at: u64) -> u64 {
        let open = self.entries.iter().filter(|entry| entry.end == OPEN);
        open.map(|entry| entry.start).min().unwrap_or(at)
    }

    /// Offset of the first byte that an untaken answer may refer to, or `at`, the position of the walk.
    pub(super) fn retain_from(&self, at: u64) -> u64 {
        if self.entries.is_empty() {
            at
        } else {
            self.low
        }
    }
}

impl Entry {
    fn has_failed(&self, conditions: &mut Conditions) -> bool {
        self.end != OPEN && conditions.truth(self.condition) == Truth::Fails
    }
}
