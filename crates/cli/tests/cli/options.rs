//! Options of every command: usage, help, version, kernels, colors.

use crate::{Folder, jsonx, piped, run};

#[test]
fn usage_errors_go_to_standard_error() {
    for args in [
        &["frobnicate"][..],
        &["--nope"],
        &["validate", "--nope"],
        &["validate", "--max-depth", "many"],
        &["validate", "--input", "yaml"],
        &["validate", "--color", "blue"],
        &["validate", "--reporter", "xml"],
        &["validate", "--max-errors", "few"],
        &["fmt", "--reporter", "json"],
        &["fmt", "--indent"],
        &["get"],
    ] {
        let ran = piped(args, "1");
        assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{args:?}");
        assert!(
            ran.err.contains("Usage:") || ran.err.contains("--help"),
            "{args:?}: {}",
            ran.err
        );
    }
}

#[test]
fn without_a_command_a_pipe_is_formatted() {
    for args in [&[][..], &["--threads", "1"], &["-v"]] {
        let ran = piped(args, "[1 ,{ }]");
        assert_eq!((ran.out.as_str(), ran.code), ("[\n  1,\n  {}\n]\n", 0));
    }
    assert_eq!(piped(&[], "[1 ,").code, 3);
    assert_eq!(piped(&["-q"], "").code, 3);
}

