//! Scans and verifies one chunk of text, a few KiB: the inner loop of the engine.
//!
//! The text and the streams of a chunk fit the L1 cache. A chunk is the unit of error detection (the verdict path reports *that*
//! it has an error, the machine *where*), and the unit that consumers receive.

use core::marker::PhantomData;

use crate::kernel::{BLOCK, BlockTask, Bytes, Isa, Kernel, run_with};
use crate::scan::{Interest, Outputs, Streams, outputs, scan};
use crate::stack::Stack;
use crate::verify::Carry;
use crate::verify::grammar::grammar;
use crate::verify::scalars::{Scalars, scalars};

/// Blocks in a chunk: 8 KiB, so that text and streams fit the L1 cache. 4 and 16 KiB were not faster (AMD EPYC 9005, the verdict
/// on 23 files: 0.96 and 1.01 of the speed, relative to simdjson in the same runs).
pub(crate) const CHUNK_BLOCKS: usize = 128;

/// The state carried from one chunk to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct CheckState {
    pub(crate) carry: Carry,
    pub(crate) stack: Stack,
}

/// Checks one chunk with `kernel` and fills the streams of `interest`. See [`check_blocks`].
#[inline]
pub(crate) fn check_chunk(
    kernel: Kernel,
    interest: Interest,
    state: &mut CheckState,
    blocks: &[Bytes],
    streams: &mut Streams,
) -> bool {
    let Interest {
        offsets,
        minified,
        structurals,
        lines,
        firsts,
        source: _,
        lints,
    } = interest;
    #[cfg(feature = "format")]
    if lines {
        return run::<outputs::Lines>(kernel, state, blocks, streams);
    }
    #[cfg(not(feature = "format"))]
    let _ = lines;
    // Presets take long to compile, so those of a feature depend on it.
    match (structurals, minified, offsets, firsts, lints) {
        (false, false, false, false, false) => {
            run::<outputs::Kinds>(kernel, state, blocks, streams)
        }
        (false, false, true, false, false) => {
            run::<outputs::Offsets>(kernel, state, blocks, streams)
        }
        #[cfg(feature = "format")]
        (false, true, false, false, false) => {
            run::<outputs::Minified>(kernel, state, blocks, streams)
        }
        #[cfg(feature = "format")]
        (false, true, true, false, false) => {
            run::<outputs::MinifiedTokens>(kernel, state, blocks, streams)
        }
        #[cfg(feature = "format")]
        (true, _, false, false, false) => {
            run::<outputs::Structurals>(kernel, state, blocks, streams)
        }
        #[cfg(feature = "format")]
        (true, _, true, false, false) => {
            run::<outputs::StructuralTokens>(kernel, state, blocks, streams)
        }
        #[cfg(feature = "query")]
        (false, false, false, true, false) => {
            run::<outputs::Firsts>(kernel, state, blocks, streams)
        }
        (false, false, false, false, true) => run::<outputs::Lints>(kernel, state, blocks, streams),
        (false, false, true, false, true) => {
            run::<outputs::LintsTokens>(kernel, state, blocks, streams)
        }
        _ => run::<outputs::All>(kernel, state, blocks, streams),
    }
}

/// The contents of a structural index. Each preset has only the streams that its consumer needs, because every stream takes time.
///
/// ```text
/// text     {"a": [10,  "\n"]}
/// Starts   0 1 6 7 12 16 17
/// Values   0 1 3 6 7 12 15 16 17   kinds { " " [ 1 "  "  ]  }   escaped 15
/// ```
#[derive(Clone, Copy, Debug)]
pub(crate) enum Preset {
    /// Brackets and the first bytes of strings, numbers and literals.
    Starts,
    /// As `Starts`, and closing quotes; also the bytes at the offsets, and the closing quotes of strings with escapes.
    #[cfg(feature = "serde")]
    Values {
        /// Whether the text so far is valid UTF-8, which the caller checks.
        is_utf8: bool,
    },
}

