//! Whether a text of unknown kind is JSON Lines, by its first lines.

use jsonx_core::{Mode, Options, Validator, Verdict};

use crate::input::Window;

/// Bytes of an input that are examined.
pub const EXAMINED: usize = 1 << 20;

/// Lines that are examined where the first one is not a value.
const EXAMINED_LINES: usize = 64;

/// The lines of a text that are not blank, without their line feeds, and their offsets in it.
pub fn filled_lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut next = Some(0);
    let lines = std::iter::from_fn(move || {
        let start = next?;
        let end = memchr::memchr(b'\n', &text[start..]).map(|length| start + length);
        next = end.map(|end| end + 1);
        Some((start, &text[start..end.unwrap_or(text.len())]))
    });
    lines.filter(|(_, line)| !is_blank(line))
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}

/// Whether a line is one value. `options` are those for one value.
fn is_value(line: &[u8], options: Options) -> bool {
    Validator::new(options.mode(Mode::One))
        .check(line, Verdict)
        .is_ok()
}

/// Whether a line ends where a value that spans lines may be broken.
fn is_open(line: &[u8]) -> bool {
    matches!(
        line.trim_ascii_end().last(),
        Some(b'{' | b'[' | b',' | b':')
    )
}

/// How a line begins: with a bracket, or otherwise.
fn kind(line: &[u8]) -> u8 {
    match line.trim_ascii_start().first() {
        Some(bracket @ (b'{' | b'[')) => *bracket,
        _ => b'0',
    }
}

/// Whether a text is JSON Lines with at most a few broken records, judged by its first lines: most of them are one value,
/// of the same kind as the first line begins. `ended`: nothing follows the text.
pub fn are_lines(text: &[u8], ended: bool, options: Options) -> bool {
    let whole = match memchr::memrchr(b'\n', text) {
        _ if ended => text,
        Some(end) => &text[..end],
        None => return false,
    };
    let mut first = None;
    let (mut lines, mut valid, mut broken) = (0, 0, 0);
    for (_, line) in filled_lines(whole).take(EXAMINED_LINES) {
        // A document over several lines costs no more than this.
        if first.is_none() && is_open(line) {
            return false;
        }
        lines += 1;
        let begins = *first.get_or_insert(kind(line));
        match kind(line) == begins {
            true if is_value(line, options) => valid += 1,
            true => broken += 1,
            false => {}
        }
    }
    // The last line of a file that is being written may be cut.
    let two = lines == 2 && valid == 1 && broken == 1 && first != Some(b'0');
    two || valid >= 2 && 2 * valid >= lines
}

/// Whether the first window of an input begins with one value per line.
pub fn begins_with_lines(window: &Window<'_>, options: Options) -> bool {
    let bytes = window.bytes();
    let examined = &bytes[..bytes.len().min(EXAMINED)];
    let Some((at, line)) = filled_lines(examined).next() else {
        return false;
    };
    let is_whole = at + line.len() < examined.len();
    if is_whole && !is_open(line) && is_value(line, options) {
        return true;
    }
    let ended = window.is_last() && examined.len() == bytes.len();
    are_lines(examined, ended, options)
}

/// Whether a batch of lines with errors holds values that span lines, rather than broken records. `last`: nothing follows
/// the batch, so no value can continue after it.
pub fn spans_lines(batch: &[u8], last: bool, options: Options) -> bool {
    let (mut valid, mut invalid, mut opens) = (0, 0, false);
    for (_, line) in filled_lines(batch) {
        if is_value(line, options) {
            valid += 1;
        } else {
            invalid += 1;
            opens |= is_open(line);
        }
    }
    invalid > valid.max(1) || !last && opens && invalid >= valid
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_from_documents() {
        let are = |text: &str| are_lines(text.as_bytes(), true, Options::default());
        for lines in [
            "{\"a\": 1}\n{\"a\": 2}\n",
            "{\"a\": 1}\r\n\r\n{\"a\": 2}\r\n",
            // The last line is cut.
            "{\"a\": 1}\n{\"a\": ",
            // The first one is.
            "{\"a\n{\"a\": 1}\n{\"a\": 2}\n",
            "[1]\n[2\n[3]\n",
            "1\n2\n3\n",
        ] {
            assert!(are(lines), "{lines}");
        }
        for document in [
            "",
            "{\"a\": 1}",
            "{\"a\": 1}\n}\n",
            "{\n \"a\": 1,\n}\n",
            "[\n1\n2\n3\n]\n",
            "[\n1\n]\n[2]\n",
            "[\n{\"a\": 1}\n{\"a\": 2}\n{\"a\": 3}\n]\n",
            "{}\n{\n\"a\": 1\n}\n",
            "1\nx",
        ] {
            assert!(!are(document), "{document}");
        }
    }

    #[test]
    fn a_first_line_that_goes_on_is_enough_to_tell() {
        // Were all lines examined, three of five would be values.
        let text = b"{\n{}\n{}\n{}\n}\n";
        assert!(!are_lines(text, true, Options::default()));
        assert!(!are_lines(b"[1,\n[2]\n[3]\n", true, Options::default()));
    }

    #[test]
    fn few_lines_are_examined() {
        let text = ["1\n".repeat(EXAMINED_LINES / 2), "x\n".repeat(1000)].concat();
        assert!(are_lines(text.as_bytes(), true, Options::default()));
    }

    #[test]
    fn the_rest_of_a_long_text_is_not_examined() {
        let options = Options::default();
        assert!(are_lines(b"[1]\n[2]\n[3", false, options));
        assert!(!are_lines(b"[1]\n[2", false, options));
        assert!(!are_lines(b"[1", false, options));
    }
}
