//! The number of cases of a property test.

use proptest::test_runner::Config;

/// `JSONX_CASES` cases, but at least `full`; an eighth of `full` if it is not set. `.ci/run cases` sets it to 20,000.
pub fn cases(full: u32) -> Config {
    let wanted = std::env::var("JSONX_CASES").map(|cases| cases.parse().expect("JSONX_CASES"));
    let cases = wanted.map_or(full.div_ceil(8), |wanted: u32| wanted.max(full));
    Config {
        cases,
        // By default, proptest gives up after 1,024 rejected cases, whatever the number of cases.
        max_global_rejects: cases.saturating_mul(4).max(1024),
        ..Config::default()
    }
}
