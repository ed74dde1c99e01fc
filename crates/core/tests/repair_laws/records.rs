//! Damaged records of JSON Lines: every whole record is kept.

use jsonx_core::diagnose::{Applicability, Framing};
use jsonx_core::repair::repair;

use crate::{options, show};

#[test]
fn whole_records_are_kept() {
    let options = options(Applicability::Review).framing(Framing::Lines);
    for (text, expected) in [
        ("{\"a\":1}{\"a\":2}", "{\"a\":1}\n{\"a\":2}"),
        ("{\"a\":1}{\"b\":2}[3]\n", "{\"a\":1}\n{\"b\":2}\n[3]\n"),
        (
            "{\"a\":1}\n{\"a\":2,\"b\":\"x{\"a\":3}\n",
            "{\"a\":1}\n{\"a\":2,\"b\":\"x\"}\n{\"a\":3}\n",
        ),
        ("b\":3}\n{\"a\":4}\n", "{\"a\":4}\n"),
        ("xt\",\"b\":3}\n{\"a\":4}\n", "{\"a\":4}\n"),
        (
            "{\"a\":{\"a\":1}\n{\"a\":2}\n",
            "{\"a\":{\"a\":1}}\n{\"a\":2}\n",
        ),
    ] {
        let repaired = repair(text.as_bytes(), &options);
        assert_eq!(show(&repaired), expected, "{text:?}");
        assert!(repaired.guesses > 0, "{text:?}");
    }
}
