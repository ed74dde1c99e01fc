//! Repairs by example. The cases include the documented repairs of jsonrepair and json_repair.

mod confused;
mod records;
mod work;

use super::*;
use jsonx_testing::cases;
use proptest::prelude::*;

fn run(text: &[u8], with: Applicability, framing: Framing) -> Repair {
    let options = RepairOptions::default().framing(framing).with(with);
    repair(text, &options)
}

/// Asserts the result of `--all`.
#[track_caller]
fn all(text: &str, expected: &str) {
    let repaired = run(text.as_bytes(), Applicability::Review, Framing::OneValue);
    let shown = String::from_utf8_lossy(&repaired.text);
    assert!(
        repaired.is_valid(),
        "{text:?}: {shown:?} {:?}",
        repaired.left
    );
    assert_eq!(shown, expected, "{text:?}");
    assert!(repaired.safe + repaired.guesses > 0 || text == expected);
}

/// Asserts that the safe fixes and --all have this result.
#[track_caller]
fn safe(text: &str, expected: &str) {
    let repaired = run(text.as_bytes(), Applicability::Safe, Framing::OneValue);
    let shown = String::from_utf8_lossy(&repaired.text);
    assert!(
        repaired.is_valid(),
        "{text:?}: {shown:?} {:?}",
        repaired.left
    );
    assert_eq!(shown, expected, "{text:?}");
    assert_eq!(repaired.guesses, 0);
    all(text, expected);
}

/// Asserts that the safe fixes do not suffice, and the result of `--all`.
#[track_caller]
fn guess(text: &str, expected: &str) {
    let repaired = run(text.as_bytes(), Applicability::Safe, Framing::OneValue);
    assert!(!repaired.is_valid(), "{text:?}");
    assert_eq!(repaired.guesses, 0);
    all(text, expected);
}

