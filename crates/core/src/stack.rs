//! The open containers, one bit per level: 1 for an object, 0 for an array.

use std::sync::Arc;

/// The containers that are open at some offset of a text. The innermost 64 levels or fewer are in `top` (lowest bit
/// innermost), so that pushing and popping are shifts; whole words of outer levels go to `outer`.
///
/// A clone copies at most 4,096 levels and shares the outer ones with the original: it costs the same at any depth.
///
/// `roll_back` returns to the last `set_mark`. In between, only words that are popped below the mark are saved, so the
/// cost is that of the levels touched.
#[derive(Debug, Default)]
pub struct Stack {
    pub(crate) top: u64,
    /// The number of open containers.
    pub depth: u64,
    outer: Words,
    mark: ChunkMark,
    /// Words below the mark that have been popped since, innermost first.
    popped: Vec<u64>,
}

#[derive(Clone, Copy, Debug, Default)]
struct ChunkMark {
    top: u64,
    depth: u64,
    /// The least number of outer words since.
    fewest: usize,
}

/// Levels in one word.
const WORD: u64 = 64;

impl Clone for Stack {
    fn clone(&self) -> Stack {
        let mut stack = Stack {
            top: self.top,
            depth: self.depth,
            mark: ChunkMark::default(),
            popped: Vec::new(),
            outer: self.outer.clone(),
        };
        stack.set_mark();
        stack
    }
}

impl Stack {
    /// Opens a container; `object` is 1 or 0.
    #[inline(always)]
    pub fn push(&mut self, object: u64) {
        if self.depth.is_multiple_of(WORD) && self.depth != 0 {
            self.spill();
        }
        self.top = self.top << 1 | object;
        self.depth += 1;
    }

    /// Closes the innermost container. The depth must not be 0.
    #[inline(always)]
    pub fn pop(&mut self) {
        self.top >>= 1;
        self.depth -= 1;
        if self.depth.is_multiple_of(WORD) {
            self.reload();
        }
    }

    /// 1 when the innermost open container is an object, else 0 (also when none is open).
    #[inline(always)]
    pub fn object(&self) -> u64 {
        // At depth 0 `top` is 0: `pop` shifts in zeros and `reload` clears what an overlong push left.
        self.top & 1
    }

    /// Sets the state that `roll_back` returns to.
    pub(crate) fn set_mark(&mut self) {
        self.popped.clear();
        self.mark = ChunkMark {
            top: self.top,
            depth: self.depth,
            fewest: self.outer.count,
        };
    }

    /// Returns to the state at the last `set_mark`.
    pub(crate) fn roll_back(&mut self) {
        while self.outer.count > self.mark.fewest {
            self.outer.pop();
        }
        while let Some(word) = self.popped.pop() {
            self.outer.push(word);
        }
        self.top = self.mark.top;
        self.depth = self.mark.depth;
        self.set_mark();
    }

    /// Opens the containers of `upper` except its `skipped` outermost ones; it must have that many.
    pub(crate) fn append(&mut self, upper: &Stack, skipped: u64) {
        let mut upper = upper.clone();
        let levels = upper.depth - skipped;
        // Innermost first, the innermost in the lowest bit.
        let mut words = Vec::with_capacity(levels.div_ceil(WORD) as usize);
        for level in 0..levels {
            match level % WORD {
                0 => words.push(upper.object()),
                bit => {
                    if let Some(word) = words.last_mut() {
                        *word |= upper.object() << bit;
                    }
                }
            }
            upper.pop();
        }
        for level in (0..levels).rev() {
            self.push(words[(level / WORD) as usize] >> (level % WORD) & 1);
        }
        self.set_mark();
    }

    #[cold]
    #[inline(never)]
    fn spill(&mut self) {
        self.outer.push(self.top);
    }

    #[cold]
    #[inline(never)]
    fn reload(&mut self) {
        // There is no outer word at depth 0.
        self.top = self.outer.pop().unwrap_or(0);
        if self.outer.count < self.mark.fewest {
            self.mark.fewest = self.outer.count;
            self.popped.push(self.top);
        }
    }
}

/// A stack of words. Clones share the older ones.
#[derive(Clone, Debug, Default)]
struct Words {
    /// All words.
    count: usize,
    /// The youngest words, up to two pages. With one, a text that opens and closes containers at a page boundary would
    /// move a page each time.
    recent: Vec<u64>,
    older: Pages,
}

/// Words in a page.
const PAGE: usize = 32;

/// A list of pages, youngest first.
#[derive(Clone, Debug, Default)]
struct Pages(Option<Arc<Page>>);

#[derive(Clone, Debug)]
struct Page {
    words: [u64; PAGE],
    older: Pages,
}

impl Drop for Pages {
    /// Iterative: the list is as long as the text is deep, and the derived drop would recurse.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(page) = next {
            next = Arc::into_inner(page).and_then(|mut page| page.older.0.take());
        }
    }
}

impl Words {
    fn push(&mut self, word: u64) {
        if let Some(words) = self.recent.first_chunk::<PAGE>()
            && self.recent.len() == 2 * PAGE
        {
            let page = Page {
                words: *words,
                older: Pages(self.older.0.take()),
            };
            self.older = Pages(Some(Arc::new(page)));
            self.recent.drain(..PAGE);
        }
        self.recent.push(word);
        self.count += 1;
    }

    fn pop(&mut self) -> Option<u64> {
        if self.recent.is_empty()
            && let Some(page) = self.older.0.take()
        {
            let page = Arc::unwrap_or_clone(page);
            self.recent.extend_from_slice(&page.words);
            self.older = page.older;
        }
        let word = self.recent.pop()?;
        self.count -= 1;
        Some(word)
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

    #[test]
    fn clones_and_originals_do_not_disturb_each_other() {
        let levels = 3 * 64 * PAGE as u64;
        let mut stack = Stack::default();
        let mut clones = Vec::new();
        for i in 0..levels {
            if i.is_multiple_of(997) {
                clones.push(stack.clone());
            }
            stack.push(bit(i));
        }
        // Pops and pushes other levels across page boundaries.
        (0..levels - 100).for_each(|_| stack.pop());
        (0..levels).for_each(|i| stack.push(1 - bit(i)));
        for mut clone in clones {
            clone.set_mark();
            let depth = clone.depth;
            (0..100).for_each(|i| clone.push(bit(depth + i)));
            (0..depth.min(5000)).for_each(|_| clone.pop());
            clone.roll_back();
            assert_eq!(clone.depth, depth);
            for i in (0..depth).rev() {
                assert_eq!(clone.object(), bit(i), "depth {depth} level {i}");
                clone.pop();
            }
        }
        for i in (0..levels).rev() {
            assert_eq!(stack.object(), 1 - bit(i));
            stack.pop();
        }
        assert_eq!(stack.depth, 100);
    }

    #[test]
    fn a_clone_costs_the_same_at_any_depth_and_dropping_does_not_recurse() {
        let deep = || {
            let mut stack = Stack::default();
            (0..3_000_000).for_each(|i| stack.push(i & 1));
            let clones = vec![stack.clone(); 1000];
            assert!(
                clones
                    .iter()
                    .all(|clone| clone.outer.recent.len() <= 2 * PAGE)
            );
            drop(stack);
        };
        // 1,464 pages in a list.
        let thread = std::thread::Builder::new().stack_size(256 << 10);
        thread.spawn(deep).unwrap().join().unwrap();
    }
}
