//! Matches the elements of two arrays, and orders the steps of a patch that turns one array into the other.

use super::moves::{Common, moves};
use super::sequence::{Matches, Table, common};

/// An element to compare.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    /// Its word in the index of the document.
    pub(super) word: usize,
    /// Its index in the array.
    pub(super) index: usize,
    /// Elements with equal identities are treated as equal.
    pub(super) id: u64,
}

/// A step from the old array to the new one. `at` is an index in the array after the previous steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArrayStep {
    /// The elements at these positions match, equal or not.
    Both {
        old: usize,
        new: usize,
        at: usize,
    },
    Remove {
        old: usize,
        at: usize,
    },
    Add {
        new: usize,
        at: usize,
    },
    /// The element at `from` moves to `at`.
    Move {
        old: usize,
        new: usize,
        from: usize,
        at: usize,
    },
}

/// The criterion for matching elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Matching {
    /// By value and order. Elements between equal ones are matched by position.
    Values,
    /// By a key: elements in another order have moved.
    Keys,
    /// As sets, regardless of order.
    Set,
}

/// Computes the steps between two arrays. The old one has `length` elements, including ignored ones. Returns whether
/// the steps are minimal.
pub(super) fn steps(
    olds: &[Element],
    news: &[Element],
    length: usize,
    matching: Matching,
    work: &mut u64,
    step: impl FnMut(ArrayStep),
) -> bool {
    if matching == Matching::Set {
        set(olds, news, length, step);
        return true;
    }
    let ids =
        |elements: &[Element]| -> Vec<u64> { elements.iter().map(|element| element.id).collect() };
    let matches = common(&ids(olds), &ids(news), work);
    let moved = if matching == Matching::Keys && olds.len() == length {
        displaced(olds, news, &matches)
    } else {
        Vec::new()
    };
    if moved.is_empty() {
        in_order(olds, news, &matches, matching, step)
    } else {
        with_moves(olds, news, &matches, &moved, step)
    }
    matches.longest
}

/// Steps from left to right: elements left of the current index are final.
fn in_order(
    olds: &[Element],
    news: &[Element],
    matches: &Matches,
    matching: Matching,
    mut step: impl FnMut(ArrayStep),
) {
    let mut at = 0;
    // The index after the last visited element of the old array.
    let mut passed = 0;
    let mut pass = |at: &mut usize, old: usize| {
        *at += olds[old].index - passed;
        passed = olds[old].index + 1;
    };
    let (mut old, mut new) = (0, 0);
    let end = [(olds.len(), news.len())];
    for &(next_old, next_new) in matches.pairs.iter().chain(&end) {
        if matching == Matching::Values {
            while old < next_old && new < next_new {
                pass(&mut at, old);
                step(ArrayStep::Both { old, new, at });
                (old, new, at) = (old + 1, new + 1, at + 1);
            }
        }
        while old < next_old {
            pass(&mut at, old);
            step(ArrayStep::Remove { old, at });
            old += 1;
        }
        while new < next_new {
            step(ArrayStep::Add { new, at });
            (new, at) = (new + 1, at + 1);
        }
        if old < olds.len() && new < news.len() {
            pass(&mut at, old);
            step(ArrayStep::Both { old, new, at });
            (old, new, at) = (old + 1, new + 1, at + 1);
        }
    }
}

/// Elements in both arrays whose order differs, as their positions in the old and the new one.
fn displaced(olds: &[Element], news: &[Element], matches: &Matches) -> Vec<(usize, usize)> {
    let mut matched = matches.pairs.iter().map(|&(old, _)| old).peekable();
    let mut unmatched: Table<Vec<usize>> = Table::default();
    for (old, element) in olds.iter().enumerate() {
        if matched.next_if_eq(&old).is_none() {
            unmatched.entry(element.id).or_default().push(old);
        }
    }
    unmatched.values_mut().for_each(|indices| indices.reverse());
    let mut matched = matches.pairs.iter().map(|&(_, new)| new).peekable();
    let mut moved = Vec::new();
    for (new, element) in news.iter().enumerate() {
        if matched.next_if_eq(&new).is_none()
            && let Some(indices) = unmatched.get_mut(&element.id)
            && let Some(old) = indices.pop()
        {
            moved.push((old, new));
        }
    }
    moved
}

/// Removes from right to left, moves, then adds and replaces from left to right.
fn with_moves(
    olds: &[Element],
    news: &[Element],
    matches: &Matches,
    moved: &[(usize, usize)],
    mut step: impl FnMut(ArrayStep),
) {
    let kept = matches.pairs.iter().map(|&(old, new)| Common {
        old,
        new,
        is_moved: false,
    });
    let displaced = moved.iter().map(|&(old, new)| Common {
        old,
        new,
        is_moved: true,
    });
    let mut all: Vec<Common> = kept.chain(displaced).collect();
    all.sort_unstable_by_key(|common| common.old);
    let mut stay = all.iter().rev().map(|common| common.old).peekable();
    for old in (0..olds.len()).rev() {
        if stay.next_if_eq(&old).is_none() {
            step(ArrayStep::Remove { old, at: old });
        }
    }
    all.sort_unstable_by_key(|common| common.new);
    for (common, from, at) in moves(&all) {
        step(ArrayStep::Move {
            old: common.old,
            new: common.new,
            from,
            at,
        });
    }
    let mut all = all.into_iter().peekable();
    for new in 0..news.len() {
        step(match all.next_if(|common| common.new == new) {
            Some(common) => ArrayStep::Both {
                old: common.old,
                new,
                at: new,
            },
            None => ArrayStep::Add { new, at: new },
        });
    }
}

