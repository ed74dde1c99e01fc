//! Plots a record of processes: a panel for each job, a bar for each program.

use std::fmt::Write;

/// A job of a record, with its results.
#[derive(Debug, PartialEq)]
pub struct Panel {
    /// The job.
    pub title: String,
    /// The programs in the order of the table: jsonx first.
    pub bars: Vec<Bar>,
}

/// A row of a table.
#[derive(Debug, PartialEq)]
pub struct Bar {
    /// The program.
    pub name: String,
    /// Its median time in seconds.
    pub seconds: f64,
    /// The largest resident set in MB, if it was measured.
    pub peak: Option<f64>,
}

/// The jobs of a record in Markdown: headings, with the tables that have a column `median`.
///
/// ```
/// let record = "## fmt\n\n| program | median | peak MB |\n|:--|--:|--:|\n| jsonx | 0.5 | 8.4 |\n| jq | 4 | |\n";
/// let panels = jsonx_benches::plot::panels(record);
/// assert_eq!((panels[0].title.as_str(), panels[0].bars.len()), ("fmt", 2));
/// assert_eq!(panels[0].bars[1].seconds, 4.0);
/// ```
pub fn panels(record: &str) -> Vec<Panel> {
    let mut panels = Vec::new();
    for section in record
        .split("\n## ")
        .skip(usize::from(!record.starts_with("## ")))
    {
        let section = section.strip_prefix("## ").unwrap_or(section);
        let title = section.lines().next().unwrap_or_default();
        let mut rows = section
            .lines()
            .skip_while(|line| !line.starts_with('|'))
            .take_while(|line| line.starts_with('|'))
            .map(|line| {
                line.trim_matches('|')
                    .split('|')
                    .map(str::trim)
                    .collect::<Vec<_>>()
            });
        let head = rows.next().unwrap_or_default();
        let column = |name: &str| head.iter().position(|&column| column == name);
        let (Some(program), Some(median)) = (column("program"), column("median")) else {
            continue;
        };
        let number = |row: &[&str], column: Option<usize>| row.get(column?)?.parse().ok();
        let bars: Vec<Bar> = rows
            .skip(1)
            .filter_map(|row| {
                Some(Bar {
                    name: (*row.get(program)?).to_owned(),
                    seconds: number(&row, Some(median))?,
                    peak: number(&row, column("peak MB")),
                })
            })
            .collect();
        if !bars.is_empty() {
            panels.push(Panel {
                title: title.to_owned(),
                bars,
            });
        }
    }
    panels
}

/// The machine, the kernel and the date from the head of a record.
pub fn caption(record: &str) -> String {
    let mut paragraphs = record.split("\n\n");
    let date = paragraphs
        .next()
        .and_then(|title| title.rsplit(", ").next());
    let head = paragraphs.next().unwrap_or_default();
    let machine = head.split(';').next().unwrap_or_default();
    let kernel = head.split("kernel: ").nth(1);
    let kernel = kernel.and_then(|rest| rest.split([' ', ',', ';']).next());
    let kernel = kernel.map_or_else(String::new, |kernel| format!("; kernel {kernel}"));
    format!("{machine}{kernel}; {}", date.unwrap_or_default())
}

const WIDTH: f64 = 496.0;
const GAP: f64 = 28.0;
const NAMES: f64 = 184.0;
const BARS: f64 = 200.0;
const ROW: f64 = 20.0;
const TITLE: f64 = 34.0;
/// Bars are cut at this multiple of the bar of jsonx: otherwise a slow program would hide all differences.
const LONGEST: f64 = 6.0;

