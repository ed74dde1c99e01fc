//! `jsonx convert`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use jsonx_core::msgpack::{BigNumbers, Binary, Keys};
use jsonx_core::number::NonFinite;

use super::{Common, words};

const LONG_HELP_END: &str = "\
Exit codes:
  0  converted
  2  wrong usage, or the input has the requested format already
  3  the input is neither JSON nor MessagePack, or has a value that the other format cannot represent
  4  it could not be read or written, or exceeds --max-depth

Examples:
  jsonx convert data.json > data.msgpack
  jsonx convert data.msgpack
  jsonx convert --indent 2 data.msgpack
  jsonx convert --unwrap --to msgpack rows.json > rows.msgpack
  jsonx convert --from msgpack < data.msgpack | jsonx get .name";

const TO_MESSAGEPACK: &str = "From JSON to MessagePack";
const TO_JSON: &str = "From MessagePack to JSON";

/// Convert JSON to MessagePack and back.
///
/// Without --to, JSON becomes MessagePack and MessagePack becomes JSON; the input format is determined by the file extension
/// (.msgpack, .mpk, .json …), or else by the first byte.
///
/// To MessagePack: 64-bit integers are written in the smallest integer form; `-0`, and all numbers with a point or an exponent,
/// become a double. Each line of JSON Lines, and each value of a stream, becomes a value of a sequence. Duplicate keys are
/// kept, with a warning.
///
/// To JSON: each value of a sequence becomes a line. Floats are written with the fewest digits that read back as the same
/// double. Binary data becomes a base64 string, a timestamp an RFC 3339 string, any other extension `{"$ext":[type,"base64"]}`.
///
/// Nothing is lost silently: a value that the other format cannot represent is an error with its position, unless an option
/// defines a replacement. A file is checked before the first byte is printed.
///
/// Guide: `jsonx help messagepack`.
#[derive(Debug, Args)]
#[command(after_long_help = LONG_HELP_END)]
pub struct Convert {
    /// The file; `-` or none is standard input
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// Format of the output: msgpack, json [default: the other one]
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    pub to: Option<Format>,

    /// Format of the input: auto, json, jsonl, stream, msgpack
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "auto",
        hide_possible_values = true
    )]
    pub from: FromFormat,

    /// Conversion of numbers beyond 64 bits: error, float (the nearest double), string
    #[arg(
        long,
        value_name = "FORM",
        default_value = "error",
        hide_possible_values = true,
        help_heading = TO_MESSAGEPACK,
        value_parser = words(&[("error", BigNumbers::Error), ("float", BigNumbers::Float), ("string", BigNumbers::String)]),
    )]
    pub big: BigNumbers,

    /// Write a float in single precision if that is the same number
    ///
    /// From MessagePack to JSON, `--float32 short` prints a single-precision float with the fewest digits that identify it as a
    /// single: 0.1 instead of 0.10000000149011612. Read as a double, this is a different number.
    #[arg(
        long,
        value_name = "short",
        num_args = 0..=1,
        default_missing_value = "",
        help_heading = TO_MESSAGEPACK,
        hide_short_help = true
    )]
    pub float32: Option<OsString>,

    /// Write the elements of a top-level array as a sequence of values, in constant memory
    #[arg(long, help_heading = TO_MESSAGEPACK, hide_short_help = true)]
    pub unwrap: bool,

    /// Conversion of binary data: base64, hex, error
    #[arg(
        long,
        value_name = "FORM",
        default_value = "base64",
        hide_possible_values = true,
        help_heading = TO_JSON,
        value_parser = words(&[("base64", Binary::Base64), ("hex", Binary::Hex), ("error", Binary::Error)]),
    )]
    pub bin: Binary,

    /// Conversion of NaN and infinities: error, null
    #[arg(
        long,
        value_name = "FORM",
        default_value = "error",
        hide_possible_values = true,
        help_heading = TO_JSON,
        hide_short_help = true,
        value_parser = words(&[("error", NonFinite::Error), ("null", NonFinite::Null)]),
    )]
    pub nonfinite: NonFinite,

    /// Conversion of keys that are not strings: error, stringify (the text of the value)
    #[arg(
        long,
        value_name = "FORM",
        default_value = "error",
        hide_possible_values = true,
        help_heading = TO_JSON,
        value_parser = words(&[("error", Keys::Error), ("stringify", Keys::Stringify)]),
    )]
    pub keys: Keys,

    /// Indent by N spaces per level, instead of one line per value
    #[arg(long, value_name = "N", conflicts_with = "tab", help_heading = TO_JSON)]
    pub indent: Option<u8>,

    /// Indent by one tab per level
    #[arg(long, help_heading = TO_JSON, hide_short_help = true)]
    pub tab: bool,

    /// Put arrays and objects on one line if they fit in N characters
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u16).range(1..=10_000),
        help_heading = TO_JSON
    )]
    pub width: Option<u16>,

    /// Sort object members by key
    #[arg(short = 'S', long, help_heading = TO_JSON, hide_short_help = true)]
    pub sort_keys: bool,

    /// Escape all non-ASCII characters as \u escapes
    #[arg(short, long, help_heading = TO_JSON, hide_short_help = true)]
    pub ascii: bool,

    #[command(flatten)]
    pub common: Common,
}

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Json,
    Msgpack,
}

/// `--from`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FromFormat {
    Auto,
    Json,
    Jsonl,
    Stream,
    Msgpack,
}
