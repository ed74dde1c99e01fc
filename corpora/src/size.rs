//! Parses sizes with units.

/// The number of bytes in `text`, or `None` if it is not a size.
///
/// A size is an integer with an optional suffix: `K`, `M`, `G` are powers of 1000, as in GB/s, and `Ki`, `Mi`, `Gi` powers of
/// 1024. Lower case and a final `B` are accepted too.
///
/// ```
/// use jsonx_corpora::parse_size;
/// assert_eq!(parse_size("300M"), Some(300_000_000));
/// assert_eq!(parse_size("4 KiB"), Some(4096));
/// assert_eq!(parse_size("17"), Some(17));
/// assert_eq!(parse_size("1.5G"), None);
/// assert_eq!(parse_size("99999999999G"), None);
/// ```
pub fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, suffix) = text.split_at(digits);
    let suffix = suffix.trim_start().to_ascii_lowercase();
    let unit: u64 = match suffix.strip_suffix('b').unwrap_or(&suffix) {
        "" => 1,
        "k" => 1_000,
        "m" => 1_000_000,
        "g" => 1_000_000_000,
        "ki" => 1 << 10,
        "mi" => 1 << 20,
        "gi" => 1 << 30,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(unit)
}
