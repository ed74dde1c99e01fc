//! More examples for codes whose findings have several forms.

/// A text and its framing.
#[derive(Clone, Copy)]
pub struct Example {
    /// The text.
    pub text: &'static [u8],
    /// `lines`, `stream`, or empty.
    pub mode: &'static str,
}

const fn one(text: &'static [u8]) -> Example {
    Example { text, mode: "" }
}

const fn lines(text: &'static [u8]) -> Example {
    Example {
        text,
        mode: "lines",
    }
}

const fn stream(text: &'static [u8]) -> Example {
    Example {
        text,
        mode: "stream",
    }
}

/// By code.
pub const EXAMPLES: &[(&str, &[Example])] = &[
    ("empty-input", &[one(b""), one(b"  // nothing\n")]),
    ("wrong-encoding", &[one(b"\0{\0}"), one(b"\0\0\xFE\xFF\0\0\0{\0\0\0}"), one(b"[\0\0\0]\0\0\0")]),
    (
        "wrong-format",
        &[
            one(b"\x1F\x8B\x08\0\0"),
            one(b"PK\x03\x04"),
            one(b"%PDF-1.7\n"),
            one(b"<?xml version=\"1.0\"?>\n<a/>"),
            one(b"<feed>\n</feed>"),
            one(b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n"),
            one(b"```json\n{}\n```\n"),
            one(b")]}'\n{\"a\": 1}"),
            one(b"const a = {\n};\n"),
            one(b"callback({\"a\": 1});"),
            one(b"---\na: 1\n"),
            one(b"# a\n- one\n- two\n"),
            one(b"[package]\nname = \"x\"\n"),
            one(b"hello world"),
            lines(b"[1]\nDisk is full\n"),
            one(b"HTTP/1.1 503 Service Unavailable\r\n\r\nupstream down\n"),
            one(b"A=1\nB=2\n"),
            one(b"; a\na = 1\n"),
            one(b"#<User:0x01 @id=1>"),
            one(b"```json\n{\n}\n```\n```json\n[]\n```\n"),
        ],
    ),
    (
        "leading-text",
        &[
            one(b"[INFO] building\n[INFO] done\n[1, 2]\n"),
            one(b"[main] started\n[False, {\"a\": 1}]\n"),
            one(b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n{\"a\": 1}"),
            one(b"<think>\nLet me see.\n</think>\n\n[1]\n"),
            one(b"12:00 INFO {\"id\": 1}\n12:01 INFO {\"id\": 2}\n"),
            one(b"First:\n[\n1\n]\nSecond:\n[2]\n"),
        ],
    ),
    ("invalid-utf8", &[one(b"[\"a\xE2\x82\"]"), one(b"\xFF"), one(b"[\"abc\xE2\x82"), lines(b"[1]\n[\"\xE9\"]\n")]),
    (
        "merge-conflict",
        &[
            one(b"{\n<<<<<<< a\n  \"x\": 1\n||||||| base\n  \"x\": 0\n=======\n  \"x\": 2\n>>>>>>> b\n}"),
            one(b"{\n  \"x\": 1\n>>>>>>> b\n}"),
        ],
    ),
    ("trailing-comma", &[one(b"{\n  \"a\": 1,\n}"), one(b"[1,,]"), one(b"[1],"), one(b"{\"a\": {\"b\": 1,},}")]),
    ("extra-comma", &[one(b"[,1]"), one(b"{,\"a\": 1}"), one(b"[1,,,2]"), stream(b"1, 2")]),
    ("missing-comma", &[one(b"[1\n 2]"), one(b"[{} {}]"), one(b"{\n  \"a\": [1]\n  \"b\": 2\n}")]),
    ("missing-colon", &[one(b"{\"a\"\n  {}}")]),
    ("wrong-separator", &[one(b"{\"a\" => 1; \"b\": 2;}"), one(b"{\"a\": 1};"), one("{\"a\"：1，b：2}".as_bytes())]),
    ("missing-value", &[one(b"{\"a\"}"), one(b"{\n  \"a\":\n  \"b\": 1\n}"), one(b"{\"x\", \"y\"}"), one(b"{\"a\":}"), one(b"{\"a\": 12,50, \"b\": 1}")]),
    ("missing-key", &[one(b"{\"a\": 1, {\"b\": 2}}")]),
    ("colon-in-array", &[one(b"[\"a\": 1, \"b\": 2]")]),
    (
        "unclosed-bracket",
        &[
            one(b"{\n  \"a\": [\n    1\n}"),
            one(b"{\n  \"a\": {\n    \"b\": {\n      \"c\": 1\n  },\n  \"d\": 2\n}"),
            one(b"{\"a\": 1"),
            one(b"[\n  [\n    1\n"),
            one(b"{\"a\": [{\"b\": 1, {\"b\": 2}]}"),
            one(b"{\n  \"a\": { \"b\": 1,\n  \"c\": 2\n}"),
        ],
    ),
    ("mismatched-bracket", &[one(b"[{\"a\": 1], {\"a\": 2}]"), one(b"[1, 2,}")]),
    (
        "extra-bracket",
        &[
            one(b"{\"a\": 1}}"),
            one(b"{\n  \"a\": {\n    \"b\": 1\n  }\n  },\n  \"c\": 2\n}"),
            one(b"{\n  \"a\": {\n    \"b\": 1},\n    \"c\": 2\n  },\n  \"d\": 3\n}"),
            one(b"{\"a\": 1}, \"b\": 2}"),
            one(b"]"),
        ],
    ),
    (
        "missing-open-bracket",
        &[
            one(b"{\"a\": \"b\": 1}, \"c\": 2}"),
            one(b"{\n  \"a\":\n    \"b\": 1\n  },\n  \"c\": 2\n}"),
            one(b"\"a\": 1, \"b\": 2}"),
            one(b"1, 2]"),
            one(b"[\"a\": 1}, {\"a\": 2}]"),
            one(b"{\n  \"a\":\n    1\n  ]\n}"),
        ],
    ),
    ("wrong-bracket", &[one(b"[(1, 2), ()]"), one(b"[(1, 2]"), one("｛\"a\"：［1］｝".as_bytes())]),
    ("multiple-values", &[one(b"{\"a\": 1}\n{\"a\": 2}\n{\"a\": 3}\n"), one(b"{}, {}"), one(b"1 2"), lines(b"1 2\n")]),
    ("trailing-content", &[one(b"[1]\nDone.\nBye.\n"), one(b"{} = {}"), one(b"[1]\nUp\n[2]\n"), one(b"\"a\": 1,\n\"b\": 2\n")]),
    (
        "truncated-input",
        &[
            one(b"{\"a\": "),
            one(b"{\"a\""),
            one(b"[1, "),
            one(b"[[1, tr"),
            one(b"[-"),
            one(b"\"abc"),
            one(b"[{\"a\": [1"),
            lines(b"{\"a\": 1}\n{\"a\": "),
            lines(b"{\"a\": \"x\n{\"a\": 1}\n"),
        ],
    ),
    ("unexpected-text", &[one(b"[1 $ 2]"), one(b"{\"a\":: 1}"), one(b"{\"a\": \"b\": 1}"), one(b"{\"a\": 1 \"b\"}")]),
    ("expression", &[one(b"[new Date(\"2024\")]"), one(b"[1+2, a + b]"), one(b"{\"a\": \"x\" + \"y\"}")]),
    ("ellipsis", &[one("…".as_bytes()), one(b"{\"a\": 1, ...}")]),
    ("template-placeholder", &[one(b"[${PORT}, <your key>, {% if x %}]"), one(b"{{{key}}: 1}")]),
    ("comment", &[one(b"/* a\n b */ 1"), one(b"# a\n[1, # b\n2]"), one(b"<!-- a -->1"), one(b"{a/* b */: true// c\n}")]),
    ("unclosed-comment", &[one(b"[1, /* a\n 2]\n"), one(b"[1] /* a")]),
    ("duplicate-key", &[one("{\n  \"é\": 1,\n  \"b\": 2,\n  \"\\u00e9\": 3\n}".as_bytes())]),
    ("invalid-whitespace", &[one(b"[1]\0\0\0"), one(b"[1,\x0C\x0B2]"), one("[1,\u{200b}2]".as_bytes())]),
    ("single-quotes", &[one(b"['it\\'s \"so\"', 'a\n]"), one(b"{'a': 'b'}")]),
    ("backtick-string", &[one(b"[`a ${b} c`]")]),
    ("smart-quotes", &[one("{“a”: „b“, \"c\": «d»}".as_bytes()), one("[‘a’, “b\"]".as_bytes())]),
    (
        "unterminated-string",
        &[
            one(b"{\"a: 1, \"b\": 2}"),
            one(b"{a\": 1}"),
            one(b"{\"a\":\"b,\"c\":1}"),
            one(b"[\n  \"a,\n  \"b\"\n]"),
            one(b"{\"a\": b\"}"),
            one(b"{\"a\": [\"b]}"),
        ],
    ),
    ("unescaped-quote", &[one(b"[\"a \"b\" c \"d\" e\"]"), one(b"{\"5\" pipe\": 1}"), one(b"{\"a\": \"{\"b\": [1], \"c\": \"d\"}\", \"e\": \"[{\"f\": 1}]\"}")]),
    ("newline-in-string", &[one(b"[\"a\n  b\r\n  c\"]")]),
    ("control-character", &[one(b"[\"\x1b[31m\x07\"]"), one(b"[\"a\0b\"]")]),
    (
        "bad-escape",
        &[
            one(b"[\"C:\\dir\\x\\new\"]"),
            one(b"[\"\\'\\a\\0\"]"),
            one(b"[\"\\user\"]"),
            one(b"[\"\\\\host\\share\\new\", \"..\\new\\User\"]"),
            one(b"{\n  \"a\": \"C:\\dir\\\",\n  \"b\": 1\n}"),
        ],
    ),
    ("bad-unicode-escape", &[one(b"[\"\\u00E\", \"\\u{41}\"]")]),
    ("lone-surrogate", &[one(b"[\"\\ude00\\ud83d\"]")]),
    ("unquoted-key", &[one(b"{1: 2, true: 3, a-b: 4, $x: 5}"), one(b"{max size: 1}"), one(b"{(1, 2): 3}")]),
    ("unquoted-value", &[one(b"[https://example.org/a?b=c, 2024-01-31, 1.2.3, 50%]"), one(b"{\"at\": 12:30, \"to\": 7:05:59}")]),
    ("wrong-literal", &[one(b"[True, FALSE, nil, undefined, yes, off, tru, flase, nulll]")]),
    ("non-finite-number", &[one(b"[NaN, -Infinity, +inf]")]),
    ("leading-zero", &[one(b"[007, -01, 00.5, 02134]")]),
    ("leading-plus", &[one(b"[+1.5, +.5]")]),
    ("missing-digits", &[one(b"[1., -.5, 1.e5]")]),
    ("non-decimal-number", &[one(b"[0b101, 0o17, -0xff, 0x123456789abcdef01]")]),
    ("digit-separator", &[one(b"[1_000_000.5]")]),
    ("bad-number", &[one(b"[-, 1e+, 0x]")]),
    ("unsafe-integer", &[one(b"[9007199254740992, -9007199254740993]")]),
    ("number-range", &[one(b"[-1e999]")]),
    ("syntax-error", &[one(b"[1] \n2"), one(b"[\"\xE9\"]")]),
    ("deep-nesting", &[one(b"[{\"a\": [[[]]]}]")]),
];
