use super::*;

#[test]
fn names_have_the_characters_of_their_categories() {
    let first = regex::Regex::new(r"^[\p{L}\p{Nl}$_]$").unwrap();
    let next =
        regex::Regex::new(r"^[\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}$\u{200C}\u{200D}]$").unwrap();
    let unknown = regex::Regex::new(r"^\p{Cn}$").unwrap();
    for char in '\0'..='\u{10FFFF}' {
        let text = char.to_string();
        // The other table may be of a later edition.
        if unknown.is_match(&text) {
            continue;
        }
        assert_eq!(
            begins_name(char),
            first.is_match(&text),
            "{:x}",
            char as u32
        );
        assert_eq!(
            continues_name(char),
            next.is_match(&text),
            "{:x}",
            char as u32
        );
    }
}

#[test]
fn names() {
    for name in [
        "a", "$", "_1", "ünï", "\\u0061b", "a\\u200D", "𠀀", "ⅷ", "while",
    ] {
        assert!(is_name(name.as_bytes()), "{name}");
    }
    for word in [
        "",
        "1a",
        "a-b",
        "\\u0031",
        "\\u00",
        "\\x61",
        "a\\",
        "\\uD840\\uDC00",
        "a\\u{61}",
    ] {
        assert!(!is_name(word.as_bytes()), "{word}");
    }
    assert!(!is_name(b"a\xFF"));
}
