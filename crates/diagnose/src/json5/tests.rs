//! The translation of random texts is compared with a parser that follows the specification.

use super::lexer::{ElementKind, Lexer};
use super::{Translation, respell, stand_ins};
use crate::diagnose::{Code, DiagnoseOptions, diagnose};
use jsonx_core::engine::{Options, Validator, validate_with};
use jsonx_core::format::{RewriteOptions, Rewriter, TrailingCommas};
use jsonx_core::jsonc::{Dialect, blank};
use jsonx_core::{Document, Node};
use proptest::prelude::*;
use reference::parse;
use serde_json::Value;

mod merges;
mod reference;

/// The value of a text, if it is valid.
fn value(source: &[u8]) -> Option<Value> {
    let translation = Translation::new(source.to_vec());
    let mut text = translation.text().to_vec();
    let valid = validate_with(&text, Options::default().dialect(Dialect::Jsonc)).is_ok();
    let report = diagnose(&text, &DiagnoseOptions::default().dialect(Dialect::Jsonc));
    assert_eq!(report.is_valid(), valid, "{}", source.escape_ascii());
    for mut finding in report.diagnostics {
        translation.locate(&mut finding);
        assert!(finding.span.end <= source.len());
    }
    if !valid {
        return None;
    }
    blank(&mut text, Dialect::Jsonc).unwrap();
    // The reference rejects numbers that overflow a double too.
    serde_json::from_slice(&text).ok()
}

/// The tokens, and the comments: a comma that follows a comment is moved before it.
fn tokens(text: &[u8]) -> (Vec<&[u8]>, Vec<&[u8]>) {
    Lexer::new(text)
        .filter(|token| !matches!(token.kind, ElementKind::Space | ElementKind::OtherSpace))
        .map(|token| &text[token.start..token.end])
        .partition(|token| !token.starts_with(b"//") && !token.starts_with(b"/*"))
}

fn formatted(source: &[u8]) -> Vec<u8> {
    let validator = Validator::new(Options::default().dialect(Dialect::Jsonc));
    let commented = RewriteOptions::default().comments(Some(TrailingCommas::Keep));
    let formatter = Rewriter::new(commented, Vec::new());
    respell(
        source,
        &validator.check(&stand_ins(source), formatter).unwrap(),
    )
}

/// Random choices, which end with zeros.
struct Choices<'a>(std::slice::Iter<'a, u32>);

impl Choices<'_> {
    fn next(&mut self, below: usize) -> usize {
        self.0.next().map_or(0, |&choice| choice as usize % below)
    }

    fn of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.next(texts.len())]
    }
}

const GAPS: [&str; 14] = [
    "",
    "",
    " ",
    "\n",
    "\t",
    "\u{a0}",
    "\u{feff}",
    "\u{2028}",
    "\u{c}\u{b}",
    "/* a\n* ' */",
    "// \" b\n",
    "// c\u{2029}",
    "//\r",
    "\u{3000}\u{202f}",
];

const NAMES: [&str; 10] = [
    "a", "$b", "_", "true", "Infinity", "ünï", "\\u0061", "k\\u200d", "while", "NaN",
];

const NUMBERS: [&str; 17] = [
    "0",
    "-0",
    "1",
    "+1",
    ".5",
    "-.5e3",
    "5.",
    "+5.e-1",
    "0xFf",
    "-0X10",
    "+0x1",
    "Infinity",
    "-Infinity",
    "NaN",
    "+NaN",
    "12.5E+2",
    "1e2",
];

const CHARACTERS: [&str; 24] = [
    "a",
    "'",
    "\"",
    "\\'",
    "\\\"",
    "\\\\",
    "\\n",
    "\\v",
    "\\0",
    "\\x41",
    "\\u00e9",
    "\\\n",
    "\\\r\n",
    "\\\r",
    "\\\u{2028}",
    "\t",
    "\0",
    "\u{2029}",
    "é",
    "\\é",
    "\\a",
    "\\\t",
    "//",
    "/*",
];

