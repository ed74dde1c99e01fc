use proptest::prelude::*;

use super::Dialect;
use super::filter::Filter;
use super::reference::filtered;
use crate::SyntaxError;
use crate::agreement::{valid_text, windowed};
use crate::engine::{
    Chunk, Interest, Kernel, Mode, Options, Sink, Stop, Validator, Verdict, validate_with,
};
use crate::verify::machine::Machine;
use jsonx_testing::cases;

const DIALECTS: [Dialect; 2] = [Dialect::Comments, Dialect::Jsonc];

/// The fragments of random texts: comments and their delimiters, strings with both, backslashes, commas, and other
/// tokens.
const FRAGMENTS: &[&str] = &[
    "// line\n",
    "//\r",
    "// \"quote\n",
    "// \\\n",
    "// é ✓\r\n",
    "/**/",
    "/*/",
    "/* \" */",
    "/* \\*/",
    "/***/",
    "/* a\n b */",
    "/* // */",
    "// /* \n",
    "*/",
    "/",
    "*",
    "\"a\"",
    "\"//\"",
    "\"/* */\"",
    "\"\\\"\"",
    "\"\\\\\"",
    "\"\\\\\\\" , ]\"",
    "\", ]\"",
    "\"",
    "\\",
    "\\\"",
    ",",
    ",]",
    ", }",
    ",\n]",
    ", // c\n ]",
    "[",
    "]",
    "{",
    "}",
    "\"k\":",
    ":",
    "1",
    "-0.5e3",
    "true",
    "nul",
    " ",
    "\n",
    "\t",
    "                                                                ",
    "\u{1}",
];

fn soup() -> impl Strategy<Value = Vec<u8>> {
    let bytes: Vec<Vec<u8>> = FRAGMENTS
        .iter()
        .map(|fragment| fragment.as_bytes().to_vec())
        .chain([b"\xC3".to_vec(), b"\x80".to_vec(), b"\xE2\x82".to_vec()])
        .collect();
    prop::collection::vec(prop::sample::select(bytes), 0..60).prop_map(|pieces| pieces.concat())
}

/// A valid text with comments and trailing commas at every position that allows them.
fn commented() -> impl Strategy<Value = Vec<u8>> {
    (
        prop::collection::vec(any::<u32>(), 0..120),
        prop::collection::vec(0..40_usize, 1..40),
    )
        .prop_map(|(choices, positions)| with_comments(&valid_text(&choices), &positions))
}

/// As [`commented`], with a comment of any length after the first comma.
fn with_a_long_comment() -> impl Strategy<Value = Vec<u8>> {
    (
        prop::collection::vec(any::<u32>(), 0..120),
        prop::collection::vec(0..40_usize, 1..40),
        0..30_000_usize,
    )
        .prop_map(|(choices, positions, length)| {
            let mut text = valid_text(&choices);
            if let Some(comma) = first_comma(&text) {
                let comment = [b"/*", &b"*".repeat(length)[..], b"*/"].concat();
                text.splice(comma + 1..comma + 1, comment);
            }
            with_comments(&text, &positions)
        })
}

/// The first comma outside of the strings of a valid text.
fn first_comma(text: &[u8]) -> Option<usize> {
    let mut inside = false;
    let mut escaped = false;
    text.iter().position(|&byte| {
        match byte {
            b'"' if !escaped => inside = !inside,
            b',' if !inside => return true,
            _ => {}
        }
        escaped = byte == b'\\' && !escaped;
        false
    })
}

/// Puts comments between the tokens of a valid text, and commas before some of its closing brackets.
pub(crate) fn with_comments(text: &[u8], choices: &[usize]) -> Vec<u8> {
    const COMMENTS: [&str; 12] = [
        "// one\n",
        " /* two */ ",
        "/***/",
        "\n// \"\n",
        "/* // \" \\ */",
        "//\r\n",
        "\n\n  /* a\n   b */\n",
        " // é\n",
        "/*,]}*/",
        "\n",
        " ",
        "/* a long comment that fills more than one block of sixty-four bytes, to its end */",
    ];
    let mut out = Vec::new();
    let mut inside = false;
    let mut escaped = false;
    let mut last = b'[';
    for (at, &byte) in text.iter().enumerate() {
        let choice = choices[at % choices.len()] + at / choices.len();
        if !inside && b"{}[]:,".contains(&byte) {
            if b"]}".contains(&byte) && !b"[{".contains(&last) && choice.is_multiple_of(3) {
                out.push(b',');
            }
            if let Some(comment) = COMMENTS.get(choice % 40) {
                out.extend_from_slice(comment.as_bytes());
            }
        }
        if inside {
            inside = byte != b'"' || escaped;
            escaped = byte == b'\\' && !escaped;
        } else {
            inside = byte == b'"';
        }
        if !byte.is_ascii_whitespace() {
            last = byte;
        }
        out.push(byte);
        if !inside
            && b"{}[]:,".contains(&byte)
            && let Some(comment) = COMMENTS.get(choice / 3 % 40)
        {
            out.extend_from_slice(comment.as_bytes());
        }
    }
    out
}

