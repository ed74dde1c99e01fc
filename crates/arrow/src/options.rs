//! Options of a reader.

/// What becomes of a record with a value that does not fit its field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mismatches {
    /// It goes to the rejects.
    #[default]
    Reject,
    /// The innermost field that may be null is null; if there is none, the record goes to the rejects.
    Null,
    /// Reading ends with an error. So it does at a record that is not JSON.
    Error,
}

/// Which of equal keys counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Duplicates {
    /// The last one, as in JavaScript.
    #[default]
    Last,
    /// None: the record does not fit. Keys of values that are passed over are not compared.
    Reject,
}

/// What becomes of members without a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unknown {
    /// They are passed over.
    #[default]
    Ignore,
    /// The record does not fit.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReaderOptions {
    pub(crate) mismatches: Mismatches,
    pub(crate) duplicates: Duplicates,
    pub(crate) unknown: Unknown,
    pub(crate) batch_rows: usize,
    pub(crate) block_bytes: usize,
    pub(crate) max_record: usize,
    pub(crate) threads: usize,
}

impl Default for ReaderOptions {
    /// One thread; misfits go to the rejects, and unknown members are passed over.
    fn default() -> Self {
        ReaderOptions {
            mismatches: Mismatches::Reject,
            duplicates: Duplicates::Last,
            unknown: Unknown::Ignore,
            batch_rows: 64 << 10,
            block_bytes: 1 << 20,
            max_record: 256 << 20,
            threads: 1,
        }
    }
}

impl ReaderOptions {
    /// Sets what becomes of a record with a value that does not fit.
    #[must_use]
    pub fn mismatches(self, mismatches: Mismatches) -> Self {
        ReaderOptions { mismatches, ..self }
    }

    /// Sets which of equal keys counts.
    #[must_use]
    pub fn duplicates(self, duplicates: Duplicates) -> Self {
        ReaderOptions { duplicates, ..self }
    }

    /// Sets what becomes of members without a field.
    #[must_use]
    pub fn unknown(self, unknown: Unknown) -> Self {
        ReaderOptions { unknown, ..self }
    }

    /// Sets how many rows a batch has at most; at least 1.
    #[must_use]
    pub fn batch_rows(self, rows: usize) -> Self {
        ReaderOptions {
            batch_rows: rows.max(1),
            ..self
        }
    }

    /// Sets how many bytes of whole lines are read at once: a batch has no more records. At least 1.
    #[must_use]
    pub fn block_bytes(self, bytes: usize) -> Self {
        ReaderOptions {
            block_bytes: bytes.clamp(1, 1 << 30),
            ..self
        }
    }

    /// Sets how long a line may be: a longer one ends reading with an error. At most 1 GB.
    #[must_use]
    pub fn max_record(self, bytes: usize) -> Self {
        ReaderOptions {
            max_record: bytes.min(1 << 30),
            ..self
        }
    }

    /// Sets how many blocks are read at the same time, each by a thread; at least 1. Batches come in the order of the text.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        ReaderOptions {
            threads: threads.max(1),
            ..self
        }
    }
}
