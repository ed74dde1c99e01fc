//! The longest common subsequence of two sequences of fingerprints, with a bound on the work.
//!
//! ```text
//! two sequences
//!   │ common beginning and end            matched at once
//!   ├─ few elements                       a table: of the longest ones, that with the fewest steps
//!   │ elements that the other one lacks   dropped: they match nothing
//!   │ common beginning and end again      an array with changed elements is finished here
//!   ├─ few equal pairs                    Hunt and Szymanski (1977): an increasing subsequence of the pairs
//!   └─ many                               Myers (1986) in linear space, with a limit on the edits of a step
//! ```
//!
//! The first takes n log n however much has moved, the second n + d² for d edits however often elements are repeated. The limit
//! applies only where both are expensive; the result is then a common subsequence, but possibly not the longest.
//!
//! imara-diff 0.2, which compares lines for `--diff`, was tried in its place. Its minimal Myers drops frequent elements first (of
//! `[8, 8]` and `[7, 2, 3, 5, 8, 6]` it finds nothing in common), takes more than 30 s for 100,000 shuffled elements (here: 0.1 s),
//! and has no limit; its histogram takes 24 s for 100,000 elements of which neighbors are swapped (0.06 s).

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::hash::Hasher;
use std::ops::Range;

/// Pairs of indices, ascending in both.
pub(super) struct Matches {
    pub(super) pairs: Vec<(usize, usize)>,
    /// The pairs are a longest common subsequence.
    pub(super) longest: bool,
}

/// Total number of steps of the inner loop of [`Myers`] before its limit is lowered: about a second.
pub(super) const WORK: u64 = 1 << 28;

/// Maximum number of edits that a search explores in both directions, before and after the work is used up.
const DEEP: usize = 1 << 15;
const SHALLOW: usize = 64;

/// Maximum number of cells of the table for a few elements.
const CELLS: usize = 1 << 12;

/// Finds the common subsequence of `a` and `b`; reduces `work` by its cost.
pub(super) fn common(a: &[u64], b: &[u64], work: &mut u64) -> Matches {
    let mut matches = Matches {
        pairs: Vec::new(),
        longest: true,
    };
    let (start, end) = affixes(a, b);
    matches.pairs.extend((0..start).map(|i| (i, i)));
    between(
        &a[start..a.len() - end],
        &b[start..b.len() - end],
        start,
        &mut matches,
        work,
    );
    let ends = (0..end).rev();
    matches
        .pairs
        .extend(ends.map(|i| (a.len() - 1 - i, b.len() - 1 - i)));
    matches
}

/// The lengths of the common prefix, and of the common suffix of the rest.
fn affixes(a: &[u64], b: &[u64]) -> (usize, usize) {
    let start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let backwards = a[start..].iter().rev().zip(b[start..].iter().rev());
    (start, backwards.take_while(|(a, b)| a == b).count())
}

/// A hasher for fingerprints, which are already uniform.
#[derive(Default)]
pub(super) struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, fingerprint: u64) {
        self.0 = fingerprint;
    }
}

/// A map from fingerprints.
pub(super) type Table<T> = HashMap<u64, T, BuildHasherDefault<Spread>>;

