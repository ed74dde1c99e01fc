//! JSON Lines: whether each value of a stream has a line to itself.

use memchr::memchr_iter;

use crate::token::{Chunk, Sink, Wanted};
use crate::window::Mode;

/// A sink that hands a stream of values on to another, and finds out on the way whether the text is also JSON Lines:
/// every line one value, or blank.
///
/// ```
/// use jsonx_core::{Mode, OnePerLine, Options, Validator, Verdict};
///
/// let is_lines = |text: &str| {
///     let mut lines = OnePerLine::new(Verdict);
///     let options = Options::default().mode(Mode::Stream);
///     Validator::new(options).finish(text.as_bytes(), &mut lines).unwrap();
///     lines.holds()
/// };
/// assert!(is_lines("{\"a\": 1}\n\n[2, 3]\r\n4"));
/// assert!(!is_lines("1 2\n"));
/// assert!(!is_lines("[1,\n2]\n"));
/// ```
#[derive(Debug)]
pub struct OnePerLine<S> {
    inner: S,
    /// How many containers are open.
    depth: i64,
    /// Something stands on the present line.
    in_line: bool,
    /// Lines before it on which something stands.
    lines: u64,
    /// Values that have begun.
    values: u64,
    /// A line has ended inside of a value.
    broken: bool,
}

impl<S: Sink> OnePerLine<S> {
    /// A check around a sink.
    pub fn new(inner: S) -> OnePerLine<S> {
        OnePerLine {
            inner,
            depth: 0,
            in_line: false,
            lines: 0,
            values: 0,
            broken: false,
        }
    }

    /// Whether every line so far is blank or one value.
    ///
    /// No value goes on behind its line, so each line with something on it has a value; if there are no more values than
    /// such lines, each has one.
    pub fn holds(&self) -> bool {
        !self.broken && self.lines + u64::from(self.in_line) == self.values
    }

    /// The sink inside.
    pub fn into_inner(self) -> S {
        self.inner
    }
}

impl<S: Sink> Sink for OnePerLine<S> {
    type Error = S::Error;

    fn wanted(&self, mode: Mode) -> Wanted {
        Wanted {
            tokens: true,
            ..self.inner.wanted(mode)
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), S::Error> {
        if self.values == 0 && !chunk.kinds.is_empty() {
            self.values = 1;
        }
        self.values += chunk.further_roots;
        let mut seen = 0;
        for line_feed in memchr_iter(b'\n', chunk.bytes) {
            let rest = &chunk.offsets[seen..];
            let before = seen + rest.partition_point(|&at| (at as usize) < line_feed);
            self.depth += balance(&chunk.kinds[seen..before]);
            self.in_line |= before > seen;
            self.lines += u64::from(self.in_line);
            self.in_line = false;
            self.broken |= self.depth != 0;
            seen = before;
        }
        self.depth += balance(&chunk.kinds[seen..]);
        self.in_line |= seen < chunk.kinds.len();
        self.inner.chunk(chunk)
    }
}

/// How many more containers these tokens open than they close.
fn balance(kinds: &[u8]) -> i64 {
    // With this bit set, both opening brackets are one byte, and both closing ones another.
    let level = |kind: &u8| i8::from(kind | 0x20 == b'{') - i8::from(kind | 0x20 == b'}');
    let groups = kinds.chunks(64);
    groups
        .map(|group| i64::from(group.iter().map(level).sum::<i8>()))
        .sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Kernel, Options, Validator, Verdict, validate_with};

    /// Each line by itself.
    fn naive(text: &str) -> bool {
        text.split('\n').all(|line| {
            let blank = line.bytes().all(|byte| b" \t\r".contains(&byte));
            blank || validate_with(line.as_bytes(), Options::default()).is_ok()
        })
    }

    fn piece() -> impl Strategy<Value = String> {
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
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn like_line_by_line(
            pieces in prop::collection::vec(piece(), 0..20),
            gap in prop::sample::select(&["\n", "\n\n", "\r\n", "\n", " "][..]),
        ) {
            let text = pieces.join(gap);
            for kernel in Kernel::available() {
                let options = Options::default().mode(Mode::Stream).kernel(kernel);
                let mut lines = OnePerLine::new(Verdict);
                let mut validator = Validator::new(options);
                let (blocks, rest) = text.as_bytes().as_chunks::<128>();
                let fed = blocks.iter().try_for_each(|block| validator.feed(block, &mut lines).map(drop));
                if fed.and_then(|()| validator.finish(rest, &mut lines)).is_ok() {
                    prop_assert_eq!(lines.holds(), naive(&text), "{:?}", text);
                }
            }
        }
    }
}
