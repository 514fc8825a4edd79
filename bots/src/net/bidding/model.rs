//! From a hand and an auction to what every call gains, by the network.

use std::sync::Arc;

use coinche_engine::rules::DealMethod;
use coinche_engine::{Call, CardSet, LegalCalls, RuleSet, Strain, View};

use super::input::{Encoder, Input, KnownNumbers};
use super::network::{BiddingNetwork, Output};
use crate::BidStyle;
use crate::table::{BiddingContext, CallContext, CallForecast, Company, ConsideredCall, Model, best_of, tie};

/// The network with the calls that it looks at: those that `table` finds worth a thought.
///
/// To be kept and used again: it holds what contracts score under the rules of its last question. In the turn-up game it says what `table`
/// says.
#[derive(Debug, Clone)]
pub struct NetModel {
    table: Model,
    /// `None`: what calls gain is what the table says.
    network: Option<Arc<BiddingNetwork>>,
    /// What a coinche must gain to be called, in points.
    coinche: f32,
    /// What bids must show.
    style: Option<Arc<dyn BidStyle>>,
    /// The bidder by whose corrections its scores are told.
    bidder: &'static str,
    numbers: KnownNumbers,
    /// The inputs that calls have in common.
    common: Input,
    of_strain: Input,
    of_call: Input,
    /// The calls that were considered last.
    considered: Vec<ConsideredCall>,
    /// What the network says of them, where it was asked.
    outputs: Vec<Output>,
}

impl Default for NetModel {
    fn default() -> Self {
        Self::new(Some(BiddingNetwork::built_in()))
    }
}

impl NetModel {
    /// Makes a model of a network; without one calls gain what the table says.
    pub fn new(network: Option<Arc<BiddingNetwork>>) -> Self {
        Self {
            table: Model::default(),
            network,
            coinche: 0.0,
            style: None,
            bidder: "net",
            numbers: KnownNumbers::default(),
            common: Vec::new(),
            of_strain: Vec::new(),
            of_call: Vec::new(),
            considered: Vec::new(),
            outputs: Vec::new(),
        }
    }

    /// Makes the model of the bot `champion`; where it has a style, by the network that was trained in the style `natural`.
    pub fn champion(style: Option<Arc<dyn BidStyle>>) -> Self {
        let (bidder, network) = match style {
            None => ("champion", BiddingNetwork::champion()),
            Some(_) => ("natural", BiddingNetwork::natural()),
        };
        Self { style, bidder, ..Self::new(Some(network)) }
    }

    /// Bids only what shows what it must.
    #[must_use]
    pub fn with_style(self, style: Option<Arc<dyn BidStyle>>) -> Self {
        Self { style, ..self }
    }

    /// Returns the calls among which it chooses: those that are legal, without bids that its style does not allow.
    pub fn allowed(&self, view: &View<'_>, legal: LegalCalls) -> LegalCalls {
        let style = self.style.as_ref().filter(|_| view.turned().is_none());
        style.map_or(legal, |style| style.allowed(view, legal))
    }

    /// Coinches only what gains more than so many points by the network.
    #[must_use]
    pub fn with_coinche(self, coinche: f32) -> Self {
        Self { coinche, ..self }
    }

    /// Tests if the network says what is forecast under these rules, and not the table.
    pub(crate) fn is_network(&self, rules: &RuleSet) -> bool {
        self.network.is_some() && rules.deal.method != DealMethod::TurnUp
    }

