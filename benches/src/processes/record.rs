//! Writes the results of a run to a file.

use super::measure::Measured;
use super::{Done, Plan};
use crate::report::{cores, machine_slug, markdown, output, processor, today};
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The results of a run, with everything needed to interpret them.
pub struct Record {
    machine: String,
    date: String,
    head: String,
    notes: Vec<String>,
    sections: Vec<String>,
    tools: Vec<&'static str>,
}

impl Record {
    /// An empty record.
    pub(super) fn new(plan: &Plan) -> Record {
        let (processor, cores, date) = (processor(), cores(), today());
        let system = output(Command::new("uname").args(["-sr"]))
            .unwrap_or_else(|| std::env::consts::OS.to_owned());
        // The verbose form names the kernel.
        let jsonx = output(Command::new(&plan.jsonx).args(["--version", "--verbose"]))
            .or_else(|| output(Command::new(&plan.jsonx).arg("--version")))
            .map_or_else(
                || "jsonx".to_owned(),
                |text| text.lines().map(str::trim).collect::<Vec<_>>().join(", "),
            );
        let commit = output(Command::new("git").args(["describe", "--always", "--dirty"]));
        let commit = commit
            .map(|commit| format!(" at {commit}"))
            .unwrap_or_default();
        let head = format!(
            "# Whole processes, {date}\n\n{processor}, {cores} cores, {system}; {jsonx}{commit}. Large file {} MB, \
             the others {} MB; {} rounds in turns. Times in seconds, rates in 10⁹ bytes a second, memory is the \
             largest resident set; the ratio is the median time by that of jsonx.\n",
            plan.large / 1_000_000,
            plan.medium / 1_000_000,
            plan.rounds,
        );
        let machine = machine_slug(&processor, cores);
        Record {
            machine,
            date,
            head,
            notes: Vec::new(),
            sections: Vec::new(),
            tools: Vec::new(),
        }
    }

    pub(super) fn note(&mut self, lines: Vec<String>) {
        self.notes.extend(lines);
    }

    pub(super) fn add(&mut self, done: Done) {
        let own = done
            .measured
            .first()
            .map_or(f64::NAN, |measured| measured.times.median);
        let rows: Vec<Vec<String>> = done
            .job
            .entries
            .iter()
            .zip(&done.measured)
            .map(|(entry, measured)| row(entry.tool, done.job.bytes, own, measured))
            .collect();
        let head = [
            "program",
            "best",
            "median",
            "runs",
            "GB/s",
            "time / jsonx",
            "peak MB",
        ];
        self.sections.push(format!(
            "## {}\n\n{}\n\n{}",
            done.job.name,
            done.job.remark,
            markdown(&head, &rows)
        ));
        for entry in &done.job.entries {
            if !self.tools.contains(&entry.tool) && !entry.tool.starts_with("jsonx,") {
                self.tools.push(entry.tool);
            }
        }
    }

    /// The record in Markdown.
    pub fn markdown(&self) -> String {
        let mut text = format!("{}\n{}", self.head, self.sections.join("\n"));
        let versions: Vec<String> = self
            .tools
            .iter()
            .filter_map(|&tool| version(tool))
            .collect();
        // Writing to a `String` does not fail.
        let _ = write!(text, "\nVersions: {}.\n", versions.join(", "));
        if !self.notes.is_empty() {
            let _ = write!(text, "\nLeft out:\n\n- {}\n", self.notes.join("\n- "));
        }
        text
    }

    /// The path of this record below `folder`: a folder for the machine and a file for the day.
    pub fn path(&self, folder: &Path) -> PathBuf {
        folder.join(&self.machine).join(format!("{}.md", self.date))
    }

    /// Writes the record to `path`, and creates its folder.
    ///
    /// # Errors
    ///
    /// Errors of the file system.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(path, self.markdown())
    }
}

fn row(tool: &str, bytes: u64, own: f64, measured: &Measured) -> Vec<String> {
    let Measured { times, runs, peak } = measured;
    let seconds = |time: f64| {
        if time < 0.1 {
            format!("{time:.5}")
        } else {
            format!("{time:.3}")
        }
    };
    let rate = if bytes == 0 {
        String::new()
    } else {
        format!("{:.2}", bytes as f64 / times.median / 1e9)
    };
    let peak = peak
        .map(|peak| format!("{:.1}", peak as f64 / 1e6))
        .unwrap_or_default();
    let ratio = format!("{:.2}", times.median / own);
    vec![
        tool.to_owned(),
        seconds(times.best),
        seconds(times.median),
        runs.to_string(),
        rate,
        ratio,
        peak,
    ]
}

/// The first line of `tool --version`.
fn version(tool: &str) -> Option<String> {
    if tool == "jsonx" || tool == "true" {
        return None;
    }
    // jsonxf has no such option, and complains on stdout with or without success: it is listed by name.
    let text = output(Command::new(tool).arg("--version"));
    let line = text
        .as_deref()
        .and_then(|text| text.lines().next())
        .unwrap_or(tool);
    Some(if line.contains(tool) {
        line.to_owned()
    } else {
        format!("{tool} {line}")
    })
}
