//! 64 bytes become bit masks. The only place that knows what a register is.
//!
//! An [`Isa`] turns a block of 64 bytes into masks (bit `i` speaks of byte `i`) and compresses selected bytes
//! together. Everything else is `u64` arithmetic and is written once, in `scan/` and `verify/`; it is compiled
//! once per kernel, inside the one function of [`dispatch`] that carries the CPU features.
//!
//! # Adding a kernel
//!
//! One file that implements [`Isa`], one arm in each `match` of `dispatch.rs` and its name in `NAMES` there, and a test of
//! its name at the end of `tests.rs`. `agreement.rs` picks it up from [`Kernel::available`].

#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(all(test, unix))]
mod boundary;
mod dispatch;
#[cfg(target_arch = "aarch64")]
mod neon;
mod swar;
#[cfg(test)]
mod tests;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod utf8_tables;

pub(crate) use dispatch::{BlockTask, Task, compiled_for, run_with};
pub use dispatch::{Kernel, KernelError};

/// Bytes in a block.
pub(crate) const BLOCK: usize = 64;

/// A block where it lies in memory.
pub(crate) type Bytes = [u8; BLOCK];

/// What the scan asks of a block of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TextMasks {
    pub(crate) backslash: u64,
    pub(crate) quote: u64,
    /// Below 0x20.
    pub(crate) control: u64,
    /// Space, tab, line feed, carriage return.
    pub(crate) space: u64,
    /// `{ } [ ] : ,`
    pub(crate) op: u64,
    /// Above 0x7F.
    pub(crate) non_ascii: u64,
}

/// What the grammar asks of a block of kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KindMasks {
    /// `{ [`
    pub(crate) open: u64,
    /// `} ]`
    pub(crate) close: u64,
    /// Of the brackets, those that are `{ }`; of other bytes nothing is promised.
    pub(crate) brace: u64,
    pub(crate) colon: u64,
    pub(crate) comma: u64,
    pub(crate) quote: u64,
}

/// What the number grammar asks of a block of scalars that are not all digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NumberMasks {
    pub(crate) minus: u64,
    /// `.`
    pub(crate) point: u64,
    /// `e E`
    pub(crate) exponent: u64,
}

/// How far in front of the block at hand the caches are asked for text: further than their own prefetching, which stops
/// at the end of a page. 1 GB from the page cache, whole process: 0.45 s without, 0.44 s with 1 KiB, 0.40 s with 2, 4 and
/// 8 KiB (AVX-512, medians of 9 in turns); texts of a few MB in memory gain 2 %.
#[cfg(target_arch = "x86_64")]
const AHEAD: usize = 4 << 10;

/// Asks the caches for the text that comes some blocks after this one.
#[inline(always)]
pub(crate) fn fetch_ahead(bytes: &Bytes) {
    // SAFETY: the instruction belongs to every CPU of this architecture, reads nothing and takes any address.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(bytes.as_ptr().wrapping_add(AHEAD).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = bytes;
}

/// An instruction set, seen as operations on blocks. Owning a value proves that the CPU has the instructions.
pub(crate) trait Isa: Copy {
    /// 64 bytes in registers.
    type Block: Copy;

    /// Whether compressing is so cheap that all scalars of a text are compressed before they are checked;
    /// otherwise they are checked where they stand.
    const COMPRESSES: bool;
    /// Whether UTF-8 is checked block by block with `utf8`; otherwise the standard library checks whole chunks.
    const CHECKS_UTF8: bool;
    /// Whether `pext` and `pdep` are single instructions; otherwise there is no `pdep`.
    const HAS_PEXT: bool;

    fn load(self, bytes: &Bytes) -> Self::Block;

    fn text(self, block: Self::Block) -> TextMasks;
    fn kinds(self, block: Self::Block) -> KindMasks;
    /// `0-9`
    fn digits(self, block: Self::Block) -> u64;
    fn numbers(self, block: Self::Block) -> NumberMasks;
    /// The bytes that are equal to `byte`, which is below 0x80.
    fn equal(self, block: Self::Block, byte: u8) -> u64;
    /// `" \ / b f n r t u`
    fn escapable(self, block: Self::Block) -> u64;
    /// `0-9 a-f A-F`
    fn hex(self, block: Self::Block) -> u64;

    /// Bit `i` of the result is the sum modulo 2 of the bits 0 to `i`.
    fn prefix_xor(self, bits: u64) -> u64;
    /// Gathers the bits of `bits` under `mask` at the low end.
    fn pext(self, bits: u64, mask: u64) -> u64;
    /// Scatters the low bits of `bits` to the places of `mask`. Only where `HAS_PEXT`.
    fn pdep(self, bits: u64, mask: u64) -> u64;

    /// Writes the bytes under `mask` to the front of `out`; what stands after them is arbitrary.
    fn compress(self, bytes: &Bytes, block: Self::Block, mask: u64, out: &mut Bytes);
    /// Like `compress`, with a space in place of every byte that is not under `keep`. Only where `COMPRESSES`.
    fn compress_spaced(self, block: Self::Block, keep: u64, mask: u64, out: &mut Bytes);
    /// Writes `base + i` for every bit `i` of `mask` to the front of `out`; what stands after them is arbitrary.
    fn indices(self, mask: u64, base: u32, out: &mut [u32; BLOCK]);

    /// Non-zero when the bytes of `block`, which follow those of `before`, are not UTF-8, so far as they can tell.
    /// Only where `CHECKS_UTF8`.
    fn utf8(self, block: Self::Block, before: Self::Block) -> bool;
    /// Whether `block` ends inside a UTF-8 sequence. Only where `CHECKS_UTF8`.
    fn utf8_open(self, block: Self::Block) -> bool;
}
