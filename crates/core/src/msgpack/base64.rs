//! Base64 and hexadecimal text of binary data.

/// The alphabet of RFC 4648, section 4.
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Appends `data` in base64, padded.
pub(super) fn base64(data: &[u8], out: &mut Vec<u8>) {
    let digit = |word: u32, shift: u32| ALPHABET[(word >> shift & 63) as usize];
    let (groups, rest) = data.as_chunks::<3>();
    for &[a, b, c] in groups {
        let word = u32::from_be_bytes([0, a, b, c]);
        out.extend_from_slice(&[18, 12, 6, 0].map(|shift| digit(word, shift)));
    }
    match *rest {
        [a] => {
            let word = u32::from(a) << 16;
            out.extend_from_slice(&[digit(word, 18), digit(word, 12), b'=', b'=']);
        }
        [a, b] => {
            let word = u32::from_be_bytes([0, a, b, 0]);
            out.extend_from_slice(&[digit(word, 18), digit(word, 12), digit(word, 6), b'=']);
        }
        _ => {}
    }
}

/// Appends `data` in lower-case hexadecimal.
pub(super) fn hex(data: &[u8], out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    for byte in data {
        out.push(DIGITS[usize::from(byte >> 4)]);
        out.push(DIGITS[usize::from(byte & 15)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test vectors of RFC 4648, section 10.
    #[test]
    fn vectors() {
        for (data, expected) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            let mut out = Vec::new();
            base64(data.as_bytes(), &mut out);
            assert_eq!(out, expected.as_bytes());
        }
        let mut out = Vec::new();
        base64(&[0xfb, 0xff], &mut out);
        hex(&[0x00, 0xaf], &mut out);
        assert_eq!(out, b"+/8=00af");
    }
}
