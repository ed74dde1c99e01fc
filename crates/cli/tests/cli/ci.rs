//! Configuration for other repositories: the pre-commit hooks, the GitHub action, and the snippets of `docs/ci.md`.
//! Each is parsed, and its commands are run in a valid and an invalid tree.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use yaml_rust2::{Yaml, YamlLoader};

use crate::Folder;

pub fn text_of(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

pub fn yaml(text: &str) -> Yaml {
    let mut documents =
        YamlLoader::load_from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(documents.len(), 1, "{text}");
    documents.remove(0)
}

pub fn string(value: &Yaml) -> &str {
    value
        .as_str()
        .unwrap_or_else(|| panic!("no string: {value:?}"))
}

/// A repository without errors.
pub fn fine() -> Folder {
    let folder = Folder::with(&[
        ("package.json", b"{\n  \"name\": \"x\"\n}\n"),
        ("odd name, 100%.json", b"[\n  1\n]\n"),
        ("events.jsonl", b"{\"a\":1}\n{\"a\":2}\n"),
        (".gitignore", b"ignored.json\n"),
        ("ignored.json", b"nonsense"),
        ("README.md", b"# not JSON\n"),
    ]);
    for directory in [".git", "schemas"] {
        fs::create_dir(folder.path(directory)).expect("a directory");
    }
    let mut snippets = snippets().into_iter();
    let (_, catalog) = snippets
        .find(|(language, _)| language == "json")
        .expect("a catalog");
    fs::write(folder.path("schemas/catalog.json"), catalog).expect("a file");
    let schema = b"{\n  \"required\": [\n    \"name\"\n  ]\n}\n";
    fs::write(folder.path("schemas/package.schema.json"), schema).expect("a file");
    folder
}

/// The same with two mistakes.
pub fn broken() -> Folder {
    let folder = fine();
    fs::write(folder.path("package.json"), b"{\n  \"name\": \"x\",\n}\n").expect("a file");
    fs::write(folder.path("events.jsonl"), b"{\"a\":1}\n{\"a\":01}\n").expect("a file");
    folder
}

/// The same with one file that is valid but not formatted.
pub fn unformatted() -> Folder {
    let folder = fine();
    fs::write(folder.path("package.json"), b"{\"name\":\"x\"}").expect("a file");
    folder
}

pub struct Outcome {
    pub out: String,
    pub code: i32,
}

/// Runs a program in a folder, with our binary on the PATH.
fn run(folder: &Folder, program: &[&str], variables: &[(&str, &str)]) -> Outcome {
    let binary = Path::new(env!("CARGO_BIN_EXE_jsonx"))
        .parent()
        .expect("a folder");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(
        std::iter::once(binary.to_owned()).chain(std::env::split_paths(&path)),
    );
    let mut command = Command::new(program[0]);
    command
        .args(&program[1..])
        .current_dir(folder.path(""))
        .env("PATH", path.expect("a PATH"));
    for name in [
        "JSONX_KERNEL",
        "CLICOLOR_FORCE",
        "COLUMNS",
        "GITHUB_ACTIONS",
        "GITHUB_WORKSPACE",
        "CI_PROJECT_DIR",
    ] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied());
    let output = command
        .stdin(std::process::Stdio::null())
        .output()
        .expect("it starts");
    Outcome {
        out: String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr),
        code: output.status.code().expect("no signal"),
    }
}

pub fn shell(folder: &Folder, script: &str, variables: &[(&str, &str)]) -> Outcome {
    // As GitHub Actions and GitLab CI run scripts.
    run(
        folder,
        &[
            "bash",
            "--noprofile",
            "--norc",
            "-eo",
            "pipefail",
            "-c",
            script,
        ],
        variables,
    )
}

/// The names of the files in a folder that a hook receives.
fn files(folder: &Folder, pattern: &str) -> Vec<String> {
    let pattern = regex::Regex::new(pattern).expect("a pattern");
    let mut names: Vec<String> = fs::read_dir(folder.path(""))
        .expect("the folder")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .filter(|name| name != "ignored.json")
        .filter(|name| pattern.is_match(name))
        .collect();
    names.sort();
    names
}

