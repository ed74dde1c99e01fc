//! Quotes and separators that are mistaken for others.

use super::{guess, safe};

#[test]
fn quotes_of_two_kinds() {
    for (text, expected) in [
        (
            r#"{"name": 'Bob", "age": 42}"#,
            r#"{"name": "Bob", "age": 42}"#,
        ),
        (r#"["v", `app"]"#, r#"["v", "app"]"#),
        (r#"['a", 'b']"#, r#"["a", "b"]"#),
        (r#"{'a": 1}"#, r#"{"a": 1}"#),
        ("{\"a\": 'x\n}", "{\"a\": \"x\"\n}"),
        (r#"{‘"name": 1}"#, r#"{"name": 1}"#),
        (r#"{"a": ”"x"}"#, r#"{"a": "x"}"#),
        (r#"{"a"": "b", "c": 1}"#, r#"{"a": "b", "c": 1}"#),
        (r#"{"k": "a""}"#, r#"{"k": "a"}"#),
        (
            r#"{"p": {/pets/{id}": {"get": 1}}}"#,
            r#"{"p": {"/pets/{id}": {"get": 1}}}"#,
        ),
    ] {
        guess(text, expected);
    }
    safe(
        r#"['say "hi", ok', `a "b",
c`]"#,
        r#"["say \"hi\", ok", "a \"b\",\nc"]"#,
    );
    safe("[`a \"b\",\nc`]", r#"["a \"b\",\nc"]"#);
    guess(
        r#""{""a"": 1, ""b"": ""x \""y\""""}""#,
        r#"{"a": 1, "b": "x \"y\""}"#,
    );
    safe(r#"{"a": "it\'s"}"#, r#"{"a": "it's"}"#);
    safe(r#"["a"+"b"+"c", "d"]"#, r#"["abc", "d"]"#);
}

#[test]
fn separators_in_place_of_others() {
    for (text, expected) in [
        (r#"{"Fn::Sub" "x", "k": 1}"#, r#"{"Fn::Sub": "x", "k": 1}"#),
        (r#"{"http://a.b" "c"}"#, r#"{"http://a.b": "c"}"#),
        (r#"{"x:y" 1}"#, r#"{"x:y": 1}"#),
        (r#"{"a" := 1}"#, r#"{"a" : 1}"#),
    ] {
        safe(text, expected);
    }
    for (text, expected) in [
        (
            "{\"x\": {\n \"Type\", \"S3\",\n \"Props\": {\"a\": 1}\n}, \"y\": 2}",
            "{\"x\": {\n \"Type\": \"S3\",\n \"Props\": {\"a\": 1}\n}, \"y\": 2}",
        ),
        ("{\"a\": 1,\n\"b\", 2}", "{\"a\": 1,\n\"b\": 2}"),
        (r#"{"a", {"b": 1}}"#, r#"{"a": {"b": 1}}"#),
        (r#"{"a": 1: "b": 2}"#, r#"{"a": 1, "b": 2}"#),
        (r#"{"a": true: "b": 1}"#, r#"{"a": true, "b": 1}"#),
        (r#"{"m": {, "s": 1}"#, r#"{"m": {}, "s": 1}"#),
        (r#"{"m": ({"a": 1}, "c": 3}"#, r#"{"m": {"a": 1}, "c": 3}"#),
        ("[80, 1,000]", "[80, 1000]"),
        ("[1,000,000]", "[1000000]"),
    ] {
        guess(text, expected);
    }
}
