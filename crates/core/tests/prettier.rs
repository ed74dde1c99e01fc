//! The layout of Prettier: a table of its results, and properties of any text.
//!
//! Each line of `tests/data/prettier.jsonl` has a text, the output of Prettier 3.10, and any options other than `parser:
//! "json"`.

use jsonx_core::engine::{Options, Validator};
use jsonx_core::format::{Indent, NumberArrays, PrettierStyle, RewriteOptions, Rewriter, Style};
use jsonx_core::jsonc::Dialect;
use proptest::prelude::*;
use serde_json::Value;

const TABLE: &str = include_str!("../../../tests/data/prettier.jsonl");

fn rewrite(options: &Value) -> RewriteOptions {
    let columns = |name: &str, default: u64| options[name].as_u64().unwrap_or(default);
    let tab_width = columns("tabWidth", 2) as u8;
    let style = PrettierStyle::default()
        .comments(true)
        .tab_width(tab_width)
        .bracket_spacing(options["bracketSpacing"] != Value::Bool(false))
        .collapse(options["objectWrap"] == "collapse")
        .trailing_commas(options["parser"] == "jsonc");
    let indent = if options["useTabs"] == Value::Bool(true) {
        Indent::Tab
    } else {
        Indent::Spaces(tab_width)
    };
    RewriteOptions::from(Style::Pretty(indent))
        .prettier(Some(style))
        .width(Some(columns("printWidth", 80) as u16))
}

/// Formats a text that arrives in windows of this many bytes.
fn format(options: RewriteOptions, dialect: Dialect, text: &str, window: usize) -> String {
    let mut validator = Validator::new(Options::default().dialect(dialect));
    let mut rewriter = Rewriter::new(options, Vec::new());
    for bytes in text.as_bytes().chunks(window.max(1)) {
        validator.write(bytes, &mut rewriter).unwrap();
    }
    String::from_utf8(validator.finish(rewriter).unwrap()).unwrap()
}

/// The options without comments, for a text that has none.
fn plain(options: RewriteOptions) -> RewriteOptions {
    options.prettier(options.prettier.map(|style| style.comments(false)))
}

#[test]
fn texts_as_prettier_formats_them() {
    let mut wrong = Vec::new();
    for line in TABLE.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let (text, expected) = (case[0].as_str().unwrap(), case[1].as_str().unwrap());
        let options = rewrite(&case[2]);
        let is_plain = serde_json::from_str::<Value>(text).is_ok();
        let mut check = |options, dialect, window| {
            let formatted = format(options, dialect, text, window);
            if formatted != expected {
                wrong.push(format!("{text:?} ({window})\n{formatted}\nbut\n{expected}"));
            }
        };
        for window in [usize::MAX, 64, 1] {
            check(options, Dialect::Jsonc, window);
            if is_plain && !options.prettier.unwrap().trailing_commas {
                check(plain(options), Dialect::Json, window);
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// White space, with comments or without.
fn gap(comments: bool) -> impl Strategy<Value = &'static str> {
    let mut gaps = vec!["", "", "", " ", "\n", "\n\n  ", "\r\n", "\n \n\n"];
    if comments {
        gaps.extend([
            "// c\n",
            " /* c */ ",
            "\n/* c */\n",
            "/*\n * c\n */\n",
            "\n/* c\n*/",
            " // é\n\n",
        ]);
    }
    proptest::sample::select(gaps)
}

/// A text whose numbers are spelled as Prettier does.
fn text(comments: bool) -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        Just("null".to_owned()),
        (0..100_000i32).prop_map(|number| number.to_string()),
        (0..100i32).prop_map(|number| format!("-{number}.5")),
        "[a-z日é🎉/,:{}\\[]{0,30}".prop_map(|text| format!("\"{text}\"")),
    ];
    let spaced = move |inner: BoxedStrategy<String>| {
        (gap(comments), inner, gap(comments)).prop_map(|(a, inner, b)| format!("{a}{inner}{b}"))
    };
    let value = scalar.boxed().prop_recursive(5, 60, 12, move |inner| {
        let element = spaced(inner.boxed()).boxed();
        let member = (
            spaced("[a-zé]{0,9}".prop_map(|key| format!("\"{key}\"")).boxed()),
            element.clone(),
        )
            .prop_map(|(key, value)| format!("{key}:{value}"));
        prop_oneof![
            (proptest::collection::vec(element, 0..12), gap(comments)).prop_map(
                |(elements, end)| {
                    let end = if elements.is_empty() { end } else { "" };
                    format!("[{}{end}]", elements.join(","))
                }
            ),
            (proptest::collection::vec(member, 0..6), gap(comments)).prop_map(|(members, end)| {
                let end = if members.is_empty() { end } else { "" };
                format!("{{{}{end}}}", members.join(","))
            }),
        ]
        .boxed()
    });
    spaced(value.boxed())
}

