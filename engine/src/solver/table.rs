//! The table of positions at the starts of tricks.

/// Bounds of a position: the cards that remain, the leader, and the points to come for the leader's side.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Entry {
    /// The remaining cards, ranked.
    pub(super) remaining: u32,
    pub(super) low: u8,
    pub(super) high: u8,
    /// Two bits of leader, the rest from the hash.
    pub(super) tag: u8,
    pub(super) generation: u8,
}

impl Entry {
    #[inline]
    pub(super) fn new(remaining: u32, low: i32, high: i32, tag: u8, generation: u8) -> Self {
        let byte = |bound: i32| u8::try_from(bound.clamp(0, 255)).unwrap_or(u8::MAX);
        Self { remaining, low: byte(low), high: byte(high), tag, generation }
    }

    /// The upper bound; the highest byte stands for none.
    #[inline]
    pub(super) fn high_value(&self) -> i32 {
        if self.high == u8::MAX { i32::MAX } else { self.high.into() }
    }
}

const WAYS: usize = 4;
const BUCKETS: usize = 1 << 13;

#[derive(Debug, Clone)]
pub(super) struct Table {
    buckets: Box<[[Entry; WAYS]]>,
    generation: u8,
}

impl Table {
    pub(super) fn new() -> Self {
        Self { buckets: vec![[Entry::default(); WAYS]; BUCKETS].into_boxed_slice(), generation: 1 }
    }

    /// Makes all entries invalid.
    pub(super) fn forget(&mut self) {
        if self.generation == u8::MAX {
            self.buckets.fill([Entry::default(); WAYS]);
            self.generation = 0;
        }
        self.generation += 1;
    }

    #[inline]
    pub(super) fn bucket(&mut self, hash: u64) -> &mut [Entry; WAYS] {
        let index = (hash >> (64 - 13)) as usize;
        &mut self.buckets[index & (BUCKETS - 1)]
    }

    #[inline]
    pub(super) const fn generation(&self) -> u8 {
        self.generation
    }
}
