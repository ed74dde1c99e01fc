//! One interface to all report formats.

use super::object::NEXT;
use super::select::MOST_FINDINGS;
use super::{Checked, ReportSettings, Run, concise, github, gitlab, human, json, junit, sarif};

/// A report format: one document for all files of a run, written in fragments.
///
/// The document is [`begin`](Format::begin), the fragment from [`file`](Format::file) for each file, with
/// [`separator`](Format::separator) between those that are not empty, and [`end`](Format::end). It is well formed in
/// every case: without files, with unreadable files, and when all files are valid.
///
/// `file` is a pure function, so threads may render files in parallel. [`Run`] sums up the
/// [`FileTotals`](super::FileTotals) of the files.
///
/// ```
/// use jsonx_cli::report::{Checked, File, Format, FileTotals, Run, ReportSettings};
/// use jsonx_diagnose::{diagnose, DiagnoseOptions};
///
/// let report = diagnose(b"[1,]", &DiagnoseOptions::default());
/// let checked = Checked::invalid(File::new("a.json", b"[1,]"), report, Some(3), 4);
/// let settings = ReportSettings::default();
/// let mut run = Run::default();
/// run.add(FileTotals::new(&checked));
/// let format = Format::Concise;
/// let document = format.begin() + &format.file(&checked, &settings) + &format.end(&run, &settings);
/// assert_eq!(document, "a.json:1:3: error[trailing-comma]: trailing comma in array (remove this comma)\n");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Blocks with source lines, for people.
    Human,
    /// One line a finding, for editors and scripts.
    Concise,
    /// One JSON record a finding, one a file, one at the end.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
    /// GitLab's Code Quality report.
    Gitlab,
    /// JUnit's XML.
    Junit,
}

/// The properties of a format. The functions receive the maximum number of findings of each severity, 0 for all.
struct FormatRow {
    format: Format,
    name: &'static str,
    /// For `--help`.
    help: &'static str,
    /// Whether the findings of a file may be written one by one, because the format does not wrap them.
    streams: bool,
    /// The text between two files.
    separator: &'static str,
    begin: fn() -> String,
    file: fn(&Checked, &ReportSettings, usize) -> String,
    end: fn(&Run, &ReportSettings, usize) -> String,
    /// Whether a file that starts with this text is an earlier report.
    is_report: fn(&[u8]) -> bool,
}

/// A format that begins and ends with nothing, and puts nothing between the findings.
const PLAIN: FormatRow = FormatRow {
    format: Format::Human,
    name: "",
    help: "",
    streams: true,
    separator: "",
    begin: String::new,
    file: human::file,
    end: |_, _, _| String::new(),
    is_report: |_| false,
};

/// All formats, in the order of [`Format`]: a new one is a variant, a module and a row.
static TABLE: [FormatRow; 7] = [
    FormatRow {
        format: Format::Human,
        name: "human",
        help: "source lines and advice",
        end: |run, settings, _| human::end(run, settings),
        ..PLAIN
    },
    FormatRow {
        format: Format::Concise,
        name: "concise",
        help: "one line per finding",
        file: |checked, settings, most| concise::file(checked, most, settings.human.ci),
        ..PLAIN
    },
    FormatRow {
        format: Format::Json,
        name: "json",
        help: "one record per finding, per file, and for the run",
        file: |checked, _, most| json::file(checked, most),
        end: |run, settings, most| {
            if settings.totals {
                json::summary(run, most)
            } else {
                String::new()
            }
        },
        is_report: json::is_report,
        ..PLAIN
    },
    FormatRow {
        format: Format::Sarif,
        name: "sarif",
        help: "SARIF 2.1.0",
        streams: false,
        separator: NEXT,
        begin: sarif::begin,
        file: |checked, settings, most| sarif::file(checked, most, &settings.repository),
        end: |run, settings, _| sarif::end(run, &settings.repository),
        is_report: sarif::is_report,
    },
    FormatRow {
        format: Format::Github,
        name: "github",
        help: "workflow annotations",
        file: |checked, settings, most| github::file(checked, most, &settings.repository),
        end: |run, _, _| github::end(run),
        ..PLAIN
    },
    FormatRow {
        format: Format::Gitlab,
        name: "gitlab",
        help: "Code Quality",
        streams: false,
        separator: NEXT,
        begin: || "[\n".to_owned(),
        file: |checked, settings, most| gitlab::file(checked, most, &settings.repository),
        end: |_, _, _| "\n]\n".to_owned(),
        is_report: |head| {
            head.starts_with(b"[\n{\"type\":\"issue\",\"check_name\":")
                || head.starts_with(b"[\n\n]\n")
        },
    },
    FormatRow {
        format: Format::Junit,
        name: "junit",
        help: "JUnit XML",
        streams: false,
        begin: junit::begin,
        file: |checked, settings, most| junit::file(checked, most, &settings.repository),
        end: |_, _, _| junit::END.to_owned(),
        is_report: |head| head.starts_with(junit::begin().as_bytes()),
        ..PLAIN
    },
];

