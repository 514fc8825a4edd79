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
    /// Those of the outputs, by unit of the second hidden layer.
    by_unit: [Lanes; HIDDEN[1]],
}

/// A number for each output, and some that are not used, so that they are computed side by side.
type Lanes = [f32; LANES];
const LANES: usize = CALL_OUTPUTS.next_multiple_of(16);

impl From<CallReading> for Population {
    fn from(layers: CallReading) -> Self {
        let mut by_unit = [[0.0; LANES]; HIDDEN[1]];
        for (at, row) in layers.third.iter().enumerate() {
            for (unit, weight) in row.iter().enumerate() {
                by_unit[unit][at] = *weight;
            }
        }
        Self { layers, by_unit }
    }
}

impl Population {
    /// Returns the probability of what was chosen, given the sums of the first hidden layer.
    #[inline]
    pub(super) fn chance(&self, sums: &[f32; HIDDEN[0]], target: &Chosen) -> f32 {
        let mut outputs = [0.0; LANES];
        outputs[..CALL_OUTPUTS].copy_from_slice(&self.layers.third_bias);
        for (unit, row) in self.layers.second(sums).into_iter().zip(&self.by_unit) {
            // Half of the units are zero, and a row is long.
            if unit > 0.0 {
                add_row(&mut outputs, row, unit);
            }
        }
        let highest = outputs.iter().zip(&target.legal).map(|(output, penalty)| output + penalty);
        let highest = highest.fold(f32::MIN, f32::max);
        for (output, penalty) in outputs.iter_mut().zip(&target.legal) {
            *output = exp(*output + penalty - highest);
        }
        let sum: f32 = sum(&outputs);
        for (output, share) in outputs.iter_mut().zip(&target.chosen) {
            *output *= share;
        }
        self::sum(&outputs) / sum
    }

    /// What its files are.
    pub const KIND: NetKind =
        NetKind { what: "reading", format: "coinche reading network 2", beside: None, inputs: None };
}

network_file!(Population, "reading.safetensors", Self::KIND, |layers: CallReading| Self::from(layers));

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

/// What was chosen among the outputs, for numbers side by side.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chosen {
    /// What is added to each output: nothing if it could be chosen, else what makes it next to impossible.
    legal: Lanes,
    /// One for what was chosen, nothing for what was not.
    chosen: Lanes,
}

impl From<ChoiceTarget> for Chosen {
    fn from(target: ChoiceTarget) -> Self {
        let has = |of: u128, at: usize| of >> at & 1 == 1;
        Self {
            legal: core::array::from_fn(|at| if has(target.legal, at) { 0.0 } else { -1e9 }),
            chosen: core::array::from_fn(|at| if has(target.chosen, at) { 1.0 } else { 0.0 }),
        }
    }
}

/// The sum of numbers, in sixteen sums side by side.
#[inline]
fn sum(lanes: &Lanes) -> f32 {
    let mut sums = [0.0; 16];
    for part in lanes.as_chunks::<16>().0 {
        sums.iter_mut().zip(part).for_each(|(sum, lane)| *sum += lane);
    }
    sums.iter().sum()
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
