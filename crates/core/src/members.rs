//! The members of an object or the elements of an array, without their contents.

use crate::assembler::{Token, TokenAssembler, Walk};
use crate::syntax::OutOfMemory;
use crate::token::{Chunk, Kind, Sink};

/// A sink that visits the members of an object, or the elements of an array, that is the only value of a document.
///
/// It passes each raw key, without quotes, in document order and including duplicates. Memory use is proportional to
/// the longest key.
///
/// ```
/// use jsonx_core::engine::{Members, Options, Validator};
/// use jsonx_core::Kind;
///
/// let mut keys = Vec::new();
/// let mut members = Members::new(|key: &[u8]| keys.push(String::from_utf8_lossy(key).into_owned()));
/// Validator::new(Options::default()).check(br#"{"a": {"b": 1}, "c\n": [2]}"#, &mut members).unwrap();
/// assert_eq!((members.kind(), members.count()), (Some(Kind::Object), 2));
/// assert_eq!(keys, ["a", r"c\n"]);
/// ```
#[doc(hidden)]
#[derive(Debug)]
pub struct Members<F> {
    each_key: F,
    kind: Option<Kind>,
    count: u64,
    depth: u64,
    /// The next string at depth 1 is a key.
    expects_key: bool,
    cursor: TokenAssembler,
}

impl<F: FnMut(&[u8])> Members<F> {
    /// Creates a sink that passes each key to a function, as raw text: [`decode_key`](crate::string::decode_key)
    /// resolves escapes.
    pub fn new(each_key: F) -> Members<F> {
        Members {
            each_key,
            kind: None,
            count: 0,
            depth: 0,
            expects_key: false,
            cursor: TokenAssembler::default(),
        }
    }

    /// Kind of the value; None before it has begun.
    pub fn kind(&self) -> Option<Kind> {
        self.kind
    }

    /// Number of members or elements begun so far; 0 for other values. Duplicate keys are counted; members and elements
    /// of nested values are not.
    pub fn count(&self) -> u64 {
        self.count
    }
}

impl<F: FnMut(&[u8])> Walk for Members<F> {
    type Error = OutOfMemory;

    fn assembler(&mut self) -> &mut TokenAssembler {
        &mut self.cursor
    }

    fn retains(&self, kind: u8) -> usize {
        if self.expects_key && kind == b'"' {
            usize::MAX
        } else {
            0
        }
    }

    fn token(&mut self, token: Token<'_>) -> Result<(), OutOfMemory> {
        let is_container = matches!(token.kind, b'{' | b'[');
        match token.kind {
            kind if self.depth == 0 => {
                self.depth = u64::from(is_container);
                self.expects_key = kind == b'{';
            }
            b'"' if self.expects_key => {
                self.expects_key = false;
                self.count += 1;
                if let [b'"', raw @ .., b'"'] = token.raw() {
                    (self.each_key)(raw);
                }
            }
            b',' => self.expects_key = self.kind == Some(Kind::Object),
            b':' => {}
            b'}' | b']' => self.depth = 0,
            _ => {
                self.count += u64::from(self.kind == Some(Kind::Array));
                self.depth += u64::from(is_container);
            }
        }
        Ok(())
    }

    /// Skips the contents of members and elements.
    fn next(&mut self, chunk: &Chunk<'_>, index: usize) -> usize {
        if self.depth < 2 {
            return index;
        }
        let (next, left) = chunk.skip(index, self.depth - 1);
        self.depth = left + 1;
        next
    }
}

impl<F: FnMut(&[u8])> Sink for Members<F> {
    type Error = OutOfMemory;
    type Output = Self;

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), OutOfMemory> {
        if let Some(&first) = chunk.kinds.first() {
            // The value counts from its first byte on, even an incomplete number.
            self.kind.get_or_insert(Kind::from_first(first));
        }
        self.walk(chunk)
    }

    fn finish(self) -> Result<Self, OutOfMemory> {
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;
    use crate::agreement::valid_text;
    use crate::engine::{Kernel, Options, Validator};

    fn members(text: &[u8], kernel: Kernel, size: usize) -> (Option<Kind>, u64, Vec<Vec<u8>>) {
        let mut keys = Vec::new();
        let mut members = Members::new(|key: &[u8]| keys.push(key.to_vec()));
        let mut validator = Validator::new(Options::default().kernel(kernel));
        for window in text.chunks(size) {
            validator.write(window, &mut members).unwrap();
        }
        validator.finish(&mut members).unwrap();
        let (kind, count) = (members.kind(), members.count());
        (kind, count, keys)
    }

    #[test]
    fn keys_are_raw() {
        let long = "k".repeat(300);
        let text = format!(
            "{{\"a\" : [1, {{\"no\": 2}}], \"a\":\"not a key\", \"\\u0062\\\"\": {{}}, \"{long}\"   : null}}  "
        );
        let expected = [
            b"a".to_vec(),
            b"a".to_vec(),
            br#"\u0062\""#.to_vec(),
            long.into(),
        ];
        for kernel in Kernel::available() {
            for size in [64, 65, 128, usize::MAX] {
                let found = members(text.as_bytes(), kernel, size);
                assert_eq!(found, (Some(Kind::Object), 4, expected.to_vec()));
            }
        }
        for (text, kind, count) in [
            (" [[], [[1]], 2,{}, \"x\"]", Kind::Array, 5),
            ("[]", Kind::Array, 0),
            ("{}", Kind::Object, 0),
            (" \"a\" ", Kind::String, 0),
            ("-1", Kind::Number, 0),
        ] {
            let found = members(text.as_bytes(), Kernel::best(), usize::MAX);
            assert_eq!(found, (Some(kind), count, Vec::new()), "{text}");
        }
    }

    proptest! {
        #[test]
        fn like_serde_json(choices in prop::collection::vec(any::<u32>(), 0..300)) {
            let text = valid_text(&choices);
            let Ok(document) = serde_json::from_slice::<Value>(&text) else { return Ok(()) };
            let whole = members(&text, Kernel::swar(), usize::MAX);
            for kernel in Kernel::available() {
                for size in [64, 100, 1000] {
                    prop_assert_eq!(&members(&text, kernel, size), &whole);
                }
            }
            let (kind, count, keys) = whole;
            match document {
                Value::Array(elements) => prop_assert_eq!(count, elements.len() as u64),
                Value::Object(object) => {
                    let mut unique: Vec<String> = Vec::new();
                    for key in keys {
                        let key = [&b"\""[..], &key, b"\""].concat();
                        let key: String = serde_json::from_slice(&key).unwrap();
                        if !unique.contains(&key) {
                            unique.push(key);
                        }
                    }
                    let expected: Vec<&String> = object.keys().collect();
                    prop_assert_eq!(unique.iter().collect::<Vec<_>>(), expected);
                }
                _ => prop_assert!(count == 0 && !matches!(kind, Some(Kind::Object | Kind::Array))),
            }
        }
    }
}
