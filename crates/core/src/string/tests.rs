//! Tests the lexer against a byte loop, and the decoder against serde_json and a decoder that works code unit by code
//! unit.

use std::borrow::Cow;

use proptest::prelude::*;

use super::*;
use jsonx_testing::cases;

fn naive_special(bytes: &[u8], from: usize) -> usize {
    (from..bytes.len())
        .find(|&at| matches!(bytes[at], 0..0x20 | b'"' | b'\\'))
        .unwrap_or(bytes.len())
}

fn naive_end(bytes: &[u8], from: usize) -> Result<usize, SyntaxError> {
    let mut at = from;
    loop {
        match bytes[at..] {
            [b'"', ..] => return Ok(at),
            [b'\\', 0..0x20, ..] => return Err(error(ErrorKind::BadEscape, at + 1)),
            [b'\\', _, ..] => at += 2,
            [] | [b'\\'] => return Err(error(ErrorKind::UnexpectedEnd, bytes.len())),
            [0..0x20, ..] => return Err(error(ErrorKind::ControlCharacter, at)),
            _ => at += 1,
        }
    }
}

/// A reference decoder: reads code units one by one and joins them at the end, without fast paths.
fn naive_decode(raw: &[u8]) -> Result<(Vec<u8>, Surrogates), SyntaxError> {
    enum Element {
        Byte(u8),
        Unit(u16, usize),
    }
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(&byte) = raw.get(at) {
        if byte != b'\\' {
            parts.push(Element::Byte(byte));
            at += 1;
            continue;
        }
        let end = SyntaxError {
            kind: ErrorKind::UnexpectedEnd,
            offset: raw.len() as u64,
        };
        let letter = *raw.get(at + 1).ok_or(end)?;
        if letter == b'u' {
            let mut unit = 0;
            for position in at + 2..at + 6 {
                let digit = char::from(*raw.get(position).ok_or(end)?).to_digit(16);
                let bad = SyntaxError {
                    kind: ErrorKind::BadUnicodeEscape,
                    offset: position as u64,
                };
                unit = unit * 16 + digit.ok_or(bad)? as u16;
            }
            parts.push(Element::Unit(unit, at));
            at += 6;
        } else {
            let Some(index) = br#""\/bfnrt"#.iter().position(|&known| known == letter) else {
                return Err(SyntaxError {
                    kind: ErrorKind::BadEscape,
                    offset: at as u64 + 1,
                });
            };
            parts.push(Element::Byte(b"\"\\/\x08\x0c\n\r\t"[index]));
            at += 2;
        }
    }
    let mut out = Vec::new();
    let mut surrogates = Surrogates::Paired;
    let mut parts = parts.into_iter().peekable();
    while let Some(part) = parts.next() {
        match part {
            Element::Byte(byte) => out.push(byte),
            Element::Unit(unit, at) => {
                let low = parts.next_if(|next| {
                    matches!(next, Element::Unit(0xdc00..=0xdfff, _))
                        && (0xd800..=0xdbff).contains(&unit)
                });
                let units = match low {
                    Some(Element::Unit(low, _)) => vec![unit, low],
                    _ => vec![unit],
                };
                let text = String::from_utf16(&units).unwrap_or_else(|_| {
                    if surrogates == Surrogates::Paired {
                        surrogates = Surrogates::Replaced { first: at as u64 };
                    }
                    "\u{fffd}".to_owned()
                });
                out.extend_from_slice(text.as_bytes());
            }
        }
    }
    Ok((out, surrogates))
}

fn decoded(raw: &[u8]) -> Result<(Vec<u8>, Surrogates), SyntaxError> {
    decode(raw).map(|decoded| (decoded.text.into_owned(), decoded.surrogates))
}

fn check_decode(raw: &[u8]) {
    let expected = naive_decode(raw);
    assert_eq!(decoded(raw), expected, "{}", raw.escape_ascii());
    let mut out = b"before".to_vec();
    let result = decode_into(raw, &mut out);
    assert!(out.starts_with(b"before"));
    match expected {
        Ok((text, surrogates)) => {
            assert_eq!(result, Ok(surrogates));
            assert_eq!(&out[6..], text);
        }
        Err(error) => assert_eq!(result, Err(error)),
    }
}

