//! Suggests the key that may have been meant.

/// Longer keys are only compared ignoring case and separators: nobody mistypes them by hand, and the cost of the
/// distance is the product of both lengths.
const MAX_LENGTH: usize = 64;

/// More edits than this are not a typo, however long the key. The cost of a comparison is proportional to it: less than
/// 2 µs for keys of 64 characters that have nothing in common.
const MAX_EDITS: usize = 5;

/// Searches for the key nearest to a missing one, among keys offered one after another.
///
/// A key that differs only in the case of ASCII letters, or has `-`, `_` or a space for another of these, has distance
/// 0. Otherwise the distance is the number of insertions, deletions, substitutions and swaps of adjacent characters:
/// the restricted Damerau-Levenshtein distance, also called optimal string alignment. A key is near if the distance is
/// 1, or at most five and at most a third of the number of characters of the missing key. Of equally near keys the
/// first wins.
///
/// ```
/// use jsonx_core::path::Nearest;
/// let mut nearest = Nearest::new(b"naem");
/// for key in ["id", "name", "names"] {
///     nearest.offer(key.as_bytes());
/// }
/// assert_eq!(nearest.found(), Some(&b"name"[..]));
/// ```
#[derive(Clone, Debug)]
pub struct Nearest {
    missing: Box<[u8]>,
    characters: Vec<char>,
    /// Exclusive upper bound of the distance of a candidate.
    bound: usize,
    best: Option<Box<[u8]>>,
}

impl Nearest {
    /// Starts a search for the key nearest to `missing`, in decoded bytes. Invalid UTF-8 is compared as U+FFFD.
    ///
    /// ```
    /// use jsonx_core::path::Nearest;
    ///
    /// let near = |missing: &str, key: &str| {
    ///     let mut nearest = Nearest::new(missing.as_bytes());
    ///     nearest.offer(key.as_bytes());
    ///     nearest.found().is_some()
    /// };
    /// // Up to five characters allow one edit, six allow two.
    /// assert!(near("vrsio", "versio") && !near("vrsio", "version"));
    /// assert!(near("vrsion", "version") && near("vrsoin", "version"));
    /// ```
    pub fn new(missing: &[u8]) -> Self {
        let characters: Vec<char> = String::from_utf8_lossy(missing).chars().collect();
        Nearest {
            missing: missing.into(),
            bound: (characters.len() / 3).clamp(1, MAX_EDITS) + 1,
            characters,
            best: None,
        }
    }

    /// Offers an existing key, in decoded bytes. It replaces the current result only if it is nearer.
    ///
    /// ```
    /// use jsonx_core::path::Nearest;
    ///
    /// let mut nearest = Nearest::new(b"user_name");
    /// let mut found_after = |key: &str| {
    ///     nearest.offer(key.as_bytes());
    ///     nearest.found().map(|found| String::from_utf8_lossy(found).into_owned())
    /// };
    /// assert_eq!(found_after("password"), None);
    /// assert_eq!(found_after("username").as_deref(), Some("username"));
    /// assert_eq!(found_after("userName").as_deref(), Some("username"));
    /// assert_eq!(found_after("User-Name").as_deref(), Some("User-Name"));
    /// ```
    pub fn offer(&mut self, candidate: &[u8]) {
        if self.bound == 0 {
            return;
        }
        let distance = if is_same_folded(&self.missing, candidate) {
            0
        } else if self.characters.len() > MAX_LENGTH || candidate.len() > 4 * MAX_LENGTH {
            return;
        } else {
            let candidate: Vec<char> = String::from_utf8_lossy(candidate).chars().collect();
            match distance(&self.characters, &candidate, self.bound) {
                Some(distance) => distance,
                None => return,
            }
        };
        if distance < self.bound {
            self.bound = distance;
            self.best = Some(candidate.into());
        }
    }

    /// The nearest key offered so far, if any was near. This is the missing key itself if that was offered.
    ///
    /// ```
    /// use jsonx_core::path::Nearest;
    ///
    /// let mut nearest = Nearest::new(b"id");
    /// assert_eq!(nearest.found(), None);
    /// nearest.offer(b"uid");
    /// assert_eq!(nearest.found(), Some(&b"uid"[..]));
    /// ```
    pub fn found(&self) -> Option<&[u8]> {
        self.best.as_deref()
    }
}

/// The key among `candidates` that is nearest to `missing`, if one is near: see [`Nearest`].
///
/// ```
/// use jsonx_core::path::nearest;
/// let keys = ["dev_dependencies", "dependencies"].map(str::as_bytes);
/// assert_eq!(nearest(b"Dev-Dependencies", keys), Some(&b"dev_dependencies"[..]));
/// assert_eq!(nearest(b"version", keys), None);
/// ```
pub fn nearest<'k>(
    missing: &[u8],
    candidates: impl IntoIterator<Item = &'k [u8]>,
) -> Option<&'k [u8]> {
    let mut nearest = Nearest::new(missing);
    let mut best = None;
    for candidate in candidates {
        let bound = nearest.bound;
        nearest.offer(candidate);
        if nearest.bound < bound {
            best = Some(candidate);
        }
    }
    best
}

/// Whether two keys are equal ignoring case and the choice of separators.
fn is_same_folded(a: &[u8], b: &[u8]) -> bool {
    let fold = |byte: u8| match byte {
        b'-' | b' ' => b'_',
        other => other.to_ascii_lowercase(),
    };
    a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| fold(a) == fold(b))
}

/// The number of edits between `a` and `b`, if it is below `bound`.
fn distance(a: &[char], b: &[char], bound: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) >= bound {
        return None;
    }
    // A common prefix and suffix need no edits.
    let same = |(x, y): &(&char, &char)| x == y;
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
    use crate::cases::cases;
    use proptest::prelude::*;

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

    proptest! {
        #![proptest_config(cases(20_000))]

        #[test]
        fn the_distance_is_exact_below_the_bound(a in "[ab]{0,9}|[a-c]{0,9}", b in "[ab]{0,9}", bound in 1..8usize) {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            let wanted = Some(by_definition(&a, &b)).filter(|&edits| edits < bound);
            prop_assert_eq!(super::distance(&a, &b, bound), wanted);
        }
    }
}
