//! Turns blocks of 64 bytes into bit masks. No other module knows the register width.
//!
//! An [`Isa`] turns a block into masks (bit `i` stands for byte `i`) and compresses selected bytes. Everything else is `u64`
//! arithmetic, written once in `scan/` and `verify/` and compiled once per kernel, inside the one function that `proof!` marks
//! with the CPU features.
//!
//! # Adding a kernel
//!
//! Add a file, and a line to the list in `dispatch.rs`. The file declares a type with `proof!`, naming the CPU features it needs,
//! and implements [`Vector`](vector::Vector) for it, or [`Isa`] if one register holds a whole block. The tests in `tests.rs` and
//! `agreement.rs` run for every kernel in the list.

#![allow(unsafe_code)]

/// Declares the type of a kernel. A value of it can only be created if the CPU has the features, which are listed once for both
/// the detection and the compiler.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! proof {
    ($Type:ident, $detected:ident, $($feature:tt),+) => {
        /// Proof that the CPU has the instructions of this kernel.
        #[derive(Clone, Copy, Debug)]
        pub(super) struct $Type(());

        impl super::Compiled for $Type {
            fn detect() -> Option<Self> {
                let has = true $(&& std::arch::$detected!($feature))+;
                has.then_some($Type(()))
            }

            #[inline]
            fn run<T: super::Task>(self, task: T) -> T::Output {
                #[target_feature($(enable = $feature),+)]
                fn with_features<T: super::Task>(task: T) -> T::Output {
                    task.run()
                }
                // SAFETY: `self` proves that the CPU has the features.
                unsafe { with_features(task) }
            }
        }
    };
}

