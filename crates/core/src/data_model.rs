//! Names by which readers and writers recognize a type that needs more of them than `serde` has calls for.

/// A [`Raw`](crate::Raw): a newtype of a string with the text of the value.
pub(crate) const RAW: &str = "$jsonx_core::Raw";

/// A [`Spanned`](crate::Spanned): read as the sequence of its start, its value and its end.
pub(crate) const SPANNED: &str = "$jsonx_core::Spanned";

/// The names under which `serde_json` hands its own types to other formats: a number of the feature `arbitrary_precision`, and a
/// `RawValue`. Each is a structure of one field with the same name, a string with the text of the value.
pub(crate) const SERDE_JSON: [&str; 2] = [SERDE_JSON_RAW, "$serde_json::private::Number"];
pub(crate) const SERDE_JSON_RAW: &str = "$serde_json::private::RawValue";
