//! Sorting that is not speed-critical: all element types share one copy of the sort, because each copy takes 10 KB.

/// Sorts by two numbers, such as the start and the end of a span. Equal elements keep their order.
///
/// ```
/// use jsonx_core::order::sort_by_place;
///
/// let mut words = ["ccc", "a", "dd", "b"];
/// sort_by_place(&mut words, |word| (word.len(), 0));
/// assert_eq!(words, ["a", "b", "dd", "ccc"]);
/// ```
pub fn sort_by_place<T>(items: &mut [T], mut place: impl FnMut(&T) -> (usize, usize)) {
    let places = items.iter().map(&mut place).enumerate();
    let mut order: Vec<(usize, usize, usize)> = places
        .map(|(at, (first, second))| (first, second, at))
        .collect();
    order.sort_unstable();
    // Moves the elements along each cycle.
    for start in 0..order.len() {
        let mut at = start;
        while order[at].2 != start {
            let from = order[at].2;
            items.swap(at, from);
            order[at].2 = at;
            at = from;
        }
        order[at].2 = at;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use jsonx_testing::cases;

    proptest! {
        #![proptest_config(cases(500))]

        #[test]
        fn like_a_stable_sort(places in prop::collection::vec((0..9usize, 0..3usize), 0..60)) {
            let mut items: Vec<_> = places.into_iter().enumerate().collect();
            let mut expected = items.clone();
            expected.sort_by_key(|(_, place)| *place);
            sort_by_place(&mut items, |(_, place)| *place);
            prop_assert_eq!(items, expected);
        }
    }
}
