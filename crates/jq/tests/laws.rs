//! Laws of the language, for generated programs: a program and its longer form have the same results and the same error.
//!
//! The long forms are those of jq's manual. They use other parts of the machine than the short ones: `path(f)` and `getpath` in
//! place of an assignment, variables in place of direct reads, closures in place of their bodies.

use jsonx_jq::{Exception, NoHost, Program, Settings, Value};
use jsonx_testing::cases;
use proptest::prelude::*;

/// The results that are compared; a program with more is not.
const MOST: usize = 2_000;

/// Laws for any filter F: both sides are equal.
const FILTER_LAWS: [(&str, &str); 33] = [
    ("F", ". | F"),
    ("F", "F | ."),
    ("F", "F as $x | $x"),
    ("F", "def f: F; f"),
    ("F", "def f(g): g; f(F)"),
    ("F", "def f(g): def h: g; h; f(F)"),
    ("F", "label $out | F"),
    ("F", "try F catch error"),
    ("F", "empty, F"),
    ("F", "foreach F as $x (null; $x)"),
    ("F", "if true then F else error end"),
    ("(F)?", "try F"),
    ("first(F)", "label $out | F | ., break $out"),
    (
        "limit(2; F)",
        "label $out | foreach F as $x (0; . + 1; $x, if . == 2 then break $out else empty end)",
    ),
    ("isempty(F)", "label $out | (F | false, break $out), true"),
    ("[F]", "reduce F as $x ([]; . + [$x])"),
    ("map(F)", "[.[] | F]"),
    ("select(F)", "F as $x | if $x then . else empty end"),
    (
        "if F then 1 else 2 end",
        "F as $x | if $x then 1 else 2 end",
    ),
    ("{a: F}", "F as $x | {a: $x}"),
    (
        "F and .a",
        "F as $x | if $x then .a as $y | if $y then true else false end else false end",
    ),
    ("[group_by(F)[][]]", "sort_by(F)"),
    ("unique_by(F)", "[group_by(F)[] | first]"),
    ("min_by(F)", "sort_by(F) | first"),
    ("max_by(F)", "sort_by(F) | last"),
    ("[F] | [skip(1; .[])]", "[F][1:]"),
    ("[F] | last(.[])", "[F] | if . == [] then empty else .[-1] end"),
    ("F | tojson | fromjson", "F"),
    ("[F] | [fromstream(.[] | tostream)]", "[F]"),
    ("[F] | any, all", "[F] | (reduce .[] as $x (false; . or $x)), (reduce .[] as $x (true; . and $x))"),
    ("[F] | add", "[F] | reduce .[] as $x (null; . + $x)"),
    ("[F] | to_entries | map(.key |= tostring) | from_entries", "[F] | [range(length) as $i | {($i | tostring): .[$i]}] | add // {}"),
    (
        "walk(F)",
        "def w: if type == \"object\" then reduce keys_unsorted[] as $k (.; .[$k] = first(.[$k] | w))
            elif type == \"array\" then [.[] | w] else . end | F; w",
    ),
];

/// Laws for any path P and any filter F.
const PATH_LAWS: [(&str, &str); 13] = [
    ("[path(P)] as $all | [P]", "[path(P) as $p | getpath($p)]"),
    ("[path(P)]", "[path(P | .)]"),
    ("[path(P)]", "def f: P; [path(f)]"),
    ("[path(P)]", "def f(g): g; [path(f(P))]"),
    ("[path(P)] as $all | [path(P | .a?)]", "[path(P) as $p | getpath($p) | path(.a?) as $q | $p + $q]"),
    ("[path(P)] as $all | [path(P | .[]?)]", "[path(P) as $p | getpath($p) | path(.[]?) as $q | $p + $q]"),
    ("del(P)", "delpaths([path(P)])"),
    ("P = (F)", "F as $x | reduce path(P) as $p (.; setpath($p; $x))"),
    ("P += (F)", "F as $x | P |= (. + $x)"),
    ("P //= (F)", "F as $x | P |= (. // $x)"),
    ("P |= first(F)", "P |= (F)"),
    (
        "P |= (F)",
        "reduce path(P) as $p ([., []]; . as [$x, $removed]
            | if $removed[-1:] | any(. == $p[:length]) then . else
                [$x | getpath($p) | first(F)] as $new
                | if $new == [] then [$x, $removed + [$p]] else [($x | setpath($p; $new[0])), $removed] end
            end)
        | . as [$x, $removed] | $x | delpaths($removed)",
    ),
    ("to_entries", "[keys_unsorted[] as $k | {key: $k, value: .[$k]}]"),
];

