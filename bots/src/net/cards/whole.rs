//! The first layer of the card network in whole numbers.

use super::input::{AT_NUMBERS, CardInput};
use super::network::{CardLayers, HIDDEN};

/// How many units are summed up at a time: as many as fit in registers.
const BLOCK: usize = 128;
/// About how many inputs are one in a position.
const ONES: usize = 100;
/// The finest step of a weight is one in so many.
const FINEST: f32 = 1024.0;

/// The weights of the inputs that are one, in steps of 1 / `scale`: sixteen bits each, so that they stay in the cache, where most of the time goes.
///
/// Sums are made in the order of the inputs. One that leaves the range, as those of a network with wild weights may, stays at its end.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WholeLayer {
    weights: Vec<[i16; HIDDEN[0]]>,
    step: f32,
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
            weights: rows.iter().map(|row| row.map(|weight| whole(weight * scale))).collect(),
            step: 1.0 / scale,
        }
    }

    /// Returns the sums of the first layer in a position.
    #[inline]
    pub(super) fn sums(&self, layers: &CardLayers, input: &CardInput) -> [f32; HIDDEN[0]] {
        const { assert!(HIDDEN[0].is_multiple_of(BLOCK), "the first layer is blocks of units") };
        let mut sums = layers.first_bias;
        for (block, to) in sums.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
            let mut sum = [0i16; BLOCK];
            for at in &input.ones {
                let row = &self.weights[usize::from(*at)].as_chunks::<BLOCK>().0[block];
                sum = core::array::from_fn(|n| sum[n].saturating_add(row[n]));
            }
            for (to, sum) in to.iter_mut().zip(sum) {
                *to += self.step * f32::from(sum);
            }
        }
        let numbers = input.numbers.iter().enumerate().filter(|(_, value)| **value != 0.0);
        layers.add(&mut sums, numbers.map(|(n, value)| (AT_NUMBERS + n, value)));
        sums
    }

    /// Returns the weights that are used, for tests.
    pub(super) fn used(&self, input: usize) -> [f32; HIDDEN[0]] {
        self.weights[input].map(|weight| self.step * f32::from(weight))
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
