//! Texts that repeat a short fragment: if a rule searches far ahead, repetition makes it search again and again.

use crate::inject::Random;

/// Fragments that rules of repair depend on.
const FRAGMENTS: &[&str] = &[
    "\"",
    "'",
    "`",
    "“",
    "”",
    "‘",
    "’",
    "«",
    "»",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "//",
    "/*",
    "*/",
    "#",
    "--",
    "<!--",
    "-->",
    "```",
    "```json\n",
    "\n",
    "\r\n",
    "\n\n",
    " ",
    "\t",
    "\u{a0}",
    "\u{200b}",
    ":",
    ",",
    ";",
    "=",
    "=>",
    "a",
    "a:",
    "\"a\":",
    "'a':",
    "b=",
    "1",
    "1.",
    "-",
    "+1",
    "1e",
    "0x1",
    "true",
    "None",
    "NaN",
    "undefined",
    "\\",
    "\\\"",
    "\\n",
    "\\u",
    "\\'",
    "\"\"\"",
    "'''",
    "u'",
    "f(",
    "new D(",
    "...",
    "…",
    "<<<<<<< a\n",
    "=======\n",
    ">>>>>>> b\n",
    "|||||||\n",
    "：",
    "，",
    "｛",
    "｝",
    "data: ",
    "{{",
    "}}",
    "${",
    "<",
    ">",
    "<a>",
    "$",
    "%",
    "@",
    "&",
    "!",
    "?",
    "|",
    "~",
    "^",
    "*",
    ".",
    "/",
    "é",
    "\u{7f}",
    "\0",
    "\u{1b}[0m",
    "\u{1b}]",
    "\u{feff}",
    "2020-01-01",
    "12:30",
    "C:\\a",
    "http://",
    "a b",
    "\"+\"",
    "x\n",
    "- a\n",
    "a: b\n",
    "\"b\"",
    "{\"a\":1}",
    "[1,2]\n",
    ",\n",
];

/// Texts before the repetition.
const STARTS: &[&str] = &["", "", "[", "{", "\"", "{\"a\": \"", "'", "[1,\n"];

/// A start, and one to four fragments to repeat.
pub fn draw(random: &mut Random) -> (&'static str, String) {
    let start = STARTS[random.below(STARTS.len())];
    let count = 1 + random.below(4);
    let repeated = (0..count).map(|_| FRAGMENTS[random.below(FRAGMENTS.len())]);
    (start, repeated.collect())
}

/// A text of about `length` bytes that repeats a fragment.
pub fn text(start: &str, repeated: &str, length: usize) -> String {
    format!("{start}{}", repeated.repeat(length / repeated.len()))
}

/// Separators of records: on a single line, the rest of the line is the rest of the text.
pub const SEPARATORS: [&str; 2] = [",", ",\n"];

/// An array of records with fragments, far enough apart to be repaired one by one.
pub fn spread(repeated: &str, separator: &str, records: usize) -> String {
    let filler = "far and wide ".repeat(250);
    let record = format!(r#"{{"text":"{filler}","b":[{repeated}],"c":"x{repeated}"}}"#);
    format!("[{}]", vec![record; records].join(separator))
}
