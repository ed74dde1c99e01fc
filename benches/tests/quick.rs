//! Runs each bench once for its assertions. Times are ignored.

use jsonx_benches::contender;
use jsonx_benches::library;
use jsonx_benches::msgpack;
use jsonx_benches::processes;
use jsonx_benches::rounds::Plan;
use jsonx_benches::strings;
use jsonx_benches::throughput;
use jsonx_core::engine::Kernel;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn throughput_of_every_kernel_and_peer() {
    let kernels: Vec<Kernel> = Kernel::available().collect();
    let mut contenders = contender::all(&kernels);
    let inputs = throughput::inputs(100_000).unwrap();
    let report = throughput::run(&mut contenders, &inputs, Plan::ONCE).markdown(|times| times.best);
    for input in &inputs {
        assert_eq!(report.matches(&input.name).count(), 2, "{report}");
    }
    for name in [
        "jsonx swar / best Rust",
        "serde_json",
        "simd-json",
        "sonic-rs",
        "jiter",
        "geometric mean",
    ] {
        assert!(report.contains(name), "{report}");
    }
}

#[test]
fn strings_decode_as_serde_json_decodes_them() {
    let report = strings::run(Plan::ONCE, |times| times.best);
    for case in strings::cases() {
        assert_eq!(
            report.matches(&format!("| {} ", case.name)).count(),
            2,
            "{report}"
        );
    }
    assert_eq!(report.matches("geometric mean").count(), 4, "{report}");
}

#[test]
fn messagepack_converts_like_serde_transcode() {
    let inputs = msgpack::inputs(100_000).unwrap();
    let report = msgpack::run(&inputs, Plan::ONCE, |times| times.best);
    assert_eq!(report.matches("| 100 ").count(), 3, "{report}");
    for input in &inputs {
        assert_eq!(
            report.matches(&format!("| {} ", input.name)).count(),
            1,
            "{report}"
        );
    }
}

#[test]
fn the_library_reads_output_of_others() {
    let report = library::run(50_000, "", Plan::ONCE).unwrap();
    let table = report.markdown(|times| times.best);
    for row in [
        "order book lines, owned",
        "one message of",
        "one field of each record",
    ] {
        assert!(table.contains(row), "{table}");
    }
    let rows = table.lines().count() - 2;
    let of_files = std::env::var_os("JSONX_CORPORA").map_or(0, |_| 8);
    assert_eq!(rows, 5 + of_files, "{table}");
}

/// Runs all jobs with small files, so that the commands work in a full run.
#[test]
fn processes_do_their_jobs() {
    if Command::new("hyperfine").arg("--version").output().is_err() {
        eprintln!("skipped: hyperfine is not installed");
        return;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let plan = processes::Plan {
        large: 300_000,
        medium: 100_000,
        rounds: 1,
        jsonx: build(),
        scratch: folder.join("inputs"),
        only: String::new(),
    };
    let record = processes::run(&plan).unwrap();
    let text = record.markdown();
    assert_eq!(text.matches("\n## ").count(), 13, "{text}");
    assert!(text.matches("| jsonx ").count() >= 13, "{text}");

    let path = record.path(&folder);
    record.write(&path).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

/// Builds jsonx: its package is not a dependency of this one, so cargo does not.
fn build() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let mut command = Command::new(env!("CARGO"));
    command.args(["build", "--package", "jsonx-tool", "--manifest-path"]);
    command
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml"))
        .arg("--target-dir")
        .arg(target);
    assert!(command.status().unwrap().success());
    target.join("debug/jsonx")
}
