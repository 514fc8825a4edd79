//! The card player in the registry.

use std::sync::Arc;

use coinche_engine::{BySeat, Card, CardSet, Key, View};

use super::deep::DeepNetwork;
use super::input::{CardInput, InputSet, collect, encode};
use super::network::CardNetwork;
use super::public::KnownWorths;
use super::whole::KeptSums;
use crate::{Agent, CardPlayer, ParamError, ParamInfo, Params};

/// Plays by a network: the card with the highest value.
///
/// Without randomness, and in some microseconds. It tells no thought: what a card is worth more than the mean of the others is not a score of
/// the deal ([`NetPlayer::values`] has it).
#[derive(Debug, Clone)]
pub struct NetPlayer {
    network: Network,
    ones: InputSet,
    /// By seat, the first layer's sums at its last choice.
    kept: Box<BySeat<KeptSums>>,
    known: KnownWorths,
}

/// Whose values it plays by.
#[derive(Debug, Clone)]
enum Network {
    Ours(Arc<CardNetwork>),
    Deep(Arc<DeepNetwork>),
}

impl Default for NetPlayer {
    fn default() -> Self {
        Self::new(CardNetwork::built_in())
    }
}

impl NetPlayer {
    /// The parameters in the registry.
    pub const PARAMS: &'static [ParamInfo] = params! {
        "cards" = "built-in", "a file of `arena train cards` or coinche.train, or built-in", "the network of the card player";
    };

    /// Makes a player that uses this network.
    pub fn new(network: Arc<CardNetwork>) -> Self {
        Self::of(Network::Ours(network))
    }

    fn of(network: Network) -> Self {
        Self { network, ones: InputSet::default(), kept: Box::default(), known: KnownWorths::default() }
    }

    /// Reads the parameters, and returns how to make the player.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is no network.
    pub fn maker(params: &Params) -> Result<impl Fn() -> Self + Send + Sync + use<>, ParamError> {
        let deep = DeepNetwork::of_param(params, "cards")?;
        let ours = || CardNetwork::of_param(params, "cards").map(Network::Ours);
        let this = Self::of(deep.map_or_else(ours, |network| Ok(Network::Deep(Arc::new(network))))?);
        Ok(move || this.clone())
    }

    /// Calls `report` with each card and what it is worth more than the mean of them, in points of the deal's score; suits in the order of
    /// the input.
    ///
    /// Costs some microseconds.
    pub fn values(&mut self, view: &View<'_>, legal: CardSet, mut report: impl FnMut(Card, f32)) {
        let network = match &self.network {
            Network::Ours(network) => network,
            Network::Deep(network) => {
                let mut input = CardInput::default();
                let order = encode(view, &mut input);
                let values = network.outputs(&input);
                for card in order.rename(legal) {
                    let restored = order.restore(CardSet::only(card)).first().unwrap_or(card);
                    report(restored, 100.0 * values[card.index()]);
                }
                return;
            }
        };
        let (order, numbers) = collect(view, &mut self.ones, &mut self.known);
        let second = network.second(&self.ones, &numbers, &mut self.kept[view.seat()]);
        for card in order.rename(legal) {
            let value = network.value(&second, card.index());
            report(order.restore(CardSet::only(card)).first().unwrap_or(card), value);
        }
    }
}

impl Agent for NetPlayer {}

impl CardPlayer for NetPlayer {
    fn play(&mut self, view: &View<'_>, legal: CardSet, _key: Key) -> Card {
        let only = legal.first().expect("there is a legal card");
        if legal.len() == 1 {
            return only;
        }
        let mut best = (f32::NEG_INFINITY, only);
        // Of equal ones the first: cards are met in the order of the input.
        self.values(view, legal, |card, value| {
            if value > best.0 {
                best = (value, card);
            }
        });
        best.1
    }

    fn advantages(&mut self, view: &View<'_>, legal: CardSet) -> Vec<(Card, f64)> {
        let mut advantages = Vec::new();
        self.values(view, legal, |card, value| advantages.push((card, value.into())));
        advantages
    }
}
