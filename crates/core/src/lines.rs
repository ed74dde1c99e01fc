//! JSON Lines: checks whether each value of a stream is on its own line.

use memchr::memchr_iter;

use crate::token::{Chunk, Interest, Mode, Sink};

/// A sink that forwards a stream of values to another sink and checks whether the input is also JSON Lines: each line
/// is one value, or blank.
///
/// Creating a validator per line costs more than checking a short line. This sink only inspects the first and the last
/// byte of each line, and needs no tokens:
///
/// 1. *No value continues past a line end.* Of two adjacent tokens in a container of a valid document one is punctuation:
///    the first is `{`, `[`, `,` or `:`, or the second is `}`, `]`, `,` or `:`. At the root neither is: the first ends a
///    value and the second begins one. So a line end is at the root exactly if neither the last token before it nor the
///    first one after it is such punctuation. (A string contains no line end.)
/// 2. *There are as many values as non-blank lines.* By 1, each of those lines holds at least one value.
///
/// ```
/// use jsonx_core::engine::{Mode, OnePerLine, Options, Validator, Verdict};
///
/// let is_lines = |text: &str| {
///     let mut lines = OnePerLine::new(Verdict);
///     let options = Options::default().mode(Mode::Stream);
///     Validator::new(options).check(text.as_bytes(), &mut lines).unwrap();
///     lines.holds()
/// };
/// assert!(is_lines("{\"a\": 1}\n\n[2, 3]\r\n4"));
/// assert!(!is_lines("1 2\n"));
/// assert!(!is_lines("[1,\n2]\n"));
/// ```
#[doc(hidden)]
#[derive(Debug)]
pub struct OnePerLine<S> {
    inner: S,
    lines: LineValues,
}

/// The lines and the values of a stream so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineValues {
    /// The last byte of the current line that is not white space.
    last: Option<u8>,
    /// Number of line feeds.
    breaks: u64,
    /// Number of non-blank lines.
    filled: u64,
    /// Number of values begun after the first.
    further: u64,
    /// A line has ended inside a value.
    broken: bool,
}

impl<S: Sink> OnePerLine<S> {
    /// Wraps a sink, which receives every chunk unchanged.
    pub fn new(inner: S) -> OnePerLine<S> {
        OnePerLine {
            inner,
            lines: LineValues::default(),
        }
    }
}

impl<S> OnePerLine<S> {
    /// Whether every line so far is blank or one value.
    ///
    /// No value continues past its line, so each non-blank line has a value. If there are no more values than such
    /// lines, each has exactly one.
    pub fn holds(&self) -> bool {
        self.lines.have_one_each()
    }

    /// Number of line feeds so far.
    pub fn breaks(&self) -> u64 {
        self.lines.breaks
    }

    /// Number of non-blank lines so far. This is the number of values if [`OnePerLine::holds`].
    pub fn filled(&self) -> u64 {
        self.lines.filled
    }

    /// Number of values begun so far.
    pub fn values(&self) -> u64 {
        match self.lines.filled {
            0 => 0,
            _ => self.lines.further + 1,
        }
    }

    /// Returns the inner sink.
    pub fn into_inner(self) -> S {
        self.inner
    }
}

impl LineValues {
    /// Whether every line so far is blank or one value.
    pub(crate) fn have_one_each(&self) -> bool {
        // A non-blank line implies a first value.
        !self.broken && (self.filled == 0 || self.further + 1 == self.filled)
    }

    /// Adds the text of a chunk, in which `further_roots` values begin after the first.
    pub(crate) fn add(&mut self, text: &[u8], further_roots: u64) {
        self.further += further_roots;
        let mut start = 0;
        for end in memchr_iter(b'\n', text) {
            self.part(&text[start..end]);
            self.broken |= matches!(self.last.take(), Some(b'{' | b'[' | b',' | b':'));
            self.breaks += 1;
            start = end + 1;
        }
        self.part(&text[start..]);
    }

    /// Handles bytes of one line, without its line feed.
    #[inline]
    fn part(&mut self, part: &[u8]) {
        let white = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r');
        let Some(last) = part.iter().rposition(|byte| !white(byte)) else {
            return;
        };
        if self.last.is_none() {
            self.filled += 1;
            let first = part.iter().find(|byte| !white(byte));
            self.broken |= matches!(first, Some(b'}' | b']' | b',' | b':'));
        }
        // In a string this may be any of its bytes, but then its closing quote is still to come.
        self.last = Some(part[last]);
    }
}

impl<S: Sink> Sink for OnePerLine<S> {
    type Error = S::Error;
    type Output = OnePerLine<S::Output>;

    fn interest(&self, mode: Mode) -> Interest {
        self.inner.interest(mode)
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), S::Error> {
        self.lines.add(chunk.bytes, chunk.further_roots);
        self.inner.chunk(chunk)
    }

    fn finish(self) -> Result<OnePerLine<S::Output>, Self::Error> {
        Ok(OnePerLine {
            inner: self.inner.finish()?,
            lines: self.lines,
        })
    }
}

#[cfg(test)]
mod tests {
    use jsonx_testing::cases;
    use proptest::prelude::*;

    use super::*;
    use crate::engine::{Kernel, Options, Validator, Verdict, validate_with};

