//! `--where`: matches and records for which a filter is true.

use jsonx_testing::cases;
use proptest::prelude::*;

use crate::{Folder, Ran, jq, piped};

const LOG: &str = r#"{"level": "error", "status": 500, "msg": "Timeout", "user": {"name": "a"}}
{ "level":"info","status":2e2, "msg": "ok" }
{"level": "error", "status": 404, "msg": "gone", "user": {"name": "b"}}
"#;

/// Compares a file, a pipe, and a pipe with values that span lines.
fn get(args: &[&str]) -> Ran {
    let folder = Folder::with(&[("app.jsonl", LOG.as_bytes())]);
    let file = folder.run(&[&["get"][..], args, &["app.jsonl"]].concat());
    let pipe = piped(&[&["get"][..], args].concat(), LOG);
    let place = |ran: &Ran| ran.out.replace("app.jsonl", "<stdin>");
    assert_eq!(
        (place(&pipe), pipe.code),
        (place(&file), file.code),
        "{args:?}"
    );
    let spread = LOG.replacen(", ", ",\n", 1);
    let stream = piped(&[&["get"][..], args].concat(), &spread);
    if !args.contains(&"--locate") && !args.contains(&"--source") {
        assert_eq!(
            (&stream.out, stream.code),
            (&file.out, file.code),
            "{args:?}"
        );
    }
    file
}

#[test]
fn matches_are_left_out() {
    for (args, expected) in [
        (
            &["-c", ".", "--where", ".status == 200"][..],
            "{\"level\":\"info\",\"status\":2e2,\"msg\":\"ok\"}\n",
        ),
        (
            &["--source", ".", "--where", ".status == 200"],
            "{ \"level\":\"info\",\"status\":2e2, \"msg\": \"ok\" }\n",
        ),
        (&[".status", "--where", ". > 200"], "500\n404\n"),
        (&[".status", "--where", "$.user.name == 'b'"], "404\n"),
        (&["$.*", "--where", "@ == 'ok'"], "\"ok\"\n"),
        (
            &["-c", "..", "--where", ".name"],
            "{\"name\":\"a\"}\n{\"name\":\"b\"}\n",
        ),
        (&["-r", ".user.name", "--where", "@ >= 'b'"], "b\n"),
        (&["--count", ".", "--where", ".level == 'error'"], "2\n"),
        (
            &["--limit=1", ".status", "--where", "$.level == 'error'"],
            "500\n",
        ),
        (
            &[
                "--limit=1",
                ".status",
                "--where",
                ". < 500",
                "--where",
                ". > 200",
            ],
            "404\n",
        ),
        (
            &["--with-path", "..name", "--where", ". == 'b'"],
            ".user.name\t\"b\"\n",
        ),
        (
            &["--locate", ".user", "--where", ".name == 'b'"],
            "app.jsonl:3:58\n",
        ),
        (&["--type", ".*", "--where", ".name == 'a'"], "object\n"),
        (
            &["--keys", "-r", ".user", "--where", ".name == 'a'"],
            "name\n",
        ),
        (
            &[
                ".",
                "--columns",
                ".status,.user.name",
                "--where",
                ".level == 'error'",
            ],
            "500\ta\n404\tb\n",
        ),
        (
            &[
                ".",
                "--columns",
                ".status,.user.name",
                "--default=-",
                "--where",
                "!.user",
            ],
            "2e2\t-\n",
        ),
        (&[".msg", "--where", "isearch(@, '^TIME')"], "\"Timeout\"\n"),
        (
            &[".msg", "--where", "imatch(@, $.user.name) || @ == 'ok'"],
            "\"ok\"\n",
        ),
        (
            &[
                "-e",
                ".status",
                "-e",
                ".msg",
                "--where",
                ". == 404 || . == 'ok'",
            ],
            "\"ok\"\n404\n",
        ),
        (&["--exists", ".", "--where", ".status == 404"], ""),
    ] {
        let ran = get(args);
        assert_eq!(
            (ran.out.as_str(), ran.err.as_str(), ran.code),
            (expected, "", 0),
            "{args:?}"
        );
    }
    // A single document.
    let list = r#"{"min": 2, "list": [{"n": 1}, {"n": 2}, {"n": 3, "n": 0}]}"#;
    for (args, expected) in [
        (["-c", ".list[]", "--where", ".n >= $.min"], "{\"n\":2}\n"),
        (
            ["-c", ".list", "--where", "length(.) == 3"],
            "[{\"n\":1},{\"n\":2},{\"n\":3,\"n\":0}]\n",
        ),
    ] {
        let folder = Folder::with(&[("a.json", list.as_bytes())]);
        let ran = folder.run(&[&["get"][..], &args, &["a.json"]].concat());
        assert_eq!(
            (ran.out.as_str(), ran.code),
            (expected, 0),
            "{args:?} {}",
            ran.err
        );
        assert_eq!(piped(&[&["get"][..], &args].concat(), list).out, expected);
    }
}

