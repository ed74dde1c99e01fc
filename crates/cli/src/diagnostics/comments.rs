//! Comments in a file that is read as strict JSON.

use jsonx_diagnose::{Applicability, Code, Diagnostic, Report};

/// Merges all comments into one finding: many of them are intentional, and need one decision.
pub(super) fn merge(report: &mut Report, text: &[u8]) {
    let text = report.text.as_deref().unwrap_or(text);
    let is_safe = |it: &Diagnostic| {
        let fix = it.fix.as_ref();
        fix.is_some_and(|fix| fix.applicability == Applicability::Safe)
    };
    let is_comment = |it: &Diagnostic| {
        it.code == Code::Comment && text.get(it.span.start) == Some(&b'/') && is_safe(it)
    };
    let listed = report
        .diagnostics
        .iter()
        .filter(|it| is_comment(it))
        .count() as u64;
    let omitted = report.omitted.iter().find(|it| it.code == Code::Comment);
    let count = listed + omitted.map_or(0, |it| it.count);
    if listed == 0 || count < 2 {
        return;
    }
    let mut is_first = true;
    report.diagnostics.retain_mut(|it| {
        if !is_comment(it) {
            return true;
        }
        it.message = format!("{count} comments are not allowed in JSON");
        "the first one".clone_into(&mut it.label);
        // It would remove one of them.
        it.fix = None;
        std::mem::take(&mut is_first)
    });
    report.omitted.retain(|it| it.code != Code::Comment);
    report.errors -= count - 1;
}

#[cfg(test)]
mod tests {
    use super::*;
    use jsonx_diagnose::{DiagnoseOptions, diagnose};

    #[test]
    fn comments_are_one_finding() {
        for (text, limit, expected) in [
            ("[1]", 20, &[][..]),
            ("[1 /*a*/]", 20, &["comments are not allowed in JSON"]),
            (
                "[1 /*a*/, 2, // b\n 3]",
                20,
                &["2 comments are not allowed in JSON"],
            ),
            (
                "[/*a*/ 1,, /*b*/ 2, /*c*/ 3, # d\n 4]",
                20,
                &[
                    "3 comments are not allowed in JSON",
                    "comma",
                    "comments are not allowed in JSON",
                ],
            ),
            (
                "[/*a*/ 1, /*b*/ 2, /*c*/ 3]",
                2,
                &["3 comments are not allowed in JSON"],
            ),
        ] {
            let options = DiagnoseOptions::default().limit(limit);
            let mut report = diagnose(text.as_bytes(), &options);
            merge(&mut report, text.as_bytes());
            let found: Vec<_> = report.diagnostics.iter().map(|it| &it.message).collect();
            assert_eq!(found.len(), expected.len(), "{text}: {found:?}");
            for (message, expected) in found.iter().zip(expected) {
                assert!(message.contains(expected), "{text}: {found:?}");
            }
            let omitted: u64 = report.omitted.iter().map(|it| it.count).sum();
            assert_eq!(report.errors, expected.len() as u64 + omitted, "{text}");
        }
    }
}
