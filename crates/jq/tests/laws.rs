//! Laws of the language, for generated programs: a program and its longer form have the same results and the same error.
//!
//! The long forms are those of jq's manual. They use other parts of the machine than the short ones: `path(f)` and `getpath` in
//! place of an assignment, variables in place of direct reads, closures in place of their bodies.

mod generate;

use generate::{Terms, input, terms};
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
