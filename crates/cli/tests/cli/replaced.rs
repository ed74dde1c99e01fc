//! The table of `docs/replaced.md`: what is gone is refused, and each command that replaces it does the job.

use std::process::Command;

use crate::Folder;

const GUIDE: &str = include_str!("../../../../docs/replaced.md");

/// The files of the commands.
const FILES: &[(&str, &[u8])] = &[
    ("conf/a.json", b"{a: 1,}\n"),
    (
        "edit.json",
        b"{\n  \"a\": 0, \"b\": {},\n  \"list\": [1.50],\n  \"old\": 2,\n  \"items\": [{\"old\": 3}, {}]\n}\n",
    ),
    (
        "edit.jsonc",
        b"{\n  // first\n  \"old\": [1, /* two */ 2], // last\n  \"z\": 1.0\n}\n",
    ),
    ("edit.json5", b"{a: 0xF, 'b': +1}\n"),
    (
        "app.jsonl",
        b"{\"status\": 500, \"user\": {\"name\": \"a\"}}\n{\"status\": 404, \"tags\": [\"x\", \"y\"]}\n{\"level\": \"info\"}\n",
    ),
    (
        "team.json",
        b"{\"team\": null, \"users\": [{\"name\": \"a\"}, {\"name\": \"b|c\"}]}\n",
    ),
    ("data.msgpack", b"\x81\xa1a\x92\x01\xc0"),
    ("odd.msgpack", b"\x81\x01\xca\x7f\x80\0\0"),
    ("rows.json", b"[{\"a\": 1}, 2.5]\n"),
];

/// The command lines of the table: what was, and what is now.
fn rows() -> Vec<(String, String)> {
    let rows = GUIDE.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let row = row.replace("\\|", "\u{0}");
        let cells = row.split(" | ").map(|cell| {
            // A remark may follow.
            let cell = cell.split('`').nth(1).unwrap_or_default();
            cell.replace('\u{0}', "|")
        });
        let cells: Vec<String> = cells.collect();
        let [was, now] = &cells[..] else {
            panic!("two cells: {cells:?}")
        };
        (was.clone(), now.clone())
    })
    .collect()
}

/// Runs a line of a shell in a folder with the files.
fn run(line: &str) -> (String, String, Option<i32>) {
    let folder = Folder::with(&[]);
    for (name, text) in FILES {
        let path = folder.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_jsonx"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", binary.parent().unwrap().display());
    let mut shell = Command::new("sh");
    // Not every machine has a pager.
    let line = line.replace("less -R", "cat");
    shell.args(["-c", &line]).current_dir(folder.path(""));
    shell.env("PATH", &path);
    for name in crate::DECIDING {
        shell.env_remove(name);
    }
    let output = shell.output().expect("sh");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let code = output.status.code();
    (text(output.stdout), text(output.stderr), code)
}

#[test]
fn what_is_gone_is_refused_with_the_command_to_type() {
    for (was, now) in rows() {
        let name = now.split(['|', ';']).next().unwrap_or_default();
        let name: Vec<&str> = name.split(' ').take(2).collect();
        for line in [was.clone(), format!("printf '' | {was}")] {
            let (out, err, code) = run(&line);
            assert_eq!((out.as_str(), code), ("", Some(2)), "{line}: {err}");
            assert!(
                err.contains(&format!("`{}", name.join(" "))),
                "{line}: {err}"
            );
        }
    }
}

/// A report in SARIF without the explanations of all rules, which have their own tests.
fn without_rules(out: &str) -> String {
    let (rules, end) = ("\"rules\":[", "]}},\"defaultEncoding\"");
    match (out.find(rules), out.find(end)) {
        (Some(from), Some(to)) => [&out[..from + rules.len()], "…", &out[to..]].concat(),
        _ => out.to_owned(),
    }
}

#[test]
fn what_replaces_it_does_the_job() {
    let mut all = String::new();
    for (_, now) in rows() {
        let (out, err, code) = run(&now);
        assert_ne!(code, Some(2), "{now}: {err}");
        all += &format!(
            "$ {now}\n{}{err}[{}]\n",
            without_rules(&out),
            code.unwrap_or(-1)
        );
    }
    insta::assert_snapshot!(all);
}
