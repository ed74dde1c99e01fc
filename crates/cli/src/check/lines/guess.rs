//! Decides from the first lines whether a text of unknown kind is JSON Lines, and finds broken records.

use jsonx_core::engine::{Mode, Options, Stop, Validator, Verdict};
use jsonx_core::{ErrorKind, SyntaxError};

use super::line::filled_lines;

/// Maximum number of bytes examined.
pub const EXAMINED: usize = 1 << 20;

/// Maximum number of lines examined if the first one is not a value.
const EXAMINED_LINES: usize = 64;

/// Whether a line is one value, or consists of whole arrays or objects: two writers of a log may share a line. `options` are those
/// for one value.
fn is_value(line: &[u8], options: Options) -> bool {
    let mode = match kind(line) {
        b'{' | b'[' => Mode::Stream,
        _ => Mode::One,
    };
    Validator::new(options.mode(mode))
        .check(line, Verdict)
        .is_ok()
}

/// Whether a line ends where a value that spans lines could be divided.
fn is_open(line: &[u8]) -> bool {
    matches!(
        line.trim_ascii_end().last(),
        Some(b'{' | b'[' | b',' | b':')
    )
}

/// Whether a value continues after a text.
fn is_start(text: &[u8], options: Options) -> bool {
    let error = stream_error(text, options);
    error.is_some_and(|error| error.kind == ErrorKind::UnexpectedEnd)
}

/// Classifies the start of a line: the bracket, or any other token.
fn kind(line: &[u8]) -> u8 {
    match line.trim_ascii_start().first() {
        Some(bracket @ (b'{' | b'[' | b'}' | b']')) => *bracket,
        _ => b'0',
    }
}

/// The answer for a text that may continue; `None` if more of it is needed.
pub type Examined = Option<bool>;

/// The non-blank whole lines at the start of a text and their offsets, followed by `None` if more text may follow.
fn whole_lines(text: &[u8], ended: bool) -> impl Iterator<Item = Option<(usize, &[u8])>> {
    let whole = match ended {
        true => text,
        false => &text[..memchr::memrchr(b'\n', text).map_or(0, |end| end + 1)],
    };
    let is_continuation = !ended && text.len() < EXAMINED;
    filled_lines(whole)
        .map(Some)
        .chain(is_continuation.then_some(None))
}

/// Whether an invalid text is JSON Lines with broken lines, judged by its first lines: at least two, and half of all so far, are
/// one value, and begin alike. If the first line may continue, no later line closes its brackets. Between objects or arrays,
/// adjacent lines of other text, such as a stack trace, count as one. `ended`: the text is complete. With `early`, as few lines as
/// possible decide, so that a pipe need not wait for more.
pub fn are_lines(text: &[u8], ended: bool, options: Options, early: bool) -> Examined {
    // The headers of a response are no lines of a log.
    if text.starts_with(b"HTTP/") {
        return Some(false);
    }
    let (mut lines, mut values, mut begins) = (0, [0; 3], [0; 3]);
    let (mut is_open_at_first, mut is_closed) = (false, false);
    let mut continues = true;
    // The lines with adjacent ones of other text as one, and the end of such text.
    let (mut blocks, mut other_end) = (0, None);
    for line in whole_lines(text, ended).take(EXAMINED_LINES) {
        let (at, line) = line?;
        // Nor is Markdown, whose fences name a language.
        if line.starts_with(b"```") && line.get(3).is_some_and(u8::is_ascii_alphabetic) {
            return Some(false);
        }
        lines += 1;
        is_open_at_first |= lines == 1 && is_open(line);
        is_closed |= lines > 1 && matches!(kind(line), b'}' | b']');
        let kind = match kind(line) {
            b'{' => 0,
            b'[' => 1,
            _ => 2,
        };
        begins[kind] += 1;
        let is_value = is_value(line, options);
        values[kind] += usize::from(is_value);
        let is_other = kind == 2 && !is_value && !is_open_at_first;
        blocks += usize::from(!is_other || other_end != Some(at));
        other_end = is_other.then_some(at + line.len() + 1);
        continues &= lines <= 2 && is_open(line) && !is_value;
        let continues_twice =
            continues && lines == 2 && is_start(&text[..at + line.len()], options);
        // In a document, few lines are values.
        if is_open_at_first && (is_closed || continues_twice || 2 * values[kind] + 3 < lines) {
            return Some(false);
        }
        // After a banner, one record is enough.
        let is_after_banner =
            kind < 2 && is_value && lines > 1 && begins[2] == lines - 1 && values[2] == 0;
        let are_records = is_after_banner || are_records(kind, lines, blocks, values);
        if early && !is_open_at_first && are_records {
            return Some(true);
        }
    }
    // The last line of a file that is being written may be truncated.
    let is_cut = |kind| lines == 2 && begins[kind] == 2 && values[kind] == 1;
    let are_enough = (0..3).any(|kind| are_records(kind, lines, blocks, values));
    Some(are_enough || !is_open_at_first && (is_cut(0) || is_cut(1)))
}

