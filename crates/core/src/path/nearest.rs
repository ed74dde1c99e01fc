//! The key somebody may have meant.

/// Longer keys are compared but for case and separators only: nobody mistypes them by hand, and the
/// distance costs the product of both lengths.
const LONGEST: usize = 64;

/// Looks for the key nearest to one that is missing, among keys offered one after another.
///
/// A key that differs only in the case of ASCII letters or in having `-`, `_` or a space where the
/// other has another of them is as near as can be. Otherwise the nearest has the fewest insertions, deletions, substitutions and swaps of
/// neighbouring characters (the Damerau-Levenshtein distance in its restricted form, also called
/// optimal string alignment), and is near at all when these are no more than a third of the
/// missing key's characters, or one. Of equally near keys the first is kept.
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
    /// The distance that a candidate must stay below.
    bound: usize,
    best: Option<Box<[u8]>>,
}

impl Nearest {
    /// Starts a search for the key nearest to `missing`, in decoded bytes.
    pub fn new(missing: &[u8]) -> Self {
        let characters: Vec<char> = String::from_utf8_lossy(missing).chars().collect();
        Nearest {
            missing: missing.into(),
            bound: (characters.len() / 3).max(1) + 1,
            characters,
            best: None,
        }
    }

    /// Offers a key that is there, in decoded bytes.
    pub fn offer(&mut self, candidate: &[u8]) {
        if self.bound == 0 {
            return;
        }
        let distance = if is_same_folded(&self.missing, candidate) {
            0
        } else if self.characters.len() > LONGEST || candidate.len() > 4 * LONGEST {
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

    /// The nearest key offered so far, if one was near.
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

/// Whether two keys are the same but for case and the choice of separators.
fn is_same_folded(a: &[u8], b: &[u8]) -> bool {
    let fold = |byte: u8| match byte {
        b'-' | b' ' => b'_',
        other => other.to_ascii_lowercase(),
    };
    a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| fold(a) == fold(b))
}

/// The number of edits between `a` and `b`, when it is below `bound`.
fn distance(a: &[char], b: &[char], bound: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) >= bound {
        return None;
    }
    // Three rows of the table: the one before the last is needed for swaps.
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = Vec::with_capacity(b.len() + 1);
        row.push(i);
        for j in 1..=b.len() {
            let substituted = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut edits = substituted.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                edits = edits.min(before[j - 2] + 1);
            }
            row.push(edits);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().filter(|&edits| edits < bound)
}
