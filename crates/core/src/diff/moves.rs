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
        let index = displaced.partition_point(|&old| old < common.old);
        let from = before[index]
            + settled.partition_point(|&kept| kept <= before[index])
            + unsettled.before(index);
        unsettled.remove(index);
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
        let sums = (0..=length).map(|index| index & index.wrapping_neg());
        Counter {
            sums: sums.collect(),
        }
    }

    fn before(&self, index: usize) -> usize {
        let next = |&index: &usize| Some(index & (index - 1)).filter(|&index| index > 0);
        let indices = std::iter::successors(Some(index).filter(|&index| index > 0), next);
        indices.map(|index| self.sums[index]).sum()
    }

    fn remove(&mut self, index: usize) {
        let mut index = index + 1;
        while let Some(sum) = self.sums.get_mut(index) {
            *sum -= 1;
            index += index & index.wrapping_neg();
        }
    }
}
