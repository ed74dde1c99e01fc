//! Options of a reader.

use crate::coercion::Coercion;

/// The treatment of a value that does not fit its field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mismatches {
    /// Reject the record.
    #[default]
    Reject,
    /// Set the innermost nullable field to null; without one, reject the record. Broken records are rejected.
    Null,
    /// Fail, as for a broken record.
    Error,
}

/// The treatment of duplicate keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Duplicates {
    /// Use the last one, as in JavaScript.
    #[default]
    Last,
    /// Reject the record. Keys without a field, and those in skipped values, are not compared.
    Reject,
}

/// The treatment of members without a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unknown {
    /// Skip them.
    #[default]
    Ignore,
    /// Reject the record.
    Reject,
}

/// Options of a [`Reader`](crate::Reader).
///
/// ```
/// use jsonx_arrow::{Mismatches, ReaderOptions};
///
/// let options = ReaderOptions::default().mismatches(Mismatches::Null).threads(2);
/// assert_ne!(options, ReaderOptions::default());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReaderOptions {
    pub(crate) mismatches: Mismatches,
    pub(crate) duplicates: Duplicates,
    pub(crate) unknown: Unknown,
    pub(crate) batch_rows: usize,
    pub(crate) block_bytes: usize,
    pub(crate) max_record: usize,
    pub(crate) threads: usize,
    pub(crate) coercion: Option<Coercion>,
}

impl Default for ReaderOptions {
    /// One thread; records that do not fit are rejected, the last of duplicate keys counts, unknown members are skipped.
    fn default() -> Self {
        ReaderOptions {
            mismatches: Mismatches::Reject,
            duplicates: Duplicates::Last,
            unknown: Unknown::Ignore,
            batch_rows: 64 << 10,
            block_bytes: 1 << 20,
            max_record: 256 << 20,
            threads: 1,
            coercion: None,
        }
    }
}

impl ReaderOptions {
    /// Sets how to treat a value that does not fit its field.
    #[must_use]
    pub fn mismatches(self, mismatches: Mismatches) -> Self {
        ReaderOptions { mismatches, ..self }
    }

    /// Sets how to treat duplicate keys.
    #[must_use]
    pub fn duplicates(self, duplicates: Duplicates) -> Self {
        ReaderOptions { duplicates, ..self }
    }

    /// Sets how to treat members without a field.
    #[must_use]
    pub fn unknown(self, unknown: Unknown) -> Self {
        ReaderOptions { unknown, ..self }
    }

    /// Sets the maximum number of rows in a batch, at least 1.
    #[must_use]
    pub fn batch_rows(self, rows: usize) -> Self {
        ReaderOptions {
            batch_rows: rows.max(1),
            ..self
        }
    }

    /// Sets the size of a block of whole lines, 1 byte to 1 GB: a batch never spans two blocks.
    #[must_use]
    pub fn block_bytes(self, bytes: usize) -> Self {
        ReaderOptions {
            block_bytes: bytes.clamp(1, 1 << 30),
            ..self
        }
    }

    /// Sets the maximum length of a line, at most 1 GB: a longer one is an error.
    #[must_use]
    pub fn max_record(self, bytes: usize) -> Self {
        ReaderOptions {
            max_record: bytes.min(1 << 30),
            ..self
        }
    }

    /// Coerces values of other types to those of their fields.
    #[must_use]
    pub fn coercion(self, coercion: Coercion) -> Self {
        ReaderOptions {
            coercion: Some(coercion),
            ..self
        }
    }

    /// Sets the number of threads, at least 1. Each decodes a block; batches are in the order of the text.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        ReaderOptions {
            threads: threads.max(1),
            ..self
        }
    }
}