/// Colors for light and dark pages; light is the default.
const STYLE: &str = "\
text { font: 13px system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #1f2328 }
.title { font-weight: 600; font-size: 14px }
.small { fill: #59636e; font-size: 12px }
.page { fill: #ffffff; stroke: #d1d9e0 }
.own { fill: #0b7a5b }
.other { fill: #9aa5b1 }
.cut { stroke: #ffffff; stroke-width: 4 }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc }
.small { fill: #9da7b1 }
.page { fill: #0d1117; stroke: #3d444d }
.own { fill: #3fb68b }
.other { fill: #6b7684 }
.cut { stroke: #0d1117 }
}";

/// The panels in two columns, as SVG.
pub fn svg(panels: &[Panel], caption: &str) -> String {
    let mut heights = [16.0, 16.0];
    let mut body = String::new();
    for panel in panels {
        let column = usize::from(heights[1] < heights[0]);
        let left = 16.0 + column as f64 * (WIDTH + GAP);
        draw(&mut body, panel, left, heights[column]);
        heights[column] += TITLE + panel.bars.len() as f64 * ROW + 14.0;
    }
    let (width, height) = (32.0 + 2.0 * WIDTH + GAP, heights[0].max(heights[1]) + 54.0);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" aria-label=\"Times of jsonx and of other programs\">\n<style>\n{STYLE}\n</style>\n\
         <rect class=\"page\" x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\"/>\n{body}\
         <text class=\"small\" x=\"16\" y=\"{}\">{}</text>\n\
         <text class=\"small\" x=\"16\" y=\"{}\">Median time and peak memory. A bar with a gap is longer than \
         drawn.</text>\n</svg>\n",
        width - 1.0,
        height - 1.0,
        height - 34.0,
        escaped(caption),
        height - 16.0,
    )
}

fn draw(body: &mut String, panel: &Panel, left: f64, top: f64) {
    let own = panel.bars[0].seconds;
    let slowest = panel.bars.iter().map(|bar| bar.seconds).fold(own, f64::max);
    let full = slowest.min(LONGEST * own);
    let mut line = |text: std::fmt::Arguments<'_>| {
        writeln!(body, "{text}").expect("memory does not run out");
    };
    line(format_args!(
        "<text class=\"title\" x=\"{left}\" y=\"{}\">{}</text>",
        top + 18.0,
        escaped(&panel.title)
    ));
    for (index, bar) in panel.bars.iter().enumerate() {
        let y = top + TITLE + index as f64 * ROW;
        let (start, middle) = (left + NAMES, y + 9.0);
        let length = (bar.seconds.min(full) / full * BARS).max(1.0);
        // "jsonx, one thread" is ours too, "jsonxf" is not.
        let ours = bar.name.split(',').next() == Some("jsonx");
        let class = if ours { "own" } else { "other" };
        line(format_args!(
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            start - 8.0,
            middle + 4.0,
            escaped(&bar.name)
        ));
        line(format_args!(
            "<rect class=\"{class}\" x=\"{start}\" y=\"{y:.1}\" width=\"{length:.1}\" height=\"14\" rx=\"2\"/>"
        ));
        if bar.seconds > full {
            let at = start + length - 24.0;
            line(format_args!(
                "<line class=\"cut\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{at:.1}\" y2=\"{:.1}\"/>",
                at + 6.0,
                y - 2.0,
                y + 16.0
            ));
        }
        let peak = bar
            .peak
            .map_or_else(String::new, |peak| format!(", {}", memory(peak)));
        line(format_args!(
            "<text class=\"small\" x=\"{:.1}\" y=\"{:.1}\">{}{peak}</text>",
            start + length + 8.0,
            middle + 4.0,
            time(bar.seconds)
        ));
    }
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s < 0.1 => format!("{:.2} ms", s * 1e3),
        s if s < 10.0 => format!("{s:.2} s"),
        s => format!("{s:.0} s"),
    }
}

fn memory(megabytes: f64) -> String {
    match megabytes {
        m if m < 1000.0 => format!("{m:.0} MB"),
        m => format!("{:.1} GB", m / 1000.0),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str = "# Whole processes, 2026-01-02\n\nA <CPU>, 2 cores; jsonx 1, kernel: avx2 (and swar)\n\n## get\n\nwords\n\n\
        | program | best | median | runs | peak MB |\n|:-|-:|-:|-:|-:|\n| jsonx | 0.1 | 0.2 | 8 | 8.4 |\n\
        | jq | 9 | 10 | 8 | 2100 |\n\n## In memory\n\n| file | MB |\n|:-|-:|\n| a | 1 |\n";

    #[test]
    fn tables_with_a_median_are_panels() {
        let panels = panels(RECORD);
        assert_eq!(panels.len(), 1);
        assert_eq!(panels[0].title, "get");
        assert_eq!(
            panels[0].bars[1],
            Bar {
                name: "jq".to_owned(),
                seconds: 10.0,
                peak: Some(2100.0)
            }
        );
    }

    #[test]
    fn a_bar_that_is_too_long_is_cut_and_says_its_time() {
        let picture = svg(&panels(RECORD), &caption(RECORD));
        assert_eq!(picture.matches("class=\"cut\"").count(), 1);
        assert_eq!(picture.matches("<rect").count(), 3);
        for text in [
            "10 s, 2.1 GB",
            "0.20 s, 8 MB",
            "A &lt;CPU>, 2 cores; kernel avx2; 2026-01-02",
        ] {
            assert!(picture.contains(text), "{text}: {picture}");
        }
        // As wide as the longest bar, six times the shortest.
        assert!(picture.contains("width=\"200.0\"") && picture.contains("width=\"33.3\""));
    }
}
