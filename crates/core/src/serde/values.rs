//! The values of a stream in memory into a type.

use core::fmt;
use core::marker::PhantomData;

use serde_core::de::Deserialize;

use super::read::Deserializer;
use super::tokens::Tokens;
use crate::error::Error;
use crate::token::Mode;
use crate::window::Options;

/// The values of a text, one after another: see [`values_in`].
///
/// ```
/// let mut values = jsonx_core::values_in::<u8>(b"1 2");
/// assert_eq!(values.next().unwrap()?, 1);
/// assert_eq!(values.next().unwrap()?, 2);
/// assert!(values.next().is_none());
/// # Ok::<(), jsonx_core::Error>(())
/// ```
pub struct ValuesIn<'de, T> {
    text: &'de [u8],
    /// `None` after an error.
    reader: Option<Deserializer<'de>>,
    offset: usize,
    value: PhantomData<T>,
}

/// Reads the values of a text in memory that holds any number of them, with or without white space in between, as `serde_json`'s
/// `StreamDeserializer`. The text is checked as it is read, so the values before an error come first; an error is the last item.
/// Where each value is a line, [`lines_in`](crate::lines_in) reads on after an error.
///
/// ```
/// let text = b"{\"id\": 1}{\"id\": 2}\n{\n  \"id\": 3\n}";
/// let records = jsonx_core::values_in::<std::collections::BTreeMap<&str, u32>>(text);
/// let ids: Result<Vec<u32>, jsonx_core::Error> = records.map(|record| Ok(record?["id"])).collect();
/// assert_eq!(ids?, [1, 2, 3]);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
pub fn values_in<'de, T: Deserialize<'de>>(text: &'de [u8]) -> ValuesIn<'de, T> {
    let tokens = Tokens::new(text, Options::default().mode(Mode::Stream));
    ValuesIn {
        text,
        reader: Some(Deserializer::of(tokens)),
        offset: 0,
        value: PhantomData,
    }
}

impl<T> ValuesIn<'_, T> {
    /// Where the value that was read last ends, in bytes from the start of the text: what has not come yet begins there.
    ///
    /// ```
    /// let mut values = jsonx_core::values_in::<u8>(b" 1 2");
    /// values.next();
    /// assert_eq!(values.offset(), 2);
    /// ```
    pub fn offset(&self) -> usize {
        self.offset
    }
}

impl<'de, T: Deserialize<'de>> Iterator for ValuesIn<'de, T> {
    type Item = Result<T, Error>;

    fn next(&mut self) -> Option<Result<T, Error>> {
        let reader = self.reader.as_mut()?;
        let read = match reader.tokens.peek() {
            Ok(next) if next.kind == 0 => None,
            Ok(_) => Some(T::deserialize(&mut *reader)),
            Err(error) => Some(Err(error)),
        };
        if let Some(Ok(_)) = read {
            self.offset = reader.tokens.consumed();
        } else if let Some(reader) = self.reader.take() {
            reader.tokens.retire();
        }
        read.map(|read| read.map_err(|error| error.in_text(self.text)))
    }
}