/// Runs a hook as pre-commit does: its entry, its arguments, the names of files.
fn run_hook(hook: &Yaml, folder: &Folder) -> Outcome {
    // Our hooks install the wheel; a local one uses the program on the PATH.
    assert!(["python", "system"].contains(&string(&hook["language"])));
    let mut words: Vec<String> = string(&hook["entry"])
        .split(' ')
        .map(str::to_owned)
        .collect();
    words.extend(
        hook["args"]
            .as_vec()
            .into_iter()
            .flatten()
            .map(|arg| string(arg).to_owned()),
    );
    if hook["pass_filenames"].as_bool() != Some(false) {
        words.extend(files(folder, string(&hook["files"])));
    }
    run(
        folder,
        &words.iter().map(String::as_str).collect::<Vec<_>>(),
        &[],
    )
}

fn hooks() -> BTreeMap<String, Yaml> {
    let all = yaml(&text_of(".pre-commit-hooks.yaml"));
    let hooks = all.as_vec().expect("a list");
    hooks
        .iter()
        .map(|hook| (string(&hook["id"]).to_owned(), hook.clone()))
        .collect()
}

/// A name that each row of the table selects, and names that none does.
#[test]
fn the_hooks_take_the_names_that_a_walk_does() {
    let rows = include_str!("../../src/files/dialects.txt").lines();
    let rows = rows.filter(|row| !row.starts_with('#')).map(|row| {
        let pattern = row.split('|').next().unwrap_or_default().trim();
        pattern.replace('*', "x")
    });
    let mut names: Vec<String> = rows.collect();
    let others = [
        "json",
        "JSON",
        "jsonl",
        "har",
        "geojson",
        "txt",
        "map",
        "lock",
        "hjson",
        "json.gz",
        "ipynb.zst",
        "json.zip",
    ];
    names.extend(others.map(|end| format!("a.{end}")));
    names.extend(["Cargo.lock", "json", "a/.jsonx", "x.bun.lock", "ajson"].map(str::to_owned));
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (&**name, &b"[ ]"[..])).collect();
    let folder = Folder::with(&files);
    let hooks = hooks();
    for (id, args) in [
        ("jsonx-validate", &["validate", "-v"][..]),
        ("jsonx-fmt", &["fmt", "-v", "--check"]),
    ] {
        let pattern = regex::Regex::new(string(&hooks[id]["files"])).expect(id);
        let ran = folder.run(&[args, &["--no-config", "."]].concat());
        for name in &names {
            let outcome = |text: &str| {
                text.lines().any(|line| {
                    let outcome = line.strip_prefix(&format!("{name}: "));
                    outcome.is_some_and(|outcome| {
                        outcome.starts_with("valid") || outcome.starts_with("not formatted")
                    })
                })
            };
            let is_taken = outcome(&ran.out) || outcome(&ran.err);
            assert_eq!(
                pattern.is_match(name),
                is_taken,
                "{id}: {name}: {}{}",
                ran.out,
                ran.err
            );
        }
    }
}

#[test]
fn the_pre_commit_hooks_work_as_documented() {
    let hooks = hooks();
    let names: Vec<&str> = hooks.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "jsonx-fmt",
            "jsonx-fmt-check",
            "jsonx-validate",
            "jsonx-validate-schema"
        ]
    );
    for hook in hooks.values() {
        assert_eq!(string(&hook["language"]), "python");
        assert!(!string(&hook["name"]).is_empty() && !string(&hook["description"]).is_empty());
    }
    // They install the wheel of this version.
    let package = text_of("pyproject.toml");
    let version = env!("CARGO_PKG_VERSION");
    for line in [
        format!("version = \"{version}\""),
        format!("dependencies = [\"jsonx-tool=={version}\"]"),
    ] {
        assert!(package.lines().any(|it| it == line), "{line}");
    }
    let validate = |folder: &Folder| run_hook(&hooks["jsonx-validate"], folder);
    assert_eq!(validate(&fine()).code, 0);
    let message = validate(&broken());
    assert_eq!(message.code, 1);
    assert!(
        message.out.contains("package.json:2:14") && message.out.contains("events.jsonl:2:6"),
        "{}",
        message.out
    );
}

