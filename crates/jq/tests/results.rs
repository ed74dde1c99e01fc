//! Results of jq 1.8 that its tests do not cover, by subject.

mod check;

use check::check;

/// Fields that a format lacks are those of January 1900, with day 0.
#[test]
fn strptime_needs_no_date_and_no_time() {
    check(&[
        (
            r#""2024-01" | strptime("%Y-%m") | ., mktime"#,
            "[2024,0,0,0,0,0,0,-1] 1703980800",
        ),
        (r#""2024" | strptime("%Y") | mktime"#, "1703980800"),
        (r#""10:20:30" | strptime("%T") | mktime"#, "-2209037970"),
        (r#""10:20" | strptime("%H:%M") | mktime"#, "-2209038000"),
        (r#""10:20 PM" | strptime("%I:%M %p") | .[3:5]"#, "[22,20]"),
        (r#""12 am" | strptime("%I %p") | .[3]"#, "0"),
        (r#""Mar 2024" | strptime("%b %Y")"#, "[2024,2,0,0,0,0,4,59]"),
        (r#""12 Mar" | strptime("%d %b")"#, "[1900,2,12,0,0,0,1,70]"),
        (r#""68", "69" | strptime("%y") | .[0]"#, "2068 1969"),
        (r#""20 15" | strptime("%C %y") | .[0]"#, "2015"),
        (r#""2015 064" | strptime("%Y %j")"#, "[2015,2,5,0,0,0,4,63]"),
        (
            r#""2015 10 4" | strptime("%Y %U %w")"#,
            "[2015,2,12,0,0,0,4,70]",
        ),
        (r#""1425599621" | strptime("%s") | mktime"#, "1425599621"),
    ]);
}

#[test]
fn strptime_reads_texts_as_the_c_library() {
    let date = r#"[2015,2,5,23,53,41,4,63]"#;
    for (text, format) in [
        ("Thu Mar  5 23:53:41 2015", "%c"),
        ("03/05/15 11:53:41 PM", "%x %r"),
        ("2015-3-5 23:53:41", "%F %X"),
        ("THURSDAY march 5 2015 23:53:41", "%a %B %e %EY %OH:%M:%S"),
        ("2015-03-05T23:53:41+05:30", "%FT%T%z"),
        ("2015-03-05T23:53:41-0530", "%FT%T%z"),
        ("2015-03-05T23:53:41Z", "%FT%T%z"),
        ("2015-03-05 EST 23:53:41", "%F %Z %T"),
        // The weekday is not compared with the date.
        ("Mon 2015-03-05 23:53:41 ", "%a %F %T"),
        ("100% 2015-03-05 \t 23:53:41", "100%% %F%n%T"),
    ] {
        check(&[(&format!("{text:?} | strptime({format:?})"), date)]);
    }
    for (text, format) in [
        ("", "%Y"),
        ("2015-03-05x", "%F"),
        ("2015-03-32", "%F"),
        ("2015-13-01", "%F"),
        ("55840-11-08", "%F"),
        ("-5", "%Y"),
        ("13 PM", "%I %p"),
        ("23:60", "%R"),
        ("2015-03-05T23:53:41.5Z", "%FT%TZ"),
        ("+5", "%z"),
        ("Mär", "%b"),
        ("x", "%Q"),
        ("x", "%"),
        ("99999999999999999999", "%s"),
    ] {
        let program = format!("{text:?} | strptime({format:?})");
        check(&[(&program, "error: does not match format")]);
    }
    check(&[
        // Days and seconds that do not exist are carried over.
        (
            r#""2024-02-30" | strptime("%F") | ., mktime"#,
            "[2024,1,30,0,0,0,5,60] 1709251200",
        ),
        (r#""2016-12-31T23:59:60Z" | fromdate"#, "1483228800"),
        (
            r#""2016-12-31T23:59:62Z" | fromdate"#,
            "error: does not match",
        ),
    ]);
}

#[test]
fn strftime_prints_as_the_c_library() {
    check(&[
        (
            r#"1425599621 | strftime("%c", "%x", "%X", "%r", "%Ey %OH %Ec", "%E %+ %i %", "%-d %_d %^a %5Y")"#,
            r#""Thu Mar  5 23:53:41 2015" "03/05/15" "23:53:41" "11:53:41 PM" "15 23 Thu Mar  5 23:53:41 2015" "%E %+ %i %" "5  5 THU 02015""#,
        ),
        (r#"[2024, 1] | strftime("%F")"#, r#""2024-01-31""#),
        (
            r#"[2024, 1, 30, 25, 61, 61.5, 3, 77] | strftime("%A %j %H")"#,
            r#""Saturday 062 02""#,
        ),
        (
            r#"1.7e12 | todate, strftime("%c|%F|%C|%G %V|%s|%-Y|é%%")"#,
            r#""55840-11-08T22:13:20Z" "Sun Nov  8 22:13:20 55840|55840-11-08|558|55840 45|1700000000000|55840|é%""#,
        ),
        ("-99999999999999 | todate", r#""-3166904-02-24T14:13:21Z""#),
        ("1e18 | todate", "error: error converting number"),
        ("infinite | todate", "error: error converting number"),
        ("nan | gmtime", "error: error converting number"),
    ]);
}

#[test]
fn mktime_inverts_gmtime_in_all_years() {
    check(&[
        (
            "1.7e12 | gmtime | ., mktime",
            "[55840,10,8,22,13,20,0,312] 1700000000000",
        ),
        (
            "[range(-6.7e16; 6.7e16; 1.2345678912e14) | floor | select(. != (gmtime | mktime))]",
            "[]",
        ),
        (
            "[range(-1e12; 1e12; 12345678912) | select(. != (todate | try fromdate catch 0)) | gmtime[0] | select(0 <= . and . <= 9999)]",
            "[]",
        ),
        ("[2024, 100, 1, 0, 0, 0] | mktime", "1966982400"),
        ("[2024.7, 1.5, 10.9, 1.2, 3.4, 5.6] | mktime", "1707526985"),
        ("[2024] | mktime", "1703980800"),
        ("[1e300] | mktime", "error: requires parsed datetime inputs"),
        ("[\"a\"] | mktime", "error: requires parsed datetime inputs"),
    ]);
}

/// The nth text has the nth result of each match that has one.
#[test]
fn substitutions_have_a_text_for_each_result() {
    check(&[
        (
            r#""abab" | gsub("(?<x>[ab])"; if .x == "a" then "1" else "2", "3" end)"#,
            r#""1212" "33""#,
        ),
        (
            r#""abc" | gsub("(?<x>[bc])"; .x | select(. == "c") | ., "y")"#,
            r#""c" "y""#,
        ),
        (
            r#""aéb" | gsub("é"; empty), [splits("é")]"#,
            r#""aéb" ["a","b"]"#,
        ),
        (
            r#""aaa" | gsub(""; "-"; "n"), gsub(""; "-")"#,
            r#""aaa" "-a-a-a-""#,
        ),
    ]);
}

/// `$` also matches before a final line feed; `^` and `$` never match at other lines without `(?m)`.
#[test]
fn anchors_of_expressions_are_those_of_oniguruma() {
    check(&[
        (r#""1.5\n" | test("^[0-9.]+$")"#, "true"),
        (r#""a\nb\n" | [match("$"; "g").offset]"#, "[3,4]"),
        (
            r#""a\nb" | [match("$"; "g", "gs", "gp").offset]"#,
            "[3,3,3]",
        ),
        (
            r#""a\n\n", "a\r\n", "a\nb" | test("a$")"#,
            "false false false",
        ),
        (
            r#""a\nb\n" | test("^b", "a$"; null, "s", "p")"#,
            "false false false false false false",
        ),
        (
            r#""a\nb\n" | test("(?m)^b", "(?m)a$", "(?m)b$")"#,
            "true true true",
        ),
        (
            r#""a\n" | test("a(?=$)"), test("a(?!$)"), gsub("$"; "!")"#,
            r#"true false "a!\n!""#,
        ),
        // Not an anchor.
        (
            r#""a]$\n" | test("[]$]\n", "\\$$", "[$]\n", "[^]$]]", "[a\\]$]\n")"#,
            "true true true true true",
        ),
        // The flag `s` does not change the dot, `p` does.
        (
            r#""a\nb" | test("a.b"; null, "s", "p", "ps", "ip")"#,
            "false false true true true",
        ),
        (r#""a\nb" | test("(?s)a.b")"#, "true"),
    ]);
}

#[test]
fn the_last_interpolation_varies_slowest() {
    check(&[
        (r#""\(1, 2)-\(3, 4)""#, r#""1-3" "2-3" "1-4" "2-4""#),
        (
            r#"@json "\(1, 2)-\("a", "b")""#,
            r#""1-\"a\"" "2-\"a\"" "1-\"b\"" "2-\"b\"""#,
        ),
        (
            r#"{"a\(1, 2)b\(3, 4)": 5} | keys[]"#,
            r#""a1b3" "a2b3" "a1b4" "a2b4""#,
        ),
        (r#"try "\(error("x"))\(error("y"))" catch ."#, r#""y""#),
        (
            r#"try "\(empty, error("x"))\(error("y"))" catch ."#,
            r#""y""#,
        ),
    ]);
}

#[test]
fn keys_of_entries_are_strings() {
    for entry in [
        "{key: 0}",
        "{key: 1.5}",
        "{key: true}",
        "{key: []}",
        "{key: {}}",
        "{key: null}",
        "{key: false}",
        "{value: 1}",
        "null",
    ] {
        let program = format!("[{entry}] | from_entries");
        check(&[(&program, "error: as object key")]);
    }
    check(&[
        (r#"["a"] | from_entries"#, "error: Cannot index string"),
        (
            r#"[{key: (null, false), name: "a", value: 1}] | from_entries"#,
            r#"{"a":1}"#,
        ),
        (
            r#"[{name: "x", value: null, Value: 3}] | from_entries"#,
            r#"{"x":null}"#,
        ),
        (
            r#"[{Key: "x", value: false, Value: 3}] | from_entries"#,
            r#"{"x":false}"#,
        ),
        (
            r#"[{Name: "x", Value: 3}, {name: "y"}] | from_entries"#,
            r#"{"x":3,"y":null}"#,
        ),
    ]);
}

#[test]
fn empty_and_missing_values() {
    check(&[
        ("[1], [] | indices([]), index([])", "[] null [] null"),
        (r#""", "abc" | indices(""), rindex("")"#, "[] null [] null"),
        ("0, {}, null, \"\", [] | reverse", "[] [] [] \"\" []"),
        ("1 | reverse", "error: Cannot index number with number (0)"),
        ("true | reverse", "error: boolean (true) has no length"),
        ("[1, 2] | .[{}]", "error: slice indices must be integers"),
        (
            "[1, 2] | .[{start: 0}]",
            "error: slice indices must be integers",
        ),
        (
            "[1, 2] | .[{end: 0}] = [1]",
            "error: slice indices must be integers",
        ),
        (
            "[1, 2] | del(.[{start: 1}])",
            "error: slice indices must be integers",
        ),
        (
            "\"ab\" | .[\"a\":]",
            "error: slice indices must be integers",
        ),
        ("[1, 2], null | .[{start: 1, end: null}]", "[2] null"),
        ("null | .[{}]", "null"),
        ("null | abs", "error: cannot be negated"),
        ("false | abs", "error: cannot be negated"),
        ("\"a\", [], {} | abs", "\"a\" [] {}"),
    ]);
}

#[test]
fn numbers_from_strings() {
    let max = "1.7976931348623157e+308";
    for (text, expected) in [
        ("infinity", max),
        ("-Infinity", &format!("-{max}")),
        ("+inf", max),
        ("nan", "null"),
        ("-NaN", "null"),
        ("nan1", "error: cannot be parsed"),
        ("infinit", "error: cannot be parsed"),
        ("inf ", "error: cannot be parsed"),
    ] {
        check(&[(&format!("{text:?} | tonumber"), expected)]);
    }
}

#[test]
fn functions_of_the_c_library() {
    check(&[
        ("1 | erf, erfc", "0.8427007929497149 0.15729920705028513"),
        (
            "remainder(5; 3), jn(1; 2), yn(1; 2)",
            "-1 0.5767248077568733 -0.10703243154093756",
        ),
    ]);
}
