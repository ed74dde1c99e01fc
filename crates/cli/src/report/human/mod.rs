//! The human format: message, position, source lines with marks, notes and help.
//!
//! ```text
//!  Report ──▶ blocks          merges adjacent findings with the same message
//!         ──▶ lines           selects lines with marks, and context
//!         ──▶ window          cuts long lines to the text around the marks
//!         ──▶ marks           draws carets and labels under the line
//!         ──▶ paint           adds color, if enabled
//! ```

mod block;
mod elsewhere;
mod lines;
mod marks;
mod paint;
mod window;
mod wrap;

pub use wrap::wrap;

use jsonx_core::path::Notation;
use jsonx_core::terminal::sanitize;
use jsonx_diagnose::{Code, Diagnostic, Omitted, Report, Severity};

use self::block::Block;
use self::paint::{Painter, Role};
use super::advice::help;
use super::select::{self, MOST_FINDINGS};
use super::{Checked, File, Index, Outcome, ReportSettings, Run, escape, escape_name};

/// Options for showing findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Width of the output in cells; clamped to 60 to 200.
    pub width: usize,
    /// Whether the width is known, so that labels stay within it.
    pub is_bounded: bool,
    /// Whether to write color escape sequences.
    pub color: bool,
    /// Maximum number of findings of each severity to show, 0 for all; the rest is counted.
    pub max_errors: usize,
    /// Whether the output is the log of a CI service that executes commands in it.
    pub ci: bool,
    /// Whether notes and help are wrapped to the width, as at a terminal.
    pub wraps: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            width: 100,
            is_bounded: false,
            color: false,
            max_errors: 20,
            ci: false,
            wraps: false,
        }
    }
}

/// The findings of one file as text, each followed by an empty line. Empty if there are none.
pub fn render(report: &Report, file: &File, options: &Options) -> String {
    let file = &file.text_of(report);
    let index = Index::new(file);
    let mut painter = Painter::new(options.color);
    let (shown, rest) = select::for_people(report, options.max_errors);
    let renderer = Renderer {
        file,
        index: &index,
        name: escape::escape_name(file.name),
        width: options.width.clamp(60, 200),
        is_bounded: options.is_bounded,
        wraps: options.wraps,
        ci: options.ci,
        omits: match options.max_errors {
            0 if shown.len() >= MOST_FINDINGS => "at most 100,000 are",
            0 => "the text is no longer in memory",
            _ => "--max-errors 0 shows all",
        },
    };
    for block in block::merge(&shown, &index) {
        renderer.block(&block, &mut painter);
        painter.out.push('\n');
    }
    for omitted in &rest {
        renderer.omitted(omitted, &mut painter);
    }
    if !rest.is_empty() {
        painter.out.push('\n');
    }
    if options.ci {
        painter.out = escape::defuse(&painter.out).into_owned();
    }
    painter.out
}

/// The findings of one file, at most `most` of each severity (0 for all).
pub(super) fn file(checked: &Checked, settings: &ReportSettings, most: usize) -> String {
    match checked.outcome {
        // Other commands list the names on standard output themselves.
        Outcome::Unformatted if settings.totals => escape_name(checked.file.name) + "\n",
        Outcome::Unformatted => String::new(),
        _ => {
            let options = Options {
                max_errors: most,
                ..settings.human
            };
            render(&checked.report, &checked.file, &options)
        }
    }
}

/// The last lines of a run with findings.
pub(super) fn end(run: &Run, settings: &ReportSettings) -> String {
    let mut out = String::new();
    let Some((_, code)) = run.first else {
        return out;
    };
    if settings.totals {
        out = run.totals.summary() + "\n";
    }
    // Readers of a log cannot type commands, so the hint is for terminals only.
    if settings.terminal {
        out += &format!("for more about a code: jsonx explain {code}\n");
    }
    out
}

/// A finding that is not about one place, on a line of its own.
pub fn without_place(
    severity: Severity,
    code: Code,
    message: &str,
    settings: &ReportSettings,
) -> String {
    let mut painter = Painter::new(settings.human.color);
    headline(severity, code, &sanitize(message), &mut painter);
    painter.out.push('\n');
    painter.out
}

/// The first line of a finding.
fn headline(severity: Severity, code: Code, message: &str, painter: &mut Painter) {
    let name = format!("{}[{code}]", severity.as_str());
    painter.put(Role::Severity(severity), &name);
    painter.put(Role::Message, &format!(": {message}"));
    painter.out.push('\n');
}

/// State shared by all blocks of one file.
struct Renderer<'a> {
    file: &'a File<'a>,
    index: &'a Index<'a>,
    name: String,
    width: usize,
    is_bounded: bool,
    wraps: bool,
    ci: bool,
    /// Why findings are omitted.
    omits: &'static str,
}

/// Maximum length of a path that is shown whole, and the lengths of the start and the end shown of a longer path.
const PATH: (usize, usize, usize) = (70, 30, 38);

