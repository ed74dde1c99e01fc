use proptest::prelude::*;

use super::sort_commented;
use crate::agreement::valid_text;
use crate::engine::{Options, Validator};
use crate::format::{RewriteOptions, Rewriter, Style, TrailingCommas};
use crate::jsonc::tests::with_comments;
use crate::jsonc::{Dialect, blank};
use jsonx_testing::cases;

fn formatted(text: &[u8]) -> String {
    let commented = RewriteOptions::default().comments(Some(TrailingCommas::Keep));
    let formatter = Rewriter::new(commented, Vec::new());
    let options = Options::default().dialect(Dialect::Jsonc);
    String::from_utf8(Validator::new(options).check(text, formatter).unwrap()).unwrap()
}

fn sort(text: &[u8]) -> Result<Vec<u8>, crate::SyntaxError> {
    sort_commented(text, Options::default().dialect(Dialect::Jsonc))
}

fn sorted(text: &[u8]) -> String {
    formatted(&sort(text).unwrap())
}

/// The text as sorted, compact JSON without its comments.
fn plain(text: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    blank(&mut text, Dialect::Jsonc).unwrap();
    let options = RewriteOptions::from(Style::Compact).sort_keys(true);
    let mut rewriter = Rewriter::new(options, Vec::new());
    Validator::new(Options::default())
        .check(&text, &mut rewriter)
        .unwrap();
    rewriter.finish().unwrap()
}

#[test]
fn comments_go_with_their_members() {
    for (text, expected) in [
        (
            "{ // all\n  // of b\n  \"b\": 2, // b\n  \"a\": 1 /* a */\n  // end\n}",
            "{ // all\n  \"a\": 1, /* a */\n  // of b\n  \"b\": 2 // b\n  // end\n}\n",
        ),
        // Above a blank line: belongs to the object.
        (
            "{\n  // all\n\n  // of b\n  \"b\": 2,\n  \"a\": 1\n}",
            "{\n  // all\n\n  \"a\": 1,\n  // of b\n  \"b\": 2\n}\n",
        ),
        // The only comments above a member describe it.
        (
            "{\n  // of b\n  \"b\": 2, // b\n  \"a\": 1\n}",
            "{\n  \"a\": 1,\n  // of b\n  \"b\": 2 // b\n}\n",
        ),
        (
            "{\n  \"b\": 2,\n\n  // of a\n  \"a\": 1,\n}",
            "{\n  // of a\n  \"a\": 1,\n  \"b\": 2,\n}\n",
        ),
        (
            "{\"b\": [{\"d\": 1, /* c */ \"c\": 2}], \"a\": // why\n 0}",
            "{\n  \"a\": // why\n  0,\n  \"b\": [\n    {\n      /* c */ \"c\": 2,\n      \"d\": 1\n    }\n  ]\n}\n",
        ),
        (
            "// a\n{\"b\":1,\"a\":2} // z",
            "// a\n{\n  \"a\": 2,\n  \"b\": 1\n} // z\n",
        ),
        (
            "{\"b\": 1, \"\\u0061\": 2}",
            "{\n  \"\\u0061\": 2,\n  \"b\": 1\n}\n",
        ),
    ] {
        assert_eq!(sorted(text.as_bytes()), expected, "{text:?}");
        assert_eq!(sorted(expected.as_bytes()), expected, "{text:?} again");
    }
    // A sorted text is unchanged.
    let text = b"{ \"a\":1,// x\n \"a\" : 2 }";
    assert_eq!(sort(text).unwrap(), text);
    assert!(sort(b"{\"b\": 1 \"a\": 2}").is_err());
    assert!(sort_commented(b"[1,]", Options::default().dialect(Dialect::Comments)).is_err());
}

#[test]
fn deep_text_is_sorted_in_linear_time() {
    let depth = 20_000;
    let text = "{\"b\":".repeat(depth) + "0" + &",\"a\":1}".repeat(depth);
    let sorted = sort(text.as_bytes()).unwrap();
    assert!(sorted.starts_with(b"{ \"a\":1,\n\"b\":{ \"a\":1"));
    assert_eq!(plain(&sorted), plain(text.as_bytes()));
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn no_comment_is_lost_and_sorted_text_is_a_fixed_point(
        choices in prop::collection::vec(any::<u32>(), 0..100),
        places in prop::collection::vec(0..40_usize, 1..40),
    ) {
        let text = with_comments(&valid_text(&choices), &places);
        let shown = String::from_utf8_lossy(&text).into_owned();
        let once = sorted(&text);
        prop_assert_eq!(plain(once.as_bytes()), plain(&text), "{}", shown);
        prop_assert_eq!(sorted(once.as_bytes()), once.clone(), "{}", shown);
        // Sorting moves comments, so they are compared as a set.
        let bytes = |text: &str| {
            let mut bytes: Vec<u8> = text.bytes().filter(|byte| !b" \t\r\n,".contains(byte)).collect();
            bytes.sort_unstable();
            bytes
        };
        let before = formatted(&text);
        prop_assert_eq!(bytes(&once), bytes(&before), "{}", shown);
    }
}
