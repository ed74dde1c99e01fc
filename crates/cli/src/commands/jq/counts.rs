//! `--tally`: distinct results, and how often each came.

use std::io::{self, Write};

use jsonx_jq::Value;

use super::rows::Rows;
use crate::output::Stdout;
use crate::report::escape_lines;

/// How counts are printed.
pub struct Counts {
    pub rows: Option<Rows>,
    pub limit: Option<usize>,
    /// Strings have no quotes.
    pub is_raw: bool,
    /// Control characters are escaped.
    pub is_terminal: bool,
}

impl Counts {
    /// Prints them, in this order.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn print(
        &self,
        counts: impl Iterator<Item = (Box<[u8]>, u64)>,
        out: &mut Stdout,
    ) -> io::Result<()> {
        if let Some(rows) = &self.rows {
            let value = |text: &[u8]| Value::from_json(&String::from_utf8_lossy(text));
            let counts = counts.map(|(text, count)| (value(&text).unwrap_or_default(), count));
            let mut text = Vec::new();
            rows.push_counts(&counts.collect::<Vec<_>>(), &mut text);
            return out.write_all(&text);
        }
        for (value, count) in counts {
            let mut text = String::from_utf8_lossy(&value).into_owned();
            let string = Value::from_json(&text).unwrap_or_default();
            if let Some(string) = string.as_str().filter(|_| self.is_raw) {
                text = string.into_owned();
            }
            if self.is_terminal {
                text = escape_lines(text.as_bytes());
            }
            out.write_all(format!("{count}\t{text}\n").as_bytes())?;
        }
        Ok(())
    }
}
