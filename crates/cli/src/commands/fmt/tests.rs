//! Laws of formatting, for every text with comments and white space at every token boundary, in every layout.

use std::path::Path;
use std::sync::Arc;

use clap::Parser;
use jsonx_core::Document;
use jsonx_core::engine::{Mode, Options, validate_with};
use jsonx_core::format::WriteTo;
use jsonx_core::jsonc::{Dialect, blank};
use jsonx_diagnose::json5::Translation;
use jsonx_testing::cases;
use proptest::prelude::*;

use super::{Formatting, Layouts};
use crate::args::{Cli, Command, Layout};
use crate::changes::{NewText, Transform};
use crate::check::{CheckOptions, Failure, InputKind};
use crate::config::{ConfigOptions, Configs};
use crate::input::Input;

fn layout(options: &str) -> Layout {
    let words = ["jsonx", "fmt"]
        .into_iter()
        .chain(options.split(' ').filter(|it| !it.is_empty()));
    match Cli::try_parse_from(words).map(|cli| cli.command) {
        Ok(Some(Command::Fmt(fmt))) => fmt.layout,
        other => panic!("{options}: {other:?}"),
    }
}

fn formatting(options: &str) -> Formatting {
    Formatting {
        options: CheckOptions {
            kernel: None,
            lossy: false,
            max_depth: 10_000,
            rules: [].into(),
            configured: None,
            takes_streams: true,
            staged: None,
        },
        layouts: Arc::new(Layouts::new(
            &layout(options),
            Arc::new(Configs::new(&ConfigOptions::default())),
        )),
        verbose: false,
    }
}

/// The output of `fmt`, and whether `fmt --check` succeeds.
fn formatted(formatting: &Formatting, name: &str, text: &[u8]) -> (Vec<u8>, bool) {
    let input = || {
        let input = Input::of_text(Path::new(name), Arc::new(text.to_vec()));
        formatting.options.translated(input).unwrap()
    };
    let mut kind = InputKind::Auto;
    let options = &formatting.options;
    let written = options.by_content(&mut input(), &mut kind, |input, kind| {
        let mut out = WriteTo(Vec::new());
        formatting.write(&true, input, kind, &mut out)?;
        Ok::<_, Failure>(out.0)
    });
    let shown = String::from_utf8_lossy(text);
    let written = written.unwrap_or_else(|failure| panic!("{failure:?}: {shown}"));
    let is_unchanged = options.by_content(&mut input(), &mut kind, |input, kind| {
        formatting.is_unchanged(input, kind)
    });
    (written, is_unchanged.unwrap())
}

/// Text between two tokens.
fn gap(name: &'static str) -> impl Strategy<Value = String> {
    let space = prop::sample::select(vec![
        "", "", "", " ", "\n", "\n\n", "\n \n\n", "\t", "\r\n", "  \n\t",
    ]);
    let comment = prop::sample::select(vec![
        "/*c*/",
        "/**/",
        "//c\n",
        "//\r\n",
        "// c \n",
        "/* a\n   b */",
        "/*\n * a\n  * b\n */",
        "/* \" */",
        "// [,\n",
        "/* a long comment that fills more than half of a line, up to here */",
    ]);
    let other = prop::sample::select(vec!["\u{c}", "\u{a0}", "\u{2028}", " "]);
    let piece = match name {
        "a.json" => space.boxed(),
        "a.jsonc" => prop_oneof![3 => space, 1 => comment].boxed(),
        _ => prop_oneof![6 => space, 2 => comment, 1 => other].boxed(),
    };
    prop::collection::vec(piece, 0..3).prop_map(|pieces| pieces.concat())
}

/// A value with a gap at every token boundary.
fn value(name: &'static str) -> impl Strategy<Value = String> {
    let is_json5 = name == "a.json5";
    let mut scalars = vec![
        "1",
        "0",
        "-2.50",
        "1E+05",
        "\"a\"",
        "\"\\u00e9é,//\"",
        "null",
        "true",
        "\"a longer text\"",
    ];
    let mut keys = vec!["\"a\"", "\"b\"", "\"\"", "\"longer key\"", "\"a\""];
    if is_json5 {
        scalars.extend(["+1", "0x1F", ".5", "'it\\'s'", "'\"'"]);
        keys.extend(["a", "$b", "'c'"]);
    }
    let has_commas = name != "a.json";
    prop::sample::select(scalars)
        .prop_map(str::to_owned)
        .prop_recursive(4, 24, 5, move |inner| {
            let comma = move || {
                (any::<bool>(), gap(name)).prop_map(move |(has, gap)| {
                    if has && has_commas {
                        format!(",{gap}")
                    } else {
                        String::new()
                    }
                })
            };
            let elements = prop::collection::vec((gap(name), inner.clone(), gap(name)), 0..5);
            let array = (elements, gap(name), comma()).prop_map(|(elements, empty, comma)| {
                let elements: Vec<String> = elements
                    .iter()
                    .map(|(a, b, c)| format!("{a}{b}{c}"))
                    .collect();
                if elements.is_empty() {
                    format!("[{empty}]")
                } else {
                    format!("[{}{comma}]", elements.join(","))
                }
            });
            let member = (
                gap(name),
                prop::sample::select(keys.clone()),
                gap(name),
                gap(name),
                inner,
                gap(name),
            );
            let members = prop::collection::vec(member, 0..4);
            let object = (members, gap(name), comma()).prop_map(|(members, empty, comma)| {
                let members: Vec<String> = members
                    .iter()
                    .map(|(a, key, b, c, value, d)| format!("{a}{key}{b}:{c}{value}{d}"))
                    .collect();
                if members.is_empty() {
                    format!("{{{empty}}}")
                } else {
                    format!("{{{}{comma}}}", members.join(","))
                }
            });
            prop_oneof![array, object]
        })
}

