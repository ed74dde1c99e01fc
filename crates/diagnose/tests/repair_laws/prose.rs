//! Prose with quotes that are not escaped, as language models write it: no word is lost, wherever the text ends.

use crate::all;

const SENTENCES: [&str; 9] = [
    "He called it a \"must-see\" film and left.",
    "The \"quick\" brown fox, the \"lazy\" dog.",
    "She said \"no\", and that was it",
    "a 27\" monitor, new",
    "see [1\"] and [2] for more",
    "\"Yes\" is the answer to \"who?\" here",
    "Known as \"The Best\" (or \"Worst\") of all; see \"notes\"",
    "He wrote \"one two three four\" and then \"five\"",
    "the so-called \"smart\" quotes: \"a\" and \"b\" differ",
];

/// The letters and digits of a text.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

#[test]
fn no_word_is_lost_wherever_the_text_ends() {
    let mut wrong = Vec::new();
    for sentence in SENTENCES {
        for (before, after) in [
            ("{\"answer\": \"", "\"}"),
            ("{\"n\": 1, \"answer\": \"", "\", \"m\": 2}"),
        ] {
            let text = format!("{before}{sentence}{after}");
            for end in before.len()..=text.len() {
                let cut = &text[..end];
                let repaired = all(cut);
                let is_valid = repaired.is_valid();
                let repaired = String::from_utf8(repaired.text).unwrap();
                if !is_valid
                    || !repaired.starts_with('{')
                    || !letters(&repaired)
                        .starts_with(&letters(&cut[..end.min(before.len() + sentence.len())]))
                {
                    wrong.push(format!("{cut}\n  {repaired}"));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} are wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn texts_that_lost_or_gained_something() {
    for (broken, repaired) in [
        (r#"{"s": "see [1"] more"}"#, r#"{"s": "see [1\"] more"}"#),
        (
            r#"{ "t": "a 65", which is good" }"#,
            r#"{ "t": "a 65\", which is good" }"#,
        ),
        // A key without its opening quote.
        (r#"{"a": "x", b": 1}"#, r#"{"a": "x", "b": 1}"#),
        (r#"{"a": "x", """" "b": 1}"#, r#"{"a": "x",  "b": 1}"#),
        ("{\n▁▁\"a\": 1\n}", "{\n\"a\": 1\n}"),
        ("{a 'b'}", r#"{"a": "b"}"#),
        ("{“a” “b”}", r#"{"a": "b"}"#),
        (
            r#"{"c": #ff0000, "d": [#fff]}"#,
            r##"{"c": "#ff0000", "d": ["#fff"]}"##,
        ),
        ("[1, #abc\n2]", "[1, \n2]"),
        (
            "[-1.#IND, 1.#INF, 1.#QNAN, -nan(ind), 12#34]",
            r##"[null, null, null, null, "12#34"]"##,
        ),
        (r#"["\u12 and", "\ue9"]"#, r#"["\\u12 and", "\u00e9"]"#),
        (
            r#"{"m":"\frac{1}{2} + \alpha"}"#,
            r#"{"m":"\\frac{1}{2} + \\alpha"}"#,
        ),
        // A document in a string, and quotes that SQL or CSV doubles.
        (r#"{ "a" : "{ b": {} }" }"#, r#"{ "a" : "{ b\": {} }" }"#),
        (
            r#"{"a": "a""b""c", "d": 1}"#,
            r#"{"a": "a\"\"b\"\"c", "d": 1}"#,
        ),
        (r#"{""a"": ''b'', ""c": 'd''}"#, r#"{"a": "b", "c": "d'"}"#),
        (r#"prop":"test"}"#, r#"{"prop":"test"}"#),
        (r#"name: "x", "b": 1}"#, r#"{"name": "x", "b": 1}"#),
        (r#""a": "x", b: 2}"#, r#"{"a": "x", "b": 2}"#),
        ("a: 'x', b: {c: 2}}", r#"{"a": "x", "b": {"c": 2}}"#),
        (r#"{a “b”}"#, r#"{"a": "b"}"#),
        ("{`a´:`b´}", r#"{"a":"b"}"#),
        (r#"{"a": h"that", "b": 1}"#, r#"{"a": "h\"that\"", "b": 1}"#),
        (
            r#"{"a": sic, quick brown fox. "b": 1}"#,
            r#"{"a": "sic, quick brown fox.", "b": 1}"#,
        ),
        (
            r#"{"a": "x "sic " y. ...}"#,
            r#"{"a": "x \"sic \" y. ..."}"#,
        ),
        (
            r#"{"a": 1/3, "b": 12/05/2024}"#,
            r#"{"a": "1/3", "b": "12/05/2024"}"#,
        ),
        (
            "```json\n{\"a\": \"use ```py\nx\n``` ok\", \"b\": 1}\n```",
            r#"{"a": "use ```py\nx\n``` ok", "b": 1}"#,
        ),
        // A quotation at the start, in arrays too.
        (
            r#"{"q": ""Yes", she said", "author": "Ada", "x": {"k": "v w"}}"#,
            r#"{"q": "\"Yes\", she said", "author": "Ada", "x": {"k": "v w"}}"#,
        ),
        (
            r#"["x", "see [1"] more", "yy"]"#,
            r#"["x", "see [1\"] more", "yy"]"#,
        ),
        (r#"{"a": "x", "b": """}"#, r#"{"a": "x", "b": "\"\""}"#),
        // Line breaks in strings of other quotes.
        ("{'s': 'a\nb', 'n': 1}", r#"{"s": "a\nb", "n": 1}"#),
        ("{“s”: “a\nb”, “n”: 1}", r#"{"s": "a\nb", "n": 1}"#),
        ("{'a': 'x,\n 'b': 'y'}", "{\"a\": \"x\",\n \"b\": \"y\"}"),
        // A tag after a torn answer.
        (
            "<tool_call>{\"a\": {\"b\": 1}\n</tool_call>",
            "{\"a\": {\"b\": 1}\n}",
        ),
        (r#"{"a": "x"<|im_end|>"#, r#"{"a": "x"}"#),
        (r#"[{{"a": 1}, {"a": 2}]"#, r#"[{"a": 1}, {"a": 2}]"#),
        (
            r#"{"t": ""A, B": a study", "u": "v"}"#,
            r#"{"t": "\"A, B\": a study", "u": "v"}"#,
        ),
        (
            r#"{"t": ""name": "x", "age": 3", "n": 1}"#,
            r#"{"t": "\"name\": \"x\", \"age\": 3", "n": 1}"#,
        ),
        // A stray quote of another kind, before the next record.
        (
            r#"[{"a": 2.5'}, {"b`": 1, "c"”: "x"”}]"#,
            r#"[{"a": 2.5}, {"b`": 1, "c": "x"}]"#,
        ),
        (r#"{"a" "x" "b" "y"}"#, r#"{"a": "x", "b": "y"}"#),
        (
            "{\n  a {\"k\": 1}\n  b \"y\"\n}",
            "{\n  \"a\": {\"k\": 1},\n  \"b\": \"y\"\n}",
        ),
        ("[\n  - \"a b\",\n  - 1\n]", "[\n   \"a b\",\n  \"- 1\"\n]"),
        (
            r#"{"a": $1,299.99, "b": 1}"#,
            r#"{"a": "$1,299.99", "b": 1}"#,
        ),
        (
            "[\n  {\n    \"n\": 1,\n    \"m\": 2\n  },\n    \"n\": 3,\n    \"m\": 4\n  }\n]",
            "[\n  {\n    \"n\": 1,\n    \"m\": 2\n  }, {\n    \"n\": 3,\n    \"m\": 4\n  }\n]",
        ),
        (
            r#"{"a": * 5, "b": [1, >= 2, ) 3, ; 4]}"#,
            r#"{"a":  5, "b": [1,  2,  3,  4]}"#,
        ),
        (
            "```json\n{\n \"a\": \"```py\nx\n```\",\n \"b\": 1\n}\n```",
            "{\n \"a\": \"```py\\nx\\n```\",\n \"b\": 1\n}",
        ),
        // The end of a Markdown fence, and a fence of four backticks.
        ("{\"a\": \"x, y\"```", r#"{"a": "x, y"}"#),
        ("{\"a\": \"x}```", r#"{"a": "x"}"#),
        ("````{ \"a\": 1 }```", r#"{ "a": 1 }"#),
        (
            r#"{"a": "{\\"b\\\":[\"c\\\"],\"d\":"e"}"}"#,
            r#"{"a": "{\\\"b\\\":[\"c\\\"],\"d\":\"e\"}"}"#,
        ),
        (r#"{"a": "",b:""}"#, r#"{"a": "","b":""}"#),
        (r#"{"a": b", "c": "d"}"#, r#"{"a": "b", "c": "d"}"#),
        (
            r#"{"a": "a 65"", "b": ["5 1/2""], "c": "d""}"#,
            r#"{"a": "a 65\"", "b": ["5 1/2\""], "c": "d"}"#,
        ),
        (
            r#"{a: "she said "so", then left", b: 1}"#,
            r#"{"a": "she said \"so\", then left", "b": 1}"#,
        ),
        ("{\n\"a\": 1, // {b}\n ", "{\n\"a\": 1} \n "),
        // Quotes of two kinds.
        (
            r#"{"a": "text”, "b": “more", "c”: "x”}"#,
            r#"{"a": "text", "b": "more", "c": "x"}"#,
        ),
        (r#"{"a": "x “y”, "b": 1}"#, r#"{"a": "x “y”", "b": 1}"#),
        (
            r#"{'name': 'Jack O'Sullivan, 'id': '5'}"#,
            r#"{"name": "Jack O'Sullivan", "id": "5"}"#,
        ),
        (
            r#"{'name': 'Jack O'Sullivan, "id": 5}"#,
            r#"{"name": "Jack O'Sullivan", "id": 5}"#,
        ),
        // A quote alone on its line.
        ("{\"a\": 1\n\"\n}", "{\"a\": 1\n\n}"),
        ("[\"a\",\n \"\n\"b\"]", "[\"a\",\n \n\"b\"]"),
        (r#"{"a": "x"} ""#, r#"{"a": "x"} "#),
        ("[[1] \"\n, 2]", "[[1] \n, 2]"),
        ("[1e-08.0, 1e2.5]", r#"[1e-08, "1e2.5"]"#),
        // A closer between a key and its colon.
        (
            r#"{"a": 1, "note"}: "Call at noon, please""#,
            r#"{"a": 1, "note": "Call at noon, please"}"#,
        ),
        (
            r#"{"a": {"b": 1, "note"}: "one, two"}}"#,
            r#"{"a": {"b": 1, "note": "one, two"}}"#,
        ),
        // Enumerations in single quotes.
        (
            "{'s': 'Say 'a', 'b' or 'c'.', 'n': 1}",
            r#"{"s": "Say 'a', 'b' or 'c'.", "n": 1}"#,
        ),
        (
            "{'a': 'x', 'b' : 'y', 'c': 1}",
            r#"{"a": "x", "b" : "y", "c": 1}"#,
        ),
        // The backslash at the end of a path.
        (r#"["D:\", "E:\"]"#, r#"["D:\\", "E:\\"]"#),
        (r#"["D:\x\", 1]"#, r#"["D:\\x\\", 1]"#),
        // Escaped quotes around strings.
        (r#"{"a": \"b\", \"c\": 1}"#, r#"{"a": "b", "c": 1}"#),
        (r#"{"a": ) 5, "b": ) "x y"}"#, r#"{"a":  5, "b":  "x y"}"#),
        (r#"{"t":"a ": b","n":1}"#, r#"{"t":"a \": b","n":1}"#),
        (
            r#"{"t": "a " b", "u": "a " b"}"#,
            r#"{"t": "a \" b", "u": "a \" b"}"#,
        ),
        (r#"{"a"-> 1, "b" -> 2}"#, r#"{"a": 1, "b" : 2}"#),
        (
            r#"{"items": [{{"a": 1}}, {{"a": 2}}]}"#,
            r#"{"items": [{"a": 1}, {"a": 2}]}"#,
        ),
        (r#"1) {"a": 1}"#, r#"{"a": 1}"#),
        (
            "{'a': 1'000'000, 'b': [2.3'5, 'c']}",
            r#"{"a": 1000000, "b": [2.35, "c"]}"#,
        ),
        (
            r#"{"a": 1 000, "b": -12 345.67 , "c": 1.234,56, "d": 0.123,45, "e": [1 200, 1 2 003] }"#,
            r#"{"a": 1000, "b": -12345.67 , "c": 1234.56, "d": 0.123,"45": null, "e": [1, 200, 1, 2, 3] }"#,
        ),
        // Fences around the elements of an array.
        (
            "[\n```json\n{\"a\": 1}\n```\n```json\n{\"a\": 2}\n```\n]",
            "[\n\n{\"a\": 1}\n\n,\n{\"a\": 2}\n\n]",
        ),
        (
            "[\n```json\n{\"a\": 1}\n```,\n``` json\n2\n```,\n3\n```]",
            "[\n\n{\"a\": 1}\n,\n\n2\n,\n3\n]",
        ),
        // Quotations and code in single quotes.
        (
            "['He said 'yes', then 'no'', 'last']",
            r#"["He said 'yes', then 'no'", "last"]"#,
        ),
        (
            "[{'t': 'd['k'] = 'v''}, {'t': 'z'}]",
            r#"[{"t": "d['k'] = 'v'"}, {"t": "z"}]"#,
        ),
        (
            "{'t': 'a: 'b', c', 'n': 1}",
            r#"{"t": "a: 'b', c", "n": 1}"#,
        ),
        ("['a: 'b', c', 'last']", r#"["a: 'b', c", "last"]"#),
        (
            "{'c': 'print('hi', 'there')', 'd': ('x', 'y'), 'e': ('z', 'w')}",
            r#"{"c": "print('hi', 'there')", "d": ["x", "y"], "e": ["z", "w"]}"#,
        ),
        // The escapes of HTML.
        (
            "{&quot;a&quot;: &quot;b &amp;amp; &lt;c&gt; &copy; &#39;&quot;}",
            r#"{"a": "b &amp; <c> &copy; '"}"#,
        ),
        // Answers that end with a bracket or within a fence.
        ("Sure:\n\n{", "{}"),
        ("Sure:\n[1", "[1]"),
        ("```json\n{\"a\": 1}\n``", "{\"a\": 1}\n"),
        (r#"["a\ud83d\ude0"#, r#"["a"]"#),
        ("- {\"a\": 1}", "{\"a\": 1}"),
        ("- {\"a\": 1}\n- {\"a\": 2}\n", "{\"a\": 1}\n{\"a\": 2}\n"),
    ] {
        let text = all(broken).text;
        assert_eq!(String::from_utf8_lossy(&text), repaired, "{broken}");
    }
}

/// Several words are no slip of the keyboard: a repair without them would lose them.
#[test]
fn several_words_outside_strings_are_not_dropped() {
    for text in [
        r#"{"a": "x" and more, "b": 1}"#,
        r#"{"a": {"b": 1} and text, "c": 2}"#,
        r#"{"a": "x".join(items), "b": 1}"#,
        r#"{"a": "b"}: "one, two""#,
    ] {
        assert!(!all(text).is_valid(), "{text}");
    }
    assert!(all(r#"{"a": "x" oops, "b": 1}"#).is_valid());
}

/// A list is JSON only if all of it is: nothing of YAML is dropped.
#[test]
fn lists_of_yaml_are_refused() {
    for text in [
        "- {\"a\":1}\n- {\"a\":2}\n- text\n",
        "x:\n- {\"a\":1}\ny:\n- {\"a\":2}\n",
        "- {\"a\":1}\n  extra: 2\n- {\"a\":2}\n",
        "items:\n- {\"a\":1}\n- {\"a\":2}\n",
    ] {
        assert!(!all(text).is_valid(), "{text}");
    }
}
