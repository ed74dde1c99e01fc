//! The width of a text in columns, as Prettier counts them: East Asian wide characters and emoji take two, combining marks
//! none.

use super::widths::{EMOJI_BY_SELECTOR, MODIFIED, WIDE, ZERO};

/// The emoji variation selector.
const SELECTOR: u32 = 0xfe0f;
const JOINER: u32 = 0x200d;
/// The combining keycap.
const KEYCAP: u32 = 0x20e3;
/// The flag that tags follow.
const BLACK_FLAG: u32 = 0x1f3f4;
const CANCEL_TAG: u32 = 0xe007f;

/// The columns of a token or comment.
#[inline]
pub(super) fn columns(text: &[u8]) -> u64 {
    match text.is_ascii() {
        true => text.len() as u64,
        false => wide_columns(text),
    }
}

/// The columns of a text that is not ASCII. Emoji of several code points count as one: with a variation selector or a skin
/// tone, joined, keycaps and flags.
#[cold]
fn wide_columns(text: &[u8]) -> u64 {
    // A truncated text may end inside a character, beyond any width.
    let text = String::from_utf8_lossy(text);
    let mut rest = text.chars().map(u32::from).peekable();
    let mut columns = 0;
    while let Some(first) = rest.next() {
        let (mut width, mut is_emoji) = (width(first), false);
        match first {
            0x1f1e6..=0x1f1ff => {
                if rest
                    .next_if(|next| (0x1f1e6..=0x1f1ff).contains(next))
                    .is_some()
                {
                    width = 2;
                }
            }
            BLACK_FLAG => {
                while let Some(tag) = rest.next_if(|next| (0xe0020..=CANCEL_TAG).contains(next))
                    && tag != CANCEL_TAG
                {}
                is_emoji = true;
            }
            0x23 | 0x2a | 0x30..=0x39 => {
                rest.next_if_eq(&SELECTOR);
                if rest.next_if_eq(&KEYCAP).is_some() {
                    width = 2;
                }
            }
            _ => {
                let is_joined = emoji(&mut rest, first);
                is_emoji = is_joined || width == 2 && first > 0x2000;
                width = if is_joined { 2 } else { width };
            }
        }
        // Joined emoji have the columns of the first.
        while is_emoji || is_in(&EMOJI_BY_SELECTOR, first) {
            let mut ahead = rest.clone();
            if ahead.next() != Some(JOINER) {
                break;
            }
            let Some(next) = ahead.next() else {
                break;
            };
            if !(is_in(&EMOJI_BY_SELECTOR, next) || self::width(next) == 2) {
                break;
            }
            emoji(&mut ahead, next);
            rest = ahead;
            (width, is_emoji) = (2, true);
        }
        columns += width;
    }
    columns
}

/// Consumes the selector or skin tone after a code point; returns whether there was one.
fn emoji(rest: &mut (impl Iterator<Item = u32> + Clone), first: u32) -> bool {
    let next = rest.clone().next();
    let takes = match next {
        Some(SELECTOR) => is_in(&EMOJI_BY_SELECTOR, first) || width(first) == 2,
        Some(0x1f3fb..=0x1f3ff) => is_in(&MODIFIED, first),
        _ => false,
    };
    if takes {
        rest.next();
    }
    takes
}

/// The columns of one code point.
fn width(code: u32) -> u64 {
    match code {
        0x20..0x7f => 1,
        _ if is_in(&ZERO, code) => 0,
        _ if is_in(&WIDE, code) => 2,
        _ => 1,
    }
}

fn is_in(ranges: &[(u32, u32)], code: u32) -> bool {
    let after = ranges.partition_point(|&(from, _)| from <= code);
    after > 0 && code <= ranges[after - 1].1
}