/// Default number of findings per file and severity, in the human format and in the others.
const FOR_PEOPLE: usize = 20;
const FOR_PROGRAMS: usize = 1000;

impl Format {
    /// All formats.
    pub fn all() -> impl Iterator<Item = Format> {
        TABLE.iter().map(|row| row.format)
    }

    /// The format of this name.
    pub fn named(name: &str) -> Option<Format> {
        Format::all().find(|format| format.name() == name)
    }

    /// Its name as a value of `--reporter`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// A description in a few words.
    pub fn help(self) -> &'static str {
        self.row().help
    }

    /// The names of all formats, for a sentence.
    pub fn names() -> String {
        let names: Vec<&str> = TABLE.iter().map(|row| row.name).collect();
        names.join(", ")
    }

    /// Descriptions of all formats, for `--help`.
    pub fn descriptions() -> String {
        let described: Vec<String> = TABLE
            .iter()
            .map(|row| format!("{}: {}.", row.name, row.help))
            .collect();
        described.join(" ")
    }

    fn row(self) -> &'static FormatRow {
        &TABLE[self as usize]
    }

    /// The number of findings of each severity that this format needs in the report of a file.
    ///
    /// The human format shows fewer, which it selects from these.
    pub fn findings(self, settings: &ReportSettings) -> usize {
        match (self, self.most(settings)) {
            (_, 0) => MOST_FINDINGS,
            (Format::Human, most) => most.clamp(FOR_PROGRAMS, MOST_FINDINGS),
            (_, most) => most.min(MOST_FINDINGS),
        }
    }

    /// Maximum number of findings of each severity to show; 0 for all.
    fn most(self, settings: &ReportSettings) -> usize {
        settings.max_errors.unwrap_or(match self {
            Format::Human => FOR_PEOPLE,
            _ => FOR_PROGRAMS,
        })
    }

    /// Whether a file that starts with `head` is an earlier report in this format. Always `false` for the line-oriented
    /// formats for people, which have no recognizable start.
    pub fn is_report(self, head: &[u8]) -> bool {
        (self.row().is_report)(head)
    }

    /// The text before the first file.
    pub fn begin(self) -> String {
        (self.row().begin)()
    }

    /// The fragment for one file; empty if this format has nothing to report.
    pub fn file(self, checked: &Checked, settings: &ReportSettings) -> String {
        (self.row().file)(checked, settings, self.most(settings))
    }

    /// Whether the findings of a file may be written one by one, because the format does not wrap them.
    pub fn is_streamable(self) -> bool {
        self.row().streams
    }

    /// The text between two non-empty fragments.
    pub fn separator(self) -> &'static str {
        self.row().separator
    }

    /// The text after the last file.
    pub fn end(self, run: &Run, settings: &ReportSettings) -> String {
        (self.row().end)(run, settings, self.most(settings))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_has_its_row() {
        for (number, row) in TABLE.iter().enumerate() {
            assert_eq!(row.format as usize, number, "{}", row.name);
            assert_eq!(Format::named(row.name), Some(row.format));
        }
    }
}
