//! Matches brackets, and finds the kind of container around each token.

use crate::kernel::{Isa, KindMasks};
use crate::stack::Stack;

/// The enclosing containers of the tokens of a group, one bit per token.
pub(crate) struct Enclosing {
    /// The innermost container open before the token is an object.
    pub(crate) object: u64,
    /// No container is open before the token.
    pub(crate) root: u64,
    /// Non-zero if a bracket does not match, or the depth exceeds the limit.
    pub(crate) error: u64,
}

/// Follows the brackets of a group of tokens.
///
/// Most brackets are leaf pairs: an opening bracket whose next bracket closes it. Masks remove them without a loop. In
/// a prototype this alone raised canada from 3.2 to 5.2 GB/s and citm from 6.9 to 8.5; a second round gained nothing.
///
/// ```text
/// kinds     [ { " : [ 1 , 2 ] , " : { } } ,
/// bracket   1 1 . . 1 . . . 1 . . . 1 1 1 .     b
/// leaf open . . . . 1 . . . . . . . 1 . . .     lo
/// closed    . . . . . . . . 1 . . . . 1 . .     lc
/// inside    . . . . . 1 1 1 1 . . . . 1 . .     after each lo up to its lc: (lc - lo) << 1
/// left over 1 1 . . . . . . . . . . . . 1 .     go through the loop
/// ```
#[inline(always)]
pub(crate) fn containers<K: Isa>(
    isa: K,
    stack: &mut Stack,
    kinds: &KindMasks,
    max_depth: u64,
) -> Enclosing {
    let KindMasks {
        open, close, brace, ..
    } = *kinds;
    let bracket = open | close;
    let mut enclosing = Enclosing {
        object: stack.object().wrapping_neg(),
        root: u64::from(stack.depth == 0).wrapping_neg(),
        error: 0,
    };
    if bracket == 0 {
        return enclosing;
    }
    // Near the limit every opening bracket is pushed in the loop, so that the limit is exact.
    if stack.depth.saturating_add(u64::from(open.count_ones())) > max_depth {
        follow(stack, bracket, open, brace, max_depth, &mut enclosing);
        return enclosing;
    }
    let (leaf_open, leaf_close, mismatch) = leaf_pairs(isa, open, close, brace);
    let inside = leaf_close.wrapping_sub(leaf_open) << 1;
    let inside_object = (leaf_close & brace).wrapping_sub(leaf_open & brace) << 1;
    follow(
        stack,
        bracket & !(leaf_open | leaf_close),
        open,
        brace,
        u64::MAX,
        &mut enclosing,
    );
    enclosing.object = enclosing.object & !inside | inside_object;
    enclosing.root &= !inside;
    enclosing.error |= mismatch;
    enclosing
}

/// The opening brackets whose next bracket is a closing one, those closing brackets, and a value that is non-zero if
/// the brackets of a pair differ in kind.
#[inline(always)]
pub(crate) fn leaf_pairs<K: Isa>(isa: K, open: u64, close: u64, brace: u64) -> (u64, u64, u64) {
    let bracket = open | close;
    if K::FAST_PEXT {
        let opens = isa.pext(open, bracket);
        let braces = isa.pext(brace, bracket);
        // One bit per bracket, set if it opens and the next one closes; the last bracket has no next one.
        let all = u64::MAX >> (64 - bracket.count_ones());
        let pairs = opens & !(opens >> 1) & all >> 1;
        let leaf_open = isa.pdep(pairs, bracket);
        let leaf_close = isa.pdep(pairs << 1, bracket);
        return (leaf_open, leaf_close, (braces ^ braces >> 1) & pairs);
    }
    // An addition carries a bit from each opening bracket up to the next bracket; with the bits reversed, from each
    // closing bracket reached that way down to the bracket before it.
    let gap = !bracket;
    let after_open = (open << 1).wrapping_add(gap) & bracket;
    let after_brace = ((open & brace) << 1).wrapping_add(gap) & bracket;
    let leaf_close = after_open & close;
    let reversed = (leaf_close.reverse_bits() << 1).wrapping_add(gap.reverse_bits());
    let leaf_open = reversed.reverse_bits() & bracket;
    (leaf_open, leaf_close, leaf_close & (after_brace ^ brace))
}

/// Pushes and pops the brackets in `rest` in order.
#[inline(always)]
fn follow(
    stack: &mut Stack,
    mut rest: u64,
    open: u64,
    brace: u64,
    max_depth: u64,
    enclosing: &mut Enclosing,
) {
    let mut object = stack.object();
    while rest != 0 {
        let lowest = rest & rest.wrapping_neg();
        let after = !(lowest | (lowest - 1));
        rest ^= lowest;
        let is_brace = u64::from(brace & lowest != 0);
        if open & lowest != 0 {
            if stack.depth >= max_depth {
                enclosing.error = 1;
                return;
            }
            if stack.depth == 0 {
                enclosing.root &= !after;
            }
            stack.push(is_brace);
        } else {
            if stack.depth == 0 {
                enclosing.error = 1;
                return;
            }
            enclosing.error |= is_brace ^ stack.object();
            stack.pop();
            if stack.depth == 0 {
                enclosing.root |= after;
            }
        }
        let now = stack.object();
        enclosing.object ^= after & (now ^ object).wrapping_neg();
        object = now;
    }
}
