//! The table of positions at the starts of tricks.
#![expect(clippy::inline_always, reason = "the search is one function around these")]
#![expect(clippy::cast_possible_truncation, reason = "parts of a word are cut out")]

use super::shape::Shape;
use super::tables::Points;
use crate::bits::Form;

const WAYS: usize = 4;
const BUCKETS: usize = 1 << 13;
/// Generations before the table is emptied: six bits of a key.
const GENERATIONS: u16 = 63;

/// Four positions: for each the cards that remain, a key, and bounds of the points to come for the leader's
/// side.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
struct Bucket {
    remaining: [u32; WAYS],
    /// Sixteen bits each: six of generation, ten of the shape.
    keys: u64,
    low: [u8; WAYS],
    high: [u8; WAYS],
}

/// The highest byte stands for no upper bound.
const UNBOUNDED: u8 = u8::MAX;

#[derive(Debug, Clone)]
pub(super) struct Table {
    buckets: Box<[Bucket]>,
    generation: u16,
}

/// The lowest bit of each of four parts of sixteen bits.
const EACH: u64 = 0x0001_0001_0001_0001;

impl Table {
    pub(super) fn new() -> Self {
        let empty = Bucket { remaining: [0; WAYS], keys: 0, low: [0; WAYS], high: [0; WAYS] };
        Self { buckets: vec![empty; BUCKETS].into_boxed_slice(), generation: 1 }
    }

    /// Takes over all entries of another table.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.buckets.copy_from_slice(&other.buckets);
        self.generation = other.generation;
    }

    /// Makes all entries invalid.
    pub(super) fn forget(&mut self) {
        if self.generation == GENERATIONS {
            self.buckets.iter_mut().for_each(|bucket| bucket.keys = 0);
            self.generation = 0;
        }
        self.generation += 1;
    }

    /// Places of a bucket whose keys are those of a shape: the highest bit of sixteen set in each.
    #[inline(always)]
    const fn matches(keys: u64, key: u16) -> u64 {
        let unlike = keys ^ (key as u64 * EACH);
        let others = !(EACH << 15);
        !(((unlike & others) + others) | unlike) & (EACH << 15)
    }

    #[inline(always)]
    const fn key(&self, shape: &Shape<impl Form>) -> u16 {
        (self.generation << 10) | shape.key
    }

    #[inline(always)]
    const fn index(shape: &Shape<impl Form>) -> usize {
        (shape.hash >> (64 - BUCKETS.ilog2())) as usize & (BUCKETS - 1)
    }

    /// The bounds that the table knows for a position with `rest` points to come; with `shapes` also from
    /// positions of the same shape.
    #[inline(always)]
    pub(super) fn bounds(
        &self,
        shape: &Shape<impl Form>,
        points: &Points,
        dealt: [u32; 2],
        rest: i32,
        shapes: bool,
    ) -> (i32, i32) {
        let bucket = &self.buckets[Self::index(shape)];
        let (mut low, mut high) = (0, rest);
        let mut matches = Self::matches(bucket.keys, self.key(shape));
        while matches != 0 {
            let way = matches.trailing_zeros() as usize / 16 % WAYS;
            matches &= matches - 1;
            let remaining = bucket.remaining[way];
            let (mut down, mut up) = (0, 0);
            if remaining != shape.remaining {
                if !shapes || !shape.is_shape_of(remaining, dealt) {
                    continue;
                }
                (down, up) = points.differences(shape.remaining, remaining);
            }
            low = low.max(i32::from(bucket.low[way]) - down);
            if bucket.high[way] != UNBOUNDED {
                high = high.min(i32::from(bucket.high[way]) + up);
            }
        }
        (low, high)
    }

    #[inline(always)]
    pub(super) fn store(&mut self, shape: &Shape<impl Form>, (low, high): (i32, i32)) {
        let key = self.key(shape);
        let generation = self.generation;
        let bucket = &mut self.buckets[Self::index(shape)];
        let same = |way: &usize| {
            bucket.remaining[*way] == shape.remaining && (bucket.keys >> (16 * way)) as u16 == key
        };
        let old = |way: &usize| (bucket.keys >> (16 * way + 10)) as u16 & 63 != generation;
        let way = if let Some(way) = (0..WAYS).find(same) {
            way
        } else if let Some(way) = (0..WAYS).find(old) {
            way
        } else {
            // Any place will do: one that differs from position to position.
            shape.owners[0] as usize % WAYS
        };
        let byte = |bound: i32| u8::try_from(bound.clamp(0, 255)).unwrap_or(UNBOUNDED);
        bucket.remaining[way] = shape.remaining;
        bucket.keys = (bucket.keys & !(0xffff << (16 * way))) | (u64::from(key) << (16 * way));
        bucket.low[way] = byte(low);
        bucket.high[way] = byte(high);
    }
}
