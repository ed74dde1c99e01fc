//! Peak memory by GNU time, time by hyperfine.

use super::Plan;
use super::job::{Entry, Job, is_installed, quoted};
use crate::rounds::{Times, summarize};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The measurements of one program for one job.
pub struct Measured {
    pub times: Times,
    /// The number of timed runs.
    pub runs: usize,
    /// The largest resident set, in bytes; `None` without GNU time.
    pub peak: Option<u64>,
}

/// # Errors
///
/// If hyperfine is not installed.
pub fn require_hyperfine() -> Result<(), String> {
    if is_installed("hyperfine") {
        Ok(())
    } else {
        Err("hyperfine is not installed (Debian: hyperfine)".to_owned())
    }
}

/// Measures every entry of `job`. The commands alternate: hyperfine runs each for one round, then starts over, so that other
/// load on the machine affects all of them.
pub fn measure(job: &Job, rounds: u32) -> Result<Vec<Measured>, String> {
    let mut peaks = Vec::new();
    let mut samples: Vec<Vec<f64>> = Vec::new();
    for entry in &job.entries {
        // This run also brings the file into the page cache.
        let start = Instant::now();
        peaks.push(peak(entry)?);
        let seconds = start.elapsed().as_secs_f64();
        samples.push(if seconds > Plan::SLOW {
            vec![seconds]
        } else {
            Vec::new()
        });
    }
    let again: Vec<usize> = (0..samples.len())
        .filter(|&at| samples[at].is_empty())
        .collect();
    for round in 0..rounds as usize {
        // Each round starts with a different command.
        let order: Vec<usize> = (0..again.len())
            .map(|turn| again[(round + turn) % again.len()])
            .collect();
        let lines: Vec<String> = order.iter().map(|&at| job.entries[at].line()).collect();
        for (at, times) in order.into_iter().zip(hyperfine(&lines, job.repeats)?) {
            samples[at].extend(times);
        }
    }
    let measured = samples.into_iter().zip(peaks);
    Ok(measured
        .map(|(samples, peak)| Measured {
            times: summarize(&samples),
            runs: samples.len(),
            peak,
        })
        .collect())
}

/// The times of each of `commands`, in seconds.
fn hyperfine(commands: &[String], runs: u32) -> Result<Vec<Vec<f64>>, String> {
    // hyperfine prints a summary on stdout in any style, so its report needs a file.
    let path = temporary("json");
    let mut command = Command::new("hyperfine");
    command
        .args([
            "--shell=none",
            "--ignore-failure",
            "--style=none",
            "--export-json",
        ])
        .arg(&path);
    // If a round is one run, the files are in the cache already; if it is many short runs, the first one pays
    // for the change of program.
    command
        .arg(format!("--runs={runs}"))
        .arg(format!("--warmup={}", u32::from(runs > 1)))
        .args(commands);
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    let report = std::fs::read(&path)
        .ok()
        .filter(|_| status.is_ok_and(|status| status.success()));
    let _ = std::fs::remove_file(&path);
    let report: Value = serde_json::from_slice(&report.ok_or("hyperfine failed")?)
        .map_err(|error| format!("hyperfine's report: {error}"))?;
    let times = |result: &Value| {
        let times = result["times"].as_array()?;
        times
            .iter()
            .map(Value::as_f64)
            .collect::<Option<Vec<f64>>>()
            .filter(|times| !times.is_empty())
    };
    let results = report["results"]
        .as_array()
        .filter(|results| results.len() == commands.len());
    let results = results.ok_or("hyperfine left out a command")?;
    results
        .iter()
        .map(|result| times(result).ok_or_else(|| "hyperfine gave no times".to_owned()))
        .collect()
}

/// The peak memory of one run, by GNU time: the figure for a child of this process would start at the size of its parent when
/// it was forked.
fn peak(entry: &Entry) -> Result<Option<u64>, String> {
    const TIME: &str = "/usr/bin/time";
    // GNU time writes to a file, apart from what the command prints on stderr.
    let report = temporary("time");
    let prefix = match Path::new(TIME).is_file() {
        true => format!("{TIME} -q -f %M -o {} ", quoted(&report.to_string_lossy())),
        false => String::new(),
    };
    let mut command = Command::new("sh");
    command.args(["-c", &entry.shell_line(&prefix)]);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().map_err(|error| format!("sh: {error}"))?;
    let kilobytes = std::fs::read_to_string(&report).ok();
    let _ = std::fs::remove_file(&report);
    Ok(kilobytes
        .and_then(|text| text.trim().parse::<u64>().ok())
        .map(|kilobytes| kilobytes << 10))
}

/// A file for another program to write to.
fn temporary(extension: &str) -> PathBuf {
    std::env::temp_dir().join(format!("jsonx-benches-{}.{extension}", std::process::id()))
}
