//! Edits and positions against a naive model: a list of UTF-16 code units, or of bytes.

use proptest::prelude::*;

use super::{DocumentText, Encoding, Position};

/// The offset of a position, as the protocol describes it: line by line, character by character.
fn naive(text: &str, position: Position, encoding: Encoding) -> usize {
    let mut at = 0;
    let mut line = 0;
    while line < position.line {
        match text[at..].find(['\n', '\r']) {
            None => return text.len(),
            Some(end) => {
                at += end;
                at += if text[at..].starts_with("\r\n") { 2 } else { 1 };
            }
        }
        line += 1;
    }
    let mut column = 0;
    for c in text[at..].chars() {
        let width = match encoding {
            Encoding::Utf8 => c.len_utf8(),
            Encoding::Utf16 => c.len_utf16(),
        } as u64;
        if c == '\n' || c == '\r' || column + width > position.character {
            break;
        }
        column += width;
        at += c.len_utf8();
    }
    at
}

/// Texts of significant characters; some are longer than the distance between marks.
fn texts() -> impl Strategy<Value = String> {
    let characters = prop::sample::select(vec!['a', '"', '\n', '\r', 'é', '€', '😀', '\u{feff}']);
    let short = prop::collection::vec(characters, 0..40).prop_map(String::from_iter);
    let repeated = prop::sample::select(vec![1, 1, 1, 3000, 9000]);
    (short, repeated).prop_map(|(text, times): (String, usize)| text.repeat(times))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn edits_are_those_of_the_model(
        mut model in texts(),
        edits in prop::collection::vec(((0u64..9, 0u64..50), (0u64..9, 0u64..50), any::<prop::sample::Index>(), texts()), 1..8),
        utf8 in any::<bool>(),
    ) {
        let encoding = if utf8 { Encoding::Utf8 } else { Encoding::Utf16 };
        let mut text = DocumentText::new(model.clone(), encoding);
        for ((line, column), (more, columns), somewhere, new) in edits {
            // From the front, and from anywhere in a long text.
            let middle = text.position(somewhere.index(model.len() + 1));
            let start = Position { line: line + (middle.line * (line % 2)), character: column };
            let end = Position { line: start.line + more % 3, character: columns };
            let from = naive(&model, start, encoding);
            let to = naive(&model, end, encoding).max(from);
            text.replace(start, end, &new);
            model.replace_range(from..to, &new);
            prop_assert!(text.bytes()[..] == *model.as_bytes());
            let mut at = somewhere.index(model.len() + 1);
            while !model.is_char_boundary(at) {
                at -= 1;
            }
            let position = text.position(at);
            // Between CR and LF is the end of the line.
            if !(at > 0 && model[..at].ends_with('\r') && model[at..].starts_with('\n')) {
                prop_assert_eq!(naive(&model, position, encoding), at);
            }
            prop_assert_eq!(text.offset(position), naive(&model, position, encoding));
        }
    }
}

/// A mark, one KiB from the start, is between CR and LF.
#[test]
fn a_line_ends_before_its_cr_and_lf() {
    let text = format!("{}\r\n{}", "a".repeat(1023), "b".repeat(2000));
    for encoding in [Encoding::Utf8, Encoding::Utf16] {
        let text = DocumentText::new(text.clone(), encoding);
        let (line, character) = (0, 5000);
        assert_eq!(text.offset(Position { line, character }), 1023);
    }
}