/// Writes a text with these choices.
fn write(choices: &mut Choices<'_>, depth: usize, out: &mut String) {
    out.push_str(choices.of(&GAPS));
    let kinds = if depth == 0 { 5 } else { 7 };
    match choices.next(kinds) {
        0 => out.push_str(choices.of(&["null", "true", "false"])),
        1 | 2 => out.push_str(choices.of(&NUMBERS)),
        3 | 4 => string(choices, out),
        5 => {
            out.push('[');
            let count = choices.next(4);
            for number in 0..count {
                if number > 0 {
                    out.push(',');
                }
                write(choices, depth - 1, out);
            }
            if count > 0 && choices.next(3) == 0 {
                out.push(',');
            }
            out.push_str(choices.of(&GAPS));
            out.push(']');
        }
        _ => {
            out.push('{');
            let count = choices.next(4);
            for number in 0..count {
                if number > 0 {
                    out.push(',');
                }
                out.push_str(choices.of(&GAPS));
                match choices.next(2) {
                    0 => out.push_str(choices.of(&NAMES)),
                    _ => string(choices, out),
                }
                out.push_str(choices.of(&GAPS));
                out.push(':');
                write(choices, depth - 1, out);
            }
            if count > 0 && choices.next(3) == 0 {
                out.push(',');
            }
            out.push_str(choices.of(&GAPS));
            out.push('}');
        }
    }
    out.push_str(choices.of(&GAPS));
}

fn string(choices: &mut Choices<'_>, out: &mut String) {
    let quote = choices.of(&["'", "\""]);
    out.push_str(quote);
    for _ in 0..choices.next(5) {
        match choices.of(&CHARACTERS) {
            // A digit would make another escape of `\0`; the quote itself ends the string.
            character if character == quote => out.push('b'),
            character => out.push_str(character),
        }
    }
    out.push_str(quote);
}

/// A random text.
pub(crate) fn text(choices: &[u32]) -> String {
    let mut out = String::new();
    write(&mut Choices(choices.iter()), 4, &mut out);
    out
}

/// Replacements inserted by mutations.
const MISTAKES: [&str; 40] = [
    "",
    ",",
    ":",
    "'",
    "\"",
    "\\",
    "\n",
    " ",
    "//",
    "/*",
    "*/",
    "{",
    "}",
    "[",
    "]",
    "+",
    "-",
    ".",
    "0",
    "x",
    "1",
    "e",
    "\\u",
    "\\x",
    "\\1",
    "True",
    "None",
    "undefined",
    "#",
    "/",
    "Infinity",
    "a b",
    "\u{85}",
    "\u{200b}",
    "\\0",
    "010",
    "`",
    "é",
    "\u{2028}",
    "\r",
];

