//! Selects the findings of a file to show, and counts the others.

use jsonx_core::diagnose::{Code, Diagnostic, Omitted, Report, Severity};

/// Maximum number of findings of one code in the human format, for a file with many findings.
const SAME_CODE: usize = 6;

/// A file with more findings than this has many.
const MANY: usize = 12;

/// For the human format: at most `most` of each severity (0 for all), and only the first few of many findings of one code.
pub(super) fn for_people(report: &Report, most: usize) -> (Vec<&Diagnostic>, Vec<Omitted>) {
    let many = most > 0 && (report.errors + report.warnings) as usize > MANY;
    select(report, most, if many { SAME_CODE } else { usize::MAX })
}

/// For machine-readable formats: at most `most` of each severity (0 for all).
pub(super) fn for_programs(report: &Report, most: usize) -> (Vec<&Diagnostic>, Vec<Omitted>) {
    select(report, most, usize::MAX)
}

fn select(report: &Report, most: usize, same_code: usize) -> (Vec<&Diagnostic>, Vec<Omitted>) {
    let most = if most == 0 { usize::MAX } else { most };
    let mut rest = report.omitted.clone();
    let mut shown: Vec<&Diagnostic> = Vec::new();
    let (mut errors, mut warnings) = (0, 0);
    let mut codes: Vec<(Code, usize)> = Vec::new();
    for diagnostic in &report.diagnostics {
        let of_code = match codes.iter_mut().find(|(code, _)| *code == diagnostic.code) {
            Some((_, count)) => count,
            None => {
                codes.push((diagnostic.code, 0));
                &mut codes.last_mut().expect("just pushed").1
            }
        };
        let of_severity = match diagnostic.severity {
            Severity::Error => &mut errors,
            Severity::Warning => &mut warnings,
        };
        if *of_severity < most && *of_code < same_code {
            *of_code += 1;
            *of_severity += 1;
            shown.push(diagnostic);
        } else {
            omit(&mut rest, diagnostic);
        }
    }
    rest.sort_by_key(|omitted| omitted.first);
    (shown, rest)
}

fn omit(rest: &mut Vec<Omitted>, diagnostic: &Diagnostic) {
    let at = diagnostic.span.start;
    match rest
        .iter_mut()
        .find(|omitted| omitted.code == diagnostic.code)
    {
        Some(omitted) => {
            omitted.count += 1;
            omitted.first = omitted.first.min(at);
            omitted.last = omitted.last.max(at);
        }
        None => rest.push(Omitted {
            code: diagnostic.code,
            severity: diagnostic.severity,
            count: 1,
            first: at,
            last: at,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jsonx_core::diagnose::{DiagnoseOptions, diagnose};

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
}
