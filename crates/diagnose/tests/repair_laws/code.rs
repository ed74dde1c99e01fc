//! Code in strings, as language models write it: with raw line breaks and tabs, and with unescaped quotes.

use serde_json::{Value, json};

use crate::{all, report, result, show, value};
use jsonx_testing::documents;
use jsonx_testing::inject::Random;

const LINES: &[&str] = &[
    "def peek(self):",
    "    \"\"\"Return the first item, or None.\"\"\"",
    "    return self.items[0] if self.items else None",
    "",
    "class A(object):",
    "try:",
    "except KeyError as e:  # c:",
    "    raise ValueError(\"no \" + name, 'x')",
    "x = {\"a\": 1, 'b': [2, 3]}",
    "print(f\"{x}, {y}\")",
    "log.info(\"a\", \"b\")",
    "b = b\"\"",
    "if c == '\"': pass",
    "import os, sys",
    "function f(a, b) {",
    "  return a[\"k\"] + \", \" + b;",
    "}",
    "});",
    "const s = `x`;",
    "// done, \"really\"",
    "/* see {a: 1} */",
    "#include \"a.h\"",
    "  printf(\"%d: %s\", 1, \"x\");",
    "SELECT \"a\", b FROM t",
    "WHERE c = 'd',",
    "\tgo:",
    "echo \"$@\" | sort -u;",
    "name: \"x\"",
    "  - one, two",
    "<div class=\"a\" id=\"b\">",
    "# Title",
    "He said \"hi\", then left.",
];

/// Documents with a string at `@`.
const DOCUMENTS: &[&str] = &[
    "{\"code\": @, \"ok\": true}",
    "{\"ok\": true, \"code\": @}",
    "{\n  \"language\": \"python\",\n  \"code\": @,\n  \"why\": \"It works.\"\n}\n",
    "{\"files\":[{\"path\":\"a.py\",\"content\":@},{\"path\":\"b.py\",\"content\":\"x\"}]}",
    "[@, 1]",
    "[\n  @,\n  @\n]",
    "@",
];

/// A text with code in it, written as a string by `write`, and its value.
fn draw(random: &mut Random, write: fn(&str) -> String) -> (String, String, Value) {
    let count = 2 + random.below(6);
    let lines: Vec<&str> = (0..count)
        .map(|_| LINES[random.below(LINES.len())])
        .collect();
    let mut code = lines.join("\n");
    if random.below(3) == 0 {
        code.push('\n');
    }
    let document = DOCUMENTS[random.below(DOCUMENTS.len())];
    let text = document.replace('@', &format!("\"{}\"", write(&code)));
    let value = document.replace('@', &json!(code).to_string());
    (code, text, documents::value(value.as_bytes()).unwrap())
}

#[test]
fn line_breaks_in_strings_are_content() {
    let mut random = Random(53);
    let mut wrong = Vec::new();
    for _ in 0..2000 {
        let (_, text, value) = draw(&mut random, |code| code.replace('"', "\\\""));
        let repaired = all(&text);
        if result(&repaired) != Some(value) {
            wrong.push(format!("{text:?} is {:?}", show(&repaired)));
        }
    }
    report(&wrong);
}

#[test]
fn a_line_break_of_windows_stays_one() {
    let repaired = all("{\"code\": \"a:\r\nb,\rc\", \"ok\": true}");
    assert_eq!(show(&repaired), r#"{"code": "a:\r\nb,\rc", "ok": true}"#);
}

/// Quotes are a guess, because some texts are ambiguous. A wrong guess is worse than none.
#[test]
fn quotes_in_strings_are_content() {
    let mut random = Random(54);
    let (mut count, mut wrong, mut refused) = (0, Vec::new(), Vec::new());
    for number in 0..2000 {
        let escape = |code: &str| code.replace('\n', "\\n").replace('\t', "\\t");
        let (code, text, value) = match number % 2 {
            0 => draw(&mut random, str::to_owned),
            _ => draw(&mut random, escape),
        };
        if !code.contains('"') {
            continue;
        }
        count += 1;
        let repaired = all(&text);
        match result(&repaired) {
            Some(found) if found == value => {}
            Some(found) => wrong.push(format!("{text:?} is {found}")),
            None => refused.push(text),
        }
    }
    eprintln!(
        "of {count}, {} wrong and {} refused",
        wrong.len(),
        refused.len()
    );
    if std::env::var_os("JSONX_FAULTS").is_some() {
        report(&wrong);
        report(&refused);
    }
    assert!(100 * wrong.len() <= count, "{wrong:?}");
    assert!(
        100 * (wrong.len() + refused.len()) <= 3 * count,
        "{refused:?}"
    );
}

#[test]
fn a_template_around_json_is_undone() {
    for (text, expected) in [
        (
            "{{\"a\": {{\"b\": [\"{{c}}\"]}}}}\n",
            "{\"a\": {\"b\": [\"{c}\"]}}\n",
        ),
        ("[{{}}, {{\"a\": 1}}]", "[{}, {\"a\": 1}]"),
        (" `{\"a\": 1}`\n", " {\"a\": 1}\n"),
        ("`[1]`", "[1]"),
        ("`a`", "\"a\""),
        ("{\"a\": {{x}}}", "{\"a\": \"{{x}}\"}"),
    ] {
        let repaired = all(text);
        assert_eq!(show(&repaired), expected);
        assert!(!repaired.changes.is_empty(), "{text}");
    }
}

/// A value as Python prints it, and as JSON. Without strings in double quotes, whose end before `)` may be a quote inside.
fn python(random: &mut Random, depth: usize) -> (String, String) {
    const SCALARS: &[(&str, &str)] = &[
        ("1", "1"),
        ("-2.5", "-2.5"),
        ("True", "true"),
        ("False", "false"),
        ("None", "null"),
        ("'px'", "\"px\""),
        ("''", "\"\""),
        ("'a (b'", "\"a (b\""),
        ("'a b), c'", "\"a b), c\""),
    ];
    let kind = random.below(if depth < 3 { 7 } else { 4 });
    if kind < 4 {
        let (python, json) = SCALARS[random.below(SCALARS.len())];
        return (python.to_owned(), json.to_owned());
    }
    let children: Vec<_> = (0..1 + random.below(3))
        .map(|_| python(random, depth + 1))
        .collect();
    let join = |parts: Vec<String>| parts.join(", ");
    let (printed, json): (Vec<_>, Vec<_>) = children.into_iter().unzip();
    match kind {
        4 => (format!("[{}]", join(printed)), format!("[{}]", join(json))),
        5 => {
            let comma = if printed.len() == 1 { "," } else { "" };
            (
                format!("({}{comma})", join(printed)),
                format!("[{}]", join(json)),
            )
        }
        _ => {
            let key = |quote: char| {
                move |(at, value): (usize, String)| format!("{quote}k{at}{quote}: {value}")
            };
            let python = printed.into_iter().enumerate().map(key('\''));
            let json = json.into_iter().enumerate().map(key('"'));
            (
                format!("{{{}}}", join(python.collect())),
                format!("{{{}}}", join(json.collect())),
            )
        }
    }
}

#[test]
fn values_printed_by_python_are_read() {
    let mut random = Random(31);
    let mut wrong = Vec::new();
    for _ in 0..4000 {
        let (text, expected) = python(&mut random, 0);
        if !expected.starts_with(['[', '{']) {
            continue;
        }
        let repaired = all(&text);
        if result(&repaired) != value(expected.as_bytes()) {
            wrong.push(format!("{text:?} is {:?}", show(&repaired)));
        }
    }
    report(&wrong);
}
