//! Rejected records.

use std::collections::VecDeque;
use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, StringBuilder, UInt64Builder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

/// The schema of rejects: line (from 1) and byte offset of the record, JSON Pointer of the value, code and message of the error, and
/// the bytes of the record.
///
/// ```
/// let names: Vec<_> = jsonx_arrow::rejects_schema().fields().iter().map(|field| field.name().clone()).collect();
/// assert_eq!(names, ["line", "offset", "path", "code", "message", "record"]);
/// ```
pub fn rejects_schema() -> SchemaRef {
    let field = |name: &str, kind| Field::new(name, kind, false);
    Arc::new(Schema::new(vec![
        field("line", DataType::UInt64),
        field("offset", DataType::UInt64),
        field("path", DataType::Utf8),
        field("code", DataType::Utf8),
        field("message", DataType::Utf8),
        field("record", DataType::Binary),
    ]))
}

/// A rejected record.
#[derive(Debug)]
pub(crate) struct Reject {
    pub line: u64,
    pub offset: u64,
    pub path: String,
    pub code: String,
    pub message: String,
    pub record: Vec<u8>,
}

impl Reject {
    fn size(&self) -> usize {
        self.path.len() + self.message.len() + self.record.len()
    }
}

/// The size of a batch: with one more record, its offsets have 31 bits.
pub(crate) const LARGEST: usize = 1 << 30;

/// A batch of the first rejects, at least one and up to a size.
pub(crate) fn take(
    rejects: &mut VecDeque<Reject>,
    largest: usize,
) -> Result<RecordBatch, ArrowError> {
    let mut size = 0;
    let fits = |reject: &&Reject| {
        let is_first = size == 0;
        size += reject.size();
        is_first || size <= largest
    };
    let count = rejects.iter().take_while(fits).count();
    let (mut lines, mut offsets) = (UInt64Builder::new(), UInt64Builder::new());
    let (mut paths, mut codes) = (StringBuilder::new(), StringBuilder::new());
    let (mut messages, mut records) = (StringBuilder::new(), BinaryBuilder::new());
    for reject in rejects.drain(..count) {
        lines.append_value(reject.line);
        offsets.append_value(reject.offset);
        paths.append_value(&reject.path);
        codes.append_value(&reject.code);
        messages.append_value(&reject.message);
        records.append_value(&reject.record);
    }
    let columns: Vec<ArrayRef> = vec![
        Arc::new(lines.finish()),
        Arc::new(offsets.finish()),
        Arc::new(paths.finish()),
        Arc::new(codes.finish()),
        Arc::new(messages.finish()),
        Arc::new(records.finish()),
    ];
    RecordBatch::try_new(rejects_schema(), columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_have_a_limited_size() {
        let reject = |length| Reject {
            line: 1,
            offset: 0,
            path: String::new(),
            code: String::new(),
            message: String::new(),
            record: vec![b'x'; length],
        };
        let mut rejects: VecDeque<Reject> = [90, 10, 1, 500, 3].map(reject).into();
        let mut counts = Vec::new();
        while !rejects.is_empty() {
            counts.push(take(&mut rejects, 100).unwrap().num_rows());
        }
        assert_eq!(counts, [2, 1, 1, 1]);
        assert_eq!(take(&mut rejects, 100).unwrap().num_rows(), 0);
    }
}