/// Hooks need no arguments: `jsonx.json` applies to the files that pre-commit names.
#[test]
fn the_pre_commit_hooks_take_settings_from_the_repository() {
    let hooks = hooks();
    let folder = fine();
    fs::write(folder.path("commented.json"), "// one\n{}\n").expect("a file");
    fs::write(folder.path("broken.json"), "{").expect("a file");
    let codes = |folder: &Folder| {
        let names = ["jsonx-validate", "jsonx-fmt-check", "jsonx-validate-schema"];
        names.map(|name| run_hook(&hooks[name], folder).code)
    };
    assert_eq!(codes(&folder), [1, 3, 1]);
    let config = "{\n  \"ignore\": [\n    \"broken.json\"\n  ],\n  \"overrides\": [\n    {\n      \"files\": [\n        \"commented.json\"\n      ],\n      \"input\": \"jsonc\"\n    }\n  ]\n}\n";
    fs::write(folder.path("jsonx.json"), config).expect("a file");
    assert_eq!(codes(&folder), [0, 0, 0]);
}

/// The schema hook, configured as in the guide.
#[test]
fn the_schema_hook_works_as_documented() {
    let guide = text_of("docs/schema.md");
    let (_, block) = guide.split_once("```yaml\n").expect("a configuration");
    let (block, _) = block.split_once("```").expect("its end");
    let configuration = yaml(block);
    let configured = configuration["repos"][0]["hooks"].as_vec().expect("hooks");
    let hooks = hooks();
    let folder = fine();
    fs::create_dir(folder.path("conf")).expect("a directory");
    let schema = b"{\"required\": [\"port\"]}";
    fs::write(folder.path("app.schema.json"), schema).expect("a file");
    fs::write(folder.path("conf/app.json"), b"{\"port\": 1}").expect("a file");
    let codes = |folder: &Folder| -> Vec<i32> {
        let run_one = |own: &Yaml| {
            let hook = &hooks[string(&own["id"])];
            let mut words: Vec<String> = string(&hook["entry"])
                .split(' ')
                .map(str::to_owned)
                .collect();
            let args = own["args"].as_vec().expect("args");
            words.extend(args.iter().map(|arg| string(arg).to_owned()));
            let pattern = own["files"].as_str();
            words.extend(match pattern {
                Some(_) => vec!["conf/app.json".to_owned()],
                None => files(folder, string(&hook["files"])),
            });
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            run(folder, &words, &[]).code
        };
        configured.iter().map(run_one).collect()
    };
    assert_eq!(codes(&folder), [0, 0]);
    let own = b"{\"$schema\": \"app.schema.json\"}";
    fs::write(folder.path("own.json"), own).expect("a file");
    fs::write(folder.path("conf/app.json"), b"{}").expect("a file");
    assert_eq!(codes(&folder), [1, 1]);
}

#[test]
fn the_formatting_hooks_work_as_documented() {
    let hooks = hooks();
    let check = |folder: &Folder| run_hook(&hooks["jsonx-fmt-check"], folder).code;
    let folder = unformatted();
    assert_eq!((check(&fine()), check(&folder)), (0, 1));
    assert_eq!(run_hook(&hooks["jsonx-fmt"], &folder).code, 0);
    assert_eq!(
        fs::read(folder.path("package.json")).expect("the file"),
        b"{\n  \"name\": \"x\"\n}\n"
    );
    assert_eq!(check(&folder), 0);
}

