//! The work of repair is linear in the length of the text for any repetition of mistakes.

use super::run;
use crate::diagnose::{Applicability, DiagnoseOptions, Framing, diagnose};
use jsonx_testing::{cases, fragments};

#[test]
fn the_work_is_linear() {
    for (head, line, tail) in [
        ("[", "{'a': 1, b: tru, // c\n", "1]"),
        ("", "{\"a\": 1}\n", "{b: 1}"),
        ("{", "\"a\" \"b\n", "}"),
        ("[", "f(g(1), ", "]"),
        ("[", "\"\"\"a, ", "]"),
        ("[", "`a, ", "]"),
        ("```json\n[", "u'a', ", "]\n```"),
        ("x y {\"a\": [", "```\n1,", "]}"),
        ("{", "'a', ", "}"),
        ("[", "..., ", "]"),
        ("[", "a/*b, ", "]"),
        ("[", "a//b ", "]"),
        ("[", "a/b#c/*", "]"),
        ("{", "b/*c*/:.5/*d*/,", "}"),
        ("{", "b //\":\n: 1,", "}"),
        ("[", "\"C:\\new\\x\",", "]"),
        ("［", "“a”，'b'、", "］"),
        ("[None", ", [x] {1}", "]"),
        ("[", "true：", "]"),
        ("", "/```", ""),
    ] {
        let steps = |count: usize| {
            let text = [head, &line.repeat(count), tail].concat();
            run(text.as_bytes(), Applicability::Review, Framing::OneValue).steps
        };
        let (few, many) = (steps(500), steps(4000));
        assert!(many <= 16 * few + 10_000, "{line:?}: {few} and {many}");
    }
}

/// Counts steps; the tests of the program count instructions.
#[test]
fn the_work_is_linear_in_repeated_fragments() {
    let mut random = jsonx_testing::inject::Random(53);
    for _ in 0..cases(800).cases {
        let (start, repeated) = fragments::draw(&mut random);
        let steps = |length| {
            let text = fragments::text(start, &repeated, length);
            let found = diagnose(text.as_bytes(), &DiagnoseOptions::default().limit(5)).steps;
            found + run(text.as_bytes(), Applicability::Review, Framing::OneValue).steps
        };
        let (few, many) = (steps(5000), steps(40_000));
        assert!(many <= 20 * few, "{start:?} {repeated:?}: {few} and {many}");
    }
}

#[test]
fn the_work_is_linear_in_fragments_far_apart() {
    let mut random = jsonx_testing::inject::Random(531);
    for _ in 0..cases(60).cases {
        let (_, repeated) = fragments::draw(&mut random);
        for separator in fragments::SEPARATORS {
            let steps = |records| {
                let text = fragments::spread(&repeated, separator, records);
                let found = diagnose(text.as_bytes(), &DiagnoseOptions::default().limit(5)).steps;
                found + run(text.as_bytes(), Applicability::Review, Framing::OneValue).steps
            };
            let (few, many) = (steps(10), steps(80));
            assert!(many <= 10 * few, "{repeated:?}: {few} and {many}");
        }
    }
}
