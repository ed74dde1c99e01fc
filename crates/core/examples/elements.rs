//! Adds up a field of the rows of a file that is larger than memory: `{"data": {"rows": [{"amount": 3, ...}, ...]}}`.
//!
//!     cargo run -p jsonx-core --example elements -- FILE

use std::fs::File;
use std::io::{self, Read};

use serde::Deserialize;

/// Other fields are checked, and skipped.
#[derive(Deserialize)]
struct Row {
    amount: u64,
}

fn sum(file: impl Read) -> Result<u64, jsonx_core::Error> {
    let mut sum = 0;
    // With a filter, only some: "$.data.rows[?@.amount > 100]".
    for row in jsonx_core::elements::<Row, _>(file, "/data/rows")? {
        sum += row?.amount;
    }
    Ok(sum)
}

fn main() -> io::Result<()> {
    let path = std::env::args().nth(1).unwrap_or("rows.json".to_owned());
    println!("{}", sum(File::open(path)?)?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_added_up() {
        // The text is made up as it is read.
        struct Rows(usize);

        impl Read for Rows {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                const ROW: &[u8] = br#"{"id": 17, "name": "a row", "amount": 3},"#;
                for byte in &mut *buffer {
                    *byte = ROW[self.0 % ROW.len()];
                    self.0 += 1;
                }
                Ok(buffer.len())
            }
        }

        let rows = Rows(0).take(41 * 100_000);
        let text = br#"{"data": {"rows": ["#.chain(rows).chain(&br#"{"amount": 4}]}}"#[..]);
        assert_eq!(sum(text).unwrap(), 300_004);
        assert!(sum(&b"{\"data\": []}"[..]).is_err());
    }
}
