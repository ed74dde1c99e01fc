//! Generated programs beside jq: the results are equal, and the messages that `catch` receives.
//!
//! Skipped, with a message, unless `JSONX_JQ` or the `PATH` has a jq of version 1.8 or later. `PROPTEST_CASES` sets the number of
//! batches.

mod generate;

use std::fmt::Write;
use std::process::Command;

use generate::{input, terms};
use jsonx_jq::{Program, Settings, Value};
use jsonx_testing::cases;
use proptest::prelude::*;
use proptest::sample::select;

/// The programs that one process of jq runs.
const BATCH: usize = 50;

/// Functions by number of arguments. Those that read the time, the environment or inputs are missing, and those whose results differ
/// for a reason that docs/jq.md gives.
const FUNCTIONS: [&[&str]; 4] = [
    &[
        "abs",
        "add",
        "all",
        "any",
        "arrays",
        "ascii_downcase",
        "ascii_upcase",
        "booleans",
        "ceil",
        "combinations",
        "empty",
        "error",
        "explode",
        "finites",
        "first",
        "flatten",
        "floor",
        "from_entries",
        "fabs",
        "implode",
        "isempty(.)",
        "isfinite",
        "isinfinite",
        "isnan",
        "isnormal",
        "iterables",
        "keys",
        "keys_unsorted",
        "last",
        "length",
        "ltrim",
        "max",
        "min",
        "not",
        "nulls",
        "numbers",
        "objects",
        "paths",
        "recurse",
        "round",
        "rtrim",
        "scalars",
        "sort",
        "sqrt",
        "strings",
        "to_entries",
        "toboolean",
        "tojson",
        "tonumber",
        "tostream",
        "tostring",
        "transpose",
        "trim",
        "trunc",
        "type",
        "unique",
        "utf8bytelength",
        "values",
        "@text",
        "@json",
        "@csv",
        "@tsv",
        "@html",
        "@uri",
        "@sh",
        "@base64",
        "@base64d",
        "..",
    ],
    &[
        "all",
        "any",
        "bsearch",
        "capture",
        "combinations",
        "contains",
        "del",
        "delpaths",
        "endswith",
        "error",
        "first",
        "flatten",
        "format",
        "fromstream",
        "getpath",
        "group_by",
        "has",
        "in",
        "index",
        "indices",
        "INDEX",
        "inside",
        "isempty",
        "join",
        "last",
        "ltrimstr",
        "map",
        "map_values",
        "match",
        "max_by",
        "min_by",
        "nth",
        "path",
        "paths",
        "pick",
        "range",
        "rindex",
        "rtrimstr",
        "scan",
        "select",
        "sort_by",
        "split",
        "splits",
        "startswith",
        "test",
        "trimstr",
        "truncate_stream",
        "unique_by",
        "walk",
        "with_entries",
        "add",
        "IN",
    ],
    &[
        "any", "all", "capture", "gsub", "limit", "match", "nth", "pow", "range", "scan",
        "setpath", "skip", "split", "splits", "sub", "test", "IN", "INDEX", "recurse", "fmin",
        "fmax", "ldexp",
    ],
    &["gsub", "sub", "range"],
];

/// Arguments and inputs of functions.
const VALUES: &[&str] = &[
    "null",
    "false",
    "true",
    "0",
    "1",
    "-1",
    "2",
    "2.5",
    "-1.5",
    "\"\"",
    "\"a\"",
    "\"abc\"",
    "\"a,b,c\"",
    "\"é€𝄞\"",
    "\" 12 \"",
    "\"12\"",
    "\"(?<x>b)|c\"",
    "\"g\"",
    "\"i\"",
    "[]",
    "[1,2,3]",
    "[3,1,[2]]",
    "[[1,2],[3]]",
    "[\"a\",\"b\"]",
    "[\"a\",0]",
    "[null,false]",
    "[[0],[\"a\"]]",
    "{}",
    "{\"a\":1}",
    "{\"a\":[1,{\"b\":2}],\"c\":null}",
    "[{\"key\":\"x\",\"value\":1}]",
    "[{\"a\":1,\"b\":2},{\"a\":1,\"b\":3}]",
    "[[[0],1],[[0]]]",
    "{\"start\":1,\"end\":null}",
    "[65,128512]",
    ".",
    ".[]",
    ".[]?",
    ".a",
    ".[0]",
    ".[1:]",
    "empty",
    "(1, 2)",
    "error(\"x\")",
    ". == 1",
    "length",
    "type",
];

