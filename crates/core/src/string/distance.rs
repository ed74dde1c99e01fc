//! The edit distance between two words.

/// The number of edits between two sequences, if it is less than `bound`: insertions, deletions, substitutions and
/// swaps of adjacent items, which are not edited again (the restricted Damerau-Levenshtein distance, also called
/// optimal string alignment).
///
/// It takes time for the length of the shorter word times `bound`, and memory for three rows of the longer one.
pub fn edit_distance<T: PartialEq>(a: &[T], b: &[T], bound: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) >= bound {
        return None;
    }
    // A common prefix and suffix need no edits.
    let same = |(x, y): &(&T, &T)| x == y;
    let prefix = a.iter().zip(b).take_while(same).count();
    let (a, b) = (&a[prefix..], &b[prefix..]);
    let suffix = a.iter().rev().zip(b.iter().rev()).take_while(same).count();
    let (a, b) = (&a[..a.len() - suffix], &b[..b.len() - suffix]);
    // Three rows of the table of distances between prefixes of `a` (down) and of `b` (across): swaps refer two rows up.
    // A cell further than `bound` from the diagonal is at least `bound`, so each row is only computed within that band,
    // with one cell of `bound` at either end.
    let width = b.len() + 1;
    let mut before = vec![0; width];
    let mut last: Vec<usize> = (0..width).collect();
    let mut row = vec![0; width];
    for i in 1..=a.len() {
        let first = i.saturating_sub(bound).max(1);
        let end = (i + bound).min(b.len()) + 1;
        row[first - 1] = if first == 1 { i } else { bound };
        for j in first..end {
            let substituted = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = substituted.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        if let Some(beyond) = row.get_mut(end) {
            *beyond = bound;
        }
        // The minimum of a later row is never less than that of this one.
        if row[first - 1..end].iter().all(|&edits| edits >= bound) {
            return None;
        }
        std::mem::swap(&mut before, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    last.last().copied().filter(|&edits| edits < bound)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use jsonx_testing::cases;

    /// The distance by definition: computes the whole table.
    fn by_definition(a: &[char], b: &[char]) -> usize {
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                if i == 0 || j == 0 {
                    table[i][j] = i + j;
                    continue;
                }
                table[i][j] = (table[i - 1][j] + 1)
                    .min(table[i][j - 1] + 1)
                    .min(table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]));
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    table[i][j] = table[i][j].min(table[i - 2][j - 2] + 1);
                }
            }
        }
        table[a.len()][b.len()]
    }

    #[test]
    fn letters_are_counted_and_swaps_are_one_edit() {
        assert_eq!(edit_distance(b"ture", b"true", 3), Some(1));
        assert_eq!(edit_distance(b"flase!", b"false", 3), Some(2));
        assert_eq!(edit_distance(b"flase!", b"false", 2), None);
        let letters = |word: &str| -> Vec<char> { word.chars().collect() };
        assert_eq!(
            edit_distance(&letters("größe"), &letters("grösse"), 9),
            Some(2)
        );
    }

    proptest! {
        #![proptest_config(cases(20_000))]

        #[test]
        fn the_distance_is_exact_below_the_bound(a in "[ab]{0,9}|[a-c]{0,9}", b in "[ab]{0,9}", bound in 1..8usize) {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            let wanted = Some(by_definition(&a, &b)).filter(|&edits| edits < bound);
            prop_assert_eq!(edit_distance(&a, &b, bound), wanted);
        }
    }
}
