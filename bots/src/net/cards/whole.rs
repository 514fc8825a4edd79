//! The first layer of the card network in whole numbers, and its sums of the last position, which the next is much alike.

use super::input::{AT_NUMBERS, CardInput};
use super::network::{CardLayers, HIDDEN};
use super::public::place;

/// How many units are summed up at a time: as many as fit in registers.
const BLOCK: usize = 128;
const BLOCKS: usize = HIDDEN[0] / BLOCK;
const _: () = assert!(HIDDEN[0].is_multiple_of(BLOCK), "the first layer is blocks of units");
/// About how many inputs are one in a position.
const ONES: usize = 100;
/// By how many steps at most the sum of so many weights changes when each is rounded.
const HALF_STEPS: f32 = 50.0;
/// The finest step of a weight is one in so many.
const FINEST: f32 = 1024.0;

/// The weights of the inputs that are one, in steps of 1 / `scale`: sixteen bits each, so that they stay in the cache, where most of the time goes.
///
/// Sums are made in the order of the inputs. One that leaves the range, as those of a network with wild weights may, stays at its end.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WholeLayer {
    weights: [Vec<[i16; BLOCK]>; BLOCKS],
    step: f32,
    /// Whether no sum of [`ONES`] different inputs leaves the range, so that they may be made in any order.
    is_bounded: bool,
}

/// Words of a bit for each input.
const WORDS: usize = AT_NUMBERS.div_ceil(64);

/// The inputs of a position with their sums: from one choice of a seat to its next two thirds of them stay.
#[derive(Debug, Clone)]
pub(super) struct KeptSums {
    ones: [u64; WORDS],
    sums: [i16; HIDDEN[0]],
    /// The inputs by which the last position differs from the one before.
    came: Vec<u16>,
    went: Vec<u16>,
}

impl Default for KeptSums {
    /// No input is one.
    fn default() -> Self {
        Self { ones: [0; WORDS], sums: [0; HIDDEN[0]], came: Vec::new(), went: Vec::new() }
    }
}

impl KeptSums {
    /// Notes the inputs of a position, and by which it differs from the last; `false` if one is there twice.
    #[inline]
    fn change(&mut self, ones: &[u16]) -> bool {
        let mut now = [0u64; WORDS];
        for at in ones {
            now[usize::from(*at) / 64] |= 1 << (at % 64);
        }
        if now.iter().map(|word| word.count_ones() as usize).sum::<usize>() < ones.len() {
            return false;
        }
        self.came.clear();
        self.went.clear();
        for (word, (now, before)) in now.iter().zip(&self.ones).enumerate() {
            let mut changed = now ^ before;
            while changed != 0 {
                let bit = changed.trailing_zeros();
                let list = if now >> bit & 1 == 1 { &mut self.came } else { &mut self.went };
                list.push(place(64 * word + bit as usize));
                changed &= changed - 1;
            }
        }
        self.ones = now;
        true
    }
}

impl WholeLayer {
    /// Rounds the weights to the finest steps, a power of two, with which the hundred largest of a unit stay in range.
    pub(super) fn new(layers: &CardLayers) -> Self {
        let rows = &layers.first[..AT_NUMBERS];
        // Few units come into question: of N numbers the sum is at most the root of N times that of the squares.
        let mut squares = [0.0f32; HIDDEN[0]];
        for row in rows {
            squares.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight * weight);
        }
        let mut most = 0.0f32;
        for (unit, square) in squares.into_iter().enumerate() {
            // The root of a hundred, and a little for rounding.
            if 10.1 * square.sqrt() > most {
                most = most.max(largest(rows, unit));
            }
        }
        let mut scale = FINEST;
        while scale > 1.0 && most * scale > f32::from(i16::MAX) {
            scale /= 2.0;
        }
        Self {
            weights: core::array::from_fn(|block| {
                let part = |row: &[f32; HIDDEN[0]]| {
                    row.as_chunks::<BLOCK>().0[block].map(|weight| whole(weight * scale))
                };
                rows.iter().map(part).collect()
            }),
            step: 1.0 / scale,
            // Each weight is rounded by half a step at most.
            is_bounded: most * scale + HALF_STEPS < f32::from(i16::MAX),
        }
    }

    /// Returns the sums of the first layer in a position, and keeps them.
    #[inline]
    pub(super) fn sums(
        &self,
        layers: &CardLayers,
        input: &CardInput,
        kept: &mut KeptSums,
    ) -> [f32; HIDDEN[0]] {
        self.update(&input.ones, kept);
        let mut sums = layers.first_bias;
        for (to, sum) in sums.iter_mut().zip(&kept.sums) {
            *to += self.step * f32::from(*sum);
        }
        let numbers = input.numbers.iter().enumerate().filter(|(_, value)| **value != 0.0);
        layers.add(&mut sums, numbers.map(|(n, value)| (AT_NUMBERS + n, value)));
        sums
    }

    /// Brings the sums that are kept to these inputs.
    #[inline]
    fn update(&self, ones: &[u16], kept: &mut KeptSums) {
        let are_told = self.is_bounded && ones.len() <= ONES && kept.change(ones);
        let sums = kept.sums.as_chunks_mut::<BLOCK>().0.iter_mut().zip(&self.weights);
        if are_told && kept.came.len() + kept.went.len() < ones.len() {
            for (sums, rows) in sums {
                let came = kept.came.iter().map(|at| &rows[usize::from(*at)]);
                let sum = came.fold(*sums, |sum, row| core::array::from_fn(|n| sum[n].wrapping_add(row[n])));
                let went = kept.went.iter().map(|at| &rows[usize::from(*at)]);
                *sums = went.fold(sum, |sum, row| core::array::from_fn(|n| sum[n].wrapping_sub(row[n])));
            }
            return;
        }
        for (sums, rows) in sums {
            let ones = ones.iter().map(|at| &rows[usize::from(*at)]);
            *sums = ones.fold([0; BLOCK], |sum, row| core::array::from_fn(|n| sum[n].saturating_add(row[n])));
        }
        if !are_told {
            // All inputs: no position is near to that.
            kept.ones = [u64::MAX; WORDS];
        }
    }

    /// Returns the weights that are used, for tests.
    pub(super) fn used(&self, input: usize) -> [f32; HIDDEN[0]] {
        core::array::from_fn(|n| self.step * f32::from(self.weights[n / BLOCK][input][n % BLOCK]))
    }
}

/// The sum of the largest weights of a unit, whatever their signs.
fn largest(rows: &[[f32; HIDDEN[0]]], unit: usize) -> f32 {
    let mut weights: Vec<f32> = rows.iter().map(|row| row[unit].abs()).collect();
    if weights.len() > ONES {
        weights.select_nth_unstable_by(ONES, |a, b| b.total_cmp(a));
        weights.truncate(ONES);
    }
    // In one order, so that the sum is the same everywhere.
    weights.sort_by(|a, b| b.total_cmp(a));
    weights.iter().sum()
}

/// The nearest whole number, where one is in range.
#[expect(clippy::cast_possible_truncation, reason = "what is out of range stays at its end")]
fn whole(number: f32) -> i16 {
    number.round() as i16
}
