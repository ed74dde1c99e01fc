//! The width of a text in columns, as Prettier counts them: East Asian wide characters and emoji take two, combining marks
//! none.

use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The emoji variation selector.
const SELECTOR: char = '\u{fe0f}';
const JOINER: char = '\u{200d}';
/// The combining keycap.
const KEYCAP: char = '\u{20e3}';
/// The flag that tags follow.
const BLACK_FLAG: char = '\u{1f3f4}';
const CANCEL_TAG: char = '\u{e007f}';

/// The columns of a token or comment; in a plain layout, the code points.
#[inline]
pub(super) fn columns(text: &[u8], is_plain: bool) -> u64 {
    if text.is_ascii() {
        return text.len() as u64;
    }
    if is_plain {
        code_points(text)
    } else {
        wide_columns(text)
    }
}

/// The number of code points that begin in a text.
fn code_points(text: &[u8]) -> u64 {
    text.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() as u64
}

/// The columns of a text that is not ASCII. Emoji of several code points count as one: with a variation selector or a skin
/// tone, joined, keycaps and flags.
#[cold]
fn wide_columns(text: &[u8]) -> u64 {
    // A truncated text may end inside a character, beyond any width.
    let text = String::from_utf8_lossy(text);
    let mut rest = text.chars().peekable();
    let mut columns = 0;
    while let Some(first) = rest.next() {
        let (mut width, mut is_emoji) = (width(first), false);
        match first {
            '\u{1f1e6}'..='\u{1f1ff}' => {
                if rest
                    .next_if(|next| ('\u{1f1e6}'..='\u{1f1ff}').contains(next))
                    .is_some()
                {
                    width = 2;
                }
            }
            BLACK_FLAG => {
                while let Some(tag) = rest.next_if(|next| ('\u{e0020}'..=CANCEL_TAG).contains(next))
                    && tag != CANCEL_TAG
                {}
                is_emoji = true;
            }
            '#' | '*' | '0'..='9' => {
                rest.next_if_eq(&SELECTOR);
                if rest.next_if_eq(&KEYCAP).is_some() {
                    width = 2;
                }
            }
            _ => {
                let is_joined = emoji(&mut rest, first);
                is_emoji = is_joined || width == 2 && first > '\u{2000}';
                width = if is_joined { 2 } else { width };
            }
        }
        // Joined emoji have the columns of the first.
        while is_emoji || is_emoji_with(SELECTOR, first) {
            let mut ahead = rest.clone();
            if ahead.next() != Some(JOINER) {
                break;
            }
            let Some(next) = ahead.next() else {
                break;
            };
            if !(is_emoji_with(SELECTOR, next) || self::width(next) == 2) {
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
fn emoji(rest: &mut (impl Iterator<Item = char> + Clone), first: char) -> bool {
    let takes = match rest.clone().next() {
        Some(SELECTOR) => is_emoji_with(SELECTOR, first) || width(first) == 2,
        Some(tone @ '\u{1f3fb}'..='\u{1f3ff}') => is_emoji_with(tone, first),
        _ => false,
    };
    if takes {
        rest.next();
    }
    takes
}

/// Whether a code point and a selector or skin tone make an emoji.
fn is_emoji_with(modifier: char, first: char) -> bool {
    let mut text = [0; 8];
    let length = first.encode_utf8(&mut text).len();
    let length = length + modifier.encode_utf8(&mut text[length..]).len();
    let is_narrow = first > '\u{7f}' && first.width() == Some(1);
    (is_narrow || modifier != SELECTOR && first.width() == Some(2))
        && str::from_utf8(&text[..length]).is_ok_and(|text| text.width() == 2)
}

/// The columns of one code point.
fn width(code: char) -> u64 {
    use GeneralCategory::{EnclosingMark, NonspacingMark, Unassigned};
    match (code, code.width()) {
        (..'\u{80}', _) => 1,
        ('\u{80}'..='\u{9f}', _) => 0,
        // Wide by their East Asian width, and never emoji or marks.
        ('\u{302e}' | '\u{302f}' | '\u{3164}' | '\u{16ff0}' | '\u{16ff1}', _) => 2,
        ('\u{17a4}', _) => 1,
        (_, Some(2)) => 2,
        (_, columns) => match get_general_category(code) {
            NonspacingMark | EnclosingMark => 0,
            // A mark of a later version of Unicode.
            Unassigned if columns == Some(0) => 0,
            // Hands and persons take two, also without a skin tone.
            _ if is_emoji_with('\u{1f3fb}', code) => 2,
            _ => 1,
        },
    }
}
