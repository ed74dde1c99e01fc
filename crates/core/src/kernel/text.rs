//! Checked conversions from bytes to `str` and `String`, with the UTF-8 check of a kernel.

use super::{BLOCK, BlockTask, Bytes, Isa, Kernel, run_with};

/// The bytes as a `str` if they are UTF-8. Takes a fraction of the time of the standard library if they are not ASCII.
#[inline]
pub fn to_str(bytes: &[u8]) -> Option<&str> {
    to_str_with(Kernel::for_text(bytes.len()), bytes)
}

/// As [`to_str`], with this kernel.
#[inline]
fn to_str_with(kernel: Kernel, bytes: &[u8]) -> Option<&str> {
    match run_with(kernel, Check(bytes)) {
        // SAFETY: `Check` found every byte to belong to a complete UTF-8 sequence.
        Some(true) => Some(unsafe { str::from_utf8_unchecked(bytes) }),
        Some(false) => None,
        None => str::from_utf8(bytes).ok(),
    }
}

/// The first `length` bytes as a `str` if they are ASCII, at most 32, and `bytes` has at least 32. Takes a third of the
/// instructions of the standard library.
#[inline(always)]
pub(crate) fn short_ascii(bytes: &[u8], length: usize) -> Option<&str> {
    let text = bytes.get(..length)?;
    let window: &[u8; 32] = bytes.first_chunk()?;
    // Without an early exit, so that it is vectorized: bytes after the text count as 0.
    let mut any = 0;
    for (at, byte) in window.iter().enumerate() {
        any |= if at < length { *byte } else { 0 };
    }
    // SAFETY: the text is no longer than the window, of which the loop saw every byte before `length`: all of the text is ASCII.
    (any < 0x80 && length <= window.len()).then(|| unsafe { str::from_utf8_unchecked(text) })
}

/// The first `end` bytes of `text` as a `str` if they are UTF-8. Its prefix `known` is not checked again.
#[cfg(feature = "serde")]
pub(crate) fn extend_str<'t>(
    kernel: Kernel,
    known: &'t str,
    text: &'t [u8],
    end: usize,
) -> Option<&'t str> {
    let all = text.get(..end)?;
    if known.is_empty() || known.as_ptr() != text.as_ptr() {
        return to_str_with(kernel, all);
    }
    to_str_with(kernel, all.get(known.len()..)?)?;
    // SAFETY: `known` begins at the same address and is not longer, so it holds the same bytes and they are UTF-8; the rest was
    // just checked on its own, and UTF-8 concatenated with UTF-8 is UTF-8.
    Some(unsafe { str::from_utf8_unchecked(all) })
}

/// Bytes as a `String` if they are UTF-8; otherwise the bytes.
#[cfg(feature = "serde")]
pub(crate) fn into_string(kernel: Kernel, bytes: Vec<u8>) -> Result<String, Vec<u8>> {
    match to_str_with(kernel, &bytes) {
        // SAFETY: just checked.
        Some(_) => Ok(unsafe { String::from_utf8_unchecked(bytes) }),
        None => Err(bytes),
    }
}

/// Whether bytes are UTF-8; `None` if the kernel does not check that.
struct Check<'a>(&'a [u8]);

impl BlockTask for Check<'_> {
    type Output = Option<bool>;

    #[inline(always)]
    fn run<K: Isa>(self, isa: K) -> Option<bool> {
        if !K::CHECKS_UTF8 {
            return None;
        }
        let mut check = Utf8 {
            before: isa.load(&[b' '; BLOCK]),
            open: false,
            error: false,
        };
        let (fours, rest) = self.0.as_chunks::<{ 4 * BLOCK }>();
        for four in fours {
            let any = four.iter().fold(0, |any, byte| any | byte);
            if any < 0x80 && !check.open {
                // The next block starts at a character boundary, so any ASCII block will do as its predecessor.
                check.before = isa.load(&[b' '; BLOCK]);
                continue;
            }
            for bytes in four.as_chunks::<BLOCK>().0 {
                check.block(isa, bytes);
            }
        }
        let (blocks, rest) = rest.as_chunks::<BLOCK>();
        for bytes in blocks {
            check.block(isa, bytes);
        }
        // The rest is mostly ASCII: tested on the last 64 bytes, which overlap checked ones.
        if !check.open
            && let Some(last) = self.0.last_chunk()
            && isa.text(isa.load(last)).non_ascii == 0
        {
            return Some(!check.error);
        }
        // Padded with at least one space, so that an incomplete sequence is an error.
        let mut last = [b' '; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        check.block(isa, &last);
        let error = check.error;
        Some(!error)
    }
}

/// The state of the check after the blocks so far.
struct Utf8<B> {
    before: B,
    /// The last block ends inside a sequence.
    open: bool,
    error: bool,
}

