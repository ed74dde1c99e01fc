//! All jobs, with the commands of each program.

use super::Plan;
use super::job::{Entry, Expect, Job, is_installed};
use super::scratch::{LAST, Scratch};
use std::path::Path;

const NODE: &str = "JSON.parse(require('fs').readFileSync(process.argv[1]))";
const PYTHON: &str = "import json, sys; json.load(open(sys.argv[1], 'rb'))";
const NODE_COMPACT: &str = "const fs = require('fs'); fs.writeSync(1, JSON.stringify(JSON.parse(fs.readFileSync(process.argv[1]))))";

/// A member of each record of `Scratch::lines`.
const FIELD: &str = ".search_metadata.query";

/// Lists the files of a directory, and reads them.
const READING: &str = "command -v rg > /dev/null || exit; rg --files --no-ignore \"$1\" | wc -l; rg --files --no-ignore -0 \"$1\" | xargs -0 cat | wc -c";
const EACH: &str = "find \"$1\" -name '*.json' -print0 | xargs -0 jq empty";

/// All jobs, with the programs that are installed.
pub fn jobs(plan: &Plan, scratch: &Scratch) -> Vec<Job> {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let jsonx = &*text(&plan.jsonx);
    let (large, minified, pretty) = (
        &*text(&scratch.large),
        &*text(&scratch.minified),
        &*text(&scratch.pretty),
    );
    let (broken, small) = (&*text(&scratch.broken), &*text(&scratch.small));
    let (lines, tree) = (&*text(&scratch.lines), &*text(&scratch.tree));
    let ok = || Expect::Exit(0);
    let same = || Expect::SameAsFirst { through: None };
    let words = |command: &[&str]| {
        command
            .iter()
            .map(|&word| word.to_owned())
            .collect::<Vec<_>>()
    };
    let compacted = || Expect::SameAsFirst {
        through: Some(words(&[jsonx, "fmt", "-c", "-"])),
    };
    // The generated files have the layout of jsonx, so a round trip reproduces them.
    let back = |file: &str, command: &[&str]| Expect::File {
        file: file.to_owned(),
        through: words(command),
    };

    let mut jobs = vec![
        Job {
            name: "validate a file",
            remark: "With the lints that are on by default, and the verdict alone (`--allow all`). `wc -l` reads and \
                counts, no more. jq, jaq, gojq, qj, node and python build the document in memory.",
            bytes: plan.large,
            entries: vec![
                Entry::new("jsonx", &[jsonx, "validate", large], ok()),
                Entry::new(
                    "jsonx, no lints",
                    &[jsonx, "validate", "--allow=all", large],
                    ok(),
                ),
                Entry::new("wc", &["wc", "-l", large], ok()),
                Entry::new("jq", &["jq", "empty", large], ok()),
                Entry::new("jaq", &["jaq", "empty", large], ok()),
                Entry::new("gojq", &["gojq", "empty", large], ok()),
                Entry::new("qj", &["qj", "empty", large], ok()),
                Entry::new("node", &["node", "-e", NODE, large], ok()),
                Entry::new("python3", &["python3", "-c", PYTHON, large], ok()),
            ],
            repeats: 1,
        },
        Job {
            name: "validate from a pipe",
            remark: "`cat FILE |` before each; its time counts. Memory is that of the reader alone.",
            bytes: plan.large,
            entries: vec![
                Entry::new("jsonx", &[jsonx, "validate", "-"], ok()).fed_from(large),
                Entry::new("wc", &["wc", "-l"], ok()).fed_from(large),
                Entry::new("jq", &["jq", "empty"], ok()).fed_from(large),
                Entry::new("jaq", &["jaq", "empty"], ok()).fed_from(large),
                Entry::new("gojq", &["gojq", "empty"], ok()).fed_from(large),
            ],
            repeats: 1,
        },
        Job {
            name: "validate JSON Lines",
            remark: "Each line is one value, which only jsonx checks; `one thread` is `--threads 1`, `no lints` `--allow \
                     all`.",
            bytes: plan.medium,
            entries: vec![
                Entry::new("jsonx", &[jsonx, "validate", lines], ok()),
                Entry::new(
                    "jsonx, one thread",
                    &[jsonx, "validate", "--threads=1", lines],
                    ok(),
                ),
                Entry::new(
                    "jsonx, no lints",
                    &[jsonx, "validate", "--allow=all", lines],
                    ok(),
                ),
                Entry::new(
                    "jsonx, no lints, one thread",
                    &[jsonx, "validate", "--allow=all", "--threads=1", lines],
                    ok(),
                ),
                Entry::new("wc", &["wc", "-l", lines], ok()),
                Entry::new("jq", &["jq", "empty", lines], ok()),
                Entry::new("qj", &["qj", "empty", lines], ok()),
            ],
            repeats: 1,
        },
        Job {
            name: "get a field of JSON Lines",
            remark: "A string of each record, decoded. qj does not check what it skips.",
            bytes: plan.medium,
            entries: vec![
                Entry::new("jsonx", &[jsonx, "get", "-r", FIELD, lines], ok()),
                Entry::new("qj", &["qj", "-r", FIELD, lines], same()),
                Entry::new("jq", &["jq", "-r", FIELD, lines], same()),
                Entry::new("jaq", &["jaq", "-r", FIELD, lines], same()),
                Entry::new("gojq", &["gojq", "-r", FIELD, lines], same()),
            ],
            repeats: 1,
        },
        Job {
            name: "validate 20,000 files",
            remark: "Of 500 to 3,500 bytes, in 200 directories. `rg and cat` list them with rg and then read them, and no \
                     more. jq is given all names at once.",
            bytes: 0,
            entries: vec![
                Entry::new("jsonx", &[jsonx, "validate", tree], ok()),
                Entry::new(
                    "jsonx, one thread",
                    &[jsonx, "validate", "--threads=1", tree],
                    ok(),
                ),
                Entry::new(
                    "jsonx, no lints",
                    &[jsonx, "validate", "--allow=all", tree],
                    ok(),
                ),
                Entry::new("rg and cat", &["sh", "-c", READING, "sh", tree], ok()),
                Entry::new("jq", &["sh", "-c", EACH, "sh", tree], ok()),
                Entry::new("biome", &["biome", "lint", tree], ok()),
                Entry::new("prettier", &["prettier", "--check", tree], Expect::Exit(1)),
            ],
            repeats: 1,
        },
        Job {
            name: "fmt -c, from indented to compact",
            remark: "jsonxf checks nothing. Outputs are the same byte for byte, but for those of jq, jaq, gojq and node, \
                     which write numbers anew.",
            bytes: plan.medium,
            entries: vec![
                Entry::new(
                    "jsonx",
                    &[jsonx, "fmt", "-c", pretty],
                    back(pretty, &[jsonx, "fmt", "-"]),
                ),
                Entry::new("jsonxf", &["jsonxf", "-m", "-i", pretty], same()),
                Entry::new("jq", &["jq", "-c", ".", pretty], ok()),
                Entry::new("jaq", &["jaq", "-c", ".", pretty], ok()),
                Entry::new("gojq", &["gojq", "-c", ".", pretty], ok()),
                Entry::new("node", &["node", "-e", NODE_COMPACT, pretty], ok()),
            ],
            repeats: 1,
        },
        Job {
            name: "fmt, from compact to indented",
            remark: "jsonxf checks nothing. Its output and that of jsonx are compared after `jsonx fmt -c`.",
            bytes: plan.medium,
            entries: vec![
                Entry::new(
                    "jsonx",
                    &[jsonx, "fmt", minified],
                    back(minified, &[jsonx, "fmt", "-c", "-"]),
                ),
                Entry::new("jsonxf", &["jsonxf", "-i", minified], compacted()),
                Entry::new("jq", &["jq", ".", minified], ok()),
                Entry::new("jaq", &["jaq", ".", minified], ok()),
                Entry::new("gojq", &["gojq", ".", minified], ok()),
            ],
            repeats: 1,
        },
        Job {
            name: "get at the end of a file",
            remark: "jsonx checks the whole file, rq nothing.",
            bytes: plan.large,
            entries: vec![
                Entry::new(
                    "jsonx",
                    &[jsonx, "get", ".last.answer", large],
                    Expect::Output(LAST.to_owned()),
                ),
                Entry::new(
                    "rq",
                    &["rq", "$.last.answer", large],
                    Expect::Output(LAST.to_owned()),
                ),
                Entry::new(
                    "jq",
                    &["jq", ".last.answer", large],
                    Expect::Output(LAST.to_owned()),
                ),
                Entry::new(
                    "jaq",
                    &["jaq", ".last.answer", large],
                    Expect::Output(LAST.to_owned()),
                ),
                Entry::new(
                    "gojq",
                    &["gojq", ".last.answer", large],
                    Expect::Output(LAST.to_owned()),
                ),
            ],
            repeats: 1,
        },
        Job {
            name: "start-up, a file of 100 bytes",
            remark: "`true` is the program, not the word of a shell: the price of starting anything.",
            bytes: 0,
            entries: vec![
                Entry::new("jsonx", &[jsonx, "validate", small], ok()),
                Entry::new("true", &["true"], ok()),
                Entry::new("jq", &["jq", "empty", small], ok()),
                Entry::new("jaq", &["jaq", "empty", small], ok()),
                Entry::new("gojq", &["gojq", "empty", small], ok()),
                Entry::new("jsonxf", &["jsonxf", "-m", "-i", small], ok()),
                Entry::new("rq", &["rq", "$.name", small], ok()),
            ],
            repeats: 40,
        },
        Job {
            name: "an error at the last byte",
            remark: "The same file with the wrong bracket at its end, and as it should be.",
            bytes: plan.medium,
            entries: vec![
                Entry::new(
                    "jsonx",
                    &[jsonx, "validate", "--allow=all", broken],
                    Expect::Exit(1),
                ),
                Entry::new(
                    "jsonx, valid",
                    &[jsonx, "validate", "--allow=all", minified],
                    ok(),
                ),
            ],
            repeats: 1,
        },
    ];
    jobs.extend(scratch.repairs.jobs(jsonx));
    for job in &mut jobs {
        job.entries.retain(|entry| is_installed(&entry.command[0]));
    }
    jobs
}