#[test]
fn a_file_without_a_command_gets_advice() {
    let folder = Folder::with(&[("a.json", b"1")]);
    let ran = folder.run(&["a.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 2));
    assert!(
        ran.err.contains("\n  jsonx validate a.json\n"),
        "{}",
        ran.err
    );
    let ran = folder.run(&["b.json"]);
    assert!(ran.err.contains("unrecognized subcommand"), "{}", ran.err);
}

#[test]
fn help_is_data_and_names_the_exit_codes() {
    for args in [
        &["--help"][..],
        &["-h"],
        &["validate", "--help"],
        &["fmt", "-h"],
        &["get", "--help"],
        &["locate", "--help"],
        &["explain", "--help"],
    ] {
        let ran = piped(args, "");
        assert_eq!((ran.err.as_str(), ran.code), ("", 0), "{args:?}");
        let long = !args.contains(&"-h");
        let end = if long { "Exit codes" } else { "Examples:" };
        assert!(
            ran.out.contains("Usage: jsonx") && ran.out.contains(end),
            "{args:?}: {}",
            ran.out
        );
    }
}

#[test]
fn global_options_come_before_or_after_the_command() {
    let bad = "[1 2]";
    for (args, code, colored) in [
        (&["--color", "always", "validate"][..], 1, true),
        (&["--color", "never", "validate"], 1, false),
        (&["validate", "--color", "always"], 1, true),
        (&["--threads", "1", "validate"], 1, false),
    ] {
        let ran = piped(args, bad);
        assert_eq!((ran.code, ran.err.as_str()), (code, ""), "{args:?}");
        assert_eq!(ran.out.contains('\x1b'), colored, "{args:?}");
    }
    for args in [
        &["-q", "validate"][..],
        &["validate", "-q"],
        &["-q", "fmt", "--check"],
        &["get", "-q", "."],
        &["-q", "locate", "-:1:1"],
    ] {
        let ran = piped(args, bad);
        assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", ""), "{args:?}");
        assert!(ran.code != 0, "{args:?}");
    }
    let folder = Folder::with(&[("a.json", b"{\"a\": [1, 2]}"), ("b.json", b"[")]);
    for (args, err) in [
        (&["-v", "validate", "a.json"][..], "a.json: valid\n"),
        (&["-v", "get", "$.a[*]", "a.json"], "a.json: 2 matches\n"),
        (
            &["get", "-v", "--count", ".a", "a.json"],
            "a.json: 1 match\n",
        ),
        (
            &["-v", "fmt", "--check", "a.json"],
            "a.json: not formatted\n1 file is not formatted; run jsonx fmt -w\n",
        ),
    ] {
        assert_eq!(folder.run(args).err, err, "{args:?}");
    }
}

#[test]
fn help_and_version_are_found_where_people_look() {
    let plain = format!("jsonx {}\n", env!("CARGO_PKG_VERSION"));
    for command in [
        "validate",
        "fmt",
        "get",
        "locate",
        "diff",
        "patch",
        "config",
        "explain",
        "completions",
    ] {
        assert_eq!(piped(&[command, "--version"], "").out, plain, "{command}");
        assert_eq!(piped(&[command, "-V"], "").out, plain, "{command}");
        let help = piped(&["help", command], "");
        assert_eq!(help, piped(&[command, "--help"], ""), "{command}");
        assert_eq!(help.code, 0);
        // The most common options come first.
        let threads = help.out.find("--threads").unwrap();
        let last = help.out.rfind("\n      --").unwrap();
        assert!(last < threads, "{command}: {}", help.out);
    }
    assert_eq!(piped(&["help"], ""), piped(&["--help"], ""));
    assert_eq!(piped(&["help", "frobnicate"], "").code, 2);
}

/// The files of the examples in the help texts.
#[cfg(unix)]
const FILES: &[(&str, &[u8])] = &[
    ("data.json", b"{}"),
    ("app.schema.json", b"{\n  \"type\": \"array\"\n}\n"),
    ("rows.json", b"[{\"id\": 1}, {\"id\": 2}]"),
    (
        "package.json",
        br#"{"name": "demo", "version": "1.0.0", "dependencies": {"a": "1"}, "dev-dependencies": {"some-pkg": "2"}}"#,
    ),
    ("tsconfig.json", b"{}"),
    (
        "config.json",
        b"{\n  \"name\": \"demo\",\n\n  \"servers\": [{\"name\": \"a\", \"port\": 8080}, {\"name\": \"b\"}],\n  \"on\": true\n}\n",
    ),
    ("openapi.json", br#"{"paths": {"/users": {"get": {}}}}"#),
    ("events.ndjson", b"{\"user\": {\"name\": \"a\"}}\n{\"user\": {\"name\": \"b\"}}\n"),
    ("events.log", b"{}\n[]\n"),
    ("claims.json", b"{ \"sub\": \"a\" }\n"),
    (
        "change.json",
        b"[\n  {\n    \"op\": \"remove\",\n    \"path\": \"/version\"\n  }\n]\n",
    ),
    (
        "old.json",
        b"{\n  \"updated_at\": 1,\n  \"tags\": [\n    \"a\",\n    \"b\"\n  ]\n}\n",
    ),
    (
        "new.json",
        b"{\n  \"updated_at\": 2,\n  \"tags\": [\n    \"b\",\n    \"a\"\n  ]\n}\n",
    ),
    ("v1/app.json", b"{ \"port\": 80 }\n"),
    ("v2/app.json", b"{ \"port\": 8080 }\n"),
];

/// Commands before a pipe that may not be installed, or never end.
#[cfg(unix)]
const OTHERS: [(&str, &str); 3] = [
    ("curl", "echo '{}'"),
    ("tail", "cat \"$2\""),
    ("git", "printf 'data.json\\0'"),
];

/// Every example of the help texts, run by a shell: output and exit code.
#[cfg(unix)]
#[test]
fn the_examples_of_the_help_work_as_shown() {
    use std::os::unix::fs::PermissionsExt;

    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_jsonx"));
    let others = Folder::with(&[]);
    for (name, script) in OTHERS {
        std::fs::write(others.path(name), format!("#!/bin/sh\n{script}\n")).unwrap();
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(others.path(name), executable).unwrap();
    }
    let mut path = vec![others.path(""), binary.parent().unwrap().to_owned()];
    path.extend(std::env::split_paths(
        &std::env::var_os("PATH").unwrap_or_default(),
    ));
    let path = std::env::join_paths(path).unwrap();
    let mut all = String::new();
    for command in [
        "validate", "fmt", "get", "locate", "diff", "patch", "config", "explain",
    ] {
        let help = piped(&[command, "--help"], "").out;
        let (_, examples) = help.split_once("Examples:\n").expect("examples");
        for line in examples.lines().map(str::trim) {
            // Some examples write files.
            let folder = Folder::with(FILES);
            std::fs::create_dir_all(folder.path("config")).unwrap();
            std::fs::create_dir_all(folder.path("src")).unwrap();
            std::fs::write(folder.path("config/a.json"), "[1]").unwrap();
            let mut shell = assert_cmd::Command::new("sh");
            shell
                .args(["-c", line])
                .current_dir(folder.path(""))
                .env("PATH", &path);
            for name in crate::DECIDING {
                shell.env_remove(name);
            }
            let ran = run(shell.write_stdin(""));
            // The explanations of codes are long, and tested elsewhere.
            let out = match (command, ran.out.split_once('\n')) {
                ("config" | "explain", Some((first, _))) => format!("{first}\n…\n"),
                _ => ran.out,
            };
            all += &format!("$ {line}\n{out}{}[{}]\n", ran.err, ran.code);
        }
    }
    insta::assert_snapshot!(all, @r##"
    $ jsonx validate .
    [0]
    $ jsonx validate package.json config/ --ext json,webmanifest
    [0]
    $ git diff --name-only -z --diff-filter=d '*.json' | xargs -0r jsonx validate
    [0]
    $ curl -s https://example.com/data | jsonx validate
    [0]
    $ jsonx validate --input stream events.log
    [0]
    $ jsonx validate --schema app.schema.json config/*.json
    [0]
    $ jsonx validate --schema app.schema.json --print-references
    [0]
    $ jsonx validate --deny duplicate-key --allow unsafe-integer package.json
    [0]
    $ jsonx validate --reporter json data.json
    {"type":"file","file":"data.json","valid":true,"invalidAt":null,"errors":0,"warnings":0,"bytes":2,"truncated":false}
    {"type":"summary","v":1,"files":1,"errors":0,"warnings":0,"truncated":false}
    [0]
    $ jsonx validate . --reporter human --reporter sarif=findings.sarif
    [0]
    $ jsonx fmt data.json
    {}
    [0]
    $ jsonx fmt --write .
    claims.json: rewritten
    config/a.json: rewritten
    config.json: rewritten
    data.json: rewritten
    events.ndjson: rewritten
    openapi.json: rewritten
    package.json: rewritten
    rows.json: rewritten
    tsconfig.json: rewritten
    v1/app.json: rewritten
    v2/app.json: rewritten
    [0]
    $ jsonx fmt --check src config.json
    config.json
    1 file is not formatted; run jsonx fmt -w
    [1]
    $ jsonx fmt --diff . | patch -p0
    patching file claims.json
    patching file config/a.json
    patching file config.json
    patching file data.json
    patching file events.ndjson
    patching file openapi.json
    patching file package.json
    patching file rows.json
    patching file tsconfig.json
    patching file v1/app.json
    patching file v2/app.json
    [0]
    $ jsonx fmt -c data.json > data.min.json
    [0]
    $ jsonx fmt --width 80 --sort-keys package.json
    {
      "dependencies": {"a": "1"},
      "dev-dependencies": {"some-pkg": "2"},
      "name": "demo",
      "version": "1.0.0"
    }
    [0]
    $ jsonx fmt --style prettier data.json
    {}
    [0]
    $ jsonx fmt --canonical claims.json | sha256sum
    48c1e912d4a339a6fec5ce4094789c333bfa522b5465137c39a80fc25666db5d  -
    [0]
    $ jsonx fmt --to msgpack data.json > data.msgpack
    [0]
    $ tail -f events.ndjson | jsonx fmt
    {
      "user": {
        "name": "a"
      }
    }
    {
      "user": {
        "name": "b"
      }
    }
    [0]
    $ jsonx get .version package.json
    "1.0.0"
    [0]
    $ jsonx get -r .dev-dependencies.some-pkg package.json
    2
    [0]
    $ jsonx get .servers.-1 config.json
    {
      "name": "b"
    }
    [0]
    $ jsonx get -r -e .name -e .version package.json
    demo
    1.0.0
    [0]
    $ jsonx get --default '"none"' .license package.json
    "none"
    [0]
    $ jsonx get '$.servers[?@.port > 8000].name' config.json
    "a"
    [0]
    $ jsonx get --with-path '..name' config.json
    .name	"demo"
    .servers[0].name	"a"
    .servers[1].name	"b"
    [0]
    $ jsonx get .name . -g 'package.json'
    package.json:"demo"
    [0]
    $ jsonx get --locate .servers.0 config.json
    config.json:4:15
    [0]
    $ jsonx get /paths/~1users/get openapi.json
    {}
    [0]
    $ jsonx get -r .user.name < events.ndjson
    a
    b
    [0]
    $ jsonx locate config.json:4:14
    .servers
    [0]
    $ jsonx locate config.json:4
    .servers
    [0]
    $ jsonx locate --offset 20 config.json
    .
    [0]
    $ jsonx locate --jsonpath config.json:4:14
    $['servers']
    [0]
    $ jsonx locate -:4:14 < config.json
    .servers
    [0]
    $ jsonx diff old.json new.json
    --- old.json
    +++ new.json
    2:17 → 2:17  .updated_at  1 → 2
    4:5 → 3:11  .tags[0]  - "a"
    3:11 → 5:5  .tags[1]  + "a"
    [1]
    $ jsonx diff --format patch old.json new.json > change.json
    [1]
    $ jsonx diff --key id --ignore ..updated_at old.json new.json
    --- old.json
    +++ new.json
    4:5 → 3:11  .tags[0]  - "a"
    3:11 → 5:5  .tags[1]  + "a"
    jsonx: warning: --key id matches nothing: no array begins with an object that has it
    [1]
    $ jsonx diff --set .tags old.json new.json
    --- old.json
    +++ new.json
    2:17 → 2:17  .updated_at  1 → 2
    [1]
    $ jsonx diff --context 2 old.json new.json
    --- old.json
    +++ new.json
    2:17 → 2:17  .updated_at  1 → 2
    --
    4:5 → 3:11  .tags[0]  - "a"
      .tags[1]  "b"
    --
      .tags[0]  "b"
    3:11 → 5:5  .tags[1]  + "a"
    [1]
    $ jsonx diff v1 v2
    --- v1/app.json
    +++ v2/app.json
    1:11 → 1:11  .port  80 → 8080
    [1]
    $ curl -s https://example.com/config.json | jsonx diff config.json -
    --- config.json
    +++ <stdin>
    2:11 → 1:1  .name  - "demo"
    4:14 → 1:1  .servers  - [{"name":"a","port":8080},{"name":"b"}]
    5:9 → 1:1  .on  - true
    [1]
    $ jsonx patch change.json package.json
    {"name": "demo", "dependencies": {"a": "1"}, "dev-dependencies": {"some-pkg": "2"}}[0]
    $ jsonx patch change.json package.json --write
    [0]
    $ jsonx patch '{"private": true, "scripts": {"test": null}}' package.json
    {"name": "demo", "version": "1.0.0", "dependencies": {"a": "1"}, "dev-dependencies": {"some-pkg": "2"}, "private": true, "scripts": {}}[0]
    $ jsonx patch '[{"op": "remove", "path": "/dependencies/a"}]' package.json
    {"name": "demo", "version": "1.0.0", "dependencies": {}, "dev-dependencies": {"some-pkg": "2"}}[0]
    $ jsonx patch '{"seen": true}' events.ndjson --diff
    --- events.ndjson
    +++ events.ndjson
    @@ -1,2 +1,2 @@
    -{"user": {"name": "a"}}
    -{"user": {"name": "b"}}
    +{"user": {"name": "a"}, "seen": true}
    +{"user": {"name": "b"}, "seen": true}
    [1]
    $ jsonx diff --format patch old.json new.json | jsonx patch - old.json
    {
      "updated_at": 2,
      "tags": [
        "b",
        "a"
      ]
    }
    [0]
    $ jsonx config package.json
    input                  json                                  default, by its name
    …
    [0]
    $ jsonx config --indent 4 src/data.json
    input                  json                                  default, by its name
    …
    [0]
    $ jsonx config --no-config package.json
    input                  json                                  default, by its name
    …
    [0]
    $ jsonx explain
    empty-input                   The file has no value: it is empty, or has only white space or comments
    …
    [0]
    $ jsonx explain trailing-comma
    trailing-comma (error)
    …
    [0]
    $ jsonx explain config
    jsonx.json: the settings of a repository (JSON with comments)
    …
    [0]
    $ jsonx explain jsonc
    jsonc: JSON with comments (`//` and `/* */`) and trailing commas
    …
    [0]
    $ jsonx explain paths
    # Paths
    …
    [0]
    "##);
}

#[test]
fn the_version_names_the_kernel_on_request() {
    let plain = format!("jsonx {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(piped(&["--version"], "").out, plain);
    assert_eq!(piped(&["-V"], "").out, plain);
    let verbose = piped(&["--version", "--verbose"], "").out;
    assert!(
        verbose.starts_with(&plain) && verbose.contains("kernel: "),
        "{verbose}"
    );
    // Every kernel of this machine can be forced, and SWAR is available everywhere.
    let (_, list) = verbose.split_once("(available here: ").unwrap();
    let kernels: Vec<&str> = list.trim_end().trim_end_matches(')').split(", ").collect();
    assert!(kernels.contains(&"swar"));
    for kernel in kernels {
        let ran = run(jsonx(&["-Vv"]).env("JSONX_KERNEL", kernel));
        assert!(
            ran.out.contains(&format!("kernel: {kernel} ")),
            "{}",
            ran.out
        );
        for (text, code) in [("[1, {\"a\": \"b\"}]", 0), ("[1, {\"a\" \"b\"}]", 1)] {
            let ran = run(jsonx(&["validate"])
                .env("JSONX_KERNEL", kernel)
                .write_stdin(text));
            assert_eq!(ran.code, code, "{kernel}");
        }
    }
}

#[test]
fn an_unknown_kernel_is_wrong_usage() {
    for kernel in ["sse9", "AVX2", "swar ", "\x1b[31m"] {
        let ran = run(jsonx(&["validate"])
            .env("JSONX_KERNEL", kernel)
            .write_stdin("1"));
        assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{kernel}");
        assert!(
            ran.err.starts_with("jsonx: JSONX_KERNEL: ") && !ran.err.contains('\x1b'),
            "{}",
            ran.err
        );
    }
    assert_eq!(
        run(jsonx(&["validate"])
            .env("JSONX_KERNEL", "")
            .write_stdin("1"))
        .code,
        0
    );
}

#[test]
fn colors_depend_on_option_terminal_and_environment() {
    let bad = "[1 2]";
    let colored = |ran: crate::Ran| {
        assert_eq!(ran.code, 1);
        let plain: String = strip(&ran.out);
        assert!(
            plain.starts_with("error[missing-comma]: ") && plain.contains("\n1 | [1 2]\n"),
            "{plain}"
        );
        ran.out.contains('\x1b')
    };
    assert!(!colored(piped(&["validate"], bad)));
    assert!(colored(piped(&["validate", "--color", "always"], bad)));
    assert!(!colored(piped(&["validate", "--color", "never"], bad)));
    assert!(colored(run(jsonx(&["validate"])
        .env("CLICOLOR_FORCE", "1")
        .write_stdin(bad))));
    let both = run(jsonx(&["validate", "--color=never"])
        .env("CLICOLOR_FORCE", "1")
        .write_stdin(bad));
    assert!(!colored(both));
}

/// Without `ESC [ … m`.
fn strip(text: &str) -> String {
    let mut plain = String::new();
    for (index, part) in text.split("\x1b[").enumerate() {
        plain.push_str(if index == 0 {
            part
        } else {
            part.split_once('m').expect("a color").1
        });
    }
    plain
}
