//! How many cases a property is tried with.

use proptest::test_runner::Config;

/// As many cases as `JSONX_CASES` says, which `.ci/run` sets to 100,000, or as many as are usual; never fewer than those.
pub(crate) fn cases(usual: u32) -> Config {
    let wanted = std::env::var("JSONX_CASES").map(|cases| cases.parse().expect("JSONX_CASES"));
    Config::with_cases(wanted.map_or(usual, |wanted: u32| wanted.max(usual)))
}
