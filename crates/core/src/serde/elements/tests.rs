//! Values and elements of readers against serde_json, in pieces of any size.

use std::io::ErrorKind;

use proptest::prelude::*;
use serde_json::Value;

use crate::values;

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
    let mut values = values::<u8, _>(&b"1 2\n\"x\" 4"[..]);
    assert_eq!(values.by_ref().take(2).map(Result::unwrap).sum::<u8>(), 3);
    let error = values.next().unwrap().unwrap_err();
    assert_eq!(
        (error.offset(), error.line(), error.column()),
        (Some(4), Some(2), Some(1))
    );
    assert_eq!(values.next().unwrap().unwrap(), 4);
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
    // Fewer cases: a slow reader takes a step per byte.
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn like_serde_json(pieces in pieces(), broken in broken()) {
        let text = pieces.concat() + " " + broken;
        // Longer than a chunk, too: an error may be found before earlier values have been read.
        // With white space between the copies, or their digits would be one number that no `f64` holds.
        let long = (pieces.concat() + " ").repeat(400) + broken;
        let (found, is_broken) = of_reader(long.as_bytes());
        let expected = theirs(long.as_bytes());
        prop_assert_eq!((found.len(), is_broken), (expected.0.len(), expected.1));
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
