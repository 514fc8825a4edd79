//! The first layer of the card network in whole numbers, and its sums of the last position, which the next is much alike.

use super::input::{AT_NUMBERS, InputSet, NUMBERS};
use super::network::{CardLayers, HIDDEN};
use super::public::place;

/// How many units are summed up at a time: as many as fit in registers. They are two to a lane.
const BLOCK: usize = 2 * LANES;
const LANES: usize = if cfg!(target_feature = "avx") { 64 } else { 32 };
const BLOCKS: usize = HIDDEN[0] / BLOCK;
const _: () = assert!(HIDDEN[0].is_multiple_of(BLOCK), "the first layer is blocks of units");

/// The weights of the inputs that are one, in steps of their unit: eight bits each, so that they stay in the cache, where most of the time goes.
///
/// A lane is 256 times the weight of one unit plus 128 more than that of another. The sum of lanes and the sum of their high bytes tell both sums,
/// modulo 2^16, and take less time than to widen each byte. A sum of 258 weights does not leave sixteen bits, which is more inputs than a position
/// has: they are added in any order.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WholeLayer {
    weights: [Vec<[i16; LANES]>; BLOCKS],
    /// By unit, a 127th of its largest weight.
    steps: [f32; HIDDEN[0]],
}

/// Sums of lanes, and of their high bytes.
type Lanes = [[i16; LANES]; 2];

/// A position's inputs with their sums: from one choice of a seat to its next two thirds of them stay.
#[derive(Debug, Clone)]
pub(super) struct KeptSums {
    ones: InputSet,
    sums: [Lanes; BLOCKS],
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
        let (sums, numbers, base) = ([[[0; LANES]; 2]; BLOCKS], [f32::NAN; NUMBERS], [0.0; HIDDEN[0]]);
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
            (self.ones, self.sums) = (InputSet::default(), [[[0; LANES]; 2]; BLOCKS]);
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
        for most in &mut steps {
            *most /= 127.0;
        }
        let lane = |row: &[f32; HIDDEN[0]], low: usize| {
            let of = |unit: usize| whole(row[unit] / steps[unit]);
            256 * of(low + LANES) + of(low) + 128
        };
        let part = |row, block| core::array::from_fn(|n| lane(row, block * BLOCK + n));
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
        let went = || kept.went.all().iter().chain(&kept.ones.again);
        let came = || kept.came.all().iter().chain(&ones.again);
        for (sums, rows) in kept.sums.iter_mut().zip(&self.weights) {
            *sums = fold(*sums, rows, went(), i16::wrapping_sub);
            *sums = fold(*sums, rows, came(), i16::wrapping_add);
        }
        kept.ones.again.clone_from(&ones.again);
        if kept.numbers.map(f32::to_bits) != numbers.map(f32::to_bits) {
            (kept.numbers, kept.base) = (*numbers, layers.first_bias);
            let numbers = numbers.iter().enumerate().map(|(n, value)| (AT_NUMBERS + n, value));
            layers.add(&mut kept.base, numbers);
        }
        let offset = ones.count().wrapping_mul(128);
        let mut sums = kept.base;
        for (block, lanes) in kept.sums.iter().enumerate() {
            let from = block * BLOCK;
            for n in 0..LANES {
                let [low, high] = apart([lanes[0][n], lanes[1][n]], offset);
                sums[from + n] += self.steps[from + n] * f32::from(low);
                sums[from + LANES + n] += self.steps[from + LANES + n] * f32::from(high);
            }
        }
        sums
    }

    /// Returns the weights that are used, for tests.
    pub(super) fn used(&self, input: usize) -> [f32; HIDDEN[0]] {
        core::array::from_fn(|unit| {
            let lane = self.weights[unit / BLOCK][input][unit % LANES];
            self.steps[unit] * f32::from(apart([lane, lane >> 8], 128)[unit % BLOCK / LANES])
        })
    }
}

/// Adds or subtracts the weights of some inputs.
#[inline]
fn fold<'a>(
    sums: Lanes,
    rows: &[[i16; LANES]],
    inputs: impl Iterator<Item = &'a u16>,
    combine: impl Fn(i16, i16) -> i16,
) -> Lanes {
    let [mut all, mut high] = sums;
    for at in inputs {
        let row = &rows[usize::from(*at)];
        for n in 0..LANES {
            all[n] = combine(all[n], row[n]);
            high[n] = combine(high[n], row[n] >> 8);
        }
    }
    [all, high]
}

/// The sums of the two units of a lane, given those of lanes and of high bytes, and what all that was added to low bytes.
#[inline]
const fn apart([all, high]: [i16; 2], offset: i16) -> [i16; 2] {
    [all.wrapping_sub(high << 8).wrapping_sub(offset), high]
}

/// The nearest whole number; 0 for a unit without weights.
#[expect(clippy::cast_possible_truncation, reason = "seven bits, and what is no number is 0")]
fn whole(number: f32) -> i16 {
    number.clamp(-127.0, 127.0).round() as i16
}
