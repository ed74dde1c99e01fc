//! How much room the elements of an array take.

use super::tokens::Tokens;

impl Tokens<'_> {
    /// How many elements of the array that was entered are at hand, so far as a few of its marks tell: room for as many is
    /// made at first. 0 where it is not worth the effort.
    #[inline(never)]
    pub(super) fn elements_at_hand(&self) -> usize {
        /// Marks of the first element that are looked at.
        const FIRST: usize = 16;
        /// Elements that are counted.
        const MOST: usize = 128;
        /// Room for as many is made with the first one anyway.
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
        // Elements that are not like the first one end the count, or are counted wrong.
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