/// The text after a filter that receives `size` bytes at a time.
fn in_segments(
    text: &[u8],
    dialect: Dialect,
    kernel: Kernel,
    size: usize,
) -> (Vec<u8>, Vec<usize>, Option<bool>) {
    let mut filter = Filter::new(dialect.allows_trailing_commas());
    let mut trailing = Vec::new();
    let mut seen = Vec::new();
    for segment in text.chunks(size) {
        let from = seen.len();
        seen.extend_from_slice(segment);
        if let Err((_, at)) = filter.run(kernel, &mut seen, from, &mut trailing) {
            seen.truncate(at);
            return (seen, positions(&trailing), None);
        }
    }
    let may_end = filter.may_end();
    (seen, positions(&trailing), Some(may_end))
}

fn positions(trailing: &[super::filter::Trailing]) -> Vec<usize> {
    trailing.iter().map(|found| found.comma).collect()
}

fn check_filter(text: &[u8], sizes: &[usize]) {
    for dialect in DIALECTS {
        let expected = filtered(text, dialect);
        for kernel in Kernel::available() {
            for &size in sizes {
                let (seen, trailing, may_end) = in_segments(text, dialect, kernel, size);
                let shown = String::from_utf8_lossy(text);
                let (is, should) = (
                    String::from_utf8_lossy(&seen),
                    String::from_utf8_lossy(&expected.text),
                );
                assert_eq!(is, should, "{kernel:?}, {size} at a time: {shown:?}");
                assert_eq!(
                    may_end, expected.may_end,
                    "{kernel:?}, {size} at a time: {shown:?}"
                );
                assert_eq!(
                    trailing, expected.trailing,
                    "{kernel:?}, {size} at a time: {shown:?}"
                );
            }
        }
    }
}

/// The verdict of the machine on the text filtered by the reference.
fn expected(text: &[u8], dialect: Dialect, mode: Mode) -> Result<(), SyntaxError> {
    let filtered = filtered(text, dialect);
    let mut machine = Machine::new(mode == Mode::Stream, u64::MAX);
    let error = |kind, at: usize| {
        Err(SyntaxError {
            kind,
            offset: at as u64,
        })
    };
    for (at, &byte) in filtered.text.iter().enumerate() {
        let read = if filtered.trailing.contains(&at) {
            machine.trailing_comma()
        } else {
            machine.step(byte)
        };
        if let Err(kind) = read {
            return error(kind, at);
        }
    }
    let at = filtered.text.len();
    match filtered.may_end {
        Some(true) => machine.finish().or_else(|kind| error(kind, at)),
        Some(false) => error(crate::ErrorKind::UnexpectedEnd, at),
        None if std::str::from_utf8(&text[..at]).is_err() => {
            error(crate::ErrorKind::InvalidUtf8, at)
        }
        None if text[at - 1] == b'/' && filtered.text[at - 1] == b' ' && text[at] < 0x80 => {
            error(crate::ErrorKind::ExpectedComment, at)
        }
        // An invalid byte after a slash or in a comment.
        None => validate_with(text, Options::default().dialect(dialect).mode(mode)),
    }
}

