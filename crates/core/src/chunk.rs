//! One chunk of text, a few KiB, through scan and verify: the inner loop of everything.
//!
//! A chunk is small enough that its text and its streams stay in the first-level cache. Chunks are what errors
//! are found in (the verdict path says *that* one is in the chunk, the machine says *where*) and what consumers
//! are handed.

use crate::kernel::{BLOCK, Bytes, Isa};
use crate::scan::{Scan, scan};
use crate::stack::Stack;
use crate::token::Wanted;
use crate::verify::grammar::{Grammar, grammar};
use crate::verify::scalars::{Scalars, scalars};
use crate::verify::utf8::Utf8;

/// Blocks in a chunk: 8 KiB, so that text and streams fit the first-level cache. 4 and 16 KiB were not faster (AMD EPYC
/// 9005, the verdict on 23 files: 0.96 and 1.01 of it, beside simdjson in the same runs).
pub(crate) const CHUNK_BLOCKS: usize = 128;

/// All that is carried from one chunk to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub(crate) carry: Carry,
    pub(crate) stack: Stack,
}

/// What is carried besides the open containers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Carry {
    pub(crate) scan: Scan,
    pub(crate) utf8: Utf8,
    pub(crate) grammar: Grammar,
    pub(crate) scalars: Scalars,
}

/// The compact streams of one chunk. Each buffer has room for what the largest chunk can yield and one block
/// more, because squeezing writes whole blocks.
#[derive(Debug)]
pub(crate) struct Streams {
    /// One byte per token: its first byte.
    pub(crate) kinds: Box<[u8]>,
    pub(crate) tokens: usize,
    /// Where the tokens begin, in bytes from the start of the chunk.
    pub(crate) offsets: Box<[u32]>,
    /// Numbers and literals with one space between them.
    pub(crate) scalars: Box<[u8]>,
    pub(crate) scalar_bytes: usize,
    /// The chunk without its insignificant white space.
    pub(crate) squeezed: Box<[u8]>,
    pub(crate) squeezed_bytes: usize,
    /// Where the structural bytes are in `squeezed`.
    pub(crate) places: Box<[u32]>,
    pub(crate) place_count: usize,
    /// For each block, its bytes that belong to strings.
    pub(crate) strings: Box<[u64]>,
    /// How many root values were begun in this chunk after another one had ended.
    pub(crate) further_roots: u64,
}

impl Streams {
    /// Streams for chunks of at most `blocks` blocks, with the buffers that `wanted` needs.
    pub(crate) fn new(blocks: usize, wanted: Wanted) -> Self {
        let bytes = blocks * BLOCK + BLOCK;
        let when = |needed| if needed { bytes } else { 0 };
        Streams {
            kinds: vec![0; bytes].into(),
            tokens: 0,
            offsets: vec![0; when(wanted.tokens)].into(),
            // One more byte than there is text: the space after a run that ended in the chunk before.
            scalars: vec![0; bytes + BLOCK].into(),
            scalar_bytes: 0,
            squeezed: vec![0; when(wanted.squeezed)].into(),
            squeezed_bytes: 0,
            places: vec![0; when(wanted.places)].into(),
            place_count: 0,
            strings: vec![0; if wanted.strings { blocks } else { 0 }].into(),
            further_roots: 0,
        }
    }

    /// Whether the buffers are large enough for that.
    pub(crate) fn fit(&self, blocks: usize, wanted: Wanted) -> bool {
        self.kinds.len() > blocks * BLOCK
            && (!wanted.tokens || !self.offsets.is_empty())
            && (!wanted.squeezed || !self.squeezed.is_empty())
            && (!wanted.places || !self.places.is_empty())
            && (!wanted.strings || self.strings.len() >= blocks)
    }
}

/// Checks one chunk, fills the streams, and says whether something in it is wrong.
#[inline(always)]
pub(crate) fn check<
    K: Isa,
    const OFFSETS: bool,
    const SQUEEZED: bool,
    const PLACES: bool,
    const STRINGS: bool,
>(
    isa: K,
    state: &mut State,
    blocks: &[Bytes],
    streams: &mut Streams,
) -> bool {
    let mut error = match K::COMPRESSES && state.carry.scan.dense {
        true => scan::<K, OFFSETS, SQUEEZED, PLACES, STRINGS, true>(isa, state, blocks, streams),
        false => scan::<K, OFFSETS, SQUEEZED, PLACES, STRINGS, false>(isa, state, blocks, streams),
    };
    error |= state.carry.utf8.chunk(isa, blocks);
    if let Some(last) = blocks.last() {
        state.carry.utf8.remember(last);
    }
    if K::COMPRESSES {
        error |= all_scalars(isa, &mut state.carry.scalars, streams);
    }
    error |= all_tokens(isa, state, streams);
    error != 0
}

/// The number grammar over the stream of scalars.
#[inline(always)]
fn all_scalars<K: Isa>(isa: K, state: &mut Scalars, streams: &Streams) -> u64 {
    let mut error = 0;
    let mut carry = *state;
    let (full, rest) = streams.scalars[..streams.scalar_bytes].as_chunks::<BLOCK>();
    for bytes in full {
        let block = isa.load(bytes);
        let gap = isa.equal(block, b' ');
        error |= scalars(isa, &mut carry, bytes, block, !gap, BLOCK as u32);
    }
    if !rest.is_empty() {
        let mut last = [b' '; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        let block = isa.load(&last);
        let gap = isa.equal(block, b' ');
        error |= scalars(isa, &mut carry, &last, block, !gap, rest.len() as u32);
    }
    *state = carry;
    error
}

/// The grammar over the stream of kinds.
#[inline(always)]
fn all_tokens<K: Isa>(isa: K, state: &mut State, streams: &mut Streams) -> u64 {
    let mut error = 0;
    let mut carry = state.carry.grammar;
    let (full, rest) = streams.kinds[..streams.tokens].as_chunks::<BLOCK>();
    let mut roots = 0;
    for bytes in full {
        let masks = isa.kinds(isa.load(bytes));
        error |= grammar(
            isa,
            &mut carry,
            &mut state.stack,
            &masks,
            BLOCK as u32,
            &mut roots,
        );
    }
    if !rest.is_empty() {
        // Bytes after the last token are of no class: a zero is not even a scalar's first byte, see `grammar`.
        let mut last = [0; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        let masks = isa.kinds(isa.load(&last));
        error |= grammar(
            isa,
            &mut carry,
            &mut state.stack,
            &masks,
            rest.len() as u32,
            &mut roots,
        );
    }
    state.carry.grammar = carry;
    streams.further_roots = roots;
    error | u64::from(state.stack.exhausted)
}
