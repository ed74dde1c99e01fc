//! One interface to all report formats.

use clap::ValueEnum;

use super::object::NEXT;
use super::{
    Checked, Outcome, Run, Settings, checkstyle, concise, escape_name, github, gitlab, human, json,
    junit, rdjson, sarif,
};

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
/// use jsonx_cli::report::{Checked, File, Format, FileTotals, Run, Settings};
/// use jsonx_core::diagnose::{diagnose, DiagnoseOptions};
///
/// let report = diagnose(b"[1,]", &DiagnoseOptions::default());
/// let checked = Checked::invalid(File::new("a.json", b"[1,]"), report, Some(3), 4);
/// let settings = Settings::default();
/// let mut run = Run::default();
/// run.add(FileTotals::of(&checked));
/// let format = Format::Concise;
/// let document = format.begin() + &format.file(&checked, &settings) + &format.end(&run, &settings);
/// assert_eq!(document, "a.json:1:3: error[trailing-comma]: trailing comma in array (remove this comma)\n");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
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
    /// Checkstyle's XML.
    Checkstyle,
    /// The Reviewdog Diagnostic Format, as JSON.
    Rdjson,
}

/// Default number of findings per file and severity, in the format for people and in those for programs.
const FOR_PEOPLE: usize = 20;
const FOR_PROGRAMS: usize = 1000;

impl Format {
    /// The number of findings of each severity that this format needs in the report of a file; 0 for all.
    ///
    /// The human format shows fewer, which it selects from these.
    pub fn findings(self, settings: &Settings) -> usize {
        match (self, self.most(settings)) {
            (Format::Human, most) if most > 0 => most.max(FOR_PROGRAMS),
            (_, most) => most,
        }
    }

    /// Maximum number of findings of each severity to show; 0 for all.
    fn most(self, settings: &Settings) -> usize {
        settings.max_errors.unwrap_or(match self {
            Format::Human => FOR_PEOPLE,
            _ => FOR_PROGRAMS,
        })
    }

    /// Whether a file that starts with `head` is an earlier report in this format. Always `false` for the line-oriented
    /// formats for people, which have no recognizable start.
    pub fn is_report(self, head: &[u8]) -> bool {
        let begins = |with: &str| head.starts_with(with.as_bytes());
        match self {
            Format::Human | Format::Concise | Format::Github => false,
            Format::Json => ["diagnostic", "file", "failure", "summary"]
                .iter()
                .any(|kind| begins(&format!("{{\"type\":\"{kind}\","))),
            // Up to the program's version, which may differ.
            Format::Sarif => {
                let begin = sarif::begin();
                let end = begin.find("\"semanticVersion\"").unwrap_or(begin.len());
                let end = begin[..end].find("\"version\":\"0").unwrap_or(end);
                begins(&begin[..end.min(head.len())]) && !head.is_empty()
            }
            Format::Gitlab => {
                begins("[\n{\"type\":\"issue\",\"check_name\":") || begins("[\n\n]\n")
            }
            Format::Junit => begins(&junit::begin()),
            Format::Checkstyle => begins(&checkstyle::begin()),
            Format::Rdjson => begins(rdjson::BEGIN),
        }
    }

    /// The text before the first file.
    pub fn begin(self) -> String {
        match self {
            Format::Human | Format::Concise | Format::Json | Format::Github => String::new(),
            Format::Sarif => sarif::begin(),
            Format::Gitlab => "[\n".to_owned(),
            Format::Junit => junit::begin(),
            Format::Checkstyle => checkstyle::begin(),
            Format::Rdjson => rdjson::BEGIN.to_owned(),
        }
    }

    /// The fragment for one file; empty if this format has nothing to report.
    pub fn file(self, checked: &Checked, settings: &Settings) -> String {
        let most = self.most(settings);
        match self {
            // The other commands list names on standard output themselves.
            Format::Human if checked.outcome == Outcome::Unformatted => match settings.totals {
                true => escape_name(checked.file.name) + "\n",
                false => String::new(),
            },
            Format::Human => {
                let options = human::Options {
                    max_errors: most,
                    ..settings.human
                };
                human::render(&checked.report, &checked.file, &options)
            }
            Format::Concise => concise::file(checked, most, settings.human.ci),
            Format::Json => json::file(checked, most),
            Format::Sarif => sarif::file(checked, most, &settings.repository),
            Format::Github => github::file(checked, most, &settings.repository),
            Format::Gitlab => gitlab::file(checked, most, &settings.repository),
            Format::Junit => junit::file(checked, most, &settings.repository),
            Format::Checkstyle => checkstyle::file(checked, most, &settings.repository),
            Format::Rdjson => rdjson::file(checked, most, &settings.repository),
        }
    }

    /// Whether the findings of a file may be written one by one, because the format does not wrap them.
    pub fn is_streamable(self) -> bool {
        matches!(
            self,
            Format::Human | Format::Concise | Format::Json | Format::Github
        )
    }

    /// The text between two non-empty fragments.
    pub fn separator(self) -> &'static str {
        match self {
            Format::Sarif | Format::Gitlab | Format::Rdjson => NEXT,
            _ => "",
        }
    }

    /// The text after the last file.
    pub fn end(self, run: &Run, settings: &Settings) -> String {
        match self {
            Format::Human => human::end(run, settings),
            Format::Concise => String::new(),
            Format::Json if settings.totals => json::summary(run, self.most(settings)),
            Format::Json => String::new(),
            Format::Sarif => sarif::end(run, &settings.repository),
            Format::Github => github::end(run),
            Format::Gitlab => "\n]\n".to_owned(),
            Format::Junit => junit::END.to_owned(),
            Format::Checkstyle => checkstyle::END.to_owned(),
            Format::Rdjson => rdjson::END.to_owned(),
        }
    }
}
