//! Spans of the answers of a file, recorded in a few bytes each until the file is known to be valid.

use jsonx_core::query::{Answer, Match};

/// Memory limit in bytes: about three million matches that are close together.
const MAX_BYTES: usize = 12 << 20;

/// Maximum number of answers if all have to be unpacked at once (10 MB).
const MAX_AT_ONCE: usize = 1 << 17;

/// Recorded answers, in the order in which they were found.
///
/// A match is packed into three variable-length numbers (LEB128): its path and flags for the unusual cases, the
/// distance of its start from that of the previous match, and its length. The few answers that are not matches are
/// stored separately.
///
/// Unpacked, a match takes 80 bytes, and 130,000 of them the same memory. A file with more is searched a second time, which
/// takes 1.7 times as long (290 MB, 3 million matches, one thread).
#[derive(Default)]
pub struct Notes {
    packed: Vec<u8>,
    matches: usize,
    last: Last,
    /// The other answers, which print nothing, so that their order among the matches does not matter.
    others: Vec<Answer>,
}

/// The previous match, which the next one is encoded relative to.
#[derive(Clone, Copy, Default)]
struct Last {
    start: u64,
    root: u64,
}

const DUPLICATE: u64 = 1;
const COPIES: u64 = 2;
const NEW_ROOT: u64 = 4;

impl Notes {
    /// Records an answer. A location would be lost.
    pub fn push(&mut self, answer: Answer) {
        let one = match answer {
            Answer::Match(one) => one,
            other => return self.others.push(other),
        };
        let Match {
            path,
            root,
            start,
            end,
            duplicate,
            copies,
            ..
        } = one;
        let flag = |flag, is: bool| if is { flag } else { 0 };
        self.number(
            (path as u64) << 3
                | flag(DUPLICATE, duplicate)
                | flag(COPIES, copies != 1)
                | flag(NEW_ROOT, root != self.last.root),
        );
        if copies != 1 {
            self.number(copies);
        }
        if root != self.last.root {
            self.number(root);
        }
        // A match may begin before the previous one. The lowest bit is the direction.
        let back = self.last.start > start;
        self.number(self.last.start.abs_diff(start) << 1 | u64::from(back));
        self.number(end - start);
        self.last = Last { start, root };
        self.matches += 1;
    }

    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.packed.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.packed.push(number as u8);
    }

    /// Whether a limit is exceeded; `at_once` if all answers have to be unpacked together.
    pub fn are_too_many(&self, at_once: bool) -> bool {
        self.packed.len() > MAX_BYTES
            || self.others.len() > MAX_AT_ONCE
            || at_once && self.matches > MAX_AT_ONCE
    }

    /// Discards all answers.
    pub fn clear(&mut self) {
        *self = Notes::default();
    }

    /// The answers, the matches last.
    pub fn iter(&self) -> impl Iterator<Item = Answer> {
        let mut packed = &self.packed[..];
        let mut last = Last::default();
        let matches = std::iter::from_fn(move || {
            let head = next_number(&mut packed)?;
            let copies = match head & COPIES {
                0 => 1,
                _ => next_number(&mut packed)?,
            };
            if head & NEW_ROOT != 0 {
                last.root = next_number(&mut packed)?;
            }
            let distance = next_number(&mut packed)?;
            last.start = match distance & 1 {
                0 => last.start + (distance >> 1),
                _ => last.start - (distance >> 1),
            };
            let length = next_number(&mut packed)?;
            Some(Answer::Match(Match {
                path: (head >> 3) as usize,
                root: last.root,
                start: last.start,
                end: last.start + length,
                duplicate: head & DUPLICATE != 0,
                copies,
                location: None,
            }))
        });
        self.others.iter().cloned().chain(matches)
    }
}

/// Decodes the next number; `None` at the end.
fn next_number(packed: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..).step_by(7) {
        let (&byte, rest) = packed.split_first()?;
        *packed = rest;
        number |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            break;
        }
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jsonx_core::Kind;
    use jsonx_core::query::Missing;
    use proptest::prelude::*;

    fn answers() -> impl Strategy<Value = Answer> {
        let places = prop_oneof![0..200u64, 0..1u64 << 40];
        let one = (
            0..300usize,
            0..5u64,
            places,
            0..10_000u64,
            any::<bool>(),
            prop_oneof![Just(1), any::<u64>()],
        );
        prop_oneof![
            9 => one.prop_map(|(path, root, start, length, duplicate, copies)| {
                Answer::Match(Match {
                    path,
                    root,
                    start,
                    end: start + length,
                    duplicate,
                    copies,
                    location: None,
                })
            }),
            1 => (0..3usize, 0..5u64).prop_map(|(path, root)| Answer::Missing {
                path,
                root,
                missing: Missing { steps: 1, start: root, end: 9, kind: Kind::Object, length: None },
            }),
        ]
    }

    proptest! {
        #[test]
        fn recorded_answers_round_trip(mut answers in prop::collection::vec(answers(), 0..50)) {
            let mut notes = Notes::default();
            for answer in &answers {
                notes.push(answer.clone());
            }
            answers.sort_by_key(|answer| matches!(answer, Answer::Match(_)));
            prop_assert_eq!(notes.iter().collect::<Vec<_>>(), answers);
        }
    }

    #[test]
    fn close_matches_take_few_bytes() {
        let mut notes = Notes::default();
        for number in 0..1000 {
            let start = number * 1000;
            notes.push(Answer::Match(Match {
                path: 0,
                root: 0,
                start,
                end: start + 20,
                duplicate: false,
                copies: 1,
                location: None,
            }));
        }
        assert_eq!(notes.packed.len(), 4 * 1000 - 1);
    }
}
