//! The kind of an input: one value, one value per line, or a stream of values.

use clap::ValueEnum;

/// `--input`: how the values of an input are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InputKind {
    /// By the name of the input.
    Auto,
    /// One value.
    Json,
    /// One value per line.
    Jsonl,
    /// Any number of values, one after another.
    Stream,
}
