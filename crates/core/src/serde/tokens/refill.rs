//! Refills the marks: checks the next chunk.

use super::{CheckState, Tokens};
use crate::error::Error;
use crate::kernel::{Kernel, extend_str};
use crate::syntax::SyntaxError;
use crate::window::{Preset, STEP, StructuralIndex};

impl Tokens<'_> {
    #[cold]
    #[inline(never)]
    pub(super) fn further(&mut self) -> Result<(), Error> {
        Ok(self.refill()?)
    }

    /// Replaces the consumed marks by those of the next chunk; at the end of the text there are none.
    pub(super) fn refill(&mut self) -> Result<(), SyntaxError> {
        let parts = &mut self.parts;
        let rest = &mut *parts.rest;
        if let CheckState::Complete = rest.state {
            return Ok(());
        }
        if let Some(last) = parts.next.checked_sub(1) {
            rest.last = parts.marks.offset(last);
        }
        parts.next = 0;
        parts.marks.clear();
        parts.marks.escaped.clear();
        rest.next_escaped = 0;
        loop {
            if let CheckState::Failed(error) = rest.state {
                return Err(error);
            }
            if let Some(open) = rest.open.take() {
                parts.marks.push(b'"', open);
            }
            let unchecked = &rest.blanked.as_deref().unwrap_or(self.text)[rest.checked..];
            let chunk = &unchecked[..unchecked.len().min(STEP)];
            rest.checked += chunk.len();
            let is_last = chunk.len() < STEP;
            let is_utf8 = extend_utf8_prefix(&mut self.known, self.text, rest.checked, is_last);
            let preset = Preset::Values { is_utf8 };
            let add = |index: &StructuralIndex<'_>| parts.marks.add(index);
            if let Err(error) = rest.validator.index(chunk, preset, add) {
                rest.state = CheckState::Failed(error);
                parts.marks.clear();
                return Err(error);
            }
            if is_last {
                rest.state = CheckState::Complete;
                break;
            }
            if rest.validator.is_in_string() {
                rest.open = parts.marks.pop();
            }
            if parts.marks.count() > 0 {
                break;
            }
        }
        parts.marks.end(self.text.len() as u64);
        parts.escaped = parts.marks.escaped.first().copied().unwrap_or(u64::MAX);
        Ok(())
    }
}

/// Extends the known UTF-8 prefix of a text to its first `checked` bytes, except for an incomplete sequence at their end. Returns
/// `false` if they are not UTF-8.
fn extend_utf8_prefix<'de>(
    known: &mut &'de str,
    text: &'de [u8],
    checked: usize,
    is_last: bool,
) -> bool {
    if known.len() >= checked {
        return true;
    }
    let mut end = checked;
    let last = &text[checked.saturating_sub(3)..checked];
    if !is_last
        && let Some(lead) = last.iter().rposition(|&byte| byte >= 0xC0)
        && str::from_utf8(&last[lead..]).is_err_and(|error| error.error_len().is_none())
    {
        end -= last.len() - lead;
    }
    let end = end.max(known.len());
    match extend_str(Kernel::for_text(end), known, text, end) {
        Some(extended) => {
            *known = extended;
            true
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::window::STEP;
    use crate::{Raw, from_slice, lines, lines_in, validate};

    /// UTF-8 sequences around a chunk boundary, complete, truncated and invalid: the same verdict as of `validate`.
    #[test]
    fn characters_across_chunks() {
        for character in ["é", "€", "😀"].map(str::as_bytes) {
            for at in STEP - 6..STEP + 3 {
                for cut in 0..=character.len() {
                    for wrong in [
                        b"",
                        "é".as_bytes(),
                        b"a",
                        b"\\n",
                        b"\x80",
                        b"\xe0\x80",
                        b"\xf8",
                    ] {
                        let before = vec![b'a'; at - 2];
                        let begin = character.get(..cut).unwrap_or_default();
                        let text = [b"[\"", &before[..], begin, wrong, b"\", \"b\"]"].concat();
                        let expected = validate(&text).map_err(|error| (error.kind, error.offset));
                        match (from_slice::<Vec<String>>(&text), expected) {
                            (Ok(read), Ok(())) => {
                                assert_eq!(
                                    read,
                                    serde_json::from_slice::<Vec<String>>(&text).unwrap()
                                );
                            }
                            (Err(error), Err((kind, offset))) => {
                                assert_eq!(
                                    (error.kind(), error.offset()),
                                    (Some(kind), Some(offset))
                                );
                            }
                            (read, expected) => panic!("{at} {cut}: {read:?} {expected:?}"),
                        }
                    }
                }
            }
        }
    }

    /// The text of any value around a chunk boundary.
    #[test]
    fn raw_values_across_chunks() {
        for value in ["true", "-12.5e3", "\"é\"", "{\"a\": [1, \"\\n\"]}"] {
            for at in STEP - value.len() - 3..STEP + 1 {
                let text = format!("[{}{value} , 1]", " ".repeat(at));
                let read = from_slice::<(Raw<'_>, u8)>(text.as_bytes()).unwrap();
                assert_eq!((read.0.as_str(), read.1), (value, 1), "{at}");
            }
        }
    }

    /// A byte that is not UTF-8 only invalidates its own line.
    #[test]
    fn a_line_that_is_not_utf8() {
        let mut text = Vec::new();
        for index in 0..3000 {
            let wrong: &[u8] = if index == 1500 {
                b"\xff"
            } else {
                "é".as_bytes()
            };
            text.extend([b"{\"k\": \"", wrong, b"\"}\n"].concat());
        }
        type Record = std::collections::BTreeMap<String, String>;
        let from_reader: Vec<bool> = lines::<Record, _>(&text[..])
            .map(|line| line.is_ok())
            .collect();
        let from_memory: Vec<bool> = lines_in::<Record>(&text).map(|line| line.is_ok()).collect();
        let expected: Vec<bool> = (0..3000).map(|index| index != 1500).collect();
        assert_eq!(from_reader, expected);
        assert_eq!(from_memory, expected);
    }

    /// An element with more marks than the buffer holds, split inside strings and between them.
    #[test]
    fn elements_of_many_marks() {
        for first in ["1", "\"a\"", "\"a\", 1"] {
            for count in [STEP / 2 - 1, STEP / 2, STEP, 2 * STEP + 1] {
                let row = format!("[{first}, {}\"\\u00e9\"]", "\"b\", ".repeat(count));
                let text = format!("[{row}, {row}]");
                let rows = crate::elements::<serde_json::Value, _>(text.as_bytes(), "").unwrap();
                let rows: Vec<serde_json::Value> = rows.map(Result::unwrap).collect();
                assert_eq!(
                    rows,
                    serde_json::from_str::<Vec<serde_json::Value>>(&text).unwrap()
                );
            }
        }
    }
}
