//! `--move` of a path with many matches: renames a key in every object that has it.

use std::collections::HashSet;

use jsonx_core::edit::Editor;
use jsonx_core::engine::Options;
use jsonx_core::path::{Location, Notation, Path, Step};
use jsonx_core::query::{Answer, Match, Query, QueryOptions};

use super::matches::answers;
use super::outcome::{Failed, Refusal};
use super::request::{PathEdit, Request};
use crate::exit::Exit;

impl Request {
    /// Renames the member of each match.
    ///
    /// # Errors
    /// The text is invalid, or there is no match.
    pub fn rename(
        &self,
        edit: &PathEdit,
        key: &[u8],
        editor: &mut Editor<'_, '_>,
        options: Options,
    ) -> Result<(), Failed> {
        let paths = std::slice::from_ref(&edit.path.path);
        let query = Query::new(paths, QueryOptions::default().locations(true));
        let answers = answers(query, &editor.finish(), options).map_err(Failed::Invalid)?;
        let mut matches: Vec<Match> = answers
            .into_iter()
            .filter_map(|answer| match answer {
                Answer::Match(one) => Some(one),
                Answer::Missing { .. } => None,
            })
            .collect();
        // Inner ones first, while the keys of their paths are unchanged.
        matches.sort_by_key(|one| u64::MAX - one.start);
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
                ..Refusal::from_error(&error, &edit.label, &from.to_string())
            })?;
        }
        if done.is_empty() && !self.missing_ok {
            let text = format!("no match for {}", edit.path.typed);
            return Err(Failed::Refused(Refusal {
                is_missing: edit.label.is_empty(),
                ..Refusal::new(Exit::No, &edit.label, &text)
            }));
        }
        Ok(())
    }
}

/// The path of a member, and that with another key.
fn paths_of(location: &Location, key: &[u8]) -> Option<(Path, Path)> {
    let mut renamed = location.clone();
    // The path may also match elements, but only members have keys.
    let Some(Step::Key(_)) = renamed.pop() else {
        return None;
    };
    renamed.push_key(key);
    let path = |location: &Location| Path::parse(&location.display(Notation::Dot).to_string()).ok();
    Some((path(location)?, path(&renamed)?))
}
