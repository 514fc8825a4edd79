//! The two networks, and what they learn from.

use std::sync::{Arc, LazyLock};

use super::calls::CALL_INPUTS;
use super::cards::CARD_INPUTS;
use crate::net::file::{Kind, NetError};
use crate::net::gradient::{Loss, Target};
use crate::net::layers::Layers;

/// The sizes of the hidden layers.
pub(super) const HIDDEN: [usize; 2] = [128, 32];
/// Pass, coinche, surcoinche, and the bids by slot of the strain and level.
pub const CALL_OUTPUTS: usize = 3 + 6 * 20;

/// The weights of the network for calls.
pub type CallReading = Layers<CALL_INPUTS, { HIDDEN[0] }, { HIDDEN[1] }, CALL_OUTPUTS>;
/// The weights of the network for cards.
pub type CardReading = Layers<CARD_INPUTS, { HIDDEN[0] }, { HIDDEN[1] }, 32>;

/// What players of a population do.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Population {
    /// For calls.
    pub calls: CallReading,
    /// For cards.
    pub cards: CardReading,
}

impl Population {
    /// What their files are.
    pub const KIND: Kind = Kind { what: "reading", format: "coinche reading networks 1", beside: None };

    /// Returns those that come with the program.
    pub fn built_in() -> Arc<Self> {
        Arc::clone(&BUILT_IN)
    }

    /// Reads both from a file.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or is none of these.
    pub fn read(path: &str) -> Result<Self, NetError> {
        Self::from_bytes(path, &Self::KIND.bytes(path)?)
    }

    /// Reads both from the bytes of a file.
    ///
    /// # Errors
    ///
    /// When it is no file of these, or the weights are not those that were written.
    pub fn from_bytes(path: &str, bytes: &[u8]) -> Result<Self, NetError> {
        let mut both = Self::default();
        Self::KIND.read(path, bytes, both.calls.read("calls.").chain(both.cards.read("cards.")).collect())?;
        Ok(both)
    }

    /// Returns the file of both; `made` says how they were made.
    pub fn to_bytes(&self, made: &[(&str, String)]) -> Vec<u8> {
        let tensors: Vec<_> = self.calls.written("calls.").chain(self.cards.written("cards.")).collect();
        Self::KIND.write(made, &tensors)
    }
}

/// The networks that come with the program.
static BUILT_IN: LazyLock<Arc<Population>> = LazyLock::new(|| {
    let bytes = include_bytes!("../../../data/reading.safetensors");
    let both = Population::from_bytes("reading.safetensors", bytes);
    Arc::new(both.expect("the networks of the repository are whole"))
});

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
        loss.0[0] = (-f64::from(chosen / all).max(1e-9).ln(), 1.0);
        (off, loss)
    }
}

/// How likely outputs are, up to a common factor.
pub(super) struct Shares([f32; 128]);

impl Shares {
    /// Of these outputs; 0 of all others.
    #[inline]
    pub(super) fn of(legal: u128, mut output: impl FnMut(usize) -> f32) -> Self {
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
    pub(super) fn sum(&self, of: u128) -> f32 {
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
