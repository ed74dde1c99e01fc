//! One battery for every kernel: each operation against a naive loop over bytes.

#[cfg(unix)]
mod boundary;

use super::*;

/// A deterministic generator (Marsaglia's xorshift64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A block of bytes that are frequent in JSON, mixed with arbitrary ones.
    fn block(&mut self) -> Bytes {
        const COMMON: &[u8] =
            b"{}[]:,\"\\ \t\r\n019-+.eEtrufalsnbAFg/\x1a\x0c\x1f\x7f\x80\xc3\xa9\xff\x00";
        let arbitrary = self.next() % 4;
        core::array::from_fn(|_| {
            if self.next() % 4 < arbitrary {
                (self.next() >> 32) as u8
            } else {
                COMMON[(self.next() >> 32) as usize % COMMON.len()]
            }
        })
    }

    /// Masks with few, many or runs of bits.
    fn mask(&mut self) -> u64 {
        match self.next() % 6 {
            0 => 0,
            1 => u64::MAX,
            2 => self.next() & self.next() & self.next(),
            3 => self.next() | self.next() | self.next(),
            4 => u64::MAX << (self.next() % 64) >> (self.next() % 64),
            _ => self.next(),
        }
    }
}

fn naive(bytes: &Bytes, class: impl Fn(u8) -> bool) -> u64 {
    bytes
        .iter()
        .enumerate()
        .fold(0, |mask, (i, &byte)| mask | u64::from(class(byte)) << i)
}

fn naive_pext(bits: u64, mask: u64) -> u64 {
    let positions = (0..64).filter(|i| mask >> i & 1 == 1);
    positions
        .enumerate()
        .fold(0, |out, (n, i)| out | (bits >> i & 1) << n)
}

fn naive_pdep(bits: u64, mask: u64) -> u64 {
    let positions = (0..64).filter(|i| mask >> i & 1 == 1);
    positions
        .enumerate()
        .fold(0, |out, (n, i)| out | (bits >> n & 1) << i)
}

fn masks<K: Isa>(isa: K, bytes: &Bytes) {
    let block = isa.load(bytes);
    let text = isa.text(block);
    assert_eq!(
        text,
        TextMasks {
            backslash: naive(bytes, |byte| byte == b'\\'),
            quote: naive(bytes, |byte| byte == b'"'),
            control: naive(bytes, |byte| byte < 0x20),
            non_ascii: naive(bytes, |byte| byte > 0x7F),
        }
    );
    assert_eq!(
        isa.separators(block, text.control),
        SeparatorMasks {
            space: naive(bytes, |byte| b" \t\r\n".contains(&byte)),
            op: naive(bytes, |byte| b"{}[]:,".contains(&byte)),
        }
    );
    let kinds = isa.kinds(block);
    let expected = KindMasks {
        open: naive(bytes, |byte| b"{[".contains(&byte)),
        close: naive(bytes, |byte| b"}]".contains(&byte)),
        brace: naive(bytes, |byte| b"{}".contains(&byte)),
        colon: naive(bytes, |byte| byte == b':'),
        comma: naive(bytes, |byte| byte == b','),
        quote: naive(bytes, |byte| byte == b'"'),
    };
    let brace = kinds.brace & (expected.open | expected.close);
    assert_eq!(KindMasks { brace, ..kinds }, expected);
    assert_eq!(
        isa.numbers(block),
        NumberMasks {
            minus: naive(bytes, |byte| byte == b'-'),
            point: naive(bytes, |byte| byte == b'.'),
            exponent: naive(bytes, |byte| b"eE".contains(&byte)),
        }
    );
    assert_eq!(
        isa.hex(block),
        naive(bytes, |byte| byte.is_ascii_hexdigit())
    );
    assert_eq!(
        isa.escapable(block),
        naive(bytes, |byte| b"\"\\/bfnrtu".contains(&byte))
    );
    for wanted in b" \"\\u0+truefalsn" {
        assert_eq!(
            isa.equal(block, *wanted),
            naive(bytes, |byte| byte == *wanted)
        );
    }
}