impl<B: Copy> Utf8<B> {
    #[inline(always)]
    fn block<K: Isa<Block = B>>(&mut self, isa: K, bytes: &Bytes) {
        let block = isa.load(bytes);
        if isa.text(block).non_ascii != 0 {
            self.error |= isa.utf8(block, self.before);
            self.open = isa.utf8_open(block);
        } else {
            self.error |= core::mem::take(&mut self.open);
        }
        self.before = block;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{extend_str, into_string, to_str_with};
    use crate::engine::Kernel;
    use jsonx_testing::cases;

    /// Texts cut at both ends or with one byte changed, against the standard library.
    #[test]
    fn like_the_standard_library() {
        let text = "aé€😀\u{7ff}\u{800}\u{ffff}\u{10000}\u{10ffff}".repeat(6);
        let bytes = text.as_bytes();
        for kernel in Kernel::available() {
            for from in 0..5 {
                for upto in (from..bytes.len()).rev().take(140) {
                    let part = &bytes[from..upto];
                    assert_eq!(to_str_with(kernel, part), str::from_utf8(part).ok());
                }
            }
            for at in 0..bytes.len() {
                for byte in [
                    0, 0x7f, 0x80, 0xbf, 0xc0, 0xe0, 0xed, 0xf0, 0xf4, 0xf5, 0xff,
                ] {
                    let mut changed = bytes.to_vec();
                    changed[at] = byte;
                    assert_eq!(to_str_with(kernel, &changed), str::from_utf8(&changed).ok());
                }
            }
        }
    }

    /// ASCII is checked 256 bytes at a time: sequences around and across these, whole and cut off.
    #[test]
    fn sequences_in_long_texts() {
        for kernel in Kernel::available() {
            for sequence in ["é", "€", "😀"].map(str::as_bytes) {
                for cut in 0..sequence.len() {
                    for at in (245..260).chain(500..520) {
                        let mut bytes = vec![b'a'; 800];
                        bytes[at..at + sequence.len()].copy_from_slice(sequence);
                        bytes.drain(at..at + cut);
                        assert_eq!(to_str_with(kernel, &bytes), str::from_utf8(&bytes).ok());
                        bytes.truncate(at + 1);
                        assert_eq!(to_str_with(kernel, &bytes), str::from_utf8(&bytes).ok());
                    }
                }
            }
        }
    }

    #[test]
    fn short_ascii_text() {
        use super::short_ascii;

        for follow in [0, 1, 31, 32, 33, 64] {
            for length in 0..=40 {
                let mut bytes = vec![b'a'; length + follow];
                let is_whole = length <= 32 && bytes.len() >= 32;
                let expected = "a".repeat(length);
                assert_eq!(short_ascii(&bytes, length), is_whole.then_some(&*expected));
                assert_eq!(short_ascii(&bytes, bytes.len() + 1), None);
                for at in 0..bytes.len() {
                    bytes[at] = 0x80;
                    let is_ascii = at >= length;
                    let expected = (is_whole && is_ascii).then_some(&*expected);
                    assert_eq!(short_ascii(&bytes, length), expected);
                    bytes[at] = b'a';
                }
            }
        }
    }

    #[test]
    fn the_known_prefix_is_extended() {
        let text = "aé€😀".repeat(9);
        for kernel in Kernel::available() {
            for end in 0..=text.len() {
                let expected = text.get(..end);
                for known in (0..=end).filter_map(|known| text.get(..known)) {
                    let extended = extend_str(kernel, known, text.as_bytes(), end);
                    assert_eq!(extended, expected, "{end}");
                }
            }
            assert_eq!(
                extend_str(kernel, "", text.as_bytes(), text.len() + 1),
                None
            );
            // `known` is not a prefix of this text, so all of it is checked.
            let other = [b"\xff", text.as_bytes()].concat();
            assert_eq!(extend_str(kernel, &text[..10], &other, 20), None);
        }
    }

    #[test]
    fn bytes_become_a_string_or_stay_bytes() {
        for kernel in Kernel::available() {
            assert_eq!(into_string(kernel, "aé".into()), Ok("aé".to_owned()));
            assert_eq!(into_string(kernel, b"a\xc3".into()), Err(b"a\xc3".to_vec()));
        }
    }

    proptest! {
        #![proptest_config(cases(500))]

        #[test]
        fn random_bytes(bytes in prop::collection::vec(prop_oneof![any::<u8>(), 0x80..=0xbfu8, 0xe0..=0xf5u8], 0..200)) {
            for kernel in Kernel::available() {
                prop_assert_eq!(to_str_with(kernel, &bytes), str::from_utf8(&bytes).ok());
            }
        }
    }
}