/// Operations on masks by the instructions of BMI2 and PCLMULQDQ.
#[cfg(target_arch = "x86_64")]
macro_rules! bmi2 {
    ($Type:ident) => {
        impl super::Bits for $Type {
            #[inline(always)]
            fn prefix_xor(self, bits: u64) -> u64 {
                // SAFETY: `self` proves that the CPU has the instructions.
                unsafe {
                    let all = _mm_set1_epi8(-1);
                    _mm_cvtsi128_si64(_mm_clmulepi64_si128(_mm_cvtsi64_si128(bits as i64), all, 0))
                        as u64
                }
            }

            #[inline(always)]
            fn pext(self, bits: u64, mask: u64) -> u64 {
                // SAFETY: `self` proves that the CPU has the instructions.
                unsafe { _pext_u64(bits, mask) }
            }

            #[inline(always)]
            fn pdep(self, bits: u64, mask: u64) -> u64 {
                // SAFETY: `self` proves that the CPU has the instructions.
                unsafe { _pdep_u64(bits, mask) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod dispatch;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod neon;
mod portable;
mod swar;
#[cfg(test)]
mod tests;
mod text;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod utf8;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod vector;

pub use dispatch::{BlockTask, Kernel, KernelError, run_with};
pub(crate) use text::short_ascii;
pub use text::to_str;
#[cfg(feature = "serde")]
pub(crate) use text::{extend_str, into_string};

/// Bytes in a block.
pub const BLOCK: usize = 64;

/// A block in memory.
pub type Bytes = [u8; BLOCK];

/// The masks of a block of text that the scan always needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextMasks {
    pub backslash: u64,
    pub quote: u64,
    /// Below 0x20.
    pub control: u64,
    /// Above 0x7F.
    pub non_ascii: u64,
}

/// The bytes that separate tokens outside strings. Separate from [`TextMasks`] because a block in the middle of a string does not
/// need them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeparatorMasks {
    /// Space, tab, line feed, carriage return.
    pub space: u64,
    /// `{ } [ ] : ,`
    pub op: u64,
}

/// The masks of a block of kinds, for the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KindMasks {
    /// `{ [`
    pub open: u64,
    /// `} ]`
    pub close: u64,
    /// `{ }` among the brackets; bits of other bytes are arbitrary.
    pub brace: u64,
    pub colon: u64,
    pub comma: u64,
    pub quote: u64,
}

impl KindMasks {
    /// The masks of the first `count` bytes (1 to 64).
    #[inline(always)]
    pub(crate) fn of_first(self, count: usize) -> KindMasks {
        let first = u64::MAX >> (BLOCK - count);
        KindMasks {
            open: self.open & first,
            close: self.close & first,
            brace: self.brace,
            colon: self.colon & first,
            comma: self.comma & first,
            quote: self.quote & first,
        }
    }
}

/// The masks of a block of scalars, for the number grammar; not needed if all bytes are digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NumberMasks {
    pub minus: u64,
    /// `.`
    pub point: u64,
    /// `e E`
    pub exponent: u64,
}

/// The prefetch distance: beyond that of the hardware prefetcher, which stops at the end of a page. 1 GB from the page cache,
/// whole process: 0.45 s without, 0.44 s with 1 KiB, 0.40 s with 2, 4 and 8 KiB (AVX-512, medians of 9 interleaved runs); texts
/// of a few MB in memory gain 2 %.
#[cfg(target_arch = "x86_64")]
const PREFETCH_DISTANCE: usize = 4 << 10;

/// Prefetches the text at [`PREFETCH_DISTANCE`] from this block.
#[inline(always)]
pub(crate) fn prefetch(bytes: &Bytes) {
    // SAFETY: every CPU of this architecture has the instruction; it reads nothing and accepts any address.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(bytes.as_ptr().wrapping_add(PREFETCH_DISTANCE).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = bytes;
}

/// Code without block operations that is faster if compiled with the CPU features of a kernel.
pub(crate) trait Task {
    /// The result.
    type Output;

    /// Runs it. Implementations must be `#[inline(always)]`, or the CPU features do not reach them.
    fn run(self) -> Self::Output;
}

/// The detection of a kernel, and the function that is compiled with its CPU features.
trait Compiled: Isa {
    /// A value if the CPU has the instructions.
    fn detect() -> Option<Self>;
    /// Runs a task, compiled with the CPU features of the kernel.
    fn run<T: Task>(self, task: T) -> T::Output;
}

/// Operations on masks.
pub trait Bits: Copy {
    /// Bit `i` of the result is the XOR of the bits 0 to `i`.
    #[inline(always)]
    fn prefix_xor(self, bits: u64) -> u64 {
        portable::prefix_xor(bits)
    }

    /// Gathers the bits of `bits` under `mask` at the low end.
    #[inline(always)]
    fn pext(self, bits: u64, mask: u64) -> u64 {
        portable::pext(bits, mask)
    }

    /// Scatters the low bits of `bits` to the set bits of `mask`.
    #[inline(always)]
    fn pdep(self, bits: u64, mask: u64) -> u64 {
        portable::pdep(bits, mask)
    }
}

/// An instruction set as operations on blocks. Owning a value proves that the CPU has the instructions.
pub trait Isa: Bits {
    /// 64 bytes in registers.
    type Block: Copy;

    /// `compress` is one instruction: scalars are compressed into a stream before they are checked. Otherwise they are checked in
    /// place.
    const COMPRESSES: bool;
    /// The scan is compiled once per set of streams; otherwise only once, for all streams.
    const HAS_PRESETS: bool = true;
    /// UTF-8 is checked block by block with `utf8`; otherwise the standard library checks whole chunks.
    const CHECKS_UTF8: bool;
    /// `pext` and `pdep` are single instructions.
    const FAST_PEXT: bool;

    /// Reads a block into registers.
    fn load(self, bytes: &Bytes) -> Self::Block;

    /// The masks that every block needs.
    fn text(self, block: Self::Block) -> TextMasks;
    /// `control` comes from `text`.
    fn separators(self, block: Self::Block, control: u64) -> SeparatorMasks;
    /// The masks of a block of kinds.
    fn kinds(self, block: Self::Block) -> KindMasks;
    /// `0-9`
    fn digits(self, block: Self::Block) -> u64;
    /// The masks of a block of scalars, except for digits.
    fn numbers(self, block: Self::Block) -> NumberMasks;
    /// The bytes equal to `byte`, which must be ASCII.
    fn equal(self, block: Self::Block, byte: u8) -> u64;
    /// `" \ / b f n r t u`
    fn escapable(self, block: Self::Block) -> u64;
    /// `0-9 a-f A-F`
    fn hex(self, block: Self::Block) -> u64;

    /// Writes the bytes selected by `mask` to the front of `out`; the bytes after them are arbitrary.
    #[inline(always)]
    fn compress(self, bytes: &Bytes, _: Self::Block, mask: u64, out: &mut Bytes) {
        portable::compress(bytes, mask, out);
    }

    /// Like `compress`, with a space in place of every byte not selected by `keep`.
    #[inline(always)]
    fn compress_spaced(self, bytes: &Bytes, _: Self::Block, keep: u64, mask: u64, out: &mut Bytes) {
        portable::compress_spaced(bytes, keep, mask, out);
    }

    /// Writes `base + i` for every set bit `i` of `mask` to the front of `out`; the elements after them are arbitrary.
    #[inline(always)]
    fn indices(self, mask: u64, base: u32, out: &mut [u32; BLOCK]) {
        portable::indices(mask, base, out);
    }

    /// `compress` and `indices` of the same mask.
    #[inline(always)]
    fn compress_indexed(
        self,
        bytes: &Bytes,
        block: Self::Block,
        mask: u64,
        base: u32,
        out: &mut Bytes,
        indices: &mut [u32; BLOCK],
    ) {
        self.compress(bytes, block, mask, out);
        self.indices(mask, base, indices);
    }

    /// Like `indices`, but faster for up to four set bits.
    #[inline(always)]
    fn few_indices(self, mask: u64, base: u32, out: &mut [u32; BLOCK]) {
        portable::few_indices(mask, base, out);
    }

    /// Whether `block`, which follows `before`, has invalid UTF-8; an incomplete sequence at its end is no error yet. `false`
    /// unless the kernel checks UTF-8.
    #[inline(always)]
    fn utf8(self, _block: Self::Block, _before: Self::Block) -> bool {
        false
    }

    /// Whether `block` ends inside a UTF-8 sequence. `false` unless the kernel checks UTF-8.
    #[inline(always)]
    fn utf8_open(self, _block: Self::Block) -> bool {
        false
    }
}
