//! Tasks of this repository: `cargo xtask gen` writes the generated files, `cargo xtask layers` checks the imports between
//! crates and modules, and `cargo xtask links` the links between documents.

mod arrows;
mod cycles;
mod generated;
mod layers;
mod links;
mod man;
mod picture;
mod source;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const USAGE: &str = "\
Usage: cargo xtask <TASK>

Tasks:
  gen           Write man pages, the picture in README, and the JSON Schema and the list of settings of jsonx.json
  gen --check   Fail if one of these files is out of date
  layers        Print the imports of each crate and module; fail if a crate may not import another (xtask/src/arrows.rs), a
                module comes after it in xtask/layers.txt, or files import each other
  links         Fail if a link or a path in a Markdown file leads nowhere in this repository";

/// Makes this process `jsonx`, so that its output can be captured without a second build of the program.
const AS_JSONX: &str = "XTASK_AS_JSONX";

fn main() -> ExitCode {
    if std::env::var_os(AS_JSONX).is_some() {
        return jsonx_cli::run();
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let failures = match arguments[..] {
        ["gen"] => generated::write(),
        ["gen", "--check"] => generated::check(),
        ["layers"] => {
            let root = root();
            [
                arrows::check(&root),
                layers::check(&root),
                cycles::check(&root),
            ]
            .concat()
        }
        ["links"] => links::check(&root()),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    for failure in &failures {
        eprintln!("{failure}");
    }
    ExitCode::from(u8::from(!failures.is_empty()))
}

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Standard output of `jsonx` with these arguments, run in `folder`.
fn jsonx(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new(std::env::current_exe().expect("the path of this program"))
        .env_clear()
        .env(AS_JSONX, "1")
        .current_dir(folder)
        .args(arguments)
        .output()
        .expect("this program starts");
    assert!(
        output.stderr.is_empty(),
        "jsonx {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("UTF-8")
}
