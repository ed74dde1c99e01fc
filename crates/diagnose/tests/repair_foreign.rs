//! JSON among other text, and text without JSON: no JSON is lost, and nothing else becomes JSON.
//!
//! The law: every scalar of the input that is JSON is in the output, or is named in the report, or the text is refused.

use jsonx_diagnose::repair::{Repair, RepairOptions, repair};
use jsonx_diagnose::{Applicability, Framing};
use proptest::prelude::*;
use serde_json::Value;

fn all(text: &str) -> Repair {
    let options = RepairOptions::default().with(Applicability::Review);
    repair(text.as_bytes(), &options.limit(0))
}

/// The scalars and keys of a value.
fn scalars(value: &Value) -> Vec<String> {
    let mut open = vec![value];
    let mut found = Vec::new();
    while let Some(value) = open.pop() {
        match value {
            Value::Array(elements) => open.extend(elements),
            Value::Object(members) => {
                found.extend(members.keys().cloned());
                open.extend(members.values());
            }
            scalar => found.push(scalar.to_string()),
        }
    }
    found
}

/// The values of a repaired text.
fn values(repaired: &Repair) -> Vec<Value> {
    let text = std::str::from_utf8(&repaired.text).expect("text");
    match repaired.framing {
        Framing::OneValue => vec![serde_json::from_str(text).expect("one value")],
        _ => text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(|line| serde_json::from_str(line).expect("a value a line"))
            .collect(),
    }
}

/// Asserts the law for a text with these values in it. Returns whether it was repaired.
fn check(text: &str, meant: &[Value]) -> Result<bool, TestCaseError> {
    let repaired = all(text);
    let safe = repair(text.as_bytes(), &RepairOptions::default());
    prop_assert!(!safe.is_valid() || safe.text == text.as_bytes() || safe.guesses == 0);
    if !repaired.is_valid() {
        prop_assert!(!repaired.left.diagnostics.is_empty());
        return Ok(false);
    }
    let output: Vec<String> = values(&repaired).iter().flat_map(scalars).collect();
    for scalar in meant.iter().flat_map(scalars) {
        // The whole text as a string: `{"a": 1}` in backticks is a string in JavaScript.
        let is_quoted = |scalar: &str| {
            let mut output = output.iter();
            output.any(|text| text.replace('\\', "").contains(&scalar.replace('\\', "")))
        };
        let is_named = || {
            let mut changes = repaired.changes.iter();
            changes.any(|change| change.removed.contains(&scalar))
        };
        prop_assert!(
            output.contains(&scalar) || is_quoted(&scalar) || is_named(),
            "{scalar} of {text:?} is not in {:?}",
            String::from_utf8_lossy(&repaired.text)
        );
    }
    Ok(true)
}

/// Text that programs, people or models write before a value on its line. `#` is replaced by a number.
const MARKS: [&str; 22] = [
    "2026-01-01T00:00:00Z INFO ",
    "2026-01-01 12:00:00,123 [main] DEBUG a.b.C - ",
    "[2026-01-01 12:00:00] ",
    "[INFO] ",
    "[pod/web-#/app] ",
    "web-#  | ",
    "#. ",
    "#) ",
    "(#) ",
    "* ",
    "> ",
    "Jan  1 00:00:# host app[#]: ",
    "app.log:#:",
    "I0101 00:00:# main.go:#] ",
    "level=info msg=",
    "",
    "Result #: ",
    "$ ",
    "\u{1F680} ",
    "# rows ",
    "`",
    "- ",
];

const TAILS: [&str; 8] = ["", "", " took #ms", " (#)", ";", ".", " {placeholder}", "`"];

/// Lines without a value.
const TALK: [&str; 9] = [
    "",
    "Server listening on port 3000",
    "```",
    "```json",
    "---",
    "Here is the result:",
    "Done, it's over.",
    "[INFO] started",
    "at a.b.C(D.java:12)",
];

fn value() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        (10_000u32..100_000).prop_map(Value::from),
        "[a-z]{6}".prop_map(Value::from),
        "[a-z]{5}[]\\[{}':,# /-]{1,3}[a-z]".prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        Just(Value::Null),
    ];
    let inner = prop_oneof![
        2 => prop::collection::vec(scalar.clone(), 0..3).prop_map(Value::from),
        3 => prop::collection::btree_map("[a-z]{5}", scalar, 0..3)
            .prop_map(|members| Value::Object(members.into_iter().collect())),
    ];
    prop_oneof![
        inner.clone(),
        prop::collection::vec(inner, 1..3).prop_map(Value::from)
    ]
}