/// Removes elements that the new array lacks, and appends those that the old one lacks, each once.
fn set(olds: &[Element], news: &[Element], length: usize, mut step: impl FnMut(ArrayStep)) {
    let mut first_new: Table<usize> = Table::default();
    for (new, element) in news.iter().enumerate() {
        first_new.entry(element.id).or_insert(new);
    }
    let mut removed = 0;
    let mut known: Table<()> = Table::default();
    for (old, element) in olds.iter().enumerate() {
        let at = element.index - removed;
        match first_new.get(&element.id) {
            Some(&new) if known.insert(element.id, ()).is_none() => {
                step(ArrayStep::Both { old, new, at });
            }
            Some(_) => {}
            None => {
                step(ArrayStep::Remove { old, at });
                removed += 1;
            }
        }
    }
    let mut at = length - removed;
    for (new, element) in news.iter().enumerate() {
        if known.insert(element.id, ()).is_none() {
            step(ArrayStep::Add { new, at });
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::diff::sequence::WORK;
    use jsonx_testing::cases;

    fn elements(ids: &[u64], left_out: u64) -> Vec<Element> {
        let all = ids.iter().enumerate();
        all.filter(|&(_, &id)| id != left_out)
            .map(|(index, &id)| Element {
                word: index,
                index,
                id,
            })
            .collect()
    }

    /// Applies the steps like a patch.
    fn applied(old: &[u64], new: &[u64], left_out: u64, matching: Matching) -> Vec<u64> {
        let mut array = old.to_vec();
        let (olds, news) = (elements(old, left_out), elements(new, left_out));
        let step = |step| match step {
            ArrayStep::Both { old, new, at } => {
                assert_eq!(array[at], olds[old].id);
                array[at] = news[new].id;
            }
            ArrayStep::Remove { old, at } => assert_eq!(array.remove(at), olds[old].id),
            ArrayStep::Add { new, at } => array.insert(at, news[new].id),
            ArrayStep::Move { old, new, from, at } => {
                let id = array.remove(from);
                assert_eq!((id, id), (olds[old].id, news[new].id));
                assert_ne!(from, at);
                array.insert(at, id);
            }
        };
        assert!(steps(
            &olds,
            &news,
            old.len(),
            matching,
            &mut WORK.clone(),
            step
        ));
        array
    }

    proptest! {
        #![proptest_config(cases(2000))]

        #[test]
        fn the_steps_lead_from_one_to_the_other(
            old in prop::collection::vec(0u64..12, 0..24),
            new in prop::collection::vec(0u64..12, 0..24),
        ) {
            for matching in [Matching::Values, Matching::Keys] {
                prop_assert_eq!(&applied(&old, &new, 99, matching), &new);
                // Ignored elements are not compared.
                let is_compared = |ids: &[u64]| -> Vec<u64> { ids.iter().copied().filter(|&id| id != 5).collect() };
                let with_others = applied(&old, &new, 5, matching);
                prop_assert_eq!(is_compared(&with_others), is_compared(&new));
                let others = |ids: &[u64]| ids.iter().filter(|&&id| id == 5).count();
                prop_assert_eq!(others(&with_others), others(&old));
            }
            let distinct = |ids: &[u64]| -> Vec<u64> {
                let mut ids = ids.to_vec();
                ids.sort_unstable();
                ids.dedup();
                ids
            };
            let set = applied(&old, &new, 99, Matching::Set);
            prop_assert_eq!(distinct(&set), distinct(&new));
        }
    }

    /// The fewest steps that the pairs of a longest common subsequence leave, and its length, by trying all of them.
    fn fewest(old: &[u64], new: &[u64]) -> (usize, usize) {
        let gap = |olds: usize, news: usize| olds.max(news);
        let mut best = (0, gap(old.len(), new.len()));
        for i in 0..old.len() {
            for j in (0..new.len()).filter(|&j| old[i] == new[j]) {
                let (length, steps) = fewest(&old[i + 1..], &new[j + 1..]);
                let found = (length + 1, gap(i, j) + steps);
                if found.0 > best.0 || found.0 == best.0 && found.1 < best.1 {
                    best = found;
                }
            }
        }
        best
    }

    proptest! {
        #![proptest_config(cases(500))]

        #[test]
        fn of_few_elements_the_steps_are_the_fewest(
            old in prop::collection::vec(0u64..5, 0..7),
            new in prop::collection::vec(0u64..5, 0..7),
        ) {
            let (olds, news) = (elements(&old, 99), elements(&new, 99));
            let mut count = 0;
            steps(&olds, &news, old.len(), Matching::Values, &mut WORK.clone(), |step| {
                let is_equal = matches!(step, ArrayStep::Both { old: i, new: j, .. } if old[i] == new[j]);
                count += usize::from(!is_equal);
            });
            prop_assert_eq!(count, fewest(&old, &new).1, "{:?} {:?}", old, new);
        }
    }

    #[test]
    fn one_element_that_has_moved_is_one_step() {
        let counted = |old: &[u64], new: &[u64]| {
            let mut moved = 0;
            let (olds, news) = (elements(old, 99), elements(new, 99));
            steps(
                &olds,
                &news,
                old.len(),
                Matching::Keys,
                &mut WORK.clone(),
                |step| {
                    moved += u32::from(matches!(step, ArrayStep::Move { .. }));
                },
            );
            moved
        };
        assert_eq!(counted(&[1, 2, 3, 4], &[2, 3, 4, 1]), 1);
        assert_eq!(counted(&[1, 2, 3, 4], &[4, 1, 2, 3]), 1);
        assert_eq!(counted(&[1, 2, 3, 4], &[4, 3, 2, 1]), 3);
        assert_eq!(counted(&[1, 2, 3], &[1, 9, 3]), 0);
    }
}
