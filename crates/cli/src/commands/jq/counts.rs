//! `--tally`: distinct results, and how often each came.

use std::io::{self, Write};

use jsonx_jq::Value;

use super::rows::Rows;
use crate::output::{Stdout, Table, cut};
use crate::report::{escape_lines, width_of};
use crate::terminal::Screen;

/// The widest bar, and the least space for one, in columns of text.
const BAR: usize = 40;
const SPACE: usize = 10;

/// Counts that are held to align them.
const SHOWN: usize = 1 << 12;

/// How counts are printed.
pub struct Counts {
    pub rows: Option<Rows>,
    pub limit: Option<usize>,
    /// Strings have no quotes.
    pub is_raw: bool,
    /// The terminal that shows them, with a bar for each; there, control characters are escaped.
    pub screen: Option<Screen>,
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
            if rows.push_counts(&counts.collect::<Vec<_>>(), &mut text) {
                out.note_header();
            }
            return out.write_all(&text);
        }
        let text_of = |value: &[u8]| {
            let mut text = String::from_utf8_lossy(value).into_owned();
            let string = Value::from_json(&text).unwrap_or_default();
            if let Some(string) = string.as_str().filter(|_| self.is_raw) {
                text = string.into_owned();
            }
            match self.screen {
                Some(_) => escape_lines(text.as_bytes()).replace('\t', "␉"),
                None => text,
            }
        };
        let mut counts = counts.map(|(value, count)| (text_of(&value), count));
        if let Some(screen) = self.screen {
            let first: Vec<(String, u64)> = counts.by_ref().take(SHOWN).collect();
            out.begin_table(Table::new(false).on(self.screen));
            out.write_all(with_bars(&first, screen.width).as_bytes())?;
            out.end_table()?;
        }
        for (text, count) in counts {
            out.write_all(format!("{count}\t{text}\n").as_bytes())?;
        }
        Ok(())
    }
}

/// Rows with a bar for each count, of which the first is the greatest, if there is space. A value takes at most half of the width.
fn with_bars(counts: &[(String, u64)], width: usize) -> String {
    let most = counts.first().map_or(1, |(_, count)| (*count).max(1));
    let half = width / 2;
    let texts = counts.iter().map(|(text, _)| width_of(text));
    let used = most.to_string().len() + texts.max().unwrap_or_default().min(half) + 4;
    let space = width.saturating_sub(used).min(BAR);
    let row = |(text, count): &(String, u64)| {
        if counts.len() < 2 || space < SPACE {
            return format!("{count}\t{text}\n");
        }
        let length = (space as u64).saturating_mul(*count) / most;
        let bar = "█".repeat(length.max(1) as usize);
        format!("{count}\t{}\t{bar}\n", cut(text, half))
    };
    counts.iter().map(row).collect()
}
