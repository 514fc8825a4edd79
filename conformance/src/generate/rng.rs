//! Random numbers: splitmix64, the same on every machine.

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub(super) struct Rng(u64);

impl Rng {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub(super) fn below(&mut self, n: usize) -> usize {
        let n = u64::try_from(n).expect("usize is at most 64 bits");
        usize::try_from(self.next() % n).expect("below a usize")
    }

    /// A number from `low` to `high`, both included.
    pub(super) fn between(&mut self, low: i32, high: i32) -> i32 {
        let span = usize::try_from(high - low + 1).expect("low is not above high");
        low + i32::try_from(self.below(span)).expect("below an i32")
    }

    /// True `percent` times of a hundred.
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of some things.
    pub(super) fn pick<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.below(things.len())]
    }

    pub(super) fn shuffle<T>(&mut self, things: &mut [T]) {
        for i in (1..things.len()).rev() {
            things.swap(i, self.below(i + 1));
        }
    }
}
