//! jq's own tests, from `JSONX_SUITES`.

use std::path::Path;

use jsonx_jq::{Exception, Host, Program, Settings, Value, order};
use jsonx_testing::suite;

/// A case of the suite.
struct Case {
    line: usize,
    program: String,
    input: String,
    /// `None` if the program must not compile.
    results: Option<Vec<String>>,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let mut rest: Vec<String> = Vec::new();
        for (_, line) in lines.by_ref() {
            if line.trim().is_empty() {
                break;
            }
            rest.push(line.to_owned());
        }
        if line.starts_with("%%FAIL") {
            let program = rest.remove(0);
            cases.push(Case {
                line: at + 2,
                program,
                input: String::new(),
                results: None,
            });
            continue;
        }
        if rest.is_empty() {
            continue;
        }
        let input = rest.remove(0);
        rest.retain(|line| !line.starts_with('#'));
        cases.push(Case {
            line: at + 1,
            program: line.to_owned(),
            input,
            results: Some(rest),
        });
    }
    cases
}

/// Programs whose results differ; docs/jq.md lists the reasons.
const DIFFERENCES: &[(&str, &str)] = &[
    (".[] = 1", NOT_JSON),
    ("tojson | fromjson", NOT_JSON),
    ("map(try implode catch .)", NOT_JSON),
    (".[] | try (fromjson | isnan) catch .", OWN_MESSAGES),
    ("try fromjson catch .", OWN_MESSAGES),
];

const NOT_JSON: &str = "NaN and Infinity are not JSON; they are read with --input json5";
const OWN_MESSAGES: &str = "errors of fromjson have the messages of jsonx";

/// Each case has a single input.
struct NoInputs;

impl Host for NoInputs {
    fn input(&self) -> Option<Result<Value, Exception>> {
        Some(Err(Exception::error("break")))
    }
}

fn settings() -> Settings {
    Settings {
        search: vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/modules")],
        ..Settings::default()
    }
}

fn run(case: &Case) -> Result<(), String> {
    let program = Program::compile(&case.program, &settings());
    let Some(expected) = &case.results else {
        return match program {
            Ok(_) => Err("compiles".to_owned()),
            Err(_) => Ok(()),
        };
    };
    let program = program.map_err(|error| format!("does not compile: {error}"))?;
    let value = |text: &str| Value::from_json(text.trim_start_matches('\u{feff}'));
    let input = value(&case.input).map_err(|error| format!("input: {error}"))?;
    let mut results: Vec<Value> = Vec::new();
    let ended = program.run_within(input, &NoInputs, 200 << 20, &mut |value| {
        results.push(value);
        Ok(())
    });
    let expected: Result<Vec<Value>, String> = expected.iter().map(|text| value(text)).collect();
    let expected = expected.map_err(|error| format!("expected: {error}"))?;
    let is_equal = results.len() == expected.len()
        && results
            .iter()
            .zip(&expected)
            .all(|(a, b)| order(a, b).is_eq());
    if is_equal {
        Ok(())
    } else {
        let error = match &ended {
            Err(Exception::Error(error)) => format!(", then {error}"),
            _ => String::new(),
        };
        Err(format!("{results:?}{error}; expected {expected:?}"))
    }
}

#[test]
fn cases_of_jq() {
    let Some(folder) = suite("jq") else {
        return;
    };
    let test = move || {
        let (mut all, mut different) = (0, Vec::new());
        for file in ["jq.test", "onig.test", "uri.test", "base64.test"] {
            let text = std::fs::read_to_string(folder.join(file)).unwrap();
            for case in cases(&text) {
                all += 1;
                if let Err(reason) = run(&case) {
                    let reason: String = reason.chars().take(300).collect();
                    different.push((
                        format!("{file}:{} {}: {reason}", case.line, case.program),
                        case.program,
                    ));
                }
            }
        }
        let unexplained: Vec<&str> = different
            .iter()
            .filter(|(_, program)| !DIFFERENCES.iter().any(|(other, _)| program == other))
            .map(|(text, _)| &**text)
            .collect();
        println!("{} of {all} cases are equal", all - different.len());
        assert!(unexplained.is_empty(), "{}", unexplained.join("\n"));
    };
    std::thread::Builder::new()
        .stack_size(256 << 20)
        .spawn(test)
        .unwrap()
        .join()
        .unwrap();
}