const LAWS: usize = FILTER_LAWS.len() + PATH_LAWS.len();

/// A side of a law with a filter for F and a path for P.
fn filled(side: &str, terms: &Terms) -> String {
    side.replace('F', &format!("({})", terms.filter))
        .replace('P', &format!("({})", terms.path))
}

/// The results of a program as text, then `error` if it fails; `None` if there are too many. Which of two errors comes first is
/// not a law: an assignment finds all paths before it changes the first.
fn outcome(program: &str, input: &Value) -> Option<Vec<String>> {
    let settings = Settings {
        variables: vec![("$v".into(), Value::from_json("1").unwrap())],
        ..Settings::default()
    };
    let program =
        Program::compile(program, &settings).unwrap_or_else(|error| panic!("{program}: {error:?}"));
    let mut all = Vec::new();
    let ended = program.run(input.clone(), &NoHost, &mut |value| {
        all.push(value.to_string());
        if all.len() < MOST {
            Ok(())
        } else {
            Err(Exception::Stopped)
        }
    });
    match ended {
        Ok(()) | Err(Exception::Stopped) => {}
        Err(Exception::Error(_)) => all.push("error".to_owned()),
        Err(other) => panic!("{other:?}"),
    }
    (all.len() < MOST).then_some(all)
}

/// A filter and a path that can occur in the same place.
#[derive(Clone, Debug)]
struct Terms {
    filter: String,
    path: String,
}

fn leaf() -> impl Strategy<Value = Terms> {
    let path = prop::sample::select(vec![
        ".",
        ".a",
        ".b",
        ".a?",
        ".[0]",
        ".[-1]",
        ".[1:]",
        ".[:1]?",
        ".[]",
        ".[]?",
        "..",
        "empty",
        "first",
        "last?",
        "getpath([\"a\", \"b\"])",
        "error(\"e\")",
        ".a.b",
        ".a[0]?",
        ".[\"a\", \"b\"]",
        ".[.b]?",
        "recurse(.[]?; . != null)",
        "select(.a)",
        "(.a, .b)",
        "(.a // .b)",
    ]);
    let filter = prop::sample::select(vec![
        "1",
        "0",
        "null",
        "true",
        "\"x\"",
        "[]",
        "{}",
        "$v",
        "length",
        "keys",
        "type",
        "not",
        "add",
        "sort",
        "reverse",
        "tostring",
        "to_entries",
        "[.[]?]",
        "(1, 2)",
        "empty",
        "error",
        "{a: 1}",
        "[3, null]",
        "-1",
        "paths",
    ]);
    (filter, path).prop_map(|(filter, path)| Terms {
        filter: filter.to_owned(),
        path: path.to_owned(),
    })
}

