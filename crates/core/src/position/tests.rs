//! Compares positions with a loop over code points.

use jsonx_testing::cases;
use proptest::prelude::*;

use super::*;

/// The length of the unit at `at`: a CRLF, a code point, or any other byte.
fn unit(text: &[u8], at: usize) -> usize {
    if text[at..].starts_with(b"\r\n") {
        return 2;
    }
    (1..=4)
        .find(|&length| {
            text.get(at..at + length)
                .is_some_and(|bytes| str::from_utf8(bytes).is_ok())
        })
        .unwrap_or(1)
}

fn naive(text: &[u8], offset: usize) -> (Position, usize) {
    let mut position = Position {
        line: 1,
        column: 1,
        column_utf16: 1,
    };
    let (mut at, mut start) = (0, 0);
    while at < text.len() {
        let length = unit(text, at);
        let bytes = &text[at..at + length];
        if offset < at + length {
            let second = u64::from(offset > at && bytes == b"\r\n");
            position.column += second;
            position.column_utf16 += second;
            break;
        }
        at += length;
        if bytes[0] == b'\r' || bytes[0] == b'\n' {
            position = Position {
                line: position.line + 1,
                column: 1,
                column_utf16: 1,
            };
            start = at;
        } else if !(at == 3 && bytes == "\u{feff}".as_bytes()) {
            position.column += 1;
            position.column_utf16 += if length == 4 { 2 } else { 1 };
        }
    }
    (position, start)
}

fn check(text: &[u8]) {
    for offset in 0..=text.len() + 2 {
        let (position, start) = naive(text, offset);
        assert_eq!(
            locate(text, offset),
            position,
            "{} at {offset}",
            text.escape_ascii()
        );
        assert_eq!(
            line_start(text, offset),
            start,
            "{} at {offset}",
            text.escape_ascii()
        );
        let end = (start..text.len())
            .find(|&at| matches!(text[at], b'\r' | b'\n'))
            .unwrap_or(text.len());
        assert_eq!(
            line_range(text, offset),
            start..end,
            "{} at {offset}",
            text.escape_ascii()
        );
    }
}

/// Feeds windows that end at `cuts`, and queries the position at each of them.
fn check_windows(text: &[u8], cuts: &[usize]) {
    let mut counter = LineCounter::new();
    let mut fed = 0;
    for &cut in cuts {
        counter.feed(&text[fed..cut]);
        fed = cut;
        assert_eq!(counter.offset(), fed as u64);
        let expected = naive(text, fed);
        for known in [3, 4, text.len() - fed] {
            let next = &text[fed..][..known.min(text.len() - fed)];
            assert_eq!(
                counter.position(next),
                expected.0,
                "{} at {cuts:?}",
                text.escape_ascii()
            );
        }
        let cut_short = naive(&text[..fed], fed);
        assert_eq!(
            counter.position(b""),
            cut_short.0,
            "{} at {cuts:?}",
            text.escape_ascii()
        );
        let start = if text[..fed].ends_with(b"\r") {
            naive(text, fed - 1).1
        } else {
            cut_short.1
        };
        assert_eq!(
            counter.line_start(),
            start as u64,
            "{} at {cuts:?}",
            text.escape_ascii()
        );
    }
}

fn check_all_windows(text: &[u8]) {
    for size in 1..=text.len().clamp(1, 9) {
        let cuts: Vec<usize> = (0..text.len()).step_by(size).chain([text.len()]).collect();
        check_windows(text, &cuts);
    }
}

const TEXTS: &[&[u8]] = &[
    b"",
    b"\n",
    b"\r",
    b"\r\n",
    b"\n\r",
    b"\r\r\n\n",
    b"a\r\nb\nc\rd",
    b"\r\n\r\n\r\n",
    b"\r\r\r",
    "[\n\t\"да\", \"\u{1f600}x\"\r\n]\u{2028}\u{85}\x0b\x0c".as_bytes(),
    b"\xef\xbb\xbf",
    b"\xef\xbb\xbf[1]\r\n2",
    b"\xef\xbb\xbf\r",
    b"\xef\xbb\xbf\xef\xbb\xbf\n\xef\xbb\xbf",
    b"\xef\xbb",
    b"\xef\xbb\n",
    b"\xef\xbb\xbe",
    b" \xef\xbb\xbf",
    b"\xff\xfe\xc0\x80",
    b"\xe2\x82",
    b"\xe2\x82\r\n",
    b"\xe2\x82\rx",
    b"\xe2\x82\xe2\x82\xac",
    b"\xf0\x9f\x98",
    b"\xf0\x9f\x98\xf0\x9f\x98\x80",
    b"\xed\xa0\x80\xf4\x90\x80\x80\xf5",
    b"\xc3\xc3\xa9\x80\x80",
    b"\xf0\xef\xbb\xbf",
];

