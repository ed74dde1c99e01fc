//! The values of a document that a path selects.

use arrow_schema::ArrowError;
use jsonx_core::Path;
use jsonx_core::engine::{Options, Validator};
use jsonx_core::query::{Answer, Duplicates, Query, QueryOptions};

/// The start of each element, in ascending order: of the value at a path to one value, otherwise of each selected value. The
/// rules are those of `jsonx_core::elements`.
pub(crate) fn find(text: &[u8], path: &Path) -> Result<Vec<usize>, ArrowError> {
    let paths = if path.is_singular() {
        vec![path.clone().each(), path.clone()]
    } else {
        vec![path.clone()]
    };
    let mut query = Query::new(&paths, QueryOptions::default().duplicates(Duplicates::Each));
    let checked = Validator::new(Options::default()).check(text, &mut query);
    checked.map_err(|stop| ArrowError::JsonError(stop.to_string()))?;
    query.end();
    let (mut starts, mut values) = (Vec::new(), Vec::new());
    for answer in query.answers() {
        if let Answer::Match(found) = answer {
            let is_element = found.path == 0;
            // Texts are shorter than 4 GB.
            let place = found.start as usize;
            if is_element { &mut starts } else { &mut values }.push(place);
        }
    }
    let has_elements = |&value: &usize| matches!(text.get(value), Some(b'[' | b'{'));
    if path.is_singular() && !values.iter().any(has_elements) {
        let message = match values.first() {
            None => format!("{path} leads to no value"),
            Some(at) => {
                format!("the value of {path} at byte {at} is neither an array nor an object")
            }
        };
        return Err(ArrowError::JsonError(message));
    }
    Ok(starts)
}