/// A block of code of `docs/ci.md`: its language, and its text.
fn snippets() -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in text_of("docs/ci.md").lines() {
        match (inside, line.strip_prefix("```")) {
            (false, Some(language)) => {
                found.push((language.to_owned(), String::new()));
                inside = true;
            }
            (true, Some(_)) => inside = false,
            (true, None) => {
                let (_, text) = found.last_mut().expect("a block that was begun");
                text.push_str(line);
                text.push('\n');
            }
            (false, None) => {}
        }
    }
    found
}

/// The file of a snippet, named in its first line.
fn file_of(text: &str) -> &str {
    let first = text.lines().next().and_then(|line| line.strip_prefix("# "));
    first.unwrap_or_else(|| panic!("the first line names the file: {text}"))
}

#[test]
fn the_snippets_of_the_page_are_valid_and_run() {
    let mut scripts = Vec::new();
    let mut kinds = BTreeMap::new();
    let action = yaml(&text_of("action.yml"));
    for (language, text) in snippets() {
        *kinds.entry(language.clone()).or_insert(0) += 1;
        match language.as_str() {
            "yaml" if file_of(&text).starts_with(".github/") => {
                let workflow = yaml(&text);
                assert!(!workflow["on"].is_badvalue(), "{text}");
                for step in workflow["jobs"]["json"]["steps"].as_vec().expect("steps") {
                    if let Some(script) = step["run"].as_str() {
                        scripts.push(script.to_owned());
                    } else if string(&step["uses"]).starts_with("OWNER/jsonx@") {
                        for (input, _) in step["with"].as_hash().expect("inputs") {
                            assert!(!action["inputs"][string(input)].is_badvalue(), "{input:?}");
                        }
                    }
                }
            }
            "yaml" if file_of(&text) == ".gitlab-ci.yml" => {
                let job = &yaml(&text)["json"];
                let reports = job["artifacts"]["reports"].as_hash().expect("reports");
                for script in job["script"].as_vec().expect("a script") {
                    for (_, file) in reports {
                        assert!(
                            string(script).contains(&format!("={}", string(file))),
                            "{script:?}"
                        );
                    }
                    scripts.push(string(script).to_owned());
                }
            }
            "yaml" => {
                assert_eq!(file_of(&text), ".pre-commit-config.yaml");
                let repository = &yaml(&text)["repos"][0];
                for hook in repository["hooks"].as_vec().expect("hooks") {
                    if string(&repository["repo"]) == "local" {
                        assert_eq!(
                            (run_hook(hook, &fine()).code, run_hook(hook, &broken()).code),
                            (0, 1)
                        );
                    } else {
                        assert!(hooks().contains_key(string(&hook["id"])), "{hook:?}");
                    }
                }
            }
            "sh" => scripts.extend(
                text.lines()
                    .filter(|line| !line.contains("git diff"))
                    .map(str::to_owned),
            ),
            // Run with the examples of the other guides.
            "json" | "make" | "console" => {}
            other => panic!("what is a block of {other}?"),
        }
    }
    assert_eq!(kinds.get("yaml"), Some(&7));
    assert_eq!(scripts.len(), 6, "{scripts:?}");
    for script in scripts {
        let (good, bad) = (fine(), broken());
        let message = shell(&good, &script, &[]);
        assert_eq!(message.code, 0, "{script}: {}", message.out);
        let message = shell(&bad, &script, &[]);
        assert_eq!(message.code, 1, "{script}: {}", message.out);
        for file in script
            .split(['=', ' '])
            .filter(|word| word.contains('.') && *word != ".")
        {
            for folder in [&good, &bad] {
                assert_report(&folder.path(file));
            }
        }
    }
}

