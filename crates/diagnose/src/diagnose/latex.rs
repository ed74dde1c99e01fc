//! Strings with commands of LaTeX whose backslashes were not doubled: `\frac{1}{2} + \alpha`.

/// The maximum number of backslashes that are doubled.
const MOST: usize = 1000;

/// Commands that begin with an escape of JSON that is frequent in prose.
const COMMANDS: [&str; 33] = [
    "nabla",
    "ne",
    "neq",
    "neg",
    "newline",
    "nexists",
    "ni",
    "nmid",
    "not",
    "notin",
    "nu",
    "rangle",
    "rceil",
    "rfloor",
    "rho",
    "right",
    "rightarrow",
    "rm",
    "tan",
    "tanh",
    "tau",
    "tbinom",
    "text",
    "textbf",
    "textit",
    "textrm",
    "tfrac",
    "theta",
    "tilde",
    "times",
    "to",
    "top",
    "triangle",
];

/// The offsets of the backslashes to double in the content of a string: those before words, if one of these is no escape of
/// JSON and none is doubled. `\n`, `\r` and `\t` are escapes unless a command follows.
pub(super) fn backslashes(content: &[u8]) -> Option<Vec<usize>> {
    let (mut found, mut is_latex) = (Vec::new(), false);
    let mut at = 0;
    while let Some(next) = memchr::memchr(b'\\', &content[at..]) {
        at += next;
        let rest = &content[at + 1..];
        let length = rest
            .iter()
            .take_while(|byte| byte.is_ascii_alphabetic())
            .count();
        let word = &rest[..length];
        let is_doubled = match word {
            [] => rest
                .first()
                .is_some_and(|byte| b"{},;!()[]%_&#$".contains(byte)),
            [_] => false,
            [b'n' | b'r' | b't', ..] => COMMANDS.iter().any(|command| command.as_bytes() == word),
            [b'u', ..] => jsonx_core::hex::count_digits(&rest[1..]) == 0,
            _ => true,
        };
        if is_doubled {
            // An escape of another language: `\x41`, `\v`, `\e[0m`.
            is_latex |= length > 2 && !b"bfnrtux".contains(&word[0]);
            found.push(at);
        }
        at += if rest.first() == Some(&b'\\') { 2 } else { 1 };
        if found.len() > MOST {
            return None;
        }
    }
    is_latex.then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_backslashes_are_of_commands() {
        for (content, expected) in [
            (r"\frac{1}{2} + \alpha", Some(vec![0, 14])),
            (r"so\nthen \sqrt{x} \times \theta", Some(vec![9, 18, 25])),
            (r"\left\{ x \right\}", Some(vec![0, 5, 10, 16])),
            (r"\d+\w+", None),
            (r"\nnext \time", None),
            (r"\e[0m and \x41", None),
            (r"\\alpha \n", None),
            (r"\frac", None),
        ] {
            assert_eq!(backslashes(content.as_bytes()), expected, "{content}");
        }
    }
}
