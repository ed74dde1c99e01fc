//! No operation takes more than linear memory, allocated or stack: a copy of an array or a string for each of its changes would be
//! quadratic.

use jsonx_jq::{NoHost, Program, Settings, Value};
use jsonx_testing::allocations::{Counting, bytes};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Programs for an array of records `{"id": 0, "name": "n0", "tags": ["a", 0]}`.
const OF_RECORDS: &[&str] = &[
    "[range(length) as $i | .[$i].id] | add",
    "[tostream]",
    "fromstream(tostream)",
    "[paths]",
    "[paths(type == \"number\")]",
    "[getpath(paths)]",
    "[leaf_paths as $p | {key: ($p | map(tostring) | join(\".\")), value: getpath($p)}] | from_entries",
    "delpaths([paths(type == \"number\")])",
    "del(.[] | select(.id % 2 == 0))",
    "del(.[].name, .[0])",
    "map(del(.tags))",
    "map(.id) | . as $all | map(. as $id | $all | bsearch($id))",
    "[range(length) as $i | bsearch({id: $i})]",
    "reduce range(length) as $i (.; .[$i].id += 1)",
    "reduce .[] as $x (\"\"; . + \"x\\($x.id)\")",
    "reduce .[] as $x ({}; .s += $x.name)",
    "last(foreach .[] as $x (\"\"; . + $x.name; length))",
    "[foreach .[] as $x (\"\"; . + $x.name; length)]",
    "reduce .[] as $x ([]; . + [$x.id])",
    "reduce .[] as $x ([]; .[length] = $x)",
    "reduce .[] as $x ({}; .[$x.name] += 1)",
    "reduce .[] as $x ({}; .all += [$x] | .n += 1)",
    "reduce .[] as $x ({}; . + {($x.name): $x.id})",
    "reduce .[] as $x ({q: []}; .q += [$x.id] | if (.q | length) > 20 then .q |= .[1:] else . end)",
    "until(length == 0; .[1:])",
    "until(length == 0; .[:-1])",
    "map(.id) | until(length == 0; .[1:])",
    "[while(length > 0; .[10:]) | .[:10] | length]",
    "map(.id) | [while(length > 0; .[10:]) | .[:10]]",
    "[limit(5; .[])], first(.[]), last(.[]), nth(3; .[]), first, last",
    "map(.name) | join(\",\") | split(\",\") | length",
    "map(.name) | add | length",
    "map([.id]) | add | add",
    "sort_by(.id), group_by(.id % 7), unique_by(.id), min_by(.id), max_by(.id), INDEX(.id)",
    "map(.id) | sort, unique, min, max, reverse, any, all, contains([1]), index(3), indices(3), flatten",
    "map(.tags) | transpose, flatten, tojson",
    "walk(if type == \"number\" then . + 1 else . end)",
    "[..] | length",
    "map(to_entries | from_entries), map(with_entries(.value |= tostring)), map(map_values(.)), map(keys)",
    "(.[] | .id) |= . + 1",
    ".[].tags[] |= tostring",
    "map(.name | test(\"1\")), map(tojson | fromjson), [.[] | @json, @text, (.tags | @csv, @tsv, @sh)]",
    "def f: if . == 0 then 0 else . - 1 | f end; length | f",
    "[recurse(if (. | type) == \"number\" then empty else .[]? end)] | length",
    "[.[] as {id: $i, tags: [$t]} | [$i, $t]] | length",
    "[limit(100000; repeat(1) | select(true))] | length",
    "(map({(.name): .id}) | add) as $of | map($of[.name])",
    "label $out | foreach .[] as $x (0; . + 1; if . > 1e9 then ., break $out else empty end)",
    "[splits(\"x\")?, (.[] | try error(.id) catch .)] | length",
    "pick(.[].id), [path(.[].id)], [.[] | has(\"id\"), (.tags | has(1))]",
];

/// Programs for a string.
const OF_STRINGS: &[&str] = &[
    "explode | implode",
    "ascii_downcase, ascii_upcase, length, utf8bytelength, reverse",
    "split(\",\"), split(\", *\"; null), [splits(\",\")], (. / \",\" | join(\";\"))",
    "[match(\"[a-z]+\"; \"g\")] | length",
    "[scan(\"\\\\w+\")], [scan(\"(a)|(b)\")]",
    "gsub(\"a\"; \"b\"), sub(\"a\"; \"b\"), gsub(\"(?<x>[a-z])\"; \"<\\(.x)>\")",
    "indices(\",\"), index(\",\"), rindex(\",\"), ltrimstr(\"a\"), rtrimstr(\"a\"), trim",
    "@base64 | @base64d",
    "@uri, @html, @sh, @json, @csv \"\\([.])\"",
    "tojson | fromjson",
    "test(\"x$\"), startswith(\"a\"), contains(\"b\"), .[5:], .[:-5]",
];

