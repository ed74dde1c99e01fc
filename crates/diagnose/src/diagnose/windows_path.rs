//! Strings that are Windows paths whose backslashes were not doubled: `C:\Users\new`, `\\host\share`, `..\src\Main`.

/// The maximum number of backslashes that are doubled.
const MOST: usize = 1000;

/// The starts of a path that is not absolute, or of a key of the registry.
const ROOTS: [&str; 8] = [
    "..\\", ".\\", "~\\", "HKEY_", "HKLM\\", "HKCU\\", "HKCR\\", "HKU\\",
];

/// The offsets of the backslashes to double in the content of a string, if it looks like a path, in which `\n` is not
/// a line break. Doubled backslashes are kept.
pub(super) fn backslashes(content: &[u8]) -> Option<Vec<usize>> {
    if !has_drive(content) && !is_share(content) && !is_relative(content) {
        return None;
    }
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = memchr::memchr(b'\\', &content[at..]) {
        at += next;
        match content.get(at + 1) {
            Some(b'\\') if at == 0 && is_share(content) => {
                found.extend([0, 1]);
                at += 2;
            }
            Some(b'\\' | b'"' | b'/') => at += 2,
            _ => {
                found.push(at);
                at += 1;
            }
        }
        if found.len() > MOST {
            return None;
        }
    }
    (!found.is_empty()).then_some(found)
}

/// `C:\`, alone or after something that is not part of a word.
fn has_drive(content: &[u8]) -> bool {
    memchr::memmem::find_iter(content, b":\\").any(|colon| {
        let before = content[..colon].iter().rev();
        let mut before = before.take(2);
        before.next().is_some_and(u8::is_ascii_alphabetic)
            && !before
                .next()
                .is_some_and(|byte| is_name(*byte) && *byte != b'\\')
    })
}

/// `\\host\share`
fn is_share(content: &[u8]) -> bool {
    let Some(rest) = content.strip_prefix(b"\\\\") else {
        return false;
    };
    let length = |text: &[u8]| text.iter().take_while(|byte| is_name(**byte)).count();
    let host = length(rest);
    let is_device = matches!(rest, [b'?' | b'.', b'\\', ..]);
    let share = rest[host..].strip_prefix(b"\\");
    is_device || host > 1 && share.is_some_and(|share| length(share) > 1)
}

/// Names with backslashes between them, at least one of which is not an escape in any language.
fn is_relative(content: &[u8]) -> bool {
    // `%APPDATA%\My Files`, `HKLM\Software`: blanks may be in the names, and any letter after a backslash.
    let is_rooted = match content {
        [b'%', rest @ ..] => memchr::memmem::find(rest, b"%\\").is_some(),
        _ => ROOTS
            .iter()
            .any(|root| content.starts_with(root.as_bytes())),
    };
    let is_part = |name: &[u8]| {
        matches!(name, b"" | b"." | b"..")
            || (is_rooted || name.len() > 1)
                && name
                    .iter()
                    .all(|&byte| is_name(byte) || byte == b' ' && is_rooted)
    };
    let mut parts = content.split(|&byte| byte == b'\\');
    let is_foreign = |part: &[u8]| match part {
        [
            b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'a' | b'e' | b'0' | b'\'',
            ..,
        ]
        | [] => false,
        [b'x', rest @ ..] => jsonx_core::hex::count_digits(rest) < 2,
        [b'u', rest @ ..] => jsonx_core::hex::count_digits(rest) == 0,
        _ => true,
    };
    let names = parts.clone().filter(|name| !name.is_empty());
    names.count() > 1
        && parts.clone().all(is_part)
        && parts.next().is_some()
        && (is_rooted || parts.any(is_foreign))
}

/// Whether a byte may be in the name of a file, other than a blank.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80 || b"_-.%~$@&'!".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_backslashes_of_a_path_are_single() {
        for (content, expected) in [
            (r"C:\Users\new\test", Some(vec![2, 8, 12])),
            (r"C:\\Users\new", Some(vec![9])),
            (r"see D:\temp for more", Some(vec![6])),
            (r"file:///C:\new", Some(vec![10])),
            (r"\\host\share", Some(vec![0, 1, 6])),
            (r"\\\\host\share", Some(vec![8])),
            (r"..\x64\new", Some(vec![2, 6])),
            (r"%d\n\x41", None),
            (r"..\new\Foo", Some(vec![2, 6])),
            (r"src\main\new.c", Some(vec![3, 8])),
            (r"%APPDATA%\My Files\x.ini", Some(vec![9, 18])),
            (r"foo\nbar", None),
            (r"\d+\w+\n", None),
            (r"a\tb \q", None),
            (r"Error:\d", None),
            (r"foo\x41bar\nbaz", None),
            (r"foo\u00E", None),
            (r"\user", None),
            (r"\Users\new", Some(vec![0, 6])),
            ("C:/new", None),
            (r"it\'s", None),
        ] {
            assert_eq!(backslashes(content.as_bytes()), expected, "{content}");
        }
    }
}
