//! What an input that is not JSON looks like, by its first bytes. Asked only after a verdict; never decides one.

/// The name of the format that `head`, the first bytes of an input, looks like, and what may be done about it.
pub fn foreign_format(head: &[u8]) -> Option<(&'static str, &'static str)> {
    const MAGIC: &[(&[u8], &str, &str)] = &[
        (
            b"\x1F\x8B",
            "gzip-compressed data",
            "decompress it first, for example with `gzip -dc FILE | jsonx …`",
        ),
        (
            b"\x28\xB5\x2F\xFD",
            "zstd-compressed data",
            "decompress it first, for example with `zstd -dc FILE | jsonx …`",
        ),
        (
            b"BZh",
            "bzip2-compressed data",
            "decompress it first, for example with `bzip2 -dc FILE | jsonx …`",
        ),
        (
            b"\xFD7zXZ\0",
            "xz-compressed data",
            "decompress it first, for example with `xz -dc FILE | jsonx …`",
        ),
        (b"PK\x03\x04", "a zip archive", "unpack it first"),
        (
            b"\xFF\xFE\0\0",
            "UTF-32 text",
            "convert it: `iconv -f UTF-32 -t UTF-8 FILE`",
        ),
        (
            b"\0\0\xFE\xFF",
            "UTF-32 text",
            "convert it: `iconv -f UTF-32 -t UTF-8 FILE`",
        ),
        (
            b"\xFF\xFE",
            "UTF-16 text",
            "convert it: `iconv -f UTF-16 -t UTF-8 FILE`",
        ),
        (
            b"\xFE\xFF",
            "UTF-16 text",
            "convert it: `iconv -f UTF-16 -t UTF-8 FILE`",
        ),
        (
            b"<!DOCTYPE",
            "an HTML or XML document",
            "if a server sent it, look at the URL and the status code",
        ),
        (
            b"<!doctype",
            "an HTML or XML document",
            "if a server sent it, look at the URL and the status code",
        ),
        (
            b"<html",
            "an HTML document",
            "if a server sent it, look at the URL and the status code",
        ),
        (
            b"<?xml",
            "an XML document",
            "if a server sent it, look at the URL and the status code",
        ),
        (
            b"---\n",
            "YAML",
            "convert it first, for example with `yq -o json FILE`",
        ),
        (
            b"%YAML",
            "YAML",
            "convert it first, for example with `yq -o json FILE`",
        ),
    ];
    if let Some((_, name, help)) = MAGIC.iter().find(|(magic, ..)| head.starts_with(magic)) {
        return Some((name, help));
    }
    // The first character of a JSON text is ASCII, so its UTF-16 and UTF-32 forms show by where their zeros are.
    match head {
        [1..=255, 0, 0, 0, ..] => Some((
            "UTF-32 text without a signature",
            "convert it: `iconv -f UTF-32LE -t UTF-8 FILE`",
        )),
        [0, 0, 0, 1..=255, ..] => Some((
            "UTF-32 text without a signature",
            "convert it: `iconv -f UTF-32BE -t UTF-8 FILE`",
        )),
        [1..=255, 0, 1..=255, 0, ..] | [1..=255, 0] => Some((
            "UTF-16 text without a signature",
            "convert it: `iconv -f UTF-16LE -t UTF-8 FILE`",
        )),
        [0, 1..=255, 0, 1..=255, ..] | [0, 1..=255] => Some((
            "UTF-16 text without a signature",
            "convert it: `iconv -f UTF-16BE -t UTF-8 FILE`",
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::foreign_format;

    #[test]
    fn formats_are_named_and_json_is_not() {
        let name = |head: &[u8]| foreign_format(head).map(|(name, _)| name);
        assert_eq!(name(b"\x1F\x8B\x08\0"), Some("gzip-compressed data"));
        assert_eq!(name(b"\xFF\xFE{\0"), Some("UTF-16 text"));
        assert_eq!(name(b"\xFF\xFE\0\0{\0\0\0"), Some("UTF-32 text"));
        assert_eq!(name(b"{\0\"\0a\0"), Some("UTF-16 text without a signature"));
        assert_eq!(name(b"\0{\0\"\0a"), Some("UTF-16 text without a signature"));
        assert_eq!(
            name(b"[\0\0\0]\0\0\0"),
            Some("UTF-32 text without a signature")
        );
        assert_eq!(name(b"<html>"), Some("an HTML document"));
        for json in [
            &b"{}"[..],
            b"",
            b"[1",
            b"-",
            b"--1",
            b"<",
            b"\0\0\0\0",
            b"{\0x",
        ] {
            assert_eq!(name(json), None, "{json:?}");
        }
    }
}
