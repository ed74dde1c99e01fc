//! A list with cheap insertion anywhere: blocks of a few thousand items.

/// Number of items of a full block, which is split.
const FULL: usize = 2048;

#[derive(Debug)]
pub(super) struct Blocks<T> {
    blocks: Vec<Vec<T>>,
    length: usize,
}

impl<T> Blocks<T> {
    pub(super) fn new(items: impl Iterator<Item = T>) -> Blocks<T> {
        let mut list = Blocks {
            blocks: Vec::new(),
            length: 0,
        };
        let mut items = items.peekable();
        while items.peek().is_some() {
            let block: Vec<T> = items.by_ref().take(FULL / 2).collect();
            list.length += block.len();
            list.blocks.push(block);
        }
        list
    }

    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// The block that has the item at `at`, and the index in it; the end of the last block for the length.
    fn locate(&self, at: usize) -> (usize, usize) {
        let mut left = at;
        for (number, block) in self.blocks.iter().enumerate() {
            if left < block.len() || (left == block.len() && number + 1 == self.blocks.len()) {
                return (number, left);
            }
            left -= block.len();
        }
        (0, 0)
    }

    pub(super) fn get(&self, at: usize) -> Option<&T> {
        if at >= self.length {
            return None;
        }
        let (block, index) = self.locate(at);
        self.blocks[block].get(index)
    }

    pub(super) fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        if at >= self.length {
            return None;
        }
        let (block, index) = self.locate(at);
        self.blocks[block].get_mut(index)
    }

    pub(super) fn insert(&mut self, at: usize, item: T) {
        if self.blocks.is_empty() {
            self.blocks.push(Vec::new());
        }
        let (number, index) = self.locate(at.min(self.length));
        self.length += 1;
        let block = &mut self.blocks[number];
        block.insert(index, item);
        if block.len() >= FULL {
            let rest = block.split_off(FULL / 2);
            self.blocks.insert(number + 1, rest);
        }
    }

    pub(super) fn remove(&mut self, at: usize) {
        if at < self.length {
            let (number, index) = self.locate(at);
            self.length -= 1;
            self.blocks[number].remove(index);
            if self.blocks[number].is_empty() {
                self.blocks.remove(number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn like_a_vector(start in 0..5000_usize, edits in prop::collection::vec((any::<bool>(), any::<usize>()), 0..200)) {
            let mut blocks = Blocks::new(0..start);
            let mut plain: Vec<usize> = (0..start).collect();
            for (inserts, at) in edits {
                match inserts {
                    true => {
                        blocks.insert(at % (plain.len() + 1), at);
                        plain.insert(at % (plain.len() + 1), at);
                    }
                    false if !plain.is_empty() => {
                        blocks.remove(at % plain.len());
                        plain.remove(at % plain.len());
                    }
                    false => {}
                }
                prop_assert_eq!(blocks.len(), plain.len());
                let at = at % (plain.len() + 2);
                prop_assert_eq!(blocks.get(at), plain.get(at));
            }
            prop_assert!(blocks.blocks.iter().flatten().eq(&plain));
        }
    }

    #[test]
    fn full_blocks_are_split() {
        let mut blocks = Blocks::new(0..0);
        (0..10_000).for_each(|item| blocks.insert(0, item));
        assert!(
            blocks
                .blocks
                .iter()
                .flatten()
                .copied()
                .eq((0..10_000).rev())
        );
        assert!(blocks.blocks.iter().all(|block| block.len() < FULL));
    }
}