/// Whether enough lines are values of a kind.
fn are_records(kind: usize, lines: usize, blocks: usize, values: [usize; 3]) -> bool {
    are_enough(if kind < 2 { blocks } else { lines }, values[kind])
}

/// Whether enough lines are values for the others to be broken records.
fn are_enough(lines: usize, valid: usize) -> bool {
    valid >= 2 && 2 * valid >= lines
}

/// Whether a text begins with one value per line: the first line is a value, so is a later one, and at most half of the lines
/// between them are broken. Later lines are irrelevant, so the start of a pipe is as conclusive as a file.
pub fn begins_with_lines(text: &[u8], ended: bool, options: Options) -> Examined {
    let (mut lines, mut valid, mut same) = (0, 0, true);
    let mut first = None;
    for line in whole_lines(text, ended).take(EXAMINED_LINES) {
        let (_, line) = line?;
        lines += 1;
        match is_value(line, options) {
            true => valid += 1,
            false if lines == 1 => return Some(false),
            false => {}
        }
        if are_enough(lines, valid) {
            return Some(true);
        }
        same &= *first.get_or_insert(kind(line)) == kind(line);
    }
    Some(lines == 2 && same && first != Some(b'0'))
}

/// Whether a stream may be read line by line, because its first line ends with a value, or because it is JSON Lines; with `skips`,
/// also because a value follows other text.
pub fn may_be_lines(text: &[u8], ended: bool, options: Options, skips: bool) -> Examined {
    match whole_lines(text, ended).next() {
        // Only white space, or the start of a long line.
        None => Some(ended),
        Some(None) => None,
        Some(Some((_, line))) if stream_error(line, options).is_none() => Some(true),
        Some(Some(_)) if skips && has_value_after_text(text, ended, options) => Some(true),
        Some(Some(_)) => are_lines(text, ended, options, true),
    }
}

/// Whether the first line that begins like JSON is a value.
fn has_value_after_text(text: &[u8], ended: bool, options: Options) -> bool {
    if text.starts_with(b"HTTP/") {
        return false;
    }
    let lines = whole_lines(text, ended).flatten().take(EXAMINED_LINES);
    let mut values = lines.map(|(_, line)| (kind(line), is_value(line, options)));
    let first = values.find(|&(kind, is_value)| kind != b'0' || is_value);
    first.is_some_and(|(_, is_value)| is_value)
}

/// The error in a stream of values.
pub fn stream_error(text: &[u8], options: Options) -> Option<SyntaxError> {
    let checked = Validator::new(options.mode(Mode::Stream)).check(text, Verdict);
    checked.err().map(|stop| match stop {
        Stop::Invalid(error) => error,
    })
}

/// Lines of an invalid batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run<'t> {
    /// A stream of values.
    Values(&'t [u8]),
    /// A broken record.
    Broken(&'t [u8]),
}

/// The reason why lines remain at the end of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// An incomplete value begins in them.
    Incomplete,
    /// A long value, or one with an error, spans lines.
    SpansLines,
}