fn document(name: &'static str) -> impl Strategy<Value = String> {
    (gap(name), value(name), gap(name)).prop_map(|(before, value, after)| before + &value + &after)
}

/// The value of a text as minified JSON, with sorted keys.
fn meaning(name: &str, text: &[u8]) -> String {
    let mut text = match name {
        "a.json5" => Translation::new(text.to_vec()).text().to_vec(),
        _ => text.to_vec(),
    };
    let shown = String::from_utf8_lossy(&text).into_owned();
    blank(&mut text, Dialect::Jsonc).expect("comments");
    let (canonical, _) = formatted(&formatting("-c -S --eol=lf"), "a.json", &text);
    // Prettier rewrites numbers.
    let canonical = String::from_utf8(canonical).expect("UTF-8");
    assert!(!canonical.is_empty(), "{shown}");
    canonical
        .replace("1E+05", "1e5")
        .replace("-2.50", "-2.5")
        .replace("\\u00e9é", "éé")
        .replace("\\u00e9\\u00e9", "éé")
}

/// The bytes of the comments of a text, sorted: white space in them, and their order, may change.
fn comments(name: &str, text: &[u8]) -> String {
    let text = match name {
        "a.json5" => Translation::new(text.to_vec()).text().to_vec(),
        _ => text.to_vec(),
    };
    let mut plain = text.clone();
    blank(&mut plain, Dialect::Jsonc).expect("comments");
    let pairs = text.iter().zip(&plain);
    let of_comments = pairs.filter(|(old, new)| old != new && **old != b',');
    let mut bytes: Vec<u8> = of_comments.map(|(old, _)| *old).collect();
    bytes.retain(|byte| !byte.is_ascii_whitespace());
    bytes.sort_unstable();
    String::from_utf8(bytes).expect("ASCII")
}

const LAYOUTS: [&str; 23] = [
    "",
    "--indent=4",
    "--tab",
    "--indent=keep",
    "--width=20",
    "--width=80 --tab",
    "--eol=crlf",
    "--trailing-commas=all",
    "--trailing-commas=none",
    "--trailing-commas=all --width=30",
    "--style=prettier",
    "--style=prettier --width=20",
    "--style=prettier --tab",
    "--style=prettier --eol=crlf",
    "--style=prettier --trailing-commas=all",
    "--style=prettier --trailing-commas=none",
    "--ascii",
    "--unescape",
    "--unescape --width=20",
    "--unescape --style=prettier",
    "-S",
    "-S --style=prettier",
    "-S --width=30",
];

fn check(name: &'static str, options: &str, text: &str) -> Result<(), TestCaseError> {
    let is_json5 = name == "a.json5";
    let changes_tokens = ["-S", "--ascii", "--unescape"]
        .iter()
        .any(|it| options.contains(it));
    if is_json5 && changes_tokens && !Translation::new(text.into()).has_json_tokens() {
        return Ok(());
    }
    let formatting = formatting(options);
    let (first, _) = formatted(&formatting, name, text.as_bytes());
    let shown = String::from_utf8_lossy(&first).into_owned();
    let (again, is_unchanged) = formatted(&formatting, name, &first);
    prop_assert_eq!(
        String::from_utf8_lossy(&again),
        &*shown,
        "{} {}: {:?}",
        options,
        name,
        text
    );
    prop_assert!(is_unchanged, "{} {}: {:?}", options, name, text);
    prop_assert_eq!(
        meaning(name, &first),
        meaning(name, text.as_bytes()),
        "{} {}: {}",
        options,
        name,
        shown
    );
    prop_assert_eq!(
        comments(name, &first),
        comments(name, text.as_bytes()),
        "{} {}: {:?} {}",
        options,
        name,
        text,
        shown
    );
    Ok(())
}

