//! Checks numbers and literals, 64 bytes at a time.

use super::shift_in;
use crate::kernel::{BLOCK, Bytes, Isa, NumberMasks};
use crate::scan::InPlace;

/// The state carried from one group of bytes to the next. All fields but the last four are single bits that classify
/// the byte before the group.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scalars {
    /// Part of a number or a literal.
    pub(crate) scalar: u64,
    /// The minus sign of a number.
    pub(crate) minus: u64,
    /// A zero that begins an integer part.
    pub(crate) zero: u64,
    /// A digit of an integer part.
    pub(crate) integer: u64,
    /// A decimal point.
    pub(crate) point: u64,
    /// A digit of a fraction.
    pub(crate) fraction: u64,
    /// `e` or `E`.
    pub(crate) exponent: u64,
    /// The sign of an exponent.
    pub(crate) sign: u64,
    /// A digit of an exponent.
    pub(crate) exponent_digit: u64,
    /// Starts of `true` in the last 64 bytes (bit 63 is the last byte).
    pub(crate) r#true: u64,
    /// Starts of `null`.
    pub(crate) null: u64,
    /// Starts of `false`.
    pub(crate) r#false: u64,
    /// Long numbers of this chunk. Only set for the lints.
    pub(crate) long: Long,
}

/// Whether a chunk has long numbers, except those that cross its boundaries.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Long {
    /// An integer part of [`LONG_INTEGER`] digits or more.
    pub(crate) integers: bool,
    /// An exponent of [`LONG_EXPONENT`] digits or more.
    pub(crate) exponents: bool,
    /// The digits of integer parts in the last group.
    integer_digits: u64,
    /// The digits of exponents in the last group that had some.
    exponent_digits: u64,
}

/// The digits of the shortest integer above 2^53.
pub const LONG_INTEGER: u32 = 16;

/// The digits of the shortest exponent with which a short number overflows a double.
pub const LONG_EXPONENT: u32 = 3;

impl Long {
    #[inline(always)]
    fn integer(&mut self, digits: u64) {
        let two = digits & digits >> 1;
        let four = two & two >> 2;
        let eight = four & four >> 4;
        let across = self.integer_digits.leading_ones() + digits.trailing_ones();
        self.integers |= (eight & eight >> 8 != 0) | (across >= LONG_INTEGER);
        self.integer_digits = digits;
    }

    /// `continued`: the first digits belong to the exponent at the end of the last group.
    #[inline(always)]
    fn exponent(&mut self, digits: u64, continued: bool) {
        let across = self.exponent_digits.leading_ones() + digits.trailing_ones();
        self.exponents |=
            (digits & digits >> 1 & digits >> 2 != 0) | (continued & (across >= LONG_EXPONENT));
        self.exponent_digits = digits;
    }
}

impl InPlace for Scalars {
    #[inline(always)]
    fn check<K: Isa, const LONG: bool>(
        &mut self,
        isa: K,
        bytes: &Bytes,
        block: K::Block,
        scalar: u64,
    ) -> u64 {
        // No number or literal crosses a boundary of this block, so nothing is carried.
        if !LONG && self.scalar | scalar >> (BLOCK - 1) == 0 {
            let digit = isa.digits(block) & scalar;
            if let Some(error) = simple(isa, bytes, block, scalar, digit) {
                return error;
            }
        }
        scalars::<K, LONG>(isa, self, bytes, block, scalar, BLOCK as u32)
    }
}

/// Fast path for a block that contains only unsigned integers and literals, none of which crosses its boundaries, as in most
/// blocks. Takes a third of the instructions.
///
/// ```text
/// scalar    1 0 5 . . t r u e . 0 1
/// digit     1 1 1 . . . . . . . 1 1
/// claimed   . . . . . 1 1 1 1 . . .     by literals
/// zero      . . . . . . . . . . 1 .     first bytes; neither they nor literals precede a digit
/// ```
#[inline(always)]
fn simple<K: Isa>(isa: K, bytes: &Bytes, block: K::Block, scalar: u64, digit: u64) -> Option<u64> {
    let first = scalar & !(scalar << 1);
    let other = scalar & !digit;
    let claimed = words(bytes, first & other);
    if other & !claimed != 0 {
        return None;
    }
    let zero = first & isa.equal(block, b'0');
    Some((zero | claimed) << 1 & digit)
}