#[test]
fn every_offset_of_every_text() {
    for text in TEXTS {
        check(text);
        check_all_windows(text);
    }
}

#[test]
fn line_endings_tabs_and_wide_characters() {
    let at = |text: &[u8], offset| {
        let position = locate(text, offset);
        (position.line, position.column, position.column_utf16)
    };
    assert_eq!(at(b"\xef\xbb\xbf{", 3), (1, 1, 1));
    assert_eq!(at(b"\t\tx", 2), (1, 3, 3));
    assert_eq!(at("\"\u{1f600}\u{e9}\"".as_bytes(), 7), (1, 4, 5));
    assert_eq!(at(b"\"\xff\xff\"", 3), (1, 4, 4));
    assert_eq!(at(b"a\rb\r\nc", 5), (3, 1, 1));
    assert_eq!(at("a\u{2028}b".as_bytes(), 4), (1, 3, 3));
    assert_eq!(at(b"1\n", 2), (2, 1, 1));
}

#[test]
fn longer_than_a_piece() {
    // Line endings, a code point and a truncated one, across every position where a pass may stop.
    for length in [
        4093, 4094, 4095, 4096, 4097, 65533, 65534, 65535, 65536, 65537, 70000,
    ] {
        for middle in [
            "\r\n",
            "\n",
            "\r",
            "\r\r",
            "дa",
            "\u{1f600}",
            "é\u{1f600}é\n",
        ] {
            for fill in ["a", "\n", "д"] {
                let text = [
                    fill.repeat(length / fill.len()).as_bytes(),
                    middle.as_bytes(),
                    b"x\xf0\x9f\n\xff",
                ]
                .concat();
                for back in 0..=12 {
                    let offset = text.len() - back;
                    assert_eq!(locate(&text, offset), naive(&text, offset).0);
                }
            }
        }
    }
}

#[test]
fn many_positions_in_ascending_order() {
    let text = "{\"ключ\": [1,\r\n 2,\r 3]}\n".repeat(50);
    let mut counter = LineCounter::new();
    for offset in (0..text.len()).step_by(7) {
        let fed = counter.offset() as usize;
        counter.feed(&text.as_bytes()[fed..offset]);
        assert_eq!(
            counter.position(&text.as_bytes()[offset..]),
            naive(text.as_bytes(), offset).0
        );
    }
}

fn texts() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => "[a-z\t ]{0,9}".prop_map(String::into_bytes),
        3 => prop::sample::select(vec!["\r", "\n", "\r\n", "\u{feff}", "д", "€", "\u{1f600}"]).prop_map(|text| text.into()),
        1 => prop::collection::vec(any::<u8>(), 1..4),
        2 => prop::sample::select(b"\x80\xbb\xbf\xc3\xe2\x82\xed\xa0\xef\xf0\x9f\x98\xff".to_vec()).prop_map(|byte| vec![byte]),
    ];
    (any::<bool>(), prop::collection::vec(piece, 0..30)).prop_map(|(mark, pieces)| {
        [
            if mark { &BYTE_ORDER_MARK[..] } else { b"" },
            &pieces.concat(),
        ]
        .concat()
    })
}

proptest! {
    #![proptest_config(cases(4000))]

    #[test]
    fn random_texts(text in texts()) {
        check(&text);
    }

    #[test]
    fn random_windows(text in texts(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12)) {
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).chain([text.len()]).collect();
        cuts.sort_unstable();
        check_windows(&text, &cuts);
        check_all_windows(&text);
    }
}

proptest! {
    #[test]
    fn verified_text_is_counted_alike(
        pieces in prop::collection::vec(prop::sample::select(&["a", "é", "€", "😀", "\n", "\r", "\r\n", "{\"k\": 1}"][..]), 0..400),
        cut in 1_usize..300,
    ) {
        let text = pieces.concat().into_bytes();
        let (mut checked, mut trusted) = (LineCounter::new(), LineCounter::new());
        for (number, window) in text.chunks(cut).enumerate() {
            checked.feed(window);
            trusted.feed_verified(window);
            let next = &text[(number * cut + window.len())..];
            prop_assert_eq!(checked.position(next), trusted.position(next));
            prop_assert_eq!(checked.line_start(), trusted.line_start());
        }
    }
}