fn check_verdict(text: &[u8], sizes: &[usize]) {
    for dialect in DIALECTS {
        for mode in [Mode::One, Mode::Stream] {
            let expected = expected(text, dialect, mode);
            for kernel in Kernel::available() {
                let options = Options::default()
                    .dialect(dialect)
                    .mode(mode)
                    .kernel(kernel);
                let shown = String::from_utf8_lossy(text);
                assert_eq!(
                    validate_with(text, options),
                    expected,
                    "{dialect:?} {mode:?} {kernel:?}: {shown:?}"
                );
                for &size in sizes {
                    let verdict = windowed(text, options, size);
                    assert_eq!(
                        verdict, expected,
                        "{dialect:?} {mode:?} {kernel:?} {size}: {shown:?}"
                    );
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn the_filter_agrees_with_the_reference(text in soup(), size in 1..200_usize) {
        check_filter(&text, &[1, size, 64, 128, usize::MAX]);
    }

    #[test]
    fn the_filter_agrees_with_the_reference_on_valid_text(text in commented(), size in 1..200_usize) {
        check_filter(&text, &[1, size, usize::MAX]);
    }

    #[test]
    fn verdicts_agree_with_the_reference(text in soup(), size in 1..200_usize) {
        check_verdict(&text, &[1, size, 64]);
    }

    #[test]
    fn commented_text_is_valid(text in commented(), size in 1..200_usize) {
        let options = Options::default().dialect(Dialect::Jsonc).mode(Mode::Stream);
        let shown = String::from_utf8_lossy(&text);
        prop_assert_eq!(validate_with(&text, options), Ok(()), "{}", shown);
        check_verdict(&text, &[1, size, 64]);
    }
}

#[test]
fn an_error_after_a_trailing_comma_of_an_earlier_chunk() {
    // Found by a property test: at the stray `*/`, two chunks were waiting.
    let text = b"[\"//\"// line\n/* \" *//* \" */, // c\n ]// \"quote\n// line\n// line\n//* a\n b */\"a\"";
    check_verdict(text, &[1, 64]);
}

/// Each text at every position in a block, and in windows that end at every byte.
#[test]
fn comments_at_every_position_in_a_block() {
    let texts: &[&[u8]] = &[
        b"[1,// c\n]",
        b"[\"//\",/* \" */\"\\\\\",]",
        b"{\"a\\\"/*\": 1 /***/ ,\r\n}",
        b"[1 /* * / **/, 2, // [\r]",
        b"[1, /x]",
        b"[1, / ]",
        b"[1 */]",
        b"[1, /* \xC3\xA9 \xC3 */]",
        b"[1 // \xE2\x82\n]",
        b"[1] /* never closed *",
        b"[1] // \xE2\x82",
        b"[1] /",
        b"{\"a\" , }",
        b"[1, , ]",
        b"[ , ]",
        b"{\"a\": , }",
        b"[1, }",
        b"[[1], ], ]",
    ];
    for text in texts {
        for before in 0..66 {
            let text = [&b" ".repeat(before)[..], text].concat();
            check_filter(&text, &[7, 64, usize::MAX]);
            check_verdict(&text, &[7, 64]);
        }
        for size in 1..=text.len() {
            check_filter(text, &[size]);
            check_verdict(text, &[size]);
        }
    }
}

/// Records its input.
#[derive(Default)]
struct Shown {
    wants_source: bool,
    bytes: Vec<u8>,
    source: Vec<u8>,
    /// The length of the longest chunk.
    longest: usize,
}

impl Sink for Shown {
    type Error = std::convert::Infallible;
    type Output = Self;

    fn interest(&self, _: Mode) -> Interest {
        Interest {
            source: self.wants_source,
            ..Interest::default()
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Self::Error> {
        assert_eq!(chunk.offset, self.bytes.len() as u64);
        self.bytes.extend_from_slice(chunk.bytes);
        self.source.extend_from_slice(chunk.source);
        self.longest = self.longest.max(chunk.bytes.len());
        Ok(())
    }

    fn finish(self) -> Result<Self, Self::Error> {
        Ok(self)
    }
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn a_sink_sees_the_filtered_text_and_its_source(text in with_a_long_comment(), size in 1..300_usize) {
        let dialect = Dialect::Jsonc;
        let verdict = validate_with(&text, Options::default().dialect(dialect).mode(Mode::Stream));
        prop_assert_eq!(verdict, Ok(()), "{}", String::from_utf8_lossy(&text));
        let expected = filtered(&text, dialect).text;
        for wants_source in [false, true] {
            let mut shown = Shown { wants_source, ..Shown::default() };
            let mut validator = Validator::new(Options::default().dialect(dialect).mode(Mode::Stream));
            let mut written = 0;
            for window in text.chunks(size) {
                validator.write(window, &mut shown).unwrap();
                written += window.len() as u64;
                prop_assert_eq!(validator.offset(), written);
                // A clone continues in place of the original.
                validator = validator.clone();
            }
            let shown = validator.finish(shown).unwrap();
            prop_assert!(shown.bytes == expected || !wants_source && blank(&shown.bytes) == blank(&expected));
            if wants_source {
                prop_assert!(shown.source == text);
            } else {
                prop_assert!(shown.source.is_empty());
            }
            prop_assert!(shown.longest <= 8 << 10);
        }
    }
}

/// Replaces other white space, which is lost after a comma with a long comment, by spaces. Strings contain none.
fn blank(text: &[u8]) -> Vec<u8> {
    text.iter()
        .map(|&byte| match byte {
            b'\r' | b'\n' | b'\t' => b' ',
            other => other,
        })
        .collect()
}

#[test]
fn memory_is_constant() {
    let mut validator = Validator::new(Options::default().dialect(Dialect::Jsonc));
    validator.write(b"[1, /*", &mut Verdict).unwrap();
    for _ in 0..1000 {
        validator.write(&[b'x'; 10_000], &mut Verdict).unwrap();
    }
    assert_eq!(validator.offset(), 10_000_006);
    let waiting: usize = validator.verified() as usize;
    assert!(waiting < 10);
    validator.write(b"*/", &mut Verdict).unwrap();
    let complete = validator.clone().check(b"]", Verdict);
    assert_eq!(complete, Ok(()));
    let wrong = validator.check(b",]", Verdict);
    assert!(matches!(wrong, Err(Stop::Invalid(error)) if error.offset == 10_000_008));
}