fn moves<K: Isa>(isa: K, bytes: &Bytes, mask: u64, keep: u64, base: u32) {
    let positions: Vec<usize> = (0..64).filter(|i| mask >> i & 1 == 1).collect();
    let mut out = [0xAA; BLOCK];
    isa.compress(bytes, isa.load(bytes), mask, &mut out);
    assert!(
        positions
            .iter()
            .map(|&i| bytes[i])
            .eq(out[..positions.len()].iter().copied())
    );

    let mut out = [0; BLOCK];
    isa.indices(mask, base, &mut out);
    assert!(
        positions
            .iter()
            .map(|&i| base + i as u32)
            .eq(out[..positions.len()].iter().copied())
    );

    let (mut indexed, mut indices) = ([0xAA; BLOCK], [0; BLOCK]);
    let block = isa.load(bytes);
    isa.compress_indexed(bytes, block, mask, base, &mut indexed, &mut indices);
    let pairs = positions.iter().map(|&i| (bytes[i], base + i as u32));
    assert!(pairs.eq(indexed.into_iter().zip(indices).take(positions.len())));

    let mut out = [0xAA; BLOCK];
    isa.compress_spaced(bytes, isa.load(bytes), keep, mask, &mut out);
    let spaced = |i: usize| if keep >> i & 1 == 1 { bytes[i] } else { b' ' };
    assert!(
        positions
            .iter()
            .map(|&i| spaced(i))
            .eq(out[..positions.len()].iter().copied())
    );
    assert_eq!(isa.pext(keep, mask), naive_pext(keep, mask));
    assert_eq!(isa.pdep(keep, mask), naive_pdep(keep, mask));
    let parity = (0..64).fold(0, |sum, i| {
        sum | u64::from((mask << (63 - i)).count_ones() % 2) << i
    });
    assert_eq!(isa.prefix_xor(mask), parity);
}

/// Whether `text` is UTF-8 according to the kernel, called as in the scan.
fn is_utf8<K: Isa>(isa: K, text: &[Bytes]) -> bool {
    let mut before = isa.load(&[b' '; BLOCK]);
    let (mut wrong, mut open) = (false, false);
    for bytes in text {
        let block = isa.load(bytes);
        if isa.text(block).non_ascii != 0 {
            wrong |= isa.utf8(block, before);
            open = isa.utf8_open(block);
        } else {
            wrong |= open;
            open = false;
        }
        before = block;
    }
    !(wrong | open)
}

/// Every sequence of four bytes at which the rules change, at positions around a block boundary.
fn utf8<K: Isa>(isa: K) {
    if !K::CHECKS_UTF8 {
        return;
    }
    const EDGES: [u8; 21] = [
        0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1,
        0xED, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5,
    ];
    for number in 0..EDGES.len().pow(4) {
        let sequence: [u8; 4] =
            core::array::from_fn(|i| EDGES[number / EDGES.len().pow(i as u32) % EDGES.len()]);
        let mut text = [[b'a'; BLOCK]; 2];
        let at = 58 + number % 9;
        text.as_flattened_mut()[at..at + 4].copy_from_slice(&sequence);
        let expected = str::from_utf8(text.as_flattened()).is_ok();
        assert_eq!(is_utf8(isa, &text), expected, "{sequence:x?} at {at}");
    }
    let mut random = Random(7);
    for _ in 0..20_000 {
        let characters = [
            'a',
            '\u{e9}',
            '\u{7ff}',
            '\u{800}',
            '\u{20ac}',
            '\u{ffff}',
            '\u{10000}',
            '\u{10ffff}',
        ];
        let mut bytes = Vec::new();
        while bytes.len() < 3 * BLOCK {
            let character = characters[(random.next() >> 20) as usize % characters.len()];
            bytes.extend(character.encode_utf8(&mut [0; 4]).bytes());
        }
        if random.next().is_multiple_of(2) {
            let at = random.next() as usize % bytes.len();
            bytes[at] = (random.next() >> 9) as u8;
        }
        let text: [Bytes; 3] = core::array::from_fn(|i| *bytes[i * BLOCK..].first_chunk().unwrap());
        assert_eq!(
            is_utf8(isa, &text),
            str::from_utf8(text.as_flattened()).is_ok(),
            "{text:x?}"
        );
    }
}

fn battery<K: Isa>(isa: K) {
    for byte in 0..=255 {
        masks(isa, &[byte; BLOCK]);
        masks(isa, &core::array::from_fn(|i| byte.wrapping_add(i as u8)));
    }
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for _ in 0..20_000 {
        let block = random.block();
        masks(isa, &block);
        moves(
            isa,
            &block,
            random.mask(),
            random.mask(),
            random.next() as u32 >> 4,
        );
    }
    utf8(isa);
}

/// Runs the battery with a kernel, or prints that this CPU cannot, which `.ci/run` reports.
pub(super) fn battery_of(name: &str) {
    struct Battery;

    impl BlockTask for Battery {
        type Output = ();

        #[inline(always)]
        fn run<K: Isa>(self, isa: K) {
            battery(isa);
        }
    }

    match Kernel::by_name(name) {
        Ok(kernel) => run_with(kernel, Battery),
        Err(_) => eprintln!("skipped: this CPU lacks the kernel {name}"),
    }
}

#[test]
fn the_names_identify_the_kernels() {
    for kernel in Kernel::available() {
        assert_eq!(Kernel::by_name(kernel.name()), Ok(kernel));
    }
    assert!(Kernel::available().any(|kernel| kernel == Kernel::swar()));
    assert!(matches!(
        Kernel::by_name("AVX2"),
        Err(KernelError::Unknown(_))
    ));
}
