//! The location of a search that skips containers, 64 tokens at a time.
//!
//! ```text
//! kinds    " } , { " : [ 1 , 2 ] , " : { "    in an array
//! pairs    . . . . . . 1 1 1 1 1 . . . . .    opened and closed here: no matter
//! leave    . 1 . . . . . . . . . . . . . .
//! enter    . . . 1 . . . . . . . . . . 1 .    as the next element, and under the key before the colon
//! ```
//!
//! Only the brackets that are left are handled one by one: about one in 64 tokens.

use super::locations::Locations;
use super::positions::Positions;
use crate::kernel::{Isa, KindMasks};
use crate::path::Step;
use crate::string::decode_key;
use crate::token::{Chunk, trim_end};
use crate::verify::containers::leaf_pairs;

/// The containers between the innermost frame of a walk and its position.
pub(super) struct OpenContainers<'p> {
    /// Number of commas in each so far.
    pub(super) commas: &'p mut Vec<u64>,
    /// Number of commas in the container of the frame itself.
    pub(super) frame_commas: &'p mut u64,
    /// Number of containers open around the frame.
    pub(super) outside: usize,
    pub(super) locations: &'p mut Locations,
    /// Only looks up tokens that are entered, so that it need not go back.
    pub(super) positions: &'p mut Positions,
}

impl OpenContainers<'_> {
    /// Follows the first `count` of the tokens from `at` on.
    #[inline(always)]
    pub(super) fn follow<K: Isa>(
        &mut self,
        isa: K,
        chunk: &Chunk<'_>,
        masks: &KindMasks,
        (at, count): (usize, u32),
    ) {
        let inside = u64::MAX.checked_shl(count).map_or(u64::MAX, |after| !after);
        let (mut open, mut close) = (masks.open & inside, masks.close & inside);
        let mut pairs = 0;
        while open != 0 && close > open & open.wrapping_neg() {
            let (leaf_open, leaf_close, _) = leaf_pairs(isa, open, close, masks.brace);
            pairs |= leaf_close.wrapping_sub(leaf_open);
            open ^= leaf_open;
            close ^= leaf_close;
        }
        let mut commas = masks.comma & inside & !pairs;
        let mut brackets = open | close;
        while brackets != 0 {
            let bracket = brackets & brackets.wrapping_neg();
            *self.innermost() += u64::from((commas & (bracket - 1)).count_ones());
            commas &= bracket.wrapping_neg();
            match close & bracket {
                0 => self.enter(isa, chunk, at + bracket.trailing_zeros() as usize),
                _ => {
                    self.commas.pop();
                    self.locations.pop();
                }
            }
            brackets ^= bracket;
        }
        *self.innermost() += u64::from(commas.count_ones());
    }

    #[inline(always)]
    fn innermost(&mut self) -> &mut u64 {
        if self.commas.len() > self.outside {
            self.commas.last_mut().unwrap_or(self.frame_commas)
        } else {
            self.frame_commas
        }
    }

    /// Enters the container that begins with a token. If it is the first one of the chunk, it is an element.
    #[inline(always)]
    fn enter<K: Isa>(&mut self, isa: K, chunk: &Chunk<'_>, token: usize) {
        let step = match token.checked_sub(2) {
            Some(key) if chunk.kinds[token - 1] == b':' => {
                let from = self.positions.find(isa, chunk, key);
                let to = self.positions.find(isa, chunk, key + 1);
                key_step(&chunk.bytes[from..to])
            }
            _ => Step::Index(*self.innermost()),
        };
        self.commas.push(0);
        self.locations.push(step);
    }
}

/// The step to a member. `key` may have quotes, and white space at its end.
pub(super) fn key_step(key: &[u8]) -> Step {
    match trim_end(key) {
        [b'"', raw @ .., b'"'] => Step::Key(decode_key(raw).into_owned().into()),
        other => Step::Key(other.into()),
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::{Kernel, Options, Validator};
    use crate::path::{Notation, Path};
    use crate::query::{Answer, Duplicates, Query, QueryOptions};

    #[test]
    fn every_match_has_its_path() {
        let mut text = String::from("[");
        let mut expected = Vec::new();
        // Chunks of 8 KiB end at every kind of token.
        for number in 0..4000 {
            let pad = "-".repeat(number % 61);
            let (inner, path) = match number % 4 {
                0 => (String::from(r#"{"a": 1}"#), "['a']"),
                1 => (
                    String::from(r#"[[], {"k": [0, {}, [{"a": 1}]]}]"#),
                    "[1]['k'][2][0]['a']",
                ),
                2 => (
                    format!(r#"{{"{pad}" : {{"s" : ["", 2, {{"a": 1, "b": []}}]}}}}"#),
                    "",
                ),
                _ => (String::from("[1, [2, [3]], {}]"), "-"),
            };
            match path {
                "-" => {}
                "" => expected.push(format!("$[{number}]['{pad}']['s'][2]['a']")),
                path => expected.push(format!("$[{number}]{path}")),
            }
            text += &format!("{}{inner}", if number > 0 { "," } else { "" });
        }
        text.push(']');
        let path = [Path::parse("..a").unwrap()];
        for (kernel, duplicates) in Kernel::available()
            .flat_map(|kernel| [Duplicates::Last, Duplicates::Each].map(|one| (kernel, one)))
        {
            for size in [64, 1000, usize::MAX] {
                let options = QueryOptions::default().locations(true);
                let mut query = Query::new(&path, options.duplicates(duplicates));
                let mut validator = Validator::new(Options::default().kernel(kernel));
                for window in text.as_bytes().chunks(size) {
                    validator.write(window, &mut query).unwrap();
                }
                let mut query = validator.finish(query).unwrap();
                let found: Vec<String> = query
                    .answers()
                    .map(|answer| match answer {
                        Answer::Match(one) => {
                            let location = one.location.unwrap();
                            location.display(Notation::JsonPath).to_string()
                        }
                        Answer::Missing { .. } => panic!("{answer:?}"),
                    })
                    .collect();
                let differs = found
                    .iter()
                    .zip(&expected)
                    .find(|(one, other)| one != other);
                assert_eq!(differs, None, "{kernel:?} {duplicates:?} {size}");
                assert_eq!(found.len(), expected.len());
            }
        }
    }
}
