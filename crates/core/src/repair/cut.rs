//! Values truncated by the end of the text: dropped, or treated as complete and listed.

use super::Correction;
use super::rounds::{Changes, Run};
use crate::diagnose::{Applicability, Code, Cut, Diagnostic, Fix, Selection, excerpt};

impl Run<'_> {
    /// Closes truncated texts without the values at their ends.
    pub fn leave_out(&mut self, cuts: Vec<Cut>) {
        let (mut changes, mut selection) = (Changes::default(), Selection::default());
        for cut in cuts {
            let what = cut.what;
            let mut finding = Diagnostic::new(Code::TruncatedInput, cut.value);
            finding.message = format!("the text ends with this {what}, which may be incomplete");
            let mut fix = Fix {
                description: String::new(),
                applicability: Applicability::Review,
                edits: vec![cut.without],
            };
            if selection.add(&fix.edits) {
                changes.add(&self.text, &mut finding, &mut fix, self.limit());
            }
        }
        self.commit(changes, selection.into_splices());
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