/// Divides whole lines that are not a stream of values into streams, broken records and, if a value continues after them or
/// spans many lines, a rest. `ended`: the text is complete; `before`: lines with one value each before it. Returns the length and
/// the kind of the rest.
///
/// # Errors
/// Errors of `run`.
pub fn divide<'t, E>(
    text: &'t [u8],
    ended: bool,
    before: u64,
    options: Options,
    mut run: impl FnMut(Run<'t>) -> Result<(), E>,
) -> Result<Option<(usize, Rest)>, E> {
    // Values from here to `at` have not been passed on yet.
    let (mut from, mut at) = (0, 0);
    // Lines with values before `at`, if no value spans lines.
    let mut lines = before;
    while at < text.len() {
        let (length, line) = classify_line(&text[at..], ended, lines, options);
        let rest = match line {
            Line::Values => {
                lines = if lines_length(&text[at..], 1) == length {
                    lines + 1
                } else {
                    0
                };
                at += length;
                continue;
            }
            Line::Broken => None,
            Line::Rest(rest) => Some(rest),
        };
        if from < at {
            run(Run::Values(&text[from..at]))?;
        }
        if let Some(rest) = rest {
            return Ok(Some((text.len() - at, rest)));
        }
        run(Run::Broken(&text[at..at + length]))?;
        at += length;
        from = at;
    }
    if from < at {
        run(Run::Values(&text[from..at]))?;
    }
    Ok(None)
}

/// The kind of the next line of a batch.
enum Line {
    Values,
    Broken,
    Rest(Rest),
}

/// Classifies the next line, or the lines that one value spans. Also returns their length. `lines`: lines with values before it.
fn classify_line(text: &[u8], ended: bool, lines: u64, options: Options) -> (usize, Line) {
    let first = lines_length(text, 1);
    let mut count = 1;
    loop {
        let length = lines_length(text, count);
        let Some(error) = stream_error(&text[..length], options) else {
            return (length, Line::Values);
        };
        let is_cut = error.kind == ErrorKind::UnexpectedEnd && error.offset as usize == length;
        if !is_cut && count == 1 {
            return (first, Line::Broken);
        }
        let is_all = length == text.len();
        match is_cut {
            true if count > EXAMINED_LINES || length > EXAMINED => {
                return (length, Line::Rest(Rest::SpansLines));
            }
            true if is_all && !ended => return (length, Line::Rest(Rest::Incomplete)),
            true if !is_all => {
                count *= 2;
                continue;
            }
            _ => {}
        }
        // The text before the line with the error may be a complete value that spans lines.
        let mut before = length;
        while before > first {
            before = memchr::memrchr(b'\n', &text[..before - 1]).map_or(0, |end| end + 1);
            if stream_error(&text[..before], options).is_none() {
                return (before, Line::Values);
            }
        }
        return if spans_lines(text, lines, options) {
            (length, Line::Rest(Rest::SpansLines))
        } else {
            (first, Line::Broken)
        };
    }
}

/// The length of the first `count` lines, or of all if there are fewer.
fn lines_length(text: &[u8], count: usize) -> usize {
    let mut ends = memchr::memchr_iter(b'\n', text);
    ends.nth(count - 1).map_or(text.len(), |end| end + 1)
}

