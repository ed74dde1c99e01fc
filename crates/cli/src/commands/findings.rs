//! From an error of the verdict path to what is said about it: the cold path is asked for causes, a reporter for text.

use std::io;

use jsonx_core::diagnose::{Code, Diagnostic, Lints, Mode, Options, Report, diagnose, unexplained};
use jsonx_core::{Error, ErrorKind};

use crate::args::{Color, InputKind};
use crate::input::{Evidence, Excerpt, HEAD, Input, Name};
use crate::report::{Checked, File, Format, Look, Run, Tally, human};

/// The longest file that is read into memory to look for causes.
pub const LONGEST: u64 = 256 << 20;

/// What was asked for.
pub struct Wanted {
    /// The form.
    pub format: Format,
    /// Findings of each file that are shown; 0 is all.
    pub max_errors: Option<usize>,
    /// When to use colours.
    pub color: Color,
    /// Whether the findings are what the command is for.
    pub totals: bool,
    /// The limit of nesting; `u64::MAX` is none.
    pub max_depth: u64,
    /// The warnings that come with the errors of a file.
    pub lints: Lints,
}

/// Turns errors into text, and counts.
pub struct Findings {
    wanted: Wanted,
    look: Look,
    run: Run,
}

impl Findings {
    /// A run that has found nothing yet, and shows what it finds on `stream`.
    pub fn shown_on<S>(wanted: Wanted, stream: &S) -> Findings
    where
        S: anstream::stream::RawStream + Terminal,
    {
        Findings {
            look: Look {
                human: look(wanted.color, stream),
                max_errors: wanted.max_errors,
                terminal: stream.is_terminal(),
                totals: wanted.totals,
            },
            wanted,
            run: Run::default(),
        }
    }

    /// What is to be said about an input in which the verdict path has found `error`.
    ///
    /// # Errors
    /// The input cannot be read again.
    pub fn invalid(
        &mut self,
        input: &mut Input,
        error: Error,
        kind: InputKind,
    ) -> io::Result<String> {
        let evidence = input.evidence(error.offset, LONGEST)?;
        let name = input.name().clone();
        Ok(match evidence {
            Evidence::Whole(text) => {
                let mut report = diagnose(&text, &self.options(kind));
                contradict(&mut report, error, &text);
                let length = text.len() as u64;
                self.render(report, File::new(name.bytes(), &text), error, length)
            }
            Evidence::Part(excerpt) => {
                let length = input.length();
                // Behind so much sound text it is JSON that broke.
                let near = error.offset < HEAD as u64;
                match near.then(|| self.foreign(input)).flatten() {
                    Some((report, head)) => {
                        let file = File {
                            cut: true,
                            ..File::new(name.bytes(), &head)
                        };
                        self.render(report, file, error, length)
                    }
                    None => self.part(&name, &excerpt, error, length),
                }
            }
        })
    }

    /// The one finding that can be made where only the surroundings of the error are at hand.
    fn part(&mut self, name: &Name, excerpt: &Excerpt, error: Error, length: u64) -> String {
        let mut finding = unexplained(error, &excerpt.text, excerpt.at);
        if error.kind == ErrorKind::TooDeep {
            finding.code = Code::DeepNesting;
            finding.message = format!("nested more than {} levels deep", self.wanted.max_depth);
            finding.label = "one level too many".to_owned();
            finding
                .help
                .push("`--max-depth N` sets another limit".to_owned());
        }
        let file = File {
            cut: excerpt.cut,
            ..File::excerpt(name.bytes(), &excerpt.text, excerpt.base)
        };
        self.render(only(finding), file, error, length)
    }

    /// What an input that is too long to be examined is instead of JSON, if its first bytes tell.
    fn foreign(&self, input: &mut Input) -> Option<(Report, Vec<u8>)> {
        let head = input.head();
        let mut report = diagnose(&head, &self.options(InputKind::Json));
        let found = report
            .diagnostics
            .iter()
            .position(|d| matches!(d.code, Code::WrongFormat | Code::WrongEncoding))?;
        let text = report.text.take();
        let mut report = only(report.diagnostics.swap_remove(found));
        report.text = text;
        Some((report, head))
    }

    fn options(&self, kind: InputKind) -> Options {
        Options {
            mode: match kind {
                InputKind::Auto | InputKind::Json => Mode::OneValue,
                InputKind::Jsonl => Mode::Lines,
                InputKind::Stream => Mode::Stream,
            },
            lints: self.wanted.lints,
            limit: self.wanted.format.findings(&self.look),
            max_depth: match usize::try_from(self.wanted.max_depth) {
                Ok(usize::MAX) | Err(_) => 0,
                Ok(levels) => levels,
            },
            max_input: LONGEST as usize,
        }
    }