/// Checks the bytes selected by `scalar` among the first `count` (1 to 64) of `block`: numbers and literals, separated
/// by at least one other byte. Returns non-zero for an error.
///
/// Each rule claims the bytes that it allows; an unclaimed byte is an error (`1.2.3`, `nulltrue`, a stray letter). A
/// run of digits ends where the carry of an addition stops:
///
/// ```text
/// scalars   - 1 2 . 5 0 e + 9         digit     . 1 1 . 1 1 . . 1
/// first     1 . . . . . . . .         integer's first digit  . 1 . . . . . . .
/// minus     1 . . . . . . . .         digit + first digit    . . . 1 1 1 . . 1   (the carry stops at the point)
///                                     integer = digit & !sum . 1 1 . . . . . .
/// ```
#[inline(always)]
pub(crate) fn scalars<K: Isa, const LONG: bool>(
    isa: K,
    state: &mut Scalars,
    bytes: &Bytes,
    block: K::Block,
    scalar: u64,
    count: u32,
) -> u64 {
    let valid = u64::MAX >> (64 - count);
    let scalar = scalar & valid;
    let digit = isa.digits(block) & scalar;
    let masks = if K::COMPRESSES || scalar & !digit != 0 {
        isa.numbers(block)
    } else {
        NumberMasks::default()
    };

    let first = scalar & !shift_in(scalar, &mut state.scalar, count);
    let minus = first & masks.minus;
    let after_minus = shift_in(minus, &mut state.minus, count);
    let begin = (first | after_minus) & digit;
    let zero = begin & isa.equal(block, b'0');
    let mut error = after_minus & !digit | shift_in(zero, &mut state.zero, count) & digit;
    let (integer, integer_end) = run(digit, begin, &mut state.integer, count);
    if LONG {
        state.long.integer(integer);
    }
    let claimed = minus | integer;
    let mut group = Group {
        block,
        masks,
        count,
        scalar,
        digit,
        first,
        claimed,
    };

    // Most groups contain only integers.
    let pending = state.point | state.fraction | state.exponent | state.sign | state.exponent_digit;
    if scalar & !claimed | pending != 0 {
        error |= real::<K, LONG>(isa, state, &mut group, integer_end);
    }
    let unfinished = state.r#true | state.null | state.r#false;
    if scalar & !group.claimed | unfinished != 0 {
        let starts = first & !group.claimed;
        // If a mask costs forty instructions rather than one, literals are compared one by one.
        if !K::COMPRESSES && unfinished == 0 && starts >> (BLOCK - 7) == 0 {
            group.claimed |= words(bytes, starts);
        } else {
            error |= literals(isa, state, &mut group);
        }
    }
    (error | scalar & !group.claimed) & valid
}

/// The bytes of the literals that start at `starts`, up to the first invalid one or one in the last seven bytes.
#[inline(always)]
fn words(bytes: &Bytes, starts: u64) -> u64 {
    const FALSE: u64 = u64::from_le_bytes(*b"false\0\0\0");
    const TRUE: u32 = u32::from_le_bytes(*b"true");
    const NULL: u32 = u32::from_le_bytes(*b"null");
    let mut rest = starts;
    let mut claimed = 0;
    while rest != 0 {
        let at = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let Some(word) = bytes.get(at..).and_then(|bytes| bytes.first_chunk()) else {
            break;
        };
        let word = u64::from_le_bytes(*word);
        let four = u64::from((word as u32 == TRUE) | (word as u32 == NULL));
        let five = u64::from(word << 24 == FALSE << 24);
        if four | five == 0 {
            break;
        }
        claimed |= ((four * 0b1111) | (five * 0b11111)) << at;
    }
    claimed
}

