//! `--move` of a path with many matches: renames a key in every object that has it.

use std::collections::HashSet;

use jsonx_core::Document;
use jsonx_core::engine::{Options, OutOfMemory, Stop, Validator};
use jsonx_core::path::{Location, Notation, Path, Step};
use jsonx_core::query::{Answer, Match, Query, QueryOptions};

use super::outcome::{Edited, Failed, Outcome, Refusal, Warning, out_of_memory};
use super::request::{Edit, Request};
use crate::exit::Exit;

impl Request {
    /// Gives the member of each match another key.
    ///
    /// # Errors
    /// The text is invalid, or there is no match.
    pub fn rename(
        &self,
        edit: &Edit,
        key: &[u8],
        text: &[u8],
        options: Options,
    ) -> Result<Outcome, Failed> {
        let paths = std::slice::from_ref(&edit.path.path);
        let mut query = Query::new(paths, QueryOptions::default().locations(true));
        match Validator::new(options).check(text, &mut query) {
            Ok(()) => {}
            Err(Stop::Invalid(error)) => return Err(Failed::Invalid(error)),
            Err(Stop::Sink(OutOfMemory)) => return Err(Failed::Invalid(out_of_memory())),
        }
        query.end();
        let mut matches: Vec<Match> = query
            .answers()
            .filter_map(|answer| match answer {
                Answer::Match(one) => Some(one),
                Answer::Missing { .. } => None,
            })
            .collect();
        // Inner ones first, while the keys of their paths are unchanged.
        matches.sort_by_key(|one| u64::MAX - one.start);
        let document = Document::index(text, options).map_err(Failed::Invalid)?;
        let mut editor = document.edit();
        let mut warnings = Vec::new();
        let mut done = HashSet::new();
        for one in &matches {
            let Some((from, to)) = one.location.as_ref().and_then(|it| paths_of(it, key)) else {
                continue;
            };
            // Of duplicate keys the last one counts.
            if !done.insert(from.to_string()) {
                continue;
            }
            editor.relocate(&from, &to).map_err(|error| Refusal {
                at: Some(one.start as usize),
                ..Refusal::new(Exit::No, &edit.label, &format!("{from}: {error}"))
            })?;
        }
        if editor.take_duplicates() {
            let path = edit.path.typed.clone();
            warnings.push(Warning::Duplicates {
                path,
                removes: false,
            });
        }
        if done.is_empty() && !self.missing_ok {
            let text = format!("no match for {}", edit.path.typed);
            return Err(Failed::Refused(Refusal {
                is_missing: true,
                ..Refusal::new(Exit::No, &edit.label, &text)
            }));
        }
        Ok(Outcome {
            edited: Edited::Splices(editor.splices()),
            warnings,
        })
    }
}

/// The path of a member, and that with another key.
fn paths_of(location: &Location, key: &[u8]) -> Option<(Path, Path)> {
    let mut renamed = location.clone();
    // In a path that may lead to elements too, only members have keys.
    let Some(Step::Key(_)) = renamed.pop() else {
        return None;
    };
    renamed.push_key(key);
    let path = |location: &Location| Path::parse(&location.display(Notation::Dot).to_string()).ok();
    Some((path(location)?, path(&renamed)?))
}
