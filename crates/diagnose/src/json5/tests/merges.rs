//! Merges of JSON5: of the translations, with the changes made in the text of ours.

use jsonx_core::diff::{ChangeKind, merge};
use jsonx_core::edit::EditError;
use jsonx_core::engine::Options;
use jsonx_core::internal::Splices;
use jsonx_core::jsonc::Dialect;
use jsonx_core::path::Notation;
use jsonx_core::{Document, Node};
use proptest::prelude::*;

use super::{NEW, Translation, pointers, text, value};

/// A text with some values changed, removed and added.
fn changed(source: &[u8], edits: &[(usize, prop::sample::Index)]) -> Vec<u8> {
    let translation = Translation::for_edits(source.to_vec());
    let dialect = Options::default().dialect(Dialect::Jsonc);
    let document = Document::index(translation.text(), dialect).unwrap();
    let mut editor = document.edit();
    for (kind, at) in edits {
        let now = editor.finish();
        let now = Document::index(&now, dialect).unwrap();
        let paths = pointers(now.root());
        let path = at.get(&paths);
        let new = NEW[at.index(NEW.len())];
        let _ = match kind % 4 {
            0 => editor.delete(path).map(drop),
            1 => editor.set(path, new).map(drop),
            2 => editor.set(format!("{path}/{kind}"), new).map(drop),
            _ => editor.append(path, new).map(drop),
        };
    }
    translation.edited(&editor.splices(), &[])
}

/// Edits of a random text.
fn edits() -> impl Strategy<Value = Vec<(usize, prop::sample::Index)>> {
    prop::collection::vec((0..8_usize, any::<prop::sample::Index>()), 0..4)
}

/// Merges `theirs` into `ours`: the edits of `ours`, and the number of conflicts.
fn merged(base: &[u8], ours: &[u8], theirs: &[u8]) -> Result<(Splices, usize), EditError> {
    let dialect = Options::default().dialect(Dialect::Jsonc);
    let [base, ours, theirs] =
        [base, ours, theirs].map(|text| Document::index(text, dialect).unwrap());
    let merge = merge(&base, &ours, &theirs);
    let mut editor = ours.edit();
    for change in &merge.changes {
        let path = change.path.display(Notation::Dot).to_string();
        let value = change.value.map(Node::minified).unwrap_or_default();
        match change.kind {
            ChangeKind::Removed => editor.delete(&path),
            ChangeKind::Added => editor.insert(&path, value),
            _ => editor.replace(&path, value),
        }?;
    }
    Ok((editor.splices(), merge.conflicts.len()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// A merged text has the value that the merged values have, whatever its spellings, comments and commas.
    #[test]
    fn merges_are_those_of_the_values(
        choices in prop::collection::vec(any::<u32>(), 0..120),
        ours in edits(),
        theirs in edits(),
    ) {
        let base = text(&choices).into_bytes();
        let sources = [changed(&base, &ours), changed(&base, &theirs), base];
        // `jsonx merge` refuses numbers that JSON has not; their stand-ins differ from text to text.
        let is_finite = |source: &Vec<u8>| !["Infinity", "NaN"].iter().any(|word| memchr::memmem::find(source, word.as_bytes()).is_some());
        if !sources.iter().all(is_finite) {
            return Ok(());
        }
        let [ours, theirs, base] = sources.clone().map(Translation::for_edits);
        let (splices, conflicts) = match merged(base.text(), ours.text(), theirs.text()) {
            Err(EditError::Comment) => return Ok(()),
            merged => merged.unwrap(),
        };
        let result = ours.edited(&splices, &[]);
        let shown = || [&sources[2], &sources[0], &sources[1], &result].map(|text| String::from_utf8_lossy(text).into_owned());
        let plain = sources.each_ref().map(|source| value(source).map(|value| value.to_string()));
        let [Some(mine), Some(other), Some(old)] = plain else {
            return Ok(());
        };
        let (splices, expected) = merged(old.as_bytes(), mine.as_bytes(), other.as_bytes()).unwrap();
        prop_assert_eq!(conflicts, expected, "{:?}", shown());
        prop_assert_eq!(value(&result), value(&splices.apply(mine.as_bytes())), "{:?}", shown());
        // Either zero may stay of `[-0, 0]`.
        let has_negative_zero = old.contains("-0");
        prop_assert!(mine != old || theirs.text() == base.text() || has_negative_zero || value(&result) == value(&sources[1]), "{:?}", shown());
    }
}
