//! Distinct values, and how often each occurred.

use std::collections::HashMap;

use jsonx_core::Document;
use jsonx_core::engine::{Options, Validator};
use jsonx_core::format::{Formatter, Style};
use jsonx_core::number::Number;
use jsonx_core::string::decode_key;

/// Maximum number of distinct values, and of their bytes.
const MOST_VALUES: usize = 1 << 24;
const MOST_BYTES: usize = 1 << 30;

/// The distinct values.
#[derive(Default)]
pub struct Tally {
    known: HashMap<Box<[u8]>, Entry>,
    bytes: usize,
}

struct Entry {
    count: u64,
    /// The number of distinct values before it.
    first: usize,
    /// The first notation of the value, if that is not its key.
    shown: Option<Box<[u8]>>,
}

impl Tally {
    /// Counts a value.
    ///
    /// # Errors
    /// There are more distinct values than are held in memory.
    pub fn add(&mut self, value: &[u8], options: Options) -> Result<(), String> {
        // Most values are their own keys.
        let is_key = match value {
            [b'"', ..] => memchr::memchr(b'\\', value).is_none(),
            [b't' | b'f' | b'n', ..] => true,
            [b'1'..=b'9', rest @ ..] => rest.len() < 18 && rest.iter().all(u8::is_ascii_digit),
            _ => false,
        };
        if is_key {
            return self.count(value, 1, || None);
        }
        let Some(key) = key(value, options) else {
            return Err("a value does not fit in memory".to_owned());
        };
        let shown = || {
            let mut text = Vec::new();
            compact(value, options, &mut text);
            (text != key).then(|| text.into())
        };
        self.count(&key, 1, shown)
    }

    fn count(
        &mut self,
        key: &[u8],
        copies: u64,
        shown: impl FnOnce() -> Option<Box<[u8]>>,
    ) -> Result<(), String> {
        if let Some(entry) = self.known.get_mut(key) {
            entry.count = entry.count.saturating_add(copies);
            return Ok(());
        }
        let entry = Entry {
            count: copies,
            first: self.known.len(),
            shown: shown(),
        };
        self.bytes += key.len() + entry.shown.as_ref().map_or(0, |shown| shown.len());
        if self.known.len() == MOST_VALUES || self.bytes > MOST_BYTES {
            return Err(format!(
                "--tally counts at most {MOST_VALUES} distinct values, of {} MB together; for more, sort them: \
                 `| sort | uniq -c`",
                MOST_BYTES >> 20
            ));
        }
        self.known.insert(key.into(), entry);
        Ok(())
    }

    /// Adds the counts of a later part.
    ///
    /// # Errors
    /// As for [`Tally::add`].
    pub fn merge(&mut self, part: Tally) -> Result<(), String> {
        for (key, entry) in in_order(part, |entry| (0, entry.first)) {
            self.count(&key, entry.count, || entry.shown)?;
        }
        Ok(())
    }

    /// The values as they first occurred and how often they did, the most frequent first; of equal numbers, in order of
    /// occurrence.
    pub fn into_counts(self) -> impl ExactSizeIterator<Item = (Box<[u8]>, u64)> {
        let all = in_order(self, |entry| (u64::MAX - entry.count, entry.first));
        let shown = |(key, entry): (_, Entry)| (entry.shown.unwrap_or(key), entry.count);
        all.into_iter().map(shown)
    }
}

/// The values in an order.
fn in_order<K: Ord>(tally: Tally, order: impl Fn(&Entry) -> K) -> Vec<(Box<[u8]>, Entry)> {
    let mut all: Vec<(Box<[u8]>, Entry)> = tally.known.into_iter().collect();
    all.sort_unstable_by_key(|(_, entry)| order(entry));
    all
}

/// A text shared by equal values: their own, if nothing needs decoding. `None` if it is too long.
fn key(value: &[u8], options: Options) -> Option<Vec<u8>> {
    match value {
        [b'"', raw @ .., b'"'] => {
            let mut key = vec![b'"'];
            key.extend_from_slice(&decode_key(raw));
            key.push(b'"');
            Some(key)
        }
        [b'-' | b'0'..=b'9', ..] => match Number::new(value).as_i64() {
            Some(integer) => Some(integer.to_string().into_bytes()),
            None => canonical(value, options),
        },
        _ => canonical(value, options),
    }
}

fn canonical(value: &[u8], options: Options) -> Option<Vec<u8>> {
    let document = Document::index(value, options.max_depth(u64::MAX)).ok()?;
    Some(document.root().canonical())
}

/// Appends a value without white space.
fn compact(value: &[u8], options: Options, out: &mut Vec<u8>) {
    if !matches!(value, [b'{' | b'[', ..]) {
        return out.extend_from_slice(value);
    }
    let formatter = Formatter::new(Style::Compact, Vec::new());
    match Validator::new(options).check(value, formatter) {
        Ok(text) => out.extend_from_slice(text.strip_suffix(b"\n").unwrap_or(&text)),
        // The file was modified since it was checked.
        Err(_) => out.extend_from_slice(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_for_distinct_values_is_bounded() {
        let options = Options::default();
        let mut tally = Tally::default();
        tally.add(b"\"a\"", options).unwrap();
        tally.bytes = MOST_BYTES;
        // A known value takes no memory.
        tally.add(br#""\u0061""#, options).unwrap();
        assert!(tally.add(b"\"b\"", options).is_err());
    }
}