#[test]
fn invalid_filters_are_explained() {
    for (filter, report) in [
        (
            ".level = 'error'",
            "this operator is written `==`\n  .level = 'error'\n         ^\ndid you mean .level == 'error'?\n",
        ),
        (
            ".level == error",
            "a string needs quotes\n  .level == error\n            ^\ndid you mean .level == \"error\"?\n",
        ),
        (
            "select(.a == 1)",
            "a filter is the condition alone, without `select`\n  select(.a == 1)\n  ^\ndid you mean (.a == 1)?\n",
        ),
        (
            ".a | test(\"x\")",
            "a filter has no pipes: a function takes its input as an argument, as in `search(@.name, 'x')`\n  .a | test(\"x\")\n     ^\n",
        ),
        (
            "",
            "a filter is a condition, such as `.level == \"error\"`\n  \n  ^\n",
        ),
        (
            "\u{1b}[31m",
            "expected a path, a constant or a function, found U+001B\n  \u{241b}[31m\n  ^\n",
        ),
    ] {
        let ran = piped(&["get", ".", "--where", filter], LOG);
        let expected = format!("jsonx: bad filter: {report}");
        assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{filter}");
        assert_eq!(ran.err, expected, "{filter}");
    }
    let ran = piped(&["get", ".", "--where", "search(.msg, '(x')"], LOG);
    assert_eq!(ran.code, 1);
    let warning = "jsonx: warning: search() is always false: in `(x`, unclosed group\n";
    assert!(ran.err.starts_with(warning), "{}", ran.err);
    assert_eq!(ran.err.matches("warning").count(), 1);
    let ran = piped(&["get", ".a", "--where", ".b", "--default", "1"], LOG);
    assert_eq!(ran.code, 2);
}

#[test]
fn filters_that_nothing_passes_are_reported() {
    let folder = Folder::with(&[
        ("app.jsonl", LOG.as_bytes()),
        ("a.json", b"{\"items\": [{\"id\": 1}, {\"a b\": 2}]}"),
    ]);
    for (args, report) in [
        (
            &[".", "--where", ".status == 1", "app.jsonl"][..],
            "no match for . --where '.status == 1' in app.jsonl, in none of its 3 values\n",
        ),
        (
            &[".", "--where", ".levl == 1", "app.jsonl"],
            "values\nno value has the key `levl` there; did you mean .level?\n",
        ),
        (
            &[".", "--where", "!.user && .user.nam == 1", "app.jsonl"],
            "values\nno value has the key `nam` there; did you mean .user.name?\n",
        ),
        (
            &[".user", "--where", "$.mgs", "app.jsonl"],
            "values\nno value has the key `mgs` there; did you mean $.msg?\n",
        ),
        (
            &[".user.name", "--where", ".status == 200", "app.jsonl"],
            "values\n`.status` is looked up in each match; for the whole record, write `$.status`\n",
        ),
        (
            &[".items[]", "--where", ".a_b", "a.json"],
            "no match for .items[] --where .a_b in a.json\nno value has the key `a_b` there; did you mean .[\"a b\"]?\n",
        ),
        (
            &[".itms[]", "--where", ".id", "a.json"],
            "did you mean .items[]?\n",
        ),
        (
            &[".nope", "--where", ".id", "a.json"],
            "no match for .nope: the document has no key `nope` (a.json:1:1)\n",
        ),
    ] {
        let ran = folder.run(&[&["get"][..], args].concat());
        assert_eq!((ran.out.as_str(), ran.code), ("", 1), "{args:?}");
        assert!(ran.err.ends_with(report), "{args:?}: {}", ran.err);
    }
}

