//! The keys in a file, for hints.

use jsonx_core::engine::Validator;
use jsonx_core::path::{Path, Step};
use jsonx_core::query::{Answer, Duplicates, Query, QueryOptions};

use crate::check::{CheckOptions, Failure, InputKind, push};
use crate::input::{Consumed, Input};

/// Enumerates the keys of the members that a path selects in a file, or in a pipe that is still completely buffered.
/// Returns whether there were any.
pub fn each_key(
    members: &Path,
    check_options: &CheckOptions,
    input: &mut Input,
    kind: InputKind,
    mut offer: impl FnMut(&[u8]),
) -> bool {
    let options = QueryOptions::default()
        .duplicates(Duplicates::Each)
        .locations(true);
    let mut query = Query::new(std::slice::from_ref(members), options);
    let mut any = false;
    let mut take = |query: &mut Query| {
        for answer in query.answers() {
            if let Answer::Match(found) = answer
                && let Some(location) = found.location
                && let Some(Step::Key(key)) = location.steps().last()
            {
                any = true;
                offer(key);
            }
        }
    };
    let mut validator = Validator::new(check_options.engine(kind));
    let is_read = if input.is_file() {
        input
            .each_window(|window| -> Result<Consumed, Failure> {
                let taken = push(&mut validator, window, &mut query)?;
                query.assume_unique_keys(u64::MAX);
                take(&mut query);
                Ok(taken)
            })
            .is_ok()
    } else {
        input
            .buffered(input.text_start(), input.length())
            .is_some_and(|text| validator.check(text, &mut query).is_ok())
    };
    query.end();
    take(&mut query);
    any && is_read
}
