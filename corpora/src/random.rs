//! A generator of 64-bit random numbers with eight bytes of state.

/// SplitMix64: a counter in steps of the golden ratio, and a mixing function.
///
/// From Guy L. Steele Jr., Doug Lea, Christine H. Flood, "Fast Splittable Pseudorandom Number Generators",
/// OOPSLA 2014 (figures 13 and 17 there), with the mixing constants of David Stafford's variant 13. It takes one addition, two
/// multiplications and three shifts per number, is the same on every machine, and accepts any seed. It is not
/// cryptographically secure.
///
/// ```
/// use jsonx_corpora::SplitMix64;
/// let mut random = SplitMix64::new(1234567);
/// assert_eq!(random.next_u64(), 6457827717110365317);
/// ```
#[derive(Clone, Debug)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// A generator with this seed.
    pub fn new(seed: u64) -> SplitMix64 {
        SplitMix64 { state: seed }
    }

    /// The next number, uniformly distributed.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`; 0 if `limit` is 0.
    ///
    /// Takes the high half of a product instead of a remainder: no division, and a negligible bias below `limit / 2^64`.
    #[inline]
    pub fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(limit)) >> 64) as u64
    }

    /// A number from `low` to `high`, inclusive.
    #[inline]
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }

    /// True once in `n` times on average.
    #[inline]
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// One of `items`, which must not be empty.
    #[inline]
    pub fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len() as u64) as usize]
    }
}
