//! Adds up a log of JSON Lines from standard input. Bad lines are reported, and the others count.
//!
//!     cargo run -p jsonx-core --example json_lines < FILE

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};

use serde::Deserialize;

#[derive(Deserialize)]
struct Event {
    user: String,
    bytes: u64,
}

fn totals(log: impl BufRead, mut errors: impl Write) -> io::Result<BTreeMap<String, u64>> {
    let mut totals = BTreeMap::new();
    for event in jsonx_core::lines::<Event, _>(log) {
        match event {
            Ok(event) => *totals.entry(event.user).or_default() += event.bytes,
            // The reader has failed: there are no more lines.
            Err(error) if error.is_io() => return Err(error.into()),
            Err(error) => writeln!(errors, "skipped: {error}")?,
        }
    }
    Ok(totals)
}

fn main() -> io::Result<()> {
    for (user, bytes) in totals(io::stdin().lock(), io::stderr())? {
        println!("{bytes:12} {user}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_lines_are_reported() {
        let log = "{\"user\": \"a\", \"bytes\": 1}\n{\"user\": \"a\", \"bytes\": \n\n{\"user\": \"b\", \"bytes\": -1}\n{\"user\": \"a\", \"bytes\": 3}";
        let mut errors = Vec::new();
        let totals = totals(log.as_bytes(), &mut errors).unwrap();
        assert_eq!(totals, BTreeMap::from([("a".to_owned(), 4)]));
        assert_eq!(
            String::from_utf8(errors).unwrap(),
            "\
skipped: the text ends before the value is complete at line 2 column 24
skipped: .bytes: expected u64, found -1 at line 4 column 24
"
        );
    }
}