    /// Validates each line separately.
    fn naive(text: &str) -> bool {
        text.split('\n').all(|line| {
            let blank = line.bytes().all(|byte| b" \t\r".contains(&byte));
            blank || validate_with(line.as_bytes(), Options::default()).is_ok()
        })
    }

    fn fragment() -> impl Strategy<Value = String> {
        prop_oneof![
            4 => "[0-9]{1,40}",
            4 => "[a-z{}\\[\\], ]{0,90}".prop_map(|text| format!("{{\"t\\n\": \"{text}\", \"u\": [{{}}, 1]}}")),
            2 => "\"[a-z]{0,70}\"",
            1 => Just("[1,\n2]".to_owned()),
            1 => Just("[]\n".to_owned()),
            1 => Just(" \t".to_owned()),
        ]
    }

    proptest! {
        #![proptest_config(cases(2_000))]
        #[test]
        fn like_line_by_line(
            pieces in prop::collection::vec(fragment(), 0..20),
            gap in prop::sample::select(&["\n", "\n\n", "\r\n", "\n", " "][..]),
        ) {
            let text = pieces.join(gap);
            for kernel in Kernel::available() {
                let options = Options::default().mode(Mode::Stream).kernel(kernel);
                let mut lines = OnePerLine::new(Verdict);
                let mut validator = Validator::new(options);
                let (blocks, rest) = text.as_bytes().as_chunks::<128>();
                let fed = blocks.iter().try_for_each(|block| validator.write(block, &mut lines));
                if fed.and_then(|()| validator.check(rest, &mut lines)).is_ok() {
                    prop_assert_eq!(lines.holds(), naive(&text), "{:?}", text);
                }
            }
        }
    }
}

#[cfg(test)]
mod pieces {
    use super::*;
    use crate::engine::{Options, Validator, Verdict};
    use crate::validate;
    use jsonx_testing::cases;
    use proptest::prelude::*;

    fn fast(text: &[u8], window: usize) -> bool {
        let mut lines = OnePerLine::new(Verdict);
        let mut validator = Validator::new(Options::default().mode(Mode::Stream));
        for window in text.chunks(window) {
            if validator.write(window, &mut lines).is_err() {
                return false;
            }
        }
        let valid = validator.finish(&mut lines).is_ok() && lines.holds();
        if valid {
            let feeds = text.iter().filter(|&&byte| byte == b'\n').count();
            assert_eq!(lines.breaks(), feeds as u64);
            let filled = text
                .split(|&byte| byte == b'\n')
                .filter(|line| !blank(line));
            assert_eq!(lines.filled(), filled.count() as u64);
        }
        valid
    }

    fn blank(line: &[u8]) -> bool {
        line.iter().all(|byte| b" \t\r".contains(byte))
    }

    /// Validates each line as a document.
    fn one_by_one(text: &[u8]) -> bool {
        text.split(|&byte| byte == b'\n')
            .all(|line| blank(line) || validate(line).is_ok())
    }

    /// Fragments of values, so that many inputs are valid streams and few of them valid lines.
    fn fragment() -> impl Strategy<Value = String> {
        prop_oneof![
            8 => Just("\n"),
            3 => Just("[1]"),
            2 => Just("{}"),
            2 => Just("{\"a\":[{}]}"),
            2 => Just("\"{   [ \""),
            2 => Just("\"a\""),
            2 => Just("1"),
            1 => Just("null"),
            1 => Just("[{\"a\":1},"),
            1 => Just("{\"k\":"),
            1 => Just("{\"k\""),
            1 => Just(":"),
            1 => Just(","),
            1 => Just("["),
            1 => Just("{"),
            2 => Just("]"),
            2 => Just("}"),
            2 => Just(" "),
            1 => Just("\r"),
            1 => Just("                                                             "),
        ]
        .prop_map(str::to_owned)
    }

    /// A stream of values with white space of any kind between the tokens.
    fn stream() -> impl Strategy<Value = String> {
        let space =
            prop_oneof![4 => Just(""), 2 => Just(" "), 3 => Just("\n"), 1 => Just("\r\n\n")];
        let value = prop_oneof![
            Just(vec!["[", "1", ",", "{", "}", "]"]),
            Just(vec![
                "{", "\"a\"", ":", "[", "]", ",", "\"b\"", ":", "2", "}"
            ]),
            Just(vec!["\"s\""]),
            Just(vec!["[", "[", "]", "]"]),
            Just(vec!["true"]),
        ];
        prop::collection::vec((value, prop::collection::vec(space, 12)), 0..8).prop_map(|values| {
            let mut text = String::new();
            for (tokens, spaces) in values {
                for (token, space) in tokens.into_iter().zip(spaces) {
                    text += token;
                    text += space;
                }
                text += if text.len().is_multiple_of(3) {
                    " "
                } else {
                    "\n"
                };
            }
            text
        })
    }

    proptest! {
        #![proptest_config(cases(4000))]
        #[test]
        fn agrees_with_line_by_line_validation(
            pieces in prop::collection::vec(fragment(), 0..24),
            window in 64usize..300,
        ) {
            let text = pieces.concat().into_bytes();
            prop_assert_eq!(fast(&text, window), one_by_one(&text));
        }

        #[test]
        fn accepts_streams_with_one_value_per_line(
            text in stream(),
            window in 64usize..300,
        ) {
            prop_assert_eq!(fast(text.as_bytes(), window), one_by_one(text.as_bytes()));
        }
    }
}