    fn render(&mut self, report: Report, file: File, error: Error, length: u64) -> String {
        self.tell(&Checked::invalid(file, report, invalid_at(error), length))
    }

    /// What is to be said about an input that is valid.
    pub fn valid(&mut self, input: &Input) -> String {
        let file = File::new(input.name().bytes(), b"");
        self.tell(&Checked::valid(file, Report::default(), input.length()))
    }

    /// What is to be said, beside the complaint on standard error, about an input that could not be read.
    pub fn unreadable(&mut self, name: &Name, reason: &str) -> String {
        self.tell(&Checked::unreadable(name.bytes(), reason))
    }

    fn tell(&mut self, checked: &Checked) -> String {
        self.run.add(Tally::of(checked));
        self.wanted.format.file(checked, &self.look)
    }

    /// The last lines of the run.
    pub fn end(&self) -> String {
        self.wanted.format.end(&self.run, &self.look)
    }
}

/// Adds what the verdict path knows, if the cold path has found nothing: it never has the last word.
fn contradict(report: &mut Report, error: Error, text: &[u8]) {
    if !report.is_valid() {
        return;
    }
    let at = usize::try_from(error.offset).unwrap_or(text.len());
    let mut finding = unexplained(error, text, at);
    finding.notes.push(
        "no cause was found; unless the file was changed while it was read, please report this"
            .to_owned(),
    );
    report.diagnostics.push(finding);
    report
        .diagnostics
        .sort_by_key(|d| (d.span.start, d.span.end));
    report.errors += 1;
}

/// A report of one error.
fn only(finding: Diagnostic) -> Report {
    Report {
        diagnostics: vec![finding],
        errors: 1,
        ..Report::default()
    }
}

/// The first byte at which the text is no longer the beginning of any valid one; a limit says nothing about that.
fn invalid_at(error: Error) -> Option<u64> {
    match error.kind {
        ErrorKind::TooDeep | ErrorKind::OutOfMemory => None,
        _ => Some(error.offset),
    }
}

/// What can be asked for its width.
pub trait Terminal {
    /// Cells of a line, if it is a terminal.
    fn cells(&self) -> Option<usize>;
}

impl Terminal for io::Stdout {
    fn cells(&self) -> Option<usize> {
        terminal_size::terminal_size_of(self).map(|(width, _)| usize::from(width.0))
    }
}

impl Terminal for io::Stderr {
    fn cells(&self) -> Option<usize> {
        terminal_size::terminal_size_of(self).map(|(width, _)| usize::from(width.0))
    }
}

/// How text for people looks on `stream`: as wide as the terminal, else `COLUMNS`, else 100, within reason.
pub fn look<S>(color: Color, stream: &S) -> human::Options
where
    S: anstream::stream::RawStream + Terminal,
{
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    human::Options {
        width: stream
            .cells()
            .or_else(|| std::env::var("COLUMNS").ok()?.parse().ok())
            .unwrap_or(100)
            .clamp(60, 200),
        colour: match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => anstream::AutoStream::choice(stream) != anstream::ColorChoice::Never,
        },
        ci: set("GITHUB_ACTIONS") || set("TF_BUILD") || set("TEAMCITY_VERSION"),
        ..human::Options::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_path_has_the_last_word() {
        let text = b"[1, 2]";
        let error = Error {
            kind: ErrorKind::ExpectedValue,
            offset: 4,
        };
        let mut report = diagnose(text, &Options::default());
        assert!(report.is_valid());
        contradict(&mut report, error, text);
        assert_eq!((report.errors, report.diagnostics.len()), (1, 1));
        assert_eq!(report.diagnostics[0].code, Code::SyntaxError);
        assert_eq!(report.diagnostics[0].span.start, 4);

        // Behind the end, as of a file that became shorter.
        let mut report = Report::default();
        let error = Error {
            offset: 1 << 40,
            ..error
        };
        contradict(&mut report, error, text);
        assert_eq!(report.diagnostics[0].span.start, text.len());

        // A cause that is known needs no such help.
        let mut report = diagnose(b"[1,]", &Options::default());
        contradict(&mut report, error, b"[1,]");
        assert_eq!(report.errors, 1);
        assert_eq!(report.diagnostics[0].code, Code::TrailingComma);
    }
}
