//! What the network of the card player says of the cards of a hand.

use core::fmt::Display;
use std::sync::{Arc, LazyLock};

use super::input::{CardInput, FINGERPRINT, INPUTS, InputSet, NUMBERS};
use super::whole::{KeptSums, WholeLayer};
use crate::net::file::{NetError, NetKind};
use crate::net::gradient::{Gradient, InputRows, Learnt, Loss, Target};
use crate::net::layers::Layers;
use crate::net::reading::exp;
use crate::{ParamError, Params};

/// The sizes of the hidden layers.
pub const HIDDEN: [usize; 2] = [512, 64];
/// The number of outputs: three for each card, suits in the order of the input.
pub const OUTPUTS: usize = 3 * 32;

/// The weights of the card player's network.
pub type CardLayers = Layers<INPUTS, { HIDDEN[0] }, { HIDDEN[1] }, OUTPUTS>;

/// The network of the card player, to be asked.
///
/// It is asked with the weights of its first layer rounded to eight bits.
#[derive(Debug, Clone, PartialEq)]
pub struct CardNetwork {
    layers: CardLayers,
    first: WholeLayer,
}

impl Default for CardNetwork {
    fn default() -> Self {
        Self::new(CardLayers::default())
    }
}

network_file!(CardNetwork, "cards.safetensors", Self::KIND, |layers: CardLayers| Self::new(layers));

impl CardNetwork {
    /// Makes a network of its weights.
    pub fn new(layers: CardLayers) -> Self {
        let first = WholeLayer::new(&layers);
        Self { layers, first }
    }

    /// Returns its weights.
    pub const fn layers(&self) -> &CardLayers {
        &self.layers
    }

    /// Returns what an input of one adds to the first layer when the network is asked: its weights, rounded.
    ///
    /// # Panics
    ///
    /// When there is no such input.
    pub fn rounded(&self, input: usize) -> [f32; HIDDEN[0]] {
        self.first.used(input)
    }

    /// What its files are.
    pub const KIND: NetKind =
        NetKind { what: "cards", format: "coinche card network 1", beside: None, inputs: Some(FINGERPRINT) };

    /// Returns the units of the second hidden layer in a position, given the sums of another that is much alike.
    #[inline]
    pub(super) fn second(
        &self,
        ones: &InputSet,
        numbers: &[f32; NUMBERS],
        kept: &mut KeptSums,
    ) -> [f32; HIDDEN[1]] {
        self.layers.second(&self.first.sums(&self.layers, ones, numbers, kept))
    }

    /// Returns all outputs in a position, in hundreds of points: what each card is worth more than the mean of those that could be played, as
    /// solved, then as played out; then how likely it is to be played, as the logarithm of a share. Those of cards that are not legal mean
    /// nothing.
    ///
    /// Costs some microseconds.
    pub fn outputs(&self, input: &CardInput) -> [f32; OUTPUTS] {
        let second =
            self.second(&input.ones.iter().copied().collect(), &input.numbers, &mut KeptSums::default());
        core::array::from_fn(|at| self.layers.output(&second, at))
    }

    /// Returns what a card is worth more than the mean of those that could be played, in points of the deal's score, given the second
    /// hidden layer: by playing it out. The solver assumes that everybody sees all cards; what it says helps the network to learn.
    #[inline]
    pub(super) fn value(&self, second: &[f32; HIDDEN[1]], card: usize) -> f32 {
        100.0 * self.layers.output(second, 32 + card)
    }
}

/// The most cards of a hand.
const HAND: usize = 8;

/// What came of the legal cards of a position.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CardTarget {
    /// How many cards there are.
    pub count: u8,
    /// Which, suits in the order of the input.
    pub cards: [u8; HAND],
    /// The score after each, in hundreds of points, less the mean of them: by the solver.
    pub solved: [f32; HAND],
    /// Whether they were solved: otherwise nothing is learnt of that.
    pub is_solved: bool,
    /// The same, as played out.
    pub played_out: [f32; HAND],
    /// Which of the cards do the same as the one that was played; none where chance chose it.
    pub chosen: u8,
}

impl CardTarget {
    fn each(&self) -> impl Iterator<Item = (usize, usize)> {
        self.cards.into_iter().take(self.count.into()).map(usize::from).enumerate()
    }
}

learnt!(CardTarget: INPUTS, HIDDEN, OUTPUTS);

impl Target<OUTPUTS> for CardTarget {
    fn off(&self, outputs: &[f32; OUTPUTS]) -> ([f32; OUTPUTS], Loss) {
        let (mut off, mut loss) = ([0.0; OUTPUTS], Loss::default());
        for (n, card) in self.each() {
            for (head, value) in [self.solved[n], self.played_out[n]].into_iter().enumerate() {
                let at = 32 * head + card;
                if head == 0 && !self.is_solved {
                    continue;
                }
                off[at] = outputs[at] - value;
                loss.0[head].0 += f64::from(off[at] * off[at]);
                loss.0[head].1 += 1.0;
            }
        }
        if self.chosen != 0 {
            let highest = self.each().map(|(_, card)| outputs[64 + card]).fold(f32::MIN, f32::max);
            let mut shares = [0.0f32; HAND];
            self.each().for_each(|(n, card)| shares[n] = exp(outputs[64 + card] - highest));
            let (all, chosen) = self.each().fold((0.0, 0.0), |(all, chosen), (n, _)| {
                (all + shares[n], chosen + if self.chosen >> n & 1 == 1 { shares[n] } else { 0.0 })
            });
            for (n, card) in self.each() {
                let of_chosen = if self.chosen >> n & 1 == 1 { shares[n] / chosen.max(1e-20) } else { 0.0 };
                off[64 + card] = 0.3 * (shares[n] / all - of_chosen);
            }
            loss.0[2] = (-libm::log(f64::from(chosen / all).max(1e-9)), 1.0);
        }
        (off, loss)
    }
}