/// The text after an edit at a place, if it has one.
fn edited(name: &str, text: &[u8], edit: (&str, &str), inserted: &str) -> Option<Vec<u8>> {
    let translation = (name == "a.json5").then(|| Translation::for_edits(text.to_vec()));
    let dialect = match name {
        "a.json" => Dialect::Json,
        _ => Dialect::Jsonc,
    };
    let read = translation.as_ref().map_or(text, Translation::text);
    let document = Document::parse_with(read, Options::default().dialect(dialect)).ok()?;
    let mut editor = document.edit();
    let (path, key) = edit;
    let place = format!("{path}{key}");
    match key {
        "/new" => editor.set(&place, inserted).ok()?,
        "/-" => editor.append(path, inserted).ok()?,
        "" => editor.set(path, inserted).ok()?,
        _ => editor.delete(&place).ok()?,
    };
    Some(match &translation {
        Some(translation) => translation.edited(&editor.splices(), &[inserted.as_bytes()]),
        None => editor.finish(),
    })
}

fn check_edit(
    name: &'static str,
    options: &str,
    text: &[u8],
    edit: (&str, &str),
    inserted: &str,
) -> Result<(), TestCaseError> {
    let Some(new) = edited(name, text, edit, inserted) else {
        return Ok(());
    };
    let shown = format!("{options} {name}: {:?}", String::from_utf8_lossy(text));
    let formatting = formatting(options);
    let input = Input::of_text(Path::new(name), Arc::new(text.to_vec()));
    let mut input = formatting.options.translated(input).unwrap();
    let kind = formatting.options.kind_of(&input);
    let is_formatted = matches!(formatting.is_unchanged(&mut input, kind), Ok(true));
    let mut kept = NewText::new(text, new.clone());
    formatting
        .layouts
        .keep(&formatting.options, &mut input, kind, &mut kept);
    if !is_formatted || new == text {
        prop_assert_eq!(kept.text, new, "{}", shown);
        return Ok(());
    }
    prop_assert_eq!(meaning(name, &kept.text), meaning(name, &new), "{}", shown);
    let after = String::from_utf8_lossy(&kept.text).into_owned();
    prop_assert!(
        formatted(&formatting, name, &kept.text).1,
        "{}\n{}",
        shown,
        after
    );
    Ok(())
}

proptest! {
    #![proptest_config(cases(1500))]

    /// An edit changes nothing else, except that a formatted file stays formatted.
    #[test]
    fn edits_keep_the_layout(
        (name, text) in prop::sample::select(vec!["a.json", "a.jsonc", "a.json5"])
            .prop_flat_map(|name| (Just(name), document(name))),
        inserted in value("a.json"),
        options in prop::sample::select(&LAYOUTS[..]),
        path in prop::sample::select(vec!["", "", "/a", "/b", "/0", "/1", "/0/0", "/a/a"]),
        key in prop::sample::select(vec!["", "/new", "/-", "/a", "/0"]),
        is_formatted in prop::bool::weighted(0.8),
    ) {
        let changes_tokens = ["-S", "--ascii", "--unescape"].iter().any(|it| options.contains(it));
        let text = if is_formatted && !(name == "a.json5" && changes_tokens) {
            formatted(&formatting(options), name, text.as_bytes()).0
        } else {
            text.into_bytes()
        };
        check_edit(name, options, &text, (path, key), &inserted)?;
    }

    #[test]
    fn formatted_text_is_a_fixed_point_in_json(text in document("a.json"), options in prop::sample::select(&LAYOUTS[..])) {
        check("a.json", options, &text)?;
    }

    #[test]
    fn formatted_text_is_a_fixed_point_in_jsonc(text in document("a.jsonc"), options in prop::sample::select(&LAYOUTS[..])) {
        check("a.jsonc", options, &text)?;
    }

    #[test]
    fn formatted_text_is_a_fixed_point_in_json5(text in document("a.json5"), options in prop::sample::select(&LAYOUTS[..])) {
        check("a.json5", options, &text)?;
    }

    /// Options that make plain JSON make strict JSON, in every style.
    #[test]
    fn plain_json_is_strict(
        text in document("a.jsonc"),
        options in prop::sample::select(vec![
            "-c", "-c -S", "--canonical", "--to=json", "--to=json --style=prettier", "--to=json --style=prettier --width=20",
            "--to=json -S", "--to=json -S --style=prettier", "--to=json --width=20", "--to=json --tab --ascii",
        ]),
    ) {
        if options == "--canonical" && validate_with(&[], Options::default()).is_ok() {
            return Ok(());
        }
        let formatting = formatting(options);
        let input = Input::of_text(Path::new("a.jsonc"), Arc::new(text.clone().into_bytes()));
        let mut out = WriteTo(Vec::new());
        let written = formatting.write(&true, &mut { input }, InputKind::Jsonc, &mut out);
        // A duplicate key has no canonical form.
        if matches!(written, Err(Failure::Refused(_))) {
            prop_assert_eq!(options, "--canonical");
            return Ok(());
        }
        prop_assert!(written.is_ok(), "{} {:?}: {:?}", options, text, written);
        let verdict = validate_with(&out.0, Options::default().mode(Mode::One));
        prop_assert!(verdict.is_ok(), "{} {:?}: {}", options, text, String::from_utf8_lossy(&out.0));
        if options != "--canonical" {
            prop_assert_eq!(meaning("a.json", &out.0), meaning("a.jsonc", text.as_bytes()));
        }
    }
}