/// A path that tests the members of records although the records were meant.
#[test]
fn jsonpath_for_records_leads_to_where() {
    let folder = Folder::with(&[
        ("app.jsonl", LOG.as_bytes()),
        ("one.json", &LOG.as_bytes()[..LOG.find('\n').unwrap()]),
    ]);
    let sentence = "\n`[?…]` tests the members of a record; to test records themselves, write: jsonx get . --where '@.level==\"error\"'\n";
    let typed = "$[?@.level==\"error\"]";
    for ran in [
        folder.run(&["get", typed, "app.jsonl"]),
        folder.run(&["get", typed, "one.json"]),
        folder.run(&["get", "$[?@.level==\"error\"].msg", "app.jsonl"]),
        piped(&["get", typed], LOG),
    ] {
        assert_eq!((ran.out.as_str(), ran.code), ("", 1));
        assert!(ran.err.ends_with(sentence), "{}", ran.err);
    }
    for (path, file) in [
        ("$[?@.level=='fatal']", "app.jsonl"),
        ("$[?@.name]", "app.jsonl"),
        ("$.user[?@.level]", "app.jsonl"),
    ] {
        let ran = folder.run(&["get", path, file]);
        assert!(!ran.err.contains("--where"), "{path}: {}", ran.err);
    }
}

#[test]
fn records_are_kept_in_their_own_bytes() {
    let log =
        LOG.replacen('\n', "\r\n", 1) + "{\"level\": \"error\", broken\n  {\"level\":\"error\"}  ";
    let folder = Folder::with(&[
        ("logs/app.jsonl", log.as_bytes()),
        ("logs/b.json", b"{\"level\":\n\"error\"}"),
        ("logs/c.json", b"[1]"),
    ]);
    let lines: Vec<&str> = LOG.lines().collect();
    let expected = format!("{}\n{}\n{{\"level\":\"error\"}}\n", lines[0], lines[2]);
    let filter = ["--where", ".level == 'error'"];
    let source = ["get", "--source", "."];
    let ran = folder.run(&[&source[..], &filter, &["logs/app.jsonl"]].concat());
    assert_eq!((ran.out.as_str(), ran.code), (expected.as_str(), 3));
    assert!(ran.err.contains("logs/app.jsonl:4:"), "{}", ran.err);
    let ran = piped(&[&source[..], &filter, &["--skip-invalid"]].concat(), &log);
    assert_eq!(
        (ran.out.as_str(), ran.code),
        (expected.as_str(), 0),
        "{}",
        ran.err
    );
    let files = [
        "--no-filename",
        "logs/app.jsonl",
        "logs/b.json",
        "logs/c.json",
    ];
    let ran = folder.run(&[&source[..], &filter, &files].concat());
    assert_eq!(ran.out, expected + "{\"level\":\n\"error\"}\n");
    assert!(ran.err.contains(" in logs/c.json\n"), "{}", ran.err);
}