#[test]
fn the_catalog_of_the_page_finds_a_mistake() {
    let snippets = snippets();
    let mut lines = snippets.iter().flat_map(|(_, text)| text.lines());
    let script = lines
        .find_map(|line| Some(line.split_once("run: ")?.1).filter(|it| it.contains("--schema-map")))
        .expect("a command");
    let folder = fine();
    fs::write(folder.path("package.json"), b"{\n  \"nmae\": \"x\"\n}\n").expect("a file");
    let message = shell(&folder, script, &[]);
    let is_found = message.out.contains("error[schema/required]")
        && message.out.contains("--> package.json:")
        && message.out.contains("::: schemas/package.schema.json:3:5");
    assert!(message.code == 1 && is_found, "{}", message.out);
}

/// A report is a whole document.
fn assert_report(path: &PathBuf) {
    let text =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    if path.extension().is_some_and(|end| end == "xml") {
        roxmltree::Document::parse(&text).expect("XML");
    } else {
        serde_json::from_str::<serde_json::Value>(&text).expect("JSON");
    }
}

#[test]
fn the_makefile_of_the_page_runs() {
    let (_, makefile) = snippets()
        .into_iter()
        .find(|(language, _)| language == "make")
        .expect("a Makefile");
    if Command::new("make").arg("--version").output().is_err() {
        eprintln!("skipped: make is not installed");
        return;
    }
    let make = |folder: &Folder, target: &str| {
        fs::write(folder.path("Makefile"), &makefile).expect("a file");
        run(folder, &["make", target], &[]).code
    };
    // make exits with 2 if a command fails.
    assert_eq!(
        (make(&fine(), "json-check"), make(&broken(), "json-check")),
        (0, 2)
    );
    let folder = unformatted();
    assert_eq!(make(&folder, "json-check"), 2);
    assert_eq!((make(&folder, "json"), make(&folder, "json-check")), (0, 0));
}

#[test]
fn only_changed_files_are_checked() {
    let line = snippets()
        .into_iter()
        .find_map(|(_, text)| {
            text.lines()
                .find(|line| line.starts_with("git diff"))
                .map(str::to_owned)
        })
        .expect("the line");
    if Command::new("git").arg("--version").output().is_err() {
        eprintln!("skipped: git is not installed");
        return;
    }
    let folder = fine();
    fs::remove_dir(folder.path(".git")).expect("the directory");
    let git = "git init -q . && git add -A && git -c user.name=x -c user.email=x@example.com commit -qm x";
    let begun = shell(&folder, git, &[]);
    assert_eq!(begun.code, 0, "{}", begun.out);
    let code = || shell(&folder, &line, &[]).code;
    assert_eq!(code(), 0);
    fs::write(folder.path("odd name, 100%.json"), b"[1,]").expect("a file");
    fs::remove_file(folder.path("package.json")).expect("the file");
    // That of xargs.
    assert_eq!(code(), 123);
}

#[test]
fn the_workflows_are_sound() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.github/workflows");
    let mut jobs = 0;
    for entry in fs::read_dir(folder).expect("the workflows") {
        let path = entry.expect("an entry").path();
        let workflow = yaml(&fs::read_to_string(&path).expect("a workflow"));
        assert_eq!(string(&workflow["permissions"]["contents"]), "read");
        let all = workflow["jobs"].as_hash().expect("jobs");
        for (name, job) in all {
            for needed in job["needs"].as_vec().into_iter().flatten() {
                assert!(all.contains_key(needed), "{name:?} needs {needed:?}");
            }
            for step in job["steps"].as_vec().expect("steps") {
                let Some(script) = step["run"].as_str() else {
                    continue;
                };
                // Contexts must reach a script as variables: interpolated text would be executed.
                assert!(!script.contains("${{"), "{path:?}: {script}");
                let parsed = Command::new("bash").args(["-n", "-c", script]).status();
                assert!(parsed.expect("bash").success(), "{path:?}: {script}");
            }
            jobs += 1;
        }
    }
    assert!(jobs >= 8, "{jobs} jobs");
}

#[test]
fn the_guide_describes_every_reporter() {
    use jsonx_cli::report::Format;
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/ci.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    for format in Format::all() {
        let row = format!("\n| `{}` | ", format.name());
        assert!(guide.contains(&row), "{}", format.name());
    }
}
