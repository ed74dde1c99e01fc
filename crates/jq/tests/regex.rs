//! Regular expressions: a table of patterns, flags and texts with the matches that jq finds, from `regex.jsonl`.

use jsonx_jq::{Program, Settings, Value};

/// The text of the rows that have none.
const TEXT: &str =
    "The quick_brown fox\njumps 42 times, v1.2.3-rc1 é ß Ⅷ ٣ ½ Ⓐ\t<a href=\"x\">\r\nEnd\n";

/// The first matches, each with its offset, its text, and the names and texts of its groups; or the message of the error.
const PROGRAM: &str = "
    . as [$pattern, $flags, $text]
    | try [limit(5; ($text // $default)
        | match($pattern; $flags)
        | [.offset, .string, (.captures | map([.name, .string]))])]
      catch .";

/// The rows end with the matches that jq finds or the message of its error; or with `not supported`, for patterns that are refused.
#[test]
fn matches_are_those_of_jq() {
    let variables = vec![("$default".into(), Value::from(TEXT))];
    let settings = Settings {
        variables,
        ..Settings::default()
    };
    let program = Program::compile(PROGRAM, &settings).unwrap();
    for row in include_str!("regex.jsonl").lines() {
        let input = Value::from_json(row).unwrap();
        let expected = Program::compile(".[3]", &settings).unwrap();
        let expected = expected.results(input.clone()).unwrap()[0].to_string();
        let found = program.results(input).unwrap()[0].to_string();
        match expected.as_str() {
            "\"not supported\"" => assert!(found.ends_with("is not supported\""), "{row}: {found}"),
            _ => assert_eq!(found, expected, "{row}"),
        }
    }
}
