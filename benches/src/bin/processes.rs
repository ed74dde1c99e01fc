//! `processes`: times programs on typical jobs, and records the results.

use jsonx_benches::processes::{Plan, run};
use jsonx_corpora::parse_size;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

const USAGE: &str = "\
usage: processes [--large SIZE] [--medium SIZE] [--rounds N] [--only WORD]
                 [--jsonx FILE] [--scratch FOLDER] [--output FILE]

Times jsonx and whatever is installed of jq, jaq, gojq, qj, rq, jsonxf, node, python3 and
wc with hyperfine, prints the figures and writes them to
benches/record/MACHINE/DATE.md.

--large SIZE      of the file that is validated and searched (1G)
--medium SIZE     of the files that are formatted (300M)
--rounds N        how often each command is timed (10)
--only WORD       only the jobs with WORD in their name; nothing is written without --output
--jsonx FILE      the program to measure (built by cargo with the profile `dist`)
--scratch FOLDER  for the generated inputs (bench-inputs in the target folder)
--output FILE     where to write the figures";

fn main() -> ExitCode {
    match measure() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("processes: {message}");
            ExitCode::FAILURE
        }
    }
}

fn measure() -> Result<(), String> {
    let repository = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let (mut large, mut medium, mut rounds) = (1_000_000_000, 300_000_000, 10);
    let (mut jsonx, mut scratch, mut output, mut only) = (None, None, None, String::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--help" || argument == "-h" {
            println!("{USAGE}");
            return Ok(());
        }
        let value = arguments
            .next()
            .ok_or_else(|| format!("{argument} needs a value, or is unknown\n\n{USAGE}"))?;
        let size = |value: &str| parse_size(value).ok_or_else(|| format!("not a size: {value:?}"));
        match argument.as_str() {
            "--large" => large = size(&value)?,
            "--medium" => medium = size(&value)?,
            "--rounds" => {
                rounds = value
                    .parse()
                    .map_err(|_| format!("not a number of rounds: {value:?}"))?
            }
            "--only" => only = value,
            "--jsonx" => jsonx = Some(PathBuf::from(value)),
            "--scratch" => scratch = Some(PathBuf::from(value)),
            "--output" => output = Some(PathBuf::from(value)),
            _ => return Err(format!("unknown option {argument}\n\n{USAGE}")),
        }
    }
    let target = target_folder()?;
    let jsonx = match jsonx {
        Some(jsonx) => jsonx,
        None => build(&target)?,
    };
    let scratch = scratch.unwrap_or_else(|| target.join("bench-inputs"));
    let rounds = rounds.max(1);
    let record = run(&Plan {
        large,
        medium,
        rounds,
        jsonx,
        scratch,
        only: only.clone(),
    })?;
    print!("{}", record.markdown());
    let kept = if only.is_empty() {
        Some(record.path(&repository.join("benches/record")))
    } else {
        None
    };
    if let Some(path) = output.or(kept) {
        record
            .write(&path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        eprintln!("written to {}", path.display());
    }
    Ok(())
}

/// The target folder of this program, which cargo tags.
fn target_folder() -> Result<PathBuf, String> {
    let exe = std::env::current_exe().map_err(|error| error.to_string())?;
    let target = exe
        .ancestors()
        .find(|folder| folder.join("CACHEDIR.TAG").is_file());
    target
        .map(PathBuf::from)
        .ok_or_else(|| format!("{} is in no target folder of cargo", exe.display()))
}

/// Builds jsonx in the release profile, and returns its path.
fn build(target: &std::path::Path) -> Result<PathBuf, String> {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args([
        "build",
        "--profile",
        "dist",
        "--package",
        "jsonx-tool",
        "--manifest-path",
        manifest,
        "--target-dir",
    ]);
    let status = command
        .arg(target)
        .status()
        .map_err(|error| format!("cargo: {error}"))?;
    if status.success() {
        Ok(target.join("dist/jsonx"))
    } else {
        Err("jsonx could not be built".to_owned())
    }
}