/// A line: a mark, a value with its notation, and a suffix; or talk.
#[derive(Clone, Debug)]
enum Line {
    Value(usize, Value, bool, usize),
    Talk(usize),
}

fn line() -> impl Strategy<Value = Line> {
    prop_oneof![
        3 => (0..MARKS.len(), value(), prop::bool::weighted(0.15), 0..TAILS.len())
            .prop_map(|(mark, value, pretty, tail)| Line::Value(mark, value, pretty, tail)),
        1 => (0..TALK.len()).prop_map(Line::Talk),
    ]
}

fn written(lines: &[Line], same_mark: bool, end: &str) -> (String, Vec<Value>) {
    let mut text = String::new();
    let mut values = Vec::new();
    let mut first = None;
    for (number, line) in lines.iter().enumerate() {
        let number = (number + 8).to_string();
        match line {
            Line::Value(mark, value, pretty, tail) => {
                let mark = if same_mark {
                    *first.get_or_insert(*mark)
                } else {
                    *mark
                };
                text += &MARKS[mark].replace('#', &number);
                text += &match pretty {
                    true => serde_json::to_string_pretty(value).expect("JSON"),
                    false => value.to_string(),
                };
                // Without its other half, a backtick begins a template of several lines.
                if MARKS[mark] == "`" {
                    text += "`";
                } else if !same_mark {
                    text += &TAILS[*tail].replace('#', &number);
                }
                values.push(value.clone());
            }
            Line::Talk(talk) => text += TALK[*talk],
        }
        text += end;
    }
    (text, values)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn values_among_text_are_kept(
        lines in prop::collection::vec(line(), 1..6),
        same_mark in any::<bool>(),
        crlf in prop::bool::weighted(0.2),
    ) {
        let (text, values) = written(&lines, same_mark, if crlf { "\r\n" } else { "\n" });
        check(&text, &values)?;
    }

    /// If each line has one value after the same mark, all are kept.
    #[test]
    fn a_log_becomes_lines(mark in 0..MARKS.len() - 2, values in prop::collection::vec(value(), 2..5)) {
        let lines: Vec<Line> = values.iter().map(|value| Line::Value(mark, value.clone(), false, 0)).collect();
        let (text, _) = written(&lines, true, "\n");
        prop_assume!(!MARKS[mark].is_empty());
        let repaired = all(&text);
        prop_assert!(repaired.is_valid(), "{text:?}: {:?}", repaired.left.diagnostics);
        prop_assert_eq!(self::values(&repaired), values, "{:?}", text);
    }

    /// A truncated log loses nothing.
    #[test]
    fn a_log_is_cut_off(
        lines in prop::collection::vec(line(), 1..5),
        cut in any::<prop::sample::Index>(),
    ) {
        let (text, _) = written(&lines, true, "\n");
        let cut = (0..=cut.index(text.len() + 1)).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        let whole: Vec<Value> = text[..cut]
            .lines()
            .filter_map(|line| {
                let start = line.find(['{', '['])?;
                serde_json::from_str(&line[start..]).ok()
            })
            .collect();
        check(&text[..cut], &whole)?;
    }

    #[test]
    fn prose_is_no_json(words in prop::collection::vec("[A-Za-z][a-z]{0,8}('s)?[,.:;!?]?", 1..12), breaks in any::<u16>()) {
        let mut text = String::new();
        for (number, word) in words.iter().enumerate() {
            text += word;
            text.push(if breaks >> number & 1 == 1 { '\n' } else { ' ' });
        }
        let word = text.trim();
        let is_literal = ["true", "false", "null", "nan", "inf", "nil", "undef", "none"]
            .iter()
            .any(|literal| word.len() <= 7 && word.to_lowercase().starts_with(&literal[..1]));
        prop_assume!(!is_literal);
        let repaired = all(&text);
        prop_assert!(!repaired.is_valid(), "{text:?}: {:?}", String::from_utf8_lossy(&repaired.text));
    }
}

