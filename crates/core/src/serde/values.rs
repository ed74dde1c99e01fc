//! Reads the values of a stream in memory into a type.

use core::fmt;
use core::marker::PhantomData;

use serde_core::de::Deserialize;

use super::read::Deserializer;
use super::tokens::Tokens;
use crate::assembler::{Token, TokenAssembler, Walk};
use crate::error::Error;
use crate::syntax::OutOfMemory;
use crate::token::{Chunk, Mode, Sink};
use crate::window::{Options, Validator, validate};

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
    /// The offset of the text of the reader.
    origin: usize,
    offset: usize,
    /// The error of the text, after the values that the reader still has.
    failed: Option<Error>,
    value: PhantomData<T>,
}

/// Reads the values of a text in memory that holds any number of them, with or without white space in between, as
/// `serde_json`'s `StreamDeserializer`. The text is checked as it is read, so the values before an error come first; an error
/// is the last item. If each value is on its own line, [`lines_in`](crate::lines_in) continues after an error.
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
        reader: Some(Deserializer::from_tokens(tokens)),
        origin: 0,
        offset: 0,
        failed: None,
        value: PhantomData,
    }
}

impl<T> ValuesIn<'_, T> {
    /// The end of the last value that was read, in bytes from the start of the text: unread text begins there.
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
        loop {
            let reader = self.reader.as_mut()?;
            let read = match reader.tokens.peek() {
                Ok(next) if next.kind == 0 => None,
                Ok(_) => Some(T::deserialize(&mut *reader)),
                Err(error) => Some(Err(error)),
            };
            if let Some(Ok(_)) = read {
                self.offset = self.origin + reader.tokens.consumed();
                return read;
            }
            if let Some(reader) = self.reader.take() {
                reader.tokens.retire();
            }
            let Some(Err(error)) = read else {
                return self.failed.take().map(Err);
            };
            if self.failed.is_some() || !self.read_before(&error) {
                return Some(Err(error.moved(self.origin as u64).in_text(self.text)));
            }
            self.failed = Some(error.in_text(self.text));
        }
    }
}

impl<'de, T> ValuesIn<'de, T> {
    /// Text is checked 8 KiB at a time, so an error may be found before earlier values have been read. Restarts with these
    /// values, if there are any.
    fn read_before(&mut self, error: &Error) -> bool {
        let Some(at) = error.offset().filter(|_| error.is_syntax()) else {
            return false;
        };
        let from = self.offset;
        let length = complete_values(&self.text[from..], (at as usize).saturating_sub(from));
        let tokens = Tokens::new(
            &self.text[from..from + length],
            Options::default().mode(Mode::Stream),
        );
        (self.reader, self.origin) = (Some(Deserializer::from_tokens(tokens)), from);
        true
    }
}

/// The length of the complete values at the start of a text with an error at this offset.
fn complete_values(text: &[u8], error: usize) -> usize {
    let (before, after) = text.split_at(error.min(text.len()));
    let mut last = LastValue::default();
    let mut validator = Validator::new(Options::default().mode(Mode::Stream));
    // Errors are expected: the text may be truncated.
    if validator
        .write(until_error(before, after), &mut last)
        .is_ok()
    {
        let _ = validator.check(b" ", &mut last);
    }
    last.end as usize
}

/// Finds the end of the last complete value at the root.
#[derive(Default)]
struct LastValue {
    end: u64,
    depth: u64,
    assembler: TokenAssembler,
}

impl Walk for LastValue {
    type Error = OutOfMemory;

    fn assembler(&mut self) -> &mut TokenAssembler {
        &mut self.assembler
    }

    fn retains(&self, _: u8) -> usize {
        0
    }

    fn token(&mut self, token: Token<'_>) -> Result<(), OutOfMemory> {
        match token.kind {
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth -= 1,
            _ => {}
        }
        if self.depth == 0 {
            self.end = token.end();
        }
        Ok(())
    }
}

impl Sink for LastValue {
    type Error = OutOfMemory;
    type Output = ();

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), OutOfMemory> {
        self.walk(chunk)
    }

    fn finish(mut self) -> Result<(), OutOfMemory> {
        self.end()
    }
}