/// As [`check_chunk`], with the streams of a structural index.
#[inline]
pub(crate) fn check_index(
    kernel: Kernel,
    preset: Preset,
    state: &mut CheckState,
    blocks: &[Bytes],
    streams: &mut Streams,
) -> bool {
    match preset {
        Preset::Starts => run::<outputs::Starts>(kernel, state, blocks, streams),
        #[cfg(feature = "serde")]
        Preset::Values { is_utf8 } => {
            run::<outputs::Values>(kernel, state, blocks, streams) || !is_utf8
        }
    }
}

#[inline]
fn run<O: Outputs>(
    kernel: Kernel,
    state: &mut CheckState,
    blocks: &[Bytes],
    streams: &mut Streams,
) -> bool {
    let check = Check {
        state,
        blocks,
        streams,
        outputs: PhantomData::<O>,
    };
    run_with(kernel, check)
}

/// [`check_blocks`] for one preset: a separate function for each. In one function, their variables took a megabyte of stack in
/// unoptimized builds.
struct Check<'a, O> {
    state: &'a mut CheckState,
    blocks: &'a [Bytes],
    streams: &'a mut Streams,
    outputs: PhantomData<O>,
}

impl<O: Outputs> BlockTask for Check<'_, O> {
    type Output = bool;

    #[inline(always)]
    fn run<K: Isa>(self, isa: K) -> bool {
        // An index has its own streams; other streams are empty unless requested.
        if K::HAS_PRESETS || O::STARTS || O::VALUES {
            check_blocks::<K, O>(isa, self.state, self.blocks, self.streams)
        } else {
            check_all_streams(isa, self.state, self.blocks, self.streams)
        }
    }
}

/// [`check_blocks`] for all presets at once.
#[inline(never)]
fn check_all_streams<K: Isa>(
    isa: K,
    state: &mut CheckState,
    blocks: &[Bytes],
    streams: &mut Streams,
) -> bool {
    check_blocks::<K, outputs::All>(isa, state, blocks, streams)
}

/// Checks one chunk and fills the streams; returns true if it is invalid.
#[inline(always)]
fn check_blocks<K: Isa, O: Outputs>(
    isa: K,
    state: &mut CheckState,
    blocks: &[Bytes],
    streams: &mut Streams,
) -> bool {
    let Carry { scan, scalars, .. } = &mut state.carry;
    let mut error = if K::COMPRESSES && scan.dense {
        self::scan::<K, O, _, true>(isa, scan, scalars, blocks, streams)
    } else {
        self::scan::<K, O, _, false>(isa, scan, scalars, blocks, streams)
    };
    if O::UTF8 {
        error |= scan.utf8.chunk(isa, blocks);
    }
    if let Some(last) = blocks.last() {
        scan.utf8.remember(last);
    }
    if K::COMPRESSES {
        error |= all_scalars::<K, O>(isa, &mut state.carry.scalars, streams);
    }
    error |= all_tokens(isa, state, streams);
    error != 0
}

/// The number grammar over the stream of scalars.
#[inline(always)]
fn all_scalars<K: Isa, O: Outputs>(isa: K, state: &mut Scalars, streams: &Streams) -> u64 {
    let check = if O::LINTS {
        scalars::<K, true>
    } else {
        scalars::<K, false>
    };
    let mut error = 0;
    let mut carry = *state;
    let (full, rest) = streams.scalars[..streams.scalar_bytes].as_chunks::<BLOCK>();
    for bytes in full {
        let block = isa.load(bytes);
        let gap = isa.equal(block, b' ');
        error |= check(isa, &mut carry, bytes, block, !gap, BLOCK as u32);
    }
    if !rest.is_empty() {
        let mut last = [b' '; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        let block = isa.load(&last);
        let gap = isa.equal(block, b' ');
        error |= check(isa, &mut carry, &last, block, !gap, rest.len() as u32);
    }
    *state = carry;
    error
}

/// The grammar over the stream of kinds.
#[inline(always)]
fn all_tokens<K: Isa>(isa: K, state: &mut CheckState, streams: &mut Streams) -> u64 {
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
        // Loaded in place where possible: a copy would have to wait for the store buffer, as several stores wrote these bytes
        // (failed store forwarding).
        let last = streams.kinds[full.len() * BLOCK..].first_chunk();
        let masks = isa.kinds(isa.load(last.unwrap_or(&[0; BLOCK])));
        let masks = masks.of_first(rest.len());
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
    error
}