/// Texts in other formats, and the name in the finding.
const FORMATS: [(&str, &str); 37] = [
    ("fae, a's", "text"),
    ("Service Unavailable", "text"),
    (
        "upstream connect error or disconnect/reset before headers. reset reason: overflow",
        "text",
    ),
    ("Unauthorized", "text"),
    ("no", "text"),
    ("200 OK", "text"),
    ("3 files read", "text"),
    ("404: Not Found", "text"),
    (
        "Error: ENOENT: no such file or directory, open 'a.json'",
        "text",
    ),
    ("Hello, world :]", "text"),
    ("key: value", "text"),
    ("a: 1, b: 2", "text"),
    ("12:30:05 up 3 days", "text"),
    ("total 12\n-rw-r--r-- 1 a b 5 Jan 1 a.json\n", "text"),
    ("(eval):1: syntax error", "text"),
    (
        "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 4\r\n\r\ndown",
        "http",
    ),
    ("HTTP/2 404\ncontent-type: text/plain\n\n", "http"),
    ("A=1\nB=2\n", "env"),
    ("# comment\nexport A='1'\n\nB=2\n", "env"),
    ("A=1", "env"),
    (
        "ts=1 level=info msg=\"a \\\"b\\\" c=d\"\nts=2 level=warn\n",
        "logfmt",
    ),
    ("a = 1\nb = 2\n", "ini"),
    ("; comment\n[core]\na = 1\n", "ini"),
    ("[core]\n  a = 1\n", "toml"),
    ("a: 1\nb: 2\n", "yaml"),
    ("- a\n- b\n", "yaml"),
    ("a:\n  - b\n", "yaml"),
    ("id,name\n1,Ada\n", "csv"),
    ("\"id\",\"name\"\n1,\"Ada\"\n", "csv"),
    ("1,2,3\n4,5,6\n", "csv"),
    ("#<User:0x01 @id=1>", "ruby-object"),
    ("<__main__.User object at 0x7f00>", "python-object"),
    ("[object Object]", "javascript-object"),
    ("return array('a' => 1);", "text"),
    ("aGVsbG8=", "text"),
    ("1.2.3", "text"),
    ("SELECT a, b FROM c;", "sql"),
];

#[test]
fn other_formats_are_refused_by_name() {
    for (text, name) in FORMATS {
        let repaired = all(text);
        let shown = String::from_utf8_lossy(&repaired.text);
        assert!(!repaired.is_valid(), "{text:?}: {shown:?}");
        assert_eq!(shown, text);
        assert!(
            repaired.is_foreign() && repaired.changes.is_empty(),
            "{text:?}"
        );
        let detected: Vec<_> = repaired
            .left
            .diagnostics
            .iter()
            .map(|it| it.detected)
            .collect();
        assert_eq!(detected, [Some(name)], "{text:?}");
    }
}

#[test]
fn compressed_data_is_named() {
    for (start, name) in [
        (&b"\x1F\x8B\x08\0\0\0\0\0\0\x03\xABVJ\0"[..], "gzip"),
        (b"PK\x03\x04\x14\0\0\0", "zip"),
        (b"\x28\xB5\x2F\xFD\x04\0\0\0", "zstd"),
        (b"BZh91AY&SY\0\0", "bzip2"),
        (b"\xFD7zXZ\0\0\x04", "xz"),
        (b"\x04\x22\x4D\x18\x64\x40\0\0", "lz4"),
        (b"7z\xBC\xAF\x27\x1C\0\x04", "7z"),
        (b"\x89PNG\r\n\x1A\n\0\0\0", "png"),
        (b"\xFF\xD8\xFF\xE0\0\x10JFIF", "jpeg"),
        (b"SQLite format 3\0\x10\0", "sqlite"),
        (b"PAR1\x15\x04\x15", "parquet"),
    ] {
        let options = RepairOptions::default().with(Applicability::Review);
        let repaired = repair(start, &options);
        let left = &repaired.left.diagnostics;
        assert_eq!(left.len(), 1, "{name}");
        assert_eq!(
            (left[0].detected, repaired.is_foreign()),
            (Some(name), true)
        );
        assert_eq!((&repaired.text[..], &repaired.source), (start, &None));
    }
}

