//! Workflow commands, parsed like the runner of GitHub Actions.

use std::collections::BTreeMap;

use super::{shown, tree};
use crate::{Folder, jsonx, run};

#[derive(Debug)]
struct Command {
    name: String,
    properties: BTreeMap<String, String>,
    data: String,
}

/// The rules of the runner: `::` after optional white space, the command up to the next `::`, properties after the
/// first space, separated by commas; then escapes are decoded, `%25` last.
fn parse(line: &str) -> Option<Command> {
    let (head, data) = line.trim_start().strip_prefix("::")?.split_once("::")?;
    let (name, rest) = head.split_once(' ').unwrap_or((head, ""));
    let unescape = |text: &str, escapes: &[(&str, &str)]| {
        escapes
            .iter()
            .fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
    };
    let of_data = [("%0D", "\r"), ("%0A", "\n"), ("%25", "%")];
    let of_property = [
        ("%0D", "\r"),
        ("%0A", "\n"),
        ("%3A", ":"),
        ("%2C", ","),
        ("%25", "%"),
    ];
    let properties = rest.split(',').filter_map(|pair| pair.split_once('='));
    Some(Command {
        name: name.to_owned(),
        properties: properties
            .map(|(key, value)| (key.trim().to_owned(), unescape(value, &of_property)))
            .collect(),
        data: unescape(data, &of_data),
    })
}

fn commands(out: &str) -> Vec<Command> {
    out.lines()
        .map(|line| parse(line).unwrap_or_else(|| panic!("no command: {line}")))
        .collect()
}

#[test]
fn every_line_is_a_command_that_the_service_takes() {
    let found = commands(&shown(&tree(), "github").out);
    for command in &found {
        let number = |key: &str| {
            command
                .properties
                .get(key)
                .map(|text| text.parse::<u64>().expect("a number"))
        };
        assert!(
            ["error", "warning", "notice"].contains(&command.name.as_str()),
            "{command:?}"
        );
        for key in command.properties.keys() {
            assert!(
                ["file", "line", "endLine", "col", "endColumn", "title"].contains(&key.as_str())
            );
        }
        // GitHub rejects or drops an end before its start, and columns over several lines.
        assert!(number("endLine") >= number("line"));
        if number("line") == number("endLine") {
            assert!(number("endColumn") >= number("col"));
        } else {
            assert_eq!((number("col"), number("endColumn")), (None, None));
        }
        assert!(!command.data.is_empty());
    }
    let with = |file: &str| {
        found.iter().find(|command| {
            command
                .properties
                .get("file")
                .is_some_and(|name| name == file)
        })
    };
    assert!(with("a, b: 100%;'<&\">.json").is_some(), "{found:?}");
    assert_eq!(
        with("gone.json").expect("the missing file").data,
        "No such file or directory"
    );
    let first = with("a.json").expect("the first error");
    assert_eq!(first.properties["title"], "jsonx missing-comma");
    assert_eq!(
        first.data,
        "missing comma between members (insert `,` here)\nat: .a"
    );
    assert!(found.iter().any(|command| command.name == "warning"));
    assert_eq!(found.last().expect("one").name, "notice");
}

#[test]
fn a_notice_counts_annotations_beyond_the_limit() {
    let shown = |count: usize| {
        let text = format!("[{}1]", "01,".repeat(count));
        let folder = Folder::with(&[("a.json", text.as_bytes())]);
        commands(&folder.run(&["validate", "--reporter=github", "a.json"]).out)
    };
    assert_eq!(shown(10).len(), 10);
    let many = shown(11);
    assert_eq!((many.len(), many[11].name.as_str()), (12, "notice"));
    assert!(
        many[11]
            .data
            .starts_with("11 errors in 1 file; 1 file checked; only the first 10 ")
    );
}

#[test]
fn files_are_named_from_the_workspace() {
    let folder = Folder::with(&[]);
    std::fs::create_dir(folder.path("sub")).expect("a directory");
    std::fs::write(folder.path("sub/a.json"), b"[1,]").expect("a file");
    let ran = run(jsonx(&["validate", "--reporter=github", "./a.json"])
        .current_dir(folder.path("sub"))
        .env("GITHUB_WORKSPACE", folder.path(""))
        .write_stdin(""));
    assert_eq!(commands(&ran.out)[0].properties["file"], "sub/a.json");
}

#[test]
fn annotations_are_automatic_in_the_service() {
    let folder = Folder::with(&[("a.json", b"[1,]"), ("b.json", b"[01]")]);
    let ran = |args: &[&str], value: &str| {
        let args = [&["validate", "a.json", "b.json"], args].concat();
        let ran = run(jsonx(&args)
            .current_dir(folder.path(""))
            .env("GITHUB_ACTIONS", value)
            .write_stdin(""));
        assert_eq!(ran.code, 1);
        ran.out
    };
    let both = ran(&[], "true");
    let plain = ran(&["--reporter=human"], "true");
    assert!(!plain.contains("::error"), "{plain}");
    let (annotations, rest): (Vec<&str>, Vec<&str>) =
        both.lines().partition(|line| line.starts_with("::"));
    assert_eq!(annotations.len(), 2, "{both}");
    assert_eq!(rest.join("\n") + "\n", plain);
    assert_eq!(ran(&[], "false"), plain);
}

#[test]
fn a_message_names_the_other_places_that_explain_it() {
    let folder = Folder::with(&[("a.json", b"{\"a\": 1,\n \"a\": [1, 2}\n}")]);
    let ran = |format: &str| {
        folder
            .run(&["validate", "--reporter", format, "a.json"])
            .out
    };
    let found = commands(&ran("github"));
    assert_eq!(
        found[0].data,
        "duplicate key `a` (later value silently wins in most parsers)\n1:2: first defined here"
    );
    assert!(
        found[1]
            .data
            .contains("(change to `]`)\n2:7: array opened here\nat: ")
    );
    assert!(ran("junit").contains("(change to `]`)\n  2:7: array opened here\n  at: "));
    // SARIF has a separate field for them.
    let sarif: serde_json::Value = serde_json::from_str(&ran("sarif")).expect("JSON");
    let result = &sarif["runs"][0]["results"][1];
    assert!(
        !result["message"]["text"]
            .as_str()
            .expect("text")
            .contains("opened here")
    );
    let related = &result["relatedLocations"][0];
    assert_eq!(related["message"]["text"], "array opened here");
    assert_eq!(related["physicalLocation"]["region"]["startColumn"], 7);
}
