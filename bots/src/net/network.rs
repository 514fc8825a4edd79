//! The network: sparse inputs, two hidden layers, three outputs.

use super::input::INPUTS;

/// The sizes of the hidden layers.
pub const HIDDEN: [usize; 2] = [128, 32];
/// The number of outputs.
pub const OUTPUTS: usize = 3;

/// Weights and biases, by input: a row is what an input adds to all units of the next layer.
///
/// Sums are made in the order of the inputs, unit by unit, so that they are the same on every machine.
#[derive(Debug, Clone, PartialEq)]
pub struct Layers {
    /// By input.
    pub first: Vec<[f32; HIDDEN[0]]>,
    /// The biases of the first hidden layer.
    pub first_bias: [f32; HIDDEN[0]],
    /// By unit of the first hidden layer.
    pub second: Vec<[f32; HIDDEN[1]]>,
    /// The biases of the second hidden layer.
    pub second_bias: [f32; HIDDEN[1]],
    /// By output.
    pub third: [[f32; HIDDEN[1]]; OUTPUTS],
    /// The biases of the outputs.
    pub third_bias: [f32; OUTPUTS],
}

/// What the network says of a call.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Output {
    /// What it gains over a pass, in points of the deal's score, own side less other side.
    pub gain: f32,
    /// The logarithm of the odds that its contract is made if it becomes that of the deal.
    pub odds: f32,
    /// The score of the deal after it, own side less other side.
    pub score: f32,
}

/// A network that is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    /// Its weights.
    pub layers: Layers,
}

impl Default for Layers {
    fn default() -> Self {
        Self {
            first: vec![[0.0; HIDDEN[0]]; INPUTS],
            first_bias: [0.0; HIDDEN[0]],
            second: vec![[0.0; HIDDEN[1]]; HIDDEN[0]],
            second_bias: [0.0; HIDDEN[1]],
            third: [[0.0; HIDDEN[1]]; OUTPUTS],
            third_bias: [0.0; OUTPUTS],
        }
    }
}

/// Adds `factor` times a row.
#[inline]
pub(super) fn add_row<const N: usize>(to: &mut [f32; N], row: &[f32; N], factor: f32) {
    for (to, weight) in to.iter_mut().zip(row) {
        *to += factor * weight;
    }
}

impl Network {
    /// Adds what some inputs add to the first hidden layer.
    #[inline]
    pub fn add(&self, sums: &mut [f32; HIDDEN[0]], input: &[(u8, f32)]) {
        for (at, value) in input {
            add_row(sums, &self.layers.first[usize::from(*at)], *value);
        }
    }

    /// Returns what the sums of the first hidden layer lead to.
    pub fn output(&self, sums: &[f32; HIDDEN[0]]) -> Output {
        let second = self.second(sums);
        let [gain, odds, score] =
            core::array::from_fn(|n| self.layers.third_bias[n] + dot(&second, &self.layers.third[n]));
        Output { gain: 100.0 * gain, odds, score: 100.0 * score }
    }

    /// Returns the first of the outputs.
    #[inline]
    pub fn gain(&self, sums: &[f32; HIDDEN[0]]) -> f32 {
        100.0 * (self.layers.third_bias[0] + dot(&self.second(sums), &self.layers.third[0]))
    }

    /// The units of the second hidden layer.
    #[inline]
    fn second(&self, sums: &[f32; HIDDEN[0]]) -> [f32; HIDDEN[1]] {
        let mut second = self.layers.second_bias;
        for (sum, row) in sums.iter().zip(&self.layers.second) {
            // Without a branch on zero, which is no quicker: half of the units are, in no order.
            add_row(&mut second, row, sum.max(0.0));
        }
        second.map(|sum| sum.max(0.0))
    }
}

/// The scalar product, in eight sums, so that it is quick and the same on every machine.
#[inline]
pub(super) fn dot<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
    let mut sums = [0.0; 8];
    for (a, b) in a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0) {
        for n in 0..8 {
            sums[n] += a[n] * b[n];
        }
    }
    let fours: [f32; 4] = core::array::from_fn(|n| sums[n] + sums[n + 4]);
    (fours[0] + fours[2]) + (fours[1] + fours[3])
}