/// The forms of longer terms: f, g and h are filters, p and q are paths.
const FILTERS: [&str; 41] = [
    "p",
    "f, g",
    "f | g",
    "p | f",
    "[f]",
    "{a: f}",
    "{a: f, b: g}",
    "f + g",
    "f - g",
    "f == g",
    "f < g",
    "f and g",
    "f or g",
    "f // g",
    "-(f)",
    "\"<\\(f)>\"",
    "[.[]? | f]",
    "map_values(f)",
    "with_entries(.value |= f)",
    "reduce f as $v (g; h)",
    "foreach f as $v (g; h)",
    "foreach f as $v (g; h; [$v, .])",
    "f as $v | g",
    "f as [$v] | g",
    "f as {a: $v} | g",
    "f as [$v] ?// $v | g",
    "p |= f",
    "p = f",
    "p += f",
    "p //= f",
    "del(p)",
    "[path(p)]",
    "[limit(2; f)]",
    "any(f; g)",
    "sort_by(f)",
    "group_by(f)",
    "try f catch .",
    "try error(f) catch .",
    "if f then g elif h then f end",
    "f | h?",
    "[f][1:]",
];

const PATHS: [&str; 23] = [
    "p | q",
    "p, q",
    "p?",
    "try p",
    "try p catch .a",
    "if f then p else q end",
    "if f then p end",
    "p | select(f)",
    "first(p)",
    "limit(2; p)",
    "skip(1; p)",
    "p // q",
    "f as $v | p",
    "f as [$v] | p",
    "reduce f as $v (.; first(p, .))",
    "foreach f as $v (.; first(p, .))",
    "foreach f as $v (.; first(p, .); q)",
    "label $out | p, break $out",
    "def h: p; h",
    "def h(g): g | g; h(p)",
    "def h(g): g | q; h(p)",
    ".[f]?",
    "getpath(f)?",
];

fn terms() -> impl Strategy<Value = Terms> {
    leaf().prop_recursive(3, 12, 5, |inner| {
        let filter = prop::sample::select(FILTERS.to_vec());
        let path = prop::sample::select(PATHS.to_vec());
        (filter, path, prop::collection::vec(inner, 5)).prop_map(|(filter, path, parts)| {
            let fill = |form: &str| replaced(form, &parts);
            Terms {
                filter: fill(filter),
                path: fill(path),
            }
        })
    })
}

/// A form with its arguments. A letter is an argument if it is not part of a name.
fn replaced(form: &str, parts: &[Terms]) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.');
    let mut text = String::new();
    let mut rest = form;
    while let Some(c) = rest.chars().next() {
        let word = &rest[..rest
            .find(|c| !is_name(c))
            .unwrap_or(rest.len())
            .max(c.len_utf8())];
        rest = &rest[word.len()..];
        let is_local = form.starts_with("def");
        match word {
            "f" => text += &format!("({})", parts[0].filter),
            "g" if !is_local => text += &format!("({})", parts[1].filter),
            "h" if !is_local => text += &format!("({})", parts[2].filter),
            "p" => text += &format!("({})", parts[3].path),
            "q" => text += &format!("({})", parts[4].path),
            _ => text += word,
        }
    }
    text
}

fn input() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "null",
        "5",
        "\"ab\"",
        "[]",
        "{}",
        "[1, {\"a\": 2}, null]",
        "{\"a\": 1, \"b\": \"a\"}",
        "{\"a\": {\"b\": [1, 2]}, \"b\": null}",
        "[[1, 2], [3], []]",
        "[{\"a\": 1, \"b\": 2}, {\"a\": null, \"b\": 0}]",
        "{\"b\": [{\"a\": false}, 0], \"a\": [true]}",
    ])
}

proptest! {
    #![proptest_config(cases(4_000))]

    #[test]
    fn a_short_form_is_its_long_form(terms in terms(), input in input(), law in 0..LAWS) {
        let (short, long) = FILTER_LAWS.iter().chain(&PATH_LAWS).nth(law).unwrap();
        let (short, long) = (filled(short, &terms), filled(long, &terms));
        let value = Value::from_json(input).unwrap();
        if let (Some(found), Some(expected)) = (outcome(&short, &value), outcome(&long, &value)) {
            prop_assert_eq!(found, expected, "\n  {}\n  {}\n  of {}", short, long, input);
        }
    }
}
