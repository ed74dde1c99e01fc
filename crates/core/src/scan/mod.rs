//! Turns masks into streams: finds strings, and compresses structural bytes and scalars.

mod buffer;
mod streams;
mod strings;
mod utf8;

pub use self::streams::Interest;
pub(crate) use self::streams::{Outputs, Streams, outputs};
pub(crate) use self::strings::Strings;
use self::utf8::Utf8;
use crate::kernel::{BLOCK, Bytes, Isa, prefetch};

/// The state carried from one block to the next.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scan {
    pub(crate) strings: Strings,
    pub(crate) utf8: Utf8,
    /// 1 if the last byte belongs to a number or a literal.
    pub(crate) scalar: u64,
    /// At least a quarter of the blocks of the last chunk had numbers or literals, so testing each block costs more than it
    /// saves.
    pub(crate) dense: bool,
}

/// Checks the numbers and literals of a block in place, for kernels that do not compress them into a stream.
pub(crate) trait InPlace {
    /// Returns non-zero if the bytes selected by `scalar` have an error. With `LONG`, it also detects long numbers.
    fn check<K: Isa, const LONG: bool>(
        &mut self,
        isa: K,
        bytes: &Bytes,
        block: K::Block,
        scalar: u64,
    ) -> u64;
}

/// Scans the blocks of a chunk into the streams. Returns non-zero for an error in a string or, if scalars are checked in place,
/// in a scalar.
///
/// One block, from text to streams (kinds contain opening quotes, but not closing ones):
///
/// ```text
/// text      {"a\"b": [10, true ]}
/// quote'    .1....1..............      escaped quotes taken out
/// in_str    .11111...............      prefix xor: includes the opening quote, not the closing one
/// op        1......1.1..1.....11.
/// scalar    ..........11..1111...
/// first     ..........1...1......
/// kinds     {":[1,t]}                  op, opening quotes, first: compressed
/// scalars   "10 true "                 scalar and the byte after each run, which becomes a space
/// ```
///
/// The branch for blocks without a number or literal is hard to predict, and compressing nothing is cheap. If a quarter of the
/// blocks have one, there is no branch (`DENSE`): this raised generated catalogs from 3.3 to 4.2 GB/s and an order book from
/// 3.0 to 3.7. Texts with long strings would lose a tenth.
#[inline(always)]
pub(crate) fn scan<K: Isa, O: Outputs, P: InPlace, const DENSE: bool>(
    isa: K,
    state: &mut Scan,
    in_place: &mut P,
    blocks: &[Bytes],
    streams: &mut Streams,
) -> u64 {
    let mut error = 0;
    let mut strings = state.strings;
    let mut last_scalar = state.scalar;
    let mut utf8 = state.utf8;
    let mut before = isa.load(&utf8.last_block());
    let mut tokens = 0;
    let mut marks = 0;
    let mut scalar_bytes = 0;
    let mut busy = 0;
    let mut minified_bytes = 0;
    let mut structurals = 0;
    let mut quotes = 0;
    let (all_kinds, all_scalars) = (&mut *streams.kinds, &mut *streams.scalars);

    for (number, bytes) in blocks.iter().enumerate() {
        // A labeled block rather than `continue`, with which LLVM splits the loop in two and addresses every byte by two
        // registers.
        'block: {
            prefetch(bytes);
            let block = isa.load(bytes);
            let text = isa.text(block);

            let mut quote = text.quote;
            // Well predicted: most blocks have no backslash.
            if text.backslash | strings.pending() != 0 {
                quote = if O::LINTS {
                    strings.unescaped::<K, true>(isa, block, &text, &mut error)
                } else {
                    strings.unescaped::<K, false>(isa, block, &text, &mut error)
                };
            }
            if !O::UTF8 {
            } else if K::CHECKS_UTF8 {
                if text.non_ascii != 0 {
                    error |= u64::from(isa.utf8(block, before));
                    utf8.open = isa.utf8_open(block);
                } else {
                    error |= u64::from(utf8.open);
                    utf8.open = false;
                }
                before = block;
            } else {
                utf8.seen |= text.non_ascii != 0;
            }
            // The whole block is inside a string. Rarely true if numbers are dense.
            if !DENSE && !O::MINIFIED && quote | text.control | !strings.inside == 0 {
                if O::VALUES {
                    strings.escaped |= u64::from(text.backslash != 0);
                }
                if O::FIRSTS
                    && let Some(firsts) = streams.firsts.get_mut(number)
                {
                    *firsts = 0;
                }
                if O::LINTS
                    && let Some(scalars) = streams.scalar_masks.get_mut(number)
                {
                    *scalars = 0;
                }
                break 'block;
            }
            let in_string = strings.in_string(isa, quote);
            error |= text.control & in_string;

            let outside = !(in_string | quote);
            let separators = isa.separators(block, text.control);
            let scalar = outside & !(separators.op | separators.space);
            let follows = scalar << 1 | last_scalar;
            last_scalar = scalar >> 63;

            if O::LINTS {
                if let Some(scalars) = streams.scalar_masks.get_mut(number) {
                    *scalars = scalar;
                }
                if let Some(out) = block_at(&mut streams.quotes, quotes) {
                    let opening = quote & in_string;
                    isa.few_indices(opening, (number * BLOCK) as u32, out);
                    quotes += opening.count_ones() as usize;
                }
            }

            let kinds = separators.op & outside | quote & in_string | scalar & !follows;
            if O::FIRSTS
                && let Some(firsts) = streams.firsts.get_mut(number)
            {
                *firsts = kinds;
            }
            if let Some(out) = block_at(all_kinds, tokens) {
                let offsets = if O::OFFSETS && !O::STARTS && !O::VALUES {
                    block_at(&mut streams.offsets, tokens)
                } else {
                    None
                };
                match offsets {
                    // In one pass, which is 4 to 12 % faster with AVX2.
                    Some(offsets) => {
                        let base = (number * BLOCK) as u32;
                        isa.compress_indexed(bytes, block, kinds, base, out, offsets);
                    }
                    None => isa.compress(bytes, block, kinds, out),
                }
            }
            if O::VALUES {
                let commas_and_colons = isa.equal(block, b',') | isa.equal(block, b':');
                let values =
                    separators.op & outside & !commas_and_colons | quote | scalar & !follows;
                let kinds = block_at(&mut streams.minified, marks);
                let offsets = block_at(&mut streams.offsets, marks);
                if let (Some(kinds), Some(offsets)) = (kinds, offsets) {
                    let base = (number * BLOCK) as u32;
                    isa.compress_indexed(bytes, block, values, base, kinds, offsets);
                    marks += values.count_ones() as usize;
                }
                let escaped = strings.ends_escaped(text.backslash, quote, in_string);
                if escaped != 0
                    && let Some(out) = block_at(&mut streams.quotes, quotes)
                {
                    isa.few_indices(escaped, (number * BLOCK) as u32, out);
                    quotes += escaped.count_ones() as usize;
                }
            } else if O::STARTS {
                let starts = kinds & !(isa.equal(block, b',') | isa.equal(block, b':'));
                if let Some(out) = block_at(&mut streams.offsets, marks) {
                    isa.indices(starts, (number * BLOCK) as u32, out);
                    marks += starts.count_ones() as usize;
                }
            }
            tokens += kinds.count_ones() as usize;

            let runs = scalar | follows;
            busy += usize::from(runs != 0);
            if DENSE || runs != 0 {
                if !K::COMPRESSES {
                    error |= if O::LINTS {
                        in_place.check::<K, true>(isa, bytes, block, scalar)
                    } else {
                        in_place.check::<K, false>(isa, bytes, block, scalar)
                    };
                } else if let Some(out) = block_at(all_scalars, scalar_bytes) {
                    isa.compress_spaced(bytes, block, scalar, runs, out);
                    scalar_bytes += runs.count_ones() as usize;
                }
            }

            let mut keep = !(outside & separators.space);
            if O::LINES {
                keep |= isa.equal(block, b'\n');
            }
            if O::STRUCTURALS
                && let Some(out) = block_at(&mut streams.structurals, structurals)
            {
                // Compresses the mask of structural bytes like the text, so that its bits are indices in the minified text.
                let moved = isa.pext(separators.op & outside, keep);
                isa.indices(moved, minified_bytes as u32, out);
                structurals += moved.count_ones() as usize;
            }
            if O::MINIFIED
                && let Some(out) = block_at(&mut streams.minified, minified_bytes)
            {
                isa.compress(bytes, block, keep, out);
                minified_bytes += keep.count_ones() as usize;
            }
        }
    }

    state.strings = strings;
    state.scalar = last_scalar;
    state.dense = K::COMPRESSES && busy * 4 > blocks.len();
    state.utf8 = utf8;
    streams.tokens = tokens;
    streams.marks = marks;
    streams.scalar_bytes = scalar_bytes;
    streams.minified_bytes = minified_bytes;
    streams.structural_count = structurals;
    streams.quote_count = quotes;
    error
}

/// The 64 elements of a stream from `at` on. The capacity always suffices; the check costs a comparison and saves an `unsafe`.
#[inline(always)]
fn block_at<T>(stream: &mut [T], at: usize) -> Option<&mut [T; BLOCK]> {
    stream.get_mut(at..)?.first_chunk_mut()
}
