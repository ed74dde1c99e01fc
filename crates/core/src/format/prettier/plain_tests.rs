use proptest::prelude::*;

use crate::agreement::valid_text;
use crate::engine::{Kernel, Options, Validator, validate_with};
use crate::format::{Formatter, Indent, LineEnd, RewriteOptions, Rewriter, Style, TrailingCommas};
use crate::jsonc::tests::with_comments;
use crate::jsonc::{Dialect, blank};
use jsonx_testing::cases;

fn commented(commas: TrailingCommas) -> RewriteOptions {
    RewriteOptions::default().comments(Some(commas))
}

fn format(text: &[u8], style: RewriteOptions, kernel: Kernel, size: usize) -> String {
    let options = Options::default().dialect(Dialect::Jsonc).kernel(kernel);
    let mut validator = Validator::new(options);
    let mut formatter = Rewriter::new(style, Vec::new());
    for window in text.chunks(size) {
        validator.write(window, &mut formatter).unwrap();
    }
    String::from_utf8(validator.finish(formatter).unwrap()).unwrap()
}

fn plain(text: &str) -> String {
    format(
        text.as_bytes(),
        commented(TrailingCommas::Keep),
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

fn styles() -> impl Strategy<Value = RewriteOptions> {
    let indents = prop::sample::select(vec![Indent::Spaces(2), Indent::Spaces(4), Indent::Tab]);
    let commas = prop::sample::select(vec![
        TrailingCommas::Keep,
        TrailingCommas::None,
        TrailingCommas::All,
    ]);
    let widths = prop::option::of(0..60_u16);
    let all = (indents, commas, any::<bool>(), widths);
    all.prop_map(|(indent, commas, crlf, width)| {
        let line_end = if crlf { LineEnd::CrLf } else { LineEnd::Lf };
        commented(commas)
            .style(Style::Pretty(indent))
            .line_end(line_end)
            .width(width)
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
        if style.comments == Some(TrailingCommas::None) {
            prop_assert!(validate_with(formatted.as_bytes(), Options::default().dialect(Dialect::Comments)).is_ok());
        }
        if style.line_end == LineEnd::CrLf {
            prop_assert_eq!(formatted.matches('\n').count(), formatted.matches("\r\n").count());
        }
    }

    #[test]
    fn text_without_comments_is_formatted_as_ever(choices in prop::collection::vec(any::<u32>(), 0..100)) {
        // Without blank lines, which this formatter keeps.
        let text = stripped_of_lines(&valid_text(&choices));
        prop_assert!(validate_with(&text, Options::default()).is_ok());
        let formatter = Formatter::new(Style::Pretty(Indent::Spaces(2)), Vec::new());
        let expected = Validator::new(Options::default()).check(&text, formatter).unwrap();
        let formatted = format(&text, commented(TrailingCommas::Keep), Kernel::best(), usize::MAX);
        prop_assert_eq!(formatted.as_bytes(), &expected[..]);
    }

    #[test]
    fn text_without_comments_is_fitted_and_escaped_as_ever(
        choices in prop::collection::vec(any::<u32>(), 0..100),
        width in 0..80_u16,
        ascii in any::<bool>(),
        html_safe in any::<bool>(),
        size in 1..200_usize,
    ) {
        let text = stripped_of_lines(&valid_text(&choices));
        let options = RewriteOptions::default().width(Some(width)).ascii(ascii).html_safe(html_safe);
        let mut rewriter = Rewriter::new(options, Vec::new());
        Validator::new(Options::default()).check(&text, &mut rewriter).unwrap();
        let expected = String::from_utf8(rewriter.finish().unwrap()).unwrap();
        let style = commented(TrailingCommas::Keep).width(Some(width)).ascii(ascii).html_safe(html_safe);
        prop_assert_eq!(format(&text, style, Kernel::best(), size), expected);
    }
}

#[test]
fn containers_with_comments_are_not_put_on_one_line() {
    let fitted = |text: &str, commas, width| {
        let style = commented(commas).width(Some(width));
        let formatted = format(text.as_bytes(), style, Kernel::swar(), usize::MAX);
        let again = format(formatted.as_bytes(), style, Kernel::swar(), usize::MAX);
        assert_eq!(again, formatted, "{text:?} again");
        formatted
    };
    let keep = TrailingCommas::Keep;
    for (text, expected) in [
        (
            "{\"a\": [1,\n2], // two\n\"b\": {}}",
            "{\n  \"a\": [1, 2], // two\n  \"b\": {}\n}\n",
        ),
        (
            "[[1, /* two */ 2], [3]]",
            "[\n  [\n    1,\n    /* two */ 2\n  ],\n  [3]\n]\n",
        ),
        ("// a\n[1,\n\n2] // b", "// a\n[1, 2] // b\n"),
        ("[1,2,]", "[1, 2,]\n"),
        ("[[ // a\n], [[[]]]]", "[\n  [ // a\n  ],\n  [[[]]]\n]\n"),
        ("{\"a\": /* b */ [1]}", "{\n  \"a\": /* b */ [1]\n}\n"),
    ] {
        assert_eq!(fitted(text, keep, 20), expected, "{text:?}");
    }
    let text = "[[1, 2,], [\"long\", \"enough\"]]";
    assert_eq!(
        fitted(text, TrailingCommas::All, 20),
        "[\n  [1, 2,],\n  [\n    \"long\",\n    \"enough\",\n  ],\n]\n"
    );
    for text in ["[1, 2]", "[1, 2,]", "{\"a\": [1, 2,],}"] {
        assert_eq!(fitted(text, TrailingCommas::All, 20), format!("{text}\n"));
    }
    assert_eq!(fitted("[[1, 2,],]", TrailingCommas::None, 20), "[[1, 2]]\n");
    // The comma after a container counts for its line.
    assert_eq!(
        fitted("[[1, 2], 3333]", keep, 9),
        "[\n  [1, 2],\n  3333\n]\n"
    );
    assert_eq!(
        fitted("[[1, 2], 3333]", keep, 8),
        "[\n  [\n    1,\n    2\n  ],\n  3333\n]\n"
    );
}

#[test]
fn comments_are_not_escaped() {
    let style = commented(TrailingCommas::Keep).ascii(true).html_safe(true);
    let text = "{\"é\": \"<😀>\" /* é < */}";
    for size in [1, 5, 100] {
        let formatted = format(text.as_bytes(), style, Kernel::swar(), size);
        let expected = "{\n  \"\\u00e9\": \"\\u003c\\ud83d\\ude00\\u003e\" /* é < */\n}\n";
        assert_eq!(formatted, expected);
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
        ("{\"a\": // why\n 1}", "{\n  \"a\": // why\n  1\n}\n"),
        (
            "{\"a\" // k\n: // why\n [1]}",
            "{\n  \"a\" // k\n  : // why\n  [\n    1\n  ]\n}\n",
        ),
        // A line with only a comma is not blank.
        (
            "{\"a\": 1 /* c */\n,\n\"b\": 2\n,\n\n\"c\": 3\n\n,\n\"d\": 4}",
            "{\n  \"a\": 1, /* c */\n  \"b\": 2,\n\n  \"c\": 3,\n\n  \"d\": 4\n}\n",
        ),
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