/// Appends the pairs between the common prefix and suffix; `at` is the index of their first elements in both sequences.
fn between(a: &[u64], b: &[u64], at: usize, matches: &mut Matches, work: &mut u64) {
    if a.is_empty() || b.is_empty() {
        return;
    }
    if a.len().saturating_mul(b.len()) <= CELLS {
        let pairs = aligned(a, b).into_iter();
        matches.pairs.extend(pairs.map(|(i, j)| (at + i, at + j)));
        return;
    }
    // The number of occurrences of each element in both sequences.
    let mut counts: Table<(u64, u64)> = Table::default();
    b.iter()
        .for_each(|&id| counts.entry(id).or_default().1 += 1);
    for id in a {
        if let Some(count) = counts.get_mut(id) {
            count.0 += 1;
        }
    }
    let is_shared = |id: &u64| counts.get(id).is_some_and(|&(a, b)| a > 0 && b > 0);
    let shared = |all: &[u64]| -> (Vec<usize>, Vec<u64>) {
        let indices = (0..all.len()).filter(|&index| is_shared(&all[index]));
        indices.map(|index| (index, all[index])).unzip()
    };
    let ((indices_a, a), (indices_b, b)) = (shared(a), shared(b));
    let equal_pairs = counts
        .values()
        .fold(0u64, |sum, &(a, b)| sum.saturating_add(a.saturating_mul(b)));
    drop(counts);
    let mut found = Vec::new();
    let (start, end) = affixes(&a, &b);
    found.extend((0..start).map(|i| (i, i)));
    let (middle_a, middle_b) = (start..a.len() - end, start..b.len() - end);
    if !middle_a.is_empty() && !middle_b.is_empty() {
        if equal_pairs <= 4 * (a.len() + b.len()) as u64 {
            increasing(&a, &b, middle_a, middle_b, &mut found);
        } else {
            let mut myers = Myers::new(&a, &b, work);
            myers.run(middle_a, middle_b, &mut found);
            matches.longest &= myers.is_longest;
        }
    }
    let ends = (0..end).rev();
    found.extend(ends.map(|i| (a.len() - 1 - i, b.len() - 1 - i)));
    let indices = found.into_iter();
    matches
        .pairs
        .extend(indices.map(|(i, j)| (at + indices_a[i], at + indices_b[j])));
}