fn call() -> impl Strategy<Value = String> {
    let arguments = prop::collection::vec(select(VALUES), 3);
    (0..FUNCTIONS.len(), any::<prop::sample::Index>(), arguments).prop_map(|(arity, at, values)| {
        let name = FUNCTIONS[arity][at.index(FUNCTIONS[arity].len())];
        match arity {
            0 => name.to_owned(),
            _ => format!("{name}({})", values[..arity].join("; ")),
        }
    })
}

/// An input and a program.
fn case() -> impl Strategy<Value = (String, String)> {
    let value = select(VALUES).prop_map(|value| {
        match value.contains(['.', 'e', 'l', '('])
            && !value.starts_with(['"', '[', '{', '-', '1', '2', 'n', 'f', 't'])
        {
            true => "null".to_owned(),
            false => value.to_owned(),
        }
    });
    prop_oneof![
        (input(), terms()).prop_map(|(input, terms)| (input.to_owned(), terms.filter)),
        (input(), terms()).prop_map(|(input, terms)| (input.to_owned(), terms.path)),
        (input(), terms()).prop_map(|(input, terms)| (
            input.to_owned(),
            format!("[paths], [path({})]", terms.path)
        )),
        (value, call()),
        (input(), call()).prop_map(|(input, call)| (input.to_owned(), call)),
    ]
}

/// The first results of a program as an array in one line; an error is the last one.
fn shown(input: &str, program: &str) -> String {
    format!("{input} | 1 as $v | [limit(40; try (({program}) | [.]) catch {{error: .}})]")
}

/// Whether the results may differ for a reason that docs/jq.md gives.
fn is_known(program: &str, answer: &str) -> bool {
    let is_loop = ["reduce", "foreach"]
        .iter()
        .any(|word| program.contains(word));
    let finds_paths = ["path", "=", "del"]
        .iter()
        .any(|word| program.contains(word));
    let is_untracked = is_loop
        || [" as [", " as {", "catch"]
            .iter()
            .any(|word| program.contains(word));
    // Paths through patterns, loops, and values that equal the input.
    answer.contains("Invalid path expression")
        || (finds_paths && is_untracked)
        // Several initial values.
        || (program.contains("reduce") && answer.contains("null (null)"))
        // jq may try another pattern after a result.
        || program.contains("?//")
        // Strings are reversed.
        || program.contains("reverse")
        // Values below a deleted one are not updated, and all paths are found before a value changes.
        || (program.contains('=') && answer.contains("error"))
        // -0 is 0 in jq if it is a literal.
        || (program.contains("-(") && program.contains("try"))
}

/// A jq of version 1.8 or later.
fn jq() -> Option<String> {
    let path = std::env::var("JSONX_JQ").unwrap_or_else(|_| "jq".to_owned());
    let version = Command::new(&path).arg("--version").output().ok()?.stdout;
    let version = String::from_utf8(version).ok()?;
    let mut numbers = version
        .trim()
        .strip_prefix("jq-1.")?
        .split(|c: char| !c.is_ascii_digit());
    (numbers.next()?.parse::<u32>().ok()? >= 8).then_some(path)
}

#[test]
fn programs_yield_what_jq_yields() {
    let Some(jq) = jq() else {
        eprintln!("skipped: no jq of version 1.8 or later in JSONX_JQ or on the PATH");
        return;
    };
    let config = ProptestConfig {
        max_shrink_iters: 300,
        ..cases(20)
    };
    proptest!(config, |(batch in prop::collection::vec(case(), 1..=BATCH))| {
        let mut text = String::new();
        for (at, (input, program)) in batch.iter().enumerate() {
            let comma = if at > 0 { "," } else { "" };
            writeln!(text, "{comma} ({})", shown(input, program)).unwrap();
        }
        let answer = Command::new(&jq).args(["-nc", &text]).output().unwrap();
        let answer = String::from_utf8(answer.stdout).unwrap();
        let answers: Vec<&str> = answer.lines().collect();
        prop_assert_eq!(answers.len(), batch.len(), "jq stopped at {}", text);
        for ((input, program), answer) in batch.iter().zip(answers) {
            if is_known(program, answer) {
                continue;
            }
            let compiled = Program::compile(&shown(input, program), &Settings::default());
            let compiled = compiled.unwrap_or_else(|error| panic!("{program}: {error:?}"));
            let results = compiled.results(Value::default());
            let found = results.map(|results| results[0].to_string());
            let found = found.unwrap_or_else(|error| format!("{error:?}"));
            prop_assert_eq!(found, answer, "\n  {} | {}", input, program);
        }
    });
}
