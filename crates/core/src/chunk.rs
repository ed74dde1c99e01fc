//! One chunk of text, a few KiB, through scan and verify: the inner loop of everything.
//!
//! A chunk is small enough that its text and its streams stay in the first-level cache. Chunks are what errors
//! are found in (the verdict path says *that* one is in the chunk, the machine says *where*) and what consumers
//! are handed.

use crate::kernel::{BLOCK, BlockTask, Bytes, Isa, Kernel, run_with};
use crate::scan::{Scan, scan};
use crate::stack::Stack;
use crate::token::Interest;
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
    pub(crate) minified: Box<[u8]>,
    pub(crate) minified_bytes: usize,
    /// Where the structural bytes are in `minified`.
    pub(crate) structurals: Box<[u32]>,
    pub(crate) structural_count: usize,
    /// For each block, its bytes that belong to strings.
    pub(crate) strings: Box<[u64]>,
    /// How many root values were begun in this chunk after another one had ended.
    pub(crate) further_roots: u64,
}

impl Streams {
    /// Streams for chunks of at most `blocks` blocks, with the buffers that `interest` needs.
    pub(crate) fn new(blocks: usize, interest: Interest) -> Self {
        let bytes = blocks * BLOCK + BLOCK;
        let when = |needed| if needed { bytes } else { 0 };
        Streams {
            kinds: vec![0; bytes].into(),
            tokens: 0,
            offsets: vec![0; when(interest.offsets)].into(),
            // One more byte than there is text: the space after a run that ended in the chunk before.
            scalars: vec![0; bytes + BLOCK].into(),
            scalar_bytes: 0,
            minified: vec![0; when(interest.minified)].into(),
            minified_bytes: 0,
            structurals: vec![0; when(interest.structurals)].into(),
            structural_count: 0,
            strings: vec![0; if interest.strings { blocks } else { 0 }].into(),
            further_roots: 0,
        }
    }

    /// Whether the buffers are large enough for that.
    pub(crate) fn fit(&self, blocks: usize, interest: Interest) -> bool {
        self.kinds.len() > blocks * BLOCK
            && (!interest.offsets || !self.offsets.is_empty())
            && (!interest.minified || !self.minified.is_empty())
            && (!interest.structurals || !self.structurals.is_empty())
            && (!interest.strings || self.strings.len() >= blocks)
    }
}

/// Checks one chunk with `kernel` and fills the streams of `interest`. See [`check`].
#[inline]
pub(crate) fn check_chunk(
    kernel: Kernel,
    interest: Interest,
    state: &mut State,
    blocks: &[Bytes],
    streams: &mut Streams,
) -> bool {
    match (
        interest.offsets,
        interest.minified,
        interest.structurals,
        interest.strings,
    ) {
        (false, false, false, false) => run_with(
            kernel,
            Check::<false, false, false, false>(state, blocks, streams),
        ),
        (true, false, false, false) => run_with(
            kernel,
            Check::<true, false, false, false>(state, blocks, streams),
        ),
        (false, true, false, false) => run_with(
            kernel,
            Check::<false, true, false, false>(state, blocks, streams),
        ),
        (true, true, false, false) => run_with(
            kernel,
            Check::<true, true, false, false>(state, blocks, streams),
        ),
        (false, _, true, false) => run_with(
            kernel,
            Check::<false, true, true, false>(state, blocks, streams),
        ),
        (true, _, true, false) => run_with(
            kernel,
            Check::<true, true, true, false>(state, blocks, streams),
        ),
        (false, false, false, true) => run_with(
            kernel,
            Check::<false, false, false, true>(state, blocks, streams),
        ),
        // Nobody asks for these together.
        (_, _, _, true) => run_with(
            kernel,
            Check::<true, true, true, true>(state, blocks, streams),
        ),
    }
}

/// [`check`] for one interest: a function of its own for each. In one function, their variables took a megabyte of
/// stack in a build that is not optimised.
struct Check<
    'a,
    const OFFSETS: bool,
    const MINIFIED: bool,
    const STRUCTURALS: bool,
    const STRINGS: bool,
>(&'a mut State, &'a [Bytes], &'a mut Streams);

impl<const OFFSETS: bool, const MINIFIED: bool, const STRUCTURALS: bool, const STRINGS: bool>
    BlockTask for Check<'_, OFFSETS, MINIFIED, STRUCTURALS, STRINGS>
{
    type Output = bool;

    #[inline(always)]
    fn run<K: Isa>(self, isa: K) -> bool {
        check::<K, OFFSETS, MINIFIED, STRUCTURALS, STRINGS>(isa, self.0, self.1, self.2)
    }
}

/// Checks one chunk, fills the streams, and says whether something in it is wrong.
#[inline(always)]
pub(crate) fn check<
    K: Isa,
    const OFFSETS: bool,
    const MINIFIED: bool,
    const STRUCTURALS: bool,
    const STRINGS: bool,
>(
    isa: K,
    state: &mut State,
    blocks: &[Bytes],
    streams: &mut Streams,
) -> bool {
    let mut error = match K::COMPRESSES && state.carry.scan.dense {
        true => {
            scan::<K, OFFSETS, MINIFIED, STRUCTURALS, STRINGS, true>(isa, state, blocks, streams)
        }
        false => {
            scan::<K, OFFSETS, MINIFIED, STRUCTURALS, STRINGS, false>(isa, state, blocks, streams)
        }
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