    /// Returns the bidder by whose corrections its scores are told under these rules.
    pub(crate) fn told_as(&self, rules: &RuleSet) -> &'static str {
        if self.is_network(rules) { self.bidder } else { "table" }
    }

    /// Returns the table that finds the calls.
    pub const fn table(&self) -> &Model {
        &self.table
    }

    /// Considers the calls that are legal, a pass first; of the bids those that have a chance. Their gains are those of the network.
    ///
    /// Costs some microseconds.
    pub fn consider(&mut self, bidding: &BiddingContext<'_>, legal: &LegalCalls) -> &[ConsideredCall] {
        self.ask(bidding, legal, false);
        &self.considered
    }

    /// Considers the calls, and asks for all outputs where these are to be told.
    fn ask(&mut self, bidding: &BiddingContext<'_>, legal: &LegalCalls, tells: bool) {
        self.considered.clear();
        self.outputs.clear();
        self.considered.extend_from_slice(self.table.consider(bidding, legal));
        let Some(network) = self.network.clone().filter(|_| bidding.turned.is_none()) else { return };
        let numbers = self.numbers.of(bidding.rules);
        let encoder = Encoder::new(bidding);
        self.common.clear();
        encoder.common(&numbers, &mut self.common);
        let mut common = network.layers.first_bias;
        network.add(&mut common, &self.common);
        let best = best_strain(&self.considered, bidding.hand);
        let mut last = None;
        for option in &mut self.considered {
            let seen = encoder.seen(option, best);
            let mut sums = match last {
                Some((known, sums)) if known == seen => sums,
                _ => {
                    self.of_strain.clear();
                    encoder.of_strain(&seen, &mut self.of_strain);
                    let mut sums = common;
                    network.add(&mut sums, &self.of_strain);
                    sums
                }
            };
            last = Some((seen, sums));
            self.of_call.clear();
            Encoder::of_call(option, &mut self.of_call);
            network.add(&mut sums, &self.of_call);
            let gain = if tells {
                let output = network.output(&sums);
                self.outputs.push(output);
                output.gain
            } else {
                network.gain(&sums)
            };
            option.gain = if option.context.is_pass() { 0.0 } else { gain };
        }
    }

    /// Returns the inputs of a call that was considered last.
    pub fn input(&mut self, bidding: &BiddingContext<'_>, option: &ConsideredCall) -> Input {
        let numbers = self.numbers.of(bidding.rules);
        let encoder = Encoder::new(bidding);
        let mut input = Vec::with_capacity(64);
        encoder.common(&numbers, &mut input);
        let best = best_strain(&self.considered, bidding.hand);
        encoder.of_strain(&encoder.seen(option, best), &mut input);
        Encoder::of_call(option, &mut input);
        input
    }

    /// Returns the calls that were considered last.
    pub fn considered(&self) -> &[ConsideredCall] {
        &self.considered
    }

    /// Returns the call that gains most; of equal ones a pass, then that of the longer and higher trumps.
    pub fn best(&mut self, bidding: &BiddingContext<'_>, legal: &LegalCalls) -> Call {
        self.ask(bidding, legal, false);
        self.choice(bidding.hand)
    }

    /// Returns the best of the calls that were considered.
    fn choice(&self, hand: CardSet) -> Call {
        let is_open =
            |option: &&ConsideredCall| option.context != CallContext::Coinche || option.gain > self.coinche;
        best_of(self.considered.iter().filter(is_open), hand)
    }

    /// Returns the call that gains most, and what is forecast of all that were considered: chances as the network knows them from
    /// auctions of its population.
    pub fn forecasts(
        &mut self,
        bidding: &BiddingContext<'_>,
        legal: &LegalCalls,
    ) -> (Call, Vec<CallForecast>) {
        self.ask(bidding, legal, true);
        let best = self.choice(bidding.hand);
        if self.outputs.is_empty() {
            return (best, self.table.forecasts(bidding.rules, best, Company::Table).collect());
        }
        let at = self.considered.iter().position(|option| option.call == best);
        let level = at.and_then(|at| Some(self.outputs.get(at)?.score - self.considered[at].gain));
        let told = self.considered.iter().zip(&self.outputs).map(|(option, output)| CallForecast {
            call: option.call,
            gain: option.gain.into(),
            score: (level.unwrap_or_default() + option.gain).into(),
            odds: (option.mean > 0).then_some(output.odds),
        });
        (best, told.collect())
    }
}

/// The own strain in which most is expected.
fn best_strain(considered: &[ConsideredCall], hand: CardSet) -> Option<Strain> {
    let bids = considered.iter().filter_map(|option| match option.call {
        Call::Bid(bid) if option.context != CallContext::Slam => {
            Some(((option.mean, tie(hand, bid.strain)), bid.strain))
        }
        _ => None,
    });
    bids.reduce(|best, other| if other.0 > best.0 { other } else { best }).map(|(_, strain)| strain)
}
