//! Estimates the number of elements of an array, to reserve capacity.

use super::tokens::Tokens;

impl Tokens<'_> {
    /// An estimate of the number of elements of the entered array in the current chunk, from a few marks. 0 if reserving is not
    /// worthwhile.
    #[inline(never)]
    pub(super) fn size_hint(&self) -> usize {
        /// Maximum number of marks of the first element.
        const FIRST: usize = 16;
        /// Maximum number of elements counted.
        const MOST: usize = 128;
        /// A vector reserves this many with its first element anyway.
        const FEW: usize = 4;
        let kinds = self.kinds();
        let kind = |index: usize| kinds.get(index).copied().unwrap_or(0);
        let first = kind(0);
        let stride = match first {
            b']' | 0 => return 0,
            b'"' => 2,
            b'{' | b'[' => {
                let (mut depth, mut index) = (0, 0);
                loop {
                    match kind(index) | 0x20 {
                        b'{' => depth += 1,
                        b'}' => depth -= 1,
                        _ => {}
                    }
                    index += 1;
                    match depth {
                        0 => break index,
                        _ if index == FIRST => return 0,
                        _ => {}
                    }
                }
            }
            _ => 1,
        };
        // An element unlike the first one ends the count or distorts it.
        let is_like_first = |index| kind(index) == first || stride == 1 && is_scalar(kind(index));
        if !is_like_first(FEW * stride) {
            return 0;
        }
        let like_first = (0..MOST).take_while(|&count| is_like_first(count * stride));
        like_first.count()
    }
}

/// Whether this is the first byte of a number or literal.
fn is_scalar(kind: u8) -> bool {
    !matches!(kind, b'"' | b'[' | b']' | b'{' | b'}' | 0)
}
