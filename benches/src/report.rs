//! Tables and the machine they were measured on.

use std::fmt::Write;
use std::process::Command;

/// The geometric mean of `values`, the correct mean for ratios; `None` if there are none.
///
/// ```
/// use jsonx_benches::report::geometric_mean;
/// assert_eq!(geometric_mean(&[2.0, 8.0]), Some(4.0));
/// assert_eq!(geometric_mean(&[]), None);
/// ```
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    let logarithms: f64 = values.iter().map(|value| value.ln()).sum();
    (!values.is_empty()).then(|| (logarithms / values.len() as f64).exp())
}

/// A table in Markdown, padded to be readable as text: the first column left-aligned, the others, which hold figures,
/// right-aligned. Short rows are padded.
///
/// ```
/// use jsonx_benches::report::markdown;
/// let rows = vec![vec!["a.json".to_owned(), "1.5".to_owned()]];
/// assert_eq!(markdown(&["file", "GB/s"], &rows), "\
/// | file   | GB/s |
/// |:-------|-----:|
/// | a.json |  1.5 |
/// ");
/// ```
pub fn markdown(head: &[&str], rows: &[Vec<String>]) -> String {
    let cell = |row: &[String], column: usize| row.get(column).cloned().unwrap_or_default();
    let widths: Vec<usize> = head
        .iter()
        .enumerate()
        .map(|(column, title)| {
            let cells = rows.iter().map(|row| cell(row, column).chars().count());
            cells.chain([title.chars().count(), 3]).max().unwrap_or(3)
        })
        .collect();
    // Writing to a `String` cannot fail.
    let line = |table: &mut String, cells: &[String]| {
        for (column, &width) in widths.iter().enumerate() {
            let text = cell(cells, column);
            let _ = if column == 0 {
                write!(table, "| {text:<width$} ")
            } else {
                write!(table, "| {text:>width$} ")
            };
        }
        table.push_str("|\n");
    };
    let mut table = String::new();
    line(
        &mut table,
        &head
            .iter()
            .map(|&title| title.to_owned())
            .collect::<Vec<_>>(),
    );
    for (column, &width) in widths.iter().enumerate() {
        let dashes = "-".repeat(width + 1);
        let _ = if column == 0 {
            write!(table, "|:{dashes}")
        } else {
            write!(table, "|{dashes}:")
        };
    }
    table.push_str("|\n");
    for row in rows {
        line(&mut table, row);
    }
    table
}

/// The name of the processor.
pub fn processor() -> String {
    let named = std::fs::read_to_string("/proc/cpuinfo")
        .ok()
        .and_then(|info| {
            let line = info.lines().find(|line| line.starts_with("model name"))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        });
    named
        .or_else(|| output(Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"])))
        .unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// The number of cores available to this program.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The processor and the number of cores as a folder name.
///
/// ```
/// let name = jsonx_benches::report::machine_slug("Intel(R) Xeon(R) Processor @ 2.10GHz", 2);
/// assert_eq!(name, "intel-xeon-processor-2-10ghz-2-cores");
/// ```
pub fn machine_slug(processor: &str, cores: usize) -> String {
    let plain = processor
        .replace("(R)", " ")
        .replace("(TM)", " ")
        .to_lowercase();
    let words: Vec<&str> = plain
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    format!("{}-{cores}-cores", words.join("-"))
}

/// Today's date in UTC, like `2026-03-01`; `undated` without the program `date`.
pub fn today() -> String {
    output(Command::new("date").args(["-u", "+%Y-%m-%d"])).unwrap_or_else(|| "undated".to_owned())
}

/// The output of `command`, trimmed; `None` if it fails or prints nothing.
pub fn output(command: &mut Command) -> Option<String> {
    let output = command
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    (!text.is_empty()).then_some(text)
}
