//! Whole lines of an input, for commands that go on after an invalid record.
//!
//! ```text
//! windows ──► batch: whole lines ──► valid as a stream ──────────────────► all of it
//!                                └─ otherwise ──► each line by itself ──► the valid lines; the others are noted
//! ```

use jsonx_core::{Mode, Options, Validator, Verdict};

use crate::input::Window;

/// Bytes of an input that are examined to tell whether it is JSON Lines.
pub const EXAMINED: usize = 1 << 20;

/// The whole lines at the start of windows, each of which begins where the last batch ended.
#[derive(Default)]
pub struct WholeLines {
    /// Offset up to which there is no line feed: of a long line, only the new bytes are searched.
    searched: u64,
}

impl WholeLines {
    /// Number of bytes of whole lines in a window; all of the last window.
    pub fn length(&mut self, window: &Window<'_>) -> usize {
        let bytes = window.bytes();
        if window.is_last() {
            return bytes.len();
        }
        let known = self.searched.saturating_sub(window.offset()) as usize;
        self.searched = window.end();
        match memchr::memrchr(b'\n', &bytes[known.min(bytes.len())..]) {
            Some(at) => known + at + 1,
            None => 0,
        }
    }
}

/// The lines of a text that are not blank, without their line feeds, and their offsets in it.
pub fn filled_lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut start = 0;
    text.split(|&byte| byte == b'\n')
        .map(move |line| {
            let at = start;
            start += line.len() + 1;
            (at, line)
        })
        .filter(|(_, line)| !is_blank(line))
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}

/// Whether a line is one value. `options` are those for one value.
pub fn is_value(line: &[u8], options: Options) -> bool {
    Validator::new(options.mode(Mode::One))
        .check(line, Verdict)
        .is_ok()
}

/// Whether a text is JSON Lines with at most a few broken records, judged by its first lines: most of them are one value,
/// of the same kind as the first line begins. `ended`: nothing follows the text.
pub fn are_lines(text: &[u8], ended: bool, options: Options) -> bool {
    let whole = match memchr::memrchr(b'\n', text) {
        _ if ended => text,
        Some(end) => &text[..end],
        None => return false,
    };
    let kind = |line: &[u8]| match line.trim_ascii_start().first() {
        Some(bracket @ (b'{' | b'[')) => *bracket,
        _ => b'0',
    };
    let mut first = None;
    let (mut lines, mut valid, mut broken) = (0, 0, 0);
    for (_, line) in filled_lines(whole) {
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
    let is_whole = |(at, line): &(usize, &[u8])| at + line.len() < examined.len();
    let first = filled_lines(examined).next().filter(is_whole);
    let ended = window.is_last() && examined.len() == bytes.len();
    first.is_some_and(|(_, line)| is_value(line, options)) || are_lines(examined, ended, options)
}

/// Whether a batch of lines with errors holds values that span lines, rather than broken records. `last`: nothing follows
/// the batch, so no value can go on after it.
pub fn spans_lines(batch: &[u8], last: bool, options: Options) -> bool {
    let (mut valid, mut invalid, mut opens) = (0, 0, false);
    for (_, line) in filled_lines(batch) {
        if is_value(line, options) {
            valid += 1;
        } else {
            invalid += 1;
            opens |= matches!(
                line.trim_ascii_end().last(),
                Some(b'{' | b'[' | b',' | b':')
            );
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
    fn the_rest_of_a_long_text_is_not_examined() {
        let options = Options::default();
        assert!(are_lines(b"[1]\n[2]\n[3", false, options));
        assert!(!are_lines(b"[1]\n[2", false, options));
        assert!(!are_lines(b"[1", false, options));
    }
}
