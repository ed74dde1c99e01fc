//! The open containers, one bit per level: 1 for an object, 0 for an array.

/// The containers that are open at some place of a text. The innermost 64 levels or fewer live in `top`
/// (lowest bit innermost), so that pushing and popping are shifts; whole words of outer levels are spilled.
///
/// A mark can be set, to which the stack can be rolled back: the words that a spill overwrites after the mark
/// are kept in a journal, so that neither setting the mark nor spilling costs more than the levels touched.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stack {
    pub(crate) top: u64,
    pub(crate) depth: u64,
    words: Vec<u64>,
    mark: Mark,
    journal: Vec<(usize, u64)>,
    /// Memory for a spilled word could not be had: the caller reports it, the levels are lost.
    pub(crate) exhausted: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    top: u64,
    depth: u64,
}

/// Levels in one word.
const WORD: u64 = 64;

impl Stack {
    /// Opens a container; `object` is 1 or 0.
    #[inline(always)]
    pub(crate) fn push(&mut self, object: u64) {
        if self.depth.is_multiple_of(WORD) && self.depth != 0 {
            self.spill();
        }
        self.top = self.top << 1 | object;
        self.depth += 1;
    }

    /// Closes the innermost container. The depth must not be 0.
    #[inline(always)]
    pub(crate) fn pop(&mut self) {
        self.top >>= 1;
        self.depth -= 1;
        if self.depth.is_multiple_of(WORD) {
            self.reload();
        }
    }

    /// 1 when the innermost open container is an object, else 0 (also when none is open).
    #[inline(always)]
    pub(crate) fn object(&self) -> u64 {
        // At depth 0 `top` is 0: `pop` shifts in zeros and `reload` clears what an overlong push left.
        self.top & 1
    }

    /// From here on, `roll_back` returns to the present state.
    pub(crate) fn set_mark(&mut self) {
        self.journal.clear();
        self.mark = Mark {
            top: self.top,
            depth: self.depth,
        };
    }

    /// Returns to the state at the last `set_mark`.
    pub(crate) fn roll_back(&mut self) {
        while let Some((index, word)) = self.journal.pop() {
            self.words[index] = word;
        }
        self.top = self.mark.top;
        self.depth = self.mark.depth;
    }

    #[cold]
    #[inline(never)]
    fn spill(&mut self) {
        let index = (self.depth / WORD - 1) as usize;
        if index == self.words.len() {
            if self.words.try_reserve(1).is_err() {
                self.exhausted = true;
                return;
            }
            self.words.push(self.top);
            return;
        }
        let old = core::mem::replace(&mut self.words[index], self.top);
        // Only words that were spilled at the mark have to come back.
        if old != self.top && (index as u64) < self.mark.depth.saturating_sub(1) / WORD {
            self.journal.push((index, old));
        }
    }

    #[cold]
    #[inline(never)]
    fn reload(&mut self) {
        self.top = match (self.depth / WORD) as usize {
            0 => 0,
            words => self.words.get(words - 1).copied().unwrap_or(0),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bit(i: u64) -> u64 {
        (i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) & 1
    }

    #[test]
    fn returns_what_was_pushed_at_every_depth() {
        let mut stack = Stack::default();
        for i in 0..1000 {
            stack.push(bit(i));
            assert_eq!(stack.object(), bit(i));
        }
        for i in (0..1000).rev() {
            assert_eq!(stack.object(), bit(i));
            stack.pop();
        }
        assert_eq!((stack.depth, stack.object()), (0, 0));
    }

    #[test]
    fn rolls_back_across_spilled_words() {
        for depth in [0, 1, 63, 64, 65, 128, 129, 200, 640] {
            for down in [0, 1, 64, 65, 130, 640] {
                let mut stack = Stack::default();
                (0..depth).for_each(|i| stack.push(bit(i)));
                stack.set_mark();
                for round in 0..3 {
                    (0..down.min(stack.depth)).for_each(|_| stack.pop());
                    (0..down + 70).for_each(|i| stack.push(bit(i + 7 + round)));
                }
                stack.roll_back();
                assert_eq!(stack.depth, depth);
                for i in (0..depth).rev() {
                    assert_eq!(
                        stack.object(),
                        bit(i),
                        "depth {depth} down {down} level {i}"
                    );
                    stack.pop();
                }
            }
        }
    }
}
