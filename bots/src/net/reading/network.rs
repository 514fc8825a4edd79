//! The network, and what it learns from.

use core::fmt::Display;
use std::sync::{Arc, LazyLock};

use super::calls::CALL_INPUTS;
use crate::net::file::{NetError, NetKind};
use crate::net::gradient::{Gradient, InputRows, Learnt, Loss, Target};
use crate::net::layers::{Layers, add_row};
use crate::{ParamError, Params};

/// The sizes of the hidden layers.
pub(super) const HIDDEN: [usize; 2] = [64, 16];
/// Pass, coinche, surcoinche, and the bids by slot of the strain and level.
pub const CALL_OUTPUTS: usize = 3 + 6 * 20;

/// The weights of the network for calls.
pub type CallReading = Layers<CALL_INPUTS, { HIDDEN[0] }, { HIDDEN[1] }, CALL_OUTPUTS>;
/// What bidders of a population call.
#[derive(Debug, Clone, PartialEq)]
pub struct Population {
    /// The weights.
    pub layers: CallReading,
}

/// How many outputs are computed side by side.
const WIDTH: usize = 16;

/// The weights of the outputs that could be chosen, and of some that are next to impossible.
#[derive(Debug)]
pub(super) struct Packed {
    pub(super) legal: u128,
    parts: Vec<Part>,
}

/// Outputs side by side: what they begin with, and what each unit of the second hidden layer adds.
#[derive(Debug, Clone)]
struct Part {
    bias: [f32; WIDTH],
    by_unit: [[f32; WIDTH]; HIDDEN[1]],
}

impl Packed {
    /// Returns the place of an output; `None` if it could not be chosen.
    pub(super) fn place(&self, output: usize) -> Option<usize> {
        let before = self.legal & ((1 << output) - 1);
        (self.legal >> output & 1 == 1).then_some(before.count_ones() as usize)
    }
}

impl Population {
    /// Packs the outputs that can be chosen.
    pub(super) fn pack(&self, legal: u128) -> Packed {
        let count = (legal.count_ones() as usize).div_ceil(WIDTH);
        let mut parts = vec![Part { bias: [-1e9; WIDTH], by_unit: [[0.0; WIDTH]; HIDDEN[1]] }; count];
        for (place, at) in bits(legal).enumerate() {
            let (part, lane) = (&mut parts[place / WIDTH], place % WIDTH);
            part.bias[lane] = self.layers.third_bias[at];
            for (unit, weight) in self.layers.third[at].iter().enumerate() {
                part.by_unit[unit][lane] = *weight;
            }
        }
        Packed { legal, parts }
    }

    /// Returns the probability of what was chosen, by its place, given the sums of the first hidden layer.
    #[inline]
    pub(super) fn chance(&self, sums: &[f32; HIDDEN[0]], packed: &Packed, chosen: usize) -> f32 {
        let units = self.layers.second(sums);
        let mut outputs = [[0.0; WIDTH]; CALL_OUTPUTS.div_ceil(WIDTH)];
        let outputs = &mut outputs[..packed.parts.len()];
        let mut highest = [f32::MIN; WIDTH];
        for (part, to) in packed.parts.iter().zip(&mut *outputs) {
            *to = part.bias;
            for (unit, row) in units.into_iter().zip(&part.by_unit) {
                add_row(to, row, unit);
            }
            highest = core::array::from_fn(|n| if to[n] > highest[n] { to[n] } else { highest[n] });
        }
        let highest = highest.into_iter().fold(f32::MIN, f32::max);
        let mut sum = [0.0; WIDTH];
        for to in &mut *outputs {
            *to = to.map(|output| exp(output - highest));
            add_row(&mut sum, to, 1.0);
        }
        outputs[chosen / WIDTH][chosen % WIDTH] / sum.iter().sum::<f32>()
    }

    /// What its files are.
    pub const KIND: NetKind =
        NetKind { what: "reading", format: "coinche reading network 2", beside: None, inputs: None };
}

network_file!(Population, "reading.safetensors", Self::KIND, |layers: CallReading| Self { layers });

/// What was chosen among the outputs.
///
/// What is minimised, and the first of the losses, is the logarithm of the probability of what was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChoiceTarget {
    /// The outputs that could be chosen.
    pub legal: u128,
    /// That which was, with those that do the same.
    pub chosen: u128,
}

learnt!(ChoiceTarget: CALL_INPUTS, HIDDEN, CALL_OUTPUTS);

impl<const O: usize> Target<O> for ChoiceTarget {
    fn off(&self, outputs: &[f32; O]) -> ([f32; O], Loss) {
        let mut off = [0.0; O];
        let shares = Shares::of(self.legal, |at| outputs[at]);
        let (all, chosen) = (shares.sum(self.legal), shares.sum(self.chosen));
        for at in bits(self.legal) {
            let of_chosen = if self.chosen >> at & 1 == 1 { shares.0[at] / chosen.max(1e-20) } else { 0.0 };
            off[at] = shares.0[at] / all - of_chosen;
        }
        let mut loss = Loss::default();
        loss.0[0] = (-libm::log(f64::from(chosen / all).max(1e-9)), 1.0);
        (off, loss)
    }
}

/// How likely outputs are, up to a common factor.
struct Shares([f32; 128]);

impl Shares {
    /// Of these outputs; 0 of all others.
    #[inline]
    fn of(legal: u128, mut output: impl FnMut(usize) -> f32) -> Self {
        let mut shares = [0.0; 128];
        let mut highest = f32::MIN;
        for at in bits(legal) {
            shares[at] = output(at);
            highest = highest.max(shares[at]);
        }
        for at in bits(legal) {
            shares[at] = exp(shares[at] - highest);
        }
        Self(shares)
    }

    #[inline]
    fn sum(&self, of: u128) -> f32 {
        bits(of).map(|at| self.0[at]).sum()
    }
}

/// Iterates over the places of the bits that are set.
#[inline]
fn bits(mut of: u128) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let at = of.trailing_zeros() as usize;
        of &= of.wrapping_sub(1);
        (at < 128).then_some(at)
    })
}

/// The exponential of a number that is not positive, the same on every machine; off by a thousandth and less where it is not tiny.
#[inline]
pub(crate) fn exp(x: f32) -> f32 {
    let mut power = 1.0 + x.max(-30.0) / 1024.0;
    for _ in 0..10 {
        power *= power;
    }
    power
}
