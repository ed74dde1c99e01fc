//! Sorts the keys of one object.

use core::cmp::Ordering;

use super::Member;
use crate::string::decode_key;

/// The sort order of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::format::rewrite) enum Order {
    /// By code points of the decoded keys. Equal keys keep their order.
    CodePoints,
    /// By UTF-16 code units, as in RFC 8785. Equal keys are an error.
    Utf16,
}

/// Keys with their members. Most keys differ in their first eight bytes, which are compared as numbers.
#[derive(Debug, Default)]
pub(super) struct SortKeys {
    entries: Vec<Entry>,
    /// Decoded keys, one after another.
    decoded: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The ranks of the first eight bytes, the first byte highest.
    prefix: u64,
    /// The start of the key in the text or, beyond the end of the text, in the decoded keys.
    start: usize,
    length: usize,
    member: usize,
}

/// The texts of the keys.
#[derive(Clone, Copy)]
struct Texts<'a> {
    raw: &'a [u8],
    decoded: &'a [u8],
    order: Order,
}

impl SortKeys {
    /// Sorts the members of an object. Returns whether they were sorted. Keys with a backslash are decoded; `escapes` is
    /// false if there are none.
    pub(super) fn sort(
        &mut self,
        text: &[u8],
        members: &[Member],
        escapes: bool,
        order: Order,
    ) -> bool {
        self.decoded.clear();
        self.entries.clear();
        for (number, member) in members.iter().enumerate() {
            let (mut start, mut length) = (member.start + 1, member.colon - member.start - 2);
            let raw = &text[start..start + length];
            let mut prefix = prefix(text, start, length);
            if escapes && memchr::memchr(b'\\', raw).is_some() {
                let decoded = decode_key(raw);
                start = text.len() + self.decoded.len();
                length = decoded.len();
                self.decoded.extend_from_slice(&decoded);
                prefix = self::prefix(&decoded, 0, length);
            }
            if order == Order::Utf16 {
                prefix = u64::from_be_bytes(prefix.to_be_bytes().map(rank));
            }
            self.entries.push(Entry {
                prefix,
                start,
                length,
                member: number,
            });
        }
        let texts = Texts {
            raw: text,
            decoded: &self.decoded,
            order,
        };
        let entries = &mut self.entries;
        if entries.is_sorted_by(|a, b| texts.compare(a, b).is_le()) {
            return true;
        }
        // Member numbers break ties, which makes the sort stable without extra memory.
        entries.sort_unstable_by(|a, b| texts.compare(a, b).then_with(|| a.member.cmp(&b.member)));
        false
    }

    /// The members in sorted order.
    pub(super) fn members(&self) -> impl ExactSizeIterator<Item = usize> {
        self.entries.iter().map(|entry| entry.member)
    }

    /// The first member, in the order of the text, whose key an earlier member has: the earlier one and this one.
    pub(super) fn duplicate(&self, text: &[u8], order: Order) -> Option<(usize, usize)> {
        let texts = Texts {
            raw: text,
            decoded: &self.decoded,
            order,
        };
        let pairs = self.entries.iter().zip(self.entries.iter().skip(1));
        pairs
            .filter(|(a, b)| texts.compare(a, b).is_eq())
            .map(|(a, b)| (a.member, b.member))
            .min_by_key(|&(_, later)| later)
    }
}

impl<'a> Texts<'a> {
    fn key(&self, entry: &Entry) -> &'a [u8] {
        match entry.start.checked_sub(self.raw.len()) {
            Some(start) => &self.decoded[start..start + entry.length],
            None => &self.raw[entry.start..entry.start + entry.length],
        }
    }

    #[inline]
    fn compare(&self, a: &Entry, b: &Entry) -> Ordering {
        a.prefix
            .cmp(&b.prefix)
            .then_with(|| self.compare_all(self.key(a), self.key(b)))
    }

    fn compare_all(&self, a: &[u8], b: &[u8]) -> Ordering {
        match self.order {
            // The order of UTF-8 is that of code points, lone surrogates included.
            Order::CodePoints => a.cmp(b),
            Order::Utf16 => a
                .iter()
                .map(|&byte| rank(byte))
                .cmp(b.iter().map(|&byte| rank(byte))),
        }
    }
}

/// The first eight bytes of a key as a number, padded with zeros.
#[inline]
fn prefix(text: &[u8], start: usize, length: usize) -> u64 {
    let Some(&bytes) = text[start..].first_chunk::<8>() else {
        let mut bytes = [0; 8];
        let length = length.min(8);
        bytes[..length].copy_from_slice(&text[start..start + length]);
        return u64::from_be_bytes(bytes);
    };
    let word = u64::from_be_bytes(bytes);
    match length {
        8.. => word,
        _ => word & !(u64::MAX >> (8 * length)),
    }
}

/// The rank of a byte of UTF-8, such that comparing ranks compares UTF-16: there, characters beyond U+FFFF (first bytes F0
/// to F4) are surrogate pairs and sort before U+E000 to U+FFFF (EE and EF).
#[inline]
fn rank(byte: u8) -> u8 {
    match byte {
        0xee | 0xef => byte + 0x10,
        _ => byte,
    }
}