/// Whether lines, the first of which is not a value, hold a value that spans lines rather than broken records, after some lines with
/// values. Few of those count: a value that spans more lines than that may follow any number of them.
fn spans_lines(text: &[u8], before: u64, options: Options) -> bool {
    let (mut valid, mut invalid) = (before.min(3), 0);
    for (_, line) in filled_lines(text).take(EXAMINED_LINES) {
        if is_value(line, options) {
            valid += 1
        } else {
            invalid += 1
        }
    }
    invalid > valid.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_are_distinguished_from_documents() {
        let are =
            |text: &str| are_lines(text.as_bytes(), true, Options::default(), false) == Some(true);
        for lines in [
            "{\"a\": 1}\n{\"a\": 2}\n",
            "{\"a\": 1}\r\n\r\n{\"a\": 2}\r\n",
            // The last line is truncated.
            "{\"a\": 1}\n{\"a\": ",
            // The first line is truncated.
            "{\"a\n{\"a\": 1}\n{\"a\": 2}\n",
            "[1]\n[2\n[3]\n",
            "1\n2\n3\n",
            "{\"a\": [\n{\"a\": 1}\n{\"a\": 2}\n",
            // A banner.
            "> npm start\n{\"a\": 1}\n{\"a\": 2}\n",
            // Such a line in a log is no Markdown.
            "starting\n```\n{\"a\": 1}\n{\"a\": 2}\n{\"a\": 3}\n",
            // A stack trace.
            "> a\n> b\n\n{\"a\": 1}\n{\"a\": 2}\nError: x\n    at foo\n    at bar\n    at baz\n",
            "12\n[2\n{\"a\": 1}\n{\"a\": 2}\n{\"a\": 3}\n",
            "{\"a\": 1}{\"a\": 2}\n{\"a\": 3} {\"a\": 4}\n{\"a\": \n",
        ] {
            assert!(are(lines), "{lines}");
        }
        for document in [
            "",
            "{\"a\": 1}",
            "x\n```sh\ny\n```\nthen\n```json\n{\"a\": 1}\n```\n",
            "{\"a\": 1}\n}\n",
            "{\n \"a\": 1,\n}\n",
            "[\n1\n2\n3\n]\n",
            "[\n1\n]\n[2]\n",
            "[\n{\"a\": 1}\n{\"a\": 2}\n{\"a\": 3}\n]\n",
            "{}\n{\n\"a\": 1\n}\n",
            "1\nx",
            "{\"a\": [\n{\"b\": 1}\n{\"b\": 2}\n]}\n",
            "> npm start\n{\"a\": 1}\n",
            // Paragraphs.
            "a\n\nb\n\nc\n{\"a\": 1}\n{\"a\": 2}\nd\n\ne\n",
        ] {
            assert!(!are(document), "{document}");
        }
    }

    #[test]
    fn a_first_line_that_goes_on_is_enough_to_tell() {
        // If all lines were examined, three of five would be values.
        let text = b"{\n{}\n{}\n{}\n}\n";
        assert_eq!(
            are_lines(text, true, Options::default(), false),
            Some(false)
        );
    }

    #[test]
    fn few_lines_are_examined() {
        let text = ["1\n".repeat(EXAMINED_LINES / 2), "x\n".repeat(1000)].concat();
        assert_eq!(
            are_lines(text.as_bytes(), true, Options::default(), false),
            Some(true)
        );
    }

    #[test]
    fn an_incomplete_line_is_inconclusive() {
        let options = Options::default();
        let are = |text: &[u8]| are_lines(text, false, options, true);
        assert_eq!(are(b"[1]\n[2]\n[3"), Some(true));
        assert_eq!(are(b"[1]\n[2"), None);
        assert_eq!(are(b"[1"), None);
        // The first lines decide, regardless of later ones.
        assert_eq!(are(b"x\n[1]\n[2]\n{\n\"a\":\n1\n}\n"), Some(true));
        assert_eq!(begins_with_lines(b"1\n2", false, options), None);
        assert_eq!(begins_with_lines(b"1\n2", true, options), Some(true));
        assert_eq!(begins_with_lines(b"1\n", true, options), Some(false));
        assert_eq!(begins_with_lines(b"{\n", false, options), Some(false));
        assert_eq!(may_be_lines(b"", false, options, false), None);
        assert_eq!(may_be_lines(b"\n[", false, options, false), None);
        assert_eq!(may_be_lines(b"\n[\n", false, options, false), None);
        // Two lines are enough if one value continues after them.
        assert_eq!(
            may_be_lines(b"[\n{\"a\":1},\n", false, options, false),
            Some(false)
        );
        assert_eq!(
            may_be_lines(b"{\"a\":[\n{\"a\":\n", false, options, false),
            Some(false)
        );
        assert_eq!(
            may_be_lines(b"{\"a\":\n{\"a\":\n", false, options, false),
            Some(false)
        );
        assert_eq!(may_be_lines(b"{\"a\":\n,\n", false, options, false), None);
        assert_eq!(
            may_be_lines(b"[\n1,\n2,\n3,\n", false, options, false),
            Some(false)
        );
        assert_eq!(may_be_lines(b"1 2\n", false, options, false), Some(true));
        assert_eq!(
            may_be_lines(b"> a\n{}\n", false, options, false),
            Some(true)
        );
        assert_eq!(may_be_lines(b"{\"a\n", false, options, false), None);
        for (text, may) in [
            ("x\n1\n", Some(true)),
            ("x\n1", None),
            ("x\n[\n1\n", None),
            ("x\n\"a\": 1\n", None),
        ] {
            assert_eq!(may_be_lines(text.as_bytes(), false, options, true), may);
        }
    }

    #[test]
    fn an_invalid_batch_is_divided() {
        let divided = |text: &str, ended| {
            let mut runs = Vec::new();
            let rest = divide(text.as_bytes(), ended, 0, Options::default(), |run| {
                runs.push(match run {
                    Run::Values(text) => format!("{}", text.escape_ascii()),
                    Run::Broken(text) => format!("!{}", text.escape_ascii()),
                });
                Ok::<_, ()>(())
            });
            (runs.join(" "), rest.unwrap())
        };
        let incomplete = |length| Some((length, Rest::Incomplete));
        for (text, ended, runs, rest) in [
            ("1\n2\n[\n", false, r"1\n2\n", incomplete(2)),
            ("1\n2\n[\n", true, r"1\n2\n ![\n", None),
            ("1\nx\n2\n", false, r"1\n !x\n 2\n", None),
            (
                "1\n[\n2]\nx\n[\n3]\n",
                false,
                r"1\n[\n2]\n !x\n [\n3]\n",
                None,
            ),
            (
                "{\"a\":\n{\"b\":1}\n{}\n",
                false,
                r#"!{\"a\":\n {\"b\":1}\n{}\n"#,
                None,
            ),
            // Two truncated records.
            (
                "1\n2\n{\"a\":\n\"b\n",
                true,
                r#"1\n2\n !{\"a\":\n !\"b\n"#,
                None,
            ),
            (
                "{\n\"a\": 1,\n\"b\": 2,,\n}\n",
                false,
                "",
                Some((21, Rest::SpansLines)),
            ),
        ] {
            assert_eq!(divided(text, ended), (runs.to_owned(), rest), "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        /// At any division of a stream, no line is classified as a broken record.
        #[test]
        fn a_stream_has_no_broken_records(
            values in prop::collection::vec(prop_oneof![
                Just("1"), Just("{\"a\":1}"), Just("[\n 2,\n 3\n]"), Just("{\n\"b\":\n[4]}"), Just("\"x\""), Just("[]"),
            ], 1..12),
            separators in prop::collection::vec(prop_oneof![Just("\n"), Just("\r\n\n"), Just(" ")], 12),
            cut: prop::sample::Index,
        ) {
            let joined = values.iter().zip(&separators).flat_map(|(value, separator)| [*value, *separator]);
            let text: String = joined.collect();
            let ends: Vec<usize> = memchr::memchr_iter(b'\n', text.as_bytes()).map(|end| end + 1).collect();
            let mut from = 0;
            for end in [if ends.is_empty() { 0 } else { *cut.get(&ends) }, text.len()] {
                let part = &text.as_bytes()[from..end];
                let rest = divide(part, end == text.len(), 0, Options::default(), |run| match run {
                    Run::Values(_) => Ok(()),
                    Run::Broken(line) => Err(TestCaseError::fail(format!("{:?}", line.escape_ascii().to_string()))),
                })?;
                prop_assert!(rest.is_none_or(|(_, rest)| rest == Rest::Incomplete));
                from = end - rest.map_or(0, |(length, _)| length);
            }
            prop_assert_eq!(from, text.len());
        }
    }
}