/// A condition for a filter, and the same for jq, where both define the result.
fn condition() -> impl Strategy<Value = (String, String)> {
    let leaf = prop::sample::select(vec![
        (".n == 1", ".n == 1"),
        (".n != 2", ".n != 2"),
        (".n >= 1", "(.n|type) == \"number\" and .n >= 1"),
        (".s < 'b'", "(.s|type) == \"string\" and .s < \"b\""),
        (".s == 'a b'", ".s == \"a b\""),
        (".n == .m", ".n == .m"),
        (".o.n == 1", "(.o|type) == \"object\" and .o.n == 1"),
        (".o", "has(\"o\")"),
        (
            "length(.s) > 1",
            "(.s|type) == \"string\" and (.s|length) > 1",
        ),
        (
            "length(.l) == 2",
            "(.l|type) == \"array\" and (.l|length) == 2",
        ),
        (".l[0] == 1", "(.l|type) == \"array\" and .l[0] == 1"),
        (".l[-1] == .n", ".l[-1] == .n"),
        (
            "count(..n) == 2",
            "([.. | objects | select(has(\"n\"))] | length) == 2",
        ),
        (".b == true", ".b == true"),
        ("@ == $", "true"),
        (
            "search(.s, 'a|c')",
            "(.s|type) == \"string\" and (.s|test(\"a|c\"))",
        ),
        (
            "isearch(.s, '^A')",
            "(.s|type) == \"string\" and (.s|test(\"^A\"; \"i\"))",
        ),
        (
            "match(.s, '[a-c]+')",
            "(.s|type) == \"string\" and (.s|test(\"^(?:[a-c]+)$\"))",
        ),
    ]);
    let leaf = leaf.prop_map(|(ours, theirs)| (ours.to_owned(), format!("({theirs})")));
    leaf.prop_recursive(3, 8, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| (
                format!("({}) && ({})", a.0, b.0),
                format!("({} and {})", a.1, b.1)
            )),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| (
                format!("{} || {}", a.0, b.0),
                format!("({} or {})", a.1, b.1)
            )),
            inner.prop_map(|a| (format!("!({})", a.0), format!("({}|not)", a.1))),
        ]
    })
}

fn record() -> impl Strategy<Value = String> {
    let number = (0..3_i32).prop_map(|n| n.to_string());
    let string = prop::sample::select(vec![
        "\"\"", "\"a\"", "\"a b\"", "\"C\"", "\"cab\"", "\"é\"",
    ]);
    let list = prop::collection::vec(number.clone(), 0..3)
        .prop_map(|list| format!("[{}]", list.join(",")));
    let member = prop_oneof![
        number.clone().prop_map(|n| ("n", n)),
        number.clone().prop_map(|n| ("m", n)),
        string.clone().prop_map(|s| ("s", s.to_owned())),
        list.prop_map(|l| ("l", l)),
        any::<bool>().prop_map(|b| ("b", b.to_string())),
        number.prop_map(|n| ("o", format!("{{\"n\":{n}}}"))),
        string.prop_map(|s| ("n", s.to_owned())),
    ];
    prop::collection::vec(member, 0..5).prop_map(|members| {
        let members: std::collections::BTreeMap<_, _> = members.into_iter().collect();
        let members = members
            .iter()
            .map(|(key, value)| format!("\"{key}\":{value}"));
        format!("{{{}}}\n", members.collect::<Vec<_>>().join(","))
    })
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn like_select_of_jq((ours, theirs) in condition(), records in prop::collection::vec(record(), 1..20)) {
        let text = records.concat();
        let program = format!("select({theirs})");
        let Some(expected) = jq(&["-c", &program], text.as_bytes()) else {
            return Ok(());
        };
        let expected = String::from_utf8(expected).unwrap();
        let ran = piped(&["get", "-c", ".", "--where", &ours], &text);
        prop_assert_eq!(&ran.out, &expected, "{} {} {}", ours, theirs, text);
        prop_assert_eq!(ran.code, i32::from(expected.is_empty()));
    }
}
