//! The grammar of RFC 8259, 64 tokens at a time.

use super::containers::containers;
use super::shift_in;
use crate::kernel::{Isa, KindMasks};
use crate::stack::Stack;

/// The state carried from one group of tokens to the next: the tokens that may come next (one bit each), and the
/// options of the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grammar {
    /// A key, or `}` right after `{`.
    pub(crate) key: u64,
    /// The start of a value, or `]` right after `[`.
    pub(crate) value: u64,
    /// `:`
    pub(crate) colon: u64,
    /// A comma or a closing bracket; at the root, the end or the next value of a stream.
    pub(crate) after: u64,
    /// The last token was an opening bracket.
    pub(crate) opened: u64,
    /// All ones if the text is a stream of values, else 0.
    pub(crate) stream: u64,
    /// Maximum nesting depth.
    pub(crate) max_depth: u64,
}

impl Default for Grammar {
    fn default() -> Self {
        Grammar {
            key: 0,
            // The text starts as if after a colon.
            value: 1,
            colon: 0,
            after: 0,
            opened: 0,
            stream: 0,
            max_depth: u64::MAX,
        }
    }
}

/// Checks `count` tokens (1 to 64). Returns non-zero for an error. `roots` counts the root values after the first.
///
/// Every token but the first follows a token of exactly one class, so four masks check them all:
///
/// ```text
/// kinds       { " : [ 1 , t ] , " : { } }
/// key_next    . 1 . . . . . . . 1 . . . .      after `{`, and after `,` in an object
/// value_next  1 . . 1 1 . 1 . . . . 1 . .      after `[`, `:`, and `,` in an array
/// after_key   . . 1 . . . . . . . 1 . . .      must be `:`, and no other token may be
/// after       . . . . . 1 . 1 1 . . . . 1      `,` or a closing bracket
/// empty       . . . . . . . . . . . . 1 .      closes the bracket just opened: allowed for the first two
/// ```
#[inline(always)]
pub(crate) fn grammar<K: Isa>(
    isa: K,
    state: &mut Grammar,
    stack: &mut Stack,
    kinds: &KindMasks,
    count: u32,
    roots: &mut u64,
) -> u64 {
    let KindMasks {
        open,
        close,
        brace,
        colon,
        comma,
        quote,
    } = *kinds;
    let valid = u64::MAX >> (64 - count);
    let enclosing = containers(isa, stack, kinds, state.max_depth);
    let (object, root) = (enclosing.object, enclosing.root);

    let primitive = valid & !(open | close | colon | comma | quote);
    let key_next = shift_in(open & brace | comma & object, &mut state.key, count);
    let key = key_next & quote;
    let value = quote & !key | primitive | close;
    let after_any = shift_in(value, &mut state.after, count);
    let next_root = after_any & root & valid;
    let after = after_any & !root;
    let value_next = shift_in(
        open & !brace | comma & !object | colon,
        &mut state.value,
        count,
    ) | next_root;
    let after_key = shift_in(key, &mut state.colon, count);
    let empty = shift_in(open, &mut state.opened, count) & close;
    *roots += u64::from(next_root.count_ones());

    let error = key_next & !(quote | empty)
        | value_next & !(quote | primitive | open | empty)
        | after_key ^ colon
        | after & !(comma | close)
        | next_root & !state.stream;
    error & valid | enclosing.error
}