#[test]
fn json_embedded_in_text_is_found() {
    for (text, expected) in [
        (
            "a {\"id\":1}\na {\"id\":2}\na {\"id\":3}\n",
            "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n",
        ),
        (
            "{\"a\":1}\nServer up\n{\"a\":2}\n",
            "{\"a\":1}\n{\"a\":2}\n",
        ),
        (
            "9 a | {\"b\":1}\n10 a | \"c\"\n11 a | d\n",
            "{\"b\":1}\n\"c\"\n",
        ),
        (
            "INFO {'id': 1}\nINFO {'id': None}\n",
            "{\"id\": 1}\n{\"id\": null}\n",
        ),
        (
            "INFO {\"id\":1\nINFO {\"id\":2}\n",
            "{\"id\":1}\n{\"id\":2}\n",
        ),
        (
            "```json\n{\"a\":1}\n```\nand\n```json\n{\"a\":2}\n```\n",
            "{\"a\":1}\n{\"a\":2}\n",
        ),
        (
            "```json\n{\n\"a\": 1\n}\n```\n```json\n{\n\"b\": 2\n}\n```\n",
            "{\"a\": 1}\n{\"b\": 2}\n",
        ),
        (
            "<think>Is it {\"a\":1}?</think>\n```json\n{\"a\":2}\n```\n",
            "{\"a\":2}\n",
        ),
        // One block is marked; blocks of other languages are no data.
        (
            "Run:\n```python\nx = {\"a\":1}\n```\n```json\n{\"b\":2}\n```\n```\n[3]\n```\n",
            "{\"b\":2}\n",
        ),
        (
            "```json\n[1]\n```\n```js\nf({\"a\":1})\n```\n```json\n[2]\n```\n",
            "[1]\n[2]\n",
        ),
        ("```bash\nx [1]\n```\n```\n{\"b\":2,}\n```\n", "{\"b\":2}\n"),
        ("[TOOL_CALLS][{\"a\":[1]}]\n", "[{\"a\":[1]}]\n"),
        (
            "data: {\"a\":1}\n\ndata: {\"a\":2,}\n\ndata: [DONE]\n\n",
            "{\"a\":1}\n{\"a\":2}\n",
        ),
        (
            ": ping\r\nevent: x\r\nid: 1\r\ndata:{\"a\":\r\nid: 2\r\ndata: 1}\r\n\r\ndata: {\"b\":",
            "{\"a\":1}\r\n",
        ),
        (
            "HTTP/2 301\r\nlocation: /\r\n\r\nHTTP/2 200\r\nx: {\"a\":1}\r\ny: [1]\r\n\r\n{\"b\":2,}\n",
            "{\"b\":2}\n",
        ),
        // A record of a container's log that is cut off.
        (
            "2024-01-01T00:00:01.1Z stdout F {\"a\":1}\n2024-01-01T00:00:02.2Z stderr P {\"a\":\"x\n2024-01-01T00:00:03.3Z stdout F {\"a\":3}\n",
            "{\"a\":1}\n{\"a\":\"x\"}\n{\"a\":3}\n",
        ),
        ("<tool_call>\n{\"a\":1}\n</tool_call>", "{\"a\":1}"),
        ("<json>{'a': \"</b>\",}</json>\n", "{\"a\": \"</b>\"}\n"),
        ("<answer>\n```json\n[1]\n```\n</answer>", "[1]"),
        ("<output>[1, 2", "[1, 2]"),
        (
            "<tool_call>{\"a\":1}</tool_call>\n<tool_call>{\"a\":2}</tool_call>\n",
            "{\"a\":1}\n{\"a\":2}\n",
        ),
        ("ObjectId(\"5\")", "\"5\""),
        ("It is.\n</think>\n{\"a\":2}", "{\"a\":2}"),
        ("$VAR1 = {\n  'a' => undef\n};\n", "{\n  \"a\" : null\n}\n"),
    ] {
        let repaired = all(text);
        assert!(
            repaired.is_valid(),
            "{text:?}: {:?}",
            repaired.left.diagnostics
        );
        assert_eq!(
            String::from_utf8_lossy(&repaired.text),
            expected,
            "{text:?}"
        );
    }
    // With framing by lines, a mark before each record.
    let options = RepairOptions::default().with(Applicability::Review);
    let repaired = repair(b"a {\"b\":1}\na {b:2}\n", &options.framing(Framing::Lines));
    assert_eq!(repaired.text, b"{\"b\":1}\n{\"b\":2}\n");
    for text in [
        "<a>{x}</a>",
        "<a>1</a>",
        "<a>[x]<b/></a>",
        "<a><b>{\"c\": 1}</b></a>",
        "First:\n{\n\"a\": 1\n}\nSecond:\n{\n\"b\": 2\n}\n",
        "```json\n{\n\"a\": 1\n}\n```\n```json\n{\n\"b\": 2\n```\n",
        "a {\"b\": 1} {\"c\": 2}\n",
        "See [1] and [2]: {\"a\": 1}",
        "INFO [42] {\"a\": 1}\nINFO [43] {\"a\": 2}\n",
        "Hi!\n{'a': NaN,\n \"b\": [1,, 2}\nBye {\"c\": 3}",
        "{\"a\": 1}\n\"b\": 2\n",
        "{\"a\": 1}, b: 2",
        "{\"a\": 1}, \"b\": 2",
        "[1] [2]\nlog\n[3]\n",
    ] {
        let repaired = all(text);
        assert!(
            !repaired.is_valid(),
            "{text:?}: {:?}",
            String::from_utf8_lossy(&repaired.text)
        );
    }
}
