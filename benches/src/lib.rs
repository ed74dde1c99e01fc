//! Benchmarks: the engine against other parsers, the program against other programs.
//!
//! ```text
//! input ──► contender ──► rounds ──► report            throughput, strings, msgpack, library
//! scratch files ──► job ──► hyperfine ──► record       processes
//!                                           └──► plot  plot
//! ```
//!
//! The parsers in this package are for comparison; no shipped crate depends on it. Every result is asserted before it is
//! timed, and every benchmark also runs as a test, without timing.

pub mod contender;
pub mod input;
pub mod library;
pub mod msgpack;
pub mod peer;
pub mod plot;
pub mod processes;
pub mod report;
pub mod rounds;
pub mod strings;
pub mod throughput;