/// Every function compiles, including library functions, which are compiled at their first use.
#[test]
fn every_function_compiles() {
    let all = Program::compile("builtins[]", &Settings::default()).unwrap();
    for function in all.results(Value::from(true)).unwrap() {
        let function = function.to_string();
        let (name, arity) = function.trim_matches('"').split_once('/').unwrap();
        let arguments = vec!["."; arity.parse().unwrap()].join("; ");
        let call = if arguments.is_empty() {
            name.to_owned()
        } else {
            format!("{name}({arguments})")
        };
        assert!(
            Program::compile(&call, &Settings::default()).is_ok(),
            "{call}"
        );
    }
}

/// `?` after a step suppresses only the errors of that step.
#[test]
fn an_optional_step_is_a_pipe_into_a_try() {
    const INPUTS: [&str; 7] = [
        "null",
        "5",
        r#"[1, {"a": 2}, 3, {"a": 4, "k": "a"}]"#,
        r#"{"a": 1, "k": "b"}"#,
        r#"{"a": {"a": {"b": [1]}, "b": [[2], 3, [4]]}, "k": "b"}"#,
        r#"{"a": [1, [2, 3]], "k": 1, "b": 0}"#,
        r#"[[1], 2, [3]]"#,
    ];
    for (optional, explicit) in [
        (".[].a?", ".[] | try .a"),
        (".[][]?", ".[] | try .[]"),
        (".a?", "try .a"),
        (".a.b?", ".a | try .b"),
        (".a?.b?", "(try .a) | try .b"),
        (".a?.b", "(try .a) | .b"),
        (".a.b??", "try (.a | try .b)"),
        (".a[]?", ".a | try .[]"),
        (".a.[]?", ".a | try .[]"),
        (".a[0]?", ".a | try .[0]"),
        (".a[-1]?", ".a | try .[-1]"),
        (".a[1:]?", ".a | try .[1:]"),
        (".a[:.b]?", ".b as $x | .a | try .[:$x]"),
        (".a[.b:.k]?", ".b as $x | .k as $y | .a | try .[$x:$y]"),
        (".a.\"b\"?", ".a | try .b"),
        (".a.\"\\(.k)\"?", "\"\\(.k)\" as $x | .a | try .[$x]"),
        (".a[.k]?", ".k as $x | .a | try .[$x]"),
        (".[.a.b]?", ".a.b as $x | try .[$x]"),
        (
            ".a[.b, .k]?.b?",
            "((.b, .k) as $x | .a | try .[$x]) | try .b",
        ),
        ("(.a.b)?", "try (.a.b)"),
        ("(.[].a)?", "try (.[].a)"),
        (".. .a?", ".. | try .a"),
    ] {
        let program = |term: &str| {
            let text = format!(
                "try [{term}] catch ., try [path({term})] catch ., try (({term}) = 9) catch ."
            );
            let program = Program::compile(&text, &Settings::default());
            program.unwrap_or_else(|error| panic!("{text}: {error}"))
        };
        let (optional_program, explicit) = (program(optional), program(explicit));
        for input in INPUTS {
            let results = |program: &Program| {
                let results = program.results(Value::from_json(input).unwrap());
                Value::array(results.unwrap())
            };
            let (found, expected) = (results(&optional_program), results(&explicit));
            assert!(
                order(&found, &expected).is_eq(),
                "{optional} of {input}: {found:?}, not {expected:?}"
            );
        }
    }
}

