//! Properties of every path-like text, and of every location.

use jsonx_core::path::{Location, Notation, Path, Selector, Step};
use jsonx_testing::cases;
use proptest::prelude::*;

/// Text that often looks like a path.
fn path_like() -> impl Strategy<Value = String> {
    let token = prop::sample::select(vec![
        ".",
        "..",
        "[",
        "]",
        "*",
        "?",
        ",",
        ":",
        "-",
        "0",
        "1",
        "12",
        "-1",
        "a",
        "b-c",
        "é",
        "\\",
        "\"",
        "'",
        "\\u00e9",
        "\\ud800",
        "\\udc00",
        "$",
        "@",
        "/",
        "~",
        "~0",
        "~1",
        "#",
        "%",
        "%41",
        " ",
        "\t",
        "\u{1b}",
        "|",
        "(",
        ")",
        "!",
        "&&",
        "||",
        "==",
        "<",
        ">=",
        "1e2",
        "1.5",
        "true",
        "null",
        "length(",
        "count(",
        "match(",
        "value(",
        "'a.*'",
        "@.a",
        "$[0]",
        "[?",
        "\u{10ffff}",
    ]);
    let first = prop::sample::select(vec!["", ".", "$", "/", "#", "$[?", ".a["]);
    (first, prop::collection::vec(token, 0..12))
        .prop_map(|(first, tokens)| first.to_owned() + &tokens.concat())
}

/// For any text: parsing never panics, a printed path parses as itself, and an error is inside the text and suggests only valid
/// paths.
fn holds_of(text: &str) -> Result<(), TestCaseError> {
    match Path::parse(text) {
        Ok(path) => {
            let written = path.to_string();
            let again = Path::parse(&written);
            prop_assert_eq!(
                again.as_ref(),
                Ok(&path),
                "{:?} is written {:?}",
                text,
                written
            );
            for steps in 0..=path.segments().len() + 1 {
                prop_assert!(Path::parse(&path.first(steps).to_string()).is_ok());
            }
        }
        Err(error) => {
            prop_assert!(
                text.is_char_boundary(error.offset),
                "{:?} {:?}",
                text,
                error
            );
            prop_assert!(
                !error.message.chars().any(char::is_control),
                "{:?} {:?}",
                text,
                error
            );
            if let Some(suggestion) = error.suggestion {
                prop_assert!(
                    Path::parse(&suggestion).is_ok(),
                    "{:?} {:?}",
                    text,
                    suggestion
                );
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn path_like_text_is_a_path_or_explained(text in path_like()) {
        holds_of(&text)?;
    }

    #[test]
    fn any_text_is_a_path_or_explained(text in "[.$/#]?\\PC{0,12}|(?s).{0,12}") {
        holds_of(&text)?;
    }

    #[test]
    fn any_bytes_are_a_path_or_explained(bytes in prop::collection::vec(any::<u8>(), 0..16)) {
        if let Err(error) = Path::parse(&bytes) {
            prop_assert!(error.offset <= bytes.len());
        }
    }

    #[test]
    fn a_location_reads_back(steps in prop::collection::vec(
        prop_oneof![
            (0..1u64 << 53).prop_map(Step::Index),
            "(?s).{0,6}".prop_map(|key| Step::Key(key.into_bytes().into())),
            "-?[0-9]{1,3}(:[0-9]?)?".prop_map(|key| Step::Key(key.into_bytes().into())),
            Just(Step::Key([b'a', 0xed, 0xb0, 0x80, b'b'].into())),
        ],
        0..6,
    )) {
        let mut location = Location::default();
        for step in &steps {
            match step {
                Step::Key(key) => location.push_key(key),
                Step::Index(index) => location.push_index(*index),
            }
        }
        let selectors = |path: &Path| -> Vec<Selector> {
            path.segments().iter().flat_map(|segment| segment.selectors.clone()).collect()
        };
        let wanted: Vec<Selector> = steps.iter().map(|step| match step {
            Step::Key(key) => Selector::Key(key[..].into()),
            Step::Index(index) => Selector::Index(*index as i64),
        }).collect();
        let dot = location.display(Notation::Dot).to_string();
        prop_assert!(!dot.chars().any(char::is_control));
        prop_assert_eq!(selectors(&Path::parse(&dot).unwrap()), &wanted[..], "{}", dot);
        if wanted.iter().filter_map(Selector::key).all(|key| std::str::from_utf8(key).is_ok()) {
            let normalized = location.display(Notation::JsonPath).to_string();
            prop_assert_eq!(selectors(&Path::parse(&normalized).unwrap()), &wanted[..], "{}", normalized);
            let pointer = location.display(Notation::Pointer).to_string();
            let read = selectors(&Path::parse(&pointer).unwrap());
            prop_assert_eq!(read.len(), wanted.len());
            for (read, wanted) in read.iter().zip(&wanted) {
                match wanted.index() {
                    Some(index) => prop_assert_eq!(read.index(), Some(index), "{}", pointer),
                    None => prop_assert_eq!(read.key(), wanted.key(), "{}", pointer),
                }
            }
        }
    }
}
