//! Applying the patch of a diff turns the old document into the new one and leaves the rest unchanged, and applying an
//! arbitrary text as a patch is safe.
//!
//! The input is two documents, separated by a byte that occurs in no document.

#![no_main]

use jsonx_core::Document;
use jsonx_core::diff::{DiffOptions, diff};
use jsonx_core::patch::{MergePatch, Patch};
use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|text: &[u8]| -> Corpus {
    let mut parts = text.splitn(2, |byte| *byte == 0xff);
    let (old, new) = (parts.next().unwrap_or(b""), parts.next().unwrap_or(b""));
    let (Ok(old), Ok(new)) = (Document::parse(old), Document::parse(new)) else {
        return Corpus::Reject;
    };
    for options in [
        DiffOptions::default(),
        DiffOptions::default().exact(true),
        DiffOptions::default().key("id").key("a"),
    ] {
        check(&old, &new, &options);
    }
    // The new document as a patch of the old one.
    if let Ok(patch) = Patch::parse(&new)
        && let Ok(editor) = patch.apply(&old)
    {
        Document::parse(&editor.finish()).expect("JSON");
    }
    if let Ok(patch) = MergePatch::parse(&new) {
        let merged = patch.apply(&old).expect("a merge patch applies").finish();
        let merged = Document::parse(&merged).expect("JSON");
        let again = patch
            .apply(&merged)
            .expect("a merge patch applies")
            .finish();
        let again = Document::parse(&again).expect("JSON");
        assert!(again.root().equals(merged.root()), "not idempotent");
    }
    Corpus::Keep
});

fn check(old: &Document<'_>, new: &Document<'_>, options: &DiffOptions) {
    let difference = diff(old, new, options);
    let text = difference.to_patch();
    let patch = Document::parse(&text).expect("JSON");
    let patch = Patch::parse(&patch).expect("a patch");
    let patched = patch.apply(old).expect("it applies").finish();
    if difference.is_empty() {
        assert_eq!(patched, old.text());
    }
    let patched = Document::parse(&patched).expect("JSON");
    assert!(patched.root().equals(new.root()), "another document");
    assert!(diff(&patched, new, options).is_empty());
    if let Ok(text) = difference.to_merge_patch()
        && !difference.duplicate_keys().0
    {
        let patch = Document::parse(&text).expect("JSON");
        let patch = MergePatch::parse(&patch).expect("a patch");
        let patched = patch.apply(old).expect("it applies").finish();
        let patched = Document::parse(&patched).expect("JSON");
        assert!(patched.root().equals(new.root()), "another document");
    }
}
