//! Lookups in segments, each checked without knowledge of the text before it, equal lookups in the whole text. The
//! input is the paths, one per line, an empty line, then the document, as for `select`.

#![no_main]

use jsonx_core::engine::{Kernel, Mode, Options, Validator, validate_with};
use jsonx_core::path::Path;
use jsonx_core::query::{Answer, Query, QueryOptions};
use jsonx_fuzz::{in_segments, paths_and_text};
use libfuzzer_sys::{Corpus, fuzz_target};

/// Lengths of segments, and the lead of checking over the walk in segments.
const CUTS: [(usize, usize); 3] = [(16, 0), (64, 3), (100, 1)];

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((paths, text)) = paths_and_text(input) else {
        return Corpus::Reject;
    };
    let options = Options::default().mode(Mode::Stream);
    let too_much = text.len() > 4000 || paths.is_empty() || paths.len() > 3;
    if too_much || validate_with(text, options).is_err() {
        return Corpus::Reject;
    }
    for kernel in Kernel::available() {
        look_up(text, &paths, options.kernel(kernel));
    }
    Corpus::Keep
});

fn look_up(text: &[u8], paths: &[Path], options: Options) {
    let mut query = Query::new(paths, QueryOptions::default());
    Validator::new(options)
        .check(text, &mut query)
        .expect("valid text");
    query.end();
    let expected: Vec<Answer> = query.answers().collect();
    for (size, lag) in CUTS {
        let ahead = Query::new(paths, QueryOptions::default());
        let (mut ahead, _) = in_segments(text, ahead, options, size, lag);
        ahead.end();
        if ahead.had_late_duplicates() {
            assert!(query.has_duplicates(), "{size} {lag}");
            continue;
        }
        assert_eq!(
            ahead.has_duplicates(),
            query.has_duplicates(),
            "{size} {lag}"
        );
        let answers: Vec<Answer> = ahead.answers().collect();
        assert_eq!(answers, expected, "{options:?} {size} {lag}");
    }
}