fn minified(text: &str, dialect: Dialect) -> String {
    let options = RewriteOptions::from(Style::Compact);
    format(options, dialect, text, usize::MAX)
}

/// The comments of a text, sorted and without white space: those between a key and its value may change places.
fn comments(text: &str) -> Vec<String> {
    let mut comments = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(['"', '/']) {
        rest = &rest[start..];
        let end = match rest.as_bytes() {
            [b'"', ..] => 2 + rest[1..].find('"').unwrap(),
            [_, b'*', ..] => 2 + rest.find("*/").unwrap(),
            _ => rest.find('\n').unwrap_or(rest.len()),
        };
        if rest.starts_with('/') {
            comments.push(rest[..end].split_whitespace().collect());
        }
        rest = &rest[end..];
    }
    comments.sort();
    comments
}

proptest! {
    /// Only white space changes, formatted text is a fixed point, and windows do not matter.
    #[test]
    fn any_text(text in text(false), width in 1..100u16, window in 1..200usize) {
        let options = plain(rewrite(&Value::Null)).width(Some(width));
        let formatted = format(options, Dialect::Json, &text, usize::MAX);
        prop_assert_eq!(minified(&formatted, Dialect::Json), minified(&text, Dialect::Json));
        prop_assert_eq!(&format(options, Dialect::Json, &formatted, usize::MAX), &formatted);
        prop_assert_eq!(&format(options, Dialect::Json, &text, window), &formatted);
        // The same result as the formatter for comments.
        let options = rewrite(&Value::Null).width(Some(width));
        prop_assert_eq!(&format(options, Dialect::Jsonc, &text, window), &formatted);
    }

    /// Comments stay too.
    #[test]
    fn any_text_with_comments(text in text(true), width in 1..100u16, window in 1..200usize) {
        let options = rewrite(&Value::Null).width(Some(width));
        let formatted = format(options, Dialect::Jsonc, &text, usize::MAX);
        prop_assert_eq!(minified(&formatted, Dialect::Jsonc), minified(&text, Dialect::Jsonc));
        prop_assert_eq!(comments(&formatted), comments(&text));
        prop_assert_eq!(&format(options, Dialect::Jsonc, &text, window), &formatted);
    }
}

/// Arrays of numbers, some of which end with something else.
#[test]
fn arrays_of_numbers_are_known_before() {
    let arrays = [
        "[]",
        "[1]",
        "[-1,2]",
        "[1,[2,3],4]",
        "[[1,null],[2]]",
        "[[],1,2]",
        "[\"a\",1]",
        "[{\"a\":[1,2.5]},1]",
    ];
    let long: Vec<String> = (0..300).map(|number| number.to_string()).collect();
    let long = long.join(",");
    let text = format!(
        "[{},[{long}],[{long},true],[{long}]]",
        arrays.repeat(40).join(",")
    );
    for width in [1, 20, 80] {
        let options = plain(rewrite(&Value::Null)).width(Some(width));
        let known = Validator::new(Options::default())
            .check(text.as_bytes(), NumberArrays::default())
            .unwrap();
        let rewriter = Rewriter::new(options, Vec::new()).number_arrays(known);
        let formatted = Validator::new(Options::default())
            .check(text.as_bytes(), rewriter)
            .unwrap();
        assert_eq!(
            String::from_utf8(formatted).unwrap(),
            format(options, Dialect::Json, &text, usize::MAX)
        );
    }
}

/// An array known to contain only numbers is not buffered.
#[test]
fn memory_does_not_depend_on_the_length_of_an_array() {
    let options = plain(rewrite(&Value::Null));
    let text = format!("[{}1]", "123456, ".repeat(100_000));
    let known = Validator::new(Options::default())
        .check(text.as_bytes(), NumberArrays::default())
        .unwrap();
    let mut rewriter = Rewriter::new(options, Vec::new()).number_arrays(known);
    let mut validator = Validator::new(Options::default());
    let mut written = 0;
    for (index, window) in text.as_bytes().chunks(1 << 16).enumerate() {
        validator.write(window, &mut rewriter).unwrap();
        rewriter.flush().unwrap();
        written += std::mem::take(rewriter.output()).len();
        // At most a chunk is buffered.
        assert!(written + (16 << 10) > index << 16, "{index}: {written}");
    }
}
