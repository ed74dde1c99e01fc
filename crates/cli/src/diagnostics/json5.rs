//! Reports on JSON5 inputs: maps findings in the translation to the file.

use std::borrow::Cow;

use jsonx_diagnose::Code;
use jsonx_diagnose::json5::Translation;

use super::Diagnoser;
use crate::input::{self, Input};
use crate::report::{Checked, File, Index, Outcome};

impl Diagnoser {
    /// The diagnoser for an input: for JSON5, one that maps findings in the translation to the source.
    pub fn for_input(&self, input: &Input) -> Cow<'_, Diagnoser> {
        match input.json5() {
            Some(translation) => Cow::Owned(Diagnoser {
                translation: Some(translation.clone()),
                ..self.clone()
            }),
            None => Cow::Borrowed(self),
        }
    }
}

/// Maps findings in a translation, or in an excerpt of it, to the source.
pub(super) fn in_source<'a>(translation: &'a Translation, checked: &Checked<'a>) -> Checked<'a> {
    let mut found = checked.clone();
    // A text in another encoding was decoded, but not as JSON5: other errors can be found once it is UTF-8.
    if found.report.text.is_some() {
        let report = &mut found.report;
        report
            .diagnostics
            .retain(|it| it.code == Code::WrongEncoding);
        (report.errors, report.warnings) = (report.diagnostics.len() as u64, 0);
        report.omitted.clear();
        return found;
    }
    let index = Index::new(&checked.file);
    for finding in &mut found.report.diagnostics {
        finding.map_spans(|span| index.span(span));
        translation.locate(finding);
        translation.adapt(finding);
    }
    for omitted in &mut found.report.omitted {
        for at in [&mut omitted.first, &mut omitted.last] {
            *at = input::in_source(translation, index.offset(*at));
        }
    }
    if let Outcome::Invalid { at: Some(at) } = &mut found.outcome {
        *at = input::in_source(translation, *at) as u64;
    }
    found.file = File::new(found.file.name, translation.source());
    found.length = translation.source().len() as u64;
    found
}
