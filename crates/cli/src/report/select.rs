//! Selects the findings of a file to show, and counts the others.

use jsonx_core::order::sort_by_place;
use jsonx_diagnose::{Code, Diagnostic, Omitted, Report, Severity};

/// Maximum number of findings of one code in the human format, for a file with many findings.
const SAME_CODE: usize = 6;

/// Maximum number of findings per file and severity to describe; the others are counted.
pub const MOST_FINDINGS: usize = 100_000;

/// A file with more findings than this has many.
const MANY: usize = 12;

/// The number of warnings with the same code beyond which only [`EXAMPLES`] are shown.
const CALM: u64 = 5;

/// The number of warnings shown for a code that has more than [`CALM`].
const EXAMPLES: usize = 3;

/// For the human format: at most `most` of each severity (0 for all), and only the first few of many findings of one code.
pub(super) fn for_people(report: &Report, most: usize) -> (Vec<&Diagnostic>, Vec<Omitted>) {
    let many = (report.errors + report.warnings) as usize > MANY;
    select(report, most, |code, severity| match severity {
        _ if most == 0 => usize::MAX,
        Severity::Warning if count(report, code) > CALM => EXAMPLES,
        _ if many => SAME_CODE,
        _ => usize::MAX,
    })
}

/// The number of findings with a code.
fn count(report: &Report, code: Code) -> u64 {
    let listed = report.diagnostics.iter().filter(|it| it.code == code);
    let omitted = report.omitted.iter().filter(|it| it.code == code);
    listed.count() as u64 + omitted.map(|it| it.count).sum::<u64>()
}

/// For machine-readable formats: at most `most` of each severity (0 for all).
pub(super) fn for_programs(report: &Report, most: usize) -> (Vec<&Diagnostic>, Vec<Omitted>) {
    select(report, most, |_, _| usize::MAX)
}

/// The findings to show, and the others by code; `same_code` is the largest number to show of a code.
fn select(
    report: &Report,
    most: usize,
    same_code: impl Fn(Code, Severity) -> usize,
) -> (Vec<&Diagnostic>, Vec<Omitted>) {
    let most = if most == 0 { usize::MAX } else { most };
    let mut rest = report.omitted.clone();
    let mut shown: Vec<&Diagnostic> = Vec::new();
    let (mut errors, mut warnings) = (0, 0);
    // How many of each code may still be shown.
    let mut codes: Vec<(Code, usize)> = Vec::new();
    for diagnostic in &report.diagnostics {
        let left = match codes.iter_mut().find(|(code, _)| *code == diagnostic.code) {
            Some((_, left)) => left,
            None => {
                let limit = same_code(diagnostic.code, diagnostic.severity);
                codes.push((diagnostic.code, limit));
                &mut codes.last_mut().expect("just pushed").1
            }
        };
        let of_severity = match diagnostic.severity {
            Severity::Error => &mut errors,
            Severity::Warning => &mut warnings,
        };
        if *of_severity < most && *left > 0 {
            *left -= 1;
            *of_severity += 1;
            shown.push(diagnostic);
        } else {
            Omitted::new(diagnostic.code, diagnostic.severity, diagnostic.span.start)
                .add_to(&mut rest);
        }
    }
    sort_by_place(&mut rest, |omitted| (omitted.first, 0));
    (shown, rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jsonx_diagnose::{DiagnoseOptions, diagnose};

    #[test]
    fn people_get_a_few_of_each_kind_and_programs_the_first_ones() {
        let text = format!("[{}x]", "01,".repeat(20));
        let report = diagnose(text.as_bytes(), &DiagnoseOptions::default());
        let (shown, rest) = for_people(&report, 20);
        assert_eq!((shown.len(), rest.len()), (7, 1));
        assert_eq!((rest[0].count, rest[0].first, rest[0].last), (14, 19, 58));
        assert_eq!(for_people(&report, 0).0.len(), 21);

        let (shown, rest) = for_programs(&report, 20);
        assert_eq!((shown.len(), rest[0].count), (20, 1));
        assert_eq!(for_programs(&report, 0).0.len(), 21);
    }

    #[test]
    fn more_than_five_warnings_of_a_lint_are_shortened_to_three() {
        let warnings = |count: usize| {
            let text = format!("[{}1]", "01,".repeat(count));
            let mut report = diagnose(text.as_bytes(), &DiagnoseOptions::default());
            for diagnostic in &mut report.diagnostics {
                diagnostic.severity = Severity::Warning;
            }
            (report.errors, report.warnings) = (0, report.errors);
            report
        };
        for (count, most, expected) in [(5, 20, 5), (6, 20, 3), (30, 20, 3), (30, 0, 30), (5, 2, 2)]
        {
            let report = warnings(count);
            let (shown, rest) = for_people(&report, most);
            assert_eq!(shown.len(), expected, "{count} warnings, {most}");
            let omitted: u64 = rest.iter().map(|it| it.count).sum();
            assert_eq!(omitted as usize, count - expected);
            assert_eq!(for_programs(&report, 0).0.len(), count);
        }
    }
}