/// Programs for an object `{"k0": 0, …}`.
const OF_OBJECTS: &[&str] = &[
    "keys, keys_unsorted, to_entries, with_entries(.), map_values(. + 1), length, add, [.[]], tojson",
    ". as $all | [keys[] as $k | $all[$k]] | add",
    "[keys_unsorted[] as $k | .[$k]]",
    "reduce keys_unsorted[] as $k (.; .[$k] += 1)",
    "[tostream], [paths], del(.k5, .k7), del(.[])",
    "reduce keys_unsorted[] as $k (.; del(.[$k]) | .[$k] = 1)",
    ". * {k1: {a: 1}}, . + {k1: 2}, has(\"k7\"), map(.), (to_entries | from_entries)",
];

/// Functions that have no end, that compare or join each element with each, or whose pattern would be the input.
const UNBOUNDED: &[&str] = &[
    "combinations",
    "contains",
    "datesub",
    "debug",
    "input",
    "inputs",
    "inside",
    "join",
    "match",
    "range",
    "recurse",
    "repeat",
    "scan",
    "splits",
    "stderr",
    "sub",
    "test",
    "until",
    "while",
];

/// Calls of all functions that jq defines, each with the same arguments.
fn calls() -> Vec<String> {
    let builtins = Program::compile("builtins[]", &Settings::default()).unwrap();
    let names = builtins.results(Value::default()).unwrap();
    let mut calls = Vec::new();
    for name in names {
        let name = name.as_str().unwrap().into_owned();
        let (name, arity) = name.split_once('/').unwrap();
        if UNBOUNDED.contains(&name) {
            continue;
        }
        let arity = arity.parse().unwrap();
        for argument in [".", "\"a\"", "1", ".[0]?", "[\"k1\"]"] {
            calls.push(match arity {
                0 => name.to_owned(),
                _ => format!("{name}({})", vec![argument; arity].join(";")),
            });
        }
    }
    calls.sort();
    calls.dedup();
    let limited = |call| format!("[limit(100000; try {call} catch 0)] | length");
    calls.into_iter().map(limited).collect()
}

fn records(count: usize) -> String {
    let records =
        (0..count).map(|id| format!(r#"{{"id": {id}, "name": "n{id}", "tags": ["a", {id}]}}"#));
    format!("[{}]", records.collect::<Vec<_>>().join(","))
}

fn object(count: usize) -> String {
    let members = (0..count).map(|key| format!(r#""k{key}": {key}"#));
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

fn text(count: usize) -> String {
    format!("\"{}\"", "ab, é".repeat(count))
}

/// The bytes that a program allocates for an input.
fn cost(program: &Program, input: &str) -> usize {
    let input = Value::from_json(input).unwrap();
    bytes(|| {
        program
            .run_within(input, &NoHost, 1 << 20, &mut |_| Ok(()))
            .unwrap_or_default()
    })
}

#[test]
fn memory_grows_at_most_linearly() {
    for (programs, input) in [
        (OF_RECORDS, records as fn(usize) -> String),
        (OF_STRINGS, text),
        (OF_OBJECTS, object),
    ] {
        let programs = programs.iter().map(|&text| text.to_owned());
        for text in programs.chain(calls()) {
            let program = Program::compile(&text, &Settings::default()).unwrap();
            let (small, large) = (cost(&program, &input(200)), cost(&program, &input(800)));
            // Buffers that double make steps; sorting takes a little more than linear.
            assert!(
                large < 7 * small.max(20_000),
                "{text}: {small} and {large} bytes"
            );
        }
    }
}

/// The stack is that of the nested calls, not of all calls.
#[test]
fn the_stack_does_not_grow_with_the_number_of_calls() {
    for (text, result) in [
        (
            "def f: if . < 2 then . else (. - 1 | f) + (. - 2 | f) end; 16 | f",
            "987",
        ),
        (
            "def f: if . < 2 then empty, . else (. - 1 | f) + (. - 2 | f) end; 16 | f",
            "987",
        ),
        (
            "def f: if . < 2 then . else [. - 1, . - 2] | map(f) | add end; 12 | f",
            "144",
        ),
        (
            "def f(g): if . < 2 then g else (. - 1 | f(g)) + (. - 2 | f(g)) end; 12 | f(.)",
            "144",
        ),
        (
            "def f: if . < 2 then . else (. - 1 | f) as $a | (. - 2 | f) as $b | $a + $b end; 16 | f",
            "987",
        ),
        (
            "def f: if . < 2 then . else first(. - 1 | f) + first(. - 2 | f) end; 14 | f",
            "377",
        ),
        (
            "def f: if . < 2 then . else try (. - 1 | f) + ((. - 2 | f) // 0) end; 14 | f",
            "377",
        ),
        (
            "def f: if . == 0 then 0 else . - 1 | f end; 100000 | f",
            "0",
        ),
        (
            "reduce range(20000) as $i (0; first(., 1) + (1, 2 | select(. == 1)))",
            "20000",
        ),
        (
            "def f: if . < 1 then empty else ., (. - 1 | f) end; [20000 | f] | length",
            "20000",
        ),
    ] {
        let program = Program::compile(text, &Settings::default()).unwrap();
        let mut results = Vec::new();
        let ended = program.run_within(Value::default(), &NoHost, 1 << 20, &mut |value| {
            results.push(value.to_string());
            Ok(())
        });
        ended.unwrap_or_else(|error| panic!("{text}: {error:?}"));
        assert_eq!(results, [result], "{text}");
    }
}
