//! What the network of the bidder says of a call.

use core::fmt::Display;
use std::sync::{Arc, LazyLock};

use super::input::INPUTS;
use crate::net::file::{NetError, NetKind};
use crate::net::layers::Layers;
use crate::table::BiddingTable;
use crate::{ParamError, Params};

/// The sizes of the hidden layers.
pub const HIDDEN: [usize; 2] = [128, 32];
/// The number of outputs.
pub const OUTPUTS: usize = 3;

/// The weights of the bidder's network.
pub type BiddingLayers = Layers<INPUTS, { HIDDEN[0] }, { HIDDEN[1] }, OUTPUTS>;

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

/// The network of the bidder, to be asked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BiddingNetwork {
    /// Its weights.
    pub layers: BiddingLayers,
}

network_file!(BiddingNetwork, "bidding.safetensors", Self::kind(), |layers: BiddingLayers| Self { layers });

fn shipped(name: &str, bytes: &[u8]) -> Arc<BiddingNetwork> {
    Arc::new(BiddingNetwork::from_bytes(name, bytes).expect("the network of the repository is whole"))
}

impl BiddingNetwork {
    /// Returns the network of the bot `champion`.
    pub fn champion() -> Arc<Self> {
        static CHAMPION: LazyLock<Arc<BiddingNetwork>> =
            LazyLock::new(|| shipped("champion", include_bytes!("../../../data/champion.safetensors")));
        Arc::clone(&CHAMPION)
    }

    /// Returns the network of the bot `champion` where its bids have a style.
    pub fn natural() -> Arc<Self> {
        static NATURAL: LazyLock<Arc<BiddingNetwork>> =
            LazyLock::new(|| shipped("natural", include_bytes!("../../../data/natural.safetensors")));
        Arc::clone(&NATURAL)
    }

    /// What its files say that they are.
    pub fn kind() -> NetKind {
        let table = BiddingTable::built_in().fingerprint();
        let format = "coinche bidding network 1";
        NetKind { what: "bidding", format, beside: Some(("table", table)), inputs: None }
    }

    /// Adds what some inputs add to the first hidden layer.
    #[inline]
    pub fn add(&self, sums: &mut [f32; HIDDEN[0]], input: &[(u8, f32)]) {
        self.layers.add(sums, input.iter().map(|(at, value)| (usize::from(*at), value)));
    }

    /// Returns what the sums of the first hidden layer lead to.
    pub fn output(&self, sums: &[f32; HIDDEN[0]]) -> Output {
        let second = self.layers.second(sums);
        let [gain, odds, score] = core::array::from_fn(|n| self.layers.output(&second, n));
        Output { gain: 100.0 * gain, odds, score: 100.0 * score }
    }

    /// Returns the first of the outputs.
    #[inline]
    pub fn gain(&self, sums: &[f32; HIDDEN[0]]) -> f32 {
        100.0 * self.layers.output(&self.layers.second(sums), 0)
    }
}
