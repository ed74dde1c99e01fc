//! A list of numbers that determines all choices, so that proptest can shrink it.

/// Zeros after the end of the list, so that the first of several choices is the simplest one.
pub(crate) struct Choices<'a>(std::slice::Iter<'a, u32>);

impl<'a> Choices<'a> {
    pub(crate) fn new(choices: &'a [u32]) -> Self {
        Choices(choices.iter())
    }

    pub(crate) fn wide(&mut self) -> u64 {
        let next = |choices: &mut Self| u64::from(choices.0.next().copied().unwrap_or(0));
        next(self) << 32 | next(self)
    }

    /// Less than `count`.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.0.next().map_or(0, |&choice| choice as usize % count)
    }

    pub(crate) fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// True once in `count` times.
    pub(crate) fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == count - 1
    }

    pub(crate) fn list<T>(&mut self, upto: usize, mut item: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let count = self.below(upto + 1);
        (0..count).map(|_| item(self)).collect()
    }
}