/// The translation of an escape does not complete the one before it.
#[test]
fn unfinished_escapes_stay_unfinished() {
    for source in [
        r"'\u00e\a'",
        r"'\u\0123'",
        r"'\u12\x41'",
        r#""\u00e\a""#,
        r"'\u00e'",
    ] {
        assert!(value(source.as_bytes()).is_none(), "{source}");
        assert!(parse(source).is_none(), "{source}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn spellings_keep_their_values(choices in prop::collection::vec(any::<u32>(), 0..120)) {
        let source = text(&choices);
        let expected = parse(&source);
        prop_assert!(expected.is_some(), "{source:?}");
        prop_assert_eq!(value(source.as_bytes()), expected, "{:?}", source);
    }

    #[test]
    fn formatting_changes_white_space_only(choices in prop::collection::vec(any::<u32>(), 0..120)) {
        let source = text(&choices);
        let once = formatted(source.as_bytes());
        prop_assert_eq!(tokens(&once), tokens(source.as_bytes()));
        prop_assert_eq!(formatted(&once).escape_ascii().to_string(), once.escape_ascii().to_string());
    }

    #[test]
    fn mistakes_are_those_of_the_specification(
        choices in prop::collection::vec(any::<u32>(), 0..60),
        mistakes in prop::collection::vec((any::<usize>(), 0usize..3, any::<usize>()), 1..4),
    ) {
        let mut source: Vec<char> = text(&choices).chars().collect();
        for (at, removed, mistake) in mistakes {
            let at = at % (source.len() + 1);
            let end = (at + removed).min(source.len());
            source.splice(at..end, MISTAKES[mistake % MISTAKES.len()].chars());
        }
        let source: String = source.into_iter().collect();
        prop_assert_eq!(value(source.as_bytes()), parse(&source), "{:?}", source);
    }

    #[test]
    fn positions_round_trip(choices in prop::collection::vec(any::<u32>(), 0..120)) {
        let source = text(&choices);
        let translation = Translation::new(source.clone().into_bytes());
        for token in Lexer::new(source.as_bytes()) {
            let (start, end) = (token.start, token.end);
            let place = match token.kind {
                // They are the same in both texts.
                ElementKind::Punctuation | ElementKind::Comment => translation.in_text(start)..translation.in_text(start) + end - start,
                // Its quotes are.
                ElementKind::String => translation.in_text(start)..translation.in_text(end - 1) + 1,
                ElementKind::Key | ElementKind::Word => {
                    let at = translation.in_text(start);
                    let place = translation.in_source(at..at + 1);
                    prop_assert_eq!(place.start, start, "{:?}", source);
                    continue;
                }
                _ => continue,
            };
            prop_assert_eq!(translation.in_source(place.clone()), start..end, "{:?}", source);
            let begins = translation.text()[place.start];
            prop_assert!(begins == b'"' || begins == source.as_bytes()[start]);
        }
    }
}

/// The tokens and comments of a translation for edits, with `Infinity` and `NaN` as in its source.
fn translated<'t>(translation: &'t Translation, text: &'t [u8]) -> Vec<&'t [u8]> {
    let tokens = Lexer::new(text)
        .filter(|token| !matches!(token.kind, ElementKind::Space | ElementKind::OtherSpace))
        .map(|token| &text[token.start..token.end]);
    let number = |token: &[u8]| -> Option<usize> {
        std::str::from_utf8(token.strip_prefix(b"9e9")?)
            .ok()?
            .parse()
            .ok()
    };
    let non_finite = |token| {
        let span = translation.non_finite()[number(token)?].clone();
        Some(&translation.source()[span])
    };
    tokens
        .map(|token| non_finite(token).unwrap_or(token))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// The translation of an edited text is the edited translation, and the text before and after all changes is the same.
    #[test]
    fn edits_are_those_of_the_translation(
        choices in prop::collection::vec(any::<u32>(), 0..120),
        edits in prop::collection::vec((0..6_usize, any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..5),
    ) {
        let source = text(&choices).into_bytes();
        let translation = Translation::for_edits(source.clone());
        let dialect = Options::default().dialect(Dialect::Jsonc);
        let document = Document::index(translation.text(), dialect).unwrap();
        let mut editor = document.edit();
        let mut given: Vec<&[u8]> = Vec::new();
        for (kind, one, other) in edits {
            let now = editor.finish();
            let now = Document::index(&now, dialect).unwrap();
            let paths = pointers(now.root());
            let (path, to) = (one.get(&paths), other.get(&paths));
            let new = NEW[other.index(NEW.len())];
            given.push(new.as_bytes());
            let inside = format!("{to}/a-b");
            // Edits without a match, or blocked by a comment, change nothing.
            let _ = match kind {
                0 => editor.delete(path).map(drop),
                1 => editor.set(path, new).map(drop),
                2 => editor.set(format!("{path}/new"), new).map(drop),
                3 => editor.append(path, new).map(drop),
                4 => editor.relocate(path, &inside).map(drop),
                _ => editor.copy(path, &inside).map(drop),
            };
        }
        let splices = editor.splices();
        let edited = translation.edited(&splices, &given);
        let shown = || format!("{:?} to {:?}", String::from_utf8_lossy(&source), String::from_utf8_lossy(&edited));
        let again = Translation::for_edits(edited.clone());
        let expected = editor.finish();
        prop_assert_eq!(translated(&again, again.text()), translated(&translation, &expected), "{}", shown());
        let first = splices.iter().next().map_or(expected.len(), |(span, _)| span.start);
        let last = splices.iter().next_back().map_or(0, |(span, _)| translation.text().len() - span.end);
        let tokens = Lexer::new(&source);
        for token in tokens {
            let place = translation.in_text(token.start)..translation.in_text(token.end);
            if place.end < first {
                prop_assert!(edited.starts_with(&source[..token.end]), "{}", shown());
            }
            if translation.text().len() - place.start < last {
                prop_assert!(edited.ends_with(&source[token.start..]), "{}", shown());
            }
        }
    }
}

/// The JSON Pointers of all values.
fn pointers(root: Node<'_, '_>) -> Vec<String> {
    let mut found = vec![(String::new(), root)];
    let mut at = 0;
    while let Some((pointer, node)) = found.get(at).cloned() {
        for (index, child) in node.elements().enumerate() {
            found.push((format!("{pointer}/{index}"), child));
        }
        for (key, child) in node.members() {
            let key = key.as_str().unwrap().replace('~', "~0").replace('/', "~1");
            found.push((format!("{pointer}/{key}"), child));
        }
        at += 1;
    }
    found.into_iter().map(|(pointer, _)| pointer).collect()
}

/// New values.
const NEW: [&str; 6] = [
    "7",
    "\"x\"",
    "{}",
    "[1,2]",
    "{\"p\":[],\"q\":{\"r\":null}}",
    "1.500",
];

/// The first error of a text, and its span.
fn first(source: &str) -> Option<(Code, usize, usize)> {
    let translation = Translation::new(source.as_bytes().to_vec());
    let options = DiagnoseOptions::default().dialect(Dialect::Jsonc);
    let mut finding = diagnose(translation.text(), &options)
        .diagnostics
        .into_iter()
        .next()?;
    translation.locate(&mut finding);
    Some((finding.code, finding.span.start, finding.span.end))
}

#[test]
fn findings_are_worded_for_json5() {
    for (source, message, label) in [
        (
            "{a: 'it's'}",
            "single quote inside a string is not escaped",
            "write `\\'`",
        ),
        (
            "{a: 'JSON\nb: 1}",
            "string is never closed",
            "insert `'` here",
        ),
        (
            "{a-b: 1}",
            "a key that is not a name must be a string in quotes",
            "write `\"a-b\"`",
        ),
        (
            "[-infinity]",
            "JSON5 has no `-infinity`",
            "write `-Infinity`",
        ),
        (
            "[1] # JSON",
            "JSON5 has no comments of this kind",
            "write `//` or `/* */`",
        ),
        (
            "[JSON]",
            "text values must be strings in double quotes",
            "quote it: `\"JSON\"`",
        ),
    ] {
        let translation = Translation::new(source.as_bytes().to_vec());
        let options = DiagnoseOptions::default().dialect(Dialect::Jsonc);
        let report = diagnose(translation.text(), &options);
        let mut finding = report.diagnostics.into_iter().next().unwrap();
        translation.locate(&mut finding);
        translation.adapt(&mut finding);
        assert_eq!((&*finding.message, &*finding.label), (message, label));
    }
}

#[test]
fn mistakes_have_their_codes_and_spans() {
    for (source, code, start, end) in [
        ("{a: True}", Code::WrongLiteral, 4, 8),
        ("{a: 1 b: 2}", Code::MissingComma, 5, 5),
        ("{a: 010}", Code::LeadingZero, 4, 7),
        ("{a: 'x\\1'}", Code::BadEscape, 6, 8),
        ("{a-b: 1}", Code::UnquotedKey, 1, 4),
        ("{'a' 1}", Code::MissingColon, 4, 4),
        ("{a: 1,, b: 2}", Code::ExtraComma, 6, 7),
        ("[,]", Code::ExtraComma, 1, 2),
        ("{a: 'x', // \u{2028} b: }", Code::MissingValue, 18, 18),
        ("{a: /* x", Code::UnclosedComment, 4, 6),
        ("{a: 1 # x\n}", Code::Comment, 6, 9),
        ("{a: undefined}", Code::WrongLiteral, 4, 13),
        ("{a: 0x}", Code::BadNumber, 4, 6),
    ] {
        assert_eq!(first(source), Some((code, start, end)), "{source}");
    }
}

/// As Prettier 3.10 writes them.
#[test]
fn tokens_that_prettier_keeps() {
    use super::is_spelled_by_prettier;
    for text in [
        "{a: \"x\", $b_1: [0, -1.5, 0.25, 10], \"c-d\": null, \"\": true} // 'c'",
        "[]",
        "\"it\"",
    ] {
        assert!(is_spelled_by_prettier(text.as_bytes()), "{text}");
    }
    for text in [
        "{\"a\": 1}",
        "{\"a\" /* c */ : 1}",
        "{\"1\": 1}",
        "{'a-b': 1}",
        "'x'",
        "\"it's\"",
        "\"\\n\"",
        "[.5]",
        "[5.]",
        "[1.50]",
        "[1e5]",
        "[0xA]",
        "[+1]",
        "[NaN]",
        "{\u{e9}: 1}",
        r#"{"é": 1}"#,
    ] {
        assert!(!is_spelled_by_prettier(text.as_bytes()), "{text}");
    }
}