/// The digits of the runs that start at `begin` or continue from the last group, and the bytes after these runs.
#[inline(always)]
fn run(digit: u64, begin: u64, carry: &mut u64, count: u32) -> (u64, u64) {
    let (sum, over) = digit.overflowing_add(begin);
    let (sum, over_again) = sum.overflowing_add(*carry);
    *carry = match count {
        64 => u64::from(over | over_again),
        _ => sum >> count & 1,
    };
    (digit & !sum, sum & !digit)
}

/// A group of scalar bytes, and the results so far.
struct Group<B> {
    block: B,
    masks: NumberMasks,
    /// Number of valid bytes in the group.
    count: u32,
    scalar: u64,
    digit: u64,
    /// The first bytes of numbers and literals.
    first: u64,
    /// Bytes that rules have claimed so far.
    claimed: u64,
}

/// Checks fractions and exponents; `integer_end` marks the bytes after integer parts.
#[inline(always)]
fn real<K: Isa, const LONG: bool>(
    isa: K,
    state: &mut Scalars,
    group: &mut Group<K::Block>,
    integer_end: u64,
) -> u64 {
    let Group {
        count,
        scalar,
        digit,
        ..
    } = *group;
    let point = group.masks.point & scalar & integer_end;
    let after_point = shift_in(point, &mut state.point, count);
    let (fraction, fraction_end) = run(digit, after_point & digit, &mut state.fraction, count);
    group.claimed |= point | fraction;
    let mut error = after_point & !digit;

    let exponent = group.masks.exponent & scalar & (integer_end | fraction_end);
    if exponent | state.exponent | state.sign | state.exponent_digit != 0 {
        let after_exponent = shift_in(exponent, &mut state.exponent, count);
        let sign = after_exponent & (group.masks.minus | isa.equal(group.block, b'+'));
        let after_sign = shift_in(sign, &mut state.sign, count);
        let begin = (after_exponent | after_sign) & digit;
        let continued = state.exponent_digit != 0;
        let (digits, _) = run(digit, begin, &mut state.exponent_digit, count);
        if LONG {
            state.long.exponent(digits, continued);
        }
        group.claimed |= exponent | sign | digits;
        error |= after_exponent & !(digit | sign) | after_sign & !digit;
    }
    error
}

/// Checks `true`, `false` and `null`: after the start of a literal, expects its letters one to four bytes later.
#[inline(always)]
fn literals<K: Isa>(isa: K, state: &mut Scalars, group: &mut Group<K::Block>) -> u64 {
    let Group { count, first, .. } = *group;
    let letter = |byte| isa.equal(group.block, byte);
    let starts = [
        first & letter(b't'),
        first & letter(b'n'),
        first & letter(b'f'),
    ];
    let before = [state.r#true, state.null, state.r#false];
    let later = |word: usize, by: u32| starts[word] << by | before[word] >> (64 - by);
    const TRUE: usize = 0;
    const NULL: usize = 1;
    const FALSE: usize = 2;
    let expected = [
        (b'r', later(TRUE, 1)),
        (b'u', later(TRUE, 2) | later(NULL, 1)),
        (b'e', later(TRUE, 3) | later(FALSE, 4)),
        (b'l', later(NULL, 2) | later(NULL, 3) | later(FALSE, 2)),
        (b'a', later(FALSE, 1)),
        (b's', later(FALSE, 3)),
    ];
    let mut error = 0;
    let mut claimed = starts[TRUE] | starts[NULL] | starts[FALSE];
    for (byte, mask) in expected {
        error |= mask & !letter(byte);
        claimed |= mask;
    }
    // Aligned so that bit 63 is the last byte. Only a start in the last four bytes can be that of an incomplete literal.
    let keep = |word: usize| {
        let aligned = if count == 64 {
            starts[word]
        } else {
            starts[word] << (64 - count) | before[word] >> count
        };
        aligned & 0xF000_0000_0000_0000
    };
    (state.r#true, state.null, state.r#false) = (keep(TRUE), keep(NULL), keep(FALSE));
    group.claimed |= claimed;
    error
}
