//! The GitHub action, `action.yml`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use yaml_rust2::Yaml;

use crate::Folder;
use crate::ci::{broken, fine, shell, string, text_of, unformatted, yaml};

/// The steps of the action by name.
fn steps(action: &Yaml) -> BTreeMap<&str, &Yaml> {
    assert_eq!(string(&action["runs"]["using"]), "composite");
    let steps = action["runs"]["steps"].as_vec().expect("steps");
    steps
        .iter()
        .map(|step| (string(&step["name"]), step))
        .collect()
}

#[test]
fn the_action_is_whole() {
    let action = yaml(&text_of("action.yml"));
    for (name, step) in steps(&action) {
        assert!(
            step["uses"].is_badvalue() != step["run"].is_badvalue(),
            "{name}"
        );
        // GitHub rejects a step without a shell.
        assert_eq!(
            step["run"].is_badvalue(),
            step["shell"].is_badvalue(),
            "{name}"
        );
        // Inputs and other contexts reach a script only as variables.
        assert!(
            step["run"].as_str().is_none_or(|run| !run.contains("${{")),
            "{name}"
        );
        for (_, value) in step["env"].as_hash().into_iter().flatten() {
            if let Some(input) = string(value).strip_prefix("${{ inputs.") {
                let input = input.trim_end_matches(" }}");
                assert!(!action["inputs"][input]["default"].is_badvalue(), "{input}");
            }
        }
    }
    let install = string(&steps(&action)["Build it"]["run"]);
    assert!(
        install.starts_with("cargo install --locked --path \"$GITHUB_ACTION_PATH/crates/cli\"")
    );
}

/// The step that downloads the release, with a release in a folder.
#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn the_action_verifies_the_checksum_of_its_download() {
    let action = yaml(&text_of("action.yml"));
    let script = string(&steps(&action)["Download the release"]["run"]);
    let version = env!("CARGO_PKG_VERSION");
    let name = format!("jsonx-{version}-x86_64-unknown-linux-gnu");
    let folder = fine();
    let release = folder.path(&format!("releases/v{version}"));
    fs::create_dir_all(release.join(&name)).expect("a folder");
    let program = "#!/bin/sh\necho downloaded\n";
    fs::write(release.join(&name).join("jsonx"), program).expect("a program");
    let made = Command::new("bash")
        .args([
            "-c",
            "chmod +x $0/jsonx && tar -czf $0.tar.gz $0 && sha256sum $0.tar.gz > SHA256SUMS",
        ])
        .arg(&name)
        .current_dir(&release)
        .status();
    assert!(made.expect("bash").success());
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let run = |os: &str, processor: &str| {
        let temporary = tempfile::tempdir().expect("a folder");
        let path = |name: &str| {
            temporary
                .path()
                .join(name)
                .to_str()
                .expect("UTF-8")
                .to_owned()
        };
        let releases = format!("file://{}", folder.path("releases").display());
        let variables = [
            ("GITHUB_ACTION_PATH", repository.to_str().expect("UTF-8")),
            ("JSONX_RELEASES", &releases),
            ("JSONX_ROOT", &path("root")),
            ("RUNNER_TEMP", &path("")),
            ("RUNNER_OS", os),
            ("RUNNER_ARCH", processor),
        ];
        let ran = shell(&folder, script, &variables);
        let installed = fs::read_to_string(path("root/bin/jsonx")).ok();
        (ran, installed)
    };
    let (ran, installed) = run("Linux", "X64");
    assert_eq!(
        (ran.code, installed.as_deref()),
        (0, Some(program)),
        "{}",
        ran.out
    );
    let (ran, _) = run("Linux", "RISCV64");
    assert!(
        ran.code == 1
            && ran
                .out
                .contains("::error::there is no jsonx for Linux on RISCV64")
    );
    let (ran, _) = run("macOS", "ARM64");
    assert!(
        ran.code == 1 && ran.out.contains("cannot be downloaded"),
        "{}",
        ran.out
    );
    let archive = release.join(format!("{name}.tar.gz"));
    let mut bytes = fs::read(&archive).expect("the archive");
    bytes.push(0);
    fs::write(&archive, bytes).expect("the archive");
    let (ran, installed) = run("Linux", "X64");
    assert!(ran.code != 0 && installed.is_none(), "{}", ran.out);
}

#[test]
fn the_check_of_the_action_runs() {
    let action = yaml(&text_of("action.yml"));
    let script = string(&steps(&action)["Check"]["run"]);
    let check = |folder: &Folder, paths: &str, args: &str, sarif: &str| {
        let temporary = tempfile::tempdir().expect("a folder");
        let temporary = temporary.path().to_str().expect("UTF-8");
        let variables = [
            ("JSONX_PATHS", paths),
            ("JSONX_ARGS", args),
            ("JSONX_SARIF", sarif),
            ("RUNNER_TEMP", temporary),
            ("GITHUB_ACTIONS", "true"),
        ];
        shell(folder, script, &variables)
    };
    assert_eq!(check(&fine(), ".", "", "").code, 0);
    assert_eq!(
        check(
            &fine(),
            "package.json\nodd name, 100%.json\n",
            "--threads 1",
            ""
        )
        .code,
        0
    );
    for sarif in ["", "out.sarif"] {
        let folder = broken();
        let message = check(&folder, ".", "--max-errors 5", sarif);
        assert_eq!(message.code, 1, "{}", message.out);
        assert!(
            message.out.contains("::error file=package.json,line=2,"),
            "{}",
            message.out
        );
        assert!(
            message.out.contains("\n --> package.json:2:14\n"),
            "{}",
            message.out
        );
        if !sarif.is_empty() {
            let report = fs::read(folder.path(sarif)).expect("the report");
            let report: serde_json::Value = serde_json::from_slice(&report).expect("JSON");
            assert_eq!(
                report["runs"][0]["results"].as_array().map(Vec::len),
                Some(2)
            );
        }
    }
    // Not a command, and not an option.
    assert_eq!(check(&fine(), "$(touch made); -q", "", "").code, 4);
}

#[test]
fn the_formatting_check_of_the_action_runs() {
    let action = yaml(&text_of("action.yml"));
    let script = string(&steps(&action)["Check the formatting"]["run"]);
    let code = |folder: &Folder| shell(folder, script, &[("JSONX_PATHS", ".\n")]).code;
    assert_eq!((code(&fine()), code(&unformatted())), (0, 1));
}