/// The text `before` an error, without the number or literal that contains it; `after` begins with the error.
pub(super) fn until_error<'t>(before: &'t [u8], after: &[u8]) -> &'t [u8] {
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"[]{},:\"".contains(byte);
    let (rest, word) = before.split_at(before.iter().rposition(is_end).map_or(0, |last| last + 1));
    let is_complete = after.first().is_some_and(is_end) && validate(word).is_ok();
    if is_complete { before } else { rest }
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
    use std::io::ErrorKind;

    use proptest::prelude::*;
    use serde_json::Value;

    use crate::{values, values_in};
    use jsonx_testing::cases;

    /// A reader that returns one byte at a time.
    struct Slow<'t>(&'t [u8]);

    impl std::io::Read for Slow<'_> {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            let count = out.len().min(1);
            self.0.read(&mut out[..count])
        }
    }

    /// A reader that alternates between bytes and errors, or returns bytes and then only errors.
    struct Failing<'t> {
        text: &'t [u8],
        size: usize,
        pauses: bool,
        is_due: bool,
    }

    impl<'t> Failing<'t> {
        fn pausing(text: &'t [u8], size: usize) -> Self {
            Failing {
                text,
                size,
                pauses: true,
                is_due: false,
            }
        }

        fn at(text: &'t [u8], size: usize) -> Self {
            Failing {
                pauses: false,
                ..Failing::pausing(text, size)
            }
        }
    }

    impl std::io::Read for Failing<'_> {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            self.is_due = !self.is_due;
            match self.pauses {
                true if !self.is_due => return Err(ErrorKind::WouldBlock.into()),
                false if self.text.is_empty() => return Err(ErrorKind::ConnectionReset.into()),
                _ => {}
            }
            let count = out.len().min(self.size);
            self.text.read(&mut out[..count])
        }
    }

    /// The values of a reader up to the first error, and whether there was one. Checks that nothing follows it.
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

    /// The values and their ends up to the first error, and whether there was one. Checks that nothing follows it.
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
        prop::sample::select(vec![
            "",
            "",
            "",
            "]",
            "nul",
            "[1",
            "\"a",
            "oops",
            "{\"a\" 1}",
            "[1, 2,]",
            "\"\u{1}\"",
            ",",
            "[}",
            "nulll",
            "+1",
        ])
    }

    #[test]
    fn an_error_has_its_position() {
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

    /// Memory is proportional to the largest value.
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

        /// Also texts longer than a chunk; an error may be found before earlier values have been read.
        #[test]
        fn like_serde_json(
            pieces in pieces(),
            copies in prop_oneof![30 => Just(1usize), 1 => Just(400)],
            broken in broken(),
        ) {
            let text = pieces.concat().repeat(copies) + " " + broken;
            let (found, expected) = (ours(text.as_bytes()), theirs(text.as_bytes()));
            prop_assert_eq!(found.1, expected.1);
            // Including all values before the error.
            prop_assert_eq!(found.0, expected.0);
        }
    }

    proptest! {
        // Fewer cases: a slow reader takes a step per byte.
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn a_reader_gives_the_same(pieces in pieces(), broken in broken()) {
            let text = pieces.concat() + " " + broken;
            let expected = theirs(text.as_bytes());
            let all: Vec<&Value> = expected.0.iter().map(|(value, _)| value).collect();
            for (found, is_broken) in [of_reader(text.as_bytes()), of_reader(Slow(text.as_bytes()))] {
                prop_assert_eq!(is_broken, expected.1);
                prop_assert_eq!(found.iter().collect::<Vec<_>>(), &all[..]);
            }
        }

        /// A reader that pauses at every byte loses nothing, and one that fails yields the complete values.
        #[test]
        fn a_reader_that_fails_loses_nothing(
            pieces in pieces(),
            broken in broken(),
            size in 1usize..100,
            fails: prop::sample::Index,
        ) {
            let text = pieces.concat() + " " + broken;
            let expected = theirs(text.as_bytes());
            let all: Vec<&Value> = expected.0.iter().map(|(value, _)| value).collect();
            let paused = values::<Value, _>(Failing::pausing(text.as_bytes(), size));
            let (mut found, mut is_broken) = (Vec::new(), false);
            for value in paused {
                match value {
                    Ok(value) => found.push(value),
                    Err(error) if error.is_syntax() => is_broken = true,
                    Err(error) => prop_assert_eq!(error.io_error_kind(), Some(ErrorKind::WouldBlock)),
                }
            }
            prop_assert_eq!(found.iter().collect::<Vec<_>>(), &all[..]);
            prop_assert_eq!(is_broken, expected.1);

            let end = fails.index(text.len() + 1);
            let mut failed = values::<Value, _>(Failing::at(&text.as_bytes()[..end], size));
            let read: Vec<_> = failed.by_ref().collect();
            let (last, values) = read.split_last().unwrap();
            prop_assert!(last.is_err());
            let values: Vec<&Value> = values.iter().map(|value| value.as_ref().unwrap()).collect();
            let complete = expected.0.iter().take_while(|(value, at)| {
                // A number may be incomplete when the reader fails.
                *at < end || *at == end && !value.is_number() && !text.as_bytes()[end - 1].is_ascii_alphabetic()
            });
            let complete: Vec<&Value> = complete.map(|(value, _)| value).collect();
            prop_assert_eq!(values, complete, "{:?}", &text.as_bytes()[..end]);
            prop_assert!(failed.next().is_none());
        }

        /// Elements of an array come before the error after them.
        #[test]
        fn elements_before_an_error_come_first(
            count in 0usize..40,
            copies in prop_oneof![20 => Just(1usize), 1 => Just(3000)],
            broken in prop::sample::select(vec!["oops", "2oops", "[1}", "\"\u{1}\"", "1 2", "}", "nul]"]),
        ) {
            let element = "{\"id\": [1, \"\\n\"]}, 17, ";
            let text = format!("[{}{broken}", element.repeat(count * copies));
            for mut elements in [Box::new(crate::elements::<Value, _>(text.as_bytes(), "").unwrap()) as Box<dyn Iterator<Item = _>>,
                Box::new(crate::elements::<Value, _>(Slow(text.as_bytes()), "").unwrap())]
            {
                let read = elements.by_ref().take_while(Result::is_ok).count();
                let more = usize::from(broken == "1 2");
                prop_assert_eq!(read, 2 * count * copies + more);
                prop_assert!(elements.next().is_none());
                if copies > 1 {
                    break;
                }
            }
        }
    }
}
