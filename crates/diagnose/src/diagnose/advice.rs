//! Remedies that only the program can word.

/// A remedy outside the input: an option or a command, to be named by the program that renders the finding.
///
/// The library knows neither options nor commands. A program with other options, or without options, writes its own sentence or
/// omits the advice.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Advice {
    /// Allow more levels of nesting.
    RaiseDepthLimit,
    /// Read the input as JSON with comments.
    AllowComments,
    /// Read the input as JSON5.
    ReadJson5,
    /// Read the input as one value per line.
    ReadLines,
    /// Extract the values from the text around them, one per line.
    ExtractValues,
    /// Read the input as a stream of values, or wrap the values in an array.
    ReadStream,
    /// Decompress the input first. The format is [`Diagnostic::detected`](super::Diagnostic::detected).
    Decompress,
    /// Convert the input, which is of the format [`Diagnostic::detected`](super::Diagnostic::detected), to JSON.
    Convert,
    /// Convert the input to UTF-8 from this encoding, given by its IANA name.
    Reencode(&'static str),
    /// Drop the canonical form of RFC 8785, which cannot represent this number, string or object.
    LeaveCanonicalForm,
    /// Read the input as JSON5, which has numbers that are not finite, or replace them.
    ReplaceNonFinite,
    /// Write the nearest double for a number that MessagePack does not have.
    ConvertBigNumbers,
}
