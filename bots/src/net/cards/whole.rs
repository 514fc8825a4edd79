//! The first layer of the card network in whole numbers, and its sums of the last position, which the next is much alike.

use super::input::{AT_NUMBERS, InputSet, NUMBERS};
use super::network::{CardLayers, HIDDEN};
use super::public::place;

/// How many units are summed up at a time: as many as fit in registers.
const BLOCK: usize = 128;
const BLOCKS: usize = HIDDEN[0] / BLOCK;
const _: () = assert!(HIDDEN[0].is_multiple_of(BLOCK), "the first layer is blocks of units");

/// The weights of the inputs that are one, in steps of their unit: eight bits each, so that they stay in the cache, where most of the time goes.
///
/// A sum of 258 of them does not leave sixteen bits, which is more inputs than a position has: they are added in any order.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WholeLayer {
    weights: [Vec<[i8; BLOCK]>; BLOCKS],
    /// By unit, a 127th of its largest weight.
    steps: [f32; HIDDEN[0]],
}

/// A position's inputs with their sums: from one choice of a seat to its next two thirds of them stay.
#[derive(Debug, Clone)]
pub(super) struct KeptSums {
    ones: InputSet,
    sums: [i16; HIDDEN[0]],
    /// The inputs that are numbers, and what they make of the biases.
    numbers: [f32; NUMBERS],
    base: [f32; HIDDEN[0]],
    /// The inputs by which the last position differs from the one before.
    came: Inputs,
    went: Inputs,
}

impl Default for KeptSums {
    /// No input is one, and no number is that of a position.
    fn default() -> Self {
        let (sums, numbers, base) = ([0; HIDDEN[0]], [f32::NAN; NUMBERS], [0.0; HIDDEN[0]]);
        Self {
            ones: InputSet::default(),
            sums,
            numbers,
            base,
            came: Inputs::default(),
            went: Inputs::default(),
        }
    }
}

impl KeptSums {
    /// Notes the inputs of a position, and by which it differs from the last; or from none, where fewer are one at all.
    #[inline]
    fn change(&mut self, ones: &InputSet) {
        let number = |changed: fn(u64, u64) -> u64| -> u32 {
            ones.words
                .iter()
                .zip(&self.ones.words)
                .map(|(now, before)| changed(*now, *before).count_ones())
                .sum()
        };
        if number(|now, before| now ^ before) >= number(|now, _| now) {
            (self.ones, self.sums) = (InputSet::default(), [0; HIDDEN[0]]);
        }
        (self.came.count, self.went.count) = (0, 0);
        for (word, (now, before)) in ones.words.iter().zip(&mut self.ones.words).enumerate() {
            let mut changed = *now ^ *before;
            while changed != 0 {
                let bit = changed.trailing_zeros();
                let (at, has_come) = (place(64 * word + bit as usize), now >> bit & 1 == 1);
                self.came.add_if(has_come, at);
                self.went.add_if(!has_come, at);
                changed &= changed - 1;
            }
            *before = *now;
        }
    }
}

/// A list of inputs, to which one is added without a branch.
#[derive(Debug, Clone)]
struct Inputs {
    at: [u16; AT_NUMBERS + 1],
    count: usize,
}

impl Default for Inputs {
    fn default() -> Self {
        Self { at: [0; AT_NUMBERS + 1], count: 0 }
    }
}

impl Inputs {
    #[inline]
    fn add_if(&mut self, is_in: bool, at: u16) {
        self.at[self.count] = at;
        self.count += usize::from(is_in);
    }

    fn all(&self) -> &[u16] {
        &self.at[..self.count]
    }
}

impl WholeLayer {
    /// Rounds the weights to steps of their unit.
    pub(super) fn new(layers: &CardLayers) -> Self {
        let rows = &layers.first[..AT_NUMBERS];
        let mut steps = [0.0f32; HIDDEN[0]];
        for row in rows {
            steps.iter_mut().zip(row).for_each(|(most, weight)| *most = most.max(weight.abs()));
        }
        steps.iter_mut().for_each(|most| *most /= 127.0);
        let part = |row: &[f32; HIDDEN[0]], block: usize| {
            core::array::from_fn(|n| whole(row[block * BLOCK + n] / steps[block * BLOCK + n]))
        };
        let weights = core::array::from_fn(|block| rows.iter().map(|row| part(row, block)).collect());
        Self { weights, steps }
    }

    /// Returns the sums of the first layer in a position, and keeps them.
    #[inline]
    pub(super) fn sums(
        &self,
        layers: &CardLayers,
        ones: &InputSet,
        numbers: &[f32; NUMBERS],
        kept: &mut KeptSums,
    ) -> [f32; HIDDEN[0]] {
        kept.change(ones);
        for (sums, rows) in kept.sums.as_chunks_mut::<BLOCK>().0.iter_mut().zip(&self.weights) {
            let sum = fold(*sums, rows, kept.went.all().iter().chain(&kept.ones.again), i16::wrapping_sub);
            *sums = fold(sum, rows, kept.came.all().iter().chain(&ones.again), i16::wrapping_add);
        }
        kept.ones.again.clone_from(&ones.again);
        if kept.numbers != *numbers {
            (kept.numbers, kept.base) = (*numbers, layers.first_bias);
            let numbers = numbers.iter().enumerate().map(|(n, value)| (AT_NUMBERS + n, value));
            layers.add(&mut kept.base, numbers);
        }
        core::array::from_fn(|n| kept.base[n] + self.steps[n] * f32::from(kept.sums[n]))
    }

    /// Returns the weights that are used, for tests.
    pub(super) fn used(&self, input: usize) -> [f32; HIDDEN[0]] {
        core::array::from_fn(|n| self.steps[n] * f32::from(self.weights[n / BLOCK][input][n % BLOCK]))
    }
}

/// Adds or subtracts the weights of some inputs.
#[inline]
fn fold<'a>(
    sums: [i16; BLOCK],
    rows: &[[i8; BLOCK]],
    inputs: impl Iterator<Item = &'a u16>,
    combine: impl Fn(i16, i16) -> i16,
) -> [i16; BLOCK] {
    let rows = inputs.map(|at| &rows[usize::from(*at)]);
    rows.fold(sums, |sum, row| core::array::from_fn(|n| combine(sum[n], row[n].into())))
}

/// The nearest whole number; 0 for a unit without weights.
#[expect(
    clippy::cast_possible_truncation,
    reason = "steps are a 127th of the largest, and what is no number is 0"
)]
fn whole(number: f32) -> i8 {
    number.round() as i8
}
