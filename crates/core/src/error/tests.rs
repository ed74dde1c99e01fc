//! The error type for all modules, and its excerpts of the text.

use std::error::Error as _;
use std::io;

use proptest::prelude::*;

use super::Error;
use crate::diff::DiffOptions;
use crate::edit::EditError;
use crate::engine::{Options, Validator, Verdict};
use crate::format::{Output, RewriteOptions, Rewriter, WriteTo};
use crate::patch::Patch;
use crate::path::Path;
use crate::{Document, LookupError, SyntaxError, validate};
use jsonx_testing::cases;

#[test]
fn a_pointer_that_threads_can_share() {
    fn is_shared<T: Send + Sync + 'static>() {}
    is_shared::<Error>();
    assert_eq!(size_of::<Error>(), size_of::<usize>());
    assert_eq!(size_of::<Result<(), Error>>(), size_of::<usize>());
}

/// An error of every module converts with `?`.
#[test]
fn errors_of_all_parts_convert() {
    type Part = fn() -> Result<(), Error>;
    let parts: &[(Part, &str)] = &[
        (
            || Ok(validate(b"[")?),
            "the text ends before the value is complete at offset 1",
        ),
        (
            || Ok(Validator::new(Options::default()).check(b"[}", Verdict)?),
            "expected a value or `]` at offset 1",
        ),
        (
            || Document::parse(b"[\n1 2]").map(drop),
            "expected `,` or `]` at line 2 column 3",
        ),
        (
            || Ok(Document::parse(b"[]")?.find(".a").map(drop)?),
            ".a: the root is an array, not an object",
        ),
        (
            || Ok(Document::parse(b"[]")?.find("/-").map(drop)?),
            "/-: the root has 0 elements",
        ),
        (
            || Ok(Document::parse(b"[]")?.edit().set(".a", "1").map(drop)?),
            ".a: the root is an array, not an object",
        ),
        (
            || {
                let text = br#"[{"op": "move", "from": "/user/nme", "path": "/name"}]"#;
                let patch = Document::parse(text)?;
                let document = Document::parse(br#"{"user": {"name": 1}}"#)?;
                Ok(Patch::parse(&patch)?.apply(&document).map(drop)?)
            },
            "operation 1: /user/nme: /user has no key `nme`; did you mean `name`?",
        ),
        (
            || Ok(Path::parse(".a[01]").map(drop)?),
            "an index has no leading zeros",
        ),
        (
            || Ok(Document::parse(b"[]")?.edit().delete("").map(drop)?),
            "the whole document cannot be removed",
        ),
        (
            || {
                let patch = Document::parse(b"[{}]")?;
                Ok(Patch::parse(&patch).map(drop)?)
            },
            "the operation has no `op`",
        ),
        (
            || {
                let canonical = RewriteOptions::default().canonical(true);
                let rewriter = Rewriter::new(canonical, Vec::new());
                let checked = Validator::new(Options::default()).check(br#"["\ud800"]"#, rewriter);
                Ok(checked.map(drop)?)
            },
            "a lone surrogate is not a character at offset 2",
        ),
        (
            || {
                let (old, new) = (Document::parse(b"{}")?, Document::parse(b"{\"a\": null}")?);
                let diff = crate::diff::diff(&old, &new, &DiffOptions::default());
                Ok(diff.to_merge_patch().map(drop)?)
            },
            "a merge patch cannot set a member to null at offset 6",
        ),
        (
            || Ok(WriteTo(&mut [0; 1][..]).write(b"ab")?),
            "failed to write whole buffer",
        ),
        (
            || Ok(crate::engine::Kernel::by_name("fast").map(drop)?),
            "unknown kernel `fast` (known: avx512, avx2, neon, swar)",
        ),
    ];
    for (part, message) in parts {
        let error = part().unwrap_err();
        assert_eq!(error.to_string(), *message);
        assert!(format!("{error:#}").starts_with("error: "), "{error:#}");
        assert_eq!(format!("{error:?}"), format!("Error({message:?})"));
    }
}

#[test]
fn the_original_is_the_source() {
    let document = Document::parse(b"{}").unwrap();
    let error = Error::from(document.find(".a.b").unwrap_err());
    let source = error.source().unwrap().downcast_ref::<LookupError>();
    assert!(matches!(
        source,
        Some(LookupError::Missing { steps: 0, .. })
    ));
    let error = Error::from(document.edit().delete("").unwrap_err());
    let source = error.source().unwrap().downcast_ref::<EditError>();
    assert_eq!(source, Some(&EditError::Root));
    assert!(!error.is_data() && !error.is_syntax() && !error.is_io());
}

#[test]
fn to_an_io_error_and_back() {
    let syntax = || Error::from(validate(b"[1").unwrap_err());
    let wrapped = io::Error::from(syntax());
    assert_eq!(wrapped.kind(), io::ErrorKind::InvalidData);
    let again = Error::from(wrapped);
    assert_eq!((again.is_eof(), again.offset()), (true, Some(2)));
    let failed = || io::Error::new(io::ErrorKind::TimedOut, "too slow");
    let error = Error::from(failed());
    assert_eq!(
        (error.is_io(), error.io_error_kind()),
        (true, Some(io::ErrorKind::TimedOut))
    );
    assert_eq!(io::Error::from(error).to_string(), failed().to_string());
    let path = Error::from(Path::parse("a").unwrap_err());
    assert_eq!(io::Error::from(path).kind(), io::ErrorKind::InvalidInput);
}

fn error(text: &[u8], offset: usize) -> Error {
    Error::from(SyntaxError {
        kind: crate::ErrorKind::ExpectedValue,
        offset: offset as u64,
    })
    .in_text(text)
}

#[test]
fn long_lines_are_truncated() {
    let text = format!("[\n\u{feff}{}!{}\n]", "é".repeat(5000), "日".repeat(5000));
    let at = text.find('!').unwrap();
    let shown = format!("{:#}", error(text.as_bytes(), at));
    let line = format!("2 | …{}!{}…\n", "é".repeat(38), "日".repeat(39));
    assert!(shown.contains(&line), "{shown}");
    assert!(
        shown.ends_with(&format!("  | {}^\n", " ".repeat(39))),
        "{shown}"
    );
    // Just short enough.
    let text = format!("{}!{}", "é".repeat(39), "日".repeat(40));
    let shown = format!("{:#}", error(text.as_bytes(), text.find('!').unwrap()));
    assert!(shown.contains(&format!("1 | {text}\n")), "{shown}");
    let marked = "\u{feff}[x]".as_bytes();
    assert_eq!(
        format!("{:#}", error(marked, 4)),
        "error: expected a value\n --> 1:2\n  |\n1 | [x]\n  |  ^\n"
    );
}

#[test]
fn a_byte_order_mark_is_named() {
    for (text, expected) in [
        (
            "\u{feff}{}",
            "expected a value, found a byte-order mark at line 1 column 1",
        ),
        (
            "[\u{feff}]",
            "expected a value or `]`, found a byte-order mark at line 1 column 2",
        ),
    ] {
        let error = crate::from_str::<serde_json::Value>(text).unwrap_err();
        assert_eq!(error.to_string(), expected);
        let headline = expected.split(" at ").next().unwrap();
        assert!(
            format!("{error:#}").starts_with(&format!("error: {headline}\n --> ")),
            "{error:#}"
        );
        assert!(error.kind().is_some());
    }
    // In a string it is an ordinary character.
    let error = crate::from_str::<u8>("\"\u{feff}\"").unwrap_err();
    assert!(!error.to_string().contains("byte-order"), "{error}");
}

#[test]
fn an_error_without_a_text_has_its_offset() {
    let error = Error::from(validate(b"[,").unwrap_err());
    assert_eq!(
        format!("{error:#}"),
        "error: expected a value or `]`\n --> offset 1\n"
    );
}

proptest! {
    #![proptest_config(cases(500))]

    /// For any bytes and any offset, the caret is under the character at the offset.
    #[test]
    fn the_caret_is_under_the_error(
        text in prop::collection::vec(prop::sample::select(vec!["a", "é", "日", "\n", "\r\n", "\r", "\t", "\u{1b}", "xxxxxxxxxxxx"]), 0..60),
        at in any::<prop::sample::Index>(),
    ) {
        let text = text.concat();
        let starts: Vec<usize> = (0..=text.len()).filter(|&at| text.is_char_boundary(at)).collect();
        let offset = starts[at.index(starts.len())];
        let position = crate::position::locate(text.as_bytes(), offset);
        let error = error(text.as_bytes(), offset);
        prop_assert_eq!(error.line().zip(error.column()), Some((position.line, position.column)));
        let rendered = format!("{error:#}");
        let [.., shown, caret] = rendered.lines().collect::<Vec<_>>()[..] else { panic!("{rendered}") };
        let column = caret.chars().count() - 1;
        prop_assert!(caret.ends_with('^'));
        let expected = text[offset..].chars().next().filter(|c| !c.is_control());
        if let Some(expected) = expected {
            prop_assert_eq!(shown.chars().nth(column), Some(expected));
        }
    }
}
