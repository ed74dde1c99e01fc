//! Adds up a field of the elements of an array that is larger than memory.
//!
//!     cargo run --release -p jsonx-core --features serde --example sum_field -- 1000000000
//!
//! makes up an array of 1 GB, and takes a few MB of memory for it.

use std::error::Error;
use std::io::{self, Read};

use serde::Deserialize;

/// Other fields are checked, and skipped.
#[derive(Deserialize)]
struct Row {
    amount: u64,
}

/// Repeats a row.
struct Rows {
    row: &'static [u8],
    at: usize,
}

impl Read for Rows {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = &self.row[self.at..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.at = (self.at + count) % self.row.len();
        Ok(count)
    }
}

const ROW: &[u8] = br#"{"id": 17, "name": "a row of a table", "amount": 3, "tags": ["x", "y"]},"#;

fn sum(reader: impl Read) -> io::Result<u64> {
    let mut sum = 0;
    for row in jsonx_core::elements::<Row, _>(reader, "/data/rows")? {
        sum += row?.amount;
    }
    Ok(sum)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let bytes = std::env::args().nth(1).and_then(|bytes| bytes.parse().ok());
    let rows = bytes.unwrap_or(1_000_000) / ROW.len() as u64;
    let generated = Rows { row: ROW, at: 0 }.take(rows * ROW.len() as u64);
    let start = &br#"{"data": {"rows": ["#[..];
    let end = &br#"{"amount": 4}]}}"#[..];
    let sum = sum(start.chain(generated).chain(end))?;
    assert_eq!(sum, 3 * rows + 4);
    println!("{sum}");
    Ok(())
}