/// Of the longest common subsequences, one with the fewest steps between the sequences: replacing, removing and adding an element
/// are one step each. Wagner and Fischer (1974), from the end to the start.
fn aligned(a: &[u64], b: &[u64]) -> Vec<(usize, usize)> {
    // Of the rests of both sequences: the number of pairs, times more than any number of steps, minus the steps.
    let pair = (a.len() + b.len() + 1) as i64;
    let width = b.len() + 1;
    let mut best = vec![0i64; (a.len() + 1) * width];
    for i in (0..=a.len()).rev() {
        for j in (0..=b.len()).rev() {
            let cell = |i: usize, j: usize| best[i * width + j];
            best[i * width + j] = match (i == a.len(), j == b.len()) {
                (true, _) => -((b.len() - j) as i64),
                (_, true) => -((a.len() - i) as i64),
                _ if a[i] == b[j] => cell(i + 1, j + 1) + pair,
                _ => {
                    let shorter = cell(i + 1, j).max(cell(i, j + 1));
                    shorter.max(cell(i + 1, j + 1)) - 1
                }
            };
        }
    }
    let cell = |i: usize, j: usize| best[i * width + j];
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if cell(i, j) == cell(i + 1, j + 1) - 1 {
            (i, j) = (i + 1, j + 1);
        } else if cell(i, j) == cell(i + 1, j) - 1 {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

/// Hunt and Szymanski: the longest strictly increasing subsequence of the partners of each element, the greatest first.
fn increasing(
    a: &[u64],
    b: &[u64],
    in_a: Range<usize>,
    in_b: Range<usize>,
    found: &mut Vec<(usize, usize)>,
) {
    /// The last pair of a subsequence, and the one before it.
    struct Link {
        pair: (usize, usize),
        before: Option<usize>,
    }
    let mut partners: Table<Vec<usize>> = Table::default();
    for j in in_b.rev() {
        partners.entry(b[j]).or_default().push(j);
    }
    let mut links: Vec<Link> = Vec::new();
    // For each length, the subsequence with the smallest last partner.
    let mut tails: Vec<usize> = Vec::new();
    for i in in_a {
        for &j in partners.get(&a[i]).map_or(&[][..], Vec::as_slice) {
            let length = tails.partition_point(|&tail| links[tail].pair.1 < j);
            let before = length.checked_sub(1).map(|shorter| tails[shorter]);
            let link = links.len();
            links.push(Link {
                pair: (i, j),
                before,
            });
            match tails.get_mut(length) {
                Some(tail) => *tail = link,
                None => tails.push(link),
            }
        }
    }
    let first = found.len();
    let mut link = tails.last().copied();
    while let Some(at) = link {
        found.push(links[at].pair);
        link = links[at].before;
    }
    found[first..].reverse();
}

/// Myers in linear space: finds a snake in the middle of a shortest edit script, and continues at both of its sides.
struct Myers<'a> {
    a: &'a [u64],
    b: &'a [u64],
    /// The furthest offsets in `a` on each diagonal, from the beginning and from the end.
    forward: Vec<usize>,
    backward: Vec<usize>,
    work: &'a mut u64,
    is_longest: bool,
}

/// A run of equal elements, possibly empty.
struct Snake {
    a: usize,
    b: usize,
    length: usize,
}

impl<'a> Myers<'a> {
    fn new(a: &'a [u64], b: &'a [u64], work: &'a mut u64) -> Self {
        let diagonals = 2 * DEEP.min(a.len() + b.len()) + 3;
        Myers {
            a,
            b,
            forward: vec![0; diagonals],
            backward: vec![0; diagonals],
            work,
            is_longest: true,
        }
    }

    fn run(&mut self, in_a: Range<usize>, in_b: Range<usize>, found: &mut Vec<(usize, usize)>) {
        let first = found.len();
        let mut boxes = vec![(in_a, in_b)];
        while let Some((a, b)) = boxes.pop() {
            let (start, end) = affixes(&self.a[a.clone()], &self.b[b.clone()]);
            found.extend((0..start).map(|i| (a.start + i, b.start + i)));
            found.extend((1..=end).map(|i| (a.end - i, b.end - i)));
            let (a, b) = (a.start + start..a.end - end, b.start + start..b.end - end);
            if a.is_empty() || b.is_empty() {
                continue;
            }
            let Snake { a: x, b: y, length } = self.middle(&a, &b);
            found.extend((0..length).map(|i| (x + i, y + i)));
            boxes.push((a.start..x, b.start..y));
            boxes.push((x + length..a.end, y + length..b.end));
        }
        found[first..].sort_unstable();
    }

    /// A snake in the middle of a shortest path through the box or, at the limit, of the furthest path. As the first and the last
    /// elements of the box differ, both remaining boxes are smaller.
    fn middle(&mut self, in_a: &Range<usize>, in_b: &Range<usize>) -> Snake {
        let (n, m) = (in_a.len(), in_b.len());
        let (a, b) = (&self.a[in_a.clone()], &self.b[in_b.clone()]);
        let limit = match *self.work {
            0 => SHALLOW,
            _ => DEEP,
        }
        .min((n + m).div_ceil(2));
        // Diagonal k = x - y is at k + center; the backward one counts from the other corner.
        let center = limit as isize + 1;
        let delta = n as isize - m as isize;
        self.forward[..2 * limit + 3].fill(0);
        self.backward[..2 * limit + 3].fill(0);
        let at = |k: isize| (k + center) as usize;
        for d in 0..=limit as isize {
            if *self.work == 0 && d > SHALLOW as isize {
                return self.furthest(in_a, in_b, limit as isize, d - 1);
            }
            let mut work = 2 * d as usize + 1;
            for is_backward in [false, true] {
                let (own, other) = match is_backward {
                    false => (&mut self.forward, &self.backward),
                    true => (&mut self.backward, &self.forward),
                };
                for k in (-d..=d).step_by(2) {
                    let down = k == -d || k != d && own[at(k - 1)] < own[at(k + 1)];
                    let from = match (d, down) {
                        (0, _) => 0,
                        (_, true) => own[at(k + 1)],
                        (_, false) => own[at(k - 1)] + 1,
                    };
                    // Outside the box.
                    let y = from as isize - k;
                    if from > n || y < 0 || y > m as isize {
                        own[at(k)] = from;
                        continue;
                    }
                    let y = y as usize;
                    let is_equal = |(a, b): &(&u64, &u64)| a == b;
                    let length = match is_backward {
                        false => a[from..].iter().zip(&b[y..]).take_while(is_equal).count(),
                        true => {
                            let run = a[..n - from].iter().rev().zip(b[..m - y].iter().rev());
                            run.take_while(is_equal).count()
                        }
                    };
                    work += length;
                    own[at(k)] = from + length;
                    let opposite = delta - k;
                    let may_meet = match is_backward {
                        false => delta % 2 != 0 && opposite.abs() < d,
                        true => delta % 2 == 0 && opposite.abs() <= d,
                    };
                    if may_meet && own[at(k)] + other[at(opposite)] >= n {
                        let (a, b) = match is_backward {
                            false => (in_a.start + from, in_b.start + y),
                            true => (in_a.end - from - length, in_b.end - y - length),
                        };
                        return Snake { a, b, length };
                    }
                }
            }
            *self.work = self.work.saturating_sub(work as u64);
        }
        self.furthest(in_a, in_b, limit as isize, limit as isize)
    }

    /// The end of the furthest forward path after `d` edits.
    fn furthest(
        &mut self,
        in_a: &Range<usize>,
        in_b: &Range<usize>,
        limit: isize,
        d: isize,
    ) -> Snake {
        self.is_longest = false;
        let (n, m) = (in_a.len(), in_b.len());
        let center = limit + 1;
        let ends = (-d..=d).step_by(2).filter_map(|k| {
            let x = self.forward[(k + center) as usize];
            let y = usize::try_from(x as isize - k).ok()?;
            (x <= n && y <= m).then_some((x, y))
        });
        // Some diagonal is inside the box: at least one edit is always possible.
        let (x, y) = ends.max_by_key(|(x, y)| x + y).unwrap_or((n, 0));
        Snake {
            a: in_a.start + x,
            b: in_b.start + y,
            length: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use jsonx_testing::cases;

    fn length(a: &[u64], b: &[u64]) -> usize {
        let mut row = vec![0; b.len() + 1];
        for x in a {
            let mut diagonal = 0;
            for (j, y) in b.iter().enumerate() {
                let above = row[j + 1];
                row[j + 1] = if x == y {
                    diagonal + 1
                } else {
                    above.max(row[j])
                };
                diagonal = above;
            }
        }
        row[b.len()]
    }

    fn is_sound(a: &[u64], b: &[u64], matches: &Matches) {
        assert!(matches.pairs.iter().all(|&(i, j)| a[i] == b[j]));
        let rises = |pair: &[(usize, usize)]| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1;
        assert!(matches.pairs.windows(2).all(rises), "{:?}", matches.pairs);
    }

    proptest! {
        #![proptest_config(cases(2000))]

        #[test]
        fn as_long_as_the_table_says(
            a in prop::collection::vec(0u64..9, 0..60),
            b in prop::collection::vec(0u64..9, 0..60),
        ) {
            let matches = common(&a, &b, &mut WORK.clone());
            is_sound(&a, &b, &matches);
            prop_assert!(matches.longest);
            prop_assert_eq!(matches.pairs.len(), length(&a, &b));
        }

        #[test]
        fn permutations(a in Just((0u64..50).collect::<Vec<_>>()).prop_shuffle()) {
            let b: Vec<u64> = (0..50).collect();
            let matches = common(&a, &b, &mut WORK.clone());
            is_sound(&a, &b, &matches);
            prop_assert_eq!(matches.pairs.len(), length(&a, &b));
        }
    }

    /// Two random sequences of three letters: expensive for both algorithms.
    fn noise(count: usize, seed: u64) -> Vec<u64> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(seed);
            (state >> 33) % 3
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn the_limit_is_reported_and_still_a_common_subsequence() {
        let (a, b) = (noise(4000, 11), noise(4000, 13));
        let matches = common(&a, &b, &mut 0);
        is_sound(&a, &b, &matches);
        assert!(!matches.longest);
        // Close to the longest, which has 2,870 of 4,000.
        assert!(matches.pairs.len() > 2500, "{}", matches.pairs.len());
        let matches = common(&a, &b, &mut WORK.clone());
        is_sound(&a, &b, &matches);
        assert!(matches.longest);
        assert_eq!(matches.pairs.len(), length(&a, &b));
    }

    #[test]
    fn work_is_bounded() {
        let (a, b) = (noise(30_000, 17), noise(30_000, 19));
        let mut work = 1 << 20;
        let matches = common(&a, &b, &mut work);
        is_sound(&a, &b, &matches);
        assert_eq!((work, matches.longest), (0, false));
    }
}
