//! The required tests of the JSON Schema test suite, through the program.

use super::*;

/// The required tests of a draft, each group as JSON Lines.
fn suite(draft: &str, options: &[&str]) {
    let Some(suite) = jsonx_testing::suite("JSON-Schema-Test-Suite") else {
        return;
    };
    let remotes = suite.join("remotes");
    let mut files: Vec<_> = fs::read_dir(suite.join("tests").join(draft))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .collect();
    files.sort();
    let (mut tests, mut wrong) = (0, Vec::new());
    for path in files {
        let groups: Vec<Value> = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        for group in groups {
            let mut lines = String::new();
            for test in group["tests"].as_array().unwrap() {
                lines += &format!("{}\n", test["data"]);
            }
            let schema = group["schema"].to_string();
            let folder =
                Folder::with(&[("s.json", schema.as_bytes()), ("a.jsonl", lines.as_bytes())]);
            let dir = remotes.to_str().unwrap();
            let arguments = [
                "validate",
                "--schema",
                "s.json",
                "--schema-dir",
                dir,
                "--reporter",
                "json",
                "--max-errors",
                "0",
                "--allow",
                "all",
                "a.jsonl",
            ];
            let ran = folder.run(&[&arguments, options].concat());
            let invalid: Vec<u64> = ran
                .out
                .lines()
                .map(|line| -> Value { serde_json::from_str(line).unwrap() })
                .filter_map(|record| record["record"].as_u64())
                .collect();
            let is_run = ran.code <= 1 && ran.err.is_empty();
            for (number, test) in (1..).zip(group["tests"].as_array().unwrap()) {
                tests += 1;
                if !is_run || invalid.contains(&number) == (test["valid"] == true) {
                    wrong.push(format!(
                        "{}: {}: {} {}",
                        path.display(),
                        group["description"],
                        test["description"],
                        ran.out
                    ));
                }
            }
        }
    }
    assert!(tests > 800, "{tests}");
    assert!(
        wrong.is_empty(),
        "{} of {tests}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn the_suite_of_draft_7() {
    suite("draft7", &["--draft", "7"]);
}

#[test]
fn the_suite_of_draft_2020_12() {
    suite("draft2020-12", &[]);
}
