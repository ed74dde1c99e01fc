//! The masks of kernels with several registers per block, over a small trait.
//!
//! A kernel implements [`Vector`], which knows nothing of JSON, and thereby [`Isa`]. A byte class is a [`Predicate`] on
//! a register; `Vector::mask` applies it to the registers of a block.

use super::{BLOCK, Bits, Bytes, Isa, KindMasks, NumberMasks, SeparatorMasks, TextMasks, portable};

/// Operations on the bytes of a register. Owning a value proves that the CPU has the instructions, so all of them are
/// safe.
pub trait Lanes: Copy {
    type Register: Copy;

    /// The same byte in every lane.
    fn splat(self, byte: u8) -> Self::Register;
    fn and(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn or(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn xor(self, a: Self::Register, b: Self::Register) -> Self::Register;
    /// `a - b`, at least 0.
    fn saturating_sub(self, a: Self::Register, b: Self::Register) -> Self::Register;
    /// The table entry at the low nibble of each byte; for bytes above 0x7F, that or 0.
    fn look_up(self, table: &[u8; 16], bytes: Self::Register) -> Self::Register;
    /// The high nibble of each byte.
    fn high_nibbles(self, bytes: Self::Register) -> Self::Register;
    /// The bytes `N` positions (1 to 3) before each, where `before` precedes `bytes`.
    fn previous<const N: usize>(
        self,
        bytes: Self::Register,
        before: Self::Register,
    ) -> Self::Register;
}

/// Comparisons, and masks across the registers of a block.
///
/// A comparison returns the form that `mask` of the same kernel takes: each byte FF or 0, or only its high bit
/// significant.
pub trait Vector: Lanes + Bits {
    /// The registers of a block, first bytes first.
    type Block: Copy;

    /// See [`Isa`].
    const FAST_PEXT: bool;

    fn load(self, bytes: &Bytes) -> Self::Block;
    /// Bit `i` is set if the predicate holds for byte `i` of the block.
    fn mask<P: Predicate>(self, block: Self::Block, predicate: P) -> u64;

    /// Lanes in which the bytes are equal.
    fn equals(self, a: Self::Register, b: Self::Register) -> Self::Register;
    /// Lanes with a byte from `first` to `first + span`.
    fn in_range(self, bytes: Self::Register, first: u8, span: u8) -> Self::Register;
    /// Lanes with a byte above 0x7F.
    fn non_ascii(self, bytes: Self::Register) -> Self::Register;
    /// Lanes with a byte that has the bit 0x20.
    fn bit_0x20(self, bytes: Self::Register) -> Self::Register;

    /// See [`Isa`].
    #[inline(always)]
    fn compress(self, bytes: &Bytes, mask: u64, out: &mut Bytes) {
        portable::compress(bytes, mask, out);
    }

    /// See [`Isa`].
    #[inline(always)]
    fn compress_indexed(
        self,
        bytes: &Bytes,
        mask: u64,
        base: u32,
        out: &mut Bytes,
        indices: &mut [u32; BLOCK],
    ) {
        self.compress(bytes, mask, out);
        portable::indices(mask, base, indices);
    }

    /// See [`Isa`].
    fn utf8(self, block: Self::Block, before: Self::Block) -> bool;
    /// See [`Isa`].
    fn utf8_open(self, block: Self::Block) -> bool;
}

/// A byte class. A type rather than a closure, because only `#[inline(always)]` ensures that it is compiled with the
/// features of the kernel.
pub trait Predicate: Copy {
    /// Lanes with a byte of the class.
    fn test<V: Vector>(self, vector: V, bytes: V::Register) -> V::Register;
}

/// The bytes equal to this one.
#[derive(Clone, Copy)]
struct Equal(u8);

impl Predicate for Equal {
    #[inline(always)]
    fn test<V: Vector>(self, vector: V, bytes: V::Register) -> V::Register {
        vector.equals(bytes, vector.splat(self.0))
    }
}

/// The bytes from the first to the second, inclusive.
#[derive(Clone, Copy)]
struct InRange(u8, u8);

impl Predicate for InRange {
    #[inline(always)]
    fn test<V: Vector>(self, vector: V, bytes: V::Register) -> V::Register {
        vector.in_range(bytes, self.0, self.1 - self.0)
    }
}

/// The bytes found in this table at the index of their low nibble.
#[derive(Clone, Copy)]
struct InTable(&'static [u8; 16]);

impl Predicate for InTable {
    #[inline(always)]
    fn test<V: Vector>(self, vector: V, bytes: V::Register) -> V::Register {
        vector.equals(bytes, vector.look_up(self.0, bytes))
    }
}

/// The bytes that are in a class once their bit 0x20 is set, which folds upper case, `[` and `]` to lower case, `{` and
/// `}`. The low nibble, by which a table is indexed, does not change.
#[derive(Clone, Copy)]
struct Folded<P>(P);

impl<P: Predicate> Predicate for Folded<P> {
    #[inline(always)]
    fn test<V: Vector>(self, vector: V, bytes: V::Register) -> V::Register {
        self.0.test(vector, vector.or(bytes, vector.splat(0x20)))
    }
}

/// The bytes of either class.
#[derive(Clone, Copy)]
struct Either<P, Q>(P, Q);

impl<P: Predicate, Q: Predicate> Predicate for Either<P, Q> {
    #[inline(always)]
    fn test<V: Vector>(self, vector: V, bytes: V::Register) -> V::Register {
        vector.or(self.0.test(vector, bytes), self.1.test(vector, bytes))
    }
}

/// The bytes above 0x7F.
#[derive(Clone, Copy)]
struct NonAscii;

impl Predicate for NonAscii {
    #[inline(always)]
    fn test<V: Vector>(self, vector: V, bytes: V::Register) -> V::Register {
        vector.non_ascii(bytes)
    }
}

/// The bytes with the bit 0x20.
#[derive(Clone, Copy)]
struct Bit0x20;

impl Predicate for Bit0x20 {
    #[inline(always)]
    fn test<V: Vector>(self, vector: V, bytes: V::Register) -> V::Register {
        vector.bit_0x20(bytes)
    }
}

const DIGIT: InRange = InRange(b'0', b'9');

/// White space at its low nibble. A 0 matches nothing, as the byte 0 has the index 0.
const SPACE: &[u8; 16] = b"\x20\0\0\0\0\0\0\0\0\x09\x0A\0\0\x0D\0\0";
/// `: { , }`, brackets with the bit 0x20 set. FF at index 0 matches nothing, as the byte FF has the index 15.
const OP: &[u8; 16] = b"\xFF\0\0\0\0\0\0\0\0\0\x3A\x7B\x2C\x7D\0\0";
/// `" t u f \ n /`; `b` and `r` share the index 2 with the quote.
const ESCAPABLE: &[u8; 16] = b"\xFF\0\x22\0\x74\x75\x66\0\0\0\0\0\x5C\0\x6E\x2F";

impl<V: Vector> Isa for V {
    type Block = V::Block;

    const COMPRESSES: bool = false;
    const CHECKS_UTF8: bool = true;
    const FAST_PEXT: bool = V::FAST_PEXT;

    #[inline(always)]
    fn load(self, bytes: &Bytes) -> V::Block {
        Vector::load(self, bytes)
    }

    #[inline(always)]
    fn text(self, block: V::Block) -> TextMasks {
        TextMasks {
            backslash: self.mask(block, Equal(b'\\')),
            quote: self.mask(block, Equal(b'"')),
            control: self.mask(block, InRange(0, 0x1F)),
            non_ascii: self.mask(block, NonAscii),
        }
    }

    #[inline(always)]
    fn separators(self, block: V::Block, control: u64) -> SeparatorMasks {
        SeparatorMasks {
            space: self.mask(block, InTable(SPACE)),
            // 0x1A and 0x0C fold to `:` and `,`.
            op: self.mask(block, Folded(InTable(OP))) & !control,
        }
    }

    #[inline(always)]
    fn kinds(self, block: V::Block) -> KindMasks {
        KindMasks {
            open: self.mask(block, Folded(Equal(b'{'))),
            close: self.mask(block, Folded(Equal(b'}'))),
            brace: self.mask(block, Bit0x20),
            colon: self.mask(block, Equal(b':')),
            comma: self.mask(block, Equal(b',')),
            quote: self.mask(block, Equal(b'"')),
        }
    }

    #[inline(always)]
    fn digits(self, block: V::Block) -> u64 {
        self.mask(block, DIGIT)
    }

    #[inline(always)]
    fn numbers(self, block: V::Block) -> NumberMasks {
        NumberMasks {
            minus: self.mask(block, Equal(b'-')),
            point: self.mask(block, Equal(b'.')),
            exponent: self.mask(block, Folded(Equal(b'e'))),
        }
    }

    #[inline(always)]
    fn equal(self, block: V::Block, byte: u8) -> u64 {
        self.mask(block, Equal(byte))
    }

    #[inline(always)]
    fn escapable(self, block: V::Block) -> u64 {
        let shared = Either(Equal(b'b'), Equal(b'r'));
        self.mask(block, Either(InTable(ESCAPABLE), shared))
    }

    #[inline(always)]
    fn hex(self, block: V::Block) -> u64 {
        self.mask(block, Either(DIGIT, Folded(InRange(b'a', b'f'))))
    }

    #[inline(always)]
    fn compress(self, bytes: &Bytes, _: V::Block, mask: u64, out: &mut Bytes) {
        Vector::compress(self, bytes, mask, out);
    }

    #[inline(always)]
    fn compress_indexed(
        self,
        bytes: &Bytes,
        _: V::Block,
        mask: u64,
        base: u32,
        out: &mut Bytes,
        indices: &mut [u32; BLOCK],
    ) {
        Vector::compress_indexed(self, bytes, mask, base, out, indices);
    }

    #[inline(always)]
    fn utf8(self, block: V::Block, before: V::Block) -> bool {
        Vector::utf8(self, block, before)
    }

    #[inline(always)]
    fn utf8_open(self, block: V::Block) -> bool {
        Vector::utf8_open(self, block)
    }
}
