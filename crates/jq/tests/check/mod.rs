//! Compares the results of programs with expectations.

use jsonx_jq::{NoHost, Program, Settings, Value};

/// Each program has these results, separated by spaces, or fails with an error whose message contains the text after `error: `.
pub fn check(cases: &[(&str, &str)]) {
    for (program, expected) in cases {
        let compiled = Program::compile(program, &Settings::default());
        let compiled = compiled.unwrap_or_else(|error| panic!("{program}: {error}"));
        let mut results = Vec::new();
        let ended = compiled.run(Value::from_json("null").unwrap(), &NoHost, &mut |value| {
            results.push(value.to_string());
            Ok(())
        });
        match expected.strip_prefix("error: ") {
            Some(message) => {
                let error = format!("{:?}", ended.expect_err(program));
                assert!(error.contains(message), "{program}: {error}");
            }
            None => {
                ended.unwrap_or_else(|error| panic!("{program}: {error:?}"));
                assert_eq!(results.join(" "), *expected, "{program}");
            }
        }
    }
}