#[test]
fn special_bytes_at_every_position_of_every_length() {
    for length in 0..=64 {
        let plain = vec![b'a'; length];
        assert_eq!(find_special(&plain, 0), length);
        for position in 0..length {
            for special in [b'"', b'\\', 0, 0x0a, 0x1f] {
                for filler in [
                    b'a', b' ', b'!', b'#', b'[', b']', 0x7f, 0x80, 0x9f, 0xa2, 0xdc, 0xff,
                ] {
                    let mut bytes = vec![filler; length];
                    bytes[position] = special;
                    for from in [0, position / 2, position, position + 1, length] {
                        assert_eq!(
                            find_special(&bytes, from),
                            naive_special(&bytes, from),
                            "{bytes:?} from {from}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn every_byte_is_distinguished_from_the_special_ones() {
    for byte in 0..=u8::MAX {
        for length in [1, 7, 8, 9, 16] {
            let bytes = vec![byte; length];
            assert_eq!(
                find_special(&bytes, 0),
                naive_special(&bytes, 0),
                "{byte:#x}"
            );
            let mut second = bytes.clone();
            second[0] = b'a';
            assert_eq!(
                find_special(&second, 0),
                naive_special(&second, 0),
                "{byte:#x}"
            );
        }
    }
}

#[test]
fn an_offset_beyond_the_end_finds_nothing() {
    assert_eq!(find_special(b"ab\"", 7), 3);
    assert_eq!(end(b"ab\"", 7), Err(error(ErrorKind::UnexpectedEnd, 3)));
}

#[test]
fn ends() {
    let ok = |text: &str, at| assert_eq!(end(text.as_bytes(), 1), Ok(at), "{text}");
    ok(r#""""#, 1);
    ok(r#""a", "b""#, 2);
    ok(r#""\"""#, 3);
    ok(r#""\\""#, 3);
    ok(r#""\\\"""#, 5);
    ok(r#""\u0022""#, 7);
    ok(r#""\u" "#, 3);
    ok(r#""\u12"34""#, 5);
    ok(r#""дом""#, 7);
    let bad = |text: &[u8], kind, at| {
        assert_eq!(
            end(text, 1),
            Err(error(kind, at)),
            "{}",
            text.escape_ascii()
        )
    };
    bad(b"\"", ErrorKind::UnexpectedEnd, 1);
    bad(b"\"abcdefgh", ErrorKind::UnexpectedEnd, 9);
    bad(b"\"\\", ErrorKind::UnexpectedEnd, 2);
    bad(b"\"\\\"", ErrorKind::UnexpectedEnd, 3);
    bad(b"\"\\u00", ErrorKind::UnexpectedEnd, 5);
    bad(b"\"a\nb\"", ErrorKind::ControlCharacter, 2);
    bad(b"\"abcdefghij\x00\"", ErrorKind::ControlCharacter, 11);
    bad(b"\"a\\\nb\"", ErrorKind::BadEscape, 3);
}

#[test]
fn decodes_every_short_escape_and_rejects_every_other() {
    for letter in 0..=u8::MAX {
        check_decode(&[b'\\', letter]);
        check_decode(&[b'a', b'\\', letter, b'b']);
    }
}

#[test]
fn decodes_every_code_unit() {
    for unit in 0..=u16::MAX {
        check_decode(format!("\\u{unit:04x}").as_bytes());
    }
}

#[test]
fn decodes_pairs_at_the_corners() {
    for high in [0xd7ff, 0xd800, 0xd801, 0xdbff, 0xdc00, 0xdfff, 0xe000] {
        for low in [0xd800, 0xdbff, 0xdc00, 0xdc37, 0xdfff, 0xe000, 0x0041] {
            for between in ["", "x", "\\n"] {
                check_decode(format!("\\u{high:04X}{between}\\u{low:04x}").as_bytes());
                check_decode(
                    format!("\\ud83d\\u{high:04X}{between}\\u{low:04x}\\u0434").as_bytes(),
                );
            }
        }
    }
    assert_eq!(
        &*decode(br"\ud83d\ude00").unwrap().text,
        "\u{1f600}".as_bytes()
    );
    assert_eq!(
        &*decode(br"\uDBFF\uDFFF").unwrap().text,
        "\u{10ffff}".as_bytes()
    );
}

#[test]
fn reports_the_first_lone_surrogate() {
    let decoded = decode(br"ab\ud83d\ude00\udc00c\ud800").unwrap();
    assert_eq!(&*decoded.text, "ab\u{1f600}\u{fffd}c\u{fffd}".as_bytes());
    assert_eq!(decoded.surrogates, Surrogates::Replaced { first: 14 });
}

#[test]
fn rejects_every_truncated_escape() {
    for whole in [
        r"\u0434\ud83d\ude00\n",
        r"abcdefg\u0434",
        r"\ud83d\ude00\ud83d\ude00",
        r"\\\\\\\",
    ] {
        for length in 0..=whole.len() {
            check_decode(&whole.as_bytes()[..length]);
            check_decode([&whole.as_bytes()[..length], b"g"].concat().as_slice());
            check_decode(
                [&whole.as_bytes()[..length], b" long enough for a word"]
                    .concat()
                    .as_slice(),
            );
        }
    }
}

#[test]
fn an_escape_at_every_position_of_every_length() {
    for length in 0..=80 {
        for position in 0..=length {
            for escape in [
                r"\n",
                r"\u0434",
                r"\ud83d\ude00",
                r"\u0434 \u0430, \u0436",
                r"\",
                r"\q",
                r"\u0",
            ] {
                let raw = format!(
                    "{}{escape}{}",
                    "a".repeat(position),
                    "b".repeat(length - position)
                );
                check_decode(raw.as_bytes());
            }
        }
    }
}

#[test]
fn strings_longer_than_the_capacity() {
    for part in [
        r"\n",
        r"\u0041",
        r"\u0434",
        r"\u4e2d",
        r"\ud83d\ude00",
        r"\ud83d",
        "plain text ",
        r"word \t and \u00e9 ",
    ] {
        for repeat in [255, 256, 257, 682, 683, 1365, 1366, 2047, 2048, 2049, 5000] {
            let raw = part.repeat(repeat);
            check_decode(raw.as_bytes());
            check_decode(format!(r"\\{raw}").as_bytes());
        }
    }
    for length in 4070..4130 {
        check_decode(format!(r"\n{}\n", "a".repeat(length)).as_bytes());
        check_decode(format!(r"\n{}\u0434\n", r"\t".repeat(length / 2)).as_bytes());
    }
}

#[test]
fn borrows_text_without_backslash() {
    assert!(matches!(decode(b"").unwrap().text, Cow::Borrowed(b"")));
    assert!(matches!(
        decode("слово".as_bytes()).unwrap().text,
        Cow::Borrowed(_)
    ));
    assert!(matches!(decode(br"\/").unwrap().text, Cow::Owned(_)));
}

#[test]
fn keys_with_every_kind_of_escape() {
    let wanted = "ключ\"\\/\u{8}\u{c}\n\r\t\u{1f600}";
    let raw = r#"\u043aл\u044E\u0447\"\\\/\b\f\n\r\t\ud83d\uDE00"#;
    assert!(key_equals(raw.as_bytes(), wanted.as_bytes()));
    for length in 0..raw.len() {
        assert!(!key_equals(&raw.as_bytes()[..length], wanted.as_bytes()));
    }
    for length in 0..wanted.len() {
        assert!(!key_equals(raw.as_bytes(), &wanted.as_bytes()[..length]));
    }
    for malformed in [
        r"\",
        r"\u",
        r"\u00",
        r"\u00g0",
        r"\q",
        r"\ud800",
        r"\udc00\ud800",
        r"\ud800\u0041",
    ] {
        for text in [
            "\\",
            "u",
            "q",
            "\u{fffd}",
            "\u{fffd}\u{fffd}",
            "\u{fffd}A",
            malformed,
        ] {
            assert!(
                !key_equals(malformed.as_bytes(), text.as_bytes()),
                "{malformed} {text}"
            );
        }
    }
}

#[test]
fn lone_surrogates_in_keys_are_their_three_bytes() {
    for (raw, text) in [
        (r"\ud800", &b"\xed\xa0\x80"[..]),
        (r"\uDFFFa", b"\xed\xbf\xbfa"),
        (r"\ud800\ud83d\ude00", b"\xed\xa0\x80\xf0\x9f\x98\x80"),
        (r"\udc00\ud800", b"\xed\xb0\x80\xed\xa0\x80"),
        (r"\ud800\u0041", b"\xed\xa0\x80A"),
        (r"\ud800\n", b"\xed\xa0\x80\n"),
    ] {
        assert_eq!(decode_key(raw.as_bytes()), text, "{raw}");
        assert!(key_equals(raw.as_bytes(), text), "{raw}");
        assert!(
            !key_equals(raw.as_bytes(), &text[..text.len() - 1]),
            "{raw}"
        );
    }
    assert_eq!(decode_key(br"\ud800\u00"), &b"\xed\xa0\x80\\u00"[..]);
}

/// Raw text made of valid and invalid fragments.
fn fragments() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => "[а-яa-z ,]{1,12}",
        1 => "[a-z]{1,100}",
        4 => any::<u16>().prop_map(|unit| format!("\\u{unit:04x}")),
        4 => (0x400u16..0x460).prop_map(|unit| format!("\\u{unit:04X}")),
        2 => any::<char>().prop_map(|c| c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect()),
        2 => (0xd800u16..0xe000).prop_map(|unit| format!("\\u{unit:04x}")),
        3 => prop::sample::select(br#""\/bfnrt"#.to_vec()).prop_map(|letter| format!("\\{}", char::from(letter))),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat().into_bytes())
}

proptest! {
    #![proptest_config(cases(4_000))]

    #[test]
    fn special_bytes_in_random_text(bytes in prop::collection::vec(any::<u8>(), 0..80), from in 0usize..90) {
        prop_assert_eq!(find_special(&bytes, from), naive_special(&bytes, from));
    }

    #[test]
    fn decoding_well_formed_text(raw in fragments()) {
        check_decode(&raw);
        let text = [b"\"", &raw[..], b"\""].concat();
        let (own, surrogates) = decoded(&raw).unwrap();
        prop_assert!(str::from_utf8(&own).is_ok());
        prop_assert_eq!(end(&text, 1), Ok(raw.len() + 1));
        match serde_json::from_slice::<String>(&text) {
            Ok(theirs) => {
                prop_assert_eq!(&own, theirs.as_bytes());
                prop_assert_eq!(surrogates, Surrogates::Paired);
                prop_assert!(key_equals(&raw, &own));
            }
            // serde_json rejects only lone surrogates among these texts.
            Err(_) => {
                let lone = matches!(surrogates, Surrogates::Replaced { .. });
                prop_assert!(lone);
                prop_assert!(!key_equals(&raw, &own));
            }
        }
    }

    #[test]
    fn decoding_damaged_text(mut raw in fragments(), damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4), cut in any::<prop::sample::Index>()) {
        for (position, byte) in damage {
            if !raw.is_empty() {
                let position = position.index(raw.len());
                raw[position] = byte;
            }
        }
        check_decode(&raw);
        let cut = &raw[..cut.index(raw.len() + 1)];
        check_decode(cut);
        prop_assert_eq!(end(&raw, 0), naive_end(&raw, 0));
        prop_assert_eq!(end(cut, 0), naive_end(cut, 0));
    }

    #[test]
    fn decoding_anything(raw in prop::collection::vec(prop_oneof![any::<u8>(), Just(b'\\'), Just(b'u'), Just(b'd'), Just(b'0')], 0..200)) {
        check_decode(&raw);
    }

    #[test]
    fn keys_against_decoding(raw in fragments(), other in fragments()) {
        let (text, surrogates) = decoded(&raw).unwrap();
        let wanted = decoded(&other).unwrap().0;
        let (key, other) = (decode_key(&raw), decode_key(&other));
        prop_assert_eq!(key_equals(&raw, &other), key == other);
        prop_assert!(key_equals(&raw, &key));
        let paired = surrogates == Surrogates::Paired;
        prop_assert_eq!(*key == *text, paired);
        prop_assert_eq!(key_equals(&raw, &wanted), paired && text == wanted);
        prop_assert_eq!(key_equals(&raw, &text), paired);
    }
}
