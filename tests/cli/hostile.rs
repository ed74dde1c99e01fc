//! Inputs that are endless, enormous, deep, or not as large as the system says.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::{Folder, Ran, piped};

/// The binary in the environment of the tests.
pub(super) fn binary() -> Command {
    Command::new(env!("CARGO_BIN_EXE_jsonx"))
}

/// Waits for the end of a run.
pub(super) fn ended(child: Child) -> Ran {
    let output = child.wait_with_output().unwrap();
    Ran {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().expect("no signal"),
    }
}

#[test]
fn sizes_that_the_system_reports_are_not_believed() {
    // These report 0 bytes, and 4096, and hold a number.
    for path in ["/proc/sys/kernel/pid_max", "/sys/class/net/lo/mtu"] {
        let Ok(text) = std::fs::read_to_string(path) else {
            eprintln!("skipped: no {path}");
            continue;
        };
        for args in [&["fmt", path][..], &["get", ".", path]] {
            let ran = piped(args, "");
            assert_eq!(
                (ran.out.as_str(), ran.err.as_str(), ran.code),
                (text.as_str(), "", 0),
                "{args:?}"
            );
        }
    }
    if Path::new("/proc/self/maps").exists() {
        assert_eq!(piped(&["validate", "/proc/self/maps"], "").code, 1);
    }
}

#[test]
fn endless_and_enormous_inputs_are_refused_at_once() {
    if Path::new("/dev/zero").exists() {
        let ran = piped(&["validate", "/dev/zero"], "");
        assert_eq!(ran.code, 1);
        assert!(ran.out.contains("/dev/zero:1:1\n"), "{}", ran.out);
    }
    let folder = Folder::with(&[]);
    let sparse = File::create(folder.path("sparse")).unwrap();
    if sparse.set_len(1 << 40).is_err() {
        eprintln!("skipped: no room for a sparse file");
        return;
    }
    for args in [
        &["validate", "sparse"][..],
        &["fmt", "sparse"],
        &["get", ".a", "sparse"],
    ] {
        let ran = folder.run(args);
        assert!(matches!(ran.code, 1 | 3), "{args:?}");
        assert!((ran.out + &ran.err).contains("sparse:1:1\n"), "{args:?}");
    }
}

#[test]
fn ten_million_levels_fit_a_small_stack() {
    const LEVELS: usize = 10_000_000;
    let mut text = vec![b'['; LEVELS];
    let open = Folder::with(&[("deep.json", &text)]);
    text.resize(2 * LEVELS, b']');
    let closed = Folder::with(&[("deep.json", &text)]);
    for (folder, command, code) in [
        (&closed, "validate --max-depth 0 deep.json", 0),
        (&open, "validate --max-depth 0 deep.json", 1),
        (&closed, "validate deep.json", 4),
        (&open, "fmt deep.json", 4),
        (&closed, "get .0.0 deep.json", 4),
        (&closed, "fmt -c --max-depth 10000000 deep.json", 0),
        (&closed, "get -c --max-depth 10000000 .0.0 deep.json", 0),
    ] {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -s 1024; exec \"$JSONX\" {command}")]);
        shell
            .env("JSONX", env!("CARGO_BIN_EXE_jsonx"))
            .current_dir(folder.0.path());
        let ran = ended(
            shell
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap(),
        );
        assert_eq!(
            ran.code,
            code,
            "{command}: {}{}",
            &ran.out[..ran.out.len().min(500)],
            ran.err
        );
        if code == 0 && !command.starts_with("validate") {
            let levels = if command.starts_with("get") {
                LEVELS - 2
            } else {
                LEVELS
            };
            assert!(ran.out.len() == 2 * levels + 1, "{command}");
        }
    }
}
