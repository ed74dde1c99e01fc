//! Values truncated by the end of the text: dropped, or treated as complete and listed.

use super::Correction;
use super::rounds::{Changes, Run};
use crate::diagnose::{Applicability, Code, Cut, Diagnostic, excerpt};

impl Run<'_> {
    /// Closes truncated texts without the values at their ends.
    pub fn leave_out(&mut self, cuts: Vec<Cut>) {
        let findings = cuts.into_iter().map(|cut| {
            let mut finding = Diagnostic::new(Code::TruncatedInput, cut.value);
            finding.message = format!(
                "the text ends with this {}, which may be incomplete",
                cut.what
            );
            (finding, vec![cut.without])
        });
        self.guess(findings.collect());
    }

    /// Lists the values that are treated as complete although the text is truncated there.
    pub fn keep(&mut self, cuts: &[Cut], changes: &mut Changes) {
        for cut in cuts {
            if !self.kept.insert(self.source(cut.value).start) {
                continue;
            }
            let value = excerpt(&self.text[cut.value.start..cut.value.end]);
            changes.guesses += 1;
            changes.described.push(Correction {
                code: Code::TruncatedInput,
                applicability: Applicability::Review,
                span: cut.value,
                message: format!(
                    "the text ends with the {} `{value}`, which may be incomplete",
                    cut.what
                ),
                removed: String::new(),
                inserted: String::new(),
                places: 0,
            });
        }
    }
}
