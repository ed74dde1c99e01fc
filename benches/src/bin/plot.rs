//! Plots a record of processes: `plot RECORD.md OUT.svg [--only TEXT]…`, for jobs whose names contain TEXT.

use std::process::ExitCode;

use jsonx_benches::plot::{caption, panels, svg};

fn main() -> ExitCode {
    let mut files = Vec::new();
    let mut only = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--only" => only.extend(arguments.next()),
            _ => files.push(argument),
        }
    }
    let [record, out] = files.as_slice() else {
        eprintln!("usage: plot RECORD.md OUT.svg [--only TEXT]...");
        return ExitCode::from(2);
    };
    match draw(record, out, &only) {
        Ok(count) => {
            println!("{out}: {count} jobs");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("plot: {error}");
            ExitCode::FAILURE
        }
    }
}

fn draw(record: &str, out: &str, only: &[String]) -> Result<usize, String> {
    let text = std::fs::read_to_string(record).map_err(|error| format!("{record}: {error}"))?;
    let mut panels = panels(&text);
    panels.retain(|panel| only.is_empty() || only.iter().any(|text| panel.title.contains(text)));
    if panels.is_empty() {
        return Err(format!("{record}: no table of such a job"));
    }
    std::fs::write(out, svg(&panels, &caption(&text)))
        .map_err(|error| format!("{out}: {error}"))?;
    Ok(panels.len())
}
