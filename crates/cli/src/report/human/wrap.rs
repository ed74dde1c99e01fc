//! Wraps sentences to the width of the terminal. Commands stay on one line, so that they can be copied.

use crate::report::width_of;

/// Splits a text into lines of at most `width` cells, if spaces outside backticks allow it.
pub fn wrap(text: &str, width: usize) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut start = 0;
    // The last possible line break in the current line.
    let mut space = None;
    let mut is_code = false;
    for (at, character) in text.char_indices().chain([(text.len(), ' ')]) {
        match character {
            '`' => is_code = !is_code,
            ' ' if !is_code => {
                if let Some(end) = space
                    && width_of(&text[start..at]) > width
                {
                    lines.push(&text[start..end]);
                    start = end + 1;
                }
                space = Some(at);
            }
            _ => {}
        }
    }
    lines.push(&text[start..]);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_stay_on_one_line() {
        let text = "convert it: `yq -o=json . FILE` (or `yq . FILE`), or rename it";
        assert_eq!(
            wrap(text, 20),
            [
                "convert it:",
                "`yq -o=json . FILE`",
                "(or `yq . FILE`), or",
                "rename it"
            ]
        );
        assert_eq!(wrap(text, 100), [text]);
        assert_eq!(wrap("", 10), [""]);
        assert_eq!(wrap("longer than that", 3), ["longer", "than", "that"]);
        assert_eq!(wrap("`a b c d e f` g", 5), ["`a b c d e f`", "g"]);
        assert_eq!(wrap("名前 名前 名前", 10), ["名前 名前", "名前"]);
    }
}