impl Renderer<'_> {
    fn block(&self, block: &Block, painter: &mut Painter) {
        let first = block.findings[0];
        let severity = first.severity;
        let mut message = sanitize(&first.message).into_owned();
        if block.findings.len() > 1 {
            message.push_str(&format!(" ({} on this line)", block.findings.len()));
        }
        headline(severity, first.code, &message, painter);

        let source = lines::collect(block, self.index);
        let width = |lines: &[lines::Line]| {
            let last = lines.last();
            last.map_or(1, |line| line.number.to_string().len())
        };
        let elsewhere = elsewhere::excerpts(first);
        let others = elsewhere.iter().map(|excerpt| width(&excerpt.lines));
        let gutter = others.fold(width(&source), usize::max);
        let place = self.index.position(first.span.start);
        painter.put(Role::Frame, &format!("{:gutter$}--> ", ""));
        let record = first
            .record
            .map_or(String::new(), |record| format!(" (record {record})"));
        painter.put(
            Role::Plain,
            &format!("{}:{}:{}{record}\n", self.name, place.line, place.column),
        );
        painter.put(Role::Frame, &format!("{:gutter$} |", ""));
        painter.out.push('\n');
        if !self.file.bytes.is_empty() {
            self.source(self.file, &source, gutter, severity, painter);
        }
        for excerpt in &elsewhere {
            painter.put(Role::Frame, &format!("{:gutter$}::: ", ""));
            painter.put(Role::Plain, &format!("{}\n", excerpt.place));
            painter.put(Role::Frame, &format!("{:gutter$} |", ""));
            painter.out.push('\n');
            self.source(&excerpt.file, &excerpt.lines, gutter, severity, painter);
        }
        self.notes(first, gutter, painter);
    }

    fn source(
        &self,
        file: &File,
        source: &[lines::Line],
        gutter: usize,
        severity: Severity,
        painter: &mut Painter,
    ) {
        let budget = self.width - gutter - 3;
        let labels = if self.is_bounded { budget } else { usize::MAX };
        for line in source {
            if line.gap {
                painter.put(Role::Frame, "...");
                painter.out.push('\n');
            }
            let view = window::view(file, line, budget, self.ci);
            painter.put(Role::Frame, &format!("{:gutter$} |", line.number));
            view.put(severity, painter);
            painter.out.push('\n');
            for row in marks::rows(&view.marks, labels) {
                painter.put(Role::Frame, &format!("{:gutter$} |", ""));
                row.put(severity, painter);
                painter.out.push('\n');
            }
        }
    }

    fn notes(&self, first: &Diagnostic, gutter: usize, painter: &mut Painter) {
        let mut line = |role, name: &str, text: &str| {
            painter.put(Role::Frame, &format!("{:gutter$} = ", ""));
            painter.put(role, name);
            let text = sanitize(text);
            let indent = gutter + " = ".len() + name.len() + ": ".len();
            let lines = if self.wraps {
                wrap::wrap(&text, self.width.saturating_sub(indent))
            } else {
                vec![&*text]
            };
            let between = format!("\n{:indent$}", "");
            painter.put(Role::Plain, &format!(": {}\n", lines.join(&between)));
        };
        if !first.path.is_root() {
            line(
                Role::Message,
                "at",
                &shorten(&sanitize(&first.path.display(Notation::Dot).to_string())),
            );
        }
        for note in &first.notes {
            line(Role::Note, "note", note);
        }
        for help in help(first, self.file.name) {
            line(Role::Help, "help", &help);
        }
    }

    fn omitted(&self, omitted: &Omitted, painter: &mut Painter) {
        let (first, last) = (
            self.index.position(omitted.first).line,
            self.index.position(omitted.last).line,
        );
        // Line numbers after the text in memory are unknown.
        let beyond = |at: usize| self.file.cut && at > self.file.bytes.len();
        let lines = if beyond(omitted.first) {
            "later lines".to_owned()
        } else if beyond(omitted.last) {
            format!("line {first} and later ones")
        } else if first == last {
            format!("line {first}")
        } else {
            format!("lines {first} to {last}")
        };
        painter.put(Role::Note, "note");
        painter.put(
            Role::Plain,
            &format!(
                ": {} more `{}` on {lines} of {} not shown ({})\n",
                omitted.count, omitted.code, self.name, self.omits
            ),
        );
    }
}

/// Shortens a long path by omitting its middle.
pub fn shorten(path: &str) -> String {
    let (longest, start, end) = PATH;
    let count = path.chars().count();
    if count <= longest {
        return path.to_string();
    }
    let tail: String = path.chars().skip(count - end).collect();
    path.chars().take(start).chain(['…']).collect::<String>() + &tail
}

#[cfg(test)]
mod tests {
    use super::*;
    use jsonx_diagnose::{Code, DiagnoseOptions, diagnose};

    #[test]
    fn omitted_findings_name_an_option_only_if_it_helps() {
        let mut report = diagnose(b"[1,]", &DiagnoseOptions::default());
        report.omitted.push(Omitted {
            code: Code::DuplicateKey,
            severity: Severity::Warning,
            count: 7,
            first: 0,
            last: 1,
        });
        let note = |max_errors| {
            let options = Options {
                max_errors,
                ..Options::default()
            };
            let shown = render(&report, &File::new("a.json", b"[1,]"), &options);
            shown
                .trim_end()
                .lines()
                .last()
                .unwrap_or_default()
                .to_owned()
        };
        let start = "note: 7 more `duplicate-key` on line 1 of a.json not shown";
        let why = "the text is no longer in memory";
        assert_eq!(note(20), format!("{start} (--max-errors 0 shows all)"));
        assert_eq!(note(0), format!("{start} ({why})"));
    }
}