#[test]
fn keys_and_strings() {
    safe(
        "{a: 1, $b_2: 2, 'c': 'd'}",
        r#"{"a": 1, "$b_2": 2, "c": "d"}"#,
    );
    safe("{“a”: ‘b’, «c»: ´d´}", r#"{"a": "b", "c": "d"}"#);
    safe("{`a`: `b\nc`}", r#"{"a": "b\nc"}"#);
    safe(
        r"['it\'s', '\x41\v', 'a\u{1F600}']",
        r#"["it's", "\u0041\u000b", "a\ud83d\ude00"]"#,
    );
    safe("['a\\\nb']", r#"["ab"]"#);
    safe("{\"a\": \"b\nc\td\"}", r#"{"a": "b\nc\td"}"#);
    safe(r#"["a" + 'b' + "c"]"#, r#"["abc"]"#);
    safe(r#""a" + 'b'"#, r#""ab""#);
    guess(r#"{"a": "say "hi" now"}"#, r#"{"a": "say \"hi\" now"}"#);
    guess(r"['\d', 'it''s']", r#"["\\d", "it''s"]"#);
    guess("[`a ${b}`]", r#"["a ${b}"]"#);
    guess(r#"["\w"]"#, r#"["\\w"]"#);
    guess(
        "[hello world, https://example.com/a]",
        r#"["hello world", "https://example.com/a"]"#,
    );
    guess(
        "{\n\"a\": \"b,\n\"c\": 1\n}",
        "{\n\"a\": \"b\",\n\"c\": 1\n}",
    );
}

#[test]
fn python() {
    safe(
        "{'a': None, u'b': True, 'c': (1, 2,), 'd': (3), 'e': (4,), 'f': ()}",
        r#"{"a": null, "b": true, "c": [1, 2], "d": 3, "e": [4], "f": []}"#,
    );
    safe(
        "['''a\nb''', \"\"\"c \"d\" \"\"\"]",
        r#"["a\nb", "c \"d\" "]"#,
    );
    safe(r"[r'\d']", r#"["\\d"]"#);
    guess("[b'a', {1, 2}, {'x', 'y'}]", r#"["a", [1, 2], ["x", "y"]]"#);
    guess(
        "{'d': datetime.date(2020, 1, 2), 'n': Decimal('1.5')}",
        r#"{"d": "datetime.date(2020, 1, 2)", "n": "1.5"}"#,
    );
    guess(
        "[OrderedDict([('a', 1), ('b', [2])])]",
        r#"[[["a", 1], ["b", [2]]]]"#,
    );
    guess("['a' 'b']", r#"["a", "b"]"#);
    // The value of a comma operator in JavaScript is 2.
    guess("[(1, 2)]", "[[1, 2]]");
    guess("{None: 1}", r#"{"None": 1}"#);
    guess("{f(1): 1}", r#"{"f(1)": 1}"#);
    safe("[1\u{a0}, true\u{a0}\u{200b} ]", "[1 , true  ]");
    safe(r"['\U0001f600']", r#"["\ud83d\ude00"]"#);
    safe(r#"["\U0001f600"]"#, r#"["\ud83d\ude00"]"#);
    safe("[False, {'a': 1}]", r#"[false, {"a": 1}]"#);
    guess("[main, 1] {'a': 1}", r#"{"a": 1}"#);
    guess("[None] {'a': 1}", r#"[[null], {"a": 1}]"#);
    let long = format!("[x{}] {{\"a\": 1}}", ",\"y\"".repeat(1 << 14));
    assert!(!run(long.as_bytes(), Applicability::Safe, Framing::OneValue).is_valid());
    guess("None {'a': 1}", r#"[null, {"a": 1}]"#);
    // A tuple key is not a string.
    for text in ["{2:'b', (1,2):'d'}", "{(1, 2): 3}", "{2:'b', (1,2:'d'}"] {
        assert!(!run(text.as_bytes(), Applicability::Review, Framing::OneValue).is_valid());
    }
}

#[test]
fn windows_paths() {
    for (text, expected) in [
        (r#"["C:\Users\new\test"]"#, r#"["C:\\Users\\new\\test"]"#),
        (r#"{"p":"C:\temp\","q":1}"#, r#"{"p":"C:\\temp\\","q":1}"#),
        (r#"{"p":"C:\new\"}"#, r#"{"p":"C:\\new\\"}"#),
        (r#"["\\host\share\new"]"#, r#"["\\\\host\\share\\new"]"#),
        (r#"["C:\\Users\new\Test"]"#, r#"["C:\\Users\\new\\Test"]"#),
        (r#"["..\new\ubad\Test"]"#, r#"["..\\new\\ubad\\Test"]"#),
        (r"['C:\new\Test']", r#"["C:\\new\\Test"]"#),
        (r#"["a\n\d"]"#, r#"["a\n\\d"]"#),
    ] {
        guess(text, expected);
    }
}

#[test]
fn full_width_punctuation() {
    safe("｛\"a\"：1，\"b\"：2｝", r#"{"a":1,"b":2}"#);
    safe("{\"a\"：［“x”，'y'，true］；}", r#"{"a":["x","y",true]}"#);
    safe("[\"a，b：｛\",]", "[\"a，b：｛\"]");
    guess("[1、2]", "[1,2]");
    guess("[你好，世界]", r#"["你好，世界"]"#);
    guess("[\"他说\"好\"，走了\", 1]", r#"["他说\"好\"，走了", 1]"#);
}

#[test]
fn numbers_and_words() {
    safe(
        "[.5, 5., +1, 0x1F, 0b11, 0o17, 1_000, 10n]",
        "[0.5, 5.0, 1, 31, 3, 15, 1000, 10]",
    );
    guess("[007, NaN, -Infinity, undefined]", "[7, null, null, null]");
    guess(
        r#"{"a": 1,000, "b": 12,345,678, "c": 1,5}"#,
        r#"{"a": 1000, "b": 12345678, "c": 1.5}"#,
    );
    guess("[ture]", "[true]");
}

#[test]
fn separators_and_brackets() {
    safe("{\"a\": 1,}", r#"{"a": 1}"#);
    safe(
        "{\"a\" 1 \"b\" = 2; \"c\" => 3}",
        r#"{"a": 1, "b" : 2, "c" : 3}"#,
    );
    safe("[1 2\n{}]", "[1, 2,\n{}]");
    guess("[1,,2]", "[1,2]");
    guess("[[1] [0], 1 -2]", "[[1], [0], 1, -2]");
    guess("[1, 2}", "[1, 2]");
    guess("{\"a\": [1, 2, \"b\": 3}", r#"{"a": [1, 2], "b": 3}"#);
    guess("{\"a\": [1, 2\n\"b\": 3}", "{\"a\": [1, 2],\n\"b\": 3}");
    guess("{\"a\": 1, 2, 3]}", r#"{"a": [1, 2, 3]}"#);
    guess("[\"a\": 1]", r#"{"a": 1}"#);
    guess("\"a\": 1, \"b\": 2", r#"{"a": 1, "b": 2}"#);
    guess(
        "{\"a\": , \"b\":, \"c\"}",
        r#"{"a": null , "b": null, "c": null}"#,
    );
}

#[test]
fn comments() {
    safe(
        "/* a */ {\"a\": 1, // b\n\"c\": 2 # d\n}",
        " {\"a\": 1, \n\"c\": 2 \n}",
    );
    // A word ends where a comment begins.
    safe("{b/*c*/:1,d//e\n:2}", "{\"b\":1,\"d\"\n:2}");
    safe("[true/*c*/,.5//d\n,+1#e\n]", "[true,0.5\n,1\n]");
    safe(
        r#"{"a":null/*x*/,'b':.5/* don't */,"c":'d'/*e*/}"#,
        r#"{"a":null,"b":0.5,"c":"d"}"#,
    );
    safe("[1/*c*/.5,2/**/3]", "[1, 0.5,2, 3]");
    guess("[src/*.js, lib/**/*.js]", r#"["src/*.js", "lib/**/*.js"]"#);
    guess(
        "{a#b: a//b, c: http://d}",
        r#"{"a#b": "a//b", "c": "http://d"}"#,
    );
    guess("[1/*c*/, nope/* d", "[1, \"nope/* d\"]");
    guess(
        r#"{"a":1,// no "b":2,"c":[1,2]}"#,
        r#"{"a":1,"b":2,"c":[1,2]}"#,
    );
    guess("[1 /* no end", "[1] ");
}

#[test]
fn text_that_was_cut_off() {
    let whole = r#"{"a": "x\u0041é", "b": [true, 12.5, null], "c": {"d": "e"}}"#;
    let value: serde_json::Value = serde_json::from_str(whole).unwrap();
    for end in 1..whole.len() {
        let cut = &whole.as_bytes()[..end];
        let repaired = run(cut, Applicability::Review, Framing::OneValue);
        assert!(
            repaired.is_valid(),
            "{:?}: {:?}",
            String::from_utf8_lossy(cut),
            repaired.left
        );
        let prefix: serde_json::Value = serde_json::from_slice(&repaired.text).unwrap();
        // Every member is a member of the whole text; only the last may be shorter.
        let members = prefix.as_object().unwrap();
        for (number, (key, member)) in members.iter().enumerate() {
            assert!(number + 1 == members.len() || value[key] == *member);
        }
        let safe = run(cut, Applicability::Safe, Framing::OneValue);
        assert!(!safe.is_valid(), "{:?}", String::from_utf8_lossy(cut));
    }
    guess("[1, 2, ", "[1, 2]");
    guess("{\"a\": \"b\\", "{\"a\": \"b\"}");
    guess("{\"a\": \"b\\u00", "{\"a\": \"b\"}");
    guess("[-", "[]");
    guess("[1e", "[1]");
    guess("[1, No", "[1, null]");
    guess("{a: -Inf", "{\"a\": null}");
    guess("{a: 1, b: 0x", "{\"a\": 1}");
    let whole = RepairOptions::default()
        .with(Applicability::Review)
        .whole(true);
    for (text, expected) in [
        ("{\"a\": 1, \"b\": 12", "{\"a\": 1}"),
        ("{\"a\": 1, \"b\": \"x", "{\"a\": 1}"),
        ("{'a': 1, 'b': 'x\n", "{\"a\": 1}\n"),
        ("{\"a\": 1,\n\"b\": \"x\n", "{\"a\": 1}\n"),
        ("[[1, tru", "[[1]]"),
        ("[1, 2 ", "[1, 2] "),
        ("[1, \"a\"", "[1, \"a\"]"),
        ("{\n\"a\": 1\n", "{\n\"a\": 1}\n"),
        ("\"a", "\"a\""),
    ] {
        let repaired = repair(text.as_bytes(), &whole);
        assert_eq!(
            String::from_utf8_lossy(&repaired.text),
            expected,
            "{text:?}"
        );
        assert!(repaired.is_valid() && repaired.guesses > 0);
        assert!(
            repaired
                .changes
                .iter()
                .all(|change| !change.is_incomplete())
        );
    }
    let deep = "[".repeat(5000);
    all(&deep, &(deep.clone() + &"]".repeat(5000)));
}

#[test]
fn envelopes() {
    guess("```json\n{\"a\": 1}\n```", r#"{"a": 1}"#);
    guess("Sure:\n\n```\n[1,\n```\nBye", "[1]");
    guess("a ```json {\"a\": 1}```", r#"{"a": 1}"#);
    guess("```js\nx()\n```\n```json\n[1]\n```", "[1]");
    guess("Here: {\"a\": 1}. Bye!", r#"{"a": 1}"#);
    guess("[INFO] a\n12:00 b {c}\n{\"a\": [1", r#"{"a": [1]}"#);
    guess("callback({\"a\": 1});", r#"{"a": 1}"#);
    guess("/* a */ f_1([1])", "[1]");
    guess(")]}',\n[1]", "\n[1]");
    guess("const a = {b: 1};\n", "{\"b\": 1}\n");
    guess("module.exports = {\n  a: 1,\n};\n", "{\n  \"a\": 1\n}\n");
    guess(r#"{\"a\": \"b\\n\"}"#, r#"{"a": "b\n"}"#);
    guess("\x1b[1m{\x1b[0m\"a\"\x1b[0m: 1}\x1b[0m", r#"{"a": 1}"#);
    guess(
        "@@ -1,3 +1,3 @@\n {\n-  \"a\": 1\n+  \"a\": 2\n }\n",
        "{\n  \"a\": 2\n}\n",
    );
    guess(
        "{\"a\": ObjectId(\"1\"), \"b\": NumberLong(2), \"c\": new Date(\n\"d\"\n)}",
        "{\"a\": \"1\", \"b\": 2, \"c\": \n\"d\"\n}",
    );
    guess("[1, 2, ...]", "[1, 2]");
    guess("{\"a\": 1, ..., \"b\": ...}", r#"{"a": 1,  "b": null}"#);
    guess("{\"a\": {{ b }}}", r#"{"a": "{{ b }}"}"#);
    guess("{\"a\": 1} done", r#"{"a": 1} "#);
    guess("{\"a\": 1},", r#"{"a": 1}"#);
    guess("{\"a\":1}{\"b\":2} [3]", r#"[{"a":1},{"b":2}, [3]]"#);
    guess("{\"a\":1}\n{\"b\":2,}\n", "{\"a\":1}\n{\"b\":2}\n");
}

#[test]
fn encodings() {
    let utf16: Vec<u8> = "{é: 1}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = [&b"\xFF\xFE"[..], &utf16].concat();
    let latin = b"[\"caf\xE9\"]";
    let bom = b"\xEF\xBB\xBF[1]";
    for (text, expected) in [
        (&marked[..], "{\"é\": 1}"),
        (&latin[..], "[\"café\"]"),
        (b"[\"caf\xC3", "[\"caf\"]"),
    ] {
        let repaired = run(text, Applicability::Review, Framing::OneValue);
        assert!(repaired.is_valid(), "{:?}", repaired.left);
        assert_eq!(String::from_utf8_lossy(&repaired.text), expected);
        assert!(repaired.guesses > 0);
    }
    // With two marks. Found by the fuzz target.
    for text in [
        &b"\xFE\xFF\xFE\xFF\0[\0]"[..],
        b"\xFE\xFF\xFE\xFF\xFF\xFF\xFF\xFF\x3B",
    ] {
        let once = run(text, Applicability::Review, Framing::OneValue);
        assert!(!once.text.starts_with(b"\xEF\xBB\xBF"), "{:?}", once.text);
        let again = run(&once.text, Applicability::Review, Framing::OneValue);
        assert_eq!(again.text, once.text);
    }
    // Valid except for the mark, which readers accept.
    for with in [Applicability::Safe, Applicability::Review] {
        let repaired = run(bom, with, Framing::OneValue);
        assert!(repaired.is_valid() && repaired.text == bom);
        assert!(repaired.changes.is_empty());
    }
    // The mark counts, as in UTF-8 text.
    let both = run(
        b"\xEF\xBB\xBF[\"\xE9\",, tru]",
        Applicability::Review,
        Framing::OneValue,
    );
    let source = both.source.as_deref().unwrap();
    let last = both.changes.last().unwrap();
    assert_eq!(&source[last.span.start..last.span.end], b"tru");
    // Once decoded, it resembles UTF-16. Found by the fuzz target.
    let twice = run(
        b"T{ext\n```j\x80\0\0\0\0\0\n\0\0\0s \"a, {\"a:",
        Applicability::Review,
        Framing::OneValue,
    );
    let source = twice.source.as_deref().unwrap();
    assert!(
        twice
            .changes
            .iter()
            .all(|change| change.span.end <= source.len())
    );
    assert!(
        twice
            .left
            .diagnostics
            .iter()
            .all(|finding| finding.span.end <= source.len())
    );
    // Positions are those of the decoded text.
    let safe = run(&marked, Applicability::Safe, Framing::OneValue);
    assert!(!safe.is_valid());
    assert_eq!(safe.source.as_deref(), Some("{é: 1}".as_bytes()));
}

/// Documented examples of jsonrepair and json_repair, reworded, for which both have this result.
#[test]
fn repairs_that_equal_those_of_other_programs() {
    for (text, expected) in [
        // Missing quotes.
        ("{\"k\":1,b\":\"x\"}", r#"{"k":1,"b":"x"}"#),
        ("{\"k\":1,r\":\"x\"}", r#"{"k":1,"r":"x"}"#),
        ("[x\", \"y\"]", r#"["x", "y"]"#),
        ("[\n\"x,\n\"y\"\n]", "[\n\"x\",\n\"y\"\n]"),
        (
            "{\"city\": New Delhi, \"n\": 1}",
            r#"{"city": "New Delhi", "n": 1}"#,
        ),
        ("{\"ok\": maybe , }", r#"{"ok": "maybe"  }"#),
        (
            "[\"Part C(2)\", Part F(3)]",
            r#"["Part C(2)", "Part F(3)"]"#,
        ),
        // Quotes inside.
        ("{\"k\": \"a \"b\" c\"}", r#"{"k": "a \"b\" c"}"#),
        ("[\"x \"y\" z\"]", r#"["x \"y\" z"]"#),
        // Commas, colons and brackets.
        ("[true false null]", "[true, false, null]"),
        ("[{\"i\":1{\"i\":2}]", r#"[{"i":1},{"i":2}]"#),
        ("[{\"i\":1,{\"i\":2}]", r#"[{"i":1},{"i":2}]"#),
        ("{\"k\": [1, 2}", r#"{"k": [1, 2]}"#),
        ("{\"k\": {\"l\": 2}", r#"{"k": {"l": 2}}"#),
        ("{\"k\": 1}}", r#"{"k": 1}"#),
        ("{'k' 'l'}", r#"{"k": "l"}"#),
        ("[{}\n{}]", "[{},\n{}]"),
        ("{\"k\":1},\n{\"k\":2}", "[{\"k\":1},\n{\"k\":2}]"),
        ("{\"k\":1}[2]", r#"[{"k":1},[2]]"#),
        // Numbers.
        ("{\"k\": 1e }", r#"{"k": 1 }"#),
        ("{\"k\": .5}", r#"{"k": 0.5}"#),
        ("{\"k\": 1.2.3}", r#"{"k": "1.2.3"}"#),
        ("[2, 3rd]", r#"[2, "3rd"]"#),
        // Truncated text.
        ("{\"k\": [\"a\", \"b", r#"{"k": ["a", "b"]}"#),
        ("{\"k\": \"a\\u00", r#"{"k": "a"}"#),
        ("[1, 2, ", "[1, 2]"),
        // Text around the data.
        ("{\"k\": 1}\n```", "{\"k\": 1}\n"),
        ("{\"k\": 1 }```", r#"{"k": 1 }"#),
        ("Result: ```json {'k': 1} ```", r#"{"k": 1}"#),
        ("[1, 2, ..., 9]", "[1, 2,  9]"),
        ("/* k */ {\"k\": /* 1 */ 1}", r#" {"k":  1}"#),
    ] {
        all(text, expected);
    }
}

/// Texts that both read as a string, or from which they lose members; our results differ.
#[test]
fn repairs_that_differ_from_other_programs() {
    guess("[tru, fals, nul]", "[true, false, null]");
    guess("{\"k\": t", r#"{"k": true}"#);
    safe("[0x1F]", "[31]");
    guess("[NaN]", "[null]");
    // The members after the comment stay.
    guess("{\"k\": 1, // one \"l\": 2}", r#"{"k": 1, "l": 2}"#);
}

#[test]
fn unrepairable_text_is_left_alone() {
    for text in [
        "",
        "<html><body>no</body></html>",
        "id,name\n1,Ann\n",
        "a: 1\nb: 2\n",
        "[--1]",
        "{\"a\": 1, : 2}",
        "<<<<<<< a\n{}\n=======\n[]\n>>>>>>> b\n",
        "[24 * 60]",
    ] {
        let repaired = run(text.as_bytes(), Applicability::Review, Framing::OneValue);
        assert!(
            !repaired.is_valid(),
            "{text:?}: {:?}",
            String::from_utf8_lossy(&repaired.text)
        );
        assert!(!repaired.left.diagnostics.is_empty(), "{text:?}");
    }
}

#[test]
fn framings() {
    let lines = "{a: 1}\n\n[2,]\n";
    let repaired = run(lines.as_bytes(), Applicability::Safe, Framing::Lines);
    assert_eq!(repaired.text, b"{\"a\": 1}\n\n[2]\n");
    assert_eq!(repaired.changes[1].span.start, 10);
    let repaired = run(b"{a: 1} [2]", Applicability::Safe, Framing::Stream);
    assert_eq!(
        (&repaired.text[..], repaired.framing),
        (&b"{\"a\": 1} [2]"[..], Framing::Stream)
    );
    // Lines where one value is expected: a mistake, unless the option allows them.
    let text = b"{\"a\": 1}\n{\"b\": 2}\n";
    assert!(!run(text, Applicability::Safe, Framing::OneValue).is_valid());
    let options = RepairOptions::default().lines(true);
    let repaired = repair(text, &options);
    assert!(repaired.is_valid() && repaired.text == text && repaired.changes.is_empty());
    let repaired = repair(b"{a: 1}\n{b: 2}\n", &options);
    assert_eq!(repaired.text, text);
}

#[test]
fn changes_are_listed_with_their_places() {
    let text = "Hi!\n{'a': NaN,\n \"b\": [1,, 2}\nBye {c}";
    let repaired = run(text.as_bytes(), Applicability::Review, Framing::OneValue);
    let listed: Vec<_> = repaired
        .changes
        .iter()
        .map(|change| {
            (
                change.code,
                &text[change.span.start..change.span.end],
                &change.removed[..],
                &change.inserted[..],
            )
        })
        .collect();
    assert!(
        listed.contains(&(Code::LeadingText, "Hi!\n", "Hi!␊", "")),
        "{listed:?}"
    );
    assert!(
        listed.contains(&(Code::NonFiniteNumber, "NaN", "NaN", "null")),
        "{listed:?}"
    );
    assert!(
        listed.contains(&(Code::ExtraComma, ",", ",", "")),
        "{listed:?}"
    );
    assert!(
        listed.iter().any(|it| it.2.contains("Bye {c}")),
        "{listed:?}"
    );
    // Changes beyond the limit are counted.
    let options = RepairOptions::default().limit(2);
    let repaired = repair(b"[+1, +2, +3]", &options);
    assert_eq!((repaired.changes.len(), repaired.safe), (2, 3));
}

proptest! {
    #![proptest_config(cases(2000))]

    /// Dropping text never joins the tokens around it.
    #[test]
    fn every_number_is_one_of_the_text(
        // Not with commas: `1,5` may be a decimal comma, and `1,000` a group of digits.
        tokens in prop::collection::vec(prop::sample::select(vec![
            "1", "23", "4.5", "]", "}", "]]", ")", "@", "&", ";", "::", "[", "{\"a\":", " ", "\n", "true",
        ]), 1..9),
    ) {
        let text = tokens.concat();
        let numbers = |text: &str| -> Vec<String> {
            let is_part = |c: char| c.is_ascii_digit() || c == '.';
            let all = text.split(|c| !is_part(c)).filter(|number| !number.is_empty());
            all.map(str::to_owned).collect()
        };
        let repaired = run(text.as_bytes(), Applicability::Review, Framing::OneValue);
        let before = numbers(&text);
        if repaired.is_valid() {
            let result = String::from_utf8(repaired.text).unwrap();
            for number in numbers(&result) {
                prop_assert!(before.contains(&number), "{text:?} becomes {result:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// Fragments in any order, often cut off within a token: no look-ahead leaves the text.
    #[test]
    fn no_fragments_panic(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\\\"", "'", "`", "```", " ", "\n", "a", "1", "000", "-", ".", "u", "é", "“",
            "(", ")", "#", "/", "/*", "//", "&quot;", "<", ">", "=", "->", "{{", "}}", "\\u", "\\ud83d", "$", "%", "…", "true",
        ]), 0..12),
    ) {
        let text = pieces.concat();
        for with in [Applicability::Safe, Applicability::Review] {
            run(text.as_bytes(), with, Framing::OneValue);
            run(text.as_bytes(), with, Framing::Lines);
        }
    }
}
