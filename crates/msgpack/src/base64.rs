//! Base64 text of binary data.

use data_encoding::BASE64;

/// Appends `data` in base64 (RFC 4648, section 4), padded.
pub(super) fn base64(data: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + BASE64.encode_len(data.len()), 0);
    BASE64.encode_mut(data, &mut out[start..]);
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
        assert_eq!(out, b"+/8=");
    }
}
