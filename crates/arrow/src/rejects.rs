//! The records that do not fit.

use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, StringBuilder, UInt64Builder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

/// The schema of rejects: the line (from 1) and the byte offset of the record, the JSON Pointer of the value, the kind of mistake and
/// its message, and the bytes of the record.
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

/// A record that does not fit.
#[derive(Debug)]
pub(crate) struct Reject {
    pub line: u64,
    pub offset: u64,
    pub path: String,
    pub code: String,
    pub message: String,
    pub record: Vec<u8>,
}

/// A batch of rejects.
pub(crate) fn batch(rejects: &[Reject]) -> Result<RecordBatch, ArrowError> {
    let (mut lines, mut offsets) = (UInt64Builder::new(), UInt64Builder::new());
    let (mut paths, mut codes) = (StringBuilder::new(), StringBuilder::new());
    let (mut messages, mut records) = (StringBuilder::new(), BinaryBuilder::new());
    for reject in rejects {
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