impl<T> fmt::Debug for ValuesIn<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValuesIn")
            .field("offset", &self.offset)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use crate::cases::cases;
    use crate::{values, values_in};

    /// Gives a byte at a time.
    struct Slow<'t>(&'t [u8]);

    impl std::io::Read for Slow<'_> {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            let count = out.len().min(1);
            self.0.read(&mut out[..count])
        }
    }

    /// The values of a reader, up to the first error; whether there is one, and then nothing more.
    fn of_reader(reader: impl std::io::Read) -> (Vec<Value>, bool) {
        let mut values = values::<Value, _>(reader);
        let mut read = Vec::new();
        while let Some(value) = values.next() {
            match value {
                Ok(value) => read.push(value),
                Err(_) => {
                    assert!(values.next().is_none());
                    return (read, true);
                }
            }
        }
        assert!(values.next().is_none());
        (read, false)
    }

    /// The values and where each ends, up to the first error; whether there is one, and then nothing more.
    fn ours(text: &[u8]) -> (Vec<(Value, usize)>, bool) {
        let mut values = values_in::<Value>(text);
        let mut read = Vec::new();
        while let Some(value) = values.next() {
            match value {
                Ok(value) => read.push((value, values.offset())),
                Err(_) => {
                    assert!(values.next().is_none());
                    return (read, true);
                }
            }
        }
        assert!(values.next().is_none());
        (read, false)
    }

    fn theirs(text: &[u8]) -> (Vec<(Value, usize)>, bool) {
        let mut values = serde_json::Deserializer::from_slice(text).into_iter::<Value>();
        let mut read = Vec::new();
        while let Some(value) = values.next() {
            match value {
                Ok(value) => read.push((value, values.byte_offset())),
                Err(_) => return (read, true),
            }
        }
        (read, false)
    }

    fn pieces() -> impl Strategy<Value = Vec<&'static str>> {
        let piece = prop::sample::select(vec![
            "1",
            "-2.5",
            "\"a\"",
            "\"\\n é\"",
            "[]",
            "{}",
            "[1, {\"a\": null}]",
            "{\"a\": [true]}",
            "null",
            " ",
            "\n",
            "  ",
            "\t",
            " ",
            "\n",
            " ",
        ]);
        prop::collection::vec(piece, 0..40)
    }

    fn broken() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec!["", "", "", "]", "nul", "[1", "\"a"])
    }

    #[test]
    fn an_error_has_its_place() {
        let text = b"1 2\n\"x\" 4";
        let mut values = values_in::<u8>(text);
        assert_eq!(values.by_ref().take(2).map(Result::unwrap).sum::<u8>(), 3);
        let error = values.next().unwrap().unwrap_err();
        assert_eq!(
            (error.offset(), error.line(), error.column()),
            (Some(4), Some(2), Some(1))
        );
        assert!(values.next().is_none());
    }

    #[test]
    fn a_value_that_does_not_fit_is_one_error() {
        let read: Vec<_> = values::<u8, _>(Slow(b"1 \"a\"[2]{} 3")).collect();
        assert_eq!(read.len(), 5);
        assert_eq!(read.iter().filter(|value| value.is_ok()).count(), 2);
        assert_eq!(read[1].as_ref().unwrap_err().offset(), Some(2));
        assert_eq!(read[2].as_ref().unwrap_err().offset(), Some(5));
        assert!(values::<u8, _>(&b" \n"[..]).next().is_none());
    }

    /// Memory is that of the largest value.
    #[test]
    fn little_is_held() {
        let text = b"{\"a\": [1, 2, \"b\"]}".repeat(20_000);
        let mut values = values::<Value, _>(&text[..]);
        let (mut count, mut most) = (0, 0);
        while let Some(value) = values.next() {
            assert!(value.is_ok());
            count += 1;
            most = most.max(values.held());
        }
        assert_eq!(count, 20_000);
        assert!(most < 1 << 18, "{most}");
    }

    proptest! {
        #![proptest_config(cases(500))]

        /// Longer texts than what is checked at a time, too; broken ones are checked before the values in front of the error.
        #[test]
        fn like_serde_json(
            pieces in pieces(),
            copies in prop_oneof![30 => Just(1usize), 1 => Just(400)],
            broken in broken(),
        ) {
            let text = pieces.concat().repeat(copies) + " " + broken;
            let (found, expected) = (ours(text.as_bytes()), theirs(text.as_bytes()));
            prop_assert_eq!(found.1, expected.1);
            match found.1 {
                true => prop_assert_eq!(&found.0[..], &expected.0[..found.0.len()]),
                false => prop_assert_eq!(found.0, expected.0),
            }
        }
    }

    proptest! {
        // Each byte of a slow reader takes a step.
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn a_reader_gives_the_same(pieces in pieces(), broken in broken()) {
            let text = pieces.concat() + " " + broken;
            let expected = theirs(text.as_bytes());
            let all: Vec<&Value> = expected.0.iter().map(|(value, _)| value).collect();
            for (found, is_broken) in [of_reader(text.as_bytes()), of_reader(Slow(text.as_bytes()))] {
                prop_assert_eq!(is_broken, expected.1);
                prop_assert_eq!(found.iter().collect::<Vec<_>>(), &all[..found.len()]);
                prop_assert!(is_broken || found.len() == all.len());
            }
        }
    }
}
