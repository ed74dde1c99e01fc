//! The values of a document that paths select, as words of its index.

use crate::document::Document;
use crate::path::Path;
use crate::select::{Answer, Duplicates, Order, Query, QueryOptions};
use crate::window::{Options, Validator};

/// The words of the values that any of these paths selects, ascending. Takes one pass over the text.
pub(super) fn selected(document: &Document<'_>, paths: &[Path]) -> Vec<usize> {
    if paths.is_empty() {
        return Vec::new();
    }
    let options = QueryOptions::default()
        .order(Order::Document)
        .duplicates(Duplicates::Each);
    let mut query = Query::new(paths, options);
    let mut validator = Validator::new(Options::default());
    let mut starts = Vec::new();
    let mut collect = |query: &mut Query| {
        starts.extend(query.answers().filter_map(|answer| match answer {
            Answer::Match(found) => Some(found.start),
            Answer::Missing { .. } => None,
        }));
    };
    /// Number of bytes between two collections of answers.
    const STEP: usize = 1 << 20;
    for window in document.text().chunks(STEP) {
        // The text was verified when the document was parsed.
        let _ = validator.write(window, &mut query);
        collect(&mut query);
    }
    let _ = validator.finish(&mut query);
    query.end();
    collect(&mut query);
    starts.sort_unstable();
    starts.dedup();
    words(document, &starts)
}

/// The words of the values that begin at these ascending offsets.
fn words(document: &Document<'_>, starts: &[u64]) -> Vec<usize> {
    let mut starts = starts.iter().copied().peekable();
    let mut found = Vec::with_capacity(starts.len());
    let mut word = 0;
    while let Some(&start) = starts.peek()
        && word < document.words()
    {
        let node = document.node(word);
        let span = node.span();
        if span.start as u64 == start {
            found.push(word);
            starts.next();
        }
        // Skips a container in which none of them begins.
        let is_around = starts.peek().is_some_and(|&next| next < span.end as u64);
        word = if node.is_container() && is_around {
            word + 2
        } else {
            node.end_word()
        };
    }
    found
}
