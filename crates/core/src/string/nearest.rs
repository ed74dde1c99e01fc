//! Suggests the intended name.

use super::edit_distance;

/// Longer keys are only compared ignoring case and separators: they are rarely typed by hand, and the cost of the
/// distance is the product of both lengths.
const MAX_LENGTH: usize = 64;

/// More edits than this are not a typo, however long the key. The cost of a comparison is proportional to it: less than
/// 2 µs for keys of 64 characters that have nothing in common.
const MAX_EDITS: usize = 5;

/// Keys of fewer bytes are only near if they differ in case alone, if any key of a document is a candidate.
///
/// ```
/// use jsonx_core::string::nearest::{SHORT, nearest};
///
/// let offered = |missing: &[u8]| missing.len() >= SHORT || nearest(missing, [&b"ix"[..]]).is_some();
/// assert!(offered(b"idx") && offered(b"IX"));
/// ```
pub const SHORT: usize = 3;

/// Searches for the key nearest to a missing one, among keys offered one after another.
///
/// A key that differs only in the case of ASCII letters, or has `-`, `_` or a space for another of these, has distance
/// 0. Otherwise the distance is the number of insertions, deletions, substitutions and swaps of adjacent characters:
/// the restricted Damerau-Levenshtein distance, also called optimal string alignment. A key is near if the distance is
/// 1, or at most five and at most a third of the number of characters of the missing key. Of equally near keys the
/// first wins.
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
            match edit_distance(&self.characters, &candidate, self.bound) {
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
    pub fn found(&self) -> Option<&[u8]> {
        self.best.as_deref()
    }
}

/// The key among `candidates` that is nearest to `missing`, if one is near: see [`Nearest`].
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

#[cfg(test)]
mod tests {
    use super::*;

    fn is_near(missing: &str, key: &str) -> bool {
        nearest(missing.as_bytes(), [key.as_bytes()]).is_some()
    }

    #[test]
    fn a_third_of_the_characters_may_be_edited() {
        assert!(is_near("vrsio", "versio") && !is_near("vrsio", "version"));
        assert!(is_near("vrsion", "version") && is_near("vrsoin", "version"));
        assert!(is_near("id", "uid") && !is_near("id", "uuid"));
        assert!(is_near("größe", "grösße"));
        let long = "x".repeat(MAX_LENGTH + 1);
        assert!(!is_near(&long, &format!("{long}x")) && is_near(&long, &long.to_uppercase()));
    }

    #[test]
    fn a_nearer_key_replaces_the_last_one() {
        let mut nearest = Nearest::new(b"user_name");
        for (key, found) in [
            ("password", None),
            ("username", Some("username")),
            ("userName", Some("username")),
            ("User-Name", Some("User-Name")),
            ("user_names", Some("User-Name")),
        ] {
            nearest.offer(key.as_bytes());
            assert_eq!(nearest.found(), found.map(str::as_bytes), "{key}");
        }
    }

    #[test]
    fn the_nearest_key_is_found() {
        let keys = [
            "id",
            "name",
            "names",
            "dev_dependencies",
            "Ключ",
            "description",
        ];
        let of = |missing: &str| {
            nearest(missing.as_bytes(), keys.map(str::as_bytes))
                .map(|key| String::from_utf8_lossy(key))
        };
        for (missing, found) in [
            ("nmae", Some("name")),
            ("Name", Some("name")),
            ("namess", Some("names")),
            ("dev-dependencies", Some("dev_dependencies")),
            ("DEV DEPENDENCIES", Some("dev_dependencies")),
            ("descripton", Some("description")),
            ("discribtion", Some("description")),
            ("Ключи", Some("Ключ")),
            ("xy", None),
            ("", None),
            ("version", None),
        ] {
            assert_eq!(of(missing).as_deref(), found, "{missing}");
        }
        // Long keys cost neither work nor memory for the product of their lengths.
        let long = "k".repeat(10_000_000);
        let longer = format!("{long}k");
        assert_eq!(nearest(long.as_bytes(), [longer.as_bytes()]), None);
        assert_eq!(
            nearest(b"name", [long.as_bytes(), b"nam"]),
            Some(&b"nam"[..])
        );
        assert_eq!(
            nearest(long.to_uppercase().as_bytes(), [long.as_bytes()]),
            Some(long.as_bytes())
        );
    }
}
