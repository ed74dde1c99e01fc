use proptest::prelude::*;

use super::{CommentFormatter, CommentStyle, Formatter, Indent, Style, TrailingCommas};
use crate::agreement::valid_text;
use crate::cases::cases;
use crate::jsonc::tests::with_comments;
use crate::jsonc::{Dialect, blank};
use crate::{Kernel, Options, Validator, validate_with};

fn format(text: &[u8], style: CommentStyle, kernel: Kernel, size: usize) -> String {
    let options = Options::default().dialect(Dialect::Jsonc).kernel(kernel);
    let mut validator = Validator::new(options);
    let mut formatter = CommentFormatter::new(style, Vec::new());
    for window in text.chunks(size) {
        validator.write(window, &mut formatter).unwrap();
    }
    String::from_utf8(validator.finish(formatter).unwrap()).unwrap()
}

fn plain(text: &str) -> String {
    format(
        text.as_bytes(),
        CommentStyle::default(),
        Kernel::swar(),
        usize::MAX,
    )
}

/// The comments of a text in order, with line feeds for line ends.
fn comments(text: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let length = match rest {
            [b'"', ..] => {
                let mut end = 1;
                while rest[end] != b'"' {
                    end += if rest[end] == b'\\' { 2 } else { 1 };
                }
                end + 1
            }
            [b'/', b'/', ..] => {
                let end = rest.iter().position(|byte| b"\r\n".contains(byte));
                end.unwrap_or(rest.len())
            }
            [b'/', ..] => {
                let end = rest[2..].windows(2).position(|pair| pair == b"*/");
                end.map_or(rest.len(), |end| end + 4)
            }
            _ => 1,
        };
        if rest[0] == b'/' {
            let comment = String::from_utf8_lossy(&rest[..length]);
            found.push(comment.replace("\r\n", "\n").replace('\r', "\n"));
        }
        at += length;
    }
    found
}

/// The text as minified JSON, without its comments.
fn stripped(text: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    blank(&mut text, Dialect::Jsonc).unwrap();
    let formatter = Formatter::new(Style::Compact, Vec::new());
    Validator::new(Options::default())
        .check(&text, formatter)
        .unwrap()
}

fn styles() -> impl Strategy<Value = CommentStyle> {
    let indents = prop::sample::select(vec![Indent::Spaces(2), Indent::Spaces(4), Indent::Tab]);
    let commas = prop::sample::select(vec![
        TrailingCommas::Keep,
        TrailingCommas::None,
        TrailingCommas::All,
    ]);
    (indents, commas, any::<bool>()).prop_map(|(indent, trailing_commas, crlf)| CommentStyle {
        indent,
        trailing_commas,
        crlf,
        final_newline: true,
    })
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn comments_survive_and_formatted_text_is_a_fixed_point(
        choices in prop::collection::vec(any::<u32>(), 0..100),
        places in prop::collection::vec(0..40_usize, 1..40),
        style in styles(),
        size in 1..200_usize,
    ) {
        let text = with_comments(&valid_text(&choices), &places);
        let shown = String::from_utf8_lossy(&text).into_owned();
        let verdict = validate_with(&text, Options::default().dialect(Dialect::Jsonc));
        prop_assert_eq!(verdict, Ok(()), "{}", shown);
        let formatted = format(&text, style, Kernel::best(), usize::MAX);
        prop_assert_eq!(comments(formatted.as_bytes()), comments(&text), "{}", shown);
        prop_assert_eq!(stripped(formatted.as_bytes()), stripped(&text), "{}", shown);
        let again = format(formatted.as_bytes(), style, Kernel::best(), usize::MAX);
        prop_assert_eq!(&again, &formatted, "{}", shown);
        for kernel in Kernel::available() {
            prop_assert_eq!(&format(&text, style, kernel, size), &formatted, "{}", shown);
        }
        if style.trailing_commas == TrailingCommas::None {
            prop_assert!(validate_with(formatted.as_bytes(), Options::default().dialect(Dialect::Comments)).is_ok());
        }
        if style.crlf {
            prop_assert_eq!(formatted.matches('\n').count(), formatted.matches("\r\n").count());
        }
    }

    #[test]
    fn text_without_comments_is_formatted_as_ever(choices in prop::collection::vec(any::<u32>(), 0..100)) {
        // Without blank lines, which stay here.
        let text = stripped_of_lines(&valid_text(&choices));
        prop_assert!(validate_with(&text, Options::default()).is_ok());
        let formatter = Formatter::new(Style::Pretty(Indent::Spaces(2)), Vec::new());
        let expected = Validator::new(Options::default()).check(&text, formatter).unwrap();
        let formatted = format(&text, CommentStyle::default(), Kernel::best(), usize::MAX);
        prop_assert_eq!(formatted.as_bytes(), &expected[..]);
    }
}

fn stripped_of_lines(text: &[u8]) -> Vec<u8> {
    text.iter()
        .map(|&byte| if b"\r\n".contains(&byte) { b' ' } else { byte })
        .collect()
}

#[test]
fn sides_of_comments() {
    for (text, expected) in [
        ("// a\n\n\n[ ]", "// a\n\n[]\n"),
        (
            "/* a */ [1] // b\n\n\n// c",
            "/* a */ [\n  1\n] // b\n\n// c\n",
        ),
        (
            "[ // a\n1 // b\n, // c\n2 ]",
            "[ // a\n  1, // b\n  // c\n  2\n]\n",
        ),
        ("[1, /* two */ 2]", "[\n  1,\n  /* two */ 2\n]\n"),
        (
            "[1 /* one */, 2, /* end */]",
            "[\n  1, /* one */\n  2, /* end */\n]\n",
        ),
        ("[ /* empty */ ]", "[\n  /* empty */\n]\n"),
        ("{ // empty\n}", "{ // empty\n}\n"),
        (
            "{\"a\" /* k */ : /* v */ 1}",
            "{\n  \"a\" /* k */: /* v */ 1\n}\n",
        ),
        ("{\"a\": // why\n 1}", "{\n  \"a\": // why\n    1\n}\n"),
        ("[\n\n1,\n\n\n2,\n3\n\n]", "[\n  1,\n\n  2,\n  3\n]\n"),
        (
            "[1,\n    /* a\n  b */\n2]",
            "[\n  1,\n  /* a\n  b */\n  2\n]\n",
        ),
        (
            "{\"url\": \"http://x\", }",
            "{\n  \"url\": \"http://x\",\n}\n",
        ),
        (
            "[1, /* a */ /* b */\n2]",
            "[\n  1, /* a */ /* b */\n  2\n]\n",
        ),
        ("[\n// a\n]", "[\n  // a\n]\n"),
    ] {
        assert_eq!(plain(text), expected, "{text:?}");
        assert_eq!(plain(expected), expected, "{text:?} again");
    }
}
