//! The moves that reorder the elements of an array.
//!
//! ```text
//! old   a b c d        kept: b c d, which are in order; a is displaced
//! new   b c d a        one move, from 0 to 3
//! ```
//!
//! A displaced element is placed directly after its predecessor in the new order, which has already been placed. The position
//! of an element at that time follows from counts, since placed elements are in the new order and the others in the old order.

/// An element of both arrays, with its position in each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Common {
    pub(super) old: usize,
    pub(super) new: usize,
    pub(super) is_moved: bool,
}

/// The moves of the displaced elements, each with its old and new index, given all elements in the new order. Takes n log n for n
/// elements.
pub(super) fn moves(all: &[Common]) -> Vec<(Common, usize, usize)> {
    let kept: Vec<usize> = all.iter().filter(|c| !c.is_moved).map(|c| c.old).collect();
    let mut displaced: Vec<usize> = all.iter().filter(|c| c.is_moved).map(|c| c.old).collect();
    displaced.sort_unstable();
    // The number of kept elements before each displaced one.
    let before: Vec<usize> = displaced
        .iter()
        .map(|&old| kept.partition_point(|&other| other < old))
        .collect();
    let mut unsettled = Counter::full(displaced.len());
    // The number of kept elements before the displaced ones that have been placed.
    let mut settled: Vec<usize> = Vec::new();
    let mut passed = 0;
    let mut found = Vec::new();
    for (rank, common) in all.iter().enumerate() {
        if !common.is_moved {
            passed += 1;
            continue;
        }
        let place = displaced.partition_point(|&old| old < common.old);
        let from = before[place]
            + settled.partition_point(|&kept| kept <= before[place])
            + unsettled.before(place);
        unsettled.remove(place);
        let to = rank + unsettled.before(before.partition_point(|&kept| kept < passed));
        settled.push(passed);
        if from != to {
            found.push((*common, from, to));
        }
    }
    found
}

/// The number of remaining items among the first n: a Fenwick tree.
struct Counter {
    sums: Vec<usize>,
}

impl Counter {
    fn full(length: usize) -> Counter {
        let sums = (0..=length).map(|place| place & place.wrapping_neg());
        Counter {
            sums: sums.collect(),
        }
    }

    fn before(&self, place: usize) -> usize {
        let next = |&place: &usize| Some(place & (place - 1)).filter(|&place| place > 0);
        let places = std::iter::successors(Some(place).filter(|&place| place > 0), next);
        places.map(|place| self.sums[place]).sum()
    }

    fn remove(&mut self, place: usize) {
        let mut place = place + 1;
        while let Some(sum) = self.sums.get_mut(place) {
            *sum -= 1;
            place += place & place.wrapping_neg();
        }
    }
}
