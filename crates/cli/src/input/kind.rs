//! The kind of an input: one value, with or without comments, one value per line, or a stream of values.

use clap::ValueEnum;
use jsonx_core::jsonc::Dialect;
use jsonx_diagnose::Framing;

/// The framing of the values of an input, and whether it may have comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InputKind {
    /// By the name of the input.
    Auto,
    /// One value.
    Json,
    /// One value, with comments and trailing commas.
    Jsonc,
    /// One value, with comments and without trailing commas: only by the name of the input.
    #[value(skip)]
    Comments,
    /// One value, in JSON5.
    Json5,
    /// One value per line.
    Jsonl,
    /// Any number of values, one after another.
    Stream,
    /// Any number of values in MessagePack. The text of an open input is of another kind.
    #[value(name = "msgpack")]
    MessagePack,
}

impl InputKind {
    /// The dialect of an input of this kind; for JSON5, that of its translation.
    pub fn dialect(self) -> Dialect {
        match self {
            InputKind::Jsonc | InputKind::Json5 => Dialect::Jsonc,
            InputKind::Comments => Dialect::Comments,
            _ => Dialect::Json,
        }
    }

    /// The framing of its values.
    pub fn framing(self) -> Framing {
        match self {
            InputKind::Jsonl => Framing::Lines,
            InputKind::Stream => Framing::Stream,
            _ => Framing::OneValue,
        }
    }

    /// Whether the input is a single value.
    pub fn is_one_value(self) -> bool {
        matches!(
            self,
            InputKind::Json | InputKind::Jsonc | InputKind::Comments | InputKind::Json5
        )
    }

    /// The dialect for `--verbose`, unless it is JSON.
    pub fn note(self) -> &'static str {
        match self {
            InputKind::Jsonc => " (JSONC)",
            InputKind::Json5 => " (JSON5)",
            InputKind::Comments => " (JSON with comments)",
            _ => "",
        }
    }
}
