//! What jq 1.8 answers: each row of `answers.jsonl` is a program, its results, and the message of its error, as jq prints them for
//! the input `null`.

use jsonx_jq::{Exception, NoHost, Program, Settings, Value};

#[test]
fn answers_are_those_of_jq() {
    let strings = |value: &Value| -> Vec<String> {
        let items = Program::compile(".[]", &Settings::default()).unwrap();
        let items = items.results(value.clone()).unwrap();
        items
            .iter()
            .map(|item| item.as_str().unwrap().into_owned())
            .collect()
    };
    for row in include_str!("answers.jsonl").lines() {
        let columns = Program::compile(".[]", &Settings::default()).unwrap();
        let row = columns.results(Value::from_json(row).unwrap()).unwrap();
        let text = row[0].as_str().unwrap();
        let program = Program::compile(&text, &Settings::default());
        let program = program.unwrap_or_else(|error| panic!("{text}: {error}"));
        let mut results = Vec::new();
        let ended = program.run(Value::default(), &NoHost, &mut |value| {
            results.push(value.to_string());
            Ok(())
        });
        let message = match ended {
            Err(Exception::Error(error)) => Value::from(error.to_string()),
            _ => Value::Null,
        };
        let found = (results, message.to_string());
        let wanted = (strings(&row[1]), row[2].to_string());
        assert_eq!(found, wanted, "{text}");
    }
}