/// Results of jq that its tests do not cover.
#[test]
fn cases_beyond_the_tests_of_jq() {
    for (program, input, expected) in [
        (
            "[.[(0, 1):(2, 3)]]",
            "[0, 1, 2, 3]",
            "[[0, 1], [0, 1, 2], [1], [1, 2]]",
        ),
        (
            "to_entries",
            "[5, [6]]",
            r#"[{"key": 0, "value": 5}, {"key": 1, "value": [6]}]"#,
        ),
        ("with_entries(.value += 1)", "{\"a\": 5}", r#"{"a": 6}"#),
        ("try to_entries catch \"none\"", "\"a\"", "\"none\""),
        (
            "map(has(\"a\"))",
            r#"[{"a": 1}, null, {}]"#,
            "[true, false, false]",
        ),
        (
            "map(isnan, isnormal, isinfinite)",
            "[\"a\", []]",
            "[false, false, false, false, false, false]",
        ),
        ("map(isfinite)", "[1, \"a\"]", "[true, false]"),
        (
            "[format(\"csv\"), (try format(\"x\") catch .)]",
            "[1]",
            r#"["1", "x is not a valid format"]"#,
        ),
        ("@base32 | [., @base32d]", "\"hi\"", r#"["NBUQ====", "hi"]"#),
        ("[limit(3; repeat(. * 2))]", "1", "[2, 2, 2]"),
        ("[repeat(. * 2, error)?]", "1", "[2]"),
        // An error is not an absent value.
        (
            "[try ((1, error(\"x\")) // 2) catch .]",
            "null",
            r#"[1, "x"]"#,
        ),
        (
            "[try (.a // 2) catch \"none\", (.a? // 2)]",
            "[]",
            r#"["none", 2]"#,
        ),
        ("[(false, null, 1) // 2, (empty // 3)]", "null", "[1, 3]"),
        (
            "[., {}, {a: null}] | map(.a.b |= empty)",
            "null",
            r#"[null, {}, {"a": null}]"#,
        ),
        (
            ".[1:] |= map(. * 2) | .[3] |= empty | .[0] |= empty",
            "[1, 2]",
            "[4]",
        ),
        ("try sub(\"a\"; \"b\") catch \"none\"", "5", "\"none\""),
        ("sub(\"x\"; \"b\")", "\"a\"", "\"a\""),
    ] {
        let results = Program::compile(program, &Settings::default()).unwrap();
        let results = results.results(Value::from_json(input).unwrap()).unwrap();
        let [result] = &results[..] else {
            panic!("{program}: {results:?}");
        };
        let expected = Value::from_json(expected).unwrap();
        assert!(order(result, &expected).is_eq(), "{program}: {result:?}");
    }
}

/// Long expressions are deep trees, which are followed by recursion. The frames of a test build are large.
#[test]
fn expressions_of_any_length_are_safe() {
    let thread = std::thread::Builder::new().stack_size(16 << 20);
    thread.spawn(long_expressions).unwrap().join().unwrap();
}

fn long_expressions() {
    for operator in [
        " + 1",
        " | 1",
        ", 1",
        " or 1",
        " // 1",
        ".a",
        "[0]",
        "[]",
        " as $x | 1",
    ] {
        let compile = |count| {
            let program = format!("(.){}", operator.repeat(count));
            Program::compile(&program, &Settings::default())
        };
        // The limit of the stack may end it with an error.
        if let Ok(program) = compile(4_000) {
            let _ = program.results(Value::from_json("null").unwrap());
        }
        if [" | 1", ", 1", " or 1"].contains(&operator) {
            let results = compile(100_000).unwrap().results(Value::default()).unwrap();
            assert_eq!(
                results.last().unwrap().to_string().replace("true", "1"),
                "1"
            );
            continue;
        }
        let error = compile(100_000).expect_err(operator);
        let is_limit = ["operators in a row", "nested too deep"];
        assert!(
            is_limit.iter().any(|it| error.message.contains(it)),
            "{operator}: {error}"
        );
    }
}
